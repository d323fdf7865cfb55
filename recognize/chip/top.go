package chip

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// top is the upper face of a stack.
type top struct {
	kind  int
	disc  disc
	px    fact.Point // its middle in the picture
	score float64    // mean log likelihood of its colours
	p     float64    // probability of the kind
}

const (
	grid     = 3.0  // millimetres between candidates
	found    = -1.5 // least score of a candidate that is refined
	accepted = -0.9 // least score of a face
	// leastLead is by how much a face must fit better than bare cloth.
	leastLead = 1.2
	// leastSeen is the share of a face's samples that nearer stacks may not hide.
	leastSeen = 0.4
)

// tops finds the upper faces in and about the zone, or only those that may stand
// behind stacks already found. A face is searched for as a disc lying tall
// millimetres above the felt, which is nearly what it looks like at any other
// height, only elsewhere.
func (s *search) tops(behind []counted) []top {
	tall := 4 * s.hint.Palette[0].Thickness
	var cands []disc
	for _, t := range s.tiles(behind) {
		m := s.lens(t, tall)
		for dy := 0.0; dy < tile; dy += grid {
			for dx := 0.0; dx < tile; dx += grid {
				d := disc{at: fact.Point{t[0] + dx - tile/2, t[1] + dy - tile/2}, tall: tall}
				if s.plain(m, d.at) {
					continue
				}
				if s.rate(m, &d, coarse); d.score > found {
					cands = append(cands, d)
				}
			}
		}
	}
	slices.SortFunc(cands, func(a, b disc) int { return cmp.Compare(b.score, a.score) })
	var out []top
	var kept []disc
	for _, d := range cands {
		near := func(o disc) bool {
			return math.Hypot(o.at[0]-d.at[0], o.at[1]-d.at[1]) < 0.45*s.hint.Palette[d.kind].Diameter
		}
		if slices.ContainsFunc(kept, near) {
			continue
		}
		d = s.refine(d)
		if d.score < accepted || slices.ContainsFunc(kept, func(o disc) bool {
			return math.Hypot(o.at[0]-d.at[0], o.at[1]-d.at[1]) < 0.8*s.hint.Palette[d.kind].Diameter
		}) {
			continue
		}
		kept = append(kept, d)
		out = append(out, top{kind: d.kind, disc: d, px: s.hint.View.ToImageAt(d.at, d.tall), score: d.score, p: d.p})
	}
	return out
}

// tile is the side in millimetres of the squares in which the camera is taken
// for affine: within it that is right to a fifth of a pixel.
const tile = 30.0

// tiles are the middles of the squares to be searched.
func (s *search) tiles(behind []counted) []fact.Point {
	low, high := s.zone.Bounds()
	var out []fact.Point
	for y := low[1] - 2*margin; y <= high[1]+margin; y += tile {
		for x := low[0] - margin; x <= high[0]+margin; x += tile {
			t := fact.Point{x + tile/2, y + tile/2}
			near := func(c counted) bool { return math.Hypot(c.foot[0]-t[0], c.foot[1]-t[1]) < 110 }
			if behind == nil || slices.ContainsFunc(behind, near) {
				out = append(out, t)
			}
		}
	}
	return out
}

// affine is the camera near a point of a plane above the felt.
type affine struct {
	mm, px fact.Point
	ex, ey fact.Point // pixels per millimetre along x and y
}

func (s *search) lens(mm fact.Point, tall float64) affine {
	const d = 15.0
	at := func(dx, dy float64) fact.Point {
		return s.hint.View.ToImageAt(fact.Point{mm[0] + dx, mm[1] + dy}, tall)
	}
	l, r, u, o := at(-d, 0), at(d, 0), at(0, -d), at(0, d)
	return affine{mm: mm, px: at(0, 0),
		ex: fact.Point{(r[0] - l[0]) / (2 * d), (r[1] - l[1]) / (2 * d)},
		ey: fact.Point{(o[0] - u[0]) / (2 * d), (o[1] - u[1]) / (2 * d)}}
}

func (m *affine) at(x, y float64) fact.Point {
	x, y = x-m.mm[0], y-m.mm[1]
	return fact.Point{m.px[0] + x*m.ex[0] + y*m.ey[0], m.px[1] + x*m.ex[1] + y*m.ey[1]}
}

// disc is a candidate face at a height above the felt.
type disc struct {
	at    fact.Point
	tall  float64
	kind  int
	score float64
	p     float64
}

// plain tells quickly that a candidate's middle is bare cloth.
func (s *search) plain(m affine, at fact.Point) bool {
	const r = 6.0
	n := 0
	for _, o := range [4]fact.Point{{-r, 0}, {r, 0}, {0, -r}, {0, r}} {
		i, c, ok := s.at(m.at(at[0]+o[0], at[1]+o[1]))
		if !ok || s.bare(i, c) > -0.5 {
			n++
		}
	}
	return n > 2
}

// spot is a sample of a face: its place in radii and what is expected there.
type spot struct {
	x, y float64
	what part
}

type part int

const (
	inlay  part = iota // the middle: pale, printed
	field              // between inlay and inserts
	rim                // field or insert
	beyond             // just behind the face: no chip
)

var coarse, fine = pattern(12), pattern(32)

