package node

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/calibration"
	"vision/internal/config"
	"vision/internal/fact"
	"vision/internal/health"
	"vision/internal/money"
	"vision/recognize/host"
	"vision/recognize/wire"
	"vision/stream/preview"
	"vision/validate/finding"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// table is the pipeline of one gaming table. Tables share nothing but what the
// node lends them.
type table struct {
	cfg      config.Table
	node     *Node
	cameras  []*camera
	reader   atomic.Pointer[host.Reader]
	renewed  chan *host.Reader // a reader that takes over
	sight    sync.Mutex        // guards the cameras' calibrations
	judge    *judge
	previews map[string]*preview.Preview
	stats    map[string]*atomic.Pointer[wire.Stats]
	restarts atomic.Uint64
}

func newTable(n *Node, cfg config.Table, books *rulebook.Books) (*table, error) {
	t := &table{cfg: cfg, node: n, renewed: make(chan *host.Reader, 1), previews: map[string]*preview.Preview{}, stats: map[string]*atomic.Pointer[wire.Stats]{}}
	for _, c := range cfg.Cameras {
		cam := newCamera(t, c, n.source(c), n.store)
		cam.load()
		t.cameras = append(t.cameras, cam)
		t.stats[c.Name] = &atomic.Pointer[wire.Stats]{}
		t.previews[c.Name] = preview.New()
	}
	trk, err := newTracker(cfg, books, t.cameras, n.limits.Of)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", cfg.ID, err)
	}
	t.judge = n.newJudge(t, trk)
	reader, err := t.newReader()
	if err != nil {
		return nil, err
	}
	t.reader.Store(reader)
	return t, nil
}

// newReader makes the reader of the table's cameras as they are calibrated now.
func (t *table) newReader() (*host.Reader, error) {
	var views []host.Camera
	for _, c := range t.cameras {
		views = append(views, c.host())
	}
	return host.New(host.Config{
		Table: t.cfg.ID, Cameras: views, Log: t.node.log, Env: t.node.opts.ReaderEnv, Memory: t.node.opts.ReaderMemory,
		Seen:    t.seen,
		Picture: t.picture,
		Stats:   t.stat,
		Lost:    t.lost,
		Refused: t.refused,
	})
}

// seen hands on what the reader saw; that a camera was moved concerns people too.
func (t *table) seen(obs []fact.Observation) {
	for _, o := range obs {
		if o.Kind == fact.Moved {
			t.camera(o.Camera).moved(o)
		}
	}
	t.judge.observe(obs)
}

func (t *table) camera(name string) *camera {
	for _, c := range t.cameras {
		if c.cfg.Name == name {
			return c
		}
	}
	return t.cameras[0]
}

// worth is the value in cents of each kind of chip, by a camera's calibration.
func (t *table) worth(camera string) map[string]int64 { return worth(t.camera(camera).calibration()) }

func worth(cal *calibration.Table) map[string]int64 {
	out := map[string]int64{}
	if cal != nil {
		for _, c := range cal.Palette {
			out[c.ID] = c.Value
		}
	}
	return out
}

// record keeps what was read with the camera's pictures; nil: that is not known.
func (t *table) record(camera string, at time.Time, read []reading) {
	c := t.camera(camera)
	if c.recorder == nil {
		return
	}
	if b, err := json.Marshal(read); err != nil {
		t.node.log.Error("readings", "camera", camera, "err", err)
	} else {
		c.recorder.Readings(at, b)
	}
}

// read runs the reader, and the next one when the table is calibrated anew.
func (t *table) read(ctx context.Context) error {
	for {
		own, cancel := context.WithCancel(ctx)
		over := make(chan error, 1)
		go func() { over <- t.reader.Load().Run(own) }()
		select {
		case err := <-over:
			cancel()
			return err
		case next := <-t.renewed:
			cancel()
			<-over
			t.reader.Store(next)
		}
	}
}

// newTracker makes the tracker from the zones and palettes of all the table's
// cameras. limit says how sure a finding must be to be an alert; nil: as track has it.
func newTracker(cfg config.Table, books *rulebook.Books, cams []*camera, limit func(code finding.Code) float64) (*track.Tracker, error) {
	tc := track.Config{Table: cfg.ID, Game: cfg.Game, Norm: cfg.Norm, Min: money.Cents(cfg.Min), Max: money.Cents(cfg.Max),
		Decks: cfg.Decks, Options: cfg.Options, Books: books, Limit: limit}
	for _, c := range cams {
		if c.cal == nil {
			continue
		}
		tc.Zones = append(tc.Zones, c.cal.Zones...)
		if tc.Palette == nil {
			tc.Palette = c.cal.Palette
		}
	}
	return track.New(tc)
}

// run works until ctx ends. A part that fails is named; the node decides what
// becomes of the others.
func (t *table) run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, c := range t.cameras {
		g.Go(func() error { return c.run(ctx) })
	}
	g.Go(func() error { return t.read(ctx) })
	g.Go(func() error { return t.judge.run(ctx) })
	return g.Wait()
}

func (t *table) picture(camera string, jpeg []byte) {
	if p := t.previews[camera]; p != nil {
		if err := p.Update(jpeg); err != nil {
			t.node.log.Debug("preview", "camera", camera, "err", err)
		}
	}
}

func (t *table) stat(s wire.Stats) {
	if p := t.stats[s.Camera]; p != nil {
		p.Store(&s)
	}
	if s.Err != "" {
		t.node.board.Set(health.CameraUnreadable, t.cfg.ID, s.Camera, s.Err)
	} else if s.Read > 0 {
		t.node.board.Clear(health.CameraUnreadable, s.Camera)
		t.node.board.Clear(health.ReaderLost, t.cfg.ID)
	}
}

func (t *table) lost(err error) {
	t.restarts.Add(1)
	t.judge.lost(time.Now(), err.Error())
	t.node.board.Set(health.ReaderLost, t.cfg.ID, t.cfg.ID, err.Error())
}

func (t *table) refused(camera string, err error) {
	t.node.board.Set(health.CameraUnreadable, t.cfg.ID, camera, err.Error())
	t.judge.observe([]fact.Observation{{Table: t.cfg.ID, Camera: camera, Kind: fact.Blind, Since: time.Now(), Time: time.Now(), Note: err.Error()}})
}
