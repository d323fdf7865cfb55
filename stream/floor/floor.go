// Package floor keeps which tables are open, who works at them and under which
// jefe de mesa they stand, and has the norm judge it whenever something changes,
// above all when a table's recording fails. What the norm forbids is refused
// with its article; what becomes forbidden is an alert until it is put right.
//
// It judges nothing itself: the rules are validate/supervision's (Judge). Every step is in the ledger
// before anyone sees it, with the record that was judged and its verdict.
package floor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"vision/internal/backoff"
	"vision/stream/alert"
	"vision/validate/finding"
	"vision/validate/room"
)

// Entry is the kind of ledger entry that this package writes and reads back.
const Entry = "supervision"

// Judge is the norm (validate/supervision): what it says to a state of the room, and
// which changes it forbids.
type Judge interface {
	// Judge says what the norms of the tables say; id names the records that are judged.
	// It fails where a norm does not know a table.
	Judge(id string, places []room.Place, s room.State, recording map[string]room.Recording) ([]room.Ruling, error)
	// Against are the breaches for which a change from what was judged before is refused;
	// more is the jefe who gets more tables by it, "" where nobody does.
	Against(before, after []room.Breach, more string) []room.Breach
}

// Config of a Floor.
type Config struct {
	Tables []room.Place
	Judge  Judge
	// Say is a finding in a sentence, "es" or "en", by the record that was judged.
	Say    func(lang string, rec *room.Record, x *room.Finding) string
	Ledger alert.Ledger
	Desk   *alert.Desk
	// Recording is how a table's recording is at this moment.
	Recording func(table string) room.Recording
	// Minimum is the minimum in force at a table, in cents, and whether it is known; nil: it never is.
	Minimum func(table string) (cents int, known bool)
	// Show is notified of every new status, after the ledger has it. It must not call back.
	Show func(Status)
	// Judges reports whether the room is judged here; nil: it always is. Where it is not, the
	// floor shows what Follow is told, and changes nothing.
	Judges func() bool
	// Settle is the time after the start in which no alert is raised, so that
	// cameras can come up (default 15 s).
	Settle time.Duration
	Now    func() time.Time
	Log    *slog.Logger
}

// Floor is the gaming room's supervision. Its methods may be called by many.
type Floor struct {
	cfg  Config
	quit time.Time // end of settling

	mu     sync.Mutex
	state  room.State
	alerts map[string]string // key of a finding → id of its alert
	status Status
	unsaid bool // alerts are still to be raised or resolved
}

// New makes a floor on which the tables are as configured and nobody is
// assigned. It fails where the norm cannot judge a table.
func New(cfg Config) (*Floor, error) {
	cfg.Settle = cmp.Or(cfg.Settle, 15*time.Second)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Show == nil {
		cfg.Show = func(Status) {}
	}
	if cfg.Judges == nil {
		cfg.Judges = func() bool { return true }
	}
	if cfg.Minimum == nil {
		cfg.Minimum = func(string) (int, bool) { return 0, false }
	}
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	f := &Floor{cfg: cfg, state: room.State{Duty: map[string]room.Duty{}}, alerts: map[string]string{}, unsaid: true}
	f.quit = cfg.Now().Add(cfg.Settle)
	st, err := f.judge(f.state)
	if err != nil {
		return nil, fmt.Errorf("supervision: %w", err)
	}
	f.status = st
	return f, nil
}

// every is how often the recordings are looked at.
const every = 250 * time.Millisecond

// Run watches the recordings until ctx ends.
func (f *Floor) Run(ctx context.Context) error {
	f.mu.Lock()
	if f.cfg.Judges() {
		f.adopt()
	}
	f.show(f.state, f.status)
	f.mu.Unlock()
	return backoff.Every(ctx, every, func(time.Time) { f.look(ctx) })
}

// adopt takes up the alerts that an earlier run left open.
func (f *Floor) adopt() {
	for _, a := range f.cfg.Desk.List(func(a *alert.Alert) bool { return a.Kind == Entry && a.Resolved.IsZero() }) {
		if key, ok := keyOf(a.ID); ok {
			f.alerts[key] = a.ID
		}
	}
}

// look judges again and says what has changed.
func (f *Floor) look(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.cfg.Judges() {
		return
	}
	st, err := f.judge(f.state)
	if err != nil { // New has judged these tables: only a mistake of ours leads here
		f.cfg.Log.Error("supervision", "err", err)
		return
	}
	changed := !sameFindings(f.status.Findings, st.Findings)
	if !changed && sameRecordings(f.status.Tables, st.Tables) {
		if f.unsaid {
			f.settleAlerts(ctx)
		}
		return
	}
	st.since(f.status, f.cfg.Now())
	if changed {
		if err := f.note(ctx, step{Action: "verdict"}, f.state, st); err != nil {
			f.cfg.Log.Error("supervision", "err", err)
			return // the old status stands: the next look tries again
		}
	}
	f.accept(ctx, f.state, st)
}

// show makes a judged state the present one, and shows it.
func (f *Floor) show(s room.State, st Status) {
	st.state = s
	f.state, f.status = s, st
	f.cfg.Show(st)
}

// accept is show, and keeps the alerts true.
func (f *Floor) accept(ctx context.Context, s room.State, st Status) {
	f.show(s, st)
	f.settleAlerts(ctx)
}

// settleAlerts raises what is new and resolves what is over.
func (f *Floor) settleAlerts(ctx context.Context) {
	var errs []error
	now := f.cfg.Now()
	holds := map[string]bool{}
	for _, x := range f.status.Findings {
		holds[x.key()] = true
		if f.alerts[x.key()] != "" || now.Before(f.quit) || x.Code == finding.NoJefe && !f.state.Used {
			continue
		}
		a := x.alert(f.status, now)
		if err := f.cfg.Desk.Raise(ctx, a); err != nil {
			errs = append(errs, err)
			continue
		}
		f.alerts[x.key()] = a.ID
	}
	for key, id := range f.alerts {
		if holds[key] {
			continue
		}
		if err := f.cfg.Desk.Resolve(ctx, id); err != nil {
			errs = append(errs, err)
			continue
		}
		delete(f.alerts, key)
	}
	f.unsaid = len(errs) > 0 || now.Before(f.quit)
	if err := errors.Join(errs...); err != nil {
		f.cfg.Log.Error("supervision", "err", err)
	}
}

// SetTables has the room judged with other tables than before: what is known of those that stay
// holds on. It fails where the norm cannot judge one; then nothing changes.
func (f *Floor) SetTables(ctx context.Context, tables []room.Place) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.cfg.Tables
	f.cfg.Tables = tables
	s := f.known(room.State{Duty: map[string]room.Duty{}}, f.state)
	st, err := f.judge(s)
	judges := f.cfg.Judges()
	if err == nil && judges {
		st.since(f.status, f.cfg.Now())
		err = f.note(ctx, step{Action: "tables"}, s, st)
	}
	if err != nil {
		f.cfg.Tables = was
		return fmt.Errorf("supervision: %w", err)
	}
	if f.show(s, st); judges {
		f.settleAlerts(ctx)
	}
	return nil
}

// place is a table of the configuration, nil where there is none.
func (f *Floor) place(id string) *room.Place {
	i := slices.IndexFunc(f.cfg.Tables, func(p room.Place) bool { return p.ID == id })
	if i < 0 {
		return nil
	}
	return &f.cfg.Tables[i]
}

// Status is the state of the room now.
func (f *Floor) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}
