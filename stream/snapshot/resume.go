package snapshot

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"vision/stream/ledger"
)

// Snapshot is the payload of a ledger's entry of that kind: the state from which a table's
// tracker goes on.
type Snapshot struct {
	Tracker []byte    `json:"tracker"`
	At      time.Time `json:"at,omitzero"`
	// Heard is the newest of the ledger's sensor entries that the tracker had heard; nil: all
	// before the snapshot.
	Heard *uint64 `json:"heard,omitempty"`
	// Names tell the calls that were taken last from new ones, in the form of the pipeline.
	Names []byte `json:"names,omitempty"`
}

// Resume is what a table goes on from: its newest snapshot, and what the ledger has of the table
// that is not in it.
type Resume struct {
	Snapshot json.RawMessage `json:"snapshot,omitempty"` // a Snapshot; nil: none was taken
	Heard    uint64          `json:"heard,omitempty"`    // sensor entries up to this are done with
	Calls    []Call          `json:"calls,omitempty"`    // sensor entries after it, oldest first
	// Rounds are the entries about rounds since the snapshot: their calls are heard again.
	Rounds []Kept `json:"rounds,omitempty"`
}

// Call is a sensor entry: its number and its payload, a fact.Sensed.
type Call struct {
	Seq  uint64          `json:"seq"`
	Said json.RawMessage `json:"said"`
}

// What is kept without a snapshot; pipelines take one long before.
const (
	mostCalls  = 4096
	mostRounds = 12 // entries
)

// Kept is an entry about a round: Round, Verdict or Judged.
type Kept struct {
	Kind  ledger.Kind `json:"kind"`
	Round string      `json:"round"`           // its id
	Lasts float64     `json:"lasts,omitempty"` // from its start to its last event, s; of a Round
}

// Add takes in the next entry of the table's.
func (l *Resume) Add(e ledger.Entry) {
	switch e.Kind {
	case ledger.Sensor:
		l.Calls = append(l.Calls, Call{e.Seq, e.Payload})
		if over := len(l.Calls) - mostCalls; over > 0 {
			l.pass(l.Calls[over-1].Seq)
		}
	case ledger.Snapshot:
		var s Snapshot
		if json.Unmarshal(e.Payload, &s) != nil || s.Heard == nil {
			s.Heard = &e.Seq
		}
		l.Snapshot, l.Rounds = e.Payload, nil
		l.pass(*s.Heard)
	case ledger.Round, ledger.Verdict, ledger.Judged:
		var r struct {
			ID, Round string // a Judged entry calls it round
			Events    []struct{ T float64 }
		}
		if json.Unmarshal(e.Payload, &r) == nil {
			k := Kept{Kind: e.Kind, Round: cmp.Or(r.Round, r.ID)}
			if n := len(r.Events); n > 0 {
				k.Lasts = r.Events[n-1].T
			}
			l.Rounds = append(l.Rounds, k)
			l.Rounds = l.Rounds[max(0, len(l.Rounds)-mostRounds):]
		}
	}
}

// pass is done with the calls up to an entry.
func (l *Resume) pass(seq uint64) {
	l.Heard = max(l.Heard, seq)
	l.Calls = slices.DeleteFunc(l.Calls, func(c Call) bool { return c.Seq <= seq })
}

// Any reports whether there is anything to go on from.
func (l Resume) Any() bool { return l.Snapshot != nil || len(l.Calls) > 0 }

// Clone is a copy that Add does not change.
func (l *Resume) Clone() Resume {
	return Resume{l.Snapshot, l.Heard, slices.Clone(l.Calls), slices.Clone(l.Rounds)}
}

// Elsewhere is what a table goes on from that was run elsewhere since, with the snapshot that was
// taken there (nil: none is known): what this ledger has of it counts no more.
func (l Resume) Elsewhere(snapshot json.RawMessage) Resume {
	if n := len(l.Calls); n > 0 {
		l.Heard = l.Calls[n-1].Seq
	}
	return Resume{Snapshot: snapshot, Heard: l.Heard}
}

// Before reports whether its snapshot is older than another.
func (l Resume) Before(snapshot json.RawMessage) bool {
	var own, other Snapshot
	_ = json.Unmarshal(l.Snapshot, &own) // none, or one of another version: it is older
	return json.Unmarshal(snapshot, &other) == nil && own.At.Before(other.At)
}
