// Package sim is a camera over a gaming table that does not exist: it draws
// the tables of a casino as a fixed camera would see them, plays them by their
// rules with players, croupier, terminal and wheel sensor, commits faults on a
// seed, and knows the truth of every round.
//
// Readers learn about it only what they learn about a real table: the pictures,
// the calibration file, and what the sensors say.
package sim

import (
	"cmp"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/capture"
	"vision/internal/fact"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/deck"
	"vision/internal/lab/sim/ornament"
	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
	"vision/internal/money"
)

// Config of one simulated table. Zero fields take the defaults.
type Config struct {
	Game   string // code of the round record (Games)
	Table  string // id; default the game's code
	Camera string // name; default "sim", of those beside it "sim-2" and "sim-3"
	// View is which of the table's cameras it is: 0 the main one, over the players; 1 and 2 low ones
	// at its sides. Cameras of one seed see one play.
	View   int
	Seed   uint64  // everything follows from it
	Size   [2]int  // pixels; default 1920×1080
	FPS    float64 // default the condition's, or 12
	Speed  float64 // shortens the pauses of the play; default 1, a real table's pace
	Faults float64 // share of rounds with a fault, 0 to 1
	Only   []script.Fault
	Plant  script.Fault // see script.Config
	Mixed  float64      // share of bets in money chips laid as one stack of several kinds, 0 to 1
	// Condition is what the table is like beside its game; the zero one is ideal.
	Condition condition.Set
	Mishap    []script.Mishap // which mishaps come; nil: any
	// Plaques makes it a table of high stakes, whose set of chips holds plaques.
	Plaques bool
	Start   time.Time // time of the first frame; default now
	// Noise is the sensor's noise in grey levels (standard deviation); default
	// the condition's, or 0.9; negative for none.
	Noise float64
	// Coded pictures bear the time at which they were taken (see stamp).
	Coded bool
	// Calm has the camera take over only what changed, and the encoder cheaply, so that a machine
	// of two cores has time for who reads them: noise and light change with each key picture alone,
	// what moves is not blurred, and the quality is even.
	Calm bool
	// Film is how much of the play Studio films beforehand and then shows over and over, so that a
	// machine that is measured draws nothing meanwhile; nobody says anything. 0: the play goes on.
	Film time.Duration
}

func (c Config) filled() Config {
	def := func(s *string, v string) {
		if *s == "" {
			*s = v
		}
	}
	def(&c.Table, c.Game)
	def(&c.Camera, CameraName(c.View))
	if c.Size == [2]int{} {
		c.Size = [2]int{1920, 1080}
	}
	if c.FPS <= 0 {
		c.FPS = cmp.Or(c.Condition.Codec.FPS, 12)
	}
	if c.Start.IsZero() {
		c.Start = time.Now()
	}
	if c.Noise == 0 {
		c.Noise = cmp.Or(c.Condition.Camera.Noise, 0.9)
	}
	if c.Calm {
		c.Condition.Camera.Exposure = 0
	}
	return c
}

// CameraName is the name of a view where none is given.
func CameraName(view int) string {
	if view == 0 {
		return "sim"
	}
	return fmt.Sprintf("sim-%d", view+1)
}

// Frame is one picture with what was said and found out since the last one.
type Frame struct {
	// Image is BGR; it belongs to the Table and is valid until its next Step.
	Image gocv.Mat
	N     uint64
	At    time.Time
	Calls []fact.Sensed
	// Same tells that Image is that of the frame before, to the bit.
	Same bool
	// Changed is where Image differs from that of the frame before; nil: anywhere.
	Changed []image.Rectangle
	// Truth of the round that ended with this frame; nil within a round.
	Truth *script.Truth
	// Rack is what stood in the tubes of the bank's rack since the round before; nil without Truth.
	Rack []RackState
}

