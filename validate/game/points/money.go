package points

import (
	"cmp"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// rules are how this family judges movements (point cards, 0.4): money that
// went the wrong way is not reported as an omission too, a loser or a half is
// not collected beyond the loss, and a stake goes back whole or not at all.
var rules = settle.Rules{HalfPaid: finding.PushPaid, Deducts: true, Over: true, Explains: true, GivenBack: map[round.Outcome]settle.Bound{
	round.Lose: settle.Exactly, round.Push: settle.Exactly, round.Stay: settle.Exactly, round.Prison: settle.Exactly, round.Void: settle.Exactly}}

// entry is what is due on one spot of one seat, and how its money is judged.
type entry struct {
	settle.Due
	by *settle.Rules // nil: as the family does
}

// settleMoney compares every entry with the movements and closes the settlement.
func (t *table) settleMoney(list []*entry) {
	due, end := make(map[game.Place]bool, len(list)), settle.EndOf(t.rec)
	for _, e := range list {
		e.Rule = t.cite(spotTopic(e.Spot))
		due[e.Place()] = true
		t.verdict.Settlement = append(t.verdict.Settlement, e.Settlement)
		if e.Outcome == round.Unknown {
			t.add(round.Finding{Code: finding.NotObservable, Event: t.last, Seat: e.Seat, Spot: e.Spot})
		}
		t.addAll(cmp.Or(e.by, &rules).Compare(&e.Due, t.moved.Of(e.Place()), end))
	}
	for p, m := range t.moved {
		if !due[p] {
			t.addAll(rules.Stray(p, *m))
		}
	}
}

func (t *table) addAll(found []round.Finding) {
	for _, f := range found {
		t.add(f)
	}
}
