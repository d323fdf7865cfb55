package infer

import (
	"fmt"

	"vision/internal/money"
	"vision/validate/operating"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/track/hypothesis"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// Inference explains the scenes of one table.
type Inference struct {
	Game       *narrate.Game
	Table      round.Table
	Norm, Code string // of the norm, and of the game in it
	Rules      rulebook.Rules
	Check      func(*round.Record) (round.Verdict, error)
	// Leaves judges a round that is over; its next has all states in which it may have left the
	// table. watched: nothing of it can have been missed.
	Leaves func(rec *round.Record, watched bool) (round.Verdict, error)
	Priors hypothesis.Priors
	Rates  operating.Rates
}

// Explain narrates and judges a scene under a hypothesis. Where bets that nobody could count follow
// from all else, or from what the rack grew by, it has them.
func (in *Inference) Explain(
	sc *scene.Scene, h hypothesis.Hypothesis, carryOver narrate.CarryOver, final bool,
) *Ruling {
	r := in.explain(sc, h, carryOver, final, nil)
	if implied := r.Implied(); len(implied) > 0 {
		r = in.explain(sc, h, carryOver, final, implied)
	}
	return in.settled(r)
}

// explain is the same with bets that nobody could count.
func (in *Inference) explain(
	sc *scene.Scene, h hypothesis.Hypothesis, carryOver narrate.CarryOver, final bool, bets map[scene.Place]money.Cents,
) *Ruling {
	carryOver = carryOver.On(sc.Opening)
	r := &Ruling{seen: sc, carried: carryOver, Narration: &narrate.Narration{Given: narrate.Given{
		Game: in.Game, Rules: in.Rules, Check: in.Check, Scene: sc, Hyp: h, Final: final,
		Base: in.blank(sc, carryOver), Held: carryOver.Held,
		PointUnknown: carryOver.PointUnknown && !sc.WithoutChips() || in.Game.Point && sc.Joined,
		HiddenBefore: carryOver.Hidden,
		Implies:      bets,
	}}}
	r.Record = r.Run()
	r.Record.Carry = carryOver.Raw
	r.Verdict, r.Err = in.Check(&r.Record)
	if !final && r.Err == nil {
		r.Verdict.Findings = append(r.Verdict.Findings, in.foreseen(r)...)
	}
	r.weigh(in.Priors)
	return r
}

// blank is the record of a scene without events, by which it is narrated: from the likeliest of the
// states in which the table may be.
func (in *Inference) blank(sc *scene.Scene, carryOver narrate.CarryOver) round.Record {
	likeliest, _, err := round.States(carryOver.Raw)
	if err != nil {
		likeliest = nil // written by Next
	}
	return round.Record{
		Schema: round.Schema, ID: in.id(sc), Norm: in.Norm, Game: in.Code,
		Table: in.Table, Carry: likeliest, Events: []round.Event{},
	}
}

func (in *Inference) id(sc *scene.Scene) string {
	return fmt.Sprintf("%s-%s", in.Table.ID, sc.Start().UTC().Format("20060102T150405.000"))
}