// Table is one simulated table with its camera, owned by one goroutine.
type Table struct {
	cfg   Config
	stage *stage
	cam   *scene.Camera
	scene *scene.Scene
	dir   *director
	game  *script.Game
	lens  *sensor
	upset *upsets
	heads *heads
	shake *tremble
	pace  pace
	// beside are the table's further cameras, which Serve shows with it.
	beside []*shot
	film   []capture.Unit // of Config.Film

	bumped atomic.Pointer[[2]float64] // where the camera stands beside its calibration, pixels

	n       uint64
	began   float64 // of the round, seconds of the table's clock
	pending int     // first act whose calls are not out yet
	same    int     // pictures in a row in which the scene was the one before
	drawn   bool
	last    uint64      // picture that was drawn last
	bump    *[2]float64 // bumped, at that time
}

// New sets a table up; it takes about a second at 1920×1080.
func New(cfg Config) (*Table, error) {
	cfg = cfg.filled()
	if cfg.Size[0] < 320 || cfg.Size[1] < 180 {
		return nil, fmt.Errorf("simulated table: picture of %d×%d: want at least 320×180", cfg.Size[0], cfg.Size[1])
	}
	st, err := newStage(cfg.Game, cfg.Size)
	if err != nil {
		return nil, err
	}
	if cfg.View == 0 {
		st.hang(cfg.Condition.Camera, cfg.Seed)
	} else if err := st.beside(cfg.View); err != nil {
		return nil, err
	}
	stakes := money.Cents(1)
	if cfg.Plaques {
		st.raise()
		stakes = high
	}
	game, err := script.New(script.Config{
		Stakes: stakes, Game: cfg.Game, Table: cfg.Table, Seed: cfg.Seed, Seats: st.seats, Palette: st.palette,
		Min: st.min, Max: st.max, Speed: cfg.Speed, Faults: cfg.Faults, Only: cfg.Only, Plant: cfg.Plant, Mixed: cfg.Mixed,
		Mishaps: cfg.Condition.Mishaps, Mishap: cfg.Mishap, Pace: cfg.Condition.Pace,
	})
	if err != nil {
		return nil, err
	}
	felt := st.printed(cfg.Condition.Felt, cfg.Seed)
	cam := scene.NewCamera(st.view)
	sc, err := scene.New(cam, felt, st.palette, cfg.Seed)
	if err != nil {
		return nil, err
	}
	if err := sc.Use(cfg.Condition.Chips, ornament.HouseOf(cfg.Seed), cfg.Seed); err != nil {
		return nil, err
	}
	if cfg.Calm {
		sc.ByBands()
	}
	dir, err := newDirector(st, sc, cfg.Seed)
	if err != nil {
		return nil, err
	}
	if dir.rack, err = newRack(st, sc, cfg.Condition.Hands, cfg.Seed); err != nil {
		return nil, err
	}
	t := &Table{cfg: cfg, stage: st, cam: cam, scene: sc, dir: dir, game: game, lens: newSensor(cfg)}
	t.upset = &upsets{on: cfg.Condition.Hands, dir: dir, rng: rand.New(rand.NewPCG(cfg.Seed, 0x0badf00d))}
	t.heads = newHeads(st, sc, cfg.Condition.Light.Shadow, rand.New(rand.NewPCG(cfg.Seed, 0x4ead)))
	t.shake = newTremble(cfg.Condition.Camera.Tremble, cfg.Size[0], rand.New(rand.NewPCG(cfg.Seed, 0x7e3b1e)))
	err = t.begin()
	return t, err
}

func (t *Table) begin() error {
	t.pending = 0
	if err := t.dir.begin(t.game.Next(), t.began); err != nil {
		return err
	}
	return t.upset.begin(t.began)
}

// Close gives the pictures' memory back.
func (t *Table) Close() {
	t.lens.close()
	for _, s := range t.beside {
		s.t.Close()
	}
}

