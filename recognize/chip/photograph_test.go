package chip

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/internal/shared"
	"vision/models"
)

// stackAt draws count chips on one another: the lowest one's middle at x, y, half
// as wide as half, each thick pixels high, seen so that a face is flat times as
// high as wide.
func stackAt(img *gocv.Mat, x, y, half, flat, thick float64, count int, body, insert color.RGBA) {
	shade := func(c color.RGBA, k float64) color.RGBA {
		v := func(b uint8) uint8 { return uint8(min(255, k*float64(b))) }
		return color.RGBA{R: v(c.R), G: v(c.G), B: v(c.B)}
	}
	fill := func(pts []image.Point, c color.RGBA) {
		v := gocv.NewPointsVectorFromPoints([][]image.Point{pts})
		defer v.Close()
		gocv.FillPoly(img, v, c)
	}
	band := func(cx, cy, from, to, high float64, c color.RGBA) {
		var pts, back []image.Point
		for k := range 13 {
			sin, cos := math.Sincos(from + (to-from)*float64(k)/12)
			px, py := int(math.Round(cx+half*cos)), cy+half*flat*sin
			pts = append(pts, image.Pt(px, int(math.Round(py))))
			back = append([]image.Point{image.Pt(px, int(math.Round(py-high)))}, back...)
		}
		fill(append(pts, back...), c)
	}
	turn := 0.3
	for k := range count {
		cx, cy := x+1.5*math.Sin(float64(3*k)), y-thick*float64(k)
		for part := range 9 {
			from := math.Pi * float64(part) / 9
			light := 0.65 + 0.35*math.Sin(from+math.Pi/18)
			c := body
			if math.Mod(from+turn, math.Pi/3) < math.Pi/9 {
				c = insert
			}
			band(cx, cy, from, from+math.Pi/9, thick, shade(c, light))
		}
		band(cx, cy, 0, math.Pi, max(1.5, 0.18*thick), shade(body, 0.25))
		turn += 0.9
	}
	chipAt(img, int(x), int(y-thick*float64(count)), int(half), flat, body, insert, 6)
}

// Three drawn stacks of numbers that are no multiples of five.
func TestStacksOnAPhotograph(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(70, 110, 60, 0), 600, 900, gocv.MatTypeCV8UC3)
	defer img.Close()
	want := []struct {
		x     float64
		count int
		color string
	}{{180, 4, "red"}, {450, 7, "blue"}, {720, 12, "green"}}
	for _, w := range want {
		stackAt(&img, w.x, 420, 90, 0.33, 15, w.count, flatColors[w.color], ivory)
	}
	gocv.GaussianBlur(img, &img, image.Pt(3, 3), 0.8, 0.8, gocv.BorderDefault)
	got, err := newReader(t).Photograph(img)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d readings: %+v", len(got), got)
	}
	for _, w := range want {
		box := eval.Box{w.x - 90, 420 - 15*float64(w.count) - 30, 180, 60 + 15*float64(w.count)}
		for _, s := range got {
			if math.Abs(s.At[0]-w.x) > 60 {
				continue
			}
			q := eval.Box{s.Quad[0][0], s.Quad[0][1], s.Quad[2][0] - s.Quad[0][0], s.Quad[2][1] - s.Quad[0][1]}
			if v := eval.IoU(box, q); v < 0.6 {
				t.Errorf("%d chips: box %v, overlap %.2f", w.count, q, v)
			}
			if s.Abstain != "" || s.Chips[0] != w.color || s.Low > w.count || s.High < w.count ||
				s.Low == s.High && len(s.Chips) != w.count {
				t.Errorf("%d %s chips: read %+v", w.count, w.color, s)
			}
		}
	}
}

// A photograph that was taken askew shows stacks that lean: their chips are counted across
// the way in which they lean.
func TestStacksOnAPhotographTakenAskew(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(70, 110, 60, 0), 700, 700, gocv.MatTypeCV8UC3)
	defer img.Close()
	stackAt(&img, 240, 400, 90, 0.33, 15, 8, flatColors["red"], ivory)
	stackAt(&img, 470, 430, 90, 0.33, 15, 5, flatColors["blue"], ivory)
	gocv.GaussianBlur(img, &img, image.Pt(3, 3), 0.8, 0.8, gocv.BorderDefault)
	for _, degrees := range []float64{-20, 20} {
		m := gocv.GetRotationMatrix2D(image.Pt(350, 350), degrees, 1)
		askew := gocv.NewMat()
		gocv.WarpAffineWithParams(img, &askew, m, image.Pt(700, 700), gocv.InterpolationLinear,
			gocv.BorderReplicate, color.RGBA{})
		m.Close()
		got, err := newReader(t).Photograph(askew)
		askew.Close()
		if err != nil {
			t.Fatal(err)
		}
		numbers := map[string]int{}
		for _, s := range got {
			numbers[s.Chips[0]] = len(s.Chips)
		}
		if len(got) != 2 || max(numbers["red"]-8, 8-numbers["red"]) > 1 || max(numbers["blue"]-5, 5-numbers["blue"]) > 1 {
			t.Errorf("%v degrees askew: %d readings, %v; want 8 red and 5 blue, each within one", degrees, len(got), numbers)
		}
	}
}

