// Package game is what the engines of all families share: the table of one
// round as an engine gets it, sums of movements, and the making of findings.
package game

import (
	"slices"
	"strings"

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

// Word refuses a word in a field of an event that is none of those the game has.
func Word(event int, field, value string, has []string) error {
	if slices.Contains(has, value) {
		return nil
	}
	return round.Malformed(round.At(event, field), "write one of "+strings.Join(has, ", "), "unknown %s %q", field, value)
}
