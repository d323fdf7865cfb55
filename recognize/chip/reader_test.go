package chip

import (
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/fact"
	"vision/internal/lab/sim/scene"
)

// palette has the kinds that are hard beside the easy ones: a chip of the
// felt's colour, a black one, a white one.
var palette = []calibration.Chip{
	{ID: "0.5", Face: "#c9b08a", Edge: "#5a3a1c", Diameter: 39, Thickness: 3.4, Value: 50},
	{ID: "1", Face: "#e8e6df", Edge: "#2a4fa0", Diameter: 39, Thickness: 3.4, Value: 100},
	{ID: "2.5", Face: "#e58fb0", Edge: "#f4f0e8", Diameter: 39, Thickness: 3.4, Value: 250},
	{ID: "5", Face: "#c4232b", Edge: "#f2efe6", Diameter: 39, Thickness: 3.4, Value: 500},
	{ID: "25", Face: "#1f8a4c", Edge: "#f0e9d2", Diameter: 39, Thickness: 3.4, Value: 2500},
	{ID: "100", Face: "#26262b", Edge: "#e9c34a", Diameter: 39, Thickness: 3.4, Value: 10000},
	{ID: "500", Face: "#6b3fa0", Edge: "#f0c9e0", Diameter: 39, Thickness: 3.4, Value: 50000},
}

// bench is a rendered table to lay stacks on.
type bench struct {
	t      testing.TB
	sc     *scene.Scene
	view   *calibration.View
	rnd    *rand.Rand
	ids    []scene.ID
	zone   []fact.Point
	reader *Reader // of what is read once
}

// newBench renders a felt of 1200 mm under an oblique 1080p camera.
func newBench(t testing.TB, cloth [3]float64, seed uint64) *bench {
	t.Helper()
	return newBenchAt(t, cloth, seed, 0.965, palette)
}

// newBenchAt has the camera tilted so many radians off the vertical.
func newBenchAt(t testing.TB, cloth [3]float64, seed uint64, tilt float64, palette []calibration.Chip) *bench {
	t.Helper()
	const width, depth, distance = 1200, 620, 3000.0
	v := scene.View{Size: [2]int{1920, 1080}, Target: [2]float64{width / 2, depth/2 - 60}, Distance: distance, Tilt: tilt,
		Yaw: 0.02, Roll: 0.006, Scale: 1920.0 / (width + 40) * (1 - depth/2*math.Sin(tilt)/distance),
		Dist: [5]float64{-0.09, 0.05, 0.0004, -0.0003, 0}}
	cam := scene.NewCamera(v)
	felt := scene.NewFelt(image.Rect(-300, -700, width+300, depth+450), cloth)
	l, err := layout.New("ruleta_francesa", layout.Dims{})
	if err != nil {
		t.Fatal(err)
	}
	felt.Draw.SetRGB255(240, 235, 215)
	felt.Draw.SetLineWidth(3)
	for _, c := range l.Cells {
		felt.Draw.DrawRectangle(c.Rect[0], c.Rect[1], c.Rect[2]-c.Rect[0], c.Rect[3]-c.Rect[1])
		felt.Draw.Stroke()
	}
	sc, err := scene.New(cam, felt, palette, seed)
	if err != nil {
		t.Fatal(err)
	}
	c := calibration.Table{Size: v.Size, Lens: cam.Lens, Plane: cam.Plane(), Pose: cam.Pose()}
	view, err := c.View()
	if err != nil {
		t.Fatal(err)
	}
	return &bench{t: t, sc: sc, view: view, reader: newReader(t), rnd: rand.New(rand.NewPCG(seed, 9)),
		zone: []fact.Point{{20, 20}, {1180, 20}, {1180, 600}, {20, 600}}}
}

func (b *bench) lay(kind string, n int, x, y float64) {
	b.t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = kind
	}
	sp, err := b.sc.Stack(ids, x, y)
	if err != nil {
		b.t.Fatal(err)
	}
	b.ids = append(b.ids, b.sc.Lay(sp, true, y))
}

func (b *bench) clear() {
	for _, id := range b.ids {
		b.sc.Take(id)
	}
	b.ids = nil
}

// shoot is the frame, through JPEG: harsher on colours than the cameras' H.264.
func (b *bench) shoot(quality int) gocv.Mat {
	b.t.Helper()
	p, _ := b.sc.Render()
	m, err := gocv.NewMatFromBytes(p.H, p.W, gocv.MatTypeCV8UC3, p.Pix)
	if err != nil {
		b.t.Fatal(err)
	}
	defer m.Close()
	buf, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, m, []int{gocv.IMWriteJpegQuality, quality})
	if err != nil {
		b.t.Fatal(err)
	}
	defer buf.Close()
	out, err := gocv.IMDecode(buf.GetBytes(), gocv.IMReadColor)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// loaded has read the networks, once for all tests.
