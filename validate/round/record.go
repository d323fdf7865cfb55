// Package round is the wire format between what was seen at one table during
// one round and what the rules say about it: records, verdicts, and a strict
// reader for them.
package round

import (
	"encoding/json"
	"slices"

	"vision/internal/card"
	"vision/internal/money"
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

// Is reports whether the event announces one of the calls.
func (e *Event) Is(calls ...string) bool { return e.Type == Announce && slices.Contains(calls, e.Call) }

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
