// Package alert keeps the alerts of the tables: raised, acknowledged with an
// outcome, escalated when nobody does. Every step is in the ledger before anyone
// sees it.
package alert

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"vision/internal/backoff"
	"vision/internal/text"
)

// Outcome is what an alert turned out to be, by the person who acknowledged it.
type Outcome string

// The outcomes.
const (
	Corrected  Outcome = "corrected"
	FalseAlarm Outcome = "false_alarm"
	Escalated  Outcome = "escalated"
	Noted      Outcome = "noted"
)

// Outcomes lists them in the order in which the console offers them.
var Outcomes = []Outcome{Corrected, FalseAlarm, Escalated, Noted}

// Entry is the kind of ledger entry that this package writes and reads back: an
// alert as one step of its life left it.
const Entry = "alert"

// State is the state of an alert.
type State string

// The states.
const (
	Open         State = "open"
	Escalation   State = "escalated" // nobody acknowledged in time
	Over         State = "resolved"  // it no longer holds; a person still has to look
	Acknowledged State = "acknowledged"
)

// Errors that callers distinguish.
var (
	ErrUnknown = errors.New("no such alert")
	ErrDone    = errors.New("already acknowledged")
)

// Alert is one discrepancy, or one trouble of a table, that a person has to look at.
type Alert struct {
	ID             string    `json:"id"`
	Incident       string    `json:"incident,omitempty"` // the alert of the same cause that was raised first
	Kind           string    `json:"kind"`               // "finding", "variance", "health"
	Table          string    `json:"table"`
	Node           string    `json:"node,omitempty"` // that raised it, by its name in the cluster; its ledger has every step
	Game           string    `json:"game,omitempty"`
	Norm           string    `json:"norm,omitempty"`
	Round          string    `json:"round,omitempty"`
	Code           string    `json:"code"`
	Severity       string    `json:"severity"` // "critical", "major", "minor"
	Seat           int       `json:"seat,omitempty"`
	Spot           string    `json:"spot,omitempty"`
	Expected       any       `json:"expected,omitempty"`
	Observed       any       `json:"observed,omitempty"`
	Amount         int64     `json:"amount,omitempty"` // cents at stake; 0 where it is not about money
	text.Localized           // the sentence, with the amounts
	Rule           string    `json:"rule,omitempty"`     // the norm and its article
	Evidence       float64   `json:"evidence,omitempty"` // log10 of the likelihood ratio, of a finding
	Probability    float64   `json:"probability"`        // by the rate of such mistakes
	At             time.Time `json:"at"`                 // when it happened on the felt
	Raised         time.Time `json:"raised"`             // when it was raised
	Clip           *Clip     `json:"clip,omitempty"`
	Accounts       []Account `json:"accounts,omitempty"` // what speaks for it and against it, likeliest first

	Escalated time.Time `json:"escalated,omitzero"` // nobody acknowledged in time
	Resolved  time.Time `json:"resolved,omitzero"`  // what it is about no longer holds
	Ack       *Ack      `json:"ack,omitempty"`
}

// Account is one hypothesis about what happened, when the alert was raised.
type Account struct {
	Probability    float64 `json:"probability"`
	Holds          bool    `json:"holds"` // the alert's finding holds under it
	text.Localized         // what it assumes, with its probability
}

// Clip is the stretch of recording that shows it.
type Clip struct {
	Camera string    `json:"camera"`
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
}

// roll is how much of the recording before and after an alert is kept with it.
const roll = time.Minute

// Rolled is the stretch of the recording that is kept with the alert.
func (c Clip) Rolled() (from, to time.Time) { return c.From.Add(-roll), c.To.Add(roll) }

// Ack is who acknowledged, when, and what it was.
type Ack struct {
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Outcome Outcome   `json:"outcome"`
	Note    string    `json:"note,omitempty"`
}

// State of the alert: a person's word stands above what came by itself.
func (a *Alert) State() State {
	switch {
	case a.Ack != nil:
		return Acknowledged
	case !a.Resolved.IsZero():
		return Over
	case !a.Escalated.IsZero():
		return Escalation
	}
	return Open
}

// step is the payload of an entry: the whole alert, so that each speaks for itself.
type step struct {
	State State `json:"state"`
	Alert
}

// Ledger takes an entry to the disk before it returns.
type Ledger interface {
	Append(ctx context.Context, kind, table string, payload any) error
}

