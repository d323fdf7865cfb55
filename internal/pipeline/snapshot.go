package pipeline

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"vision/internal/fact"
	"vision/stream/ledger"
	"vision/stream/past"
	"vision/validate/track"
)

// keepEvery is after how many calls without a finished round the tracker's state is kept: no more
// have to be heard again after a restart.
const keepEvery = 1000

// keep puts the tracker's state into the ledger, so that a restart goes on from
// the last finished round.
func (j *judge) keep(ctx context.Context) error {
	heard := j.heard
	j.unsaved = 0
	return j.append(
		ctx,
		ledger.Snapshot,
		past.Snapshot{Tracker: j.trk.Snapshot(), At: time.Now(), Heard: &heard, Names: j.in.names.save()},
	)
}

// Resume lets the table's tracker go on from what the ledger has of the table, before Run: from
// its newest snapshot, and the calls since. why says what came between. The round under way is
// not verifiable.
func (t *Table) Resume(left past.Left, why string) {
	j, log := t.judge, t.deps.Log.With("table", t.cfg.ID)
	var s past.Snapshot
	if left.Snapshot != nil {
		err := json.Unmarshal(left.Snapshot, &s)
		if err == nil {
			err = j.trk.Restore(s.Tracker, time.Now())
		}
		if err != nil { // a newer program may not read it: the round begins anew
			log.Warn("the table's last state cannot be taken up again", "err", err)
		}
	}
	j.in.names.load(s.Names)
	j.heard, j.kept = left.Heard, left.Rounds
	for _, c := range left.Calls {
		var said fact.Sensed
		if err := json.Unmarshal(c.Said, &said); err != nil {
			log.Warn("a call cannot be heard again", "entry", c.Seq, "err", err)
			continue
		}
		j.in.names.add(said)
		j.trk.Hear(said)
		j.heard = c.Seq
	}
	j.trk.Lost(time.Now(), why)
}

// earlier gives a round the id under which an earlier run has begun to keep it: one that was killed
// before it kept the tracker's state. Heard again, the round may begin at another of its calls.
func (j *judge) earlier(r *track.Round) {
	for _, k := range j.kept {
		start, err := time.Parse("20060102T150405.000", k.Round[strings.LastIndexByte(k.Round, '-')+1:])
		end := start.Add(time.Duration(k.Lasts * float64(time.Second)))
		if k.Kind == ledger.Round && err == nil && r.Start.Before(end) && !r.End.Before(start) {
			r.Record.ID, r.Verdict.ID = k.Round, k.Round
		}
	}
}

// has reports whether an earlier run has kept an entry about a round.
func (j *judge) has(kind ledger.Kind, round string) bool {
	return slices.ContainsFunc(j.kept, func(k past.Kept) bool { return k.Kind == kind && k.Round == round })
}
