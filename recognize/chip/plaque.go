package chip

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
)

// plaques is the search for plaques in one reading of a zone: flat pieces with four
// sides, of a size that the palette says. Their face is found first, by its colour and
// its outline, as if it lay one thickness above the felt; how many lie on one another
// is told by their sides (pile.go). What has no sides is print, or a card.
type plaques struct {
	*search
	palette []calibration.Chip
	*dyes
	found []pile
	px    []int32 // of a face's samples, kept between calls
}

// dye is what a kind of plaque looks like on the cloth of a zone.
type dye struct {
	calibration.Chip
	face, edge, print rgb
	rim               [5]rgb // from the face's colour to the edge's
	// A layer's mean evidence is expected about here where there is a plaque, and
	// where there is bare cloth.
	in, out     float64
	rough, fine []mark // samples of its face
	onFaces     int    // how many of the rough ones lie on it
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

// newDyes makes what lasts of a palette's dyes.
func newDyes(palette []calibration.Chip) (*dyes, error) {
	if len(palette) > mostDyes {
		return nil, fmt.Errorf("a palette of %d kinds of plaque: at most %d can be told apart", len(palette), mostDyes)
	}
	all := &dyes{keys: make([]uint32, swatches), fits: make([]float32, swatches*shades*len(palette))}
	for _, c := range palette {
		face, edge, err := colorsOf(c)
		if err != nil {
			return nil, err
		}
		d := dye{Chip: c, face: face, edge: edge}
		for i := range d.print {
			d.print[i] = 0.2*d.face[i] + 0.8*255
		}
		for k := range d.rim {
			m := float64(k) / float64(len(d.rim)-1)
			for i := range 3 {
				d.rim[k][i] = (1-m)*d.face[i] + m*d.edge[i]
			}
		}
		d.rough, d.fine = d.marks(9), d.marks(4.5)
		for _, q := range d.rough {
			if q.what != beyond {
				d.onFaces++
			}
		}
		all.kinds = append(all.kinds, d)
	}
	return all, nil
}

// dyesFor makes or finds the dyes of a palette on a cloth.
func (r *Reader) dyesFor(palette []calibration.Chip, cloth rgb) (*dyes, error) {
	key := fmt.Sprint(palette)
	if r.dyes == nil || r.dyed != key {
		d, err := newDyes(palette)
		if err != nil {
			return nil, err
		}
		r.dyes, r.dyed = d, key
	}
	for k := range r.dyes.kinds {
		r.dyes.kinds[k].expect(cloth)
	}
	return r.dyes, nil
}

// expect works out what the evidence of a side will be with and without a plaque.
func (d *dye) expect(cloth rgb) {
	const steps = 11
	d.in, d.out = 0, 0
	of := func(c rgb) float64 {
		return float64(fit(c, d.edge, sideDark, sideBright)) - max(float64(fit(c, cloth, 0.4, 1.12)), anything)
	}
	for i := range steps {
		f := float64(i) / (steps - 1)
		d.in += of(d.edge.times(0.5+0.4*f)) / steps
		d.out += of(cloth.times(0.4+0.4*f)) / steps
	}
}

// The light on a side, against that on a face.
const sideDark, sideBright = 0.42, 0.98

func (c rgb) times(k float64) rgb { return rgb{c[0] * k, c[1] * k, c[2] * k} }

// dyes are the kinds of a palette's plaques, and how well colours that were met
// already fit them: a few thousand colours make up most pictures of a table.
type dyes struct {
	kinds []dye
	keys  []uint32  // by slot: the colour, with a mark
	fits  []float32 // by slot, kind and shade
}

// swatches are the slots for colours that fits are remembered of: colours that lie
// near one another have one each.
const swatches = 1 << 15

// The places of a face whose colours differ, as far as they are remembered.
const (
	onFace  = iota // the field, in the light from above
	onRim          // near the outline, where a border may be printed: in the picture its line and the field run into one another
	onPrint        // in the middle, where the value is printed, on a pale ground or on the field
	shades
)

// of gives how well a pixel's colour fits each kind and shade.
func (y *dyes) of(p *picture, i int) []float32 {
	b, g, r := uint32(p.pix[3*i]), uint32(p.pix[3*i+1]), uint32(p.pix[3*i+2])
	slot, key := int(r&31<<10|g&31<<5|b&31), 1<<24|r<<16|g<<8|b
	n := shades * len(y.kinds)
	fits := y.fits[slot*n : slot*n+n : slot*n+n]
	if y.keys[slot] != key {
		y.keys[slot] = key
		c := p.color(i)
		for k := range y.kinds {
			y.kinds[k].fill(fits[shades*k:], c)
		}
	}
	return fits
}

// fill puts down how well a colour fits a kind's shades.
func (d *dye) fill(fits []float32, c rgb) {
	fits[onFace] = fit(c, d.face, 0.78, 1.1)
	fits[onRim] = outlier
	for _, m := range d.rim {
		fits[onRim] = max(fits[onRim], fit(c, m, 0.82, 1.1))
	}
	fits[onPrint] = max(fits[onFace], fit(c, d.print, 0.78, 1.1))
}

// printed is the log likelihood of any colour in the middle of a face.
const printed = -0.9

// edged is the log likelihood of any colour along the outline: there the border, the
// field, the worn edge and what lies behind run into one another.
const edged = -0.9

// clothed is that of the bare cloth there.
const clothed = -2.5

// color of a pixel.
func (p *picture) color(i int) rgb {
	return rgb{float64(p.pix[3*i+2]), float64(p.pix[3*i+1]), float64(p.pix[3*i])}
}

// lattice is the points of a zone, and about it, at which the colour of a plaque's
// face is looked for: the pixels that show them.
type lattice struct {
	long, tall float64 // of the plaques that it was made for
	origin     fact.Point
	w, h       int
	px         []int32 // -1 outside the picture
	marks      sums    // of the reading
}

const latticeStep = 3.0 // millimetres

// latticeOf finds or makes the points for plaques that are so long and lie so high.
func (s *search) latticeOf(long, tall float64) *lattice {
	if l := s.ground.lattice; l != nil && l.long == long && l.tall == tall {
		return l
	}
	low, high := s.zone.Bounds()
	half := long/2 + latticeStep
	l := &lattice{long: long, tall: tall, origin: fact.Point{low[0] - half, low[1] - half}}
	l.w, l.h = int((high[0]-low[0]+2*half)/latticeStep)+1, int((high[1]-low[1]+2*half)/latticeStep)+1
	l.px = make([]int32, l.w*l.h)
	for k := range l.px {
		l.px[k] = -1
		if i, ok := s.index(s.hint.View.ToImageAt(l.at(k%l.w, k/l.w), tall)); ok {
			l.px[k] = int32(i)
		}
	}
	s.ground.lattice = l
	return l
}

func (l *lattice) at(x, y int) fact.Point {
	return fact.Point{l.origin[0] + latticeStep*float64(x), l.origin[1] + latticeStep*float64(y)}
}

// faces finds the faces of plaques whose middle lies in the zone or near it.
func (s *plaques) faces() []slab {
	long, tall := 0.0, s.kinds[0].Thickness
	for _, d := range s.kinds {
		long = max(long, math.Hypot(d.Length, d.Width))
	}
	l := s.latticeOf(long, tall)
	var cands []slab
	marks := s.masks(l)
	for k := range s.kinds {
		cands = append(cands, s.guesses(l, k, tall, marks)...)
	}
	slices.SortStableFunc(cands, func(a, b slab) int { return cmp.Compare(b.score, a.score) })
	var starts []slab
	for _, c := range cands {
		near, same := 0, false
		for _, o := range starts {
			switch over := s.overlap(o, c); {
			case o.kind == c.kind && over > 0.85:
				same = true // the same place, and not so good
			case over > 0.5:
				near++
			}
		}
		if !same && near < tries {
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
			return o.kind == c.kind && over > sameEnd || over > 0.5 && o.score-c.score > hopeless
		}) {
			ends = append(ends, s.climb(c, true))
		}
	}
	return s.settle(ends)
}

