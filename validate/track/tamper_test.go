package track_test

import (
	"cmp"
	"slices"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/script"
	"vision/validate/round"
	"vision/validate/track/tracktest"
)

// tampers are the changes of a round by the name of the mistake.
var tampers = map[string]tracktest.Tamper{
	"a joker in the shoe":          joker,
	"two cards in the wrong order": cardsSwapped,
	"a ball out of the wheel":      ballOut,
	"dice on the chips":            diceOnChips,
	"one die only":                 oneDie,
	"a stake taken back late":      takenLate,
	"a number called too soon":     calledSoon,
	"a come bet on the come-out":   comeBet,
}

// events are the indices of the record's events that fit.
func events(r *script.Round, fits func(round.Event) bool) (out []int) {
	for i, e := range r.Truth.Record.Events {
		if fits(e) {
			out = append(out, i)
		}
	}
	return out
}

// acts are the indices of the acts that fit.
func acts(r *script.Round, fits func(script.Act) bool) (out []int) {
	for i, a := range r.Acts {
		if fits(a) {
			out = append(out, i)
		}
	}
	return out
}

// order puts acts and events in the order of time again.
func order(r *script.Round) {
	slices.SortStableFunc(r.Acts, func(a, b script.Act) int { return cmp.Compare(a.At, b.At) })
	slices.SortStableFunc(r.Truth.Record.Events, func(a, b round.Event) int { return cmp.Compare(a.T, b.T) })
}

func dealt(e round.Event) bool { return e.Type == round.CardDealt }

// joker puts a joker in the place of the last card.
func joker(r *script.Round) bool {
	es := events(r, dealt)
	as := acts(r, func(a script.Act) bool { return len(a.Cards) == 1 && len(a.Lift) == 0 && !a.Cards[0].Down })
	if len(es) == 0 || len(es) != len(as) {
		return false
	}
	c, err := card.Parse("Jk")
	if err != nil {
		return false
	}
	e, a := &r.Truth.Record.Events[es[len(es)-1]], &r.Acts[as[len(as)-1]]
	a.Cards = slices.Clone(a.Cards)
	e.Card, a.Cards[0].Card = c, c
	return true
}

// cardsSwapped deals the third card before the second, to their own zones.
func cardsSwapped(r *script.Round) bool {
	es := events(r, dealt)
	as := acts(r, func(a script.Act) bool { return len(a.Cards) == 1 && len(a.Lift) == 0 })
	if len(es) < 4 || len(es) != len(as) {
		return false
	}
	a, b := &r.Acts[as[1]], &r.Acts[as[2]]
	e, f := &r.Truth.Record.Events[es[1]], &r.Truth.Record.Events[es[2]]
	if e.Zone == f.Zone {
		return false
	}
	a.At, b.At, e.T, f.T = b.At, a.At, f.T, e.T
	order(r)
	return true
}

// addLine adds a line of the terminal.
func addLine(r *script.Round, at float64, e round.Event, args map[string]any) {
	e.T = at
	r.Truth.Record.Events = append(r.Truth.Record.Events, e)
	r.Acts = append(
		r.Acts,
		script.Act{At: at, Sensed: []fact.Sensed{{Source: "terminal", Kind: string(e.Type), Args: args}}},
	)
	order(r)
}

// ballOut lets the ball leave the wheel, and the number count all the same.
func ballOut(r *script.Round) bool {
	es := events(r, func(e round.Event) bool { return e.Type == round.Ball })
	if len(es) != 1 {
		return false
	}
	addLine(
		r,
		r.Truth.Record.Events[es[0]].T-1,
		round.Event{Type: round.Incident, Kind: "ball_out"},
		map[string]any{"kind": "ball_out"},
	)
	return true
}

// thrown are the event and the act of the round's only throw of two dice.
func thrown(r *script.Round) (e *round.Event, a *script.Act) {
	es := events(r, func(e round.Event) bool { return e.Type == round.Dice })
	as := acts(r, func(a script.Act) bool { return len(a.Dice) > 0 })
	if len(es) != 1 || len(as) != 1 || len(r.Acts[as[0]].Dice) != 2 {
		return nil, nil
	}
	return &r.Truth.Record.Events[es[0]], &r.Acts[as[0]]
}

