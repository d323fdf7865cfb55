package pipeline

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"vision/internal/fact"
	"vision/stream/ledger"
	"vision/stream/snapshot"
	"vision/validate/track"
)

// keepEvery is after how many calls without a finished round a snapshot is taken: no more
// are replayed after a restart.
const keepEvery = 1000

// keep writes a snapshot of the tracker to the ledger, so that a restart resumes from
// the last finished round.
func (l *tableLoop) keep(ctx context.Context) error {
	folded := l.folded
	l.unsaved = 0
	return l.append(
		ctx,
		ledger.Snapshot,
		snapshot.Snapshot{Tracker: l.trk.Snapshot(), At: time.Now(), Heard: &folded, Names: l.in.names.save()},
	)
}

// Resume restores the table's tracker from the ledger, before Run: from its newest snapshot,
// and the calls since. why is the reason of the interruption. The round under way is
// not verifiable.
func (t *Table) Resume(left snapshot.Resume, why string) {
	l, log := t.loop, t.deps.Log.With("table", t.cfg.ID)
	var s snapshot.Snapshot
	if left.Snapshot != nil {
		err := json.Unmarshal(left.Snapshot, &s)
		if err == nil {
			err = l.trk.Restore(s.Tracker, time.Now())
		}
		if err != nil { // a newer program may not read it: the round begins anew
			log.Warn("table snapshot not restored", "err", err)
		}
	}
	l.in.names.load(s.Names)
	l.folded, l.earlier = left.Heard, left.Rounds
	for _, c := range left.Calls {
		var sensed fact.Sensed
		if err := json.Unmarshal(c.Said, &sensed); err != nil {
			log.Warn("call not replayed from the ledger", "entry", c.Seq, "err", err)
			continue
		}
		l.in.names.add(sensed)
		l.trk.Hear(sensed)
		l.folded = c.Seq
	}
	l.trk.Lost(time.Now(), why)
}

// takeEarlierID gives a round the id under which an earlier run began to keep it, if that was killed
// before its snapshot. Replayed, the round may begin at another of its calls.
func (l *tableLoop) takeEarlierID(r *track.Round) {
	for _, k := range l.earlier {
		start, err := time.Parse("20060102T150405.000", k.Round[strings.LastIndexByte(k.Round, '-')+1:])
		end := start.Add(time.Duration(k.Lasts * float64(time.Second)))
		if k.Kind == ledger.Round && err == nil && r.Start.Before(end) && !r.End.Before(start) {
			r.Record.ID, r.Verdict.ID = k.Round, k.Round
		}
	}
}

// hasKept reports whether an earlier run has kept an entry about a round.
func (l *tableLoop) hasKept(kind ledger.Kind, round string) bool {
	return slices.ContainsFunc(l.earlier, func(k snapshot.Kept) bool { return k.Kind == kind && k.Round == round })
}
