package chip

import (
	"image"
	"image/color"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/shared"
	"vision/models"
)

// flatCloth is a picture of felt with a printed line and a card.
func flatCloth(t *testing.T) gocv.Mat {
	t.Helper()
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(60, 95, 40, 0), 700, 1000, gocv.MatTypeCV8UC3)
	t.Cleanup(func() { img.Close() })
	gocv.Line(&img, image.Pt(0, 60), image.Pt(999, 90), color.RGBA{R: 235, G: 230, B: 210}, 3)
	gocv.Rectangle(&img, image.Rect(700, 420, 820, 600), color.RGBA{R: 245, G: 245, B: 240}, -1)
	gocv.Circle(&img, image.Pt(760, 510), 18, color.RGBA{R: 200, G: 20, B: 30}, -1)
	return img
}

// chipAt draws a flat chip of inserts many inserts, its height k times its width. They
// take a quarter of the rim: of a third, the few pixels that OpenCV's releases draw
// otherwise decide whether a pale body or its inserts name the chip.
func chipAt(img *gocv.Mat, x, y, r int, k float64, body, insert color.RGBA, inserts int) {
	axes := image.Pt(r, int(k*float64(r)))
	gocv.Ellipse(img, image.Pt(x, y), axes, 0, 0, 360, body, -1)
	for i := range inserts {
		from := 360 * float64(i) / float64(inserts)
		gocv.Ellipse(img, image.Pt(x, y), axes, 0, from, from+90/float64(inserts), insert, -1)
	}
	gocv.Ellipse(img, image.Pt(x, y), image.Pt(r*7/10, int(k*float64(r)*0.7)), 0, 0, 360, body, -1)
}

var (
	ivory = color.RGBA{R: 245, G: 243, B: 236}
	navy  = color.RGBA{R: 25, G: 40, B: 130}
)

var flatColors = map[string]color.RGBA{
	"red": {R: 190, G: 30, B: 35}, "blue": {R: 30, G: 80, B: 190}, "green": {R: 20, G: 140, B: 70},
	"black": {R: 22, G: 22, B: 24}, "white": ivory, "purple": {R: 120, G: 50, B: 150}, "yellow": {R: 225, G: 190, B: 50},
}

