package dice

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// pattern is a face read from its spots.
type pattern struct {
	value  int
	x, y   float64    // middle of the face
	u, v   fact.Point // from there to the middles of two sides
	spots  []spot
	height float64 // of the lowest spot, in levels of grey
	off    float64 // largest distance of a spot from its place, in edges
	middle float64 // distance of the face's middle from the proposal's, in edges
	scale  float64 // its edge over the proposal's
	tall   bool    // a six whose rows of three run along v

	look    float64    // edge over the proposal's at which it was seen
	channel int        // in which it was seen
	body    [3]float64 // colour between the spots, BGR
	clean   float64    // height over the deviation of the shade between the spots
	leak    float64    // share of a line round the face that has the body's colour
}

// The lattice of spots, in edges.
const spread = 0.25 // of a corner's spot from the middle, along either side

// lattice finds the pattern that spots about the middle of a face make: nil
// where they make none. A spot within the face that has no place in the pattern
// refutes it.
func lattice(all []spot, c float64) *pattern {
	near := make([]spot, 0, len(all))
	for _, s := range all {
		if sq(s.x-c)+sq(s.y-c) < sq(spotNear*faceEdge) {
			near = append(near, s)
		}
	}
	slices.SortFunc(near, func(a, b spot) int { return cmp.Compare(b.height, a.height) })
	if len(near) > spotMostNear {
		near = near[:spotMostNear]
	}
	if p := many(near, c); p != nil {
		return p
	}
	return few(near, c)
}

// many finds a four, a five or a six: three corners that span a face, and the fourth.
func many(near []spot, c float64) *pattern {
	var best *pattern
	for a := range near {
		for b := range near {
			for d := b + 1; d < len(near); d++ {
				if b == a || d == a {
					continue
				}
				if p := span(near, a, b, d, c); p != nil && (best == nil || p.better(best)) {
					best = p
				}
			}
		}
	}
	return best
}

func (p *pattern) better(o *pattern) bool {
	if p.value != o.value {
		return p.value > o.value
	}
	return p.off < o.off
}

// span holds the face whose corners' spots are a, b beside it and d below it
// against the spots.
func span(near []spot, a, b, d int, c float64) *pattern {
	p := pattern{
		x: (near[b].x + near[d].x) / 2, y: (near[b].y + near[d].y) / 2,
		u: fact.Point{(near[b].x - near[a].x) / (2 * spread) / 2, (near[b].y - near[a].y) / (2 * spread) / 2},
		v: fact.Point{(near[d].x - near[a].x) / (2 * spread) / 2, (near[d].y - near[a].y) / (2 * spread) / 2},
	}
	if !p.sane(c) {
		return nil
	}
	fourth := p.nearest(near, 1, 1)
	if fourth < 0 || fourth == a || fourth == b || fourth == d {
		return nil
	}
	p.spots = []spot{near[a], near[b], near[d], near[fourth]}
	p.value = 4
	mid := p.nearest(near, 0, 0)
	left, right := p.nearest(near, -1, 0), p.nearest(near, 1, 0)
	top, foot := p.nearest(near, 0, -1), p.nearest(near, 0, 1)
	switch {
	case mid >= 0:
		p.value, p.spots = 5, append(p.spots, near[mid])
	case left >= 0 && right >= 0:
		p.value, p.tall, p.spots = 6, true, append(p.spots, near[left], near[right])
	case top >= 0 && foot >= 0:
		p.value, p.spots = 6, append(p.spots, near[top], near[foot])
	}
	if p.value == 4 && p.middle > latticeFar {
		return nil
	}
	if !p.slanted() && !(p.upright() && p.shaped()) ||
		p.value == 4 && p.goesOn(near) || p.value == 6 && p.off > latticeSixOff {
		return nil
	}
	return p.plausible(near)
}

// goesOn reports whether a four has another row at the same distance: a part of a six.
func (p *pattern) goesOn(near []spot) bool {
	off := p.off
	defer func() { p.off = off }()
	for _, side := range [4][4]float64{{-1, -3, 1, -3}, {-1, 3, 1, 3}, {-3, -1, -3, 1}, {3, -1, 3, 1}} {
		a, b := p.nearest(near, side[0], side[1]), p.nearest(near, side[2], side[3])
		if a >= 0 && b >= 0 && a != b && p.alike(near[a]) && p.alike(near[b]) {
			return true
		}
	}
	return false
}

// alike reports whether a spot may be one of the pattern's.
func (p *pattern) alike(s spot) bool {
	var area, height float64
	for _, o := range p.spots {
		area, height = area+o.area/float64(len(p.spots)), height+o.height/float64(len(p.spots))
	}
	return s.area > latticeAlike*area && s.area < area/latticeAlike && s.height > latticeAlikeHeight*height
}

// shaped reports whether the sides are as long as they may be: the columns of a six
// often stand close to one another.
func (p *pattern) shaped() bool {
	lu, lv := math.Hypot(p.u[0], p.u[1]), math.Hypot(p.v[0], p.v[1])
	if p.value == 6 && p.tall == (lv > lu) {
		return true
	}
	return max(lu, lv) < latticeOblong*min(lu, lv)
}

// sane reports whether the frame may be a die's face, seen from a camera that is
// not too low.
func (p *pattern) sane(c float64) bool {
	lu, lv := math.Hypot(p.u[0], p.u[1]), math.Hypot(p.v[0], p.v[1])
	p.scale = 2 * math.Sqrt(math.Abs(p.u[0]*p.v[1]-p.u[1]*p.v[0])) / faceEdge
	p.middle = math.Hypot(p.x-c, p.y-c) / faceEdge
	cos := math.Abs(p.u[0]*p.v[0]+p.u[1]*p.v[1]) / (lu * lv)
	return p.scale > latticeLeastScale && p.scale < latticeMostScale && p.middle < latticeMost &&
		max(lu, lv) < latticeLongest*min(lu, lv) && cos < latticeLeastAngle
}

