package pipeline

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"vision/calibration"
	"vision/internal/backoff"
	"vision/internal/fact"
	"vision/internal/health"
	"vision/internal/money"
	"vision/stream/ledger"
	"vision/stream/snapshot"
	"vision/validate/track"
)

// tableLoop owns one table's tracker: one goroutine folds in what readers and sensors
// report and handles the tracker's outputs.
type tableLoop struct {
	t     *Table
	trk   *follower
	float atomic.Pointer[Float] // nil: not known

	in      *intake
	folded  uint64          // newest sensor entry of the ledger that was folded in
	unsaved int             // calls since the tracker's state was kept
	stopped time.Time       // until when the tracker's clock is held
	earlier []snapshot.Kept // entries about rounds of an earlier run, since its last snapshot
	inbox   chan any        // fact.Observation, limits, interruption, *follower
	gap     sync.Mutex
	missing *interruption // for which the inbox had no room; gap guards it
	state   state
	last    *span
	ended   []time.Time // ends of the rounds of the last hour
	perHour atomic.Int64
	pending *limits       // that come into force with the next round
	rounds  atomic.Uint64 // since the table's start
	unsure  atomic.Uint64 // of them, not verifiable
	quiet   atomic.Int64  // since when no round has been under way, ns; 0: one is
}

// inboxSize is some minutes of facts of a busy table.
const inboxSize = 4096

func newTableLoop(t *Table, trk *follower) *tableLoop {
	l := &tableLoop{t: t, trk: trk, inbox: make(chan any, inboxSize)}
	l.in = newIntake(t.cfg.ID, t.deps.Ledger, t.deps.Board)
	l.quiet.Store(time.Now().UnixNano())
	return l
}

// show shows something to the viewers of this table.
func (l *tableLoop) show(typ, key string, body any) { l.t.deps.Show(typ, l.t.cfg.ID, key, body) }

// publish puts a message about this table on the bus.
func (l *tableLoop) publish(stream string, body any) { l.t.deps.Publish(stream, l.t.cfg.ID, body) }

// behind names that the loop cannot keep up, and what that costs.
func (l *tableLoop) behind(cost string) {
	id := l.t.cfg.ID
	l.t.deps.Passing(health.ReaderBehind, id, id, "the table loop is thousands of facts behind; "+cost)
}

// betweenRounds reports whether no round is under way.
func (l *tableLoop) betweenRounds() bool {
	return slices.Contains([]track.Phase{"", track.Idle, track.Cleared}, track.Phase(l.state.Phase))
}

// noteQuiet notes since when no round has been under way.
func (l *tableLoop) noteQuiet() {
	if !l.betweenRounds() {
		l.quiet.Store(0)
	} else {
		l.quiet.CompareAndSwap(0, time.Now().UnixNano())
	}
}

// observe queues a reader's observation without blocking: a table loop that is this far
// behind records a gap.
func (l *tableLoop) observe(obs []fact.Observation) {
	for _, o := range obs {
		l.enqueue(o)
	}
}

// enqueue queues a fact in order. If the inbox is full, a gap takes its place: the tracker
// must not take the round for one that was seen.
func (l *tableLoop) enqueue(m any) (ok bool) {
	l.gap.Lock()
	defer l.gap.Unlock()
	if l.missing != nil {
		select {
		case l.inbox <- *l.missing:
			l.missing = nil
		default:
			return false
		}
	}
	select {
	case l.inbox <- m:
		return true
	default:
	}
	i, interrupted := m.(interruption)
	if !interrupted {
		i = interruption{time.Now(), "the table loop was thousands of facts behind"}
	}
	l.missing = &i
	l.behind("its rounds are not verified")
	return false
}

// foldMissing folds in the gap, after all else.
func (l *tableLoop) foldMissing() {
	l.gap.Lock()
	m := l.missing
	if len(l.inbox) > 0 {
		m = nil
	} else {
		l.missing = nil
	}
	l.gap.Unlock()
	if m != nil {
		l.fold(*m)
	}
}

// limits are those in force, in cents; high 0 is not known.
type limits struct{ low, high int64 }

// apply puts limits into force that wait for the end of the round.
func (l *tableLoop) apply() {
	if p := l.pending; p != nil {
		l.trk.SetLimits(money.Cents(p.low), money.Cents(p.high))
		l.pending = nil
	}
}

