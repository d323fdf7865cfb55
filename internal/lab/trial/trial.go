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

	"gocv.io/x/gocv"

	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/script"
	"vision/recognize"
	"vision/validate"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// Games are tried where no others are named; sim.Games lists all that can be.
var Games = []string{"blackjack", "punto_banco", "dados_craps", "ruleta_francesa"}

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

// bench is a table with camera, reader and tracker.
type bench struct {
	*follower
	cfg   Config
	sim   *sim.Table
	film  *film
	table *recognize.Table
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
	b := &bench{cfg: cfg, busy: newBusy(cfg)}
	var err error
	if b.sim, err = sim.New(sim.Config{Game: cfg.Game, Seed: cfg.Seed, Faults: cfg.Faults, Only: cfg.Only,
		Mixed: cfg.Mixed, Plaques: cfg.Plaques, Condition: cfg.Condition, Mishap: cfg.Mishap, FPS: cfg.FPS, Speed: cfg.Speed,
		Start: Start}); err != nil {
		return nil, err
	}
	if err := b.equip(books); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// equip sets up what watches the table.
func (b *bench) equip(books *rulebook.Books) (err error) {
	cal := calibrated(b.sim, b.cfg.NoRack)
	var opts recognize.Options
	if !b.cfg.NoEmpty && !b.cfg.Condition.Ideal() {
		if opts.Empty, err = b.sim.Empty(); err != nil {
			return err
		}
	}
	if b.table, err = recognize.NewTable(&cal, opts); err != nil {
		return err
	}
	if !b.cfg.Plain {
		if b.film, err = newFilm(b.sim); err != nil {
			return err
		}
	}
	if b.follower, err = follow(b.cfg.Game, b.sim, &cal, books); err != nil {
		return err
	}
	b.trace = b.cfg.Trace
	if b.cfg.Keep == nil {
		return nil
	}
	b.keep = json.NewEncoder(b.cfg.Keep)
	return b.keep.Encode(head{b.cfg.Game, b.cfg.Seed, b.cfg.Rounds, b.cfg.Plaques, b.cfg.NoRack})
}

func (b *bench) close() {
	b.sim.Close()
	if b.table != nil {
		b.table.Close()
	}
	if b.film != nil {
		b.film.close()
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
		f, err := b.sim.Step()
		if !bumped && f.At.Sub(Start).Seconds() >= b.cfg.Bump {
			bumped = true
			b.sim.Bump(sim.Push)
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

// look takes one frame all the way.
func (b *bench) look(f sim.Frame) error {
	for _, c := range f.Calls {
		if err := b.feed(fed{At: c.Time, Heard: &c}); err != nil {
			return err
		}
	}
	see := func(img gocv.Mat, damaged bool) error {
		if b.busy.at(f.At) {
			return nil
		}
		for _, o := range b.busy.said {
			if err := b.feed(fed{At: f.At, Seen: &o}); err != nil {
				return err
			}
		}
		read := b.table.Frame
		if damaged {
			read = b.table.Damaged
		}
		obs, err := read(img, f.At, f.N)
		if b.busy.said = nil; b.busy.begin(f.At) {
			b.busy.said = obs
			return err
		}
		for _, o := range obs {
			err = errors.Join(err, b.feed(fed{At: f.At, Seen: &o}))
		}
		return err
	}
	var err error
	if b.film == nil {
		err = see(f.Image, false)
	} else {
		err = b.film.show(f, see)
	}
	return errors.Join(err, b.feed(fed{At: f.At}))
}
