package chip

import (
	"errors"
	"math"
	"testing"
	"testing/fstest"

	"vision/models"
)

func TestStackPeaks(t *testing.T) {
	const w, h = 12, 10
	out := make([]float32, findHeads*w*h)
	for i := range w * h {
		out[i] = -6
	}
	put := func(x, y int, logit, left, up, right, down float64) {
		i := y*w + x
		out[i] = float32(logit)
		for k, v := range [4]float64{left, up, right, down} {
			out[(k+1)*w*h+i] = float32(math.Log(v / findMiddle))
		}
	}
	put(3, 4, 3, 20, 30, 20, 24)
	put(4, 4, 2, 20, 30, 20, 24) // beside a surer one
	put(9, 2, 2, 5, 9, 5, 9)     // too slim for this level
	put(9, 7, 2, 60, 20, 60, 20) // too wide
	got := stackPeaks(out, w, h)
	if len(got) != 1 {
		t.Fatalf("%d boxes: %v", len(got), got)
	}
	b := got[0]
	for _, d := range [4]float64{b.x0 - 8, b.y0 - 6, b.x1 - 48, b.y1 - 60} {
		if math.Abs(d) > 1e-3 {
			t.Fatalf("box %+v", b)
		}
	}
}

func TestOneBoxAStack(t *testing.T) {
	got := suppressBoxes([]bounds{
		{0, 0, 100, 200, 0.7}, {4, 10, 104, 204, 0.9}, // the same
		{20, 20, 60, 120, 0.5},    // a part of it
		{90, 60, 190, 210, 0.8},   // its neighbour
		{10, 120, 110, 215, 0.85}, // one that stands before it
	})
	if len(got) != 3 || got[0].p != 0.9 || got[1].p != 0.85 || got[2].p != 0.8 {
		t.Errorf("%+v", got)
	}
}

func TestHiddenFoot(t *testing.T) {
	b := bounds{100, 100, 200, 300, 0.9}
	for _, c := range []struct {
		name string
		o    bounds
		want bool
	}{
		{"beside", bounds{205, 120, 300, 310, 0.9}, false},
		{"behind", bounds{110, 60, 190, 250, 0.9}, false},
		{"before", bounds{110, 220, 210, 360, 0.9}, true},
		{"before, aside", bounds{175, 220, 275, 360, 0.9}, false},
	} {
		if got := b.hiddenFoot([]sideView{{bounds: b}, {bounds: c.o}}, 640, 480); got != c.want {
			t.Errorf("a stack %s: hidden %v", c.name, got)
		}
	}
	for _, e := range []bounds{{0, 100, 80, 300, 1}, {100, 0, 180, 200, 1}, {560, 100, 640, 300, 1},
		{100, 300, 180, 480, 1}} {
		if !e.hiddenFoot(nil, 640, 480) {
			t.Errorf("%+v at the picture's edge: told to be whole", e)
		}
	}
}

func TestUnusableNetworksAreRefused(t *testing.T) {
	const head = `","input":[3,8,8],"heads":[{"name":"stack","classes":["stack"]}]}`
	for _, name := range []string{"stacks", "layers"} {
		set := fstest.MapFS{
			"manifest.json": {Data: []byte(`{"` + name + `":{"file":"a.onnx","sha256":"0a041b9462caa4a31bac3567e0b6e6fd9100787db2ab433d96f6d178cabfce90` + head + `}`)},
			"a.onnx":        {Data: []byte("x")},
		}
		var err error
		if name == "stacks" {
			_, err = newFinder(set)
		} else {
			_, err = newCounter(set)
		}
		if !errors.Is(err, models.ErrModel) {
			t.Errorf("%s: error %v: want ErrModel", name, err)
		}
	}
}
