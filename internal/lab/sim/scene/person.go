package scene

import (
	"image"
	"math"
	"math/rand/v2"

	"github.com/fogleman/gg"
)

// Person makes the sprite of head and shoulders of one who leans in, seen from above
// and behind, facing up the picture, in a picture of its own: its origin is the top of
// the head. Scale is pixels per millimetre at the height of the head.
func Person(look Look, hair [3]float64, scale float64) *Sprite {
	w, h := int(640*scale), int(620*scale)
	g := gg.NewContext(w, h)
	g.Translate(float64(w)/2, 30*scale)
	g.Scale(scale, scale)
	const steps = 18 // of the light from the outline inwards
	for i := range steps {
		k := float64(i) / steps
		g.SetColor(nrgb(rgb(look.Sleeve).mul(0.48 + 0.5*math.Sqrt(k))))
		g.DrawRoundedRectangle(-250+70*k, 170+60*k, 500-140*k, 560, 130-50*k)
		g.Fill()
	}
	g.SetColor(nrgb(rgb(look.Skin).mul(0.7)))
	g.DrawEllipse(0, 190, 62, 58) // neck
	g.DrawEllipse(-86, 116, 11, 22)
	g.DrawEllipse(86, 116, 11, 22) // ears
	g.Fill()
	for i := range steps {
		k := float64(i) / steps
		g.SetColor(nrgb(rgb(hair).mul(0.5 + 0.7*math.Sqrt(k))))
		g.DrawEllipse(-12*k, 104-16*k, 86*(1-0.9*k), 104*(1-0.9*k))
		g.Fill()
	}
	strands(g, hair)
	return cutout(g.Image().(*image.RGBA), image.Pt(w/2, int(30*scale)), int(30*scale))
}

// strands draws hair that runs from the crown outwards, the same on every head.
func strands(g *gg.Context, hair [3]float64) {
	rng := rand.New(rand.NewPCG(260, 1))
	g.SetLineWidth(1.5)
	for range 260 {
		a, from := 2*math.Pi*rng.Float64(), 0.1+0.55*rng.Float64()
		to := min(0.97, from+0.3)
		g.SetColor(nrgb(rgb(hair).mul(0.6 + 0.6*rng.Float64())))
		g.DrawLine(84*from*math.Cos(a), 104+102*from*math.Sin(a), 84*to*math.Cos(a+0.12), 104+102*to*math.Sin(a+0.12))
		g.Stroke()
	}
}

// cutout makes a sprite of a picture whose origin is at a pixel of it; it throws a
// soft shadow fall pixels to the right and down.
func cutout(img *image.RGBA, origin image.Point, fall int) *Sprite {
	r := image.Rectangle{Max: img.Rect.Size().Add(image.Pt(fall, fall))}
	s := &Sprite{rect: r.Sub(origin), pix: make([]uint8, 4*r.Dx()*r.Dy()), shadow: make([]uint8, r.Dx()*r.Dy())}
	alpha := func(x, y int) int {
		if !(image.Point{X: x, Y: y}).In(img.Rect) {
			return 0
		}
		return int(img.Pix[img.PixOffset(x, y)+3])
	}
	for y := range r.Dy() {
		for x := range r.Dx() {
			i := y*r.Dx() + x
			s.shadow[i] = uint8(
				(alpha(x-fall, y-fall) + alpha(x-fall/2, y-fall/2) + alpha(x-fall, y-fall/2) + alpha(x-fall/2, y-fall)) / 9,
			)
			if p := (image.Point{X: x, Y: y}); p.In(img.Rect) {
				o := img.PixOffset(x, y)
				s.pix[4*i], s.pix[4*i+1], s.pix[4*i+2], s.pix[4*i+3] = img.Pix[o+2], img.Pix[o+1], img.Pix[o], img.Pix[o+3]
			}
		}
	}
	return s
}
