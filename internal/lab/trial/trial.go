// Package trial plays simulated tables through the whole way from picture to
// alert, in one goroutine and in the tables' own time: drawn, encoded as H.264,
// decoded, watched and read, followed and judged, and held against the truth.
//
// The machine's load changes how long a trial takes and nothing of its outcome.
package trial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/script"
	"vision/recognize"
	"vision/validate"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// Config of one trial.
type Config struct {
	Game      string
	Seed      uint64
	Rounds    int // to play; at least 1
	Faults    float64
	Mixed     float64        // share of bets that are stacks of several kinds
	Plaques   bool           // a table of high stakes, which has plaques
	Only      []script.Fault // nil: all that the game knows
	Condition condition.Set
	Mishap    []script.Mishap // which mishaps come; nil: any
	FPS       float64         // default the condition's, or 12
	Cameras   int             // of the table; default 1, the main one
	Size      [2]int          // pictures of the main camera, pixels; default 1920×1080
	Speed     float64         // of the play; default 1
	// Starve is the share of pictures that keep the reader busy for 0.3 to 0.9 s:
	// those that come meanwhile are not looked at, and it is told later what was seen.
	Starve float64
	// Bump is when the camera is pushed aside by some pixels, in seconds; 0: never.
	Bump float64
	// NoEmpty leaves out the picture of the empty table, which is else taken before the
	// play under all conditions but the laboratory's.
	NoEmpty bool
	// NoRack leaves the bank's rack out of the calibration: it is played, and nobody reads it.
	NoRack bool
	// Plain leaves encoding and decoding out.
	Plain bool
	// Trace gets a line for everything that is seen, heard and concluded; may be nil.
	Trace io.Writer
	// Keep gets all that the tracker is told and what was played, for Again; may be nil.
	Keep io.Writer
}

// SeedOf is the seed by which a game is played where one seed is given for several: each
// draws its mistakes, mishaps and cards by itself, whatever else is played.
func SeedOf(seed uint64, game string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(game)) // it never fails
	return uint64(rand.New(rand.NewPCG(seed, h.Sum64())).Uint32())
}

// Start is the time of every trial's first frame.
var Start = time.Date(2026, 1, 2, 20, 0, 0, 0, time.UTC)

// tail is for how long the table is watched after its last round, so that the
// round can be finished.
const tail = 12 * time.Second

// step is how often the tracker learns the time, as in the node.
const step = 100 * time.Millisecond

// shipped are the norms of every trial, read once.
var shipped = sync.OnceValues(func() (*rulebook.Books, error) { return validate.Books() })

// Run plays one table. A long trial ends early with ctx's error.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	if cfg.Rounds < 1 {
		return nil, fmt.Errorf("trial of %s: %d rounds: want at least 1", cfg.Game, cfg.Rounds)
	}
	books, err := shipped()
	if err != nil {
		return nil, err
	}
	b, err := newBench(cfg, books)
	if err != nil {
		return nil, fmt.Errorf("trial of %s: %w", cfg.Game, err)
	}
	defer b.close()
	if err := b.play(ctx); err != nil {
		return nil, fmt.Errorf("trial of %s: %w", cfg.Game, err)
	}
	return compare(cfg, books, b.truths, b.told, b.opened)
}

// bench is a table with cameras, reader and tracker.
type bench struct {
	*follower
	cfg     Config
	cameras []*camera // the main one first
}

// camera is one view of the table: what shows it, and what reads that.
type camera struct {
	sim   *sim.Table
	film  *film
	table *recognize.Table
	cal   calibration.Table
	busy  *busy
}

// truth is what was played, and when.
type truth struct {
	script.Truth
	from, to time.Time
}

// told is what the tracker said, and when.
type told struct {
	out track.Out
	at  time.Time
}

