package track

import (
	"fmt"

	"vision/validate/round"
)

// explain tells and judges a scene under a hypothesis.
func (t *Tracker) explain(sc *scene, h hypothesis, carry carryOver, final bool) *ruling {
	s := &story{
		g: t.game, sc: sc, hyp: h, final: final, check: t.check, slow: t.cfg.Correction, priors: t.priors,
		rules: t.rules, held: carry.held, inherited: carry.hid, base: t.blank(sc, carry), adrift: carry.adrift && !sc.bare() || t.game.point && sc.joined,
	}
	r := &ruling{story: s, scene: sc, hyp: h, carried: carry}
	r.record, r.told = s.run()
	r.verdict, r.err = t.check(&r.record)
	if !final && r.err == nil {
		r.verdict.Findings = append(r.verdict.Findings, t.foreseen(r)...)
	}
	r.weigh(t.priors)
	return r
}

// blank is the record of a scene without events.
func (t *Tracker) blank(sc *scene, carry carryOver) round.Record {
	return round.Record{
		Schema: round.Schema, ID: t.id(sc), Norm: t.cfg.Norm, Game: t.cfg.Game,
		Table: t.table, Carry: carry.raw, Events: []round.Event{},
	}
}

func (t *Tracker) id(sc *scene) string {
	return fmt.Sprintf("%s-%s", t.cfg.Table, sc.start().UTC().Format("20060102T150405.000"))
}
