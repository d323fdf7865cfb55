package pipeline

import (
	"context"
	"encoding/json"
	"time"

	"vision/stream/ledger"
)

// keep puts the tracker's state into the ledger, so that a restart goes on from
// the last finished round.
func (j *judge) keep(ctx context.Context) error {
	return j.append(ctx, ledger.Snapshot, snapshot{Tracker: j.trk.Snapshot()})
}

// snapshot is the payload of a ledger entry of that kind.
type snapshot struct {
	Tracker []byte `json:"tracker"`
}

// Resume lets the table's tracker go on from the payload of a ledger's newest snapshot of
// it, before Run; why says what came between. Without one (nil) only the round under way is
// not verifiable.
func (t *Table) Resume(raw json.RawMessage, why string) {
	var s snapshot
	var err error
	if raw != nil {
		if err = json.Unmarshal(raw, &s); err == nil {
			err = t.judge.trk.Restore(s.Tracker, time.Now())
		}
	}
	if err != nil { // a newer program may not read it: the round begins anew
		t.lent.Log.Warn("the table's last state cannot be taken up again", "table", t.cfg.ID, "err", err)
	}
	t.judge.trk.Lost(time.Now(), why)
}