func newBench(cfg Config, books *rulebook.Books) (*bench, error) {
	b := &bench{cfg: cfg}
	for view := range max(1, cfg.Cameras) {
		c, err := newCamera(cfg, view)
		if err != nil {
			b.close()
			return nil, err
		}
		b.cameras = append(b.cameras, c)
	}
	if err := b.equip(books); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// newCamera makes one view of a table.
func newCamera(cfg Config, view int) (*camera, error) {
	c := &camera{busy: newBusy(cfg)}
	of := sim.Config{Game: cfg.Game, Seed: cfg.Seed, Faults: cfg.Faults, Only: cfg.Only, View: view,
		Mixed: cfg.Mixed, Plaques: cfg.Plaques, Condition: cfg.Condition, Mishap: cfg.Mishap, FPS: cfg.FPS, Speed: cfg.Speed,
		Start: Start}
	if view == 0 {
		of.Size = cfg.Size
	}
	var err error
	if c.sim, err = sim.New(of); err != nil {
		return nil, err
	}
	if err := c.equip(cfg); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// equip sets up what reads the camera.
func (c *camera) equip(cfg Config) (err error) {
	c.cal = calibrated(c.sim, cfg.NoRack)
	var opts recognize.Options
	if !cfg.NoEmpty && !cfg.Condition.Ideal() {
		if opts.Empty, err = c.sim.Empty(); err != nil {
			return err
		}
	}
	if c.table, err = recognize.NewTable(&c.cal, opts); err != nil {
		return err
	}
	if !cfg.Plain {
		c.film, err = newFilm(c.sim)
	}
	return err
}

// equip sets up what follows the table.
func (b *bench) equip(books *rulebook.Books) (err error) {
	var cals []*calibration.Table
	for _, c := range b.cameras {
		cals = append(cals, &c.cal)
	}
	if b.follower, err = follow(b.cfg.Game, b.cameras[0].sim, cals, books); err != nil {
		return err
	}
	b.trace = b.cfg.Trace
	if b.cfg.Keep == nil {
		return nil
	}
	b.keep = json.NewEncoder(b.cfg.Keep)
	return b.keep.Encode(head{b.cfg.Game, b.cfg.Seed, b.cfg.Rounds, b.cfg.Plaques, b.cfg.NoRack, len(cals)})
}

func (b *bench) close() {
	for _, c := range b.cameras {
		c.close()
	}
}

func (c *camera) close() {
	c.sim.Close()
	if c.table != nil {
		c.table.Close()
	}
	if c.film != nil {
		c.film.close()
	}
}

// play goes on until the rounds are played and the last is told.
func (b *bench) play(ctx context.Context) error {
	from := Start
	end, bumped := time.Time{}, b.cfg.Bump <= 0
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := b.cameras[0].sim.Step()
		if !bumped && f.At.Sub(Start).Seconds() >= b.cfg.Bump {
			bumped = true
			b.cameras[0].sim.Bump(sim.Push)
		}
		if err != nil {
			return err
		}
		if f.Truth != nil && len(b.truths) < b.cfg.Rounds {
			if err := b.feed(fed{At: f.At, Began: from, Truth: f.Truth}); err != nil {
				return err
			}
			from = f.At
			if len(b.truths) == b.cfg.Rounds {
				end = f.At.Add(tail)
			}
		}
		if !end.IsZero() && f.At.After(end) {
			return nil
		}
		if err := b.look(f); err != nil {
			return fmt.Errorf("frame %d: %w", f.N, err)
		}
	}
}

// look takes one frame of the main camera all the way, and those of the others at its time.
func (b *bench) look(f sim.Frame) error {
	for _, c := range f.Calls {
		if err := b.feed(fed{At: c.Time, Heard: &c}); err != nil {
			return err
		}
	}
	if err := b.see(b.cameras[0], f); err != nil {
		return err
	}
	for _, c := range b.cameras[1:] {
		f, err := c.sim.Step()
		if err == nil {
			err = b.see(c, f)
		}
		if err != nil {
			return fmt.Errorf("camera %s: %w", c.cal.Camera, err)
		}
	}
	return b.feed(fed{At: f.At})
}

// see has a camera's frame read.
func (b *bench) see(c *camera, f sim.Frame) error {
	read := func(p cv.Picture, damaged bool) error {
		if c.busy.at(f.At) {
			return nil
		}
		for _, o := range c.busy.said {
			if err := b.feed(fed{At: f.At, Seen: &o}); err != nil {
				return err
			}
		}
		read := c.table.Frame
		if damaged {
			read = c.table.Damaged
		}
		obs, err := read(p, f.At, f.N)
		if c.busy.said = nil; c.busy.begin(f.At) {
			c.busy.said = obs
			return err
		}
		for _, o := range obs {
			err = errors.Join(err, b.feed(fed{At: f.At, Seen: &o}))
		}
		return err
	}
	if c.film == nil {
		return read(cv.Still(f.Image), false)
	}
	return c.film.show(f, read)
}
