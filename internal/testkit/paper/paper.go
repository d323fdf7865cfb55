// Package paper is a ledger for tests that keeps its entries in memory.
package paper

import (
	"context"
	"encoding/json"
	"sync"
)

// Ledger takes entries until it is made to fail. Entries is to be read while nobody appends.
type Ledger struct {
	Entries []Entry

	mu   sync.Mutex
	fail error
}

// Fail makes the next entries fail with err; nil: they are taken.
func (l *Ledger) Fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail = err
}

// Entry is what is in it.
type Entry struct {
	Kind    string
	Payload []byte // JSON
}

// Append writes an entry.
func (l *Ledger) Append(_ context.Context, kind, _ string, payload any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		return l.fail
	}
	b, err := json.Marshal(payload)
	l.Entries = append(l.Entries, Entry{kind, b})
	return err
}

// Count is the number of entries of a kind.
func (l *Ledger) Count(kind string) (n int) {
	for _, e := range l.Entries {
		if e.Kind == kind {
			n++
		}
	}
	return n
}
