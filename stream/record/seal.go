package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"vision/internal/durable"
	"vision/stream/ledger"
)

// SealSpan is a span of a table that retention leaves alone.
type SealSpan struct {
	Table string    `json:"table"`
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
	By    string    `json:"by,omitempty"`       // who sealed it
	Why   string    `json:"why,omitempty"`      // the case
	Gone  bool      `json:"released,omitempty"` // in the ledger: the seal was released
}

const sealFile = "seals.json"

// readSeals reads the list of seals; none where there is no list.
func readSeals(dir string) (list []SealSpan, err error) {
	if err := durable.ReadJSON(filepath.Join(dir, sealFile), &list); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("recordings: %s: %w", sealFile, err)
	}
	return list, nil
}

// Believe takes the seals that hold by the ledger in the place of those of the list, which
// is rewritten where it differs. Until then nothing may be removed.
func (s *Store) Believe(seals []SealSpan) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	have, err := readSeals(s.dir)
	s.seals = slices.Clone(seals)
	if err == nil && sameSeals(have, seals) {
		return nil
	}
	s.opts.Log.Warn("list of seals differs from the ledger, rewritten", "file", sealFile,
		"had", len(have), "ledger", len(seals), "err", err)
	return WriteSeals(s.dir, seals)
}

// sameSeals reports whether two lists have the same seals.
func sameSeals(a, b []SealSpan) bool { return slices.EqualFunc(a, b, SealSpan.equal) }

func (x SealSpan) equal(y SealSpan) bool {
	return x.same(y.Table, y.From, y.To) && x.By == y.By && x.Why == y.Why && x.Gone == y.Gone
}

func (x SealSpan) String() string {
	return fmt.Sprintf("table %q from %s to %s", x.Table, x.From.Format(time.RFC3339), x.To.Format(time.RFC3339))
}

// Seal puts what was recorded of a table between from and to beyond retention.
func (s *Store) Seal(seal SealSpan) error {
	if !seal.From.Before(seal.To) {
		return fmt.Errorf("seal of table %q: it ends at %v, before it begins", seal.Table, seal.To)
	}
	seal.Gone = false
	if _, err := s.ledger.Append(ledger.Seal, seal.Table, seal); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seals = append(s.seals, seal)
	return durable.WriteJSON(filepath.Join(s.dir, sealFile), s.seals)
}

// Holds reports whether a part of a segment is sealed by it.
func (x SealSpan) Holds(seg Segment) bool { return x.Table == seg.Table && seg.Within(x.From, x.To) }

// Into is the list of seals with this one, as the ledger's entries give it one after the
// other: a released one is taken out.
func (x SealSpan) Into(list []SealSpan) []SealSpan {
	if !x.Gone {
		return append(list, x)
	}
	return slices.DeleteFunc(list, func(y SealSpan) bool { return y.same(x.Table, x.From, x.To) })
}

func (x SealSpan) same(table string, from, to time.Time) bool {
	return x.Table == table && x.From.Equal(from) && x.To.Equal(to)
}

// WriteSeals writes the seals that hold for the recordings in dir.
func WriteSeals(dir string, seals []SealSpan) error {
	if err := durable.WriteJSON(filepath.Join(dir, sealFile), slices.Concat([]SealSpan{}, seals)); err != nil {
		return fmt.Errorf("recordings: %w", err)
	}
	return nil
}

// Release takes back the seals of a table with exactly this span.
func (s *Store) Release(table string, from, to time.Time, by string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	match := func(x SealSpan) bool { return x.same(table, from, to) }
	if !slices.ContainsFunc(s.seals, match) {
		return fmt.Errorf("seal of table %q from %v to %v: there is none", table, from, to)
	}
	if _, err := s.ledger.Append(ledger.Seal, table,
		SealSpan{Table: table, From: from, To: to, By: by, Gone: true}); err != nil {
		return err
	}
	s.seals = slices.DeleteFunc(s.seals, match)
	return durable.WriteJSON(filepath.Join(s.dir, sealFile), s.seals)
}

// Seals lists the seals.
func (s *Store) Seals() []SealSpan {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seals)
}

// sealed is called with the lock held.
func (s *Store) sealed(seg Segment) bool {
	return slices.ContainsFunc(s.seals, func(x SealSpan) bool { return x.Holds(seg) })
}
