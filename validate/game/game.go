// Package game is what the engines of all families share: the table of one
// round as an engine gets it, sums of movements, and the making of findings.
package game

import (
	"fmt"
	"reflect"
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

// One is the one of a family's games that rules are of: the only pointer among their
// fields that is set and of type T.
func One[T any](rules any) (T, error) {
	var one T
	var names []string
	set := 0
	v := reflect.ValueOf(rules).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || f.Type.Kind() != reflect.Pointer || !f.Type.Implements(reflect.TypeFor[T]()) {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		names = append(names, name)
		if !v.Field(i).IsNil() {
			one = v.Field(i).Interface().(T)
			set++
		}
	}
	if set != 1 {
		return one, fmt.Errorf("want the rules of exactly one of %s", strings.Join(names, ", "))
	}
	return one, nil
}

// roomFor is how many values a Room makes at once.
const roomFor = 16

// Room makes values of which a round needs several, many in one allocation.
type Room[T any] struct{ free []T }

// New is a pointer to a value of its own.
func (r *Room[T]) New(v T) *T {
	if len(r.free) == 0 {
		r.free = make([]T, roomFor)
	}
	p := &r.free[0]
	r.free = r.free[1:]
	*p = v
	return p
}
