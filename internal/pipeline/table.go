package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/calibration"
	"vision/internal/backoff"
	"vision/internal/child"
	"vision/internal/config"
	"vision/internal/fact"
	"vision/internal/health"
	"vision/internal/money"
	"vision/recognize/host"
	"vision/recognize/wire"
	"vision/validate"
	"vision/validate/room"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/session"
	"vision/validate/supervision"
	"vision/validate/track"
)

// Table is the pipeline of one gaming table.
type Table struct {
	cfg      config.Table
	deps     *Deps
	cameras  []*Camera
	reader   atomic.Pointer[Reader]
	renewed  chan Reader // one that takes over
	sight    sync.Mutex  // guards the cameras' calibrations
	loop     *tableLoop
	restarts atomic.Uint64
}

// New makes a table's pipeline. A camera that cannot be read is reported and still shown; it
// fails where the norm lacks the table's game.
func New(cfg config.Table, deps *Deps) (*Table, error) {
	t := &Table{cfg: cfg, deps: deps, renewed: make(chan Reader, 1)}
	for _, c := range cfg.Cameras {
		cam := newCamera(t, c)
		cam.load()
		t.cameras = append(t.cameras, cam)
		if _, err := mergedLayout(t.cameras); err != nil { // it would contradict those before it
			cam.cal = nil
			cam.unreadable(err)
		}
	}
	for _, c := range t.cameras {
		c.nameCoarse()
	}
	trk, err := newTracker(cfg, deps.Books, t.cameras, deps.policy(cfg.ID), deps.Patience)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", cfg.ID, err)
	}
	t.loop = newTableLoop(t, trk)
	reader, err := t.newReader()
	if err != nil {
		return nil, err
	}
	t.reader.Store(&reader)
	return t, nil
}

// CheckAll applies check (Plays, Check) to every table of a configuration. Each error has its
// file, line and key.
func CheckAll(cfg *config.Config, books *rulebook.Books, check func(config.Table, *rulebook.Books) error) error {
	var errs []error
	for i, t := range cfg.Tables {
		var bad *Fault
		switch err := check(t, books); {
		case errors.As(err, &bad):
			errs = append(errs, fmt.Errorf("tables[%d].%w", i, bad))
		case err != nil:
			errs = append(errs, fmt.Errorf("tables[%d]: %w", i, err))
		}
	}
	for i, game := range cfg.Supervision.WaivedMinimum {
		known := func(norm string) bool { _, _, err := books.Game(norm, game); return err == nil }
		if !slices.ContainsFunc(books.Codes(), known) {
			errs = append(errs, fmt.Errorf("supervision.waived_minimum[%d]: no norm has a game %q: "+
				"write its code, as the tables have it", i, game))
		}
	}
	return cfg.Locate(errors.Join(errs...))
}

// Fault is what is wrong with a key of a table's configuration.
type Fault struct {
	Key string // "game", "options.boxes", "cameras[0].calibration"
	Err error
}

func (f *Fault) Error() string { return f.Key + ": " + f.Err.Error() }

// Unwrap is what is wrong.
func (f *Fault) Unwrap() error { return f.Err }

// Plays reports whether a table's game can be played and followed: norm, game, options and limits.
// Its error is a *Fault where one key is wrong.
func Plays(t config.Table, books *rulebook.Books) error {
	switch _, _, err := books.Game(t.Norm, t.Game); {
	case errors.Is(err, rulebook.ErrUnknownNorm):
		return &Fault{"norm", err}
	case err != nil:
		return &Fault{"game", err}
	}
	if err := track.Follows(t.Game); err != nil {
		return &Fault{"game", err}
	}
	if err := playable(t, books); err != nil {
		return err
	}
	return unruled(t, books)
}

// Check reports whether a table could be opened whole: what Plays checks, and its calibrations.
// A node starts without these, too: such a camera is shown and recorded, not read.
func Check(t config.Table, books *rulebook.Books) error {
	if err := Plays(t, books); err != nil {
		return err
	}
	var cams []*Camera
	for i, c := range t.Cameras {
		cam := &Camera{cfg: c}
		if c.Calibration != "" {
			var err error
			if cam.cal, cam.empty, err = sightOf(c.Calibration, c.Empty); err != nil {
				return &Fault{fmt.Sprintf("cameras[%d].calibration", i), err}
			}
		}
		cams = append(cams, cam)
	}
	if _, err := newTracker(t, books, cams, nil, 0); err != nil {
		return fmt.Errorf("table %s: %w", t.ID, err)
	}
	return nil
}

