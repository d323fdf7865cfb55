package node

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"vision/internal/fact"
	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/validate/explain"
	"vision/validate/round"
	"vision/validate/track"
)

// Book is where facts go before anyone sees them.
type Book interface {
	Append(kind ledger.Kind, table string, payload any) (ledger.Entry, error)
}

// judge is the owner of one table's tracker: one goroutine folds in what readers
// and sensors say and carries out what the tracker concludes.
type judge struct {
	table   string
	game    string
	norm    string
	camera  string // whose recording shows what happened
	trk     *track.Tracker
	book    Book
	desk    *alert.Desk
	board   *health.Board
	show    func(typ, key string, body any) // to the viewers of this table
	record  func(camera string, at time.Time, read []reading)
	publish func(stream string, v any)        // to the bus
	passing func(code, object, detail string) // a problem that comes as an event
	say     func(lang string, v round.Verdict, f round.Finding) string
	worth   func(camera string) map[string]int64 // value of each kind of chip, cents
	log     *slog.Logger

	inbox   chan any // fact.Observation, fact.Sensed, interruption, *track.Tracker
	state   state
	last    *span
	ended   []time.Time // ends of the rounds of the last hour
	perHour atomic.Int64
}

// inboxSize is some minutes of facts of a busy table.
const inboxSize = 4096

// Observe takes what a reader saw. It never waits: a judge that is this far
// behind has lost the thread, and says so by a gap.
func (j *judge) observe(obs []fact.Observation) {
	for _, o := range obs {
		select {
		case j.inbox <- o:
		default:
			j.passing(health.ReaderBehind, j.table, "the table's judge is thousands of facts behind; its rounds are not verified")
		}
	}
}

// hear takes one line of a sensor or terminal.
func (j *judge) hear(s fact.Sensed) {
	select {
	case j.inbox <- s:
	default:
		j.passing(health.ReaderBehind, j.table, "the table's judge is thousands of facts behind; a call was lost")
	}
}

// settle lets time pass, once all that was accepted before is folded in: a slow
// ledger must not make a call late that was in time.
func (j *judge) settle(ctx context.Context, now time.Time) error {
	for range len(j.inbox) {
		if err := j.fold(ctx, <-j.inbox); err != nil {
			return err
		}
	}
	return j.conclude(ctx, j.trk.Advance(now))
}

// interruption is a time at which the table could not be followed.
type interruption struct {
	at  time.Time
	why string
}

// lost takes note that the table could not be followed.
func (j *judge) lost(at time.Time, why string) {
	select {
	case j.inbox <- interruption{at, why}:
	default: // a judge so far behind has lost the round already
	}
}

// advanceEvery is how often time passes for a tracker to which nothing happens.
const advanceEvery = 100 * time.Millisecond

// run judges until ctx ends.
func (j *judge) run(ctx context.Context) error {
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
		case now := <-tick.C:
			if err := j.settle(ctx, now); err != nil {
				return err
			}
		}
	}
}

// leave folds in what was accepted already and keeps the tracker's state. The
// context has ended: what the ledger does not take at once is not kept.
func (j *judge) leave(ctx context.Context) error {
	for {
		select {
		case m := <-j.inbox:
			if err := j.fold(ctx, m); err != nil {
				return err
			}
		default:
			return j.keep(ctx)
		}
	}
}

// fold gives one fact to the tracker. Sensor lines are evidence and go into the
// ledger first.
func (j *judge) fold(ctx context.Context, m any) error {
	switch m := m.(type) {
	case fact.Observation:
		j.trk.Observe(m)
		j.state.observe(m)
		switch m.Kind {
		case fact.Settled, fact.Stirred:
			read := j.state.overlay(m.Camera, j.worth(m.Camera))
			j.show("overlay", m.Camera, read)
			j.record(m.Camera, m.Time, read)
		case fact.Gap, fact.Moved, fact.Blind:
			j.record(m.Camera, m.Time, nil) // what lies there now is not known
		}
	case fact.Sensed:
		if err := j.append(ctx, ledger.Sensor, m); err != nil {
			return err
		}
		j.trk.Hear(m)
	case interruption:
		j.trk.Lost(m.at, m.why)
	case *track.Tracker: // of the table calibrated anew: the round under way is lost with the old one
		if err := m.Restore(j.trk.Snapshot()); err != nil {
			j.log.Warn("the table's state is not carried over", "table", j.table, "err", err)
		}
		j.trk = m
		j.trk.Lost(time.Now(), "the camera was calibrated anew")
	}
	return nil
}

// append writes to the ledger.
func (j *judge) append(ctx context.Context, kind ledger.Kind, v any) error {
	return j.insist(ctx, func() error {
		_, err := j.book.Append(kind, j.table, v)
		return err
	})
}

// Pauses between attempts to write to a ledger that fails.
const (
	firstPause = 500 * time.Millisecond
	lastPause  = 5 * time.Second
)

