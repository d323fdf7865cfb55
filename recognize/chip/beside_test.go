package chip

import (
	"math"
	"slices"
	"syscall"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/deck"
)

// besides is a zone before which, behind which and beside which stacks stand, and cards lie.
type besides struct {
	*twins
	zone []fact.Point
	bare []byte
}

// newBesides has cards of every rank behind the zone, as close to it as they are laid.
func newBesides(t testing.TB, seed uint64) *besides {
	w := newTwins(newBenchAt(t, [3]float64{22, 92, 58}, seed, 0.965, palette), palette)
	img := w.picture()
	defer img.Close()
	d, err := deck.New(deck.Styles()[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range w.rnd.Perm(52)[:8] {
		at := fact.Point{360 + 66*float64(i), 210 + 12*w.rnd.Float64()}
		w.sc.Lay(w.sc.Card(d.Face(d.Cards()[c]), 58, 88, at[0], at[1], 0.2*w.rnd.Float64()-0.1), false, at[1])
	}
	return &besides{w, []fact.Point{{340, 268}, {840, 268}, {840, 380}, {340, 380}}, img.ToBytes()}
}

// read counts what stands in the zone, or also what stands beside it: nothing is remembered.
func (b *besides) read(img gocv.Mat, whole bool) []fact.Stack {
	b.t.Helper()
	felt := NewFelt(1920, 1080)
	felt.Bare(b.bare)
	s, err := b.reader.search(img, Hint{View: b.view, Palette: palette, Zone: b.zone, Felt: felt})
	if err != nil {
		b.t.Fatal(err)
	}
	s.whole = whole
	out, err := s.run(b.reader)
	if err != nil {
		b.t.Fatal(err)
	}
	return reported(out)
}

// A zone is read alike whether or not what stands beside it is counted, whatever that is and
// wherever it stands: cards behind it, high stacks before it and close to its edge.
func TestWhatStandsBesideIsNotCounted(t *testing.T) {
	readings, stacks, differ := 0, 0, 0
	for seed := range uint64(many(1, 12)) {
		b := newBesides(t, 40+seed)
		b.lay(palette[1].ID, 3, 430, 330)
		for range many(2, 20) {
			for range 3 {
				b.change()
			}
			img := b.picture()
			want, got := b.read(img, true), b.read(img, false)
			img.Close()
			readings, stacks = readings+1, stacks+len(want)
			if !alikeReported(got, want) {
				differ++
				t.Logf("seed %d: %s", seed, difference(got, want))
			}
		}
	}
	t.Logf("%d readings, %d stacks", readings, stacks)
	if differ > 0 || stacks < readings {
		t.Errorf("%d of %d readings differ, of %d stacks", differ, readings, stacks)
	}
}

// What a stack may be by the network's word on its height.
func TestTheGreatestHeight(t *testing.T) {
	of := func(p ...float64) told {
		w := make(told, flankMost+1)
		for n := range w {
			w[n] = math.Inf(-1)
		}
		for n, v := range p {
			w[n] = math.Log(v)
		}
		return w
	}
	for name, c := range map[string]struct {
		said told
		want int
	}{
		"nobody was asked":         {nil, 12},
		"no stack":                 {of(0.97, 0.01, 0.02), 0},
		"one chip":                 {of(0, 1), 1},
		"two, and hardly more":     {of(0.3, 0.3, 0.37, 0.02, 0.01), 2},
		"a little of each":         {of(0.1, 0.2, 0.3, 0.3, 0.1), 4},
		"more than may be counted": {append(of(0, 0.1)[:2], append(slices.Repeat([]float64{math.Inf(-1)}, 13), math.Log(0.9))...), 12},
	} {
		if got, want := c.said.seesNone(0.9), c.want == 0; got != want {
			t.Errorf("%s: sees none: %v, want %v", name, got, want)
		}
		if got := c.said.most(12); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// dealt is a table with cards right behind a zone for chips, in which nothing stands.
type dealt struct {
	img   gocv.Mat // the caller's to close
	felt  *Felt
	hint  Hint           // of the zone, without the cards
	cards [][]fact.Point // their outlines in the picture
}

func newDealt(t testing.TB, angle float64, names ...string) *dealt {
	st, err := sim.NewStill(sim.Config{Game: "punto_banco", Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	cal := st.Calibration()
	view, err := cal.View()
	if err != nil {
		t.Fatal(err)
	}
	bare, err := st.Picture()
	if err != nil {
		t.Fatal(err)
	}
	felt := NewFelt(bare.Cols(), bare.Rows())
	felt.Bare(bare.ToBytes())
	zone, _ := cal.Zone("seat:3 empate")
	d := &dealt{felt: felt, hint: Hint{View: view, Palette: cal.Palette, Zone: zone.Polygon, Felt: felt}}
	for i, name := range names {
		c, err := card.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		at := fact.Point{340 + 66*float64(i), 76}
		st.Card(c, at, angle)
		var outline []fact.Point
		for _, to := range [4]fact.Point{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			outline = append(outline, view.ToImage(fact.Point{at[0] + to[0]*cal.Card[0]/2, at[1] + to[1]*cal.Card[1]/2}))
		}
		d.cards = append(d.cards, outline)
	}
	img, err := st.Picture()
	if err != nil {
		t.Fatal(err)
	}
	d.img = img.Clone()
	return d
}

// search prepares a reading of the zone.
func (d *dealt) search(t testing.TB, r *Reader, cards [][]fact.Point) *search {
	hint := d.hint
	hint.Cards = cards
	s, err := r.search(d.img, hint)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Pips on white paper are like a white chip's inserts. Under most of those on cards that were read
// the network sees no stack: they are not counted.
func TestPipsAreNotCounted(t *testing.T) {
	d := newDealt(t, 0, "Td", "8c")
	defer d.img.Close()
	r := newReader(t)
	counted := func(cards [][]fact.Point) (faces, found int) {
		d.felt.Anew()
		s := d.search(t, r, cards)
		if out, err := s.run(r); err != nil || len(out) > 0 {
			t.Fatalf("%v, %v: want no stacks", out, err)
		}
		return len(s.memory.counts.now), len(s.memory.glances.now)
	}
	before, found := counted(nil)
	after, _ := counted(d.cards)
	if t.Logf("of %d faces %d are counted before the cards are read, %d after", found, before, after); before < 4 ||
		2*after > before {
		t.Errorf("%d of %d faces are counted, and with the cards known %d", before, found, after)
	}
}

// Where the network sees no stack there may be one whose side a nearer stack hides; nothing else
// hides it.
func TestASideThatIsUnseen(t *testing.T) {
	b := newBench(t, [3]float64{0.1, 0.25, 0.5}, 3)
	s := &search{
		hint: Hint{View: b.view, Palette: palette}, eye: b.view.Eye(), tones: &tones{paints: &paints{wear: inUse}},
	}
	face := func(x, y float64) top {
		at := fact.Point{x, y}
		return top{disc: disc{at: at, tall: par.face.tall}, px: b.view.ToImageAt(at, par.face.tall)}
	}
	behind := face(600, 300)
	x, y := s.away(behind.disc.at)
	nearer := face(600-45*x, 300-45*y)
	for name, c := range map[string]struct {
		other top
		high  int
		want  bool
	}{
		"a high stack before it":   {nearer, 10, true},
		"no stack before it":       {nearer, 0, false},
		"a high stack beside it":   {face(600+250*y, 300-250*x), 10, false},
		"a high stack behind it":   {face(600+45*x, 300+45*y), 10, false},
		"a stack far in front":     {face(600-200*x, 300-200*y), 3, false},
		"a low one right in front": {nearer, 1, true},
	} {
		tops := []top{behind, c.other}
		may := []reach{{}, {high: c.high}}
		if got := s.unseen(0, tops, may); got != c.want {
			t.Errorf("%s: unseen: %v, want %v", name, got, c.want)
		}
	}
}

// BenchmarkBeside reads a zone for chips behind which four cards lie, with the faces that they are like
// counted and not, in turns, by processor time.
func BenchmarkBeside(b *testing.B) {
	for name, cards := range map[string][]string{"court": {"Jh", "Qd", "Kh", "Jd"}, "pips": {"8s", "6h", "8h", "Ts"}} {
		b.Run(name, func(b *testing.B) { benchmarkBeside(b, newDealt(b, 0.03, cards...)) })
	}
}

func benchmarkBeside(b *testing.B, d *dealt) {
	defer d.img.Close()
	r := newReader(b)
	var took [2]time.Duration
	for b.Loop() {
		for k, whole := range [2]bool{true, false} {
			d.felt.Anew()
			s := d.search(b, r, d.cards)
			s.whole = whole
			began := processor(b)
			if _, err := s.run(r); err != nil {
				b.Fatal(err)
			}
			took[k] += processor(b) - began
		}
	}
	b.ReportMetric(took[0].Seconds()*1e3/float64(b.N), "whole-ms")
	b.ReportMetric(took[1].Seconds()*1e3/float64(b.N), "beside-ms")
	b.ReportMetric(float64(took[0])/float64(took[1]), "whole/beside")
}

// processor is the time that this process had of the processors.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