// Step takes the next picture, 1/FPS later by the table's own clock.
func (t *Table) Step() (Frame, error) {
	now := float64(t.n) / t.cfg.FPS
	f := Frame{N: t.n, At: t.cfg.Start.Add(seconds(now))}
	t.n++
	if now-t.began >= t.dir.round.Length {
		f.Truth, f.Rack = new(t.dir.round.Truth), t.dir.rack.told()
		f.Calls = t.calls(now)
		t.began += t.dir.round.Length
		if err := t.begin(); err != nil {
			return f, err
		}
	}
	f.Calls = append(f.Calls, t.calls(now)...)
	by := t.bumped.Load()
	if t.drawn && f.N == t.last && by == t.bump && t.lens.rests() {
		f.Image, f.Same = t.lens.out, true
		return f, nil
	}
	t.drawn, t.last, t.bump = true, f.N, by
	t.upset.before(now)
	if err := t.draw(now); err != nil {
		return f, err
	}
	pic, changed := t.scene.Render()
	t.same++
	if len(changed) > 0 {
		t.same = 0
	}
	var err error
	shake := t.shake.at(now)
	if by != nil {
		shake[0] += by[0]
		shake[1] += by[1]
	}
	f.Image, err = t.lens.expose(pic, changed, now, shake)
	f.Same, f.Changed = t.lens.same, t.lens.changed
	return f, err
}

// calm reports whether nothing has moved on the table for half a second.
func (t *Table) calm() bool { return float64(t.same) >= t.cfg.FPS/2 }

// exposures is into how many moments the time of one picture is cut at most.
const exposures = 6

// draw shows what moves, at one moment or all through the time in which the picture
// is exposed, which ends at now.
func (t *Table) draw(now float64) error {
	t.heads.draw(now)
	n, open := 1, t.cfg.Condition.Camera.Exposure
	if open > 0 {
		n = exposures
	}
	for k := range n {
		at := now
		if k < n-1 {
			at -= open * float64(n-1-k) / float64(n-1)
		}
		t.scene.Moment()
		if err := t.dir.draw(at - t.began); err != nil {
			return err
		}
		t.upset.draw(at)
	}
	return nil
}

// Bump pushes the camera aside, so that its picture shifts by so many pixels and
// stays there. It may be called while the table is played.
func (t *Table) Bump(by [2]float64) {
	if was := t.bumped.Load(); was != nil {
		by[0] += was[0]
		by[1] += was[1]
	}
	t.bumped.Store(&by)
}

// calls are the sensor lines whose time has come.
func (t *Table) calls(now float64) []fact.Sensed {
	var out []fact.Sensed
	acts := t.dir.round.Acts
	for t.pending < len(acts) && acts[t.pending].At <= now-t.began {
		for _, s := range acts[t.pending].Sensed {
			s.Time = t.cfg.Start.Add(seconds(t.began + acts[t.pending].At))
			out = append(out, s)
		}
		t.pending++
	}
	return out
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Calibration is what a technician would have measured at this table.
func (t *Table) Calibration() calibration.Table {
	palette := slices.Clone(t.stage.palette)
	for i := range palette {
		palette[i].Face, palette[i].Edge = t.scene.Colors(palette[i].ID)
	}
	c := calibration.Table{Schema: "calibration/1", Table: t.cfg.Table, Camera: t.cfg.Camera, Size: t.cfg.Size,
		Lens: t.cam.Lens, Plane: t.cam.Plane(), Pose: t.cam.Pose(), Zones: t.stage.layout.Zones,
		Palette: palette, Card: [2]float64{cardW, cardH}}
	if t.cfg.View == 0 { // the others do not see all of it
		c.Rack = t.stage.rack
	}
	if t.stage.deck != "" {
		c.Deck = deck.Kind(t.stage.deck)
	}
	if t.stage.zone("dice") != nil {
		c.Die = dieEdge
	}
	return c
}

// House is how the table must be set up in vision.yaml: as House says, but for the
// limits of a table of high stakes.
func (t *Table) House() (min, max int64, options map[string]any) { return t.stage.house() }

// Bounds is the picture's rectangle.
func (t *Table) Bounds() image.Rectangle { return image.Rect(0, 0, t.cfg.Size[0], t.cfg.Size[1]) }
