package dice

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// A die that has lost a corner shows three corners of its upper face in the
// face's colour and at the fourth something else: the cloth, or the break, which a
// lamp mirrored there may look like. One that leans has more corners that differ.
const (
	// oddCorner is the difference from the face's colour, in shares of its
	// brightness, from which a corner is none, evenCorner that up to which it is one:
	// whole dice show up to a fifth.
	oddCorner, evenCorner = 0.33, 0.21
	// chippedFit is the least fit of a face that lacks a corner, and chippedOne that
	// of a one, whose only spot says little of how it lies.
	chippedFit, chippedOne = 0.88, 0.97
)

// nearCorner are the points at which a corner is looked at, in half edges.
var nearCorner = [3]fact.Point{{0.8, 0.8}, {0.85, 0.65}, {0.65, 0.85}}

// chipped tells that one corner of a face is not of its colour, and that the cloth
// shows there: it is gone.
func (s *search) chipped(f *face) (odd, gone bool) {
	if f.score < chippedFit || f.value() == 1 && f.score < chippedOne {
		return false, false
	}
	body := s.faceColour(f)
	light := max(body[0]+body[1]+body[2], 1)
	var off [4]float64
	worst, cloth := 0, [4]int{}
	for i, q := range [4]fact.Point{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		var sum [3]float64
		for _, r := range nearCorner {
			p := s.at(f, q[0]*r[0], q[1]*r[1])
			c, ok := s.colour(p)
			if !ok {
				return false, false
			}
			for k := range sum {
				sum[k] += c[k] / float64(len(nearCorner))
			}
			if !s.isFore(p[0], p[1]) {
				cloth[i]++
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
		if i != worst && (off[i] > evenCorner || cloth[i] > 0) {
			return false, false
		}
	}
	odd = off[worst] > oddCorner
	return odd, odd && cloth[worst] >= 2
}

// faceColour is the median of each channel between a face's spots.
func (s *search) faceColour(f *face) (out [3]float64) {
	var all [3][]float64
	for _, p := range bare {
		if max(math.Abs(p[0]), math.Abs(p[1])) > 0.7 {
			continue
		}
		if c, ok := s.colour(s.at(f, p[0], p[1])); ok {
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

// damaged names the dice that lack a corner, and believes none of which one corner
// looks strange.
func (s *search) damaged(faces []face) {
	for i := range faces {
		f := &faces[i]
		if f.lies != "" && f.lies != "cocked" {
			continue
		}
		switch odd, gone := s.chipped(f); {
		case gone, odd && f.lies != "": // it fits badly too: for want of a spot, not because it leans
			f.lies = "broken"
		case odd:
			f.doubtful = true
		}
	}
}
