package chip

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/fact"
)

// twins read the same pictures: one remembers what it found, the other looks at
// everything each time.
type twins struct {
	*bench
	palette      []calibration.Chip
	one, all     *Reader
	felt, plain  *Felt
	take         map[fact.Point]func() // what lies on the places
	places       [2]int                // across and deep
	noise, light float64
}

func newTwins(b *bench, palette []calibration.Chip) *twins {
	return &twins{bench: b, palette: palette, one: newReader(b.t), all: newReader(b.t),
		felt: NewFelt(1920, 1080), plain: NewFelt(1920, 1080), take: map[fact.Point]func(){},
		places: [2]int{20, 9}, light: 1}
}

// crowd has things come and go in a third of the table, to which its zone is narrowed.
func (w *twins) crowd() {
	w.places = [2]int{12, 7}
	w.zone = []fact.Point{{50, 70}, {640, 70}, {640, 420}, {50, 420}}
	for range 10 {
		w.change()
	}
}

// showBare shows both the table with nothing on it.
func (w *twins) showBare() {
	img := w.picture()
	defer img.Close()
	pix := img.ToBytes()
	w.felt.Bare(pix)
	w.plain.Bare(pix)
}

// picture is the table in a light, with a camera's noise.
func (w *twins) picture() gocv.Mat {
	img := w.shoot(90)
	if w.noise == 0 && w.light == 1 {
		return img
	}
	pix, err := img.DataPtrUint8()
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range pix {
		pix[i] = uint8(min(255, max(0, math.Round(float64(pix[i])*w.light+w.noise*w.rnd.NormFloat64()))))
	}
	return img
}

// whole reads a picture and looks at everything.
func (w *twins) whole(img gocv.Mat) []fact.Stack {
	w.t.Helper()
	w.plain.Anew()
	out, err := w.all.Read(img, Hint{View: w.view, Palette: w.palette, Zone: w.zone, Felt: w.plain})
	if err != nil {
		w.t.Fatal(err)
	}
	return reported(out)
}

// reported are stacks without the probabilities that were weighed: of them the last digits
// follow from the order of sums.
func reported(list []fact.Stack) []fact.Stack {
	for i := range list {
		list[i].Weighed.P = nil
	}
	return list
}

// remembering reads a picture and takes over what did not change: so many stacks.
func (w *twins) remembering(img gocv.Mat) (out []fact.Stack, kept int) {
	w.t.Helper()
	out, err := w.one.Read(img, Hint{View: w.view, Palette: w.palette, Zone: w.zone, Felt: w.felt})
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range out {
		if out[i].Kept {
			kept++
		}
		out[i].Kept = false
	}
	return reported(out), kept
}

// change lays a stack or a pile on one of the places, which are as near to one another as
// stacks can stand, takes it away or lays another there.
func (w *twins) change() {
	w.t.Helper()
	at := fact.Point{100 + 44*float64(w.rnd.IntN(w.places[0])), 120 + 42*float64(w.rnd.IntN(w.places[1]))}
	if take := w.take[at]; take != nil {
		take()
		delete(w.take, at)
		if w.rnd.IntN(2) == 0 {
			return
		}
	}
	var ids []string
	var round, flat []string
	for _, c := range w.palette {
		if c.Plaque() {
			flat = append(flat, c.ID)
		} else {
			round = append(round, c.ID)
		}
	}
	if len(flat) > 0 && w.rnd.IntN(3) == 0 {
		ids = slices.Repeat([]string{flat[w.rnd.IntN(len(flat))]}, 1+w.rnd.IntN(2))
	}
	kind, n := round[w.rnd.IntN(len(round))], 1+w.rnd.IntN(9)
	if len(ids) > 0 {
		n = w.rnd.IntN(4)
	}
	for range n {
		if w.rnd.IntN(6) == 0 {
			kind = round[w.rnd.IntN(len(round))]
		}
		ids = append(ids, kind)
	}
	sp, err := w.sc.Pile(ids, at[0], at[1], 0.4)
	if err != nil {
		w.t.Fatal(err)
	}
	id := w.sc.Lay(sp, true, at[1])
	w.take[at] = func() { w.sc.Take(id) }
}

// many is a number of samples: all of them with VISION_TRIAL=all.
func many(few, all int) int {
	if os.Getenv("VISION_TRIAL") == "all" {
		return all
	}
	return few
}

