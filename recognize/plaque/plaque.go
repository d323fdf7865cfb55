package plaque

import (
	"cmp"
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
)

// plaques is the search for plaques in one reading of a zone: flat pieces with four
// sides, of a size in the palette. Their face is found first, by its colour and
// its outline, as if it lay one thickness above the felt; how many lie on one another
// follows from their sides (pile.go). What has no sides is print, or a card.
type plaques struct {
	*search
	palette []calibration.Chip
	*dyes
	lattice *lattice
	found   []pile
	px      []int32 // of a face's samples, kept between calls
}

// slab is the face of a plaque: its middle projected down on the felt from its
// height, and how its longer side is turned from x to y.
type slab struct {
	kind  int
	at    fact.Point
	tall  float64
	turn  float64 // radians
	score float64 // mean log likelihood of its colours, less what shows beside it
	p     float64 // probability of the kind
}

// faces finds the faces of plaques whose middle lies in the zone or near it.
func (s *plaques) faces() []slab {
	var cands []slab
	marks := s.masks(s.lattice)
	for k := range s.kinds {
		cands = append(cands, s.guesses(k, marks)...)
	}
	slices.SortStableFunc(cands, func(a, b slab) int { return cmp.Compare(b.score, a.score) })
	var starts []slab
	for _, c := range cands {
		near, same := 0, false
		for _, o := range starts {
			switch over := s.overlap(o, c); {
			case o.kind == c.kind && over > plaqueSamePlace:
				same = true // the same place, and not so good
			case over > plaqueNear:
				near++
			}
		}
		if !same && near < plaqueTries {
			starts = append(starts, c)
		}
	}
	for i := range starts {
		starts[i] = s.climb(starts[i], false)
	}
	slices.SortStableFunc(starts, func(a, b slab) int { return cmp.Compare(b.score, a.score) })
	var ends []slab
	for _, c := range starts {
		if !slices.ContainsFunc(ends, func(o slab) bool {
			over := s.overlap(o, c)
			return o.kind == c.kind && over > plaqueSameEnd || over > plaqueNear &&
				o.score-c.score > plaqueHopeless
		}) {
			ends = append(ends, s.climb(c, true))
		}
	}
	return s.suppress(ends)
}

// guesses are places at which the colour of a kind's face lies about, turned as fits
// best there.
func (s *plaques) guesses(kind int, marks *sums) (out []slab) {
	l := s.lattice
	half := int(plaqueHalf * s.kinds[kind].Length / plaqueLattice)
	for y := half; y < l.h-half; y += plaqueEvery {
		for x := half; x < l.w-half; x += plaqueEvery {
			n := marks.within(0, x, y, half)
			if plaqueLeastShown*n < (2*half+1)*(2*half+1) ||
				float64(marks.within(kind+1, x, y, half)) < plaqueShare*float64(n) {
				continue
			}
			best := slab{score: plaqueHope}
			m := s.lens(l.at(x, y), l.tall)
			for k := range plaqueTurns {
				c := slab{kind: kind, at: l.at(x, y), tall: l.tall, turn: math.Pi * float64(k) / float64(plaqueTurns)}
				if c.score = s.roughScore(&m, c, best.score); c.score > best.score {
					best = c
				}
			}
			if best.score > plaqueHope {
				out = append(out, best)
			}
		}
	}
	return out
}

// toTable is a place of a face, along and across, on the table.
func (c *slab) toTable(u, v float64) fact.Point {
	sin, cos := math.Sincos(c.turn)
	return fact.Point{c.at[0] + u*cos - v*sin, c.at[1] + u*sin + v*cos}
}

// framed is a face in the picture: the projection of its rectangle on that of its
// corners, within which the lens is as good as straight.
type framed struct {
	half   fact.Point // of the corners, millimetres along and across
	corner [4]fact.Point
	m      [8]float64 // from the unit square (Heckbert 1989, section 2.2.3)
}

func (s *plaques) framed(c *slab) framed {
	d := &s.kinds[c.kind]
	f := framed{half: fact.Point{d.Length/2 + plaqueAbout, d.Width/2 + plaqueAbout}}
	for k, q := range [4]fact.Point{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} { // one after the other
		f.corner[k] = s.hint.View.ToImageAt(c.toTable(q[0]*f.half[0], q[1]*f.half[1]), c.tall)
	}
	p := &f.corner
	x1, y1, x2, y2 := p[1][0]-p[2][0], p[1][1]-p[2][1], p[3][0]-p[2][0], p[3][1]-p[2][1]
	x3, y3 := p[0][0]-p[1][0]+p[2][0]-p[3][0], p[0][1]-p[1][1]+p[2][1]-p[3][1]
	det := x1*y2 - x2*y1
	g, h := (x3*y2-x2*y3)/det, (x1*y3-x3*y1)/det
	f.m = [8]float64{p[1][0] - p[0][0] + g*p[1][0], p[3][0] - p[0][0] + h*p[3][0], p[0][0],
		p[1][1] - p[0][1] + g*p[1][1], p[3][1] - p[0][1] + h*p[3][1], p[0][1], g, h}
	return f
}

