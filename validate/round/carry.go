package round

import (
	"bytes"
	"encoding/json"
)

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
