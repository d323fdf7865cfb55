// Package acta states afterwards, from the ledger alone, what held at a table or under a
// jefe de mesa over a shift: who supervised it when, that the norm's condition for several
// tables under one jefe held (or when and why not, with the article), what was recorded,
// how the rounds were judged, what was found, what became of it, and the money in it.
//
// An acta is kept as an entry of the ledger itself: signed, in the chain, for as long as the
// ledger. It names the entries that it was made of, so that anybody with the ledger can make
// it again and compare. It is about tables and shifts, never about a croupier.
package acta

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"vision/internal/money"
	"vision/internal/text"
)

// Schema is the version of an acta's form.
const Schema = "acta/1"

// longest is the longest time of one acta: a month. An acta of more is read by nobody.
const longest = 31 * 24 * time.Hour

// Request says what an acta is about: one table, or all that a jefe de mesa had.
type Request struct {
	Table string    `json:"table,omitempty"`
	Jefe  string    `json:"jefe,omitempty"`
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
}

// ErrRequest is wrapped by the errors about a request that makes no sense.
var ErrRequest = errors.New("acta")

// Check says what makes no sense about a request that is made at a time.
func (r Request) Check(now time.Time) error {
	switch {
	case (r.Table == "") == (r.Jefe == ""):
		return fmt.Errorf("%w: name a table or a jefe, and not both", ErrRequest)
	case r.From.IsZero() || r.To.IsZero() || !r.From.Before(r.To):
		return fmt.Errorf("%w: from and to: want them in order", ErrRequest)
	case r.To.Sub(r.From) > longest:
		return fmt.Errorf("%w: from and to: want them at most %d days apart", ErrRequest, int(longest.Hours()/24))
	case r.To.After(now):
		return fmt.Errorf("%w: to: the shift has not ended; want a time that is past", ErrRequest)
	}
	return nil
}

// Acta is the statement. All its lists are in the order of time and none is nil.
type Acta struct {
	Schema string    `json:"schema"`
	ID     string    `json:"id"`
	Made   time.Time `json:"made"`
	By     string    `json:"by"`
	Request
	Source Source  `json:"source"`
	Tables []Table `json:"tables"`
	Totals Totals  `json:"totals"`
}

// Names are the tables that an acta is about.
func (a *Acta) Names() (ids []string) {
	for i := range a.Tables {
		ids = append(ids, a.Tables[i].ID)
	}
	return ids
}

// Source is the part of the ledger that an acta was made of: the entries from First to Last.
type Source struct {
	First  uint64 `json:"first"`
	Last   uint64 `json:"last"`   // number of the last entry
	Hash   string `json:"hash"`   // its SHA-256
	Unread int    `json:"unread"` // entries of another form than this program reads
}

// Table is what held at one table.
type Table struct {
	ID          string        `json:"id"`
	Game        string        `json:"game"`
	Norm        string        `json:"norm"`
	Supervision []Supervision `json:"supervision"`
	Condition   []Condition   `json:"condition"`
	Cameras     []Camera      `json:"cameras"`
	Unread      []Unread      `json:"unread"`
	Limits      []Limits      `json:"limits"`
	Session     []Step        `json:"session"`
	Rounds      Rounds        `json:"rounds"`
	Findings    []Finding     `json:"findings"`
	Money       Money         `json:"money"`
	Seals       []Seal        `json:"seals"`
}

// Span is a stretch of time.
type Span struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Supervision is a stretch in which a table was open or closed under the same jefe, who had
// the same number of open tables.
type Supervision struct {
	Span
	Known  bool   `json:"known"` // the ledger says so; false before its first word about it
	Open   bool   `json:"open"`
	Jefe   string `json:"jefe,omitempty"`
	Tables int    `json:"tables,omitempty"` // open tables of that jefe
}

// State is whether the condition of the norm for the supervision of an open table held.
type State string

// The states of a condition.
const (
	Held   State = "held"
	Broken State = "broken" // the norm forbids what was: Breaches say what and by which article
	// The ledger does not say: nothing ran that could have judged it, or nobody had said yet who has the table
	Unproven State = "unproven"
)

