package sim

import (
	"hash/crc64"
	"image"
	"math"
	"slices"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
)

var allGames = []string{"blackjack", "punto_banco", "dados_craps", "ruleta_francesa"}

func house(t testing.TB) condition.Set { return set(t, condition.House) }

func set(t testing.TB, name string) condition.Set {
	t.Helper()
	c, err := condition.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newTable(t testing.TB, cfg Config) *Table {
	t.Helper()
	if cfg.Start.IsZero() {
		cfg.Start = time.Date(2026, 1, 2, 20, 0, 0, 0, time.UTC)
	}
	tab, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tab.Close)
	return tab
}

func step(t testing.TB, tab *Table) Frame {
	t.Helper()
	f, err := tab.Step()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func sum(t *testing.T, f Frame) uint64 {
	t.Helper()
	pix, err := f.Image.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	return crc64.Checksum(pix, crc64.MakeTable(crc64.ECMA))
}

func TestTheSameSeedShowsTheSamePictures(t *testing.T) {
	for _, game := range allGames {
		cfg := Config{Game: game, Seed: 4, Size: [2]int{480, 270}, FPS: 5, Faults: 0.5, Condition: house(t)}
		a, b := newTable(t, cfg), newTable(t, cfg)
		for range 100 {
			x, y := step(t, a), step(t, b)
			if sum(t, x) != sum(t, y) {
				t.Fatalf("%s: frame %d differs", game, x.N)
			}
		}
	}
}

// Every game must run for long without an act that cannot be shown; calls carry
// times in order, within the frame that brings them, and truths come up.
func TestTablesRun(t *testing.T) {
	for _, game := range allGames {
		tab := newTable(t, Config{Game: game, Seed: 8, Size: [2]int{480, 270}, FPS: 2, Speed: 2, Faults: 0.6})
		var last time.Time
		var truths, calls int
		ids := map[string]bool{}
		for range 480 {
			f := step(t, tab)
			for _, c := range f.Calls {
				if c.Time.Before(last) || c.Time.After(f.At) || ids[c.ID] {
					t.Fatalf("%s: call %+v at frame of %v after %v", game, c, f.At, last)
				}
				last, ids[c.ID] = c.Time, true
				calls++
			}
			if f.Truth != nil {
				truths++
			}
		}
		if truths < 3 || calls < 2*truths {
			t.Errorf("%s: %d rounds, %d calls in four minutes", game, truths, calls)
		}
	}
}

func TestCalibrationIsTheCameras(t *testing.T) {
	for _, game := range allGames {
		tab := newTable(t, Config{Game: game, Seed: 1, Size: [2]int{1280, 720}})
		cal := tab.Calibration()
		if err := cal.Check(); err != nil {
			t.Fatalf("%s: %v", game, err)
		}
		view, err := cal.View()
		if err != nil {
			t.Fatal(err)
		}
		for _, z := range cal.Zones {
			for _, mm := range z.Polygon {
				u, v := tab.cam.Project(mm[0], mm[1], 0)
				if got := view.ToImage(mm); math.Hypot(got[0]-u, got[1]-v) > 0.05 {
					t.Fatalf("%s: %v shows at %v, calibration says %v", game, mm, fact.Point{u, v}, got)
				}
				u, v = tab.cam.Project(mm[0], mm[1], -20)
				if got := view.ToImageAt(mm, 20); math.Hypot(got[0]-u, got[1]-v) > 0.1 {
					t.Fatalf("%s: 20 mm over %v shows at %v, calibration says %v", game, mm, fact.Point{u, v}, got)
				}
				if u < 0 || v < 0 || u > 1280 || v > 720 {
					t.Errorf("%s: zone %s leaves the picture", game, z.Name)
				}
			}
		}
	}
}

// The sizes that readers were promised, at full size.
func TestThingsAreLargeEnough(t *testing.T) {
	for _, game := range allGames {
		st, err := newStage(game, [2]int{1920, 1080})
		if err != nil {
			t.Fatal(err)
		}
		cam := scene.NewCamera(st.view)
		for _, z := range st.layout.Zones {
			c := z.Centre()
			if z.Wants("chips") && z.Spot != "seguro" {
				_, low := cam.Project(c[0], c[1], 0)
				_, top := cam.Project(c[0], c[1], -3.4)
				if low-top < 3.7 {
					t.Errorf("%s %s: a chip is %.1f px thick", game, z.Name, low-top)
				}
			}
			if z.Wants("cards") {
				_, y0 := cam.Project(c[0], c[1]-cardW/2, 0)
				_, y1 := cam.Project(c[0], c[1]+cardW/2, 0)
				if y1-y0 < 45 {
					t.Errorf("%s %s: a card lying across is %.1f px high", game, z.Name, y1-y0)
				}
			}
		}
	}
}

// What the script puts down must show at the place the calibration gives it.
func TestCardsShowWhereTheyLie(t *testing.T) {
	tab := newTable(t, Config{Game: "punto_banco", Seed: 2, Noise: -1})
	for range 2000 {
		step(t, tab)
		if tab.dir.next < len(tab.dir.round.Acts) && len(tab.dir.round.Acts[tab.dir.next].Sensed) > 0 &&
			tab.dir.round.Acts[tab.dir.next].Sensed[0].Args["call"] == "puntos" {
			break
		}
	}
	f := step(t, tab)
	for _, zone := range []string{"punto", "banca"} {
		at, err := tab.stage.cardAt(zone, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		bright := 0
		for dy := -40.0; dy <= 40; dy += 4 {
			for dx := -28.0; dx <= 28; dx += 4 {
				u, v := tab.cam.Project(at[0]+dx, at[1]+dy, 0)
				if p := f.Image.GetVecbAt(int(v), int(u)); p[0] > 180 && p[1] > 180 && p[2] > 180 {
					bright++
				}
			}
		}
		if bright < 80 {
			t.Errorf("%s: only %d of 315 points of the first card are white", zone, bright)
		}
	}
}

func TestBadConfigs(t *testing.T) {
	for name, cfg := range map[string]Config{
		"game": {Game: "bridge"},
		"size": {Game: "blackjack", Size: [2]int{20, 20}},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func TestEveryZoneOfTheScriptIsOnTheLayout(t *testing.T) {
	for game := range stages {
		st, err := newStage(game, [2]int{1920, 1080})
		if err != nil {
			t.Fatal(err)
		}
		g, err := script.New(
			script.Config{
				Game:    game,
				Table:   "T",
				Seed:    1,
				Seats:   st.seats,
				Palette: st.palette,
				Min:     st.min,
				Max:     st.max,
				Faults:  0.5,
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		for range 120 {
			for _, a := range g.Next().Acts {
				for _, c := range a.Cards {
					checkInside(t, st, c.Zone, 30, func() ([2]float64, error) { return st.cardAt(c.Zone, c.Slot, c.Across) })
				}
				for _, p := range a.Piles {
					checkInside(t, st, p.Zone, 4, func() ([2]float64, error) { return st.chipsAt(p.Zone, p.Slot) })
				}
			}
		}
	}
}

func checkInside(t *testing.T, st *stage, name string, margin float64, place func() ([2]float64, error)) {
	t.Helper()
	at, err := place()
	if err != nil {
		t.Fatal(err)
	}
	z := st.zone(name)
	x0, y0, x1, y1 := box(z.Polygon)
	if len(z.Reads) == 0 {
		margin = 0
	}
	if at[0] < x0+margin || at[0] > x1-margin || at[1] < y0+margin || at[1] > y1-margin {
		t.Fatalf("%s: %v lies outside zone %s %v", st.game, at, name, [4]float64{x0, y0, x1, y1})
	}
}

func BenchmarkStep(b *testing.B) {
	for _, game := range allGames {
		b.Run(game, func(b *testing.B) {
			tab := newTable(b, Config{Game: game, Seed: 1})
			b.ResetTimer()
			for range b.N {
				step(b, tab)
			}
		})
	}
}

// A bump shifts the picture for good, a second one further.
func TestBump(t *testing.T) {
	table, err := New(Config{Game: "boule", Size: [2]int{640, 360}, Noise: -1, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	shot := func() gocv.Mat {
		f, err := table.Step()
		if err != nil {
			t.Fatal(err)
		}
		return f.Image.Clone()
	}
	before := shot()
	defer before.Close()
	for n := 1; n <= 2; n++ {
		table.Bump([2]float64{11, 7})
		after := shot()
		r := image.Rect(0, 0, 640-11*n, 360-7*n)
		was, is := before.Region(r), after.Region(r.Add(image.Pt(11*n, 7*n)))
		diff := gocv.NewMat()
		gocv.AbsDiff(was, is, &diff)
		if m := diff.Mean(); m.Val1+m.Val2+m.Val3 > 1 {
			t.Errorf("after %d bumps the shifted pictures differ by %.1f grey levels", n, m.Val1)
		}
		for _, x := range []gocv.Mat{was, is, diff, after} {
			x.Close()
		}
	}
}

// A coded picture can be read again after it was encoded.
func TestCodedPicturesSayWhenTheyWereTaken(t *testing.T) {
	img := gocv.NewMatWithSize(360, 640, gocv.MatTypeCV8UC3)
	defer img.Close()
	at := time.UnixMilli(1_795_000_123_457)
	if err := stamp(&img, at); err != nil {
		t.Fatal(err)
	}
	var ms int64
	for b := range codeBits {
		if img.GetUCharAt(6, 3*((2+b)*640/codeCells+8)) > 128 {
			ms |= 1 << b
		}
	}
	if want := at.UnixMilli() & (1<<codeBits - 1); ms != want {
		t.Errorf("read %d, want %d", ms, want)
	}
	empty := gocv.NewMat()
	defer empty.Close()
	if stamp(&empty, at) == nil {
		t.Error("no picture was coded")
	}
}

// Every game that has a script can be shown, and none else.
func TestEveryScriptHasAStage(t *testing.T) {
	for _, game := range script.Games() {
		if _, ok := stages[game]; !ok {
			t.Errorf("%s has no line in stages (stage.go)", game)
		}
	}
	for game := range stages {
		if !slices.Contains(script.Games(), game) {
			t.Errorf("%s has a stage and no script", game)
		}
	}
}