// Config of a Desk.
type Config struct {
	Ledger Ledger
	// Node is this machine's name in a cluster; "" where there is but one.
	Node string
	// EscalatesFor reports whether this desk escalates the alerts of another node, which cannot do
	// so itself; nil: it minds its own alone.
	EscalatesFor func(node string) bool
	// Show is notified of every step that is made at this desk, after the ledger has it.
	Show func(Alert)
	// Merged is notified of every step that was made at the desk of another node.
	Merged func(Alert)
	// Escalate is the time after which an unacknowledged critical alert is
	// escalated, asked each time; nil = 60 s.
	Escalate func() time.Duration
	// Keep is how many acknowledged alerts stay at hand (default 500); older ones
	// are found through the index.
	Keep int
	Now  func() time.Time
}

// Desk is where alerts lie.
type Desk struct {
	cfg Config

	mu     sync.Mutex
	alerts map[string]*Alert
	raised map[string]uint64 // by code, since this desk was made
	acked  map[CodeOutcome]uint64
}

// CodeOutcome is what people found the alerts of a code to be.
type CodeOutcome struct {
	Code    string
	Outcome Outcome
}

// Acknowledged is how many alerts were found to be what since the desk was made.
func (d *Desk) Acknowledged() map[CodeOutcome]uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.acked)
}

