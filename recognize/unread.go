package recognize

import (
	"math"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/geometry"
)

// A thing unread is what lies in a zone for chips that no reader names: chips of a kind
// whose face it does not know, a heap, a cup. It shows by what differs from the picture of
// the empty felt and is covered by no reading. What it is nobody knows; that the zone is
// not known to be empty there is what is reported.
//
// The comparison is made at half the camera's resolution. Felt in other light, in a soft
// shadow, or a pixel or two aside as the camera trembles, is felt.

// background is the part of a camera's picture that shows a zone and what stands in it,
// with nothing on the table, at half the resolution.
type background struct {
	x0, y0, w, h int     // in pairs of pixels
	mean         []uint8 // BGR
	low, high    []uint8 // of a pixel and its neighbours: print shows a little aside
	felt         []bool  // the zone itself
	all          int     // how many of these
	face, wide   float64 // area and width of the smallest chip's face in the zone's middle
	now          []uint8 // the picture that is compared; scratch, as what follows
	mask         []uint8
	next         []uint8
	piece        []int32
}

// newBackground is nil where the zone does not lie in the picture, or it is not known how
// high things stand there.
func newBackground(view *calibration.View, z calibration.Zone, palette []calibration.Chip, empty gocv.Mat) *background {
	pix, err := empty.DataPtrUint8()
	if err != nil || !view.Raised() || len(z.Polygon) < 3 {
		return nil
	}
	reach := view.Polygon(z)
	for _, p := range z.Polygon {
		reach = append(reach, view.ToImageAt(p, unreadTall))
	}
	low, high := geometry.Bounds(reach)
	g := &background{
		x0: max(0, int(low[0])-unreadAbout) / 2, y0: max(0, int(low[1])-unreadAbout) / 2,
	}
	g.wide, g.face = faceOf(view, z.Centre(), smallest(palette))
	g.wide, g.face = g.wide/2, g.face/4
	g.w = min(empty.Cols(), int(high[0])+unreadAbout)/2 - g.x0
	g.h = min(empty.Rows(), int(high[1])+unreadAbout)/2 - g.y0
	if g.w < 4 || g.h < 4 || g.face < 4 {
		return nil
	}
	n := g.w * g.h
	g.mean, g.low, g.high = make([]uint8, 3*n), make([]uint8, 3*n), make([]uint8, 3*n)
	g.felt, g.now, g.mask, g.next = make([]bool, n), make([]uint8, 3*n), make([]uint8, n), make([]uint8, n)
	g.halve(pix, empty.Cols(), g.mean)
	g.bounds()
	g.fill(view.Polygon(z), func(i int) {
		g.felt[i] = true
		g.all++
	})
	return g
}

func smallest(palette []calibration.Chip) (diameter float64) {
	for _, c := range palette {
		if c.Diameter > 0 && (diameter == 0 || c.Diameter < diameter) {
			diameter = c.Diameter
		}
	}
	return diameter
}

// faceOf is the width and the area in pixels of a disc that lies about a place of the felt.
func faceOf(view *calibration.View, at fact.Point, diameter float64) (wide, area float64) {
	r := diameter / 2
	a, b := view.ToImage(fact.Point{at[0] - r, at[1]}), view.ToImage(fact.Point{at[0] + r, at[1]})
	c, d := view.ToImage(fact.Point{at[0], at[1] - r}), view.ToImage(fact.Point{at[0], at[1] + r})
	return math.Hypot(b[0]-a[0], b[1]-a[1]), math.Pi / 4 * math.Abs((b[0]-a[0])*(d[1]-c[1])-(b[1]-a[1])*(d[0]-c[0]))
}

