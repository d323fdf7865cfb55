package recognize

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/lab/sim"
	"vision/recognize/chip"
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
	at := time.Unix(1e6, 0)
	n := uint64(0)
	step := func() {
		at, n = at.Add(40*time.Millisecond), n+1
		if _, err := tab.Frame(img, at, n); err != nil {
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
					if tab.felt != nil { // nothing of the reading before is taken over
						tab.felt.Anew()
					}
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
		tab.felt.Anew() // nothing of the reading before is taken over
		if _, err := tab.chips.Read(img, chip.Hint{View: tab.view, Palette: tab.cal.Palette, Zone: z.Polygon,
			Felt: tab.felt}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLayoutChange reads a whole roulette layout of eleven stacks, again and again,
// in which one more stack comes and goes: with what was found before remembered, and
// looking at everything, in turns in one run, by processor time.
func BenchmarkLayoutChange(b *testing.B) {
	for _, plaques := range []bool{false, true} {
		b.Run(map[bool]string{false: "chips", true: "with plaques"}[plaques], func(b *testing.B) { layoutChange(b, plaques) })
	}
}

func layoutChange(b *testing.B, plaques bool) {
	st, err := sim.NewStill(sim.Config{Game: "ruleta_francesa", Seed: 6, Noise: 2, Plaques: plaques})
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	cal := st.Calibration()
	tab, err := NewTable(&cal, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer tab.Close()
	var places []calibration.Zone
	for _, z := range cal.Zones {
		if strings.HasPrefix(z.Name, "pleno:") || strings.HasPrefix(z.Name, "caballo:") {
			places = append(places, z)
		}
	}
	var pictures [2]gocv.Mat // without the stack and with it
	for k := range 12 {
		if _, err := st.Stacks(places[13*k%len(places)].Name, 1, 8, false); err != nil {
			b.Fatal(err)
		}
		if k >= 10 {
			m, err := st.Picture()
			if err != nil {
				b.Fatal(err)
			}
			pictures[k-10] = m.Clone()
			defer pictures[k-10].Close()
		}
	}
	z := tab.zones[slices.IndexFunc(tab.zones, func(z *zone) bool { return z.Name == "layout" })]
	plain := chip.NewFelt(cal.Size[0], cal.Size[1])
	read := func(felt *chip.Felt, n int) time.Duration {
		began := processor(b)
		if _, err := tab.chips.Read(pictures[n/3%2],
			chip.Hint{View: tab.view, Palette: cal.Palette, Zone: z.Polygon, Felt: felt}); err != nil {
			b.Fatal(err)
		}
		return processor(b) - began
	}
	var kept, whole time.Duration
	n := 0
	for range 12 { // what the felt looks like is learned
		read(plain, n)
		read(tab.felt, n)
		n++
	}
	for b.Loop() {
		plain.Anew()
		whole += read(plain, n)
		kept += read(tab.felt, n)
		n++
	}
	b.ReportMetric(whole.Seconds()*1e3/float64(b.N), "whole-ms")
	b.ReportMetric(kept.Seconds()*1e3/float64(b.N), "kept-ms")
	b.ReportMetric(float64(whole)/float64(kept), "whole/kept")
}

// processor is the time that this process had of the processors.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
