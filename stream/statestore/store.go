// Package statestore keeps what all members know alike: accounts, sessions,
// thresholds, who supervises which table, the alerts. Each thing is a record with a
// revision; every machine has all records, on its own disk where they must outlive it,
// and Redis carries them from one to the other. Redis is never the only copy: one that
// comes back empty, or with less than it had, is filled again by the machines.
//
// A record is changed in one of two ways. Change has all machines agree: it counts once
// Redis has it in the place of the revision that was looked at, and is refused otherwise.
// Tell counts here at once, also without Redis, and reaches the others when it can; of
// two such the newer revision wins, or they are merged where their kind can be.
package statestore

import (
	"cmp"
	"context"
	"crypto/cipher"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Record is one thing that all machines know alike.
type Record struct {
	Key  string    `json:"key"` // kind/name
	Rev  uint64    `json:"rev"` // grows with every change
	At   time.Time `json:"at"`
	Node string    `json:"node"`         // that made this revision
	By   string    `json:"by,omitempty"` // the person who did; "" is the node itself
	// Ends is when the record is as if it had never been; zero is never.
	Ends  time.Time       `json:"ends,omitzero"`
	Value json.RawMessage `json:"value,omitempty"` // nil: taken away
}

// Gone reports whether the thing was taken away.
func (r Record) Gone() bool { return r.Value == nil }

// Name is the key without its kind.
func (r Record) Name() string { _, name, _ := strings.Cut(r.Key, "/"); return name }

// stamp orders the revisions of a record: by number, then time, then who made it. All
// is hexadecimal of fixed length, which any comparison of strings orders alike.
func (r Record) stamp() string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(r.Node + "\n" + r.By))
	return fmt.Sprintf("%016x%016x%016x", r.Rev, uint64(r.At.UnixNano()), h.Sum64())
}

func (r Record) ended(now time.Time) bool { return !r.Ends.IsZero() && !now.Before(r.Ends) }

// Errors that callers distinguish.
var (
	// ErrAway means that the machines cannot agree now.
	ErrAway = errors.New("Redis does not answer, so the machines cannot agree on a change; nothing was changed, try again")
	// ErrChanged is what every Conflict is.
	ErrChanged = errors.New("changed meanwhile")
)

// ConflictError names who was quicker.
type ConflictError struct {
	By string // person, or node where nobody did it
}

func (e *ConflictError) Error() string {
	if e.By == "" {
		return "changed meanwhile on another machine; look again"
	}
	return fmt.Sprintf("changed meanwhile by %s; look again", e.By)
}

// Is makes every ConflictError an ErrChanged.
func (e *ConflictError) Is(target error) bool { return target == ErrChanged }

// Kind is what is done with the records of one kind.
type Kind struct {
	// Apply is notified of every record that came from another machine, one after the
	// other; it may come again. It may call Tell, and may wait for a Change that is made.
	Apply func(Record) error
	// Merge joins two versions, and reports which of them lacked something of it. nil: the
	// newer stands.
	Merge func(mine, theirs json.RawMessage) (joined json.RawMessage, mineLacks, theirsLack bool, err error)
	// Passing records are not kept on the disk: their owner has them elsewhere.
	Passing bool
	// Final: what was taken away stays so, whatever is published of it later.
	Final bool
}

// Entry is a record as it lies in Redis. Stamps of one key are ordered as strings.
type Entry struct {
	Key, Stamp string
	Data       []byte
}

// NoEntry is the stamp of what does not lie there.
const NoEntry = "-"

// Bus carries entries between machines, in books.
type Bus interface {
	// PutEntry writes an entry in the place of the one with the stamp base, NoEntry where there
	// must be none; with "" unless one with the same or a greater stamp is there. It returns
	// what is there instead, with the stamp NoEntry for nothing.
	PutEntry(ctx context.Context, book string, e Entry, base string) (there *Entry, err error)
	// DropEntry takes an entry out while it has its stamp still.
	DropEntry(ctx context.Context, book string, e Entry) error
	// Stamps are those of all that is in a book, by key, and Entries some of it.
	Stamps(ctx context.Context, book string) (map[string]string, error)
	Entries(ctx context.Context, book string, keys ...string) ([]Entry, error)
	// Changes are the entries written after a place, and the place after them; "" is the
	// end as it is now. Without any it waits that long.
	Changes(ctx context.Context, book, after string, wait time.Duration) ([]Entry, string, error)
}

// Config of a Store.
type Config struct {
	Bus  Bus
	Node string // this machine's name, the same after a restart
	Path string // of the file; "" = in memory alone
	// Secret of the members: what is in Redis only its machines can read and write.
	Secret string
	Log    *slog.Logger
	Now    func() time.Time

	Pause  time.Duration // between attempts while Redis is away; 0 = 250 ms
	Review time.Duration // how often all stamps are compared; 0 = 15 s
}

// Store has the records. Its methods may be called by many.
type Store struct {
	cfg  Config
	seal cipher.AEAD
	more chan struct{} // something is to be sent
	look chan struct{} // all stamps are to be compared

	taking sync.Mutex // records of others are taken one after the other

	mu    sync.Mutex
	kinds map[string]Kind
	have  map[string]Record
	owed  map[string]bool // keys that Redis may not have as they are here
	seeds map[string]json.RawMessage
	// unkept: the file has not all that it should have.
	unkept bool
	away   error // why nothing can be agreed on; nil when it can
}

