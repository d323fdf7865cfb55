package recognize

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/card"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
)

// tally counts what came of the things of one kind that lay on printed felts.
type tally struct{ laid, right, unread, wrong, spurious int }

func (a tally) String() string {
	return fmt.Sprintf("%4d laid: %4d right, %3d not read, %3d wrong; %3d that are none", a.laid, a.right, a.unread, a.wrong, a.spurious)
}

// count holds labels that were read ("?" where it is not said) against those that lie there.
func (a *tally) count(lie, read []string) {
	a.laid += len(lie)
	left := slices.Clone(read)
	missing := 0
	for _, l := range lie {
		if i := slices.Index(left, l); i >= 0 {
			left = slices.Delete(left, i, i+1)
			a.right++
		} else {
			missing++
		}
	}
	unsure := 0
	for _, l := range left {
		if l == "?" {
			unsure++
		}
	}
	wrong := min(missing, len(left)-unsure)
	a.wrong += wrong
	a.unread += missing - wrong
	a.spurious += max(0, len(left)-missing)
}

func namesOf(o fact.Observation) (out [3][]string) {
	say := func(k int, abstain, label string) {
		if abstain != "" {
			label = "?"
		}
		out[k] = append(out[k], label)
	}
	for _, c := range o.Cards {
		l, _ := fact.Best(c.Guesses)
		say(0, c.Abstain, l)
	}
	for _, s := range o.Chips {
		say(1, s.Abstain, strings.Join(s.Chips, "+"))
	}
	for _, d := range o.Dice {
		l, _ := fact.Best(d.Guesses)
		say(2, d.Abstain, l)
	}
	return out
}

// layAnything lays cards, chips and dice on every zone that is to hold them, and gives
// what lies in each.
func layAnything(t *testing.T, s *sim.Still, tab *Table, n int) map[string][3][]string {
	t.Helper()
	out := map[string][3][]string{}
	for i, z := range tab.zones {
		var lie [3][]string
		if (i+n)%3 == 0 { // some stay empty
			out[z.Name] = lie
			continue
		}
		if z.Wants("cards") {
			all := []card.Card{card.Card(1 + (7*n+5*i)%52)}
			if err := s.Cards(z.Name, all); err != nil {
				t.Fatal(err)
			}
			for _, c := range all {
				lie[0] = append(lie[0], c.String())
			}
		}
		if z.Wants("chips") {
			stacks, err := s.Stacks(z.Name, 1, 6, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, ids := range stacks {
				lie[1] = append(lie[1], strings.Join(ids, "+"))
			}
		}
		if z.Wants("dice") {
			faces, err := s.Dice(2)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faces {
				lie[2] = append(lie[2], fmt.Sprint(f))
			}
		}
		out[z.Name] = lie
	}
	return out
}

// printTrial reads a printed table, empty and with things laid on it. shift is by how
// many pixels the picture of the empty table is off; without known none is shown.
func printTrial(t *testing.T, cfg sim.Config, known bool, shift fact.Point, empty, laid *[3]tally) {
	t.Helper()
	s, err := sim.NewStill(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cal := s.Calibration()
	tab, err := NewTable(&cal, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	if known {
		file, err := s.Empty()
		if err != nil {
			t.Fatal(err)
		}
		img, err := cv.DecodeImage(file)
		if err != nil {
			t.Fatal(err)
		}
		defer img.Close()
		m := gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F)
		defer m.Close()
		for i, v := range []float64{1, 0, shift[0], 0, 1, shift[1]} {
			m.SetDoubleAt(i/3, i%3, v)
		}
		gocv.WarpAffineWithParams(img, &img, m, image.Pt(img.Cols(), img.Rows()), gocv.InterpolationLinear,
			gocv.BorderReplicate, color.RGBA{})
		if err := tab.LearnBackground(img); err != nil {
			t.Fatal(err)
		}
	}
	for n := range many(2, 6) {
		lie := map[string][3][]string{}
		sum := empty
		if n > 0 {
			lie, sum = layAnything(t, s, tab, n), laid
		}
		img, err := s.Picture()
		if err != nil {
			t.Fatal(err)
		}
		all, err := tab.Still(img, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range all {
			read := namesOf(o)
			for k := range read {
				before := sum[k]
				if sum[k].count(lie[o.Zone][k], read[k]); testing.Verbose() &&
					(sum[k].spurious > before.spurious || sum[k].wrong > before.wrong) {
					t.Logf("%s %d picture %d %s: %q lies, %q is read", cfg.Game, cfg.Seed, n, o.Zone, lie[o.Zone][k], read[k])
				}
			}
		}
		s.Clear()
	}
}

// numbers are those of a variable of the environment, or others.
func numbers(t *testing.T, name, other string) (out []uint64) {
	t.Helper()
	for _, f := range strings.Fields(cmp.Or(os.Getenv(name), other)) {
		var n uint64
		if _, err := fmt.Sscan(f, &n); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, n)
	}
	return out
}

// With a picture of the empty table, taken in other light and a pixel aside, nothing that
// is printed is read, and what lies there is read no worse. VISION_GAMES, VISION_SEEDS
// and VISION_PARTS say of which tables.
func TestPrintFigures(t *testing.T) {
	house, err := condition.Named(condition.House)
	if err != nil {
		t.Fatal(err)
	}
	set, err := house.Only(strings.Split(cmp.Or(os.Getenv("VISION_PARTS"), "felt,light,camera"), ",")...)
	if err != nil {
		t.Fatal(err)
	}
	type how struct {
		known bool
		off   fact.Point
	}
	empty, laid := map[how]*[3]tally{}, map[how]*[3]tally{}
	ways := []how{{}, {known: true}, {known: true, off: fact.Point{1.3, -0.9}}}
	for _, w := range ways {
		empty[w], laid[w] = new([3]tally), new([3]tally)
		for _, game := range strings.Split(cmp.Or(os.Getenv("VISION_GAMES"), "sic_bo"), ",") {
			for _, seed := range numbers(t, "VISION_SEEDS", "42") {
				printTrial(t, sim.Config{Game: game, Seed: seed, Condition: set}, w.known, w.off, empty[w], laid[w])
			}
		}
		for k, kind := range []string{"cards", "chips", "dice"} {
			t.Logf("%s, empty picture %v, off by %v: %s: nothing laid: %d read; %v", set.Name, w.known, w.off, kind, empty[w][k].spurious, laid[w][k])
		}
	}
	for _, w := range ways[1:] {
		for k, kind := range []string{"cards", "chips", "dice"} {
			if a, b := empty[w][k].spurious+laid[w][k].spurious, empty[ways[0]][k].spurious+laid[ways[0]][k].spurious; 10*a > b {
				t.Errorf("%s, off by %v: %d times print is read; without the empty picture %d times", kind, w.off, a, b)
			}
			if laid[w][k].wrong > laid[ways[0]][k].wrong {
				t.Errorf("%s, off by %v: %d wrong; without the empty picture %d", kind, w.off, laid[w][k].wrong, laid[ways[0]][k].wrong)
			}
		}
	}
}
