package scene

import (
	"image"
	"image/draw"
	"math"
	"sync"

	"github.com/fogleman/gg"
)

// Look is a person's arm: skin, sleeve and cuff.
type Look struct{ Skin, Sleeve, Cuff [3]float64 }

// Limb is an arm that reaches into the picture: from a shoulder outside it to
// the finger tips. Its hands are drawn once per direction; the last few are kept.
type Limb struct {
	look  Look
	scale float64 // pixels per millimetre
	hands map[int]*handArt
	used  []int // the directions of hands, the one drawn first in front
}

// handArt is a hand pointing in one direction, its finger tips at the origin.
type handArt struct {
	img  *image.RGBA // no larger than the hand
	x, y int         // of the finger tips, from img's corner
}

// handTurns is the number of directions in which hands are drawn.
const handTurns = 48

// keptHands is how many directions an arm remembers: those of a movement. All of them, of all
// who play for hours, would be hundreds of megabytes.
const keptHands = 5

// NewLimb makes an arm; scale is the picture's pixels per millimetre about
// where it works.
func NewLimb(look Look, scale float64) *Limb {
	return &Limb{look: look, scale: scale, hands: map[int]*handArt{}}
}

// Look is how the arm's owner looks.
func (l *Limb) Look() Look { return l.look }

// handLength is from the wrist to the finger tips, millimetres.
const handLength = 175.0

// halfHand is how far, in millimetres, a hand, its arm and their shadow reach from the line
// of the arm.
const halfHand = 95.0

// over reports whether the arm from shoulder to tip (pixels) may hide a part of a rectangle.
func (l *Limb) over(tip, shoulder image.Point, r image.Rectangle) bool {
	near, line := r.Inset(-int(halfHand*l.scale)), tip.Sub(shoulder)
	n := 1 + int(math.Hypot(float64(line.X), float64(line.Y))/(halfHand*l.scale))
	for k := range n + 1 {
		if tip.Sub(line.Mul(k).Div(n)).In(near) {
			return true
		}
	}
	return false
}

// Reach is where the arm from shoulder to tip (pixels) shows in a picture of
// the given bounds.
func (l *Limb) Reach(tip, shoulder image.Point, bounds image.Rectangle) image.Rectangle {
	pad := int(halfHand * l.scale)
	pixel := image.Rect(0, 0, 1, 1)
	return pixel.Add(tip).Union(pixel.Add(shoulder)).Inset(-pad).Intersect(bounds)
}

// parts are where it shows in the rows of bands: less, where it lies aslant, than Reach.
func (l *Limb) parts(tip, shoulder image.Point, bounds image.Rectangle) (out []image.Rectangle) {
	pad, all := int(armWidth*l.scale)+2, l.Reach(tip, shoulder, bounds)
	dx, dy := float64(shoulder.X-tip.X), float64(shoulder.Y-tip.Y)
	for _, r := range bands(all) {
		from, to := 0.0, 1.0 // of the way to the shoulder, what is near the band
		if dy != 0 {
			a := float64(r.Min.Y-pad-tip.Y) / dy
			b := float64(r.Max.Y+pad-tip.Y) / dy
			from, to = clamp(min(a, b), 0, 1), clamp(max(a, b), 0, 1)
		}
		a, b := tip.X+int(math.Floor(from*dx)), tip.X+int(math.Floor(to*dx))
		r.Min.X, r.Max.X = max(r.Min.X, min(a, b)-pad), min(r.Max.X, max(a, b)+pad+1)
		if !r.Empty() {
			out = append(out, r)
		}
	}
	return out
}

// armWidth is how far from the line of the arm its shadow may fall, millimetres.
const armWidth = 125.0

// Draw lays the arm onto dst inside clip: its shadow first, then sleeve and hand.
func (l *Limb) Draw(dst *Picture, tip, shoulder image.Point, clip image.Rectangle) {
	dx, dy := float64(tip.X-shoulder.X), float64(tip.Y-shoulder.Y)
	n := math.Hypot(dx, dy)
	if n < 1 {
		return
	}
	ux, uy := dx/n, dy/n
	back := handLength * l.scale * 0.8
	wrist := [2]float64{float64(tip.X) - ux*back, float64(tip.Y) - uy*back}
	arm := strip{x: wrist[0], y: wrist[1], ux: ux, uy: uy, length: max(n-back, 1), w0: 36 * l.scale, w1: 62 * l.scale}
	shadow := arm
	shadow.x, shadow.y = arm.x+26*l.scale, arm.y+30*l.scale
	shadow.length += back * 0.7
	shadow.x, shadow.y = shadow.x+ux*back*0.7, shadow.y+uy*back*0.7
	shadow.dim(dst, clip, 16*l.scale)
	l.hand(ux, uy).lay(dst, tip, clip)
	arm.cloth(dst, clip, &l.look, 14*l.scale)
}

