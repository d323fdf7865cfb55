package round

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
)

// VerdictSchema is the version of the verdict that this package writes.
const VerdictSchema = "verdict/1"

// Verdict is what the rules say about one record.
type Verdict struct {
	Schema     string       `json:"schema"`
	ID         string       `json:"id"`
	Norm       string       `json:"norm"`
	Game       string       `json:"game"`
	Void       bool         `json:"void"`  // the norm annuls the round
	Hands      []Hand       `json:"hands"` // never nil once Seal has run
	Result     any          `json:"result"`
	Settlement []Settlement `json:"settlement"`
	Findings   []Finding    `json:"findings"`
	Next       any          `json:"next"` // the carry of the next record
}

// Hand is one set of cards and what it is worth.
type Hand struct {
	Zone     string      `json:"zone"`
	Cards    []card.Card `json:"cards"`
	Value    any         `json:"value,omitempty"` // points, or a game's own notation
	Category string      `json:"category,omitempty"`
}

// Outcome of a bet.
type Outcome string

// The outcomes.
const (
	Win     Outcome = "win"
	Lose    Outcome = "lose"
	Push    Outcome = "push"   // stake kept, nothing won
	Half    Outcome = "half"   // half lost
	Prison  Outcome = "prison" // held for the next round
	Stay    Outcome = "stay"   // not decided this round
	Void    Outcome = "void"   // annulled, stake back
	Unknown Outcome = "unknown"
)

// Settlement is what is due on one spot of one seat.
type Settlement struct {
	Seat       int         `json:"seat"`
	Spot       string      `json:"spot"`
	Stake      money.Cents `json:"stake"`
	Outcome    Outcome     `json:"outcome"`
	Pays       money.Cents `json:"pays"`       // winnings before commission
	Commission money.Cents `json:"commission"` // what the house deducts
	Returns    money.Cents `json:"returns"`    // how much of the stake the player keeps or gets back
	Rule       string      `json:"rule"`       // norm and article
}

// Finding is one discrepancy. Expected and Observed hold money.Cents, int,
// string, bool, card.Card, lists of these, or Null; nil leaves the field out.
type Finding struct {
	Code     finding.Code     `json:"code"`
	Severity finding.Severity `json:"severity"`
	Seat     int              `json:"seat,omitempty"`
	Spot     string           `json:"spot,omitempty"`
	Zone     string           `json:"zone,omitempty"`
	Expected any              `json:"expected,omitempty"`
	Observed any              `json:"observed,omitempty"`
	Delta    *money.Cents     `json:"delta,omitempty"` // observed − expected, of amounts
	Event    int              `json:"event"`           // index into the record's events
	Rule     string           `json:"rule"`
}

// Null is an Expected or Observed that is written as null: nothing was due, or nothing was said.
var Null = json.RawMessage("null")

// Seal fills what every verdict has and sorts: settlement by seat, then spot;
// findings by event, code, seat, spot, zone. Lists are never nil afterwards.
func (v *Verdict) Seal(rec *Record) {
	v.Schema, v.ID, v.Norm, v.Game = VerdictSchema, rec.ID, rec.Norm, rec.Game
	v.Hands = filled(v.Hands)
	for i := range v.Hands {
		v.Hands[i].Cards = filled(v.Hands[i].Cards)
	}
	v.Settlement, v.Findings = filled(v.Settlement), filled(v.Findings)
	if v.Result == nil {
		v.Result = struct{}{}
	}
	if v.Next == nil {
		v.Next = struct{}{}
	}
	slices.SortStableFunc(v.Settlement, func(a, b Settlement) int {
		return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot))
	})
	slices.SortStableFunc(v.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Event, b.Event), cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Spot, b.Spot), cmp.Compare(a.Zone, b.Zone))
	})
}

func filled[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Carry is the verdict's Next as the Carry of the following record.
func (v *Verdict) Carry() (json.RawMessage, error) {
	raw, err := json.Marshal(v.Next)
	if err != nil || string(raw) == "{}" || string(raw) == "null" {
		return nil, err
	}
	return raw, nil
}

// Encode writes a record or a verdict as one line of JSON, without the escapes
// that JSON in a web page would need.
func Encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// Strict reads JSON into v and refuses fields that v does not have; path names
// the value in its error.
func Strict(raw []byte, path string, v any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return Unread(path, "see the game's section of the round record", err)
	}
	return nil
}

// ReadCarry reads the record's carry strictly into v; without carry v is left as it is.
func (r *Record) ReadCarry(v any) error {
	if r.Carry == nil {
		return nil
	}
	return Strict(r.Carry, "carry", v)
}

// OtherStates is the field of a carry that holds the other states, a list of carries, in which
// a round may have left the table of which something was not read.
const OtherStates = "or"

// MaxStates bounds the other states of a carry.
const MaxStates = 64

// States splits a carry: the likeliest state, and the others. Its error is an *Error: the
// others are no list of carries.
func States(carry json.RawMessage) (likeliest json.RawMessage, or []json.RawMessage, err error) {
	var fields map[string]json.RawMessage
	if !bytes.Contains(carry, []byte(`"`+OtherStates+`"`)) || json.Unmarshal(carry, &fields) != nil {
		return carry, nil, nil
	}
	raw, has := fields[OtherStates]
	if !has {
		return carry, nil, nil
	}
	delete(fields, OtherStates)
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) > MaxStates {
		return nil, nil, Malformed("carry."+OtherStates, "write the previous verdict's next",
			"want a list of at most %d carries", MaxStates)
	}
	for _, c := range list {
		or = append(or, carryOf(c))
	}
	return carryOf(fields), or, nil
}

// OneOf is the carry that leaves several states open, the likeliest first.
func OneOf(states []json.RawMessage) json.RawMessage {
	var first map[string]json.RawMessage
	or := []json.RawMessage{}
	for i, s := range states {
		switch {
		case i == 0:
			if json.Unmarshal(s, &first) != nil || first == nil {
				first = map[string]json.RawMessage{}
			}
		case s == nil:
			or = append(or, json.RawMessage("{}"))
		default:
			or = append(or, s)
		}
	}
	if len(or) > 0 {
		raw, err := json.Marshal(or)
		if err != nil {
			return states[0] // of what was read as JSON
		}
		first[OtherStates] = raw
	}
	return carryOf(first)
}

// carryOf writes a carry; nil without fields.
func carryOf(fields map[string]json.RawMessage) json.RawMessage {
	if len(fields) == 0 {
		return nil
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		return nil // a map of what was read as JSON
	}
	return raw
}
