package pipeline

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/calibration"
	"vision/calibration/density"
	"vision/capture"
	"vision/internal/backoff"
	"vision/internal/config"
	"vision/internal/health"
	"vision/recognize/host"
	"vision/recognize/wire"
	"vision/stream/record"
)

// Camera is one view of a table: where its pictures come from and where they go.
type Camera struct {
	cfg      config.Camera
	table    *Table
	source   capture.Source
	feed     *capture.Feed
	cal      *calibration.Table // nil: shown and recorded, not read; sight guards it
	empty    []byte             // file of its picture of the empty table; nil: none was taken
	recorder *record.Recorder
	low      *capture.Feed              // of the substream, for tiles; nil: there is none
	plain    []*plain                   // copies of both for browsers that do not play them as they come
	read     atomic.Pointer[wire.Stats] // the reader's newest statistics; nil before the first

	lack   sync.Mutex
	lacked time.Time // when it was last without pictures or connection

	movedAlert atomic.Pointer[string] // id of the alert that it was moved, while it holds
	dropped    atomic.Uint64          // of the recorder, when last looked at
	droppedAt  atomic.Int64           // when that last grew, ns
}

// lowSuffix after a camera's name is its substream.
const lowSuffix = "~low"

func newCamera(t *Table, cfg config.Camera) *Camera {
	c := &Camera{cfg: cfg, table: t, source: t.deps.Source(cfg)}
	c.feed = capture.NewFeed(cfg.Name, c.state, c.blind)
	c.feed.Patience = t.deps.Patience
	if cfg.Substream != "" {
		c.low = capture.NewFeed(cfg.Name+lowSuffix, nil, nil)
	}
	for _, f := range []*capture.Feed{c.feed, c.low} {
		if f != nil {
			c.plain = append(c.plain, &plain{of: f, feed: capture.NewFeed(f.Name+plainSuffix, nil, nil), deps: t.deps})
		}
	}
	if t.deps.Store != nil {
		c.recorder = t.deps.Store.Recorder(t.cfg.ID, cfg.Name)
	}
	return c
}

// Config is the camera as it is configured.
func (c *Camera) Config() config.Camera { return c.cfg }

// Table is the table that it looks at.
func (c *Camera) Table() *Table { return c.table }

// Feed hands out the camera's units.
func (c *Camera) Feed() *capture.Feed { return c.feed }

// Named reports whether this is a name of the camera or of one of its streams.
func (c *Camera) Named(name string) bool {
	return strings.TrimSuffix(strings.TrimSuffix(name, plainSuffix), lowSuffix) == c.cfg.Name
}

// FeedOf finds the feed of this name among a camera's; nil where it is none.
func (c *Camera) FeedOf(name string) *capture.Feed {
	switch name {
	case c.cfg.Name:
		return c.feed
	case c.cfg.Name + lowSuffix:
		return c.low
	}
	for _, p := range c.plain {
		if p.feed.Name == name {
			return p.feed
		}
	}
	return nil
}

// Reader is what the table's reader last reported of its work on the camera; nil before the first.
func (c *Camera) Reader() *wire.Stats { return c.read.Load() }

// load reads the calibration. A camera without one, or with one that cannot be
// used, is shown and recorded all the same.
func (c *Camera) load() {
	cal, empty, err := c.loadFiles()
	if err != nil {
		c.unreadable(err)
		return
	}
	c.cal, c.empty = cal, empty
	c.readable(cal)
}

// loadFiles is the calibration with its picture of the empty table as the files have them now.
func (c *Camera) loadFiles() (*calibration.Table, []byte, error) {
	path := c.CalibrationFile()
	if _, err := os.Stat(path); c.cfg.Calibration == "" && err != nil {
		return nil, nil, errors.New("it has no calibration; make one at /calibrate/" + c.cfg.Name + " or with `vision calibrate`")
	}
	cal, err := calibration.Load(path)
	if err != nil {
		return nil, nil, err
	}
	empty, err := emptyOf(c.table.deps.Data, c.cfg, cal)
	return cal, empty, err
}

// readable clears the problem that the camera cannot be read, except where its calibration
// lacks heights: what needs none is still read.
func (c *Camera) readable(cal *calibration.Table) {
	if cal != nil {
		if err := cal.Heights(); err != nil {
			c.unreadable(err)
			return
		}
	}
	c.setProblem(health.CameraUnreadable, "")
}

// nameCoarse names what the camera sees with too few pixels, or from an angle at which nothing can be
// read, and no other camera of the table sees well; nothing where its heights are named as the
// problem.
func (c *Camera) nameCoarse() {
	detail := ""
	if c.cal != nil && c.cal.Heights() == nil {
		if zones, err := density.Beside(c.cal, c.table.besides(c)...); err == nil {
			detail = density.Sentence(zones, density.Poor)
		}
	}
	c.setProblem(health.CameraCoarse, detail)
}

// besides are the calibrations of a table's other cameras; sight guards them.
func (t *Table) besides(c *Camera) (out []*calibration.Table) {
	for _, o := range t.cameras {
		if o != c && o.cal != nil {
			out = append(out, o.cal)
		}
	}
	return out
}