const (
	sameEnd  = 0.9 // overlap of faces of one kind that climb to the same place
	hopeless = 0.8 // by how much a face fits worse that will not fit better than another there
)

// tries is from how many places about one another a face is climbed to.
const tries = 4

// guesses are places at which the colour of a kind's face lies about, turned as fits
// best there.
func (s *plaques) guesses(l *lattice, kind int, tall float64, marks *sums) (out []slab) {
	const (
		every = 3    // points of the lattice
		share = 0.22 // of what can be seen about the middle, that is of the face's colour
		turns = 12
	)
	half := int(0.37 * s.kinds[kind].Length / latticeStep)
	for y := half; y < l.h-half; y += every {
		for x := half; x < l.w-half; x += every {
			n := marks.within(0, x, y, half)
			if 3*n < (2*half+1)*(2*half+1) || float64(marks.within(kind+1, x, y, half)) < share*float64(n) {
				continue
			}
			best := slab{score: found}
			m := s.lens(l.at(x, y), tall)
			for k := range turns {
				c := slab{kind: kind, at: l.at(x, y), tall: tall, turn: math.Pi * float64(k) / turns}
				if c.score = s.glance(&m, c, best.score); c.score > best.score {
					best = c
				}
			}
			if best.score > found {
				out = append(out, best)
			}
		}
	}
	return out
}

