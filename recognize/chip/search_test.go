package chip

import (
	"image"
	"testing"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/fact"
)

// A poor face may be the side of a higher stack behind it. It is not where that stack was
// counted down to the felt and is not so high.
func TestAFaceInTheSideOfAHigherStack(t *testing.T) {
	b := newBench(t, [3]float64{0.1, 0.25, 0.5}, 3)
	s := &search{hint: Hint{View: b.view, Palette: palette}, opts: Options{Most: par.reader.most}}
	const kind, thick = 3, 3.4
	foot := fact.Point{600, 300}
	face := func(n int, score float64) top {
		return top{kind: kind, px: b.view.ToImageAt(foot, float64(n)*thick), score: score}
	}
	low := counted{kinds: []int{kind, kind}, low: 2, high: 2, foot: foot}
	poor := face(2, -0.9)
	for name, c := range map[string]struct {
		higher top
		as     counted
		want   bool
	}{
		"its foot is hidden":             {face(12, -0.2), counted{low: 5, high: 20, hidden: true}, true},
		"counted so high":                {face(6, -0.2), counted{low: 6, high: 6}, true},
		"counted so high, perhaps":       {face(6, -0.2), counted{low: 4, high: 7}, true},
		"a single chip behind it":        {face(18, -0.2), counted{low: 1, high: 1}, false},
		"no better face":                 {face(6, -0.8), counted{low: 6, high: 6}, false},
		"below it":                       {face(1, -0.2), counted{low: 6, high: 6}, false},
		"hidden, but higher than stacks": {face(26, -0.2), counted{low: 5, high: 20, hidden: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := s.inSide(poor, low, c.higher, c.as); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// A faded stack stands before another, right in the camera's line (a frame of a drawn house
// table, through H.264): it was counted down to the felt, and is no part of the other's side.
func TestAFadedStackBeforeAnother(t *testing.T) {
	cal, err := calibration.Load("testdata/behind.yaml")
	if err != nil {
		t.Fatal(err)
	}
	view, err := cal.View()
	if err != nil {
		t.Fatal(err)
	}
	bare, img := pasted(t, "testdata/behind-empty.jpg"), pasted(t, "testdata/behind.jpg")
	felt := NewFelt(img.Cols(), img.Rows())
	felt.Bare(bare.ToBytes())
	zone := []fact.Point{{570, 240}, {700, 240}, {700, 350}, {570, 350}}
	out, err := newReader(t).Read(img, Hint{View: view, Palette: cal.Palette, Zone: zone, Felt: felt})
	if err != nil {
		t.Fatal(err)
	}
	if got := compare(t, []laid{
		{"azul", 4, fact.Point{600, 271}}, {"naranja", 3, fact.Point{641, 313}}, {"turquesa", 3, fact.Point{641, 269}},
	}, out); got != 2 { // of the third too little shows
		t.Errorf("%d stacks read rightly, want the two of which the foot shows: %v", got, out)
	}
}

// pasted is a picture of 1080p of which only a part near its middle is known.
func pasted(t *testing.T, file string) gocv.Mat {
	t.Helper()
	part := gocv.IMRead(file, gocv.IMReadColor)
	defer part.Close()
	out := gocv.NewMatWithSize(1080, 1920, gocv.MatTypeCV8UC3)
	t.Cleanup(func() { out.Close() })
	to := out.Region(image.Rect(896, 376, 896+part.Cols(), 376+part.Rows()))
	defer to.Close()
	part.CopyTo(&to)
	return out
}
