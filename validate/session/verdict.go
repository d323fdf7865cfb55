package session

import (
	"cmp"
	"encoding/json"
	"slices"

	"vision/validate/finding"
)

// VerdictSchema is the version of the verdict that this package writes.
const VerdictSchema = "session-verdict/1"

// Verdict is what the norm says about one record, with the acta of the session.
type Verdict struct {
	Schema   string    `json:"schema"`
	ID       string    `json:"id"`
	Norm     string    `json:"norm"`
	Table    string    `json:"table"`
	Findings []Finding `json:"findings"` // by event, then code; never nil
	Summary  Summary   `json:"summary"`
	Next     Carry     `json:"next"` // the carry of the next part of the session
}

// Finding is one breach. Expected and Observed hold an int64 (an amount in cents,
// a number, seconds), a string, a bool, or round.Null; nil leaves the field out.
type Finding struct {
	Code     finding.Code     `json:"code"`
	Severity finding.Severity `json:"severity"`
	Event    int              `json:"event"` // index into the record's events
	Jefe     string           `json:"jefe,omitempty"`
	Table    string           `json:"table,omitempty"`
	Role     string           `json:"role,omitempty"`
	What     string           `json:"what,omitempty"`
	Card     string           `json:"card,omitempty"`
	Expected any              `json:"expected,omitempty"`
	Observed any              `json:"observed,omitempty"`
	Delta    *int64           `json:"delta,omitempty"` // observed − expected, of amounts
	From     *int64           `json:"from,omitempty"`  // of what lasts, in seconds
	To       *int64           `json:"to,omitempty"`
	Rule     string           `json:"rule"` // norm and article, never empty

	part int // of the contract's section 4 that found it
}

// sorted puts findings into the order of the contract: by event, code, and the
// order in which its section 4 names the checks.
func sorted(list []Finding) []Finding {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Event, b.Event), cmp.Compare(a.Code, b.Code), cmp.Compare(a.part, b.part))
	})
	return append([]Finding{}, list...)
}

// MarshalJSON writes the empty lists of a carry as lists.
func (c Carry) MarshalJSON() ([]byte, error) {
	type plain Carry
	c.DiceSets, c.LastDiceSets = append([]string{}, c.DiceSets...), append([]string{}, c.LastDiceSets...)
	return json.Marshal(plain(c))
}