// Chips and plaques come and go, also beside and behind others: a reading that takes over
// what did not change is the same as one that looks at everything; probabilities are to a
// thousandth: what is known of the felt goes on being learned, by less than counts a change.
func TestTakenOverIsTheSame(t *testing.T) {
	for _, c := range []struct {
		name    string
		palette []calibration.Chip
		steps   int
		shown   bool // the bare felt was
	}{{"chips", palette, 10, false}, {"chips on known felt", palette, 5, true}, {"plaques", withPlaques, 4, false}} {
		t.Run(c.name, func(t *testing.T) {
			differ, readings, stacks, kept := 0, 0, 0, 0
			for seed := range uint64(many(1, 4)) {
				w := newTwins(newBenchAt(t, [3]float64{22, 92, 58}, 20+seed, 0.965, c.palette), c.palette)
				if c.shown {
					w.showBare()
				}
				w.crowd()
				for step := range many(c.steps, 40) {
					for range w.rnd.IntN(4) {
						if step > 2 {
							w.change()
						}
					}
					for range 1 + w.rnd.IntN(4) {
						img := w.picture()
						one, k := w.remembering(img)
						all := w.whole(img)
						img.Close()
						readings, stacks, kept = readings+1, stacks+len(all), kept+k
						if !alikeReported(one, all) {
							differ++
							t.Logf("step %d: %s", step, difference(one, all))
						}
					}
				}
			}
			t.Logf("%d of %d readings differ; %d of %d stacks taken over", differ, readings, kept, stacks)
			if differ > 0 || 4*kept < stacks {
				t.Errorf("%d of %d readings differ, %d of %d stacks taken over; want none, and a quarter", differ, readings, kept, stacks)
			}
		})
	}
}

// alikeReported reports whether two readings say the same, but for a thousandth of their probabilities.
func alikeReported(one, all []fact.Stack) bool {
	return slices.EqualFunc(one, all, func(a, b fact.Stack) bool {
		if math.Abs(a.P-b.P) < 0.0015 {
			a.P = b.P
		}
		return reflect.DeepEqual(a, b)
	})
}

// difference says which stacks two readings do not share.
func difference(one, all []fact.Stack) (out string) {
	for _, p := range [2]struct {
		name string
		a, b []fact.Stack
	}{{"taken over", one, all}, {"whole", all, one}} {
		for _, s := range p.a {
			if !slices.ContainsFunc(p.b, func(o fact.Stack) bool { return reflect.DeepEqual(o, s) }) {
				out += fmt.Sprintf("%s %v %d-%d %.3f %s at %.2f; ", p.name, s.Chips, s.Low, s.High, s.P, s.Abstain, s.At)
			}
		}
	}
	return out
}

// said is what a reading says of each stack, by its place.
func said(list []fact.Stack) map[[2]int]string {
	out := map[[2]int]string{}
	for _, s := range list {
		at := [2]int{int(math.Round((s.At[0] - 100) / 44)), int(math.Round((s.At[1] - 120) / 42))}
		out[at] = fmt.Sprint(strings.Join(s.Chips, "+"), s.Low, s.High, s.Abstain)
	}
	return out
}

// unlike counts the places of which two readings do not say the same.
func unlike(a, b map[[2]int]string) (n int) {
	for at, v := range a {
		if b[at] != v {
			n++
		}
	}
	for at := range b {
		if _, ok := a[at]; !ok {
			n++
		}
	}
	return n
}

// With a camera's noise a reading that takes over differs from one that looks at
// everything no more than two of those do, of two pictures of the same table.
func TestTakenOverInNoise(t *testing.T) {
	w := newTwins(newBench(t, [3]float64{22, 92, 58}, 31), palette)
	w.noise = 4
	other := newTwins(w.bench, palette)
	other.noise = w.noise
	w.crowd()
	differ, pictures, stacks, kept := 0, 0, 0, 0
	for step := range many(12, 120) {
		if step > 2 && step%3 == 0 {
			w.change()
		}
		img, again := w.picture(), w.picture()
		one, k := w.remembering(img)
		all, next := said(w.whole(img)), said(other.whole(again))
		img.Close()
		again.Close()
		differ, pictures = differ+unlike(said(one), all), pictures+unlike(all, next)
		stacks, kept = stacks+len(all), kept+k
	}
	t.Logf("of %d stacks %d taken over; %d read otherwise than by looking at everything, %d otherwise in two pictures", stacks, kept, differ, pictures)
	if kept == 0 || differ > pictures+pictures/4+3 {
		t.Errorf("of %d stacks %d taken over; %d read otherwise than by looking at everything, in two pictures %d", stacks, kept, differ, pictures)
	}
}