// halve takes the means of two by two pixels of the window from a picture of a width.
func (g *background) halve(pix []byte, width int, out []uint8) {
	for y := range g.h {
		a := pix[3*((2*(g.y0+y))*width+2*g.x0):]
		b := pix[3*((2*(g.y0+y)+1)*width+2*g.x0):]
		row := out[3*y*g.w : 3*(y+1)*g.w]
		for x := 0; x < len(row); x += 3 {
			i := 2 * x
			for k := range 3 {
				row[x+k] = uint8((uint(a[i+k]) + uint(a[i+3+k]) + uint(b[i+k]) + uint(b[i+3+k])) / 4)
			}
		}
	}
}

// bounds fills in the least and the most of each pixel and its neighbours, by channel.
func (g *background) bounds() {
	for y := range g.h {
		for x := range g.w {
			at := 3 * (y*g.w + x)
			for k := range 3 {
				low, high := uint8(255), uint8(0)
				for v := max(0, y-1); v <= min(g.h-1, y+1); v++ {
					for u := max(0, x-1); u <= min(g.w-1, x+1); u++ {
						c := g.mean[3*(v*g.w+u)+k]
						low, high = min(low, c), max(high, c)
					}
				}
				g.low[at+k], g.high[at+k] = low, high
			}
		}
	}
}

// fill calls do for each pixel of the window in an outline of the picture.
func (g *background) fill(outline []fact.Point, do func(i int)) {
	in := make([]fact.Point, len(outline)) // in pairs of pixels of the window
	for i, p := range outline {
		in[i] = fact.Point{p[0]/2 - float64(g.x0), (p[1]-1)/2 - float64(g.y0)}
	}
	for _, s := range geometry.Spans(in, g.w, g.h) {
		for x := s.From; x < s.To; x++ {
			do(s.Y*g.w + x)
		}
	}
}

// blob is a part of the window that hangs together and is no felt.
type blob struct {
	area           int
	inside         int // of the zone's felt
	x0, y0, x1, y1 int // both in it
	lowest         int // sum of the columns of its last row
	wide           int // of these
	out            bool
}

// blobs are the parts of a picture that differ from the empty felt and are covered by none
// of the outlines.
func (g *background) blobs(pix []byte, width int, covered [][]fact.Point) []blob {
	g.halve(pix, width, g.now)
	free := g.next
	for i := range free {
		free[i] = 1
	}
	for _, o := range covered {
		g.fill(o, func(i int) { free[i] = 0 })
	}
	g.differ(g.light(free), free)
	g.denoise()
	var out []blob
	for i, m := range g.mask {
		if m == 1 {
			out = append(out, g.apart(g.gather(int32(i)))...)
		}
	}
	return out
}

// apart is a thing, or, where it is as wide as several chips and does not reach in, as many
// beside one another.
func (g *background) apart(piece []int32) []blob {
	all := g.measure(piece)
	wide := float64(all.x1 - all.x0 + 1)
	n := int(wide/g.wide + 0.5)
	if all.out || n < 2 || wide < unreadRow*g.wide {
		return []blob{all}
	}
	parts := make([][]int32, n)
	for _, i := range piece {
		k := min(int(float64(int(i)%g.w-all.x0)*float64(n)/wide), n-1)
		parts[k] = append(parts[k], i)
	}
	var out []blob
	for _, part := range parts {
		if len(part) > 0 {
			out = append(out, g.measure(part))
		}
	}
	return out
}

// light is how much lighter than it was the felt is, by channel, in the median of what no
// reading covers.
func (g *background) light(free []uint8) (gain [3]float64) {
	step := max(1, len(free)/unreadSamples)
	for k := range 3 {
		var seen [1024]int32
		n := int32(0)
		for i := 0; i < len(free); i += step {
			if b := int(g.mean[3*i+k]); free[i] == 1 && b > unreadDark {
				seen[min(int(g.now[3*i+k])*256/b, len(seen)-1)]++
				n++
			}
		}
		gain[k] = 1
		sum := int32(0)
		for v, c := range seen {
			if sum += c; n > 0 && 2*sum >= n {
				gain[k] = min(max(float64(v)/256, printDarker), printLighter)
				break
			}
		}
	}
	return gain
}