// upright reports whether the sides stand nearly at right angles.
func (p *pattern) upright() bool {
	lu, lv := math.Hypot(p.u[0], p.u[1]), math.Hypot(p.v[0], p.v[1])
	return math.Abs(p.u[0]*p.v[0]+p.u[1]*p.v[1]) < latticeRightAngle*lu*lv
}

// slanted reports whether the spots are as long, and lie as, those of a face that is
// seen as slantwise as this: a die turned by an eighth before a low camera is a
// rhombus.
func (p *pattern) slanted() bool {
	xx, yy := p.u[0]*p.u[0]+p.v[0]*p.v[0], p.u[1]*p.u[1]+p.v[1]*p.v[1]
	xy := p.u[0]*p.u[1] + p.v[0]*p.v[1]
	mid, off := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	long, axis := math.Sqrt((mid+off)/max(mid-off, 1e-9)), math.Atan2(2*xy, xx-yy)/2
	for _, s := range p.spots {
		d := math.Abs(math.Remainder(s.turn-axis, math.Pi))
		if math.Abs(math.Log(s.long/long)) > latticeSlantLength || d > latticeSlantTurn {
			return false
		}
	}
	return true
}

// nearest is the spot at a place of the lattice, or -1; it notes how far off it is.
func (p *pattern) nearest(near []spot, a, b float64) int {
	x := p.x + 2*spread*(a*p.u[0]+b*p.v[0])
	y := p.y + 2*spread*(a*p.u[1]+b*p.v[1])
	best, off := -1, sq(latticeOff*faceEdge)
	for i := range near {
		if d := sq(near[i].x-x) + sq(near[i].y-y); d < off {
			best, off = i, d
		}
	}
	if best >= 0 {
		p.off = max(p.off, math.Sqrt(off)/faceEdge)
	}
	return best
}

// plausible is the pattern if its spots are of one size and height and no other spot as
// clear as they lies within the face, else nil.
func (p *pattern) plausible(near []spot) *pattern {
	least, most := math.Inf(1), 0.0
	p.height = math.Inf(1)
	top := 0.0
	for _, s := range p.spots {
		least, most = min(least, s.area), max(most, s.area)
		p.height, top = min(p.height, s.height), max(top, s.height)
	}
	if least < latticeEven*most || p.height < latticeHeight*top {
		return nil
	}
	det := p.u[0]*p.v[1] - p.u[1]*p.v[0]
	for _, s := range near {
		if slices.Contains(p.spots, s) || s.height < latticeHeight*p.height {
			continue
		}
		dx, dy := s.x-p.x, s.y-p.y
		a, b := (dx*p.v[1]-dy*p.v[0])/det, (dy*p.u[0]-dx*p.u[1])/det
		if max(math.Abs(a), math.Abs(b)) < latticeWithin {
			return nil
		}
	}
	return p
}

// diagonal is the face of which a and b are opposite corners' spots: a square, as
// much shorter across the spots' long axes as they are, where both are alike.
func diagonal(a, b *spot) *pattern {
	p := &pattern{value: 2, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spots: []spot{*a, *b}}
	dx, dy := (b.x-a.x)/2, (b.y-a.y)/2
	long, cos, sin := 1.0, 1.0, 0.0
	if min(a.long, b.long) > latticeTwoLong && math.Abs(math.Log(a.long/b.long)) < latticeTwoLength &&
		math.Abs(math.Remainder(a.turn-b.turn, math.Pi)) < latticeTwoTurn {
		long = math.Sqrt(a.long * b.long)
		sin, cos = math.Sincos(b.turn + math.Remainder(a.turn-b.turn, math.Pi)/2)
	}
	along, across := dx*cos+dy*sin, long*(dy*cos-dx*sin)
	side := func(s, t float64) fact.Point {
		t /= long
		return fact.Point{(s*cos - t*sin) / (4 * spread), (s*sin + t*cos) / (4 * spread)}
	}
	p.u, p.v = side(along-across, across+along), side(along+across, across-along)
	return p
}

// few finds a three, a two or a one: corners opposite to one another, or the
// middle alone. How the face is turned follows from two corners only where it is
// known how slantwise it is seen.
func few(near []spot, c float64) *pattern {
	var best *pattern
	for a := range near {
		for b := a + 1; b < len(near); b++ {
			p := diagonal(&near[a], &near[b])
			if !p.sane(c) || p.middle > latticeFar {
				continue
			}
			if mid := p.nearest(near, 0, 0); mid >= 0 {
				p.value, p.spots = 3, append(p.spots, near[mid])
			}
			if q := p.plausible(near); q != nil && (best == nil || q.better(best)) {
				best = q
			}
		}
	}
	if best != nil {
		return best
	}
	for _, s := range near {
		p := pattern{value: 1, x: s.x, y: s.y, u: fact.Point{faceEdge / 2, 0}, v: fact.Point{0, faceEdge / 2},
			spots: []spot{s}}
		if p.sane(c) && p.middle < latticeFar && !p.flanked(near) && p.plausible(near) != nil {
			return &p
		}
	}
	return nil
}

// flanked reports whether a one has like spots on either side: the middle of more.
func (p *pattern) flanked(near []spot) bool {
	for i, a := range near {
		for _, b := range near[i+1:] {
			if math.Hypot((a.x+b.x)/2-p.x, (a.y+b.y)/2-p.y) < latticeOff*faceEdge && p.alike(a) && p.alike(b) {
				return true
			}
		}
	}
	return false
}