// at is the pixel that shows a place along and across.
func (f *framed) at(u, v float64) fact.Point {
	a, b, m := 0.5+u/(2*f.half[0]), 0.5+v/(2*f.half[1]), &f.m
	w := 1 / (m[6]*a + m[7]*b + 1)
	return fact.Point{(m[0]*a + m[1]*b + m[2]) * w, (m[3]*a + m[4]*b + m[5]) * w}
}

// roughScore is how well the colours of a face fit, roughly; outlier where it does not
// reach floor.
func (s *plaques) roughScore(m *affine, c slab, floor float64) float64 {
	samples, all := s.kinds[c.kind].rough, float64(s.kinds[c.kind].onFaces)
	sum := 0.0
	s.px = s.px[:0]
	sin, cos := math.Sincos(c.turn)
	for j := range samples {
		q := &samples[j]
		if q.what == beyond {
			continue
		}
		i, ok := s.index(m.at(c.at[0]+q.u*cos-q.v*sin, c.at[1]+q.u*sin+q.v*cos))
		if !ok || s.taken[i] {
			continue
		}
		s.px = append(s.px, int32(i))
		if sum += s.expected(c.kind, q.what, i); sum < floor*all-1e-6 {
			return colourOutlier
		}
	}
	n := float64(len(s.px))
	if n < plaqueLeastSeen*all {
		return colourOutlier
	}
	background := 0.0
	for _, i := range s.px {
		background += s.background(int(i))
	}
	return sum/n - max(0, plaqueLead-(sum-background)/n)
}

// expected is how well a pixel fits what is expected at a part of a kind's face.
func (s *plaques) expected(kind int, what part, i int) float64 {
	v := float64(s.of(&s.picture, i)[parts*kind+int(what)])
	switch what {
	case rim:
		return max(v, plaqueEdged)
	case inlay:
		return max(v, plaquePrinted)
	}
	return v
}

// rate fills in how well a face fits: its colours, and that it ends where it should
// on the sides that are turned away from the camera; outlier where it does not reach
// floor.
func (s *plaques) rate(c *slab, samples []mark, floor float64) {
	ex, ey := s.away(c.at)
	sin, cos := math.Sincos(c.turn)
	at := s.framed(c)
	sum, background, n, all := 0.0, 0.0, 0.0, 0.0
	for j := range samples {
		if samples[j].what != beyond {
			all++
		}
	}
	least := floor*all - 1e-6
	var ends, looked [4]float64
	c.score = colourOutlier
	for j := range samples {
		q := &samples[j]
		if sum < least { // every sample counts against it or not at all
			return
		}
		if q.what == beyond && (q.out[0]*cos-q.out[1]*sin)*ex+(q.out[0]*sin+q.out[1]*cos)*ey < -plaqueTurnedAway {
			continue // the plaque's own side shows there
		}
		i, ok := s.index(at.at(q.u, q.v))
		if !ok || s.taken[i] {
			continue
		}
		plain := s.background(i)
		if q.what == beyond {
			k := sideOf(q.out)
			looked[k]++
			over := max(0, float64(s.of(&s.picture, i)[parts*c.kind+int(rim)])-max(plain, colourAnything))
			sum -= plaqueOverWeight * over
			if over > 0 {
				ends[k]++
			}
			continue
		}
		n++
		background += plain
		if v := s.expected(c.kind, q.what, i); q.what == rim && plain > max(v, plaqueFeltFrom) {
			sum += plaqueBackgroundEdge
		} else {
			sum += v
		}
	}
	if n < plaqueLeastSeen*all {
		return
	}
	c.score = sum/n - max(0, plaqueLead-(sum-background)/n)
	for k := range ends {
		if looked[k] > plaqueLeastBeside && ends[k] > plaqueGoesOn*looked[k] {
			c.score -= plaqueTooLarge // it is larger than a plaque
		}
	}
}

// sideOf numbers the four sides by the direction in which they lie.
func sideOf(out fact.Point) int {
	switch {
	case out[0] > 0:
		return 0
	case out[0] < 0:
		return 1
	case out[1] > 0:
		return 2
	}
	return 3
}