// Open reads what the file has; it need not be there.
func Open(cfg Config) (*Store, error) {
	cfg.Pause = cmp.Or(cfg.Pause, 250*time.Millisecond)
	cfg.Review = cmp.Or(cfg.Review, 15*time.Second)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	seal, err := sealOf(cfg.Secret)
	if err != nil {
		return nil, err
	}
	s := &Store{cfg: cfg, seal: seal, more: make(chan struct{}, 1), look: make(chan struct{}, 1), kinds: map[string]Kind{},
		have: map[string]Record{}, owed: map[string]bool{}, seeds: map[string]json.RawMessage{}, away: ErrAway}
	if err := s.load(); err != nil {
		return nil, err
	}
	return s, nil
}

// Register sets what is done with the records of a kind, and applies those that are here.
func (s *Store) Register(kind string, k Kind) error {
	s.taking.Lock()
	defer s.taking.Unlock()
	s.mu.Lock()
	s.kinds[kind] = k
	s.mu.Unlock()
	var errs []error
	for _, r := range s.List(kind) {
		errs = append(errs, k.Apply(r))
	}
	return errors.Join(errs...)
}

func kindOf(key string) string { kind, _, _ := strings.Cut(key, "/"); return kind }

// List has the records of a kind, those taken away too, in order of their keys.
func (s *Store) List(kind string) (out []Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(s.have)) {
		if r := s.have[key]; kindOf(key) == kind && !r.ended(s.cfg.Now()) {
			out = append(out, r)
		}
	}
	return out
}

// Get is one record.
func (s *Store) Get(key string) (Record, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.have[key]
	return r, ok && !r.ended(s.cfg.Now())
}

// Away is why nothing can be agreed on, nil when it can.
func (s *Store) Away() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.away
}

// Set puts a value in force here, and sends it to the others; nil takes the thing away,
// and a zero ends lets the record stand for good. What can be merged is merged with what
// others have published of it.
func (s *Store) Set(by, key string, value json.RawMessage, ends time.Time) (Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, mine := s.kinds[kindOf(key)], s.have[key]
	switch {
	case k.Final && mine.Rev > 0 && mine.Gone():
		return mine, nil
	case k.Merge != nil && !mine.Gone() && value != nil:
		joined, _, _, err := k.Merge(mine.Value, value)
		if err != nil {
			return Record{}, err
		}
		value = joined
	}
	r := s.next(by, key, value, ends)
	s.have[key] = r
	s.owe(key)
	return r, s.keep(kindOf(key))
}

// next is a record's next revision; called with the lock held.
func (s *Store) next(by, key string, value json.RawMessage, ends time.Time) Record {
	return Record{Key: key, Rev: s.have[key].Rev + 1, At: s.cfg.Now().UTC(), Node: s.cfg.Node, By: by,
		Ends: ends.UTC(), Value: value}
}

// Seed is a value that this machine had before it shared the thing: it counts where no
// machine has shared it yet, once Redis answers.
func (s *Store) Seed(key string, value json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.have[key]; !ok {
		s.seeds[key] = value
		signal(s.look)
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// agreeing is how long Redis has to take a change.
const agreeing = 2 * time.Second

// Change puts a value in force everywhere in the place of the revision rev, 0 for none,
// and returns the new revision. It fails with a ConflictError where there is another by
// now, and with ErrAway where Redis does not take it; whether it has taken it after all is
// seen then when Redis answers again.
func (s *Store) Change(ctx context.Context, by, key string, rev uint64, value json.RawMessage) (uint64, error) {
	s.mu.Lock()
	have, away := s.have[key], s.away
	r := s.next(by, key, value, time.Time{})
	s.mu.Unlock()
	switch {
	case away != nil:
		return 0, away
	case have.Rev != rev:
		return 0, conflict(have)
	}
	ctx, cancel := context.WithTimeout(ctx, agreeing)
	defer cancel()
	if err := s.swap(ctx, r, have); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.seeds, key)
	if s.have[key].stamp() < r.stamp() {
		s.have[key] = r
	}
	return r.Rev, s.keep(kindOf(key))
}

// swap puts a record in the place of another in Redis.
func (s *Store) swap(ctx context.Context, r, was Record) error {
	base := NoEntry
	if was.Rev > 0 {
		base = was.stamp()
	}
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	for range 3 {
		there, err := s.cfg.Bus.PutEntry(ctx, Book, e, base)
		if err == nil && there == nil {
			return nil
		}
		// Redis that has less than this machine has lost it: it is published again first.
		if err == nil && base != NoEntry && (there.Stamp == NoEntry || there.Stamp < base) {
			var old Entry
			if old, err = s.entry(was); err == nil {
				_, err = s.cfg.Bus.PutEntry(ctx, Book, old, "")
			}
			if err == nil {
				continue
			}
		}
		signal(s.look)
		if err != nil {
			s.cfg.Log.Warn("a change could not be agreed on", "key", r.Key, "err", err)
			return ErrAway
		}
		x, err := s.record(*there)
		if err != nil {
			return err
		}
		return conflict(x)
	}
	return ErrAway
}

func conflict(r Record) error { return &ConflictError{cmp.Or(r.By, r.Node)} }