func readFlat(t *testing.T, img gocv.Mat) []fact.Stack {
	t.Helper()
	r, err := NewReader(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	gocv.GaussianBlur(img, &img, image.Pt(3, 3), 0.8, 0.8, gocv.BorderDefault)
	got, err := r.Photograph(img)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func names(all []fact.Stack) map[string]int {
	out := map[string]int{}
	for _, s := range all {
		if s.Abstain == "" {
			out[s.Chips[0]]++
		} else {
			out["?"]++
		}
	}
	return out
}

// Seven colours, straight from above and a little from the side.
func TestFlatChipsOnAPhotograph(t *testing.T) {
	for _, k := range []float64{1, 0.8} {
		img := flatCloth(t)
		i := 0
		at := map[string]image.Point{}
		for _, name := range slices.Sorted(maps.Keys(flatColors)) {
			body, insert := flatColors[name], ivory
			if name == "white" {
				insert = navy
			}
			p := image.Pt(110+(i%5)*170, 200+(i/5)*200)
			chipAt(&img, p.X, p.Y, 34, k, body, insert, 8)
			at[name] = p
			i++
		}
		got := readFlat(t, img)
		if len(got) != len(flatColors) {
			t.Errorf("axis ratio %v: %d readings of %d chips: %v", k, len(got), len(flatColors), names(got))
		}
		for _, s := range got {
			if s.Abstain != "" {
				continue // counted below
			}
			want := at[s.Chips[0]]
			if math.Hypot(s.At[0]-float64(want.X), s.At[1]-float64(want.Y)) > 3 || s.High != 1 {
				t.Errorf("axis ratio %v: %s at %v, want one at %v", k, s.Chips[0], s.At, want)
			}
		}
		if n := names(got); n["?"] > 1 {
			t.Errorf("axis ratio %v: %v: more than one chip is not read", k, n)
		}
	}
}

// Two chips one over the other are two; the picture may be larger than what is searched.
func TestOverlappingChips(t *testing.T) {
	img := flatCloth(t)
	for i, x := range []int{300, 345, 500} {
		chipAt(&img, x, 300+10*i, 34, 1, flatColors["red"], ivory, 8)
	}
	gocv.Resize(img, &img, image.Pt(2000, 1400), 0, 0, gocv.InterpolationCubic)
	got := readFlat(t, img)
	if n := names(got); n["red"]+n["?"] != 3 || n["red"] < 2 {
		t.Errorf("read %v: want three red chips, one of them perhaps in doubt", n)
	}
}

// pairedAt draws a chip whose inserts come in four pairs at the rim, within it a pale ring
// and a face of another colour.
func pairedAt(img *gocv.Mat, x, y, r int, k float64, body, face, insert color.RGBA) {
	disc := func(f float64, c color.RGBA) {
		gocv.Ellipse(img, image.Pt(x, y), image.Pt(int(f*float64(r)), int(k*f*float64(r))), 0, 0, 360, c, -1)
	}
	disc(1, body)
	for i := range 8 {
		from := 90*float64(i/2) + 33*float64(i%2)
		gocv.Ellipse(img, image.Pt(x, y), image.Pt(r, int(k*float64(r))), 0, from, from+17, insert, -1)
	}
	disc(0.8, insert)
	disc(0.74, face)
	for i := range 6 {
		gocv.Ellipse(img, image.Pt(x, y), image.Pt(r*62/100, int(k*float64(r)*0.62)), 0, 60*float64(i), 60*float64(i)+35,
			ivory, -1)
	}
}

// On dark felt the pale ring within a dark chip shows more plainly than its rim: that is
// found all the same, and the chip named by it.
func TestDarkChipsOnDarkCloth(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(45, 62, 46, 0), 700, 1000, gocv.MatTypeCV8UC3)
	defer img.Close()
	purple, pink := color.RGBA{R: 78, G: 62, B: 120}, color.RGBA{R: 205, G: 130, B: 160}
	red := color.RGBA{R: 200, G: 60, B: 55}
	want := map[string][]image.Point{"purple": {image.Pt(200, 250), image.Pt(700, 300)},
		"red": {image.Pt(450, 180), image.Pt(500, 500)}}
	for _, at := range want["purple"] {
		pairedAt(&img, at.X, at.Y, 34, 0.85, purple, pink, ivory)
	}
	for _, at := range want["red"] {
		pairedAt(&img, at.X, at.Y, 34, 0.85, red, red, ivory)
	}
	gocv.GaussianBlur(img, &img, image.Pt(5, 5), 1.2, 1.2, gocv.BorderDefault)
	got := readFlat(t, img)
	if n := names(got); n["purple"] != 2 || n["red"] != 2 || n["?"] > 0 || len(n) != 2 {
		t.Errorf("read %v: want two purple and two red chips", n)
	}
	for _, s := range got {
		if s.Abstain != "" {
			continue
		}
		if !slices.ContainsFunc(want[s.Chips[0]], func(p image.Point) bool {
			return math.Hypot(s.At[0]-float64(p.X), s.At[1]-float64(p.Y)) < 3
		}) {
			t.Errorf("%s read at %v: want at %v", s.Chips[0], s.At, want[s.Chips[0]])
		}
		if w := s.Quad[1][0] - s.Quad[0][0]; math.Abs(w-68) > 4 {
			t.Errorf("%s at %v is %.0f pixels wide, want 68", s.Chips[0], s.At, w)
		}
	}
}

// On ground of nearly their colour chips show by their inserts more than by their
// outline, and one under another by what lies open of it.
func TestPaleChipsOnPaleGround(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(224, 233, 240, 0), 700, 1000, gocv.MatTypeCV8UC3)
	defer img.Close()
	white := color.RGBA{R: 233, G: 238, B: 246}
	// the second over the first
	for _, at := range []image.Point{image.Pt(300, 300), image.Pt(330, 350), image.Pt(500, 200)} {
		chipAt(&img, at.X, at.Y, 34, 1, white, white, 8)
		for i := range 8 {
			gocv.Ellipse(&img, at, image.Pt(33, 33), 0, 45*float64(i), 45*float64(i)+9, navy, -1)
		}
		gocv.Circle(&img, at, 25, white, -1)
	}
	chipAt(&img, 700, 400, 34, 1, flatColors["blue"], flatColors["yellow"], 8)
	if n := names(readFlat(t, img)); n["white"] != 3 || n["blue"] != 1 || len(n) != 2 {
		t.Errorf("read %v: want three white chips and a blue one", n)
	}
}

func TestRepeats(t *testing.T) {
	ring := func(s string) (out []bool) {
		for i := range ringSamples {
			out = append(out, s[i%len(s)] == '#')
		}
		return out
	}
	for _, c := range []struct {
		ring        []bool
		least, most float64
	}{
		{ring("####........"), 0.99, 1},
		{ring("####...###.............."), 0.99, 1}, // pairs
		{ring("################################"), 0, 0},
		{append(ring("########################")[:48], ring("........................")[48:]...), 0, 0.1},
		{ring("###.....#######.####..#....#########....##..####.....###..######.......####.#....######.#....###"), 0, 0.25},
	} {
		if v := repeats(c.ring); v < c.least || v > c.most {
			t.Errorf("%v repeats by %.2f, want %.2f to %.2f", c.ring, v, c.least, c.most)
		}
	}
}

