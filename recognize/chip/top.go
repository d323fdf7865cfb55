package chip

import (
	"cmp"
	"math"
	"slices"

	"vision/calibration"
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

// tops finds the upper faces in and about the zone, or only those that may stand
// behind stacks already found. A face is searched for as a disc lying tall
// millimetres above the felt, which is nearly what it looks like at any other
// height, only elsewhere.
func (s *search) tops(behind []counted) []top {
	var cands []disc
	for i := range s.ground.tiles {
		var odd []disc
		if s.only != nil && !s.only[i] {
			continue
		}
		if behind == nil {
			odd = s.sifted(i)
			s.odd[i] = odd
		} else if len(s.odd[i]) > 0 && s.near(i, behind) {
			odd = s.again(i)
		}
		for _, d := range odd {
			if d.score > s.tones.wear.found {
				cands = append(cands, d)
			}
		}
	}
	slices.SortFunc(cands, func(a, b disc) int { return cmp.Compare(b.score, a.score) })
	clear(s.stations)
	var out []top
	var kept []disc
	for _, d := range cands {
		near := func(o disc) bool {
			return math.Hypot(o.at[0]-d.at[0], o.at[1]-d.at[1]) < par.face.sameCandidate*s.hint.Palette[d.kind].Diameter
		}
		if slices.ContainsFunc(kept, near) {
			continue
		}
		d, ok := s.refine(d)
		if !ok || slices.ContainsFunc(kept, func(o disc) bool { return s.sameFace(o, d) }) || s.onCard(d) {
			continue
		}
		kept = append(kept, d)
		out = append(out, top{kind: d.kind, disc: d, px: s.hint.View.ToImageAt(d.at, d.tall), score: d.score, p: d.p})
	}
	return out
}

// sameFace reports whether d is no face of its own beside o, which fits better.
func (s *search) sameFace(o, d disc) bool {
	apart := math.Hypot(o.at[0]-d.at[0], o.at[1]-d.at[1]) / s.hint.Palette[d.kind].Diameter
	return apart < par.face.hiding || apart < par.face.touching && d.score < o.score-par.face.nearlyAs
}

// onCard reports whether a face is what shows of a card: white, with a few marks on it, it is
// like a worn chip's.
func (s *search) onCard(d disc) bool {
	return d.score < asNew.accepted && s.overCard(s.hint.View.ToImageAt(d.at, d.tall))
}

// overCard reports whether a point of the picture lies on a card that was read.
func (s *search) overCard(px fact.Point) bool {
	return slices.ContainsFunc(s.hint.Cards, func(outline []fact.Point) bool {
		return calibration.Zone{Polygon: outline}.Contains(px)
	})
}

// tileMemory is what is remembered of a tile: its candidates that are not bare felt,
// as they are rated, and as they are behind stacks.
type tileMemory struct{ odd, again seenDiscs }

type seenDiscs struct {
	sighting
	discs []disc
}

// sifted are the candidates of a tile that are not bare felt, rated.
func (s *search) sifted(i int) []disc {
	if s.memory == nil {
		return s.sift(i)
	}
	known := &s.memory.tiles[i].odd
	if !s.holds(&known.sighting) {
		known.discs = s.sift(i)
		known.sighting = s.sighted(s.tileBox(i))
	}
	return known.discs
}

// sift rates the candidates of a tile that are not bare felt.
func (s *search) sift(i int) (out []disc) {
	g := s.ground
	w, m, far := g.mesh.w, &g.tiles[i], par.face.afield
	for y := range across {
		p := (i/g.wide*across+y+far)*w + i%g.wide*across + far
		for x := range across {
			// Bare felt at once: of four places about it three are.
			if s.bareMesh(p+x-far*w)+s.bareMesh(p+x+far*w)+s.bareMesh(p+x-far)+s.bareMesh(p+x+far) > 2 {
				continue
			}
			at := m.candidate(x, y)
			d := disc{at: at, tall: g.tall, kind: s.lately}
			s.rate(m, &d, coarse, s.tones.wear.found)
			s.lately = d.kind
			out = append(out, d)
		}
	}
	return out
}

// near reports whether a tile is so near to stacks that they may hide a part of it.
func (s *search) near(i int, stacks []counted) bool {
	mm := s.ground.tiles[i].mm
	return slices.ContainsFunc(stacks, func(c counted) bool {
		return math.Hypot(c.foot[0]-mm[0], c.foot[1]-mm[1]) < par.face.behindReach
	})
}

// again rates the candidates of a tile once more that stacks found by now hide a part of.
func (s *search) again(i int) []disc {
	covers := s.behind(s.tileBox(i))
	if len(covers) == 0 {
		return s.odd[i]
	}
	if s.memory != nil && s.holds(&s.memory.tiles[i].again.sighting) {
		return s.memory.tiles[i].again.discs
	}
	out := slices.Clone(s.odd[i])
	for k := range out {
		d := &out[k]
		b := s.faceBox(&s.ground.tiles[i], d.at, d.at)
		if slices.ContainsFunc(covers, func(c cover) bool { return c.meets(b) }) {
			s.rate(&s.ground.tiles[i], d, coarse, s.tones.wear.found)
		}
	}
	if s.memory != nil {
		s.memory.tiles[i].again = seenDiscs{s.sighted(s.tileBox(i)), out}
	}
	return out
}

// tileBox is the part of the picture that faces on a tile show in.
func (s *search) tileBox(i int) box {
	m := &s.ground.tiles[i]
	half, grid := par.face.tile/2, par.face.grid
	return s.faceBox(m, fact.Point{m.mm[0] - half, m.mm[1] - half},
		fact.Point{m.mm[0] + half - grid, m.mm[1] + half - grid})
}

// faceBox is the part of the picture that faces show in whose middles lie between two
// places, and what lies right behind them.
func (s *search) faceBox(m *affine, low, high fact.Point) box {
	var out box
	for k, at := range [4]fact.Point{low, {high[0], low[1]}, high, {low[0], high[1]}} {
		g := s.placed(m, at)
		rx, ry := par.face.reach*(math.Abs(g.u[0])+math.Abs(g.v[0]))+1, par.face.reach*(math.Abs(g.u[1])+math.Abs(g.v[1]))+1
		b := box{int(g.px[0] - rx), int(g.px[1] - ry), int(g.px[0] + rx), int(g.px[1] + ry)}
		if k > 0 {
			b = b.with(out)
		}
		out = b
	}
	return out
}

// across is how many candidates a tile holds along a side.
var across = int(par.face.tile / par.face.grid)

// affine is the camera near a point of a plane above the felt.
type affine struct {
	mm, px fact.Point
	ex, ey fact.Point // pixels per millimetre along x and y
}

func (s *search) lens(mm fact.Point, tall float64) affine {
	at := func(dx, dy float64) fact.Point {
		return s.hint.View.ToImageAt(fact.Point{mm[0] + dx, mm[1] + dy}, tall)
	}
	d := par.face.lens
	l, r, u, o := at(-d, 0), at(d, 0), at(0, -d), at(0, d)
	return affine{mm: mm, px: at(0, 0),
		ex: fact.Point{(r[0] - l[0]) / (2 * d), (r[1] - l[1]) / (2 * d)},
		ey: fact.Point{(o[0] - u[0]) / (2 * d), (o[1] - u[1]) / (2 * d)}}
}

func (m *affine) at(x, y float64) fact.Point {
	x, y = x-m.mm[0], y-m.mm[1]
	return fact.Point{m.px[0] + x*m.ex[0] + y*m.ey[0], m.px[1] + x*m.ex[1] + y*m.ey[1]}
}

// candidate is a place of the grid of candidates about the middle of a tile.
func (m *affine) candidate(x, y int) fact.Point {
	return fact.Point{m.mm[0] + par.face.grid*float64(x) - par.face.tile/2,
		m.mm[1] + par.face.grid*float64(y) - par.face.tile/2}
}

// disc is a candidate face at a height above the felt.
type disc struct {
	at    fact.Point
	tall  float64
	kind  int
	score float64
	p     float64
}

// mesh is the pixels that show the candidates of a zone and what lies about them.
type mesh struct {
	w  int
	px []int32 // -1 outside the picture
}

// newMesh lays it over rows of wide tiles.
func (p *picture) newMesh(tiles []affine, wide int) mesh {
	rows, far := len(tiles)/wide, par.face.afield
	m := mesh{w: wide*across + 2*far}
	for y := range rows*across + 2*far {
		ty := min(max(y-far, 0)/across, rows-1)
		for x := range m.w {
			tx := min(max(x-far, 0)/across, wide-1)
			t := &tiles[ty*wide+tx]
			at := t.candidate(x-far-tx*across, y-far-ty*across)
			i, ok := p.index(t.at(at[0], at[1]))
			if !ok {
				i = -1
			}
			m.px = append(m.px, int32(i))
		}
	}
	return m
}

// bareMesh is 1 where a place of the ground's mesh shows bare felt, or lies outside
// the picture, and else 0.
func (s *search) bareMesh(k int) uint8 {
	const known = 2
	if v := s.bares[k]; v != 0 {
		return v - known
	}
	bare := uint8(1)
	if i := int(s.ground.mesh.px[k]); i >= 0 {
		// Mostly it is felt: what is known of the felt need not be asked.
		if c := s.cell(i); s.tones.felt[c] <= float32(par.face.clearly) && s.bare(i, c) <= par.face.clearly {
			bare = 0
		}
	}
	s.bares[k] = known + bare
	return bare
}

// spot is a sample of a face: its place in radii and what is expected there.
type spot struct {
	x, y    float64
	what    part
	quarter int // of the rim in which it lies
}

type part int

const (
	inlay  part = iota // the middle: pale, printed
	field              // between inlay and inserts
	rim                // field or insert
	beyond             // just behind the face: no chip
)

const parts = int(beyond) // that have tables of their own

var coarse, fine = pattern(par.face.coarse), pattern(par.face.fine)

// pattern lays n samples on each of the rings, on those first that say most: the rims.
func pattern(n int) []spot {
	at := par.face.radii
	list := []struct {
		r, shift float64
		what     part
	}{{at[0], 0.5, rim}, {at[1], 0, rim}, {at[2], 0, field}, {at[3], 0, inlay}, {at[4], 0.5, inlay}}
	var out []spot
	for _, ring := range list {
		for k := range n {
			sin, cos := math.Sincos((float64(k) + ring.shift) * 2 * math.Pi / float64(n))
			out = append(out, spot{ring.r * cos, ring.r * sin, ring.what, quarter(cos, sin)})
		}
	}
	// Behind the face, seen from the camera, its side is hidden: what shows
	// there is not this stack. x points away from the camera here.
	for k := range n {
		sin, cos := math.Sincos((float64(k)/float64(n-1) - 0.5) * math.Pi * par.face.behindArc)
		out = append(out, spot{par.face.behind * cos, par.face.behind * sin, beyond, 0})
	}
	return out
}

// rings are how many of them the samples of a face lie on; that just behind it
// comes last.
const rings = 6

// quarter of the rim to which a direction points.
func quarter(x, y float64) int {
	switch {
	case x >= 0 && y >= 0:
		return 0
	case x < 0 && y >= 0:
		return 1
	case x < 0:
		return 2
	}
	return 3
}

// placed is where a face shows in the picture: its middle, and its radius away
// from the camera and across, in pixels.
type placed struct {
	px, u, v fact.Point
	whole    bool // it lies in the picture as a whole
}

func (s *search) placed(m *affine, at fact.Point) placed {
	radius := s.hint.Palette[0].Diameter / 2
	ax, ay := s.away(at)
	ax, ay = ax*radius, ay*radius
	g := placed{px: m.at(at[0], at[1])}
	for i := range 2 {
		g.px[i] += 0.5
		g.u[i], g.v[i] = ax*m.ex[i]+ay*m.ey[i], ax*m.ey[i]-ay*m.ex[i]
	}
	x, y := par.face.reach*(math.Abs(g.u[0])+math.Abs(g.v[0])), par.face.reach*(math.Abs(g.u[1])+math.Abs(g.v[1]))
	g.whole = g.px[0] > x && g.px[1] > y && g.px[0]+x < float64(s.w) && g.px[1]+y < float64(s.h)
	return g
}

// on is the pixel of a place on a face, false outside the picture.
func (s *search) on(g *placed, x, y float64) (int, bool) {
	px, py := g.px[0]+x*g.u[0]+y*g.v[0], g.px[1]+x*g.u[1]+y*g.v[1]
	if !g.whole && !(px > 0 && py > 0 && px < float64(s.w) && py < float64(s.h)) {
		return 0, false
	}
	return int(py)*s.w + int(px), true
}

// lacking is how much of the inserts is missing from the rim's quarters. Inserts
// are spread round every kind's rim; the worst quarter is forgiven. A printed
// disc with a number on it has none, or in one place only.
func lacking(least float64, marks, samples [4]float64) float64 {
	var sum, worst float64
	for i, m := range marks {
		if samples[i] < par.face.leastQuarter { // hidden by a nearer stack
			continue
		}
		miss := max(0, least-m/samples[i])
		sum += miss
		worst = max(worst, miss)
	}
	return sum - worst
}

// climbFrom is where a climb begins.
type climbFrom struct {
	behind bool // what stacks hide is left out
	kind   int
	at     fact.Point
}

// climbed is where it ends; ok is false where no face is there.
type climbed struct {
	disc disc
	ok   bool
}

// refine climbs to the best place nearby. It is false where no face is there, or an
// earlier climb came by.
func (s *search) refine(d disc) (disc, bool) {
	m := s.lens(d.at, d.tall)
	if s.memory == nil {
		low, high := d.at, d.at
		return s.climb(&m, d, &low, &high)
	}
	c, _ := recalled(s, &s.memory.climbs, climbFrom{s.taken != nil, d.kind, d.at}, func() (c climbed, b box) {
		low, high := d.at, d.at
		c.disc, c.ok = s.climb(&m, d, &low, &high)
		return c, s.faceBox(&m, low, high)
	})
	return c.disc, c.ok
}

// climb goes by two millimetres, then finer; low and high are between which places it
// looked.
func (s *search) climb(m *affine, d disc, low, high *fact.Point) (disc, bool) {
	s.rate(m, &d, fine, anyScore)
	for i, step := range par.face.steps {
		if i > 0 && d.score < s.tones.wear.accepted-par.face.gains[i] {
			return d, false
		}
		var came fact.Point // the step before: what lies about where it began is no better
		for range par.face.turns {
			if s.passed(&d, i) {
				return d, false
			}
			for k := range d.at {
				low[k], high[k] = min(low[k], d.at[k]-step), max(high[k], d.at[k]+step)
			}
			best := d
			for _, o := range [8]fact.Point{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, 1}, {-1, 1}, {1, -1}} {
				if came != (fact.Point{}) && math.Abs(o[0]+came[0]) <= 1 && math.Abs(o[1]+came[1]) <= 1 {
					continue
				}
				e := disc{at: fact.Point{d.at[0] + o[0]*step, d.at[1] + o[1]*step}, tall: d.tall}
				if s.rateKind(m, &e, d.kind, best.score); e.score > best.score {
					best = disc{at: e.at, tall: e.tall, kind: d.kind, score: e.score}
				}
			}
			if best.at == d.at {
				break
			}
			came = fact.Point{math.Round((best.at[0] - d.at[0]) / step), math.Round((best.at[1] - d.at[1]) / step)}
			d = best
		}
	}
	s.rate(m, &d, fine, s.tones.wear.accepted) // the other kinds too, where it fits best
	if d.score < s.tones.wear.accepted {
		return d, false
	}
	d.p = s.certainty(m, &d, fine)
	return d, true
}

// station is where a climb came by, in half millimetres, with what step.
type station struct{ kind, step, x, y int }

// passed reports whether an earlier climb came by as well and thus ended in the same
// place, and remembers this one.
func (s *search) passed(d *disc, step int) bool {
	from := s.ground.tiles[0].mm
	at := station{d.kind, step, int(math.Round(2 * (d.at[0] - from[0]))), int(math.Round(2 * (d.at[1] - from[1])))}
	if s.stations[at] {
		return true
	}
	s.stations[at] = true
	return false
}