// pattern lays samples on rings.
func pattern(n int) []spot {
	rings := []struct {
		r    float64
		what part
	}{{0.2, inlay}, {0.44, inlay}, {0.67, field}, {0.84, rim}, {0.93, rim}}
	var out []spot
	for i, ring := range rings {
		for k := range n {
			sin, cos := math.Sincos((float64(k) + 0.5*float64(i%2)) * 2 * math.Pi / float64(n))
			out = append(out, spot{ring.r * cos, ring.r * sin, ring.what})
		}
	}
	// Behind the face, seen from the camera, its side is hidden: what shows
	// there is not this stack. x points away from the camera here.
	for k := range n {
		sin, cos := math.Sincos((float64(k)/float64(n-1) - 0.5) * math.Pi * 0.9)
		out = append(out, spot{1.1 * cos, 1.1 * sin, beyond})
	}
	return out
}

// rateKind fills in the score of one kind.
func (s *search) rateKind(m affine, d *disc, kind int) {
	s.from, s.to = kind, kind+1
	sums, ok := s.fits(m, d, fine)
	s.from, s.to = 0, len(s.tones.kinds)
	if d.score = outlier; ok {
		d.score = sums[kind]
	}
}

// rate fills in the likeliest kind and its score.
func (s *search) rate(m affine, d *disc, samples []spot) {
	sums, ok := s.fits(m, d, samples)
	if !ok {
		d.score = outlier
		return
	}
	best, second := -1, -1
	for k := range sums {
		switch {
		case best < 0 || sums[k] > sums[best]:
			best, second = k, best
		case second < 0 || sums[k] > sums[second]:
			second = k
		}
	}
	d.kind, d.score, d.p = best, sums[best], 1
	if second >= 0 {
		// Neighbouring samples are not independent: a dozen count as one.
		d.p = 1 / (1 + math.Exp((sums[second]-sums[best])*float64(len(samples))/12))
	}
}

// fits is the mean log likelihood of a face of each kind at d. False where too
// little of it can be seen. The slice is valid until the next call.
func (s *search) fits(m affine, d *disc, samples []spot) ([]float64, bool) {
	kinds := len(s.tones.kinds)
	s.sums, s.marks = append(s.sums[:0], make([]float64, kinds)...), append(s.marks[:0], make([][4]float64, kinds)...)
	var rims [4]float64 // samples per quarter of the rim
	n, cloth := 0.0, 0.0
	radius := s.hint.Palette[0].Diameter / 2
	ax, ay := d.at[0]-s.eye[0], d.at[1]-s.eye[1]
	if l := math.Hypot(ax, ay); l > 0 {
		ax, ay = ax/l*radius, ay/l*radius
	}
	for _, q := range samples {
		i, c, ok := s.at(m.at(d.at[0]+q.x*ax-q.y*ay, d.at[1]+q.x*ay+q.y*ax))
		if !ok {
			return nil, false
		}
		if s.taken != nil && s.taken[i] {
			continue
		}
		bare := s.bare(i, c)
		if q.what != beyond {
			n++
			cloth += bare
		}
		if q.what == rim {
			rims[q.quarter()]++
		}
		s.sample(q, c, bare)
	}
	if n < leastSeen*float64(len(samples)) {
		return nil, false
	}
	for k := s.from; k < s.to; k++ {
		s.sums[k] /= n
		// A chip of nearly the cloth's colour: the cloth itself is no chip.
		if lead := s.sums[k] - cloth/n; lead < leastLead {
			s.sums[k] -= leastLead - lead
		}
		s.sums[k] -= 6 * lacking(s.marks[k], rims)
	}
	return s.sums, true
}

// sample adds what one pixel says of each kind.
func (s *search) sample(q spot, c int, bare float64) {
	for k := s.from; k < s.to; k++ {
		t := &s.tones.kinds[k]
		switch q.what {
		case inlay:
			s.sums[k] += float64(t.inlay[c])
		case field:
			s.sums[k] += float64(t.body[c])
		case beyond:
			s.sums[k] -= max(0, float64(t.top[c])-max(bare, anything))
		default:
			s.sums[k] += float64(t.top[c])
			if t.edge[c] > -1 && t.edge[c] > t.body[c] {
				s.marks[k][q.quarter()]++
			}
		}
	}
}

// quarter of the rim in which a sample lies.
func (q spot) quarter() int {
	switch {
	case q.x >= 0 && q.y >= 0:
		return 0
	case q.x < 0 && q.y >= 0:
		return 1
	case q.x < 0:
		return 2
	}
	return 3
}

// lacking is how much of the inserts is missing from the rim's quarters. Inserts
// are spread round every kind's rim; the worst quarter is forgiven. A printed
// disc with a number on it has none, or in one place only.
func lacking(marks, samples [4]float64) float64 {
	const least = 0.15
	var sum, worst float64
	for i, m := range marks {
		if samples[i] < 4 { // hidden by a nearer stack
			continue
		}
		miss := max(0, least-m/samples[i])
		sum += miss
		worst = max(worst, miss)
	}
	return sum - worst
}

// refine climbs to the best place nearby, first by two millimetres, then finer.
func (s *search) refine(d disc) disc {
	m := s.lens(d.at, d.tall)
	s.rate(m, &d, fine)
	for _, step := range [...]float64{2, 1, 0.5} {
		for range 12 {
			best := d
			for _, o := range [8]fact.Point{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, 1}, {-1, 1}, {1, -1}} {
				e := disc{at: fact.Point{d.at[0] + o[0]*step, d.at[1] + o[1]*step}, tall: d.tall}
				if s.rateKind(m, &e, d.kind); e.score > best.score {
					best = disc{at: e.at, tall: e.tall, kind: d.kind, score: e.score}
				}
			}
			if best.at == d.at {
				break
			}
			d = best
		}
	}
	s.rate(m, &d, fine) // the other kinds too, where it fits best
	return d
}