// playable returns what the game finds wrong with the table's options and limits: a round
// without events is judged, and what is wrong with its table is found.
func playable(t config.Table, books *rulebook.Books) error {
	options := round.Options{}
	for name, v := range t.Options {
		b, err := json.Marshal(v)
		if err != nil {
			return &Fault{"options." + name, err}
		}
		options[name] = b
	}
	_, err := validate.Check(books, &round.Record{Schema: "round/1", ID: t.ID, Norm: t.Norm, Game: t.Game,
		Table: round.Table{ID: t.ID, Min: money.Cents(t.Min), Max: money.Cents(t.Max), Decks: t.Decks, Options: options}})
	var bad *round.Error
	if errors.As(err, &bad) {
		key, ours := strings.CutPrefix(bad.Path, "table.")
		option, isOption := strings.CutPrefix(key, "options.")
		name, _, _ := strings.Cut(option, ".")
		// An option that the configuration does not have may be known with each round only, as
		// the marca of circle poker.
		if _, has := options[name]; ours && (!isOption || has) {
			return &Fault{key, bad}
		}
	}
	return nil // that nothing was played is no fault of the table
}

// unruled returns what the norm finds wrong with the table's variant and with the options of its
// sessions: what it does not know would be left out of every judgement.
func unruled(t config.Table, books *rulebook.Books) error {
	norm, err := books.Norm(t.Norm)
	if err != nil {
		return &Fault{"norm", err}
	}
	if room, none := supervision.RoomOf(norm, room.Options{}); none == nil && t.Variant != "" {
		if _, bad := room.Variant("", t.Game, t.Variant); bad != nil {
			return &Fault{"variant", bad}
		}
	}
	if len(t.Session) == 0 {
		return nil
	}
	raw, err := json.Marshal(map[string]any{"schema": "session/1", "id": t.ID, "date": "2000-01-01", "norm": t.Norm, "table": t.ID, "game": t.Game,
		"options": t.Session, "events": []any{}})
	if err != nil {
		return &Fault{"session", err}
	}
	var bad *round.Error
	if _, err := session.Parse(raw); errors.As(err, &bad) {
		if key, ours := strings.CutPrefix(bad.Path, "options."); ours {
			return &Fault{"session." + key, bad}
		}
	}
	return nil
}

// Config is the table as it is configured.
func (t *Table) Config() config.Table { return t.cfg }

// Cameras are the table's views.
func (t *Table) Cameras() []*Camera { return t.cameras }

// Restarts is how often the reader process was replaced.
func (t *Table) Restarts() uint64 { return t.restarts.Load() }

// RoundsPerHour is the number of rounds that ended within the last hour.
func (t *Table) RoundsPerHour() int64 { return t.loop.perHour.Load() }

// Rounds is how many rounds have ended since the table's start, and how many of them could
// not be verified.
func (t *Table) Rounds() (all, notVerifiable uint64) {
	return t.loop.rounds.Load(), t.loop.unsure.Load()
}

// Quiet is how long no round has been under way; 0 while one is.
func (t *Table) Quiet() time.Duration {
	since := t.loop.quiet.Load()
	if since == 0 {
		return 0
	}
	return time.Since(time.Unix(0, since))
}

// SetLimits puts limits into force from the next round on, in cents; high 0 is not known.
func (t *Table) SetLimits(low, high int64) {
	if !t.loop.enqueue(limits{low, high}) {
		t.loop.behind("a change of the limits was lost")
	}
}

// Watch asks the reader for preview pictures of a camera, or for no more of them.
func (t *Table) Watch(camera string, on bool) { (*t.reader.Load()).Preview(camera, on) }

// Accept takes one line of a sensor or terminal. When it returns nil the line is in the ledger and
// will be judged, also after a kill; one whose source and id were taken before counts once. After
// an error, within seconds, it is to be sent again.
func (t *Table) Accept(s fact.Sensed) error { return t.loop.in.accept(s) }

// newReader makes the reader of the table's cameras as they are calibrated now.
func (t *Table) newReader() (Reader, error) {
	var views []host.Camera
	for _, c := range t.cameras {
		views = append(views, c.host())
	}
	hang := time.Duration(0)
	if t.deps.Patience > 0 {
		hang = child.Hang + t.deps.Patience
	}
	return t.deps.reader(host.Config{
		Table: t.cfg.ID, Cameras: views, Log: t.deps.Log,
		Env: t.deps.ReaderEnv, Decoder: t.deps.Decoder, Memory: t.deps.ReaderMemory, Hang: hang,
		Seen:    t.observe,
		Picture: t.deps.Picture,
		Stats:   t.stat,
		Lost:    t.lost,
		Refused: t.refused,
	})
}

