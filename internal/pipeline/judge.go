package pipeline

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"vision/calibration"
	"vision/internal/backoff"
	"vision/internal/fact"
	"vision/internal/health"
	"vision/internal/money"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/stream/past"
	"vision/validate/explain"
	"vision/validate/round"
	"vision/validate/track"
)

// judge is the owner of one table's tracker: one goroutine folds in what readers
// and sensors say and carries out what the tracker concludes.
type judge struct {
	table   string
	game    string
	norm    string
	camera  string // whose recording shows what happened
	trk     *follower
	float   atomic.Pointer[Float] // nil: not known
	book    Book
	desk    *alert.Desk
	board   *health.Board
	show    func(typ, key string, body any) // to the viewers of this table
	record  func(camera string, at time.Time, read []Reading)
	ours    func(ctx context.Context, table string) bool
	publish func(stream string, v any)        // to the bus
	passing func(code, object, detail string) // a problem that comes as an event
	again   func(zone string)                 // has a zone read again
	say     func(lang string, v round.Verdict, f round.Finding) string
	cal     func(camera string) *calibration.Table
	log     *slog.Logger

	in      *intake
	heard   uint64      // newest sensor entry of the ledger that the tracker has heard
	unsaved int         // calls since the tracker's state was kept
	stopped time.Time   // until when no time passes
	kept    []past.Kept // entries about rounds of an earlier run, since its last snapshot
	inbox   chan any    // fact.Observation, limits, interruption, *follower
	gap     sync.Mutex
	missing *interruption // for which the inbox had no room; gap guards it
	state   state
	last    *span
	ended   []time.Time // ends of the rounds of the last hour
	perHour atomic.Int64
	pending *limits // that come into force with the next round
	played  func(*track.Round)
	rounds  atomic.Uint64 // since the table's start
	unsure  atomic.Uint64 // of them, not verifiable
	quiet   atomic.Int64  // since when no round has been under way, ns; 0: one is
}

// inboxSize is some minutes of facts of a busy table.
const inboxSize = 4096

func newJudge(t *Table, trk *follower) *judge {
	deps, id := t.deps, t.cfg.ID
	j := &judge{table: id, game: t.cfg.Game, norm: t.cfg.Norm, camera: t.cameras[0].cfg.Name, trk: trk,
		in:   newIntake(id, deps.Ledger, deps.Board),
		book: deps.Ledger, desk: deps.Desk, board: deps.Board, log: deps.Log, inbox: make(chan any, inboxSize),
		say:     func(lang string, v round.Verdict, f round.Finding) string { return explain.Sentence(lang, &v, &f) },
		cal:     func(camera string) *calibration.Table { return t.camera(camera).Calibration() },
		record:  t.record,
		again:   func(zone string) { (*t.reader.Load()).Again(zone) },
		ours:    deps.Ours,
		publish: func(stream string, v any) { deps.Publish(stream, id, v) },
		passing: func(code, object, detail string) { deps.Passing(code, id, object, detail) },
		show:    func(typ, key string, body any) { deps.Show(typ, id, key, body) },
		played: func(r *track.Round) {
			if deps.Played != nil {
				deps.Played(id, r)
			}
		},
	}
	j.quiet.Store(time.Now().UnixNano())
	return j
}

// between reports whether no round is under way.
func (j *judge) between() bool {
	return slices.Contains([]track.Phase{"", track.Idle, track.Cleared}, track.Phase(j.state.Phase))
}

// rest notes since when no round has been under way.
func (j *judge) rest() {
	if !j.between() {
		j.quiet.Store(0)
	} else {
		j.quiet.CompareAndSwap(0, time.Now().UnixNano())
	}
}

// observe takes what a reader saw. It never waits: a judge that is this far
// behind has lost the thread, and notes a gap.
func (j *judge) observe(obs []fact.Observation) {
	for _, o := range obs {
		j.take(o)
	}
}

// take queues what is to be folded in, in its order. Where there is no room, that something
// is missing is remembered, and comes in its place: the tracker must not take the round for
// one that was seen.
func (j *judge) take(m any) (ok bool) {
	j.gap.Lock()
	defer j.gap.Unlock()
	if j.missing != nil {
		select {
		case j.inbox <- *j.missing:
			j.missing = nil
		default:
			return false
		}
	}
	select {
	case j.inbox <- m:
		return true
	default:
	}
	i, interrupted := m.(interruption)
	if !interrupted {
		i = interruption{time.Now(), "the table's judge was thousands of facts behind"}
	}
	j.missing = &i
	j.passing(health.ReaderBehind, j.table, "the table's judge is thousands of facts behind; its rounds are not verified")
	return false
}

// caughtUp folds in what is missing after all else.
func (j *judge) caughtUp(ctx context.Context) error {
	j.gap.Lock()
	m := j.missing
	if len(j.inbox) > 0 {
		m = nil
	} else {
		j.missing = nil
	}
	j.gap.Unlock()
	if m == nil {
		return nil
	}
	return j.fold(ctx, *m)
}

// limits are those in force, in cents; high 0 is not known.
type limits struct{ low, high int64 }

// setLimits puts limits into force from the next round on.
func (j *judge) setLimits(l limits) {
	if !j.take(l) {
		j.passing(health.ReaderBehind, j.table, "the table's judge is thousands of facts behind; a change of the limits was lost")
	}
}