var loaded = sync.OnceValues(func() (*Reader, error) {
	r, err := NewReader(Options{})
	if err != nil {
		return nil, err
	}
	return r, errors.Join(r.loadSides(), r.load())
})

// newReader is a reader that shares nothing but the networks with others; none closes them.
func newReader(t testing.TB) *Reader {
	t.Helper()
	with, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.sides, r.naming, r.finder, r.counter = with.sides, with.naming, with.finder, with.counter
	return r
}

// searched reads a picture once, and keeps the search as the reading left it.
func (b *bench) searched(palette []calibration.Chip, quality int) (*Reader, *search) {
	b.t.Helper()
	img := b.shoot(quality)
	b.t.Cleanup(func() { img.Close() })
	r := newReader(b.t)
	s, err := r.search(img, Hint{View: b.view, Palette: palette, Zone: b.zone})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := s.run(r); err != nil {
		b.t.Fatal(err)
	}
	return r, s
}

type laid struct {
	kind string
	n    int
	at   fact.Point
}

// TestStacksApart lays stacks of every kind and height apart from one another:
// each must be read right or not at all, and nearly all must be read.
func TestStacksApart(t *testing.T) {
	for name, cloth := range map[string][3]float64{"green": {22, 92, 58}, "blue": {24, 66, 104}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, cloth, 5)
			r := newReader(t)
			right, all := 0, 0
			felt := NewFelt(1920, 1080)
			for range par.felt.sure { // the bare table is seen before chips are
				img := b.shoot(80)
				if got, err := r.Read(img, Hint{View: b.view, Palette: palette, Zone: b.zone, Felt: felt}); err != nil ||
					len(got) > 0 {
					t.Errorf("on bare felt: %v, %v", got, err)
				}
				img.Close()
			}
			for range 3 {
				var truth []laid
				for row := range 4 {
					for col := range 14 {
						l := laid{palette[b.rnd.IntN(len(palette))].ID, 1 + b.rnd.IntN(8),
							fact.Point{70 + 80*float64(col) + 10*b.rnd.Float64(), 80 + 140*float64(row) + 20*b.rnd.Float64()}}
						b.lay(l.kind, l.n, l.at[0], l.at[1])
						truth = append(truth, l)
					}
				}
				img := b.shoot(80)
				got, err := r.Read(img, Hint{View: b.view, Palette: palette, Zone: b.zone, Felt: felt})
				img.Close()
				if err != nil {
					t.Fatal(err)
				}
				right += compare(t, truth, got)
				all += len(truth)
				b.clear()
			}
			t.Logf("%d of %d stacks read", right, all)
			if float64(right) < 0.8*float64(all) {
				t.Errorf("only %d of %d stacks read", right, all)
			}
		})
	}
}

// compare counts the stacks read right; wrong ones and ghosts fail the test.
func compare(t *testing.T, truth []laid, got []fact.Stack) int {
	t.Helper()
	right := 0
	used := map[int]bool{}
	for _, l := range truth {
		at := -1
		for i, s := range got {
			if !used[i] && math.Hypot(s.At[0]-l.at[0], s.At[1]-l.at[1]) < 20 {
				at = i
			}
		}
		if at < 0 {
			t.Logf("%d×%s at %.0f not found", l.n, l.kind, l.at)
			continue
		}
		used[at] = true
		s := got[at]
		switch {
		case s.Abstain != "":
			t.Logf("%d×%s at %.0f: %s, %v %d-%d P %.2f", l.n, l.kind, l.at, s.Abstain, s.Chips, s.Low, s.High, s.P)
			if s.Low > l.n || s.High < l.n {
				t.Logf("  interval misses")
			}
		case len(s.Chips) != l.n || s.Chips[0] != l.kind:
			t.Errorf("%d×%s at %.0f read as %d×%s, P %.3f, at %.1f", l.n, l.kind, l.at, len(s.Chips), s.Chips[0], s.P, s.At)
		default:
			right++
			if d := math.Hypot(s.At[0]-l.at[0], s.At[1]-l.at[1]); d > 4 {
				t.Errorf("%d×%s at %.0f found %.1f mm off", l.n, l.kind, l.at, d)
			}
		}
	}
	for i, s := range got {
		if !used[i] {
			t.Errorf("a stack that is not there: %+v", s)
		}
	}
	return right
}