// diceOnChips lets a throw count that came to rest on chips.
func diceOnChips(r *script.Round) bool {
	e, a := thrown(r)
	if e == nil {
		return false
	}
	e.Irregular, a.Irregular = "on_chips", "on_chips"
	return true
}

// oneDie throws one die and lets it count.
func oneDie(r *script.Round) bool {
	e, a := thrown(r)
	if e == nil {
		return false
	}
	e.Faces, a.Dice = e.Faces[:1:1], a.Dice[:1:1]
	return true
}

// closed is the moment of the only closing call; 0 for none.
func closed(r *script.Round) float64 {
	es := events(r, func(e round.Event) bool { return e.Is("no_va_mas") })
	if len(es) != 1 {
		return 0
	}
	return r.Truth.Record.Events[es[0]].T
}

// takenLate has the player of the first stake that is collected take it back
// after the bets were closed.
func takenLate(r *script.Round) bool {
	at := closed(r)
	es := events(r, func(e round.Event) bool { return e.Type == round.Collect })
	if at == 0 || len(es) == 0 {
		return false
	}
	lost := r.Truth.Record.Events[es[0]]
	same := func(e round.Event) bool { return e.Seat == lost.Seat && e.Spot == lost.Spot }
	bets := events(r, func(e round.Event) bool { return e.Type == round.Bet && same(e) })
	if len(bets) != 1 || r.Truth.Record.Events[bets[0]].Amount != lost.Amount || r.Truth.Record.Events[bets[0]].T <= 0 {
		return false
	}
	laid := acts(r, func(a script.Act) bool {
		return int(a.Who) == lost.Seat && len(a.Piles) > 0 && a.At-r.Truth.Record.Events[bets[0]].T < 0.01 &&
			a.At >= r.Truth.Record.Events[bets[0]].T
	})
	if len(laid) != 1 {
		return false
	}
	var tags []int
	for _, p := range r.Acts[laid[0]].Piles {
		tags = append(tags, p.Tag)
	}
	for i := range r.Acts {
		r.Acts[i].Lift = slices.DeleteFunc(
			slices.Clone(r.Acts[i].Lift),
			func(tag int) bool { return slices.Contains(tags, tag) },
		)
	}
	r.Truth.Record.Events = slices.Delete(slices.Clone(r.Truth.Record.Events), es[0], es[0]+1)
	r.Acts = append(r.Acts, script.Act{At: at + 1.5, Who: script.Who(lost.Seat), Lift: tags})
	r.Truth.Record.Events = append(
		r.Truth.Record.Events,
		round.Event{T: at + 1.5, Type: round.Withdraw, Seat: lost.Seat, Spot: lost.Spot, Amount: lost.Amount},
	)
	order(r)
	return true
}

// calledSoon has the number called while the ball still runs.
func calledSoon(r *script.Round) bool {
	balls := events(r, func(e round.Event) bool { return e.Type == round.Ball })
	calls := events(r, func(e round.Event) bool { return e.Is("number") })
	announced := acts(r, func(a script.Act) bool { return len(a.Sensed) == 1 && a.Sensed[0].Args["call"] == "number" })
	if len(balls) != 1 || len(calls) != 1 || len(announced) != 1 {
		return false
	}
	at := r.Truth.Record.Events[balls[0]].T - 2
	if at <= closed(r) {
		return false
	}
	r.Truth.Record.Events[calls[0]].T, r.Acts[announced[0]].At = at, at
	order(r)
	return true
}

// comeBet has the first player bet on come, and take the chips back in the end.
func comeBet(r *script.Round) bool {
	at := closed(r)
	if e, _ := thrown(r); e == nil || at == 0 {
		return false
	}
	const tag = 1 << 30
	r.Acts = append(
		r.Acts,
		script.Act{
			At:    at - 0.9,
			Who:   1,
			Piles: []script.Pile{{Tag: tag, Zone: "seat:1 come", Slot: 5, Chips: script.Alike("e5", 2)}},
		},
		script.Act{At: r.Length - 0.4, Who: 1, Lift: []int{tag}},
	)
	r.Truth.Record.Events = append(
		r.Truth.Record.Events,
		round.Event{T: at - 0.9, Type: round.Bet, Seat: 1, Spot: "come", Amount: 1000},
	)
	order(r)
	return true
}
