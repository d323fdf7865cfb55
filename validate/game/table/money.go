package table

import (
	"cmp"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/round"
)

// Chapter are how this family judges movements (point cards, 0.4): money that
// went the wrong way is not reported as an omission too, a loser or a half is
// not collected beyond the loss, a stake goes back whole or not at all, and what annuls
// each other did not happen.
var Chapter = settle.Rules{HalfPaid: finding.PushPaid, Deducts: true, Over: true, Explains: true, Annuls: true,
	GivenBack: map[round.Outcome]settle.Bound{
		round.Lose: settle.Exactly, round.Push: settle.Exactly, round.Stay: settle.Exactly, round.Prison: settle.Exactly,
		round.Void: settle.Exactly}}

// Entry is what is due on one spot of one seat, and how its money is judged.
type Entry struct {
	settle.Due
	By *settle.Rules // nil: as the family does
}

// CollectFirst raises the first losing stake that is collected after a payment, both among
// the events in [from, to), and reports whether there is none.
func (t *Table) CollectFirst(list []*Entry, from, to int) bool {
	lost := map[game.Place]bool{}
	for _, e := range list {
		lost[e.Place()] = lost[e.Place()] || e.Outcome == round.Lose
	}
	_, late := settle.PaidBeforeCollect(t.Events, from, to, func(p game.Place) bool { return lost[p] })
	if late >= 0 {
		t.At(late, finding.PaidBeforeCollect)
	}
	return late < 0
}

// CheckMoney compares every entry with the movements and closes the settlement.
func (t *Table) CheckMoney(list []*Entry) {
	due, end := make(map[game.Place]bool, len(list)), settle.EndOf(t.Rec)
	for k, e := range list {
		e.Rule = t.Cite(spotTopic(e.Spot))
		t.Verdict.Settlement = append(t.Verdict.Settlement, e.Settlement)
		if e.Outcome == round.Unknown {
			t.Add(round.Finding{Code: finding.NotObservable, Event: t.Last, Seat: e.Seat, Spot: e.Spot})
		}
		if p := e.Place(); !due[p] {
			due[p] = true
			moved := t.Moved.Of(p)
			whole := together(e, list[k+1:], moved.Return.Amount)
			t.AddAll(cmp.Or(e.By, &Chapter).Compare(&whole, moved, end))
		}
	}
	for p, m := range t.Moved {
		if !due[p] {
			t.AddAll(Chapter.Stray(p, *m))
		}
	}
}

// together is what may move on the place of an entry, on which a further entry may stand:
// that of a stake that joined another in prison. Where half of one is lost, what the other
// keeps whole need not be given back, but may.
func together(e *Entry, rest []*Entry, back money.Cents) settle.Due {
	sum, whole := e.Due, money.Cents(0)
	add := func(d *settle.Due) {
		if d.Outcome == round.Push {
			whole += d.Returns
		}
		if d.Outcome == round.Half {
			sum.Outcome = round.Half
			sum.Returns += d.Returns
		}
	}
	joined := false
	for _, o := range rest {
		if o.Place() != e.Place() {
			continue
		}
		if !joined {
			joined, sum.Returns = true, 0
			add(&e.Due)
		}
		sum.Stake, sum.Must, sum.May = sum.Stake+o.Stake, sum.Must+o.Must, sum.May+o.May
		add(&o.Due)
	}
	if joined && sum.Outcome != round.Half || back > sum.Returns {
		sum.Returns += whole
	}
	return sum
}