// sums of a lattice's marks from its corner: how many of each sort lie within any box of
// it. Four sorts share a word, 16 bits each: what runs over into the next one's bits
// goes out again with the difference that a box is, which must hold fewer marks than that.
type sums struct {
	w int
	n [][]uint64 // by word
}

// sorted puts four bits into a word's sixteens.
var sorted = func() (out [16]uint64) {
	for b := range out {
		for k := range 4 {
			out[b] |= uint64(b>>k&1) << (16 * k)
		}
	}
	return out
}()

func newSums(w, h, sorts int) sums {
	c := sums{w: w + 1, n: make([][]uint64, (sorts+3)/4)}
	for j := range c.n {
		c.n[j] = make([]uint64, (w+1)*(h+1)) // its first row and column stay 0
	}
	return c
}

// put adds row y, a bit for each sort at each place; row by row, none left out.
func (c *sums) put(y int, row []uint64) {
	for j, n := range c.n {
		above, out := n[y*c.w+1:(y+1)*c.w], n[(y+1)*c.w+1:(y+2)*c.w]
		sum := uint64(0)
		for x, bits := range row {
			sum += sorted[bits>>(4*j)&15]
			out[x] = above[x] + sum
		}
	}
}

// within counts the marks of a sort up to half a box's side from x, y.
func (c *sums) within(sort, x, y, half int) int {
	n := c.n[sort/4]
	a, b := (y-half)*c.w+x-half, (y+half+1)*c.w+x-half
	return int((n[b+2*half+1] - n[b] - n[a+2*half+1] + n[a]) >> (16 * (sort % 4)) & 0xffff)
}

// masks marks where the lattice can be seen, sort 0, and where it shows the colour of
// each kind's face, one sort each after it.
func (s *plaques) masks(l *lattice) *sums {
	c, sorts := &l.marks, len(s.kinds)+1
	if len(c.n) != (sorts+3)/4 {
		*c = newSums(l.w, l.h, sorts)
	}
	likes := s.likesOf(l)
	row := make([]uint64, l.w) // sorts of a row's points, bit by bit
	for y := range l.h {
		for x := range row {
			at := y*l.w + x
			if i := int(l.px[at]); i >= 0 && !s.taken[i] {
				row[x] = likes.at(s, at, i)<<1 | 1
			} else {
				likes.hide(s, at)
				row[x] = 0
			}
		}
		c.put(y, row)
	}
	return c
}

// likes has for each point of a lattice a bit for each kind of plaque whose face is of
// the colour that shows there, and one more when that is known.
type likes struct {
	lattice *lattice
	bits    []uint64
	block   []int32 // of the memory; -1: outside
}

const (
	asked    = 1 << mostDyes
	mostDyes = 63
)

// likesOf finds what is remembered of a lattice's points; nil: nothing is.
func (s *plaques) likesOf(l *lattice) *likes {
	m := s.memory
	if m == nil {
		return nil
	}
	if m.likes.lattice != l {
		m.likes = likes{l, make([]uint64, len(l.px)), make([]int32, len(l.px))}
		for k, i := range l.px {
			m.likes.block[k] = m.block(int(i)%s.w, int(i)/s.w)
		}
	}
	return &m.likes
}

