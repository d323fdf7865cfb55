// Package game is what the engines of all families share: the table of one
// round as an engine gets it, sums of movements, and the making of findings.
package game

import (
	"fmt"
	"slices"
	"strings"

	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Engine judges the games of one family. It is a pure function of rulebook and
// record: no clock, no files, no state between calls.
type Engine interface {
	// Rules is a new, empty value of the family's type of rules, to be read into.
	Rules() rulebook.Rules
	// Check judges a record. Its error is a *round.Error: the record is malformed
	// for this game. What every verdict has (schema, id, order) is filled in later.
	Check(in Input) (round.Verdict, error)
}

// Input is one record with the rules it is judged by.
type Input struct {
	Norm *rulebook.Norm
	Game *rulebook.Game
	Rec  *round.Record
}

// Rule is the citation of the game's rules, "cantabria-2010 A.1", with the
// sections appended: Rule(".V.1") is "cantabria-2010 A.1.V.1".
func (in Input) Rule(section string) string { return in.Norm.Rule(in.Game) + section }

// Place is one spot of one seat.
type Place struct {
	Seat int
	Spot string
}

// Sum is what was moved on one place by events of one type.
type Sum struct {
	Amount money.Cents
	First  int // index of the first such event; -1 when there is none
	Last   int // index of the last; -1 when there is none
}

// Moved is what collect, pay, commission and return events moved on one place.
type Moved struct{ Collect, Pay, Commission, Return Sum }

// Any reports whether anything was moved.
func (m Moved) Any() bool { return m.First() >= 0 }

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
func Sums(rec *round.Record, from int) Tally {
	return SumsBy(rec, from, func(e *round.Event) Place { return Place{e.Seat, e.Spot} })
}

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

// Last is the index of the record's last event, 0 when it has none: where
// findings about something missing stand.
func Last(rec *round.Record) int { return max(len(rec.Events)-1, 0) }

// Closed reports whether the record is complete: the table was cleared.
func Closed(rec *round.Record) bool {
	for i := range rec.Events {
		if rec.Events[i].Type == round.Clear {
			return true
		}
	}
	return false
}

// SeatOf is the seat of a zone "seat:3"; 0 for any other zone.
func SeatOf(zone string) int {
	digits, ok := strings.CutPrefix(zone, "seat:")
	if !ok || digits == "" || len(digits) > 4 || digits[0] == '0' {
		return 0
	}
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0
		}
		n = 10*n + int(d-'0')
	}
	return n
}

// Word refuses a word in a field of an event that is none of those the game has.
func Word(event int, field, value string, has []string) error {
	if slices.Contains(has, value) {
		return nil
	}
	return round.Malformed(round.At(event, field), "write one of "+strings.Join(has, ", "), "unknown %s %q", field, value)
}

// seatZones are the zones of the seats that a table usually has.
var seatZones = func() (names [16]string) {
	for n := range names {
		names[n] = fmt.Sprintf("seat:%d", n)
	}
	return names
}()

// SeatZone is the zone of a seat's cards, "seat:3".
func SeatZone(n int) string {
	if n >= 0 && n < len(seatZones) {
		return seatZones[n]
	}
	return fmt.Sprintf("seat:%d", n)
}
