package chip

import (
	"math"
	"slices"

	"vision/internal/cv"
	"vision/internal/fact"
)

// memory is what the readings of one zone found: where the picture stays as it was, the
// next one takes it over instead of looking again. Whatever is remembered goes with the
// part of the picture that it was seen in and the stacks that hid some of that, and with
// nothing else, so that a reading comes to the same as one that looks at everything.
//
// What changed is looked at in as many readings as are asked to agree: each has its own
// noise, and only after them it is taken over.
type memory struct {
	ground  *ground
	tones   *tones // the light that it was seen in, and the palette
	box     box    // of the picture, in whole blocks
	wide    int    // blocks in a row
	cells   []byte // BGR of cells, as they were when what they show was last looked at
	since   []uint32
	now     uint32 // the reading
	felt    uint32 // up to when it is heard what was learned of the felt
	tiles   []tileMemory
	climbs  memo[climbFrom, climbed]
	counts  memo[top, counted]
	glances memo[top, told] // of what may be beside the zone
	likes   likes
}

const (
	cellSide  = 4 // pixels: means of so many are compared
	blockSide = 8 // pixels: what did not change is known by blocks
	blockCell = blockSide / cellSide
)

// sighting is in which part of the picture, in which reading and behind which stacks
// something was seen.
type sighting struct {
	box  box
	when uint32
	by   []cover
}

// memoryOf finds or makes what is remembered of the search's zone, and compares the
// picture with it; nil where nothing is to be remembered.
func (f *Felt) memoryOf(s *search) *memory {
	if f == nil || f.w != s.w || f.h != s.h {
		return nil
	}
	i := slices.IndexFunc(f.zones, func(m *memory) bool { return m.ground == s.ground })
	if i < 0 {
		if len(f.zones) >= par.reader.grounds {
			f.zones = nil
		}
		i, f.zones = len(f.zones), append(f.zones, newMemory(s))
	}
	m := f.zones[i]
	m.compare(s, m.look(s))
	return m
}

// newMemory remembers nothing yet; its box is where the search looks for faces, and
// some of the picture about that.
func newMemory(s *search) *memory {
	b, about := box{s.w, s.h, 0, 0}, par.memory.about
	for i := range s.ground.tiles {
		for _, tall := range [2]float64{0, s.ground.tall} {
			p := s.hint.View.ToImageAt(s.ground.tiles[i].mm, tall)
			b = b.with(box{int(p[0] - about), int(p[1] - about), int(p[0] + about), int(p[1] + about)})
		}
	}
	b.x0, b.y0 = max(b.x0, 0)/blockSide*blockSide, max(b.y0, 0)/blockSide*blockSide
	b.x1, b.y1 = min(b.x1+blockSide, s.w)/blockSide*blockSide-1, min(b.y1+blockSide, s.h)/blockSide*blockSide-1
	m := &memory{ground: s.ground, box: b, tiles: make([]tileMemory, len(s.ground.tiles))}
	if b.x1 > b.x0 && b.y1 > b.y0 {
		m.wide = (b.x1 - b.x0 + 1) / blockSide
		m.since = make([]uint32, m.wide*((b.y1-b.y0+1)/blockSide))
	}
	return m
}

// look is the means of the picture's cells.
func (m *memory) look(s *search) []byte {
	if m.wide == 0 {
		return nil
	}
	return cv.Cells(s.pix[3*(m.box.y0*s.w+m.box.x0):], 3*s.w, (m.box.x1+1-m.box.x0)/cellSide,
		(m.box.y1+1-m.box.y0)/cellSide)
}

// compare begins a reading: what changed is noted. All of it did where the light is
// another, or where so much did that it may be the light.
func (m *memory) compare(s *search, cells []byte) {
	m.now++
	m.climbs.turn()
	m.counts.turn()
	m.glances.turn()
	most := len(m.since) / par.memory.changed
	if m.tones != s.tones || m.cells == nil || m.now%par.memory.renewed == 0 {
		most = -1
	}
	m.tones = s.tones
	changed := 0
	f := s.hint.Felt
	for k := range m.since {
		x, y := k%m.wide, k/m.wide
		at := (y*blockCell*m.wide + x) * blockCell * 3
		learned := f.turned[(m.box.y0/blockSide+y)*f.wide+m.box.x0/blockSide+x] > m.felt
		if most < 0 || learned || m.differs(cells, at) {
			changed++
			m.since[k] = m.now
		}
	}
	m.felt = f.learnings
	if most >= 0 && changed > most {
		for k := range m.since {
			m.since[k] = m.now
		}
	}
	if m.cells == nil {
		m.cells = cells
		return
	}
	row := blockCell * m.wide * 3
	for k, since := range m.since {
		if m.now-since < par.memory.agreeing {
			at := (k/m.wide*blockCell*m.wide + k%m.wide) * blockCell * 3
			for y := range blockCell {
				copy(m.cells[at+y*row:at+y*row+3*blockCell], cells[at+y*row:])
			}
		}
	}
}