// away is the direction on the felt, at a place, that leads away from the camera.
func (s *search) away(at fact.Point) (x, y float64) {
	x, y = at[0]-s.eye[0], at[1]-s.eye[1]
	l := max(math.Hypot(x, y), 1e-9)
	return x / l, y / l
}

// refine climbs to the best place and turn nearby, with fewer samples at first.
func (s *plaques) refine(c slab) slab { return s.climb(s.climb(c, false), true) }

// climb is the half of that with few samples, or the other.
func (s *plaques) climb(c slab, fine bool) slab {
	d := &s.kinds[c.kind]
	samples, steps := d.rough, plaqueRoughSteps
	if fine {
		samples, steps = d.fine, plaqueFineSteps
	}
	for _, step := range steps {
		if fine && c.score < plaqueHopeFor*plaqueAccepted {
			return c // nothing lies about that looks like it
		}
		s.rate(&c, samples, anyScore)
		var came [3]float64 // the step before
		for range plaqueMoves {
			best, next := c, came
			for _, o := range moves {
				if back := [3]float64{came[0] + o[0], came[1] + o[1], came[2] + o[2]}; came != [3]float64{} &&
					(back == [3]float64{} || slices.Contains(moves[:], back)) {
					continue // what lies about where it began is no better
				}
				e := c
				e.at, e.turn = fact.Point{c.at[0] + o[0]*step.mm, c.at[1] + o[1]*step.mm}, c.turn+o[2]*step.radians
				if s.rate(&e, samples, best.score); e.score > best.score {
					best, next = e, o
				}
			}
			if best == c {
				break
			}
			c, came = best, next
		}
	}
	return c
}

// move is a step of a climb.
type move struct{ mm, radians float64 }

// moves are the directions of a climb: along x, along y and in turn.
var moves = [...][3]float64{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, -1, 0}, {1, 1, 0},
	{-1, 1, 0}, {1, -1, 0}}

// suppress keeps the faces that fit, the best of overlapping ones, and gives the
// probability of the kind.
func (s *plaques) suppress(all []slab) (out []slab) {
	slices.SortStableFunc(all, func(a, b slab) int { return cmp.Compare(b.score, a.score) })
	for _, c := range all {
		if c.score < plaqueAccepted {
			break
		}
		i := slices.IndexFunc(out, func(o slab) bool { return s.overlap(o, c) > plaqueSameFace })
		if i < 0 {
			c.p = 1
			out = append(out, c)
			continue
		}
		if o := &out[i]; o.kind != c.kind && s.overlap(*o, c) > plaqueRival {
			o.p = min(o.p, 1/(1+math.Exp((c.score-o.score)*float64(len(s.kinds[c.kind].fine))/plaqueSamplesAlike)))
		}
	}
	return out
}

// overlap is the share of the smaller of two faces that lies in the other.
func (s *plaques) overlap(a, b slab) float64 {
	da, db := &s.kinds[a.kind], &s.kinds[b.kind]
	if math.Hypot(a.at[0]-b.at[0], a.at[1]-b.at[1]) > (math.Hypot(da.Length, da.Width)+math.Hypot(db.Length, db.Width))/2 {
		return 0
	}
	if da.Length*da.Width > db.Length*db.Width {
		a, b, da, db = b, a, db, da
	}
	const cuts = 9
	n := 0
	for i := range cuts {
		for j := range cuts {
			p := a.toTable(da.Length*(float64(i)/(cuts-1)-0.5), da.Width*(float64(j)/(cuts-1)-0.5))
			if b.holds(db, p) {
				n++
			}
		}
	}
	return float64(n) / (cuts * cuts)
}

// within is a point of the table, seen at the face's height, along and across.
func (c *slab) within(p fact.Point) (u, v float64) {
	sin, cos := math.Sincos(c.turn)
	x, y := p[0]-c.at[0], p[1]-c.at[1]
	return x*cos + y*sin, y*cos - x*sin
}

// holds reports whether a point of the table, seen at the face's height, lies on it.
func (c *slab) holds(d *dye, p fact.Point) bool {
	u, v := c.within(p)
	return math.Abs(u) <= d.Length/2+1e-6 && math.Abs(v) <= d.Width/2+1e-6
}

// anyScore is below every score.
var anyScore = math.Inf(-1)

// part of a plaque's face.
type part int

// The parts of a face whose colours differ, and what lies beside it.
const (
	field  part = iota // in the light from above
	rim                // near the outline, where a border may be printed: its line and the field run into one another
	inlay              // in the middle, where the value is printed, on a pale ground or on the field
	beyond             // of which no colour is expected
	parts  = int(beyond)
)