// hide notes that a point does not show: what changes meanwhile is not known of it.
func (c *likes) hide(s *plaques, at int) {
	if c != nil && !c.still(s, at) {
		c.bits[at] = 0
	}
}

// still tells whether nothing changed about a point of late.
func (c *likes) still(s *plaques, at int) bool {
	return c.block[at] >= 0 && s.memory.now-s.memory.since[c.block[at]] >= agreeing
}

// at are the bits of a point, which pixel i shows.
func (c *likes) at(s *plaques, at, i int) (bits uint64) {
	if c != nil && c.bits[at] != 0 && c.still(s, at) {
		return c.bits[at]
	}
	fits := s.of(&s.picture, i)
	for k := range s.kinds {
		if v := fits[shades*k+onFace]; v > -1.5 && float64(v) > s.bare(i, s.cell(i)) {
			bits |= 1 << k
		}
	}
	if c != nil {
		c.bits[at] = bits | asked
	}
	return bits
}

// cell of a pixel's colour.
func (p *picture) cell(i int) int { return cell(p.pix[3*i], p.pix[3*i+1], p.pix[3*i+2]) }

// mark is a sample of a face: its place from the middle, in millimetres along and
// across, and what is expected there.
type mark struct {
	u, v float64
	what part
	out  fact.Point // of one beyond: the direction in which it lies beyond, along and across
}

// marks lays samples on a face, step millimetres apart, and beside it.
func (d *dye) marks(step float64) (out []mark) {
	const (
		inset  = 1.3 // of the outermost samples
		beside = 2.2
	)
	l, w := d.Length/2, d.Width/2
	nu, nv := max(3, int(2*(l-border)/step)), max(3, int(2*(w-border)/step))
	for i := range nu {
		for j := range nv {
			u, v := (l-border)*(2*float64(i)/float64(nu-1)-1), (w-border)*(2*float64(j)/float64(nv-1)-1)
			out = append(out, mark{u: u, v: v, what: d.partAt(u, v)})
		}
	}
	along := func(half, across float64, add func(t, side float64)) {
		n := max(3, int(2*(half-d.corner())/step))
		for i := range n {
			t := (half - d.corner()) * (2*float64(i)/float64(n-1) - 1)
			add(t, 1)
			add(t, -1)
		}
	}
	along(l, w, func(t, side float64) {
		out = append(out, mark{u: t, v: side * (w - inset), what: rim}, mark{u: t, v: side * (w + beside), what: beyond, out: fact.Point{0, side}})
	})
	along(w, l, func(t, side float64) {
		out = append(out, mark{u: side * (l - inset), v: t, what: rim}, mark{u: side * (l + beside), v: t, what: beyond, out: fact.Point{side, 0}})
	})
	return out
}

// border is the width of what may be printed along the outline, millimetres.
const border = 5.0

// partAt is what is expected at a place of the face: the value in the middle, a border
// along the outline.
func (d *dye) partAt(u, v float64) part {
	l, w := d.Length/2, d.Width/2
	switch {
	case u*u/(0.66*0.66*l*l)+v*v/(0.64*0.64*w*w) < 1:
		return inlay
	case max(math.Abs(u)-l, math.Abs(v)-w) > 1e-6-border:
		return rim
	}
	return field
}

// corner is about the radius of the corners.
func (d *dye) corner() float64 { return 0.15 * d.Width }

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
	const about = 2.5 // millimetres beside it are in the frame as well
	d := &s.kinds[c.kind]
	f := framed{half: fact.Point{d.Length/2 + about, d.Width/2 + about}}
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

// glance is how well the colours of a face fit, roughly; outlier where it does not
// reach floor.
func (s *plaques) glance(m *affine, c slab, floor float64) float64 {
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
			return outlier
		}
	}
	n := float64(len(s.px))
	if n < leastSeen*all {
		return outlier
	}
	bare := 0.0
	for _, i := range s.px {
		bare += s.bare(int(i), s.cell(int(i)))
	}
	return sum/n - max(0, leastLead-(sum-bare)/n)
}

// expected is how well a pixel fits what is expected at a part of a kind's face.
func (s *plaques) expected(kind int, what part, i int) float64 {
	fits := s.of(&s.picture, i)[shades*kind:]
	switch what {
	case field:
		return float64(fits[onFace])
	case rim:
		return max(float64(fits[onRim]), edged)
	}
	return max(float64(fits[onPrint]), printed)
}