// differ marks what is free and no felt in a light.
func (g *background) differ(gain [3]float64, free []uint8) {
	var lit [3][256]int32
	for k := range lit {
		for v := range lit[k] {
			lit[k][v] = int32(min(255, gain[k]*float64(v)+0.5))
		}
	}
	for i := range g.mask {
		g.mask[i] = 0
		if free[i] == 0 {
			continue
		}
		now, low, high := g.now[3*i:3*i+3:3*i+3], g.low[3*i:3*i+3:3*i+3], g.high[3*i:3*i+3:3*i+3]
		d := int32(0)
		for k, v := range now {
			d += max(0, lit[k][low[k]]-int32(v), int32(v)-lit[k][high[k]])
		}
		if d > int32(unreadAlike) && !shaded(now, low, high, gain) { // most of it looks as it did
			g.mask[i] = 1
		}
	}
}

// shaded reports whether a pixel is felt between two of its colours, in a light, under a
// shadow or a gleam.
func shaded(now, least, most []uint8, gain [3]float64) bool {
	var dot, norm float64
	var low, high, seen [3]float64
	for k := range 3 {
		low[k], high[k], seen[k] = gain[k]*float64(least[k]), gain[k]*float64(most[k]), float64(now[k])
		mid := (low[k] + high[k]) / 2
		dot, norm = dot+seen[k]*mid, norm+mid*mid
	}
	shade := min(max(dot/max(norm, 1), unreadDarker), unreadLighter)
	d := 0.0
	for k := range 3 {
		d += max(0, shade*low[k]-seen[k], seen[k]-min(255, shade*high[k]))
	}
	return d <= unreadAlike
}

// denoise leaves of the mask what most of its neighbours are in too: a rim of print that
// shows aside is no thing.
func (g *background) denoise() {
	clear(g.next)
	for y := 1; y < g.h-1; y++ {
		for x := 1; x < g.w-1; x++ {
			i := y*g.w + x
			n := g.mask[i-g.w-1] + g.mask[i-g.w] + g.mask[i-g.w+1] + g.mask[i-1] + g.mask[i] + g.mask[i+1] +
				g.mask[i+g.w-1] + g.mask[i+g.w] + g.mask[i+g.w+1]
			if n >= uint8(unreadNeighbours) {
				g.next[i] = 1
			}
		}
	}
	g.mask, g.next = g.next, g.mask
}

// gather takes what hangs together with a pixel, small gaps allowed, out of the mask. The
// pixels are valid until the next.
func (g *background) gather(first int32) []int32 {
	g.mask[first] = 0
	g.piece = append(g.piece[:0], first)
	for k := 0; k < len(g.piece); k++ {
		x, y := int(g.piece[k])%g.w, int(g.piece[k])/g.w
		for v := max(0, y-unreadGap); v <= min(g.h-1, y+unreadGap); v++ {
			for u := max(0, x-unreadGap); u <= min(g.w-1, x+unreadGap); u++ {
				if n := int32(v*g.w + u); g.mask[n] == 1 {
					g.mask[n] = 0
					g.piece = append(g.piece, n)
				}
			}
		}
	}
	return g.piece
}

// measure is the blob of some pixels.
func (g *background) measure(piece []int32) blob {
	b := blob{area: len(piece), x0: g.w, y0: g.h}
	for _, i := range piece {
		x, y := int(i)%g.w, int(i)/g.w
		if g.felt[i] {
			b.inside++
		}
		if y > b.y1 {
			b.lowest, b.wide = 0, 0
		}
		b.x0, b.x1, b.y0, b.y1 = min(b.x0, x), max(b.x1, x), min(b.y0, y), max(b.y1, y)
		if y == b.y1 {
			b.lowest, b.wide = b.lowest+x, b.wide+1
		}
		b.out = b.out || x < 2 || y < 2 || x >= g.w-2 || y >= g.h-2 // the mask keeps off the border by one
	}
	return b
}

