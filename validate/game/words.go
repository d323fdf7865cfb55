package game

import (
	"fmt"
	"slices"
	"strings"

	"vision/validate/round"
)

// CallWords are the words that a game has for what is said with its calls, by
// argument: what may be said as color, parity, half, combination, winner, hand,
// category or prize. An argument that the game does not list it does not read.
type CallWords map[string][]string

// said are the arguments of calls that are words.
var said = []struct {
	field string
	of    func(*round.Event) string
}{
	{"category", func(e *round.Event) string { return e.Category }},
	{"color", func(e *round.Event) string { return e.Color }},
	{"combination", func(e *round.Event) string { return e.Combination }},
	{"half", func(e *round.Event) string { return e.Half }},
	{"hand", func(e *round.Event) string { return e.Hand }},
	{"parity", func(e *round.Event) string { return e.Parity }},
	{"prize", func(e *round.Event) string { return e.Prize }},
	{"winner", func(e *round.Event) string { return e.Winner }},
}

// Calls refuses calls that say what is not of the game's vocabulary: a call that
// cannot be understood is neither true nor false, and is no call that was made.
// Its error is a *round.Error.
func (w CallWords) Calls(rec *round.Record) error {
	if len(w) == 0 {
		return nil
	}
	for i, e := range Each(rec.Events, round.Announce) {
		for _, s := range said {
			words, read := w[s.field]
			if value := s.of(e); read && value != "" && !slices.Contains(words, value) {
				return Word(i, s.field, value, words)
			}
		}
	}
	return nil
}

// Counted refuses a number that was said in a call and is not written in digits.
func Counted(i int, e *round.Event) error {
	if strings.Trim(string(e.Number), "0123456789") != "" {
		return round.Malformed(round.At(i, "number"), "write the number in digits", "%q is no number of %s", string(e.Number), e.Call)
	}
	return nil
}

// IncidentWords are the words that a game has for what an incident concerns.
type IncidentWords struct {
	Zone   func(zone string) bool           // the zones of the game; nil: it has none
	Seat   func(kind string, seat int) bool // the seats that an incident of a kind may concern; nil: any
	CardNo map[string]int                   // by kind, the greatest card_no that the game names
	Thrown []string                         // kinds that may say that a hand was thrown unshown
	Hands  []string                         // kinds that lie between the hands of two players or more
	Whose  []string                         // kinds that concern one seat, and say nothing without it
}

// Incidents refuses incidents with arguments that are not of the game's
// vocabulary, so that none is ever applied in part. Its error is a *round.Error.
func (w IncidentWords) Incidents(rec *round.Record) error {
	for i, e := range Each(rec.Events, round.Incident) {
		if err := w.check(i, e, rec.Game); err != nil {
			return err
		}
	}
	return nil
}

func (w IncidentWords) check(i int, e *round.Event, game string) error {
	if e.Zone != "" && (w.Zone == nil || !w.Zone(e.Zone)) {
		return round.Malformed(round.At(i, "zone"), "see the zones of "+game, "%s has no zone %q", game, e.Zone)
	}
	if most := w.CardNo[e.Kind]; e.CardNo > most {
		return round.Malformed(round.At(i, "card_no"), fmt.Sprintf("%s of %s names %d cards", e.Kind, game, most), "no card %d", e.CardNo)
	}
	if e.Thrown != nil && !slices.Contains(w.Thrown, e.Kind) {
		return round.Malformed(round.At(i, "thrown"), "drop it", "%s of %s does not say so", e.Kind, game)
	}
	for _, list := range []struct {
		field string
		seats []int
	}{{"seat", seatOrNone(e.Seat)}, {"zone", seatOrNone(SeatOf(e.Zone))}, {"with", e.With}, {"seats", e.Seats}} {
		for _, s := range list.seats {
			if w.Seat != nil && !w.Seat(e.Kind, s) {
				return round.Malformed(round.At(i, list.field), "name a seat of the table", "the table has no seat %d", s)
			}
		}
	}
	switch {
	case slices.Contains(w.Hands, e.Kind):
		return twoHands(i, e)
	case slices.Contains(w.Whose, e.Kind) && e.Seat == 0 && SeatOf(e.Zone) == 0:
		return round.Malformed(round.At(i, "zone"), `write the zone of a hand, "seat:2"`, "%s does not say whose", e.Kind)
	}
	return nil
}

// twoHands refuses an incident between hands that does not name two distinct ones.
func twoHands(i int, e *round.Event) error {
	field := "with"
	if len(e.Seats) > 0 {
		field = "seats"
	}
	const fix = `write zone "seat:2" with "with" [4], or "seats" [2, 4]`
	all := Between(e)
	slices.Sort(all)
	switch {
	case len(e.Seats) > 0 && len(e.With) > 0:
		return round.Malformed(round.At(i, "seats"), fix, "the two forms are mixed")
	case len(e.Seats) > 0 && e.Seat > 0 && !slices.Contains(e.Seats, e.Seat):
		return round.Malformed(round.At(i, "seat"), fix, "seat %d is none of the seats", e.Seat)
	case e.Seat > 0 && e.Zone != "" && e.Seat != SeatOf(e.Zone):
		return round.Malformed(round.At(i, "seat"), fix, "seat %d and zone %q are two hands", e.Seat, e.Zone)
	case e.Zone != "" && SeatOf(e.Zone) == 0:
		return round.Malformed(round.At(i, "zone"), fix, "%q is no player's hand", e.Zone)
	case len(slices.Compact(slices.Clone(all))) < len(all):
		return round.Malformed(round.At(i, field), fix, "a seat stands twice")
	case len(all) < 2:
		return round.Malformed(round.At(i, field), fix, "%s lies between the hands of two players", e.Kind)
	}
	return nil
}

// Between are the seats whose hands an incident concerns, in either of the two
// forms: zone and with, or seats.
func Between(e *round.Event) []int {
	all := slices.Concat(seatOrNone(SeatOf(e.Zone)), e.With, e.Seats)
	if e.Seat > 0 && !slices.Contains(all, e.Seat) {
		all = append(all, e.Seat)
	}
	return all
}

func seatOrNone(seat int) []int {
	if seat > 0 {
		return []int{seat}
	}
	return nil
}
