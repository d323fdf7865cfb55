package scene

import (
	"image"
	"math"
	"math/rand/v2"
)

// Wear marks the cloth with years of use: paths that hands have faded, stains, creases and
// burns; grey is the strength of the larger ones in grey levels. Only the bed, in
// millimetres, is worn.
func (f *Felt) Wear(bed image.Rectangle, grey float64, seed uint64) {
	if grey == 0 {
		return
	}
	w := &wearer{felt: f, bed: bed, rng: rand.New(rand.NewPCG(seed, 0x3ea2))}
	for range 2 + w.rng.IntN(3) {
		w.path(grey)
	}
	for range 4 + w.rng.IntN(6) {
		w.stain(grey)
	}
	for range 1 + w.rng.IntN(3) {
		w.crease(grey)
	}
	for range 1 + w.rng.IntN(4) {
		w.burn()
	}
}

// wearer marks one cloth; lengths are millimetres.
type wearer struct {
	felt *Felt
	bed  image.Rectangle
	rng  *rand.Rand
}

func (w *wearer) span(a, b float64) float64 { return a + (b-a)*w.rng.Float64() }

// point is a place on the bed.
func (w *wearer) point() (x, y float64) {
	return w.span(float64(w.bed.Min.X)+280, float64(w.bed.Max.X)-280), w.span(float64(w.bed.Min.Y), float64(w.bed.Max.Y))
}

// each changes the pixels of the bed within reach of a box.
func (w *wearer) each(x0, y0, x1, y1 float64, change func(x, y float64, c rgb) rgb) {
	img := w.felt.Draw.Image().(*image.RGBA)
	ox, oy := float64(w.felt.Area.Min.X), float64(w.felt.Area.Min.Y)
	x0, y0 = max(x0, float64(w.bed.Min.X)), max(y0, float64(w.bed.Min.Y))
	x1, y1 = min(x1, float64(w.bed.Max.X)), min(y1, float64(w.bed.Max.Y))
	r := image.Rect(int((x0-ox)*FeltPx), int((y0-oy)*FeltPx), int((x1-ox)*FeltPx), int((y1-oy)*FeltPx)).Intersect(img.Rect)
	for v := r.Min.Y; v < r.Max.Y; v++ {
		for u := r.Min.X; u < r.Max.X; u++ {
			p := img.Pix[img.PixOffset(u, v):][:3:3]
			was := rgb{float64(p[0]), float64(p[1]), float64(p[2])}
			c := change(float64(u)/FeltPx+ox, float64(v)/FeltPx+oy, was)
			if c == was {
				continue
			}
			for k := range p {
				p[k] = uint8(clamp(c[k]+0.5, 0, 255))
			}
		}
	}
}

// path is where sleeves and hands pass: a broad band, paler than the cloth.
func (w *wearer) path(grey float64) {
	ax, ay := w.point()
	bx, by := w.point()
	wide, paler := w.span(30, 80), grey*w.span(0.6, 1.3)
	reach := 2 * wide
	square := wide * wide
	faint := math.Log(2 * paler) // from there on less than half a grey level is left
	w.each(min(ax, bx)-reach, min(ay, by)-reach, max(ax, bx)+reach, max(ay, by)+reach, func(x, y float64, c rgb) rgb {
		d2 := offSegment(x, y, ax, ay, bx, by) / square
		if d2 > faint {
			return c
		}
		k := paler * math.Exp(-d2)
		return rgb{c[0] + k, c[1] + k, c[2] + k}
	})
}

// offSegment is the square of the distance of a point from a segment.
func offSegment(x, y, ax, ay, bx, by float64) float64 {
	dx, dy := bx-ax, by-ay
	k := clamp(((x-ax)*dx+(y-ay)*dy)/max(dx*dx+dy*dy, 1), 0, 1)
	return sq(x-ax-k*dx) + sq(y-ay-k*dy)
}

// stain is what was spilt: an uneven patch, mostly darker, with a darker rim.
func (w *wearer) stain(grey float64) {
	cx, cy := w.point()
	r, squash := w.span(8, 55), w.span(0.6, 1)
	dark := -grey * w.span(0.8, 2.2)
	if w.rng.IntN(4) == 0 {
		dark = -dark // washed out
	}
	p1, p2, rim := w.span(0, 6), w.span(0, 6), w.span(0.2, 1)
	w.each(cx-1.6*r, cy-1.6*r, cx+1.6*r, cy+1.6*r, func(x, y float64, c rgb) rgb {
		dx, dy := x-cx, (y-cy)/squash
		a := math.Atan2(dy, dx)
		d := math.Hypot(dx, dy) / (r * (1 + 0.14*math.Sin(2*a+p1) + 0.08*math.Sin(5*a+p2)))
		k := dark * (0.6*(1-smooth(0.85, 1, d)) + rim*math.Exp(-sq((d-0.93)/0.06)))
		return rgb{c[0] + 0.7*k, c[1] + k, c[2] + 1.1*k}
	})
}

func sq(v float64) float64 { return v * v }

// crease is a fold that does not go away: a line with a pale and a dark side.
func (w *wearer) crease(grey float64) {
	ax, ay := w.point()
	long, angle := w.span(200, 900), w.span(-0.4, 0.4)
	if w.rng.IntN(2) == 0 {
		angle += math.Pi / 2
	}
	sin, cos := math.Sincos(angle)
	bx, by := ax+long*cos, ay+long*sin
	deep, wide := grey*w.span(1, 2.2), w.span(0.9, 1.8)
	w.each(min(ax, bx)-5, min(ay, by)-5, max(ax, bx)+5, max(ay, by)+5, func(x, y float64, c rgb) rgb {
		along := ((x-ax)*cos + (y-ay)*sin) / long
		off := ((y-ay)*cos - (x-ax)*sin) / wide
		k := deep * 1.6 * off * math.Exp(-off*off) * smooth(0, 0.15, along) * (1 - smooth(0.85, 1, along))
		return rgb{c[0] + k, c[1] + k, c[2] + k}
	})
}

// burn is a hole that a cigarette left: a dark spot in a brown ring.
func (w *wearer) burn() {
	cx, cy := w.point()
	r := w.span(1.8, 4)
	w.each(cx-2*r, cy-2*r, cx+2*r, cy+2*r, func(x, y float64, c rgb) rgb {
		d := math.Hypot(x-cx, y-cy) / r
		c = mix(c, rgb{70, 48, 30}, 0.8*(1-smooth(0.8, 1.5, d)))
		return mix(c, rgb{22, 18, 16}, 0.9*(1-smooth(0.4, 0.8, d)))
	})
}
