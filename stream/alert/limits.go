package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"vision/internal/durable"
	"vision/stream/statestore"
)

// Thresholds is what the direction decides on: how many false alerts it accepts, from which the
// probability follows at which a finding is an alert, and how long a critical alert may lie untaken.
type Thresholds struct {
	Budget   float64 `json:"budget"`   // false alerts per table and eight hours
	Escalate int     `json:"escalate"` // seconds after which an untaken critical alert is escalated
}

// StandardThresholds hold where nobody has decided.
var StandardThresholds = Thresholds{Budget: 1, Escalate: 60}

// The bounds of thresholds.
const (
	leastBudget, mostBudget     = 0.1, 50.0
	leastEscalate, mostEscalate = 10, 3600
)

// ErrThreshold is of thresholds that make no sense.
var ErrThreshold = errors.New("thresholds")

// Check returns what is wrong with them.
func (t Thresholds) Check() error {
	if !(t.Budget >= leastBudget && t.Budget <= mostBudget) { // NaN too
		return fmt.Errorf("%w: budget %v: want %v to %v false alerts per table and eight hours", ErrThreshold, t.Budget, leastBudget, mostBudget)
	}
	if t.Escalate < leastEscalate || t.Escalate > mostEscalate {
		return fmt.Errorf("%w: escalate %d: want %d to %d seconds", ErrThreshold, t.Escalate, leastEscalate, mostEscalate)
	}
	return nil
}

// Limits keeps the thresholds in force. Its methods may be called by many.
type Limits struct {
	path string // "" = in memory alone

	mu    sync.RWMutex
	now   Thresholds
	share *statestore.Store // nil: this machine is the only one
	rev   uint64
	set   bool // there was a file
}

// SharedLimits is the key of the record by which the members have the same
// thresholds.
const SharedLimits = "limits/thresholds"

// Share goes on with the thresholds that the members share, and shares those
// that somebody had set at this one before.
func (l *Limits) Share(s *statestore.Store) error {
	l.mu.Lock()
	l.share = s
	now, set := l.now, l.set
	l.mu.Unlock()
	if err := s.Register("limits", statestore.Kind{Apply: l.onRecord}); err != nil {
		return fmt.Errorf("shared thresholds: %w", err)
	}
	if raw, err := json.Marshal(now); err != nil {
		return err
	} else if set {
		s.Seed(SharedLimits, raw)
	}
	return nil
}

// onRecord takes the thresholds as the members share them.
func (l *Limits) onRecord(r statestore.Record) error {
	t, ok, err := statestore.Value[Thresholds](r)
	if t.Budget == 0 {
		t.Budget = StandardThresholds.Budget // as another machine shared them before there was a budget
	}
	if err == nil && ok {
		err = t.Check()
	}
	if err != nil || !ok {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rev = r.Rev
	return l.keep(t)
}

// OpenLimits goes on with the thresholds of a file, which need not be there: then the budget is that
// given, 0 for the standard.
func OpenLimits(path string, budget float64) (*Limits, error) {
	l := &Limits{path: path, now: StandardThresholds}
	if budget > 0 {
		l.now.Budget = budget
	}
	err := durable.ReadJSON(path, &l.now)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if l.set = true; err == nil {
		err = l.now.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("thresholds of %s: %w; mend the file or remove it", path, err)
	}
	return l, nil
}

// Now is what is in force.
func (l *Limits) Now() Thresholds {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.now
}

// Escalate is how long a critical alert may lie untaken.
func (l *Limits) Escalate() time.Duration {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return time.Duration(l.now.Escalate) * time.Second
}

// Set puts others in force for by, once all machines agree and they are on the disk.
func (l *Limits) Set(by string, t Thresholds) error {
	if err := t.Check(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.share != nil {
		raw, err := json.Marshal(t)
		if err != nil {
			return err
		}
		rev, err := l.share.Change(context.Background(), by, SharedLimits, l.rev, raw)
		if err != nil {
			return err
		}
		l.rev = rev
	}
	return l.keep(t)
}

// keep puts thresholds in force, once they are on the disk; called with the lock held.
func (l *Limits) keep(t Thresholds) error {
	if l.path != "" {
		if err := durable.WriteJSON(l.path, t); err != nil {
			return fmt.Errorf("thresholds are not kept: %w", err)
		}
	}
	l.now = t
	return nil
}

// String writes them in a line, for the trail.
func (t Thresholds) String() string {
	return fmt.Sprintf("%v false alerts per table and 8 h, %d s", t.Budget, t.Escalate)
}
