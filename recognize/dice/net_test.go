package dice

import (
	"errors"
	"image"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"gocv.io/x/gocv"
	"pgregory.net/rapid"

	"vision/models"
)

// Every die from 15 to 250 pixels falls into the range of some level, as long as
// the picture is not larger than the work that is done for one.
func TestLevelsCoverTheSizes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(640, 1920).Draw(t, "w"), rapid.IntRange(640, 1080).Draw(t, "h")
		edge := rapid.Float64Range(15, 250).Draw(t, "edge")
		for _, s := range levels(w, h) {
			if s*edge >= 14 && s*edge <= 30 {
				return
			}
		}
		if s := levels(w, h)[0]; s*edge < 14 || s*float64(w*h)*s > 1.01*hitMostWork {
			t.Fatalf("no level of %d×%d for an edge of %.0f: %v", w, h, edge, levels(w, h))
		}
	})
}

// field is an output of the network with dice at cells.
func field(w, h int, at map[image.Point]hit) []float32 {
	out := make([]float32, classes*w*h)
	for i := range w * h {
		out[i] = -6
	}
	for p, t := range at {
		i := p.Y*w + p.X
		out[i] = float32(math.Log(t.die / (1 - t.die)))
		for v, q := range t.values {
			for j := range out[(v+1)*w*h : (v+2)*w*h] { // the same all over: one die a field
				out[(v+1)*w*h+j] = float32(math.Log(max(q, 1e-6)))
			}
		}
		out[7*w*h+i] = float32(math.Log(t.edge / middle))
	}
	return out
}

func TestPeaks(t *testing.T) {
	want := hit{edge: 25, die: 0.8, values: [6]float64{0.02, 0.02, 0.9, 0.02, 0.02, 0.02}}
	got := peaks(field(12, 9, map[image.Point]hit{{7, 4}: want}), 12, 9, 1)
	if len(got) != 1 {
		t.Fatalf("%d peaks, want one", len(got))
	}
	g := got[0]
	if g.x != 29.5 || g.y != 17.5 || math.Abs(g.edge-25) > 0.01 || math.Abs(g.die-0.8) > 0.001 ||
		math.Abs(g.values[2]-0.9) > 0.001 {
		t.Errorf("peak %+v, want %+v in the middle of cell 7, 4", g, want)
	}
	weak := hit{edge: 25, die: hitLeast / 2, values: want.values}
	if got := peaks(field(12, 9, map[image.Point]hit{{3, 3}: weak}), 12, 9, 1); len(got) != 0 {
		t.Errorf("a cell of %.2f counts", weak.die)
	}
}

func TestMerge(t *testing.T) {
	four, five := [6]float64{3: 0.9, 4: 0.1}, [6]float64{3: 0.1, 4: 0.9}
	for _, c := range []struct {
		name string
		in   []hit
		want int
	}{
		{"one die on two levels", []hit{{100, 100, 40, 0.9, four}, {104, 98, 44, 0.7, four}}, 1},
		{"two that touch", []hit{{100, 100, 40, 0.9, four}, {141, 100, 40, 0.7, five}}, 2},
		{"a spot on a die", []hit{{100, 100, 40, 0.9, four}, {110, 110, 16, 0.5, five}}, 1},
		{"nothing", nil, 0},
	} {
		got := merge(c.in)
		if len(got) != c.want {
			t.Errorf("%s: %d dice, want %d", c.name, len(got), c.want)
			continue
		}
		for _, g := range got {
			sum := 0.0
			for _, p := range g.values {
				sum += p
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%s: probabilities add to %v", c.name, sum)
			}
		}
	}
	if got := merge([]hit{{100, 100, 40, 0.8, four}, {100, 100, 40, 0.8, five}}); len(got) != 1 ||
		got[0].values[3] > 0.6 || got[0].values[4] > 0.6 {
		t.Errorf("levels that contradict one another give %+v, want doubt", got)
	}
}

func TestUnusableNetworkIsRefused(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(9, 9, 9, 0), 200, 200, gocv.MatTypeCV8UC3)
	defer img.Close()
	for name, manifest := range map[string]string{
		"none":        `{}`,
		"other heads": `{"dice":{"file":"dice.onnx","input":[3,96,96],"heads":[{"name":"a","classes":["x"]}]}}`,
	} {
		r, err := NewReader(fstest.MapFS{"manifest.json": {Data: []byte(manifest)}, "dice.onnx": {Data: []byte("x")}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Read(img, Hint{}); !errors.Is(err, models.ErrModel) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v: want one line of ErrModel", name, err)
		}
		r.Close()
	}
}