func TestWhatIsNoFlatChipIsNotRead(t *testing.T) {
	for name, draw := range map[string]func(*gocv.Mat){
		"felt and a card": func(*gocv.Mat) {},
		"plain discs": func(img *gocv.Mat) {
			for x := 150; x < 700; x += 150 {
				gocv.Circle(img, image.Pt(x, 300), 34, flatColors["red"], -1)
			}
		},
		"dice from above": func(img *gocv.Mat) {
			for i := range 6 {
				at := image.Rect(120+130*i, 250, 160+130*i, 290)
				gocv.Rectangle(img, at, flatColors["red"], -1)
				for k := range 5 {
					gocv.Circle(img, at.Min.Add(image.Pt(10+20*(k%2), 10+5*k)), 4, ivory, -1)
				}
			}
		},
		"printed rings": func(img *gocv.Mat) {
			for x := 150; x < 700; x += 150 {
				gocv.Circle(img, image.Pt(x, 300), 34, ivory, 3)
			}
		},
		"a stack's top from the side": func(img *gocv.Mat) {
			for x := 150; x < 700; x += 150 {
				chipAt(img, x, 300, 40, 0.5, flatColors["blue"], ivory, 8)
			}
		},
	} {
		img := flatCloth(t)
		draw(&img)
		for _, s := range readFlat(t, img) {
			if s.Abstain == "" {
				t.Errorf("%s: %v read at %v", name, s.Chips, s.At)
			}
		}
	}
}

func TestFlatNeedsAPicture(t *testing.T) {
	r, err := NewReader(Options{})
	if err != nil {
		t.Fatal(err)
	}
	grey := gocv.NewMatWithSize(60, 60, gocv.MatTypeCV8UC1)
	defer grey.Close()
	if _, err := r.Photograph(grey); err == nil {
		t.Error("a grey picture was read")
	}
	small := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(9, 9, 9, 0), 8, 900, gocv.MatTypeCV8UC3)
	defer small.Close()
	if got, err := r.Photograph(small); err != nil || len(got) != 0 {
		t.Errorf("a strip of nothing: %v, %v", got, err)
	}
}

func TestColorNames(t *testing.T) {
	light := rgb{1, 1, 1}
	for _, c := range []struct {
		body rgb
		want string
	}{
		{rgb{200, 30, 30}, "red"}, {rgb{30, 90, 200}, "blue"}, {rgb{20, 140, 60}, "green"}, {rgb{20, 20, 22}, "black"},
		{rgb{240, 238, 230}, "white"}, {rgb{130, 60, 160}, "purple"}, {rgb{230, 120, 20}, "orange"}, {rgb{225, 190, 60}, "yellow"},
		{rgb{120, 120, 120}, ""}, {rgb{10, 118, 138}, ""}, // grey; between green and blue
	} {
		if got := (ring{body: c.body}).name(light); got != c.want {
			t.Errorf("%v is %q, want %q", c.body, got, c.want)
		}
	}
	if got := (ring{body: rgb{160, 140, 112}}).name(rgb{1, 0.87, 0.75}); got != "white" {
		t.Errorf("white in warm light is %q", got)
	}
}

// How many discs are read as chips, and how many boxes as stacks, on the photographs of
// the sets in VISION_FLAT, names below the shared data, of at most about a hundred of each:
// meant for sets on which no chips lie. VISION_CHIP names other networks than the shipped.
func TestMeasureFlat(t *testing.T) {
	if os.Getenv("VISION_FLAT") == "" {
		t.Skip("VISION_FLAT names no sets")
	}
	opts := Options{}
	if dir := os.Getenv("VISION_CHIP"); dir != "" {
		opts.Models = models.Dir(dir)
	}
	r, err := NewReader(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, set := range strings.Fields(os.Getenv("VISION_FLAT")) {
		files, err := filepath.Glob(filepath.Join(shared.Dir(t), "data", set, "images", "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no pictures: %v", set, err)
		}
		step := 1
		if len(files) > 100 {
			step = len(files) / 60
		}
		pictures, chips, in, stacks := 0, 0, 0, 0
		for i := 0; i < len(files); i += step {
			img, err := cv.ReadImage(files[i])
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Photograph(img)
			if err != nil {
				t.Fatal(err)
			}
			boxes, _, err := r.stacks(img, rgb{1, 1, 1})
			img.Close()
			if err != nil {
				t.Fatal(err)
			}
			stacks += len(boxes)
			n := 0
			for _, s := range got {
				if s.Abstain == "" && s.High == 1 {
					n++
				}
			}
			pictures, chips, in = pictures+1, chips+n, in+min(n, 1)
		}
		t.Logf("%s: %d chips read in %d of %d pictures; %d boxes are stacks", set, chips, in, pictures, stacks)
	}
}