// The box of an upright stack is the one that is found when it leans and is put upright.
func TestTurned(t *testing.T) {
	b := bounds{100, 50, 180, 200, 0.9}
	for _, degrees := range []float64{-35, -10, 10, 35} {
		// an upright stack of ellipses, turned: the box round it
		sin, cos := math.Sincos(math.Abs(degrees) * math.Pi / 180)
		a, side := 80.0, 150-par.lean.flat*80
		w, h := a*math.Hypot(cos, par.lean.flat*sin)+side*sin, a*math.Hypot(sin, par.lean.flat*cos)+side*cos
		got, ok := bounds{140 - w/2, 125 - h/2, 140 + w/2, 125 + h/2, 0.9}.turned(degrees * math.Pi / 180)
		if !ok || math.Abs(got.x0-b.x0)+math.Abs(got.y0-b.y0)+math.Abs(got.x1-b.x1)+math.Abs(got.y1-b.y1) > 1e-6 {
			t.Errorf("%v degrees: %v, %v; want %v", degrees, got, ok, b)
		}
	}
	if _, ok := (bounds{0, 0, 300, 20, 1}).turned(0.3); ok {
		t.Error("a flat strip holds a leaning stack")
	}
}

// What is no stack: felt, a card, dice, lines.
func TestNoStacksWhereNoneAre(t *testing.T) {
	img := flatCloth(t)
	for i := range 5 {
		at := image.Rect(120+130*i, 250, 170+130*i, 300)
		gocv.Rectangle(&img, at, color.RGBA{R: 200, G: 30, B: 30}, -1)
		gocv.Circle(&img, at.Min.Add(image.Pt(25, 25)), 5, ivory, -1)
	}
	got, err := newReader(t).Photograph(img)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range got {
		if s.Abstain == "" {
			t.Errorf("read %+v", s)
		}
	}
}

// A stack's upper face is no chip beside it, and a flat chip is no stack.
func TestStandingOrFlat(t *testing.T) {
	stand := sideView{bounds: bounds{100, 100, 200, 300, 0.9}}
	lying := sideView{bounds: bounds{400, 100, 500, 195, 0.9}}
	disc := func(x, y, w, h float64) fact.Stack {
		return fact.Stack{Low: 1, High: 1, Chips: []string{"red"}, Quad: fact.Quad{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}}
	}
	stacks := []fact.Stack{{Chips: []string{"blue"}, Low: 8, High: 9}, {Chips: []string{"blue"}, Low: 1, High: 2}}
	flat := []fact.Stack{disc(105, 105, 90, 70), disc(405, 105, 90, 82), disc(600, 100, 90, 82)}
	got := withFlat([]sideView{stand, lying}, stacks, flat)
	if len(got) != 3 || got[0].Quad[0][0] != 405 || got[1].Quad[0][0] != 600 || got[2].Low != 8 {
		t.Errorf("%+v", got)
	}
}