// sightOf loads a camera's calibration and its picture of the empty table, nil where no
// file is named.
func sightOf(file, picture string) (cal *calibration.Table, empty []byte, err error) {
	if cal, err = calibration.Load(file); err != nil || picture == "" {
		return cal, nil, err
	}
	empty, err = cal.ReadEmpty(picture)
	return cal, empty, err
}

func (c *Camera) unreadable(err error) { c.setProblem(health.CameraUnreadable, err.Error()) }

// recordQueue is how many units the recorder's subscription holds: some seconds
// of a slow disk. The recorder has a queue of its own behind it.
const recordQueue = 250

// run receives pictures until ctx ends or the camera does.
func (c *Camera) run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	over, cancel := context.WithCancel(ctx)
	g.Go(func() error {
		defer cancel()
		err := c.source.Run(ctx, c.feed)
		if err == nil {
			c.feed.Finish()
		}
		return err
	})
	g.Go(func() error { c.feed.Watch(over); return nil })
	g.Go(func() error { c.inspect(over); return nil })
	for _, p := range c.plain {
		g.Go(func() error { p.run(over); return nil })
	}
	if c.low != nil {
		g.Go(func() error { return c.runLow(over) })
	}
	if c.recorder != nil {
		c.table.record(c.cfg.Name, time.Now(), nil) // until the reader has seen the table
		g.Go(func() error { return c.recorder.Run(ctx) })
		g.Go(func() error { return c.record(ctx) })
	}
	return g.Wait()
}

// runLow receives the substream while the camera runs. Its failure shows in the tiles
// and in the log only.
func (c *Camera) runLow(ctx context.Context) error {
	src := c.table.deps.Source(config.Camera{Name: c.low.Name, URL: c.cfg.Substream})
	if err := src.Run(ctx, c.low); err != nil && ctx.Err() == nil {
		c.table.deps.Log.Warn("substream failed", "camera", c.cfg.Name, "err", err)
	}
	return nil
}

// steady is how long pictures must come before a loss of pictures is over: longer than a
// source waits for packets or between retries, so that an unsteady camera is reported once.
const steady = 10 * time.Second

// inspect clears the problems of a camera once its pictures come steadily, and names a stream
// that browsers cannot play, and one that is too poor to be read, until ctx ends.
func (c *Camera) inspect(ctx context.Context) {
	var q quality
	c.lack.Lock()
	c.lacked = time.Now()
	c.lack.Unlock()
	var reported time.Time // the loss of pictures whose end was reported
	_ = backoff.Every(ctx, time.Second, func(time.Time) {
		reported = c.reportSteady(reported)
		reorders := ""
		if v, _ := c.feed.Video(); v.Problem != nil {
			reorders = v.Problem.Error()
		}
		c.setProblem(health.CameraReorders, reorders)
		if c.table.deps.Patience == 0 {
			c.setProblem(health.CameraPoor, q.assess(time.Now(), c.feed.Stats()))
		}
	})
}

// setProblem sets a problem of the camera while it has one.
func (c *Camera) setProblem(code, detail string) {
	if detail == "" {
		c.table.deps.Board.Clear(code, c.cfg.Name)
		return
	}
	c.table.deps.Board.Set(code, c.table.cfg.ID, c.cfg.Name, detail)
}

// record hands the units to the recorder.
func (c *Camera) record(ctx context.Context) error {
	sub := c.feed.Subscribe(recordQueue)
	defer sub.Close()
	for {
		u, err := sub.Next(ctx)
		if err != nil {
			return nil // the camera has ended, or the node does
		}
		c.recorder.Unit(u)
	}
}

// reportSteady reports the end of a loss of pictures once they have come for a while, and returns
// the loss that it last reported.
func (c *Camera) reportSteady(reported time.Time) time.Time {
	c.lack.Lock()
	defer c.lack.Unlock()
	now := time.Now()
	switch {
	case c.feed.Stats().Units == 0 || c.feed.Blind() || c.feed.LastState().Err != nil:
		c.lacked = now
	case !c.lacked.Equal(reported) && now.Sub(c.lacked) >= steady:
		c.endBlind()
		return c.lacked
	}
	return reported
}

// state reports that the source has connected or lost its connection.
func (c *Camera) state(s capture.State) {
	clock := ""
	if s.Clock != nil {
		clock = s.Clock.Error()
	}
	c.setProblem(health.CameraClock, clock)
	if !s.Up && s.Err != nil {
		c.lack.Lock()
		defer c.lack.Unlock()
		c.lacked = time.Now()
		c.setProblem(health.CameraDown, s.Err.Error())
	}
}

// host is the camera as the reader process gets it.
func (c *Camera) host() host.Camera {
	return host.Camera{
		Name:        c.cfg.Name,
		Calibration: c.cal,
		Empty:       c.empty,
		Open:        func() host.Units { return c.feed.Subscribe(readQueue) },
	}
}

// readQueue is how many units may wait for the reader's feeder.
const readQueue = 128
