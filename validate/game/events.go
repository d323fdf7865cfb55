package game

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"vision/internal/card"
	"vision/validate/round"
)

// Last is the index of the record's last event, 0 when it has none: where
// findings about something missing stand.
func Last(rec *round.Record) int { return max(len(rec.Events)-1, 0) }

// Closed reports whether the record is complete: the table was cleared.
func Closed(rec *round.Record) bool {
	return Find(rec.Events, 0, len(rec.Events), func(e *round.Event) bool { return e.Type == round.Clear }) >= 0
}

// Find is the index of the first event in [from, to) that fits; -1 when there is none.
func Find(events []round.Event, from, to int, fits func(*round.Event) bool) int {
	for i := from; i < to; i++ {
		if fits(&events[i]) {
			return i
		}
	}
	return -1
}

// Calls yields the announcements of a call with their indices.
func Calls(events []round.Event, call string) iter.Seq2[int, *round.Event] {
	return each(events, func(e *round.Event) bool { return e.Is(call) })
}

// Each yields the events of some types with their indices.
func Each(events []round.Event, types ...round.Type) iter.Seq2[int, *round.Event] {
	return each(events, func(e *round.Event) bool { return slices.Contains(types, e.Type) })
}

func each(events []round.Event, fits func(*round.Event) bool) iter.Seq2[int, *round.Event] {
	return func(yield func(int, *round.Event) bool) {
		for i := range events {
			if e := &events[i]; fits(e) && !yield(i, e) {
				return
			}
		}
	}
}

// doubtful is the confidence below which what was read of a card counts as unread.
const doubtful = 0.5

// Doubtful reports whether the cards of an event count as unread.
func Doubtful(e *round.Event) bool { return e.Confidence() < doubtful }

// Read is a card of an event; Unseen where the reading is doubtful.
func Read(c card.Card, e *round.Event) card.Card {
	if Doubtful(e) {
		return card.Unseen
	}
	return c
}

// SeatOf is the seat of a zone "seat:3"; 0 for any other zone.
func SeatOf(zone string) int {
	digits, ok := strings.CutPrefix(zone, "seat:")
	if !ok {
		return 0
	}
	return Ordinal(digits)
}

// Ordinal is the number that a zone or a spot counts by, from 1; 0 for what is not
// written as one: a place has one name.
func Ordinal(digits string) int {
	if digits == "" || len(digits) > 4 || digits[0] == '0' {
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

// Once is a record without second readings: what is observed again where nothing has
// happened since changes nothing. of gives the index of each event in the record that was
// given; it is nil where there is no second reading, and the record is the same.
func Once(rec *round.Record) (once *round.Record, of []int) {
	for i := range rec.Events {
		switch {
		case !again(rec, i):
			if of != nil {
				of = append(of, i)
			}
		case of == nil:
			of = make([]int, i, len(rec.Events))
			for k := range of {
				of[k] = k
			}
		}
	}
	if of == nil {
		return rec, nil
	}
	once = new(round.Record)
	*once = *rec
	once.Events = make([]round.Event, len(of))
	for k, i := range of {
		once.Events[k] = rec.Events[i]
	}
	return once, of
}

// again reports whether event i reads what an earlier one read, with nothing between them
// but what is said and read, and, for cards, the settlement.
func again(rec *round.Record, i int) bool {
	e := &rec.Events[i]
	switch e.Type {
	case round.Reveal, round.Ball, round.Dice, round.Incident:
	default:
		return false
	}
	for k := i - 1; k >= 0; k-- {
		d := &rec.Events[k]
		switch {
		case d.Type == e.Type && sameReading(d, e):
			return true
		case d.Type == round.Reveal && (e.Type != round.Reveal || d.Zone != e.Zone):
		case d.Type == round.Announce && d.Call != "null_throw" && e.Type != round.Ball:
		case d.Is("number", "combination") && !drawn[rec.Game]:
		case e.Type == round.Reveal && d.Movement():
		default:
			return false
		}
	}
	return false
}

// drawn are the games whose balls are drawn one after the other: a ball that comes again
// after it was called was drawn again.
var drawn = map[string]bool{"bingo": true}

// sameReading reports whether b says no more than a, an event of the same type before it.
// A doubtful reading is not repeated by a sure one.
func sameReading(a, b *round.Event) bool {
	if Doubtful(a) && !Doubtful(b) {
		return false
	}
	x, y := *a, *b
	x.T, y.T, x.Conf, y.Conf = 0, 0, nil, nil
	if a.Type == round.Reveal && len(x.Cards) == len(y.Cards) {
		y.Cards = slices.Clone(y.Cards)
		for k, c := range y.Cards {
			if c == card.Unseen { // what was read before is known
				y.Cards[k] = x.Cards[k]
			}
		}
	}
	return reflect.DeepEqual(x, y)
}
