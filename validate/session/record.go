// Package session judges the life of one table between opening and closing:
// limits and their changes, changes of game, packs and dice, the float, who was in
// charge of the table, the last rounds. Like the rules of play it is a pure
// function: rulebook and record in, findings and the acta of the session out.
package session

import (
	"cmp"
	"encoding/json"
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/room"
)

// Schema is the version of the record that this package reads.
const Schema = "session/1"

// Record is a session of one table, a part of one, or a jornada.
type Record struct {
	ID        string
	Norm      string // code of the norm in force
	Table     string // id of the table
	Date      string // of the jornada, "2026-03-14"
	Game      string // at the start
	Variant   string // "" is the game's first variant
	Cloths    int64  // 1, or 2 in Cantabria's American roulettes
	Recording room.Recording
	Options   Options
	Carry     Carry
	Events    []Event // in time order, at least one
}

// Options are what the house decides or is authorised to.
type Options struct {
	room.Options
	Floats        map[int64]int64 // the float that a table needs by its minimum, all cloths open, in cents
	AuthorisedMin *int64          // of the game, in cents
	BandMin       *int64          // lower limit of the authorised band, in cents
	MaxAuthorised bool            // the maximum has an authorisation of its own
	GraceS        int64           // intervals without jefe or staff of at most so many seconds are not found
	CircleS       *int64          // circle poker: the session that the house has marked, in seconds
	NotRecorded   []string        // types of event that this installation does not record
}

// Carry is what earlier records tell.
type Carry struct {
	Limits       *Limits  `json:"limits,omitempty"`
	LimitChanges int64    `json:"limit_changes"`
	GameChanges  int64    `json:"game_changes"`
	DiceSets     []string `json:"dice_sets"`
	LastDiceSets []string `json:"last_dice_sets"`
}

// Limits are a minimum and, where it is told, a maximum, in cents.
type Limits struct {
	Min int64  `json:"min"`
	Max *int64 `json:"max,omitempty"`
}

// Type is what sort of thing an event is.
type Type string

// The types of event.
const (
	Open              Type = "open"
	ShiftStart        Type = "shift_start"
	ShiftEnd          Type = "shift_end"
	TableState        Type = "table_state"
	RecordingLost     Type = "recording_lost"
	RecordingRestored Type = "recording_restored"
	CameraMoved       Type = "camera_moved"
	Staff             Type = "staff"
	LimitsShown       Type = "limits_shown"
	ChangeAnnounced   Type = "limits_change_announced"
	LimitsChanged     Type = "limits_changed"
	FirstRound        Type = "first_round_announced"
	LastRoundsSaid    Type = "last_rounds_announced"
	GameChange        Type = "game_change"
	ClothOpened       Type = "cloth_opened"
	ClothClosed       Type = "cloth_closed"
	Fill              Type = "fill"
	Credit            Type = "credit"
	CountFloat        Type = "count"
	Change            Type = "change"
	Shuffle           Type = "shuffle"
	Cut               Type = "cut"
	CutCard           Type = "cut_card"
	TallaBegin        Type = "talla_begin"
	TallaEnd          Type = "talla_end"
	ControlRequested  Type = "control_requested"
	DeckControl       Type = "deck_control"
	DeckChanged       Type = "deck_changed"
	DiceChanged       Type = "dice_changed"
	ShoeChanged       Type = "shoe_changed"
	Round             Type = "round"
	SessionCharged    Type = "session_charged"
	MeterShown        Type = "meter"
	Sealed            Type = "sealed"
	Close             Type = "close"
)

// Event is one thing observed between the rounds. Pointers are nil, and strings
// empty, where the record says nothing.
type Event struct {
	T    int64 // seconds from 00:00 of the date
	Type Type

	Gear   Gear
	Limits *Limits // open; limits_changed
	Min    *int64  // limits_shown: nil is no sign to be seen; limits_change_announced: the new minimum told

	Float      *int64 // counted: open, close, count; nil is not counted
	Amount     int64  // fill, credit, meter, session_charged
	Cloth      *string
	ClothsOpen *int64

	Jefe      string
	Tables    []ShiftTable
	Table     string // table_state, recording_lost, recording_restored
	IsOpen    bool   // table_state
	Recording room.Recording

	Counted bool // staff: persons counted from above, not stated by role
	Persons int64
	Staff   map[string]int
	Waived  []string

	Last int64  // last rounds announced
	By   string // who announced or cut

	Game, Variant string

	Told  int64 // change
	Chips *int64
	Kind  string

	Lifted *int64 // cut
	Below  int64  // cut_card
	Cards  map[card.Card]int64
	Unseen int64
	Left   *int64

	Reason      string
	Card        card.Card
	Replacement card.Card

	Round RoundOf
	Meter MeterOf

	What, Hash string // sealed

	Cover, ShoeLeft string // close
}

// Gear is the equipment that is brought to the table.
type Gear struct {
	Packs        *int64
	Backs        map[string]int64 // packs by colour; nil where nothing is said
	Indices, New *bool
	Shoe         *string
	ShoeKind     string
	Dice         *int64
	DiceSet      *string
}

// ShiftTable is a table that a jefe takes over. Of the record's own only where it
// stands counts.
type ShiftTable struct {
	room.Table
	missing string // first field that only the record's own table may lack
}

// RoundOf is what the session needs to know of a round.
type RoundOf struct {
	Ref                       string
	Decided, Verifiable, Void bool
	Reason                    string
	Findings                  []RoundFinding
	Money                     *Money
}

// RoundFinding is a finding of a round and what became of it.
type RoundFinding struct {
	Code    finding.Code
	Outcome string
}

// Money is what a round moved into and out of the float, and into the slot, in cents.
type Money struct{ In, Out, Pozo int64 }

// MeterOf is the rest of what a meter shows.
type MeterOf struct {
	Coin         int64
	Coins        *int64
	Prizes       int64
	Start, Fixed bool
}

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