// drain advances the tracker's clock once all earlier facts are folded in: a slow ledger
// must not make a punctual call late. After a refused call the clock is held until the ledger
// takes entries again and senders have retried.
func (l *tableLoop) drain(ctx context.Context, now time.Time) error {
	if l.in.wait(ctx) != nil {
		return nil // the end
	}
	for range len(l.in.calls) {
		if err := l.foldCall(ctx, <-l.in.calls); err != nil {
			return err
		}
	}
	for range len(l.inbox) {
		l.fold(<-l.inbox)
	}
	l.foldMissing()
	if l.in.failed.Swap(false) {
		if err := l.keep(ctx); err != nil {
			return err
		}
		l.stopped = time.Now().Add(sendsAgain)
	}
	if now.Before(l.stopped) {
		return nil
	}
	return l.conclude(ctx, l.trk.Advance(now))
}

// sendsAgain is how soon senders have retried a refused call.
const sendsAgain = 3 * time.Second

// interruption is a time at which the table could not be followed.
type interruption struct {
	at  time.Time
	why string
}

// interrupted records that the table could not be followed.
func (l *tableLoop) interrupted(at time.Time, why string) { l.enqueue(interruption{at, why}) }

// advanceEvery is the clock period of an idle tracker.
const advanceEvery = 100 * time.Millisecond

// run runs the loop until ctx ends.
func (l *tableLoop) run(ctx context.Context) error {
	l.in.shut.Store(false)
	tick := time.NewTicker(advanceEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return l.leave(ctx)
		case m := <-l.inbox:
			l.fold(m)
		case c := <-l.in.calls:
			if err := l.foldCall(ctx, c); err != nil {
				return err
			}
		case now := <-tick.C:
			if err := l.drain(ctx, now); err != nil {
				return err
			}
		}
	}
}

// leave folds in the inbox and saves a snapshot. The context has ended: what the
// ledger does not take at once is not kept.
func (l *tableLoop) leave(ctx context.Context) error {
	l.in.close()
	for {
		select {
		case m := <-l.inbox:
			l.fold(m)
		case c := <-l.in.calls:
			if err := l.foldCall(ctx, c); err != nil {
				return err
			}
		default:
			l.foldMissing()
			return l.keep(ctx)
		}
	}
}

// foldCall gives a call that is in the ledger to the tracker.
func (l *tableLoop) foldCall(ctx context.Context, c call) error {
	l.trk.Hear(c.Sensed)
	l.folded = c.seq
	if l.unsaved++; l.unsaved >= keepEvery {
		return l.keep(ctx)
	}
	return nil
}

// fold gives one fact to the tracker.
func (l *tableLoop) fold(m any) {
	switch m := m.(type) {
	case limits:
		if l.pending = &m; l.betweenRounds() {
			l.apply()
		}
	case fact.Observation:
		if m.Zone != calibration.Float { // the house's own stock is no part of a round
			l.trk.Observe(m)
		}
		l.state.observe(m)
		if m.Kind == fact.Rack {
			l.t.camera(m.Camera).setProblem(health.RackUnread, l.state.rack(&m, l.t.calibrationOf(m.Camera)).why)
		}
		l.float.Store(l.state.float(l.t.calibrationOf))
		switch m.Kind {
		case fact.Stable, fact.MotionStarted, fact.Rack:
			read := l.state.overlay(m.Camera, worth(l.t.calibrationOf(m.Camera)))
			l.show("overlay", m.Camera, read)
			l.t.record(m.Camera, m.Time, read)
		case fact.Gap, fact.Moved, fact.Blind:
			l.t.record(m.Camera, m.Time, nil) // its readings are unknown now
		}
	case interruption:
		l.trk.Lost(m.at, m.why)
	case *follower: // of the table calibrated anew: the round under way is lost with the old one
		if err := m.Restore(l.trk.Snapshot(), time.Now()); err != nil {
			l.t.deps.Log.Warn("table snapshot not saved", "table", l.t.cfg.ID, "err", err)
		}
		for camera := range l.state.racks {
			l.t.camera(camera).setProblem(health.RackUnread, "")
		}
		l.trk, l.state.racks = m, nil
		l.trk.Lost(time.Now(), "the camera was calibrated anew")
	}
}

// append writes to the ledger.
func (l *tableLoop) append(ctx context.Context, kind ledger.Kind, v any) error {
	return l.insist(ctx, func() error {
		_, err := l.t.deps.Ledger.Append(kind, l.t.cfg.ID, v)
		return err
	})
}

// insist retries f until it succeeds. Nothing is shown that is not kept, so a table
// whose ledger fails waits, and reports it; facts queue in the inbox meanwhile.
func (l *tableLoop) insist(ctx context.Context, f func() error) error {
	var b backoff.Backoff
	for {
		err := f()
		if err == nil {
			l.t.deps.Board.Clear(health.LedgerFailed, l.in.object())
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("table %s: %w", l.t.cfg.ID, err)
		}
		l.t.deps.Board.Set(health.LedgerFailed, l.t.cfg.ID, l.in.object(), err.Error())
		_ = b.Wait(ctx) // f is tried once more at the end
	}
}