// insist does f again until it succeeds. Nothing is shown that is not kept, so a
// table whose ledger fails waits, and says so; what happens meanwhile lies in the
// inbox.
func (j *judge) insist(ctx context.Context, f func() error) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := f()
		if err == nil {
			j.board.Clear(health.LedgerFailed, "ledger "+j.table)
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("table %s: %w", j.table, err)
		}
		j.board.Set(health.LedgerFailed, j.table, "ledger "+j.table, err.Error())
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// conclude carries out what the tracker says.
func (j *judge) conclude(ctx context.Context, outs []track.Out) error {
	for _, o := range outs {
		var err error
		switch o := o.(type) {
		case *track.PhaseChange:
			j.state.Phase = string(o.Phase)
			j.show("state", "", &j.state)
		case *track.Live:
			j.state.live(o)
			j.show("state", "", &j.state)
		case *track.Alert:
			err = j.alert(ctx, o)
		case *track.Round:
			err = j.round(ctx, o)
		case *track.Variance:
			err = j.variance(ctx, o)
		case *track.Note:
			err = j.note(ctx, o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (j *judge) note(ctx context.Context, n *track.Note) error {
	if n.Code == track.NoteLate {
		j.passing(health.SensorLate, j.table, n.Text)
	}
	if err := j.append(ctx, "note", n); err != nil {
		return err
	}
	j.publish(busNotes, n)
	return nil
}

// alertID is the same for a finding raised early and for the one of the finished round.
func alertID(table, round string, f round.Finding) string {
	return strings.Join([]string{table, round, string(f.Code), fmt.Sprint(f.Seat), f.Spot, f.Zone}, "/")
}

func (j *judge) alert(ctx context.Context, a *track.Alert) error {
	if a.State == track.Corrected {
		id := alertID(j.table, a.Round, a.Finding)
		return j.insist(ctx, func() error { return j.desk.Resolve(ctx, id) })
	}
	return j.raise(ctx, a.Round, a.Judged)
}

func (j *judge) raise(ctx context.Context, id string, f track.Judged) error {
	if !f.Alert {
		return nil
	}
	var amount int64
	if f.Delta != nil {
		amount = max(int64(*f.Delta), -int64(*f.Delta))
	}
	v := round.Verdict{ID: id, Norm: j.norm, Game: j.game}
	return j.raiseAlert(ctx, alert.Alert{
		ID: alertID(j.table, id, f.Finding), Kind: "finding", Table: j.table, Game: j.game, Norm: j.norm, Round: id,
		Code: string(f.Code), Severity: string(f.Severity), Seat: f.Seat, Spot: f.Spot, Expected: f.Expected, Observed: f.Observed,
		ES: j.say("es", v, f.Finding), EN: j.say("en", v, f.Finding), Rule: f.Rule, Probability: f.P, At: f.At, Amount: amount,
		Clip: &alert.Clip{Camera: j.camera, From: f.From, To: f.To},
	})
}

func (j *judge) raiseAlert(ctx context.Context, a alert.Alert) error {
	return j.insist(ctx, func() error { return j.desk.Raise(ctx, a) })
}

// kept is how a finished round stands in the ledger: the record and the verdict
// are the spec's own; this is what else is known of it.
type kept struct {
	Round         string         `json:"round"`
	Findings      []track.Judged `json:"findings"`
	Start         time.Time      `json:"start"`
	End           time.Time      `json:"end"`
	Times         []time.Time    `json:"times"`
	NotVerifiable string         `json:"not_verifiable,omitempty"`
}

// round keeps a finished round and shows it. Its alerts come first: a stop
// between the two must not leave a verdict of which nobody was told.
func (j *judge) round(ctx context.Context, r *track.Round) error {
	for _, f := range r.Findings {
		if err := j.raise(ctx, r.Record.ID, f); err != nil {
			return err
		}
	}
	if err := j.append(ctx, ledger.Round, r.Record); err != nil {
		return err
	}
	if err := j.append(ctx, ledger.Verdict, r.Verdict); err != nil {
		return err
	}
	if err := j.append(ctx, ledger.Judged, kept{r.Record.ID, r.Findings, r.Start, r.End, r.Times, r.NotVerifiable}); err != nil {
		return err
	}
	j.tell(r)
	return j.keep(ctx)
}

// tell shows a round that is kept.
func (j *judge) tell(r *track.Round) {
	j.publish(busRounds, r)
	j.last = &span{r.Start, r.End}
	j.ended = append(j.ended, r.End)
	for len(j.ended) > 0 && r.End.Sub(j.ended[0]) > time.Hour {
		j.ended = j.ended[1:]
	}
	j.perHour.Store(int64(len(j.ended)))
	j.state.finished(r, j.last, j.ended)
	j.show("state", "", &j.state)
	j.show("round", r.Record.ID, r)
}

func (j *judge) variance(ctx context.Context, v *track.Variance) error {
	j.publish(busVariances, v)
	said := func(lang string, r track.Reading) string { return explain.Reading(lang, r.By, r.What, r.Zone) }
	k, _ := alert.Find("variance_" + v.Fact) // a test holds the tracker's facts against the catalogue
	return j.raiseAlert(ctx, alert.Alert{
		ID:   fmt.Sprintf("%s/variance/%s/%d", j.table, v.Fact, v.Time.UnixMilli()),
		Kind: "variance", Table: j.table, Game: j.game, Norm: j.norm, Code: "variance_" + v.Fact, Severity: cmp.Or(k.Severity, "major"), Probability: 1,
		ES: fmt.Sprintf("%s: %s · %s", cmp.Or(k.ES, "Dos lecturas del mismo hecho no coinciden"), said("es", v.One), said("es", v.Other)),
		EN: fmt.Sprintf("%s: %s · %s", cmp.Or(k.EN, "Two readings of one fact disagree"), said("en", v.One), said("en", v.Other)),
		At: v.Time, Clip: &alert.Clip{Camera: j.camera, From: v.Time.Add(-2 * time.Second), To: v.Time.Add(2 * time.Second)},
	})
}

// keep puts the tracker's state into the ledger, so that a restart goes on from
// the last finished round.
func (j *judge) keep(ctx context.Context) error {
	return j.append(ctx, ledger.Snapshot, snapshot{Tracker: j.trk.Snapshot()})
}

// snapshot is the payload of a ledger entry of that kind.
type snapshot struct {
	Tracker []byte `json:"tracker"`
}
