package chip

import (
	"fmt"
	"math"
	"testing"

	"vision/internal/fact"
)

// Where the bare felt is known, chips are read in the light that lies on it: in somebody's
// shadow, or after the camera's exposure changed.
func TestChipsAreReadInTheLightOnTheFelt(t *testing.T) {
	laid := []struct {
		kind string
		n    int
		at   fact.Point
	}{
		{"5", 3, fact.Point{300, 200}}, {"25", 1, fact.Point{520, 200}}, {"100", 2, fact.Point{740, 200}},
		{"500", 4, fact.Point{300, 420}}, {"1", 1, fact.Point{520, 420}},
	}
	w := newTwins(newBench(t, [3]float64{0.1, 0.25, 0.5}, 20), palette)
	w.showBare()
	for _, s := range laid {
		w.lay(s.kind, s.n, s.at[0], s.at[1])
	}
	for _, light := range []float64{1.15, 1, 0.8, 0.66, 0.56} {
		t.Run(fmt.Sprint(light), func(t *testing.T) {
			w.light = light
			img := w.picture()
			defer img.Close()
			out := w.whole(img)
			for _, s := range laid {
				found := false
				for _, o := range out {
					if math.Hypot(o.At[0]-s.at[0], o.At[1]-s.at[1]) > 12 {
						continue
					}
					found = true
					if o.Abstain != "" || len(o.Chips) != s.n || o.Chips[0] != s.kind {
						t.Errorf("%d of %s: read as %v, %s", s.n, s.kind, o.Chips, o.Abstain)
					}
				}
				if !found {
					t.Errorf("%d of %s: not found", s.n, s.kind)
				}
			}
			if len(out) > len(laid) {
				t.Errorf("%d stacks read of %d", len(out), len(laid))
			}
		})
	}
}

// The light is told by the felt alone: a zone that is covered, or whose felt is not known,
// tells none.
func TestTheLightOnTheFelt(t *testing.T) {
	felt := rgb{24, 96, 60}
	for name, c := range map[string]struct {
		now  rgb
		wear wear
		want float64
	}{
		"as it was":        {felt, inUse, 1},
		"hardly darker":    {felt.times(0.93), inUse, 1},
		"in a shadow":      {felt.times(0.66), inUse, math.Pow(par.colour.lightStep, -2)},
		"in the dark":      {felt.times(0.3), inUse, math.Pow(par.colour.lightStep, -3)},
		"under a lamp":     {felt.times(1.5), inUse, par.colour.lightStep},
		"cards cover it":   {rgb{230, 230, 225}, inUse, 1},
		"no picture of it": {felt.times(0.66), asNew, 1},
	} {
		t.Run(name, func(t *testing.T) {
			const w, h = 20, 20
			s := &search{picture: picture{w: w, h: h}, felt: c.now, ground: new(ground), hint: Hint{Felt: NewFelt(w, h)}}
			pix := make([]byte, 0, 3*w*h)
			for i := range w * h {
				pix = append(pix, byte(felt[2]), byte(felt[1]), byte(felt[0]))
				s.ground.felt = append(s.ground.felt, int32(i))
			}
			s.hint.Felt.Bare(pix)
			if got := s.light(c.wear); math.Abs(got-c.want) > 1e-9 {
				t.Errorf("light %v, want %v", got, c.want)
			}
		})
	}
}
