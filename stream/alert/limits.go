package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"vision/internal/durable"
	"vision/stream/share"
	"vision/validate/finding"
)

// Thresholds is what the direction decides on: how sure a finding must be to become
// an alert, and how long a critical alert may lie untaken.
type Thresholds struct {
	Default  float64                  `json:"default"`         // probability from which a finding is an alert
	Codes    map[finding.Code]float64 `json:"codes,omitempty"` // of findings that have one of their own
	Escalate int                      `json:"escalate"`        // seconds after which an untaken critical alert is escalated
}

// StandardThresholds hold where nobody has decided.
var StandardThresholds = Thresholds{Default: 0.8, Escalate: 60}

// The bounds of thresholds: below a half a finding is likelier wrong than right.
const (
	leastThreshold, mostThreshold = 0.5, 0.99
	leastEscalate, mostEscalate   = 10, 3600
)

// ErrThreshold is of thresholds that make no sense.
var ErrThreshold = errors.New("thresholds")

// Check says what is wrong with them.
func (t Thresholds) Check() error {
	bad := func(p float64) bool { return !(p >= leastThreshold && p <= mostThreshold) } // NaN too
	if bad(t.Default) {
		return fmt.Errorf("%w: default %v: want %v to %v", ErrThreshold, t.Default, leastThreshold, mostThreshold)
	}
	for code, p := range t.Codes {
		if k, ok := Find(string(code)); !ok || k.Source != "finding" {
			return fmt.Errorf("%w: no finding %q", ErrThreshold, code)
		}
		if bad(p) {
			return fmt.Errorf("%w: %s %v: want %v to %v", ErrThreshold, code, p, leastThreshold, mostThreshold)
		}
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
	share *share.Store // nil: this machine is the only one
	rev   uint64
	set   bool // there was a file
}

// SharedLimits is the key of the record by which the machines of a house have the same
// thresholds.
const SharedLimits = "limits/thresholds"

// Share goes on with the thresholds that the machines of a house share, and shares those
// that somebody had set at this one before.
func (l *Limits) Share(s *share.Store) error {
	l.mu.Lock()
	l.share = s
	now, set := l.now, l.set
	l.mu.Unlock()
	if err := s.Register("limits", share.Kind{Apply: l.hear}); err != nil {
		return fmt.Errorf("shared thresholds: %w", err)
	}
	if raw, err := json.Marshal(now); err != nil {
		return err
	} else if set {
		s.Seed(SharedLimits, raw)
	}
	return nil
}

// hear takes the thresholds as the machines share them.
func (l *Limits) hear(r share.Record) error {
	t, ok, err := share.Value[Thresholds](r)
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

// OpenLimits goes on with the thresholds of a file, which need not be there.
func OpenLimits(path string) (*Limits, error) {
	l := &Limits{path: path, now: StandardThresholds}
	raw, err := os.ReadFile(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if l.set = true; err == nil {
		err = json.Unmarshal(raw, &l.now)
	}
	if err == nil {
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
	t := l.now
	t.Codes = maps.Clone(t.Codes)
	return t
}

// Of is the probability from which a finding is an alert.
func (l *Limits) Of(code finding.Code) float64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if p, ok := l.now.Codes[code]; ok {
		return p
	}
	return l.now.Default
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
	t.Codes = maps.Clone(t.Codes)
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
		raw, err := json.MarshalIndent(t, "", "  ")
		if err != nil {
			return err
		}
		if err := durable.Write(l.path, raw, 0o600); err != nil {
			return fmt.Errorf("thresholds are not kept: %w", err)
		}
	}
	l.now = t
	return nil
}

// String says them in a line, for the trail.
func (t Thresholds) String() string {
	s := fmt.Sprintf("%.0f %%, %d s", 100*t.Default, t.Escalate)
	for _, code := range slices.Sorted(maps.Keys(t.Codes)) {
		s += fmt.Sprintf(", %s %.0f %%", code, 100*t.Codes[code])
	}
	return s
}
