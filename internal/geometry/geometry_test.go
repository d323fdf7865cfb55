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
