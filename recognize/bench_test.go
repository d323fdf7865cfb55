package recognize

import (
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/lab/sim"
)

// still is a frame in the midst of a round, with its table.
func still(b *testing.B, game string, frame int) (*Table, gocv.Mat) {
	b.Helper()
	return stillOf(b, sim.Config{Game: game}, frame, false)
}

// stillOf is a picture of a table and its reader, to which the bare table may have been
// shown.
func stillOf(b *testing.B, cfg sim.Config, frame int, shown bool) (*Table, gocv.Mat) {
	b.Helper()
	cfg.Seed, cfg.Start = 7, time.Unix(1e6, 0)
	st, err := sim.New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(st.Close)
	cal, opts := st.Calibration(), Options{}
	if shown {
		if opts.Empty, err = st.Empty(); err != nil {
			b.Fatal(err)
		}
	}
	tab, err := NewTable(&cal, opts)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(tab.Close)
	for range frame {
		if _, err := st.Step(); err != nil {
			b.Fatal(err)
		}
	}
	f, err := st.Step()
	if err != nil {
		b.Fatal(err)
	}
	return tab, f.Image
}

// BenchmarkIdle is a frame of 1080p on which nothing moves.
func BenchmarkIdle(b *testing.B) {
	tab, img := still(b, "blackjack", 20)
	picture := cv.Still(img)
	at := time.Unix(1e6, 0)
	n := uint64(0)
	step := func() {
		at, n = at.Add(40*time.Millisecond), n+1
		if _, err := tab.Frame(picture, at, n); err != nil {
			b.Fatal(err)
		}
	}
	for range 60 {
		step()
	}
	for b.Loop() {
		step()
	}
}

// BenchmarkZone reads one zone once: its cards, its chips, those of a table that has
// plaques, its dice, or a whole roulette layout, of a table that has plaques too.
func BenchmarkZone(b *testing.B) {
	for _, c := range []struct {
		name, game, zone string
		frame            int
		plaques, shown   bool
	}{
		{"cards", "blackjack", "bank", 400, false, false},
		{"chips", "punto_banco", "seat:2 banca", 90, false, false},
		{"chips on known felt", "punto_banco", "seat:2 banca", 90, false, true},
		{"plaques", "punto_banco", "seat:2 banca", 90, true, false},
		{"dice", "dados_craps", "dice", 110, false, false},
		{"layout", "ruleta_francesa", "layout", 170, false, false},
		{"layout on known felt", "ruleta_francesa", "layout", 170, false, true},
		{"layout with plaques", "ruleta_francesa", "layout", 170, true, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			tab, img := stillOf(b, sim.Config{Game: c.game, Plaques: c.plaques}, c.frame, c.shown)
			for _, z := range tab.zones {
				if z.Name != c.zone {
					continue
				}
				things := 0
				for b.Loop() {
					z.reset()
					o, _, err := tab.read(z, img)
					if err != nil {
						b.Fatal(err)
					}
					things = len(o.Cards) + len(o.Chips) + len(o.Dice)
				}
				b.ReportMetric(float64(things), "things")
			}
		})
	}
}

// BenchmarkRectify rectifies the bank's cards.
func BenchmarkRectify(b *testing.B) {
	tab, img := still(b, "blackjack", 1)
	p := tab.zones[0].flat
	for b.Loop() {
		out := p.cut(img)
		out.Close()
	}
}

// BenchmarkEmptyChips reads a chip zone with nothing on it.
func BenchmarkEmptyChips(b *testing.B) {
	tab, img := still(b, "blackjack", 1)
	z, _ := tab.cal.Zone("seat:1 main")
	for b.Loop() {
		if _, err := tab.chips.Read(img, z.Polygon, nil); err != nil {
			b.Fatal(err)
		}
	}
}