// Raised is how many alerts of each code were raised since the desk was made; every
// code of the catalogue is in it.
func (d *Desk) Raised() map[string]uint64 {
	out := map[string]uint64{}
	for _, k := range catalogue() {
		out[k.Code] = 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.Copy(out, d.raised)
	return out
}

// NewDesk makes an empty desk.
func NewDesk(cfg Config) *Desk {
	if cfg.Escalate == nil {
		cfg.Escalate = func() time.Duration { return time.Minute }
	}
	cfg.Keep = cmp.Or(cfg.Keep, 500)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Show == nil {
		cfg.Show = func(Alert) {}
	}
	if cfg.Merged == nil {
		cfg.Merged = func(Alert) {}
	}
	if cfg.EscalatesFor == nil {
		cfg.EscalatesFor = func(string) bool { return false }
	}
	return &Desk{cfg: cfg, alerts: map[string]*Alert{}, raised: map[string]uint64{}, acked: map[CodeOutcome]uint64{}}
}

// Incident is the alert to which one more of the same cause belongs, by the IDs of those that may have been raised;
// "" where none was.
func (d *Desk) Incident(ids []string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range ids {
		if a := d.alerts[id]; a != nil {
			return cmp.Or(a.Incident, a.ID)
		}
	}
	return ""
}

// Raise puts a new alert on the desk. An alert whose ID is there already is not raised twice: where more is known of
// it than before, as when the rack has been read since, that takes the place of what was raised, until somebody saw it.
func (d *Desk) Raise(ctx context.Context, a Alert) error {
	if a.ID == "" {
		return errors.New("alert without id")
	}
	a.Raised, a.Node = d.cfg.Now(), d.cfg.Node
	d.mu.Lock()
	defer d.mu.Unlock()
	old, again := d.alerts[a.ID]
	if again {
		if old.Ack != nil || old.Localized == a.Localized {
			return nil
		}
		said := a
		a = *old
		a.Localized, a.Evidence, a.Probability, a.Accounts = said.Localized, said.Evidence, said.Probability, said.Accounts
	}
	if err := d.cfg.Ledger.Append(ctx, Entry, a.Table, step{a.State(), a}); err != nil {
		return fmt.Errorf("raise alert %s: %w", a.ID, err)
	}
	d.alerts[a.ID] = &a
	if !again {
		d.raised[a.Code]++
	}
	d.tidy()
	d.cfg.Show(a)
	return nil
}

// Acknowledge notes who saw it and what it was. It fails with ErrUnknown, with
// ErrDone when somebody was first, and for an outcome that does not exist.
func (d *Desk) Acknowledge(ctx context.Context, id, by string, o Outcome, note string) (Alert, error) {
	if !slices.Contains(Outcomes, o) {
		return Alert{}, fmt.Errorf("outcome %q: want one of %v", o, Outcomes)
	}
	if len(note) > 4000 {
		return Alert{}, fmt.Errorf("note of %d bytes: the limit is 4000", len(note))
	}
	return d.alter(ctx, id, func(a *Alert, now time.Time) error {
		if a.Ack != nil {
			return fmt.Errorf("alert %s: %w by %s", id, ErrDone, a.Ack.By)
		}
		a.Ack = &Ack{By: by, At: now, Outcome: o, Note: note}
		return nil
	})
}

// Resolve notes that what the alert is about no longer holds (the camera sees
// again); it still waits for a person. It does nothing where there is no such alert.
func (d *Desk) Resolve(ctx context.Context, id string) error {
	_, err := d.alter(ctx, id, func(a *Alert, now time.Time) error {
		if !a.Resolved.IsZero() {
			return ErrDone
		}
		a.Resolved = now
		return nil
	})
	if errors.Is(err, ErrUnknown) || errors.Is(err, ErrDone) {
		return nil
	}
	return err
}

// alter changes a copy of an alert, writes the entry, and only then lets it be seen.
func (d *Desk) alter(ctx context.Context, id string, f func(*Alert, time.Time) error) (Alert, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old, ok := d.alerts[id]
	if !ok {
		return Alert{}, fmt.Errorf("alert %s: %w", id, ErrUnknown)
	}
	a := *old
	if err := f(&a, d.cfg.Now()); err != nil {
		return Alert{}, err
	}
	if err := d.cfg.Ledger.Append(ctx, Entry, a.Table, step{a.State(), a}); err != nil {
		return Alert{}, fmt.Errorf("alert %s: %w", id, err)
	}
	d.alerts[id] = &a
	if old.Ack == nil && a.Ack != nil {
		d.acked[CodeOutcome{a.Code, a.Ack.Outcome}]++
	}
	d.cfg.Show(a)
	return a, nil
}

// Run escalates until ctx ends.
func (d *Desk) Run(ctx context.Context) error {
	// A ledger that refuses the entry is a health problem of its own; the next second tries
	// again.
	return backoff.Every(ctx, time.Second, func(time.Time) { _ = d.escalate(ctx) })
}

// escalate marks the critical alerts that nobody took in time.
func (d *Desk) escalate(ctx context.Context) error {
	now, limit := d.cfg.Now(), d.cfg.Escalate()
	var errs []error
	for _, a := range d.List(func(a *Alert) bool {
		return a.Severity == "critical" && a.Ack == nil && a.Escalated.IsZero() && now.Sub(a.Raised) >= limit &&
			(d.Own(a) || d.cfg.EscalatesFor(a.Node))
	}) {
		_, err := d.alter(ctx, a.ID, func(a *Alert, now time.Time) error {
			if a.Ack != nil {
				return ErrDone
			}
			a.Escalated = now
			return nil
		})
		if err != nil && !errors.Is(err, ErrDone) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// severities in the order in which a person should see them.
var severities = map[string]int{"critical": 0, "major": 1, "minor": 2}

// List gives the alerts that keep accepts (nil: all): open ones before
// acknowledged ones, critical first, newest first.
func (d *Desk) List(keep func(*Alert) bool) []Alert {
	d.mu.Lock()
	out := make([]Alert, 0, len(d.alerts))
	for _, a := range d.alerts {
		if keep == nil || keep(a) {
			out = append(out, *a)
		}
	}
	d.mu.Unlock()
	done := func(a Alert) int {
		if a.Ack != nil {
			return 1
		}
		return 0
	}
	slices.SortFunc(out, func(a, b Alert) int {
		return cmp.Or(cmp.Compare(done(a), done(b)), cmp.Compare(severities[a.Severity], severities[b.Severity]),
			b.Raised.Compare(a.Raised), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// Get is one alert.
func (d *Desk) Get(id string) (Alert, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if a, ok := d.alerts[id]; ok {
		return *a, nil
	}
	return Alert{}, fmt.Errorf("alert %s: %w", id, ErrUnknown)
}

// tidy drops the oldest acknowledged alerts over the limit; open ones stay.
func (d *Desk) tidy() {
	var done []*Alert
	for _, a := range d.alerts {
		if a.Ack != nil {
			done = append(done, a)
		}
	}
	if len(done) <= d.cfg.Keep {
		return
	}
	slices.SortFunc(done, func(a, b *Alert) int { return a.Raised.Compare(b.Raised) })
	for _, a := range done[:len(done)-d.cfg.Keep] {
		delete(d.alerts, a.ID)
	}
}

// Restore replays one entry of the ledger at start-up; entries of other kinds are
// ignored. It shows nothing and writes nothing.
func (d *Desk) Restore(kind string, payload []byte) error {
	if kind != Entry {
		return nil
	}
	var s step
	if err := json.Unmarshal(payload, &s); err != nil {
		return fmt.Errorf("ledger entry %s: %w", kind, err)
	}
	if s.ID == "" {
		return fmt.Errorf("ledger entry %s: alert without id", kind)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.alerts[s.ID] = &s.Alert
	d.tidy()
	return nil
}
