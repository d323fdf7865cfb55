package game

import (
	"vision/internal/money"
	"vision/validate/round"
)

// Place is one spot of one seat.
type Place struct {
	Seat int
	Spot string
}

// PlaceOf is the seat and spot of an event. A deduction may name its seat by the
// zone of its cards (round record, commission).
func PlaceOf(e *round.Event) Place {
	if e.Seat == 0 {
		return Place{SeatOf(e.Zone), e.Spot}
	}
	return Place{e.Seat, e.Spot}
}

// Payer refuses a deduction that names nobody: neither a seat nor the zone of one.
func Payer(i int, e *round.Event) error {
	if e.Type != round.Commission || PlaceOf(e).Seat > 0 {
		return nil
	}
	return round.Malformed(round.At(i, "seat"), "name the seat from whose winnings it is taken", "the deduction names none")
}

// Sum is what was moved on one place by events of one type.
type Sum struct {
	Amount money.Cents
	First  int // index of the first such event; -1 when there is none
	Last   int // index of the last; -1 when there is none
}

// Moved is what collect, pay, commission and return events moved on one place.
type Moved struct{ Collect, Pay, Commission, Return Sum }

// First is the index of the first movement, -1 when there is none.
func (m Moved) First() int {
	first := -1
	for _, s := range []Sum{m.Collect, m.Pay, m.Commission, m.Return} {
		if s.First >= 0 && (first < 0 || s.First < first) {
			first = s.First
		}
	}
	return first
}

// None is the sum of no events.
var None = Sum{0, -1, -1}

var nothing = Moved{None, None, None, None}

// Tally is what was moved on each place.
type Tally map[Place]*Moved

// Of is what was moved on a place; its sums are 0 and its indices -1 where nothing was.
func (t Tally) Of(p Place) Moved {
	if m := t[p]; m != nil {
		return *m
	}
	return nothing
}

// Sums adds up the movements of the events from index from to the end.
func Sums(rec *round.Record, from int) Tally { return SumsBy(rec, from, PlaceOf) }

// SumsBy adds them up by another place than that of each event.
func SumsBy(rec *round.Record, from int, of func(*round.Event) Place) Tally {
	n := 0
	for i := from; i < len(rec.Events); i++ {
		if rec.Events[i].Movement() {
			n++
		}
	}
	t := make(Tally, n)
	room := make([]Moved, 0, n) // so that the sums are one allocation
	for i := from; i < len(rec.Events); i++ {
		e := &rec.Events[i]
		if !e.Movement() {
			continue
		}
		p := of(e)
		m := t[p]
		if m == nil {
			room = append(room, nothing)
			m = &room[len(room)-1]
			t[p] = m
		}
		m.add(i, e)
	}
	return t
}

func (m *Moved) add(i int, e *round.Event) {
	s := &m.Return
	switch e.Type {
	case round.Collect:
		s = &m.Collect
	case round.Pay:
		s = &m.Pay
	case round.Commission:
		s = &m.Commission
	}
	s.Amount += e.Amount
	s.Last = i
	if s.First < 0 {
		s.First = i
	}
}

// BetState is what the chips of a bet are when they appear.
type BetState int

// The states of a bet.
const (
	UnknownSpot BetState = iota // the game has no such spot
	Plays
	Late    // the betting on the spot is closed
	Refused // the norm, an option or the state of the round does not offer the spot
)

// Until is the state of a bet at an event where the betting on its spot closed at another.
func Until(event, closed int) BetState {
	if event > closed {
		return Late
	}
	return Plays
}