// strip is a tapering band from x, y backwards along -u, up to its length: an arm
// ends at its shoulder, also one that is drawn back behind it.
type strip struct{ x, y, ux, uy, length, w0, w1 float64 }

// row is what of a strip's geometry is the same all along a row of the picture.
type row struct {
	s             *strip
	along, off    float64 // of the row alone
	x0, x1, first int     // pixels that may lie in the band; the first one's place in Pix
}

// row is the part of a row of clip that may lie in the band: reach to either side
// of its middle, from near behind its front to its end.
func (s *strip) row(dst *Picture, y int, clip image.Rectangle, reach, near float64) row {
	dy := float64(y) - s.y
	r := row{s: s, along: dy * s.uy, off: dy * s.ux}
	lo, hi := float64(clip.Min.X), float64(clip.Max.X)
	if math.Abs(s.uy) > 0.15 { // off = dy·ux − dx·uy, from -reach to reach
		mid, wide := s.x+r.off/s.uy, reach/math.Abs(s.uy)
		lo, hi = max(lo, mid-wide-1), min(hi, mid+wide+2)
	}
	if math.Abs(s.ux) > 0.15 { // along = -(dx·ux + dy·uy), from near to length
		a, b := s.x-(near+r.along)/s.ux, s.x-(s.length+r.along)/s.ux
		lo, hi = max(lo, min(a, b)-1), min(hi, max(a, b)+2)
	}
	r.x0, r.x1 = int(lo), int(hi)
	r.first = dst.at(r.x0, y)
	return r
}

// at gives how far behind the front a pixel lies, how wide the band is there (half
// its width) and how far from its middle the pixel lies.
func (r *row) at(x int) (along, half, off float64) {
	dx := float64(x) - r.s.x
	along = -(dx*r.s.ux + r.along)
	half = r.s.w0 + (r.s.w1-r.s.w0)*max(0, min(1, along/r.s.length))
	return along, half, r.off - dx*r.s.uy
}

// profileSteps is how finely cross sections of a strip are tabulated.
const profileSteps = 256

func (s *strip) dim(dst *Picture, clip image.Rectangle, soft float64) {
	var across [profileSteps]float64 // by distance from the middle, up to 1.5 half widths
	for i := range across {
		q := 1.5 * float64(i) / profileSteps
		across[i] = 105 * (1 - smooth(0.9-soft/s.w1, 0.9+soft/s.w1, q))
	}
	for y := clip.Min.Y; y < clip.Max.Y; y++ {
		r := s.row(dst, y, clip, 0.9*s.w1+soft, -2*soft)
		for x, o := r.x0, r.first; x < r.x1; x, o = x+1, o+3 {
			along, half, off := r.at(x)
			i := int(math.Abs(off) / half * (profileSteps / 1.5))
			if along < -2*soft || along > s.length || i >= profileSteps {
				continue
			}
			k := across[i]
			if along < soft {
				k *= (along + 2*soft) / (3 * soft)
			}
			keep := uint32(255 - k)
			d := dst.Pix[o : o+3 : o+3]
			d[0], d[1], d[2] = uint8(uint32(d[0])*keep/255), uint8(uint32(d[1])*keep/255), uint8(uint32(d[2])*keep/255)
		}
	}
}

// light of a sleeve: by place across, from edge to edge, and by place along it, in folds.
var (
	roundLight = sync.OnceValue(func() (t [profileSteps + 1]float64) {
		for i := range t {
			q := 2*float64(i)/profileSteps - 1
			t[i] = (0.45 + 0.55*math.Sqrt(1-q*q)) * (1 - 0.12*q)
		}
		return t
	})
	foldLight = sync.OnceValue(func() []float64 {
		t := make([]float64, longestArm)
		for i := range t {
			t[i] = 1 + 0.07*math.Sin(float64(i)*0.11) + 0.05*math.Sin(float64(i)*0.043)
		}
		return t
	})
)

// longestArm is how far along a sleeve folds differ, pixels: more than twice across the largest picture.
const longestArm = 1 << 15

func (s *strip) cloth(dst *Picture, clip image.Rectangle, look *Look, cuff float64) {
	round := roundLight() // light by place across, from edge to edge
	folds := foldLight()
	folds = folds[:min(int(s.length)+2, len(folds))]
	for y := clip.Min.Y; y < clip.Max.Y; y++ {
		r := s.row(dst, y, clip, s.w1, 0)
		for x, o := r.x0, r.first; x < r.x1; x, o = x+1, o+3 {
			along, half, off := r.at(x)
			q := off / half
			if along < 0 || along > s.length || math.Abs(q) >= 1 {
				continue
			}
			c := &look.Sleeve
			if along < cuff {
				c = &look.Cuff
			}
			light := round[int((q+1)*profileSteps/2)] * folds[min(int(math.Abs(along+8*q)), len(folds)-1)]
			d := dst.Pix[o : o+3 : o+3]
			a := (1 - math.Abs(q)) * half
			if a >= 1 {
				d[0], d[1], d[2] = uint8(min(255, c[2]*light)), uint8(min(255, c[1]*light)), uint8(min(255, c[0]*light))
				continue
			}
			for k := range 3 {
				d[k] = uint8(min(255, float64(d[k])*(1-a)+c[2-k]*light*a))
			}
		}
	}
}

