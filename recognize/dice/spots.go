package dice

import (
	"math"
	"slices"
)

// spot is a round patch of one shade, lighter or darker than all about it.
type spot struct {
	x, y   float64
	area   float64 // pixels
	height float64 // levels of grey between where it appears and where it runs into others
	round  float64 // its area over that of the ellipse of its moments: 1 for an ellipse
	long   float64 // long axis over the short one
	turn   float64 // of the long axis, radians from the picture's rows
}

// Spots are looked for on a square plane of one channel on which an edge has
// faceEdge pixels; their size is in shares of the edge.
const spotLevels = 14 // thresholds

// plane is one channel of a face, and what the search of spots needs.
type plane struct {
	side int
	edge float64 // of the face
	pix  []byte
	// kept between calls
	runs    []run
	patches []patch
	tracks  []track
	found   []spot
}

func newPlane(side int, edge float64) *plane {
	return &plane{side: side, edge: edge, pix: make([]byte, side*side)}
}

// span is the range of shades within a disc as wide as the face, without the
// outermost parts.
func (p *plane) span() (low, high int) {
	radius := 0.5 * p.edge
	var n [256]int
	total, c := 0, float64(p.side-1)/2
	for y := range p.side {
		for x := range p.side {
			if sq(float64(x)-c)+sq(float64(y)-c) <= sq(radius) {
				n[p.pix[y*p.side+x]]++
				total++
			}
		}
	}
	cut := max(1, total/spotCut)
	for sum := 0; low < 255; low++ {
		if sum += n[low]; sum >= cut {
			break
		}
	}
	high = 255
	for sum := 0; high > 0; high-- {
		if sum += n[high]; sum >= cut {
			break
		}
	}
	return low, high
}

// track follows a spot from threshold to threshold.
type track struct {
	spots   [spotLevels]spot
	n, last int
}

func (t *track) add(s spot, level int) {
	t.spots[t.n] = s
	t.n, t.last = t.n+1, level
}

// find adds the light spots, or the dark ones, of the plane; low and high are its span.
func (p *plane) find(out []spot, dark bool, low, high int) []spot {
	step := float64(high-low) / (spotLevels + 1)
	if step < spotLeastStep {
		return out
	}
	tracks := p.tracks[:0]
	for k := range spotLevels {
		t := byte(float64(low) + float64(k+1)*step)
		p.found = p.level(p.found[:0], t, dark)
		for _, s := range p.found {
			i := slices.IndexFunc(tracks, func(o track) bool {
				l := &o.spots[o.n-1]
				return k-o.last <= spotGap && k > o.last && sq(l.x-s.x)+sq(l.y-s.y) < sq(spotSame*p.edge)
			})
			if i < 0 {
				tracks, i = append(tracks, track{}), len(tracks)
			}
			tracks[i].add(s, k)
		}
	}
	p.tracks = tracks
	for i := range tracks {
		if t := &tracks[i]; t.n >= spotHeight {
			s := t.spots[t.n/2]
			s.height = float64(t.n) * step
			out = append(out, s)
		}
	}
	return out
}

// level adds the patches of the right size and shape beyond one threshold.
func (p *plane) level(out []spot, t byte, dark bool) []spot {
	p.runs, p.patches = p.runs[:0], p.patches[:0]
	above := 0 // the first run of the row above
	for y := range p.side {
		row, first := p.pix[y*p.side:(y+1)*p.side], len(p.runs)
		for x := 0; x < len(row); x++ {
			if (row[x] > t) == dark {
				continue
			}
			from := x
			for x < len(row) && (row[x] > t) != dark {
				x++
			}
			p.run(run{from: from, to: x}, y, above, first)
		}
		above = first
	}
	least, most := math.Pi*sq(spotLeast*p.edge), math.Pi*sq(spotMost*p.edge)
	for i := range p.patches {
		q := &p.patches[i]
		if q.joined >= 0 || q.border || q.n < least || q.n > most {
			continue
		}
		if s := q.spot(); s.round >= spotRound && s.long <= spotLong {
			out = append(out, s)
		}
	}
	return out
}

func sq(v float64) float64 { return v * v }

// run is a part of a row beyond the threshold, and the patch it belongs to.
type run struct{ from, to, patch int }

// patch is what is known of runs that hang together.
type patch struct {
	n, sx, sy, sxx, syy, sxy float64
	border                   bool // touches the plane's
	joined                   int  // the patch that took it up; -1: none
}

// run adds a run of row y to the patches of the runs [above, first) over it.
func (p *plane) run(r run, y, above, first int) {
	r.patch = -1
	for _, o := range p.runs[above:first] {
		if o.from >= r.to || o.to <= r.from {
			continue
		}
		at := p.root(o.patch)
		switch {
		case r.patch < 0:
			r.patch = at
		case at != r.patch:
			p.patches[r.patch].take(&p.patches[at])
			p.patches[at].joined = r.patch
		}
	}
	if r.patch < 0 {
		r.patch = len(p.patches)
		p.patches = append(p.patches, patch{joined: -1})
	}
	p.patches[r.patch].add(r, y, p.side)
	p.runs = append(p.runs, r)
}

func (p *plane) root(i int) int {
	for p.patches[i].joined >= 0 {
		i = p.patches[i].joined
	}
	return i
}

func (q *patch) add(r run, y, side int) {
	a, b, fy := float64(r.from), float64(r.to-1), float64(y)
	n := b - a + 1
	sum := n * (a + b) / 2
	q.n, q.sx, q.sy = q.n+n, q.sx+sum, q.sy+n*fy
	q.sxx += n*sq((a+b)/2) + n*(n*n-1)/12
	q.syy, q.sxy = q.syy+n*fy*fy, q.sxy+sum*fy
	q.border = q.border || r.from == 0 || r.to == side || y == 0 || y == side-1
}

func (q *patch) take(o *patch) {
	q.n, q.sx, q.sy, q.sxx, q.syy, q.sxy = q.n+o.n, q.sx+o.sx, q.sy+o.sy, q.sxx+o.sxx, q.syy+o.syy, q.sxy+o.sxy
	q.border = q.border || o.border
}

// spot measures the patch against the ellipse of its moments.
func (q *patch) spot() spot {
	s := spot{x: q.sx / q.n, y: q.sy / q.n, area: q.n}
	xx, yy, xy := q.sxx/q.n-s.x*s.x+1./12, q.syy/q.n-s.y*s.y+1./12, q.sxy/q.n-s.x*s.y
	mid, off := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	s.round = q.n / (4 * math.Pi * math.Sqrt(max(xx*yy-xy*xy, 1e-9)))
	s.long = math.Sqrt((mid + off) / max(mid-off, 1e-9))
	s.turn = math.Atan2(2*xy, xx-yy) / 2
	return s
}