// A stack that is sure makes others in its picture likelier, whether its chips are
// counted or not.
func TestStacksInCompany(t *testing.T) {
	counts := func(p float64) sideView { return sideView{bounds: bounds{p: p}, counts: true} }
	bare := func(p float64) sideView { return sideView{bounds: bounds{p: p}} }
	for _, c := range []struct {
		name string
		in   []sideView
		want []float64
	}{
		{"none", nil, nil},
		{"one alone that counts", []sideView{counts(0.72)}, []float64{0.72}},
		{"one alone in doubt", []sideView{counts(0.66)}, nil},
		{"one alone without sides", []sideView{bare(0.95)}, nil},
		{"in the company of a sure one", []sideView{counts(0.81), bare(0.76), bare(0.74), counts(0.5)}, []float64{0.81, 0.76, 0.5}},
		{"in the company of one without sides", []sideView{bare(0.95), bare(0.76), counts(0.75)}, []float64{0.75}},
		{"in doubtful company", []sideView{counts(0.79), bare(0.84), counts(0.6)}, []float64{0.79}},
	} {
		var got []float64
		for _, b := range believed(c.in) {
			got = append(got, b.p)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Of a stack whose chips do not show nothing is reported but where it stands and its colour.
func TestAStackThatIsNotCounted(t *testing.T) {
	s := &strip{picture: picture{pix: bytes.Repeat([]byte{30, 30, 200}, 12*8), w: 12, h: 8}}
	b := sideView{bounds: bounds{10, 20, 90, 80, 0.9}, strip: s, tally: tally{p: []float64{0.4, 0.6}}}
	got := newReader(t).sideStack(&b, rgb{1, 1, 1})
	if got.Abstain != "" || got.Low != 1 || got.High != 20 || !slices.Equal(got.Chips, []string{"red"}) {
		t.Errorf("%+v", got)
	}
}

// Of a stack that is too high for its strip the upper part is counted, and its foot
// is not seen.
func TestAStackTooHighForItsStrip(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(70, 110, 60, 0), 640, 640, gocv.MatTypeCV8UC3)
	defer img.Close()
	r := newReader(t)
	if err := r.load(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		box    bounds
		hidden bool
	}{{bounds{100, 20, 200, 420, 0.9}, false}, {bounds{100, 20, 200, 600, 0.9}, true}} {
		s, err := r.counter.look(img, c.box, 0)
		if err != nil || s == nil {
			t.Fatalf("%v: strip %v, %v", c.box, s, err)
		}
		if got := c.box.hiddenFoot(nil, img.Cols(), img.Rows()); got != c.hidden || (s.h == stripRows) != c.hidden {
			t.Errorf("%v: foot hidden %v, %d rows of at most %d", c.box, got, s.h, stripRows)
		}
	}
}

func TestFromAboveNoSidesShow(t *testing.T) {
	disc := func(w, h float64) fact.Stack {
		return fact.Stack{Low: 1, High: 1, Chips: []string{"red"}, Quad: fact.Quad{{0, 0}, {w, 0}, {w, h}, {0, h}}}
	}
	for _, c := range []struct {
		flat []fact.Stack
		want bool
	}{
		{nil, false},
		{[]fact.Stack{disc(50, 48)}, false},
		{[]fact.Stack{disc(50, 48), disc(50, 46)}, true},
		{[]fact.Stack{disc(50, 33), disc(50, 34), disc(50, 35), disc(50, 47)}, false},
	} {
		if got := fromAbove(c.flat); got != c.want {
			t.Errorf("%v: from above %v", c.flat, got)
		}
	}
}

// TestMeasureStacks scores networks on the photographs, those that did not train
// apart: VISION_CHIP=folder of models.
func TestMeasureStacks(t *testing.T) {
	dir := os.Getenv("VISION_CHIP")
	if dir == "" {
		t.Skip("VISION_CHIP names no folder with networks to measure")
	}
	set := filepath.Join(shared.Dir(t), "data", "pokersensei-stacks")
	images, err := eval.Load(set)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(Options{Models: models.Dir(dir)})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tallies := map[string]*eval.Tally{}
	for i := range images {
		img, err := cv.ReadImage(filepath.Join(set, images[i].Image))
		if err != nil {
			t.Fatal(err)
		}
		list, err := r.Photograph(img)
		img.Close()
		if err != nil {
			t.Fatal(err)
		}
		g := group(&images[i])
		if tallies[g] == nil {
			tallies[g] = &eval.Tally{Kind: eval.Chips}
		}
		tallies[g].Add(&images[i], stackReadings(list), 0)
	}
	for g, tally := range tallies {
		result := tally.Result(g)
		if err := result.Write(os.Stdout); err != nil {
			t.Fatal(err)
		}
	}
}

// group of a photograph, by the rule of models/train/stack_scenes.py.
func group(m *eval.Image) string {
	sum := 0
	for _, b := range []byte(m.Image) {
		sum += int(b)
	}
	switch {
	case strings.Contains(strings.Join(m.Tags, " "), "web"):
		return "web"
	case strings.HasPrefix(filepath.Base(m.Image), "IMG_0"):
		return "a room that did not train"
	case sum%6 == 0:
		return "every sixth of the rooms that trained"
	}
	return "trained"
}

func stackReadings(list []fact.Stack) []eval.Reading {
	var out []eval.Reading
	for _, s := range list {
		rd := eval.Reading{Label: eval.Abstained, Confidence: s.P, Reason: s.Abstain,
			Box: eval.Box{s.Quad[0][0], s.Quad[0][1], s.Quad[2][0] - s.Quad[0][0], s.Quad[2][1] - s.Quad[0][1]}}
		if s.Abstain == "" {
			rd.Label = s.Chips[0]
			if s.Low == s.High || len(s.Chips) > 1 {
				rd.Count = len(s.Chips)
			}
		}
		out = append(out, rd)
	}
	return out
}

func BenchmarkPhotograph(b *testing.B) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(70, 110, 60, 0), 640, 640, gocv.MatTypeCV8UC3)
	defer img.Close()
	for k := range 4 {
		stackAt(&img, 90+150*float64(k), 420, 60, 0.33, 10, 5+3*k, flatColors["blue"], ivory)
	}
	r := newReader(b)
	for b.Loop() {
		if _, err := r.Photograph(img); err != nil {
			b.Fatal(err)
		}
	}
}