// hand is the drawn hand nearest to a direction.
func (l *Limb) hand(ux, uy float64) *handArt {
	turn := int(math.Round(math.Atan2(ux, -uy)/(2*math.Pi)*handTurns)+handTurns) % handTurns
	if h := l.hands[turn]; h != nil {
		return h
	}
	if len(l.used) == keptHands {
		delete(l.hands, l.used[0])
		l.used = append(l.used[:0], l.used[1:]...)
	}
	h := drawHand(l.look, l.scale, float64(turn)*2*math.Pi/handTurns)
	l.hands[turn], l.used = h, append(l.used, turn)
	return h
}

// drawHand draws a right hand seen from above whose fingers point along angle
// (0 is up the picture).
func drawHand(look Look, scale, angle float64) *handArt {
	side := int(2.4 * handLength * scale)
	g := gg.NewContext(side, side)
	c := float64(side) / 2
	g.Translate(c, c)
	g.Rotate(angle)
	g.Scale(scale, scale)
	dark, mid, bright := rgb(look.Skin).mul(0.55), rgb(look.Skin), mix(rgb(look.Skin), rgb{255, 240, 225}, 0.3)
	for _, pass := range []struct {
		c      rgb
		shrink float64
		shift  float64
	}{{dark, 0, 0}, {mid, 2, -0.6}, {bright, 6, -1.8}} {
		g.SetColor(nrgb(pass.c))
		fingers(g, scale, pass.shrink, pass.shift)
	}
	g.SetColor(nrgb(mix(bright, rgb{255, 225, 215}, 0.6)))
	for _, f := range fingerLines {
		g.DrawEllipse(f[2]*0.94, f[3]+4, 3.6, 4.8)
	}
	g.Fill()
	return trim(g.Image().(*image.RGBA), image.Pt(side/2, side/2))
}

// trim keeps of a drawing, whose finger tips are at tip, the part that shows something:
// a table has hundreds of hands.
func trim(img *image.RGBA, tip image.Point) *handArt {
	var r image.Rectangle
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			if img.Pix[img.PixOffset(x, y)+3] > 0 {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	out := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	draw.Draw(out, out.Rect, img, r.Min, draw.Src)
	return &handArt{img: out, x: tip.X - r.Min.X, y: tip.Y - r.Min.Y}
}

// fingerLines are knuckle and tip of each finger and its half width, with the
// middle finger's tip at the origin.
var fingerLines = [][5]float64{
	{-33, 78, -30, 22, 8}, {-12, 72, -11, 4, 9}, {10, 72, 9, 0, 9.3}, {30, 78, 28, 10, 8.8}, {46, 118, 52, 62, 10},
}

// fingers draws fingers, palm and wrist, all thinner by shrink.
func fingers(g *gg.Context, scale, shrink, shift float64) {
	g.SetLineCapRound()
	for _, f := range fingerLines {
		g.SetLineWidth(2 * (f[4] - shrink*0.7) * scale)
		g.DrawLine(f[0]+shift, f[1], f[2]+shift, f[3]+f[4])
		g.Stroke()
	}
	g.DrawRoundedRectangle(-44+shrink+shift, 66+shrink, 88-2*shrink, 78-2*shrink, 26-shrink)
	g.Fill()
	g.DrawRoundedRectangle(-29+shrink+shift, 110, 58-2*shrink, 80, 10)
	g.Fill()
}

func (h *handArt) lay(dst *Picture, tip image.Point, clip image.Rectangle) {
	origin := tip.Sub(image.Pt(h.x, h.y))
	r := h.img.Rect.Add(origin).Intersect(clip)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		i := (y-origin.Y)*h.img.Stride + 4*(r.Min.X-origin.X)
		o := dst.at(r.Min.X, y)
		for x := r.Min.X; x < r.Max.X; x, i, o = x+1, i+4, o+3 {
			p := h.img.Pix[i : i+4 : i+4]
			if p[3] == 0 {
				continue
			}
			keep := 255 - uint32(p[3])
			d := dst.Pix[o : o+3 : o+3]
			d[0] = uint8(uint32(p[2]) + uint32(d[0])*keep/255)
			d[1] = uint8(uint32(p[1]) + uint32(d[1])*keep/255)
			d[2] = uint8(uint32(p[0]) + uint32(d[2])*keep/255)
		}
	}
}