// Condition is a stretch in which an open table was in one state.
type Condition struct {
	Span
	State    State    `json:"state"`
	Recorded bool     `json:"recorded"` // by at least one camera
	Breaches []Breach `json:"breaches"`
}

// Breach is what a norm says against the supervision of a table.
type Breach struct {
	Code   string `json:"code"`
	Rule   string `json:"rule"`
	Jefe   string `json:"jefe,omitempty"`
	Role   string `json:"role,omitempty"`
	Limit  *int   `json:"limit,omitempty"`
	Actual *int   `json:"actual,omitempty"`
}

// Camera is what one camera recorded.
type Camera struct {
	Camera   string `json:"camera"`
	Segments int    `json:"segments"`
	Lossy    int    `json:"lossy"`   // segments within which pictures are missing
	Gaps     []Span `json:"gaps"`    // in which the table was open and nothing was recorded
	Pending  []Span `json:"pending"` // after the last closed segment, while the next may still be open
	Removed  []Span `json:"removed"` // recorded, and removed since by age or for want of room
}

// Limits are the stakes in force, in cents; 0 is not known.
type Limits struct {
	From time.Time   `json:"from"`
	Min  money.Cents `json:"min"`
	Max  money.Cents `json:"max"`
}

// Step is what people put on record between the rounds: an opening, a fill, a change of
// limits (session/1).
type Step struct {
	At      time.Time       `json:"at"`
	By      string          `json:"by"` // two persons where money was moved: "ana + luis"
	Event   json.RawMessage `json:"event"`
	Float   json.RawMessage `json:"float,omitempty"`   // as the cameras read it, beside the books (jornada.Float)
	Refused bool            `json:"refused,omitempty"` // the norm does not allow it: it did not come into force
	Codes   []string        `json:"codes,omitempty"`   // what the norm says against it
}

// Rounds are those that ended in the time.
type Rounds struct {
	Judged        int            `json:"judged"` // all
	InOrder       int            `json:"in_order"`
	WithFindings  int            `json:"with_findings"`
	NotVerifiable int            `json:"not_verifiable"`
	Reasons       map[string]int `json:"reasons"` // of those that were not verifiable
}

// Finding is an alert of the table and what became of it.
type Finding struct {
	Alert       string      `json:"alert"` // its id
	Kind        string      `json:"kind"`  // "finding", "variance", "health", "supervision"
	Code        string      `json:"code"`
	Severity    string      `json:"severity"`
	Rule        string      `json:"rule,omitempty"`
	Round       string      `json:"round,omitempty"`
	Seat        int         `json:"seat,omitempty"`
	Spot        string      `json:"spot,omitempty"`
	Amount      money.Cents `json:"amount,omitempty"` // at stake
	Probability float64     `json:"probability"`
	text.Localized
	At           time.Time `json:"at"`
	Raised       time.Time `json:"raised"`
	Resolved     time.Time `json:"resolved,omitzero"`
	Acknowledged time.Time `json:"acknowledged,omitzero"`
	By           string    `json:"by,omitempty"`      // who acknowledged
	Outcome      string    `json:"outcome,omitempty"` // "" while nobody has
	Note         string    `json:"note,omitempty"`
}

// Money is what was moved in rounds that could be verified, and what of it was wrong, in cents.
type Money struct {
	Collected    money.Cents `json:"collected"`
	Paid         money.Cents `json:"paid"`
	Commission   money.Cents `json:"commission"`
	ForHouse     money.Cents `json:"for_house"`     // by findings that are alerts: the house has it and should not
	AgainstHouse money.Cents `json:"against_house"` // the house should have it
}

// Seal is a span of the recording that was put beyond retention.
type Seal struct {
	Span
	By       string `json:"by"`
	Why      string `json:"why"`
	Released bool   `json:"released"`
}

// Totals are the sums over all tables.
type Totals struct {
	Open     int64  `json:"open_s"` // seconds in which tables were open
	Held     int64  `json:"held_s"`
	Broken   int64  `json:"broken_s"`
	Unproven int64  `json:"unproven_s"`
	Rounds   Rounds `json:"rounds"`
	Findings int    `json:"findings"`
	Waiting  int    `json:"unacknowledged"` // findings that nobody has acknowledged
	Money    Money  `json:"money"`
}
