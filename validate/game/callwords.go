package game

import (
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