// apply puts limits into force that wait for the end of the round.
func (j *judge) apply() {
	if l := j.pending; l != nil {
		j.trk.SetLimits(money.Cents(l.low), money.Cents(l.high))
		j.pending = nil
	}
}

// settle lets time pass, once all that came before is folded in: a slow
// ledger must not make a call late that was in time. Nor must one that has refused calls: no time
// passes until it takes entries again and the calls have come again.
func (j *judge) settle(ctx context.Context, now time.Time) error {
	if j.in.wait(ctx) != nil {
		return nil // the end
	}
	for range len(j.in.calls) {
		if err := j.hear(ctx, <-j.in.calls); err != nil {
			return err
		}
	}
	for range len(j.inbox) {
		if err := j.fold(ctx, <-j.inbox); err != nil {
			return err
		}
	}
	if err := j.caughtUp(ctx); err != nil {
		return err
	}
	if j.in.failed.Swap(false) {
		if err := j.keep(ctx); err != nil {
			return err
		}
		j.stopped = time.Now().Add(sendsAgain)
	}
	if now.Before(j.stopped) {
		return nil
	}
	return j.conclude(ctx, j.trk.Advance(now))
}

// sendsAgain is how soon senders have sent again what was refused.
const sendsAgain = 3 * time.Second

// interruption is a time at which the table could not be followed.
type interruption struct {
	at  time.Time
	why string
}

// lost takes note that the table could not be followed.
func (j *judge) lost(at time.Time, why string) { j.take(interruption{at, why}) }

// advanceEvery is how often time passes for a tracker to which nothing happens.
const advanceEvery = 100 * time.Millisecond

// run judges until ctx ends.
func (j *judge) run(ctx context.Context) error {
	j.in.shut.Store(false)
	tick := time.NewTicker(advanceEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return j.leave(ctx)
		case m := <-j.inbox:
			if err := j.fold(ctx, m); err != nil {
				return err
			}
		case c := <-j.in.calls:
			if err := j.hear(ctx, c); err != nil {
				return err
			}
		case now := <-tick.C:
			if err := j.settle(ctx, now); err != nil {
				return err
			}
		}
	}
}

// leave folds in what was taken already and keeps the tracker's state. The
// context has ended: what the ledger does not take at once is not kept.
func (j *judge) leave(ctx context.Context) error {
	j.in.close()
	for {
		select {
		case m := <-j.inbox:
			if err := j.fold(ctx, m); err != nil {
				return err
			}
		case c := <-j.in.calls:
			if err := j.hear(ctx, c); err != nil {
				return err
			}
		default:
			if err := j.caughtUp(ctx); err != nil {
				return err
			}
			return j.keep(ctx)
		}
	}
}

// hear gives a call to the tracker, which the ledger has.
func (j *judge) hear(ctx context.Context, c call) error {
	j.trk.Hear(c.Sensed)
	j.heard = c.seq
	if j.unsaved++; j.unsaved >= keepEvery {
		return j.keep(ctx)
	}
	return nil
}

// fold gives one fact to the tracker.
func (j *judge) fold(ctx context.Context, m any) error {
	switch m := m.(type) {
	case limits:
		if j.pending = &m; j.between() {
			j.apply()
		}
	case fact.Observation:
		if m.Zone != calibration.Float { // the house's own stock is no part of a round
			j.trk.Observe(m)
		}
		j.state.observe(m)
		if m.Kind == fact.Rack {
			j.sayRack(m.Camera, j.state.rack(&m, j.cal(m.Camera)).why)
		}
		j.float.Store(j.state.float(j.cal))
		switch m.Kind {
		case fact.Stable, fact.MotionStarted, fact.Rack:
			read := j.state.overlay(m.Camera, worth(j.cal(m.Camera)))
			j.show("overlay", m.Camera, read)
			j.record(m.Camera, m.Time, read)
		case fact.Gap, fact.Moved, fact.Blind:
			j.record(m.Camera, m.Time, nil) // what lies there now is not known
		}
	case interruption:
		j.trk.Lost(m.at, m.why)
	case *follower: // of the table calibrated anew: the round under way is lost with the old one
		if err := m.Restore(j.trk.Snapshot(), time.Now()); err != nil {
			j.log.Warn("the table's state is not carried over", "table", j.table, "err", err)
		}
		for camera := range j.state.racks {
			j.sayRack(camera, "")
		}
		j.trk, j.state.racks = m, nil
		j.trk.Lost(time.Now(), "the camera was calibrated anew")
	}
	return nil
}

// sayRack names why a camera's rack cannot be read; "": it can.
func (j *judge) sayRack(camera, why string) {
	if why == "" {
		j.board.Clear(health.RackUnread, camera)
		return
	}
	j.board.Set(health.RackUnread, j.table, camera, why)
}

// append writes to the ledger.
func (j *judge) append(ctx context.Context, kind ledger.Kind, v any) error {
	return j.insist(ctx, func() error {
		_, err := j.book.Append(kind, j.table, v)
		return err
	})
}

// insist does f again until it succeeds. Nothing is shown that is not kept, so a
// table whose ledger fails waits, and says so; what happens meanwhile lies in the
// inbox.
func (j *judge) insist(ctx context.Context, f func() error) error {
	var b backoff.Backoff
	for {
		err := f()
		if err == nil {
			j.board.Clear(health.LedgerFailed, j.in.object())
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("table %s: %w", j.table, err)
		}
		j.board.Set(health.LedgerFailed, j.table, j.in.object(), err.Error())
		_ = b.Wait(ctx) // f is tried once more at the end
	}
}