// observe passes on the reader's observations; a moved or frozen camera also raises an alert.
func (t *Table) observe(obs []fact.Observation) {
	var out []fact.Observation
	for _, o := range obs {
		if o.Kind == fact.Watermark && o.Unread == 0 && t.deps.Watermark != nil {
			t.deps.Watermark(t.cfg.ID, o.Time)
		}
		switch o.Kind {
		case fact.Frozen:
			out = append(out, t.camera(o.Camera).frozen(o)...)
			continue
		case fact.Moved:
			t.camera(o.Camera).moved(o)
		}
		out = append(out, t.played(o))
	}
	t.loop.observe(out)
}

// played limits an unwatched time to the play in it: where the play waits for its readers,
// nothing else can have been missed.
func (t *Table) played(o fact.Observation) fact.Observation {
	switch o.Kind {
	case fact.Watermark, fact.MotionStarted, fact.Gap:
		gap, most := o.Time.Sub(o.Since), t.deps.Lead
		if !o.Since.IsZero() && most > 0 && gap > most && gap < t.deps.Patience {
			o.Since = o.Time.Add(-most)
		}
	}
	return o
}

func (t *Table) camera(name string) *Camera {
	for _, c := range t.cameras {
		if c.cfg.Name == name {
			return c
		}
	}
	return t.cameras[0]
}

// calibrationOf is how a camera of the table is calibrated now; nil where it is not.
func (t *Table) calibrationOf(camera string) *calibration.Table {
	return t.camera(camera).Calibration()
}

// worth is the value in cents of each kind of chip, by a calibration.
func worth(cal *calibration.Table) map[string]int64 {
	out := map[string]int64{}
	if cal != nil {
		for _, c := range cal.Palette {
			out[c.ID] = c.Value
		}
	}
	return out
}

// record stores readings beside the camera's recording; nil: unknown.
func (t *Table) record(camera string, at time.Time, read []Reading) {
	c := t.camera(camera)
	if c.recorder == nil {
		return
	}
	if b, err := json.Marshal(read); err != nil {
		t.deps.Log.Error("readings dropped", "camera", camera, "err", err)
	} else {
		c.recorder.Readings(at, b)
	}
}

// read runs the reader, and its successor after a new calibration.
func (t *Table) read(ctx context.Context) error {
	for {
		own, cancel := context.WithCancel(ctx)
		over := make(chan error, 1)
		go func() { over <- (*t.reader.Load()).Run(own) }()
		select {
		case err := <-over:
			cancel()
			return err
		case next := <-t.renewed:
			cancel()
			<-over
			t.reader.Store(&next)
		}
	}
}

// Run works until ctx ends or all cameras have ended. A table of which a part fails is
// restarted without disturbing others.
func (t *Table) Run(ctx context.Context) {
	var b backoff.Backoff
	for {
		began := time.Now()
		err := t.run(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil { // all its cameras have ended
			t.deps.Log.Info("all cameras of the table ended", "table", t.cfg.ID)
			return
		}
		t.deps.Log.Error("table failed, restarting", "table", t.cfg.ID, "err", err)
		t.loop.interrupted(time.Now(), err.Error())
		if time.Since(began) > time.Minute {
			b.Reset()
		}
		if b.Wait(ctx) != nil {
			return
		}
	}
}

// run works until ctx ends. A part that fails is reported, and ends the others.
func (t *Table) run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, c := range t.cameras {
		g.Go(func() error { return c.run(ctx) })
	}
	g.Go(func() error { return t.read(ctx) })
	g.Go(func() error { return t.loop.run(ctx) })
	return g.Wait()
}

func (t *Table) stat(s wire.Stats) {
	c := t.camera(s.Camera)
	c.read.Store(&s)
	c.setProblem(health.DecoderSoftware, s.Refused)
	switch {
	case s.Err != "":
		c.unreadable(errors.New(s.Err))
	case s.Read > 0:
		c.readable(c.Calibration())
		t.deps.Board.Clear(health.ReaderLost, t.cfg.ID)
	}
}

func (t *Table) lost(err error) {
	t.restarts.Add(1)
	t.loop.interrupted(time.Now(), err.Error())
	t.deps.Board.Set(health.ReaderLost, t.cfg.ID, t.cfg.ID, err.Error())
}

func (t *Table) refused(camera string, err error) {
	t.camera(camera).unreadable(err)
	t.loop.observe(
		[]fact.Observation{
			{Table: t.cfg.ID, Camera: camera, Kind: fact.Blind, Since: time.Now(), Time: time.Now(), Note: err.Error()},
		},
	)
}