// A stack and a pile of plaques are changed for others of the same height in the same
// place, of which nothing else tells than their colours: the next reading says so, and
// what stayed beside them is taken over.
func TestWhatChangedIsNotTakenOver(t *testing.T) {
	w := newTwins(newBenchAt(t, [3]float64{22, 92, 58}, 33, 0.965, withPlaques), withPlaques)
	w.noise, w.zone = 2, []fact.Point{{270, 140}, {690, 140}, {690, 380}, {270, 380}}
	round, flat := fact.Point{330, 250}, fact.Point{600, 300}
	lay := func(at fact.Point, ids ...string) (take func()) {
		sp, err := w.sc.Pile(ids, at[0], at[1], 0.4)
		if err != nil {
			t.Fatal(err)
		}
		id := w.sc.Lay(sp, true, at[1])
		return func() { w.sc.Take(id) }
	}
	read := func() (stack, pile string, kept int) {
		img := w.picture()
		defer img.Close()
		list, kept := w.remembering(img)
		for _, s := range list {
			if math.Hypot(s.At[0]-round[0], s.At[1]-round[1]) < 8 {
				stack = strings.Join(s.Chips, "+")
			}
			if math.Hypot(s.At[0]-flat[0], s.At[1]-flat[1]) < 12 {
				pile = strings.Join(s.Chips, "+")
			}
		}
		return stack, pile, kept
	}
	lay(fact.Point{450, 200}, "25", "25", "25") // stays
	stacks := [2][]string{{"5", "5", "5", "5"}, {"100", "100", "100", "100"}}
	piles := [2][]string{{"p5000"}, {"p500"}}
	var takes [2]func()
	for step := range 4 {
		for _, take := range takes {
			if take != nil {
				take()
			}
		}
		takes = [2]func(){lay(round, stacks[step%2]...), lay(flat, piles[step%2]...)}
		kept := 0
		for k := range 2 * (par.memory.agreeing + uint32(par.felt.sure)) {
			var stack, pile string
			if stack, pile, kept = read(); stack != strings.Join(stacks[step%2], "+") || pile != piles[step%2][0] {
				t.Errorf("change %d, reading %d: %q and %q, want %v and %v", step, k, stack, pile, stacks[step%2], piles[step%2])
			}
		}
		if kept == 0 {
			t.Errorf("change %d: nothing is taken over after all", step)
		}
	}
}

// What is known of a point's colour is forgotten where it changes while it is hidden.
func TestHiddenChangesAreForgotten(t *testing.T) {
	m := &memory{now: 20, since: []uint32{20 - par.memory.agreeing, 20 - par.memory.agreeing + 1}}
	s := &plaques{search: &search{memory: m}}
	c := &likes{bits: []uint64{asked | 1, asked | 1, asked | 1}, block: []int32{0, 1, -1}}
	for at := range c.bits {
		c.hide(s, at)
	}
	if want := []uint64{asked | 1, 0, 0}; !slices.Equal(c.bits, want) {
		t.Errorf("of points that stayed, changed and are not watched %x is known, want %x", c.bits, want)
	}
}

// What changes everywhere, or is not known of this camera as it stands, is looked at
// anew, and everything is now and then, so that no error stays.
func TestNothingIsTakenOver(t *testing.T) {
	w := newTwins(newBench(t, [3]float64{22, 92, 58}, 32), palette)
	w.zone = []fact.Point{{250, 150}, {500, 150}, {500, 350}, {250, 350}}
	w.lay("5", 4, 330, 250)
	w.lay("25", 6, 420, 260)
	img := w.picture()
	defer func() { img.Close() }()
	read := func() int {
		list, kept := w.remembering(img)
		if len(list) != 2 {
			t.Fatalf("read as %+v", list)
		}
		return kept
	}
	settle := func(why string) {
		t.Helper()
		for k := range par.memory.agreeing {
			if kept := read(); kept > 0 {
				t.Errorf("%s: %d stacks taken over in reading %d", why, kept, k)
			}
		}
		kept := 0
		for range 20 { // until the felt is known
			if kept = read(); kept == 2 {
				return
			}
		}
		t.Errorf("%s: %d stacks taken over after all, want both", why, kept)
	}
	settle("at first")
	img.Close()
	w.light = 0.75
	img = w.picture()
	settle("in another light")
	w.felt.Anew()
	settle("after Anew")
	view := *w.view
	w.view = &view
	settle("calibrated anew")
	if n := len(w.felt.zones); n > 2 {
		t.Errorf("%d zones are remembered, want those of two calibrations", n)
	}
	looked := false
	for range par.memory.renewed {
		looked = looked || read() == 0
	}
	if !looked {
		t.Errorf("in %d readings not one looked at everything", par.memory.renewed)
	}
}

// A part of the table that a camera does not show is as it was, wherever beside the picture it
// lies; one at the picture's border counts as far as it shows.
func TestWhatIsBesideThePictureIsStill(t *testing.T) {
	const w, h = 8 * blockSide, 4 * blockSide
	m := &memory{now: 9, box: box{0, 0, w - 1, h - 1}, wide: 8, since: make([]uint32, 8*4)}
	m.since[2*8+7] = 8 // the block at the right border, the third from above
	for name, c := range map[string]struct {
		at   box
		want bool
	}{
		"left":              {box{-90, 5, -20, 30}, true},
		"right":             {box{w + 20, 5, w + 90, 30}, true},
		"above":             {box{5, -90, 30, -20}, true},
		"below":             {box{5, h + 20, 30, h + 90}, true},
		"inside":            {box{5, 5, 30, h - 1}, true},
		"over the border":   {box{w - 30, 2 * blockSide, w + 90, h - 1}, false},
		"where it changed":  {box{w - 30, 2 * blockSide, w - 1, h - 1}, false},
		"beside the change": {box{w - 30, 0, w - 1, 2*blockSide - 1}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := m.still(c.at.within(w, h), 3); got != c.want {
				t.Errorf("still: %v, want %v", got, c.want)
			}
		})
	}
}
