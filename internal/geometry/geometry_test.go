package geometry

import (
	"testing"

	"pgregory.net/rapid"

	"vision/internal/fact"
)

// The hull holds every point on its inner side, their middle, and nothing beyond them.
func TestHullContainsItsPoints(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var all []fact.Point
		for range rapid.IntRange(3, 40).Draw(rt, "n") {
			all = append(all, fact.Point{float64(rapid.IntRange(0, 30).Draw(rt, "x")), float64(rapid.IntRange(0, 30).Draw(rt, "y"))})
		}
		var middle fact.Point
		for _, p := range all {
			middle[0], middle[1] = middle[0]+p[0]/float64(len(all)), middle[1]+p[1]/float64(len(all))
		}
		h := Hull(all)
		if len(h) < 3 {
			return
		}
		if !Contains(h, middle) {
			rt.Errorf("%v does not contain the points' middle %v", h, middle)
		}
		if Contains(h, fact.Point{31, 15}) {
			rt.Errorf("%v contains a point outside", h)
		}
		for i, a := range h {
			b := h[(i+1)%len(h)]
			for _, p := range all {
				if (b[0]-a[0])*(p[1]-a[1])-(b[1]-a[1])*(p[0]-a[0]) < 0 {
					rt.Fatalf("%v lies outside %v", p, h)
				}
			}
		}
	})
}

// The spans of a shape are the pixels it contains.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const w, h = 40, 30
		corner := rapid.Custom(func(t *rapid.T) fact.Point {
			return fact.Point{rapid.Float64Range(-10, w+10).Draw(t, "x"), rapid.Float64Range(-10, h+10).Draw(t, "y")}
		})
		shape := rapid.SliceOfN(corner, 0, 7).Draw(t, "shape")
		var in [w * h]int
		for _, s := range Spans(shape, w, h) {
			for x := s.From; x < s.To; x++ {
				in[s.Y*w+x]++
			}
		}
		for i, n := range in {
			if p := (fact.Point{float64(i % w), float64(i / w)}); (n == 1) != Contains(shape, p) || n > 1 {
				t.Fatalf("%v is %d times in the spans, contained %v", p, n, Contains(shape, p))
			}
		}
	})
}
