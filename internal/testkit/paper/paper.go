// Package paper is a ledger for tests that keeps its entries in memory.
package paper

import (
	"context"
	"encoding/json"
)

// Ledger takes entries until it is made to fail. It is for one goroutine at a time.
type Ledger struct {
	Entries []Entry
	Fail    error // of the next entries; nil: they are taken
}

// Entry is what is in it.
type Entry struct {
	Kind    string
	Payload []byte // JSON
}

// Append writes an entry.
func (l *Ledger) Append(_ context.Context, kind, _ string, payload any) error {
	if l.Fail != nil {
		return l.Fail
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
