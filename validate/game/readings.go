package game

import (
	"reflect"
	"slices"

	"vision/internal/card"
	"vision/validate/round"
)

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
