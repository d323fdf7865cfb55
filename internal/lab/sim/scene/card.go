package scene

import (
	"image"
	"math"
)

// flat is a picture lying on the felt: a card.
type flat struct {
	img      *image.RGBA
	x, y     float64 // centre
	sin, cos float64
	w, h     float64 // millimetres
	kx, ky   float64 // image pixels per millimetre
}

// newFlat lays img, w×h millimetres, turned clockwise by angle (radians, as the
// camera's side sees it). The image is reduced to about twice the camera's
// resolution so that few rays per pixel suffice.
func newFlat(img *image.RGBA, w, h, x, y, angle, pxPerMM float64) *flat {
	img = reduce(img, int(float64(img.Bounds().Dx())/(w*2.2*pxPerMM)))
	sin, cos := math.Sincos(angle)
	return &flat{img: img, x: x, y: y, sin: sin, cos: cos, w: w, h: h,
		kx: float64(img.Bounds().Dx()) / w, ky: float64(img.Bounds().Dy()) / h}
}

func (f *flat) local(x, y float64) (float64, float64) {
	x, y = x-f.x, y-f.y
	return x*f.cos + y*f.sin, y*f.cos - x*f.sin
}

func (f *flat) corners() []vec {
	var out []vec
	for _, s := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		a, b := s[0]*f.w/2, s[1]*f.h/2
		out = append(out, vec{f.x + a*f.cos - b*f.sin, f.y + b*f.cos + a*f.sin, 0})
	}
	return out
}

func (f *flat) hit(eye, dir vec) (rgb, float64) {
	p := eye.at(dir, -eye[2]/dir[2])
	x, y := f.local(p[0], p[1])
	if math.Abs(x) > f.w/2 || math.Abs(y) > f.h/2 {
		return rgb{}, 0
	}
	return bilinear(f.img, (x+f.w/2)*f.kx-0.5, (y+f.h/2)*f.ky-0.5)
}

// shade is a thin contact shadow: the card lies less than a millimetre high.
func (f *flat) shade(x, y float64) float64 {
	x, y = f.local(x-0.6, y-0.9)
	dx, dy := math.Abs(x)-f.w/2, math.Abs(y)-f.h/2
	return 0.4 * (1 - smooth(-1.5, 2.5, max(dx, dy)))
}

// bilinear samples premultiplied RGBA and gives straight colour and opacity.
func bilinear(img *image.RGBA, x, y float64) (rgb, float64) {
	b := img.Rect
	x, y = clamp(x, 0, float64(b.Dx()-1)), clamp(y, 0, float64(b.Dy()-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, b.Dx()-1), min(y0+1, b.Dy()-1)
	fx, fy := x-float64(x0), y-float64(y0)
	p := func(x, y int) []uint8 { i := y*img.Stride + 4*x; return img.Pix[i : i+4 : i+4] }
	a, c, d, e := p(x0, y0), p(x1, y0), p(x0, y1), p(x1, y1)
	var v [4]float64
	for k := range 4 {
		top := float64(a[k]) + (float64(c[k])-float64(a[k]))*fx
		low := float64(d[k]) + (float64(e[k])-float64(d[k]))*fx
		v[k] = top + (low-top)*fy
	}
	if v[3] == 0 {
		return rgb{}, 0
	}
	k := 255 / v[3]
	return rgb{v[0] * k, v[1] * k, v[2] * k}, v[3] / 255
}

// reduce shrinks an image by a whole factor, averaging.
func reduce(img *image.RGBA, k int) *image.RGBA {
	if k < 2 {
		return img
	}
	w, h := img.Rect.Dx()/k, img.Rect.Dy()/k
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var sum [4]int
			for j := range k {
				i := (y*k+j)*img.Stride + 4*x*k
				for range k {
					for c := range 4 {
						sum[c] += int(img.Pix[i+c])
					}
					i += 4
				}
			}
			for c := range 4 {
				out.Pix[y*out.Stride+4*x+c] = uint8(sum[c] / (k * k))
			}
		}
	}
	return out
}
