package scene

import (
	"image"

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
	for _, pass := range []struct{ shrink, light float64 }{{0, 0.55}, {9, 0.8}, {34, 1}} {
		g.SetColor(nrgb(rgb(look.Sleeve).mul(pass.light)))
		g.DrawRoundedRectangle(-250+pass.shrink, 170+pass.shrink, 500-2*pass.shrink, 560, 130-pass.shrink)
		g.Fill()
	}
	g.SetColor(nrgb(rgb(look.Skin).mul(0.7)))
	g.DrawEllipse(0, 190, 62, 58) // neck
	g.DrawEllipse(-88, 112, 12, 24)
	g.DrawEllipse(88, 112, 12, 24) // ears
	g.Fill()
	for _, pass := range []struct{ shrink, light float64 }{{0, 0.6}, {6, 0.85}, {26, 1.1}, {56, 1.3}} {
		g.SetColor(nrgb(rgb(hair).mul(pass.light)))
		g.DrawEllipse(-pass.shrink*0.15, 104-pass.shrink*0.2, 86-pass.shrink, 104-pass.shrink)
		g.Fill()
	}
	return cutout(g.Image().(*image.RGBA), image.Pt(w/2, int(30*scale)), int(30*scale))
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
			s.shadow[i] = uint8((alpha(x-fall, y-fall) + alpha(x-fall/2, y-fall/2) + alpha(x-fall, y-fall/2) + alpha(x-fall/2, y-fall)) / 9)
			if p := (image.Point{X: x, Y: y}); p.In(img.Rect) {
				o := img.PixOffset(x, y)
				s.pix[4*i], s.pix[4*i+1], s.pix[4*i+2], s.pix[4*i+3] = img.Pix[o+2], img.Pix[o+1], img.Pix[o], img.Pix[o+3]
			}
		}
	}
	return s
}
