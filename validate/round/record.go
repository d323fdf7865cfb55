// Package round is the wire format between what was seen at one table during
// one round and what the rules say about it: records, verdicts, and a strict
// reader for them.
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

// Schema is the version of the record that this package reads.
const Schema = "round/1"

// Record is one round (jugada, mano, tirada, bola) at one table.
type Record struct {
	Schema string          `json:"schema"`
	ID     string          `json:"id"`
	Norm   string          `json:"norm"` // code of the norm in force, "cantabria-2010"
	Game   string          `json:"game"` // game code, "ruleta_francesa"
	Table  Table           `json:"table"`
	Carry  json.RawMessage `json:"carry,omitempty"` // the previous verdict's Next; nil at the start
	Events []Event         `json:"events"`          // in time order
}

// Table is what is fixed at the table while the round is played.
type Table struct {
	ID      string      `json:"id"`
	Min     money.Cents `json:"min,omitempty"`     // table minimum; 0 is unknown
	Max     money.Cents `json:"max,omitempty"`     // authorised maximum of the base bet; 0 is unknown
	Decks   int         `json:"decks,omitempty"`   // packs in play when they differ from the norm; 0 is the norm's
	Options Options     `json:"options,omitempty"` // house options the norm leaves open
}

// Type is what sort of thing an event is.
type Type string

// The types of event.
const (
	Announce   Type = "announce"
	Bet        Type = "bet"
	Withdraw   Type = "withdraw"
	Action     Type = "action"
	CardDealt  Type = "card"
	Reveal     Type = "reveal"
	Arrange    Type = "arrange"
	Burn       Type = "burn"
	Shuffle    Type = "shuffle"
	Cut        Type = "cut"
	CutCard    Type = "cut_card"
	Ball       Type = "ball"
	Dice       Type = "dice"
	Collect    Type = "collect"
	Pay        Type = "pay"
	Commission Type = "commission"
	Return     Type = "return"
	Move       Type = "move"
	Incident   Type = "incident"
	Clear      Type = "clear"
)

// Speakers of announcements.
const (
	Croupier = "croupier"
	Jefe     = "jefe"
	Stickman = "stickman"
	Banquero = "banquero"
	Player   = "player"
)

// Event is one thing observed. A string that is empty, a Seat 0, an Amount 0, a
// Count 0 and a nil pointer are fields that the record does not hold: none of
// them is a value that the format allows, except that an announced Amount may
// be written 0, which says the same as nothing.
type Event struct {
	T    float64  `json:"t"` // seconds from the start of the round
	Type Type     `json:"type"`
	Conf *float64 `json:"conf,omitempty"` // recogniser's confidence 0..1; nil is 1

	By     string      `json:"by,omitempty"`
	Call   string      `json:"call,omitempty"`
	Seat   int         `json:"seat,omitempty"` // from 1 at the croupier's left
	Action string      `json:"action,omitempty"`
	Spot   string      `json:"spot,omitempty"`
	Zone   string      `json:"zone,omitempty"`
	From   string      `json:"from,omitempty"`
	To     string      `json:"to,omitempty"`
	Amount money.Cents `json:"amount,omitempty"`
	Kind   string      `json:"kind,omitempty"` // of an incident

	Card    card.Card   `json:"-"` // Unseen when absent or "??"
	Cards   []card.Card `json:"cards,omitempty"`
	Face    string      `json:"face,omitempty"` // "up", "down"
	High    []card.Card `json:"high,omitempty"`
	Low     []card.Card `json:"low,omitempty"`
	Discard []card.Card `json:"discard,omitempty"`
	Count   int         `json:"count,omitempty"`

	// What an incident concerns besides Seat, Zone, By, Card and Count.
	With   []int `json:"with,omitempty"`    // the other seats of an incident between hands
	Seats  []int `json:"seats,omitempty"`   // or all of them
	CardNo int   `json:"card_no,omitempty"` // which of a hand's cards, from 1
	Thrown *bool `json:"thrown,omitempty"`  // the hand was thrown away unshown

	Pocket    string `json:"pocket,omitempty"`
	Faces     []int  `json:"faces,omitzero"` // 1..6, 0 not read; of dice that came to rest nowhere, none
	Irregular string `json:"irregular,omitempty"`

	Number      Text   `json:"number,omitempty"` // "00"; a JSON integer is read as its digits
	Color       string `json:"color,omitempty"`
	Parity      string `json:"parity,omitempty"`
	Half        string `json:"half,omitempty"`
	Combination string `json:"combination,omitempty"`
	Points      *int   `json:"points,omitempty"`
	Winner      string `json:"winner,omitempty"`
	Hand        string `json:"hand,omitempty"`
	Category    string `json:"category,omitempty"`
	Prize       string `json:"prize,omitempty"`
	Numbers     []int  `json:"numbers,omitempty"`
	OK          *bool  `json:"ok,omitempty"`
}

// Confidence is the recogniser's confidence, 1 when the event does not say.
func (e *Event) Confidence() float64 {
	if e.Conf == nil {
		return 1
	}
	return *e.Conf
}

// Is reports whether the event announces one of the calls. An announcement without a call is none of them, also
// where a game has no such call: "".
func (e *Event) Is(calls ...string) bool {
	return e.Type == Announce && e.Call != "" && slices.Contains(calls, e.Call)
}

// Movement reports whether the event moves money after the game is decided.
func (e *Event) Movement() bool {
	return e.Type == Collect || e.Type == Pay || e.Type == Commission || e.Type == Return
}

// MarshalJSON writes the event as the format has it, in a fixed order of fields.
func (e Event) MarshalJSON() ([]byte, error) {
	if e.Type == Dice && e.Faces == nil {
		e.Faces = []int{}
	}
	type plain Event
	with := struct {
		plain
		Card *card.Card `json:"card,omitempty"`
	}{plain: plain(e)}
	if e.Card != card.Unseen || e.Type == CardDealt {
		with.Card = &e.Card
	}
	return json.Marshal(with)
}

// UnmarshalJSON reads one event as strictly as Parse does.
func (e *Event) UnmarshalJSON(b []byte) error { return parseEvent(b, "event", e) }

// Text is a string that foreign terminals sometimes write as a JSON integer.
type Text string

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