// quad of a blob in the picture.
func (g *background) quad(b blob) fact.Quad {
	at := func(x, y int) fact.Point { return fact.Point{float64(2 * (g.x0 + x)), float64(2 * (g.y0 + y))} }
	return geometry.Upright(at(b.x0, b.y0), at(b.x1+1, b.y1+1))
}

// foot is where on the felt a blob stands if it is chips: its lowest point is the rim
// nearest to the camera.
func (g *background) foot(view *calibration.View, b blob, diameter float64) fact.Point {
	rim := view.ToTable(fact.Point{2*float64(g.x0) + 2*float64(b.lowest)/float64(b.wide) + 1,
		float64(2 * (g.y0 + b.y1 + 1))})
	eye := view.Eye()
	dx, dy := rim[0]-eye[0], rim[1]-eye[1]
	far := max(math.Hypot(dx, dy), 1e-9)
	return fact.Point{rim[0] + dx/far*diameter/2, rim[1] + dy/far*diameter/2}
}

// unread are the things in a zone that no reader names, of a picture in which stacks were
// read there. None are known where nobody took a picture of the empty table.
func (t *Table) unread(z *zone, img gocv.Mat, stacks []fact.Stack) []fact.Stack {
	if t.plain || t.away || t.empty.Ptr() == nil || !z.Wants("chips") {
		return nil
	}
	if z.ground == nil {
		z.ground = newBackground(t.view, z.Zone, t.cal.Palette, t.empty)
	}
	pix, err := img.DataPtrUint8()
	if z.ground == nil || err != nil {
		return nil
	}
	g, diameter := z.ground, smallest(t.cal.Palette)
	var out []fact.Stack
	for _, b := range g.blobs(pix, img.Cols(), t.covered(z, stacks)) {
		s := fact.Stack{Abstain: fact.Unread, High: unreadMost, Quad: g.quad(b), At: g.foot(t.view, b, diameter)}
		switch {
		case float64(b.area) < unreadFace*g.face:
			continue
		case b.out || !z.Contains(s.At):
			if z.Spot == "" || float64(b.inside) < unreadHides*float64(g.all) {
				continue
			}
			s.At = z.Centre()
		}
		out = append(out, s)
	}
	return out
}

// covered are the outlines in the picture of all that is read on the table at present: of
// the stacks of one zone those of this picture, whatever earlier ones showed.
func (t *Table) covered(own *zone, stacks []fact.Stack) (out [][]fact.Point) {
	for _, s := range stacks {
		out = append(out, grown(s.Quad))
	}
	for _, z := range t.zones {
		for _, c := range z.fused.cardsNow() {
			out = append(out, grown(c.Quad))
		}
		for _, d := range z.fused.diceNow() {
			out = append(out, grown(t.body(d)))
		}
		others := z.fused.chips.Things
		switch {
		case z == own:
			continue
		case z.fused.chips.n == 0:
			others = z.fused.past // it stirs: they may lie there still
		}
		for _, s := range others.Newest() {
			out = append(out, grown(s.Quad))
		}
	}
	return out
}

// body is the box round a die, of which only the upper face is known.
func (t *Table) body(d fact.Die) fact.Quad {
	all := d.Quad[:]
	for _, p := range d.Quad {
		all = append(all, t.view.ToImage(t.view.ToTableAt(p, t.cal.Die)))
	}
	return geometry.Upright(geometry.Bounds(all))
}

// grown is a quad with a margin.
func grown(q fact.Quad) []fact.Point {
	c := on(q, 1, 0.5, 0.5)
	out := make([]fact.Point, len(q))
	for i, p := range q {
		d := max(math.Hypot(p[0]-c[0], p[1]-c[1]), 1e-9)
		k := (d + unreadMargin*math.Sqrt2) / d
		out[i] = fact.Point{c[0] + k*(p[0]-c[0]), c[1] + k*(p[1]-c[1])}
	}
	return out
}