// differs reports whether a block, whose first cell is at, shows something else than before.
func (m *memory) differs(cells []byte, at int) bool {
	row := blockCell * m.wide * 3
	for y := range blockCell {
		a, b := m.cells[at+y*row:at+y*row+3*blockCell], cells[at+y*row:at+y*row+3*blockCell]
		for i := range a {
			if diff(a[i], b[i]) > par.memory.otherwise {
				return true
			}
		}
	}
	return false
}

// still reports whether a part of the picture shows what it showed in an earlier reading,
// which was not the first to look at it.
func (m *memory) still(b box, when uint32) bool {
	if when == m.now {
		return true
	}
	if b.x1 < b.x0 || b.y1 < b.y0 {
		return true // none of it is in the picture
	}
	if b.x0 < m.box.x0 || b.y0 < m.box.y0 || b.x1 > m.box.x1 || b.y1 > m.box.y1 {
		return false
	}
	x0, x1 := (b.x0-m.box.x0)/blockSide, (b.x1-m.box.x0)/blockSide
	for y := (b.y0 - m.box.y0) / blockSide; y <= (b.y1-m.box.y0)/blockSide; y++ {
		for _, since := range m.since[y*m.wide+x0 : y*m.wide+x1+1] {
			if since+par.memory.agreeing > when+1 {
				return false
			}
		}
	}
	return true
}

// block is the ordinal of a pixel's block; -1 where it is not watched.
func (m *memory) block(x, y int) int32 {
	if x < m.box.x0 || y < m.box.y0 || x > m.box.x1 || y > m.box.y1 {
		return -1
	}
	return int32((y-m.box.y0)/blockSide*m.wide + (x-m.box.x0)/blockSide)
}

// holds reports whether what was seen is there still, behind the same stacks.
func (s *search) holds(e *sighting) bool {
	return e.when != 0 && s.memory.still(e.box, e.when) && slices.Equal(e.by, s.behind(e.box))
}

// sighted is the sighting of what is seen now in a part of the picture.
func (s *search) sighted(b box) sighting {
	b = b.within(s.w, s.h)
	return sighting{b, s.memory.now, s.behind(b)}
}

// behind are the stacks that hide some of a part of the picture, and the faces that show in it
// behind the one under which is counted.
func (s *search) behind(b box) (out []cover) {
	if s.taken == nil {
		return nil
	}
	for _, c := range s.covers {
		if c.meets(b) {
			out = append(out, c)
		}
	}
	for _, f := range s.farther {
		if f.meets(b) {
			out = append(out, f.cover)
		}
	}
	return out
}

// memo remembers what was worked out in this reading and in the one before.
type memo[K comparable, V any] struct{ last, now map[K][]remembered[V] }

type remembered[V any] struct {
	sighting
	v V
}

// turn begins a reading: what the last one did not ask for is forgotten.
func (m *memo[K, V]) turn() { m.last, m.now = m.now, map[K][]remembered[V]{} }

// recalled is what is remembered, or is worked out now, and whether it was remembered
// from an earlier reading. Working it out says which part of the picture was looked at.
func recalled[K comparable, V any](s *search, m *memo[K, V], key K, work func() (V, box)) (v V, kept bool) {
	for _, e := range m.now[key] {
		if s.holds(&e.sighting) {
			return e.v, e.when != s.memory.now
		}
	}
	for _, e := range m.last[key] {
		if s.holds(&e.sighting) {
			m.now[key] = append(m.now[key], e)
			return e.v, true
		}
	}
	v, b := work()
	m.now[key] = append(m.now[key], remembered[V]{s.sighted(b), v})
	return v, false
}

// with is the box about two.
func (b box) with(o box) box {
	return box{min(b.x0, o.x0), min(b.y0, o.y0), max(b.x1, o.x1), max(b.y1, o.y1)}
}

// within is the part of a box that lies in a picture; its end is before its beginning where
// none does.
func (b box) within(w, h int) box {
	return box{max(b.x0, 0), max(b.y0, 0), min(b.x1, w-1), min(b.y1, h-1)}
}

// meets reports whether two boxes share a pixel.
func (b box) meets(o box) bool {
	return b.x0 <= o.x1 && o.x0 <= b.x1 && b.y0 <= o.y1 && o.y0 <= b.y1
}

// cover is a stack that hides what is behind it.
type cover struct {
	box
	first fact.Point    // of its outline, by which two of them are distinguished
	feet  [2]fact.Point // where the lowest and the highest that it may be stand on the felt
	wide  float64       // its diameter; 0: nothing else is kept off it
}

// coverOf is the cover whose outline has the spans.
func coverOf(spans []span, outline []fact.Point) cover {
	b := box{math.MaxInt, 0, -1, -1} // none of the picture
	for i, r := range spans {
		if i == 0 {
			b.y0 = r.y
		}
		b.x0, b.x1, b.y1 = min(b.x0, r.from), max(b.x1, r.to-1), r.y
	}
	return cover{box: b, first: outline[0]}
}
