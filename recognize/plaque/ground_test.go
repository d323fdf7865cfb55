package plaque

import (
	"testing"

	"pgregory.net/rapid"

	"vision/calibration"
	"vision/internal/fact"
)

// The spans of a shape are the pixels it contains.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const w, h = 40, 30
		corner := rapid.Custom(func(t *rapid.T) fact.Point {
			return fact.Point{rapid.Float64Range(-10, w+10).Draw(t, "x"), rapid.Float64Range(-10, h+10).Draw(t, "y")}
		})
		shape := rapid.SliceOfN(corner, 0, 7).Draw(t, "shape")
		var in [w * h]int
		for _, s := range spansOf(shape, w, h) {
			for x := s.from; x < s.to; x++ {
				in[s.y*w+x]++
			}
		}
		z := calibration.Zone{Polygon: shape}
		for i, n := range in {
			if p := (fact.Point{float64(i % w), float64(i / w)}); (n == 1) != z.Contains(p) || n > 1 {
				t.Fatalf("%v is %d times in the spans, contained %v", p, n, z.Contains(p))
			}
		}
	})
}