// rate fills in how well a face fits: its colours, and that it ends where it should
// on the sides that are turned away from the camera; outlier where it does not reach
// floor.
func (s *plaques) rate(c *slab, samples []mark, floor float64) {
	ex, ey := s.away(c.at)
	sin, cos := math.Sincos(c.turn)
	at := s.framed(c)
	sum, bare, n, all := 0.0, 0.0, 0.0, 0.0
	for j := range samples {
		if samples[j].what != beyond {
			all++
		}
	}
	least := floor*all - 1e-6
	var ends, looked [4]float64
	c.score = outlier
	for j := range samples {
		q := &samples[j]
		if sum < least { // every sample counts against it or not at all
			return
		}
		if q.what == beyond && (q.out[0]*cos-q.out[1]*sin)*ex+(q.out[0]*sin+q.out[1]*cos)*ey < -0.1 {
			continue // the plaque's own side shows there
		}
		i, ok := s.index(at.at(q.u, q.v))
		if !ok || s.taken[i] {
			continue
		}
		plain := s.bare(i, s.cell(i))
		if q.what == beyond {
			k := sideOf(q.out)
			looked[k]++
			over := max(0, float64(s.of(&s.picture, i)[shades*c.kind+onRim])-max(plain, anything))
			sum -= 1.5 * over
			if over > 0 {
				ends[k]++
			}
			continue
		}
		n++
		bare += plain
		if v := s.expected(c.kind, q.what, i); q.what == rim && plain > max(v, -1.5) {
			sum += clothed
		} else {
			sum += v
		}
	}
	if n < leastSeen*all {
		return
	}
	c.score = sum/n - max(0, leastLead-(sum-bare)/n)
	for k := range ends {
		if looked[k] > 2 && ends[k] > goesOn*looked[k] {
			c.score -= 1 // it is larger than a plaque
		}
	}
}

// goesOn is the share of what shows beside a side from which a thing does not end there.
const goesOn = 0.6

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

// away is the direction on the table in which the camera looks at a point.
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
	samples, steps := d.rough, [2][2]float64{{4, 0.12}, {2, 0.06}} // millimetres, radians
	if fine {
		samples, steps = d.fine, [2][2]float64{{1, 0.03}, {0.5, 0.015}}
	}
	for _, step := range steps {
		if fine && c.score < 2*accepted {
			return c // nothing lies about that looks like it
		}
		s.rate(&c, samples, anyScore)
		var came [3]float64 // the step before
		for range 12 {
			best, next := c, came
			for _, o := range moves {
				if back := [3]float64{came[0] + o[0], came[1] + o[1], came[2] + o[2]}; came != [3]float64{} &&
					(back == [3]float64{} || slices.Contains(moves[:], back)) {
					continue // what lies about where it began is no better
				}
				e := c
				e.at, e.turn = fact.Point{c.at[0] + o[0]*step[0], c.at[1] + o[1]*step[0]}, c.turn+o[2]*step[1]
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

// moves are the steps of a climb: along x, along y and in turn.
var moves = [...][3]float64{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 0}}

// settle keeps the faces that fit, of those that lie in one another the best, and says
// how sure the kind is.
func (s *plaques) settle(all []slab) (out []slab) {
	slices.SortStableFunc(all, func(a, b slab) int { return cmp.Compare(b.score, a.score) })
	for _, c := range all {
		if c.score < accepted {
			break
		}
		i := slices.IndexFunc(out, func(o slab) bool { return s.overlap(o, c) > 0.15 })
		if i < 0 {
			c.p = 1
			out = append(out, c)
			continue
		}
		if o := &out[i]; o.kind != c.kind && s.overlap(*o, c) > 0.6 {
			o.p = min(o.p, 1/(1+math.Exp((c.score-o.score)*float64(len(s.kinds[c.kind].fine))/12)))
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

// holds tells whether a point of the table, seen at the face's height, lies on it.
func (c *slab) holds(d *dye, p fact.Point) bool {
	u, v := c.within(p)
	return math.Abs(u) <= d.Length/2+1e-6 && math.Abs(v) <= d.Width/2+1e-6
}
