package dice

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// nearCorner are the points at which a corner is looked at, in half edges.
var nearCorner = [3]fact.Point{{0.8, 0.8}, {0.85, 0.65}, {0.65, 0.85}}

// chipped reports whether one corner of a face is not of its colour, and that the felt
// shows there: it is gone.
func (s *search) chipped(f *face) (odd, gone bool) {
	if f.score < damagedFit || f.value() == 1 && f.score < damagedOne {
		return false, false
	}
	body := s.faceColour(f)
	light := max(body[0]+body[1]+body[2], 1)
	var off [4]float64
	worst, felt := 0, [4]int{}
	for i, q := range faceCorners {
		var sum [3]float64
		for _, r := range nearCorner {
			p := s.at(f, fact.Point{q[0] * r[0], q[1] * r[1]})
			c, ok := s.colour(p)
			if !ok {
				return false, false
			}
			for k := range sum {
				sum[k] += c[k] / float64(len(nearCorner))
			}
			if !s.isFore(p[0], p[1]) {
				felt[i]++
			}
		}
		for k := range sum {
			off[i] += math.Abs(sum[k]-body[k]) / light
		}
		if off[i] > off[worst] {
			worst = i
		}
	}
	for i := range off {
		if i != worst && (off[i] > damagedEven || felt[i] > 0) {
			return false, false
		}
	}
	odd = off[worst] > damagedOdd
	return odd, odd && felt[worst] >= damagedGone
}

// faceColour is the median of each channel between a face's spots.
func (s *search) faceColour(f *face) (out [3]float64) {
	var all [3][]float64
	for _, p := range blankPoints {
		if max(math.Abs(p[0]), math.Abs(p[1])) > damagedFaceTo {
			continue
		}
		if c, ok := s.colour(s.at(f, p)); ok {
			for k := range all {
				all[k] = append(all[k], c[k])
			}
		}
	}
	for k := range all {
		if len(all[k]) > 0 {
			slices.SortFunc(all[k], cmp.Compare)
			out[k] = all[k][len(all[k])/2]
		}
	}
	return out
}

// damaged marks dice that lack a corner as broken, and those of which one corner looks
// strange as doubtful.
func (s *search) damaged(faces []face) {
	for i := range faces {
		f := &faces[i]
		if f.irregular != "" && f.irregular != "cocked" {
			continue
		}
		switch odd, gone := s.chipped(f); {
		case gone, odd && f.irregular != "": // it fits badly too: for want of a spot, not because it leans
			f.irregular = "broken"
		case odd:
			f.doubtful = true
		}
	}
}
