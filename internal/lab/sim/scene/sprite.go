package scene

import "image"

// rgb is linear enough for our purpose: 0..255 per channel.
type rgb [3]float64

func (a rgb) mul(k float64) rgb { return rgb{a[0] * k, a[1] * k, a[2] * k} }

func mix(a, b rgb, k float64) rgb {
	return rgb{a[0] + (b[0]-a[0])*k, a[1] + (b[1]-a[1])*k, a[2] + (b[2]-a[2])*k}
}

// body is a thing on the table that a ray can meet.
type body interface {
	// corners are points whose picture encloses the thing's.
	corners() []vec
	// hit is the colour and opacity seen along a ray; opacity 0 is a miss.
	hit(eye, dir vec) (rgb, float64)
	// shade is how much light the thing takes from the felt at x, y: 0 to 1.
	shade(x, y float64) float64
}

// shadowReach is how far from a thing its shadow falls, in millimetres.
const shadowReach = 22.0

// Sprite is a thing as the camera sees it: drawn once, laid many times.
type Sprite struct {
	// Face is the middle of a pile's upper face, millimetres on the felt's axes.
	Face   [2]float64
	rect   image.Rectangle
	pix    []uint8 // premultiplied BGRA; nil: it only darkens
	shadow []uint8 // light taken, 0 to 255
}

// render draws a body with ss×ss rays per pixel; without rays, its shadow alone.
func (c *Camera) render(b body, ss int, lamp func(x, y float64) float64) *Sprite {
	corners := b.corners()
	inner := c.window(corners, 1)
	for _, p := range corners {
		for _, d := range []vec{{-shadowReach, -shadowReach}, {shadowReach, shadowReach}} {
			corners = append(corners, vec{p[0] + d[0], p[1] + d[1], 0})
		}
	}
	s := &Sprite{rect: c.window(corners, 0)}
	w, h := s.rect.Dx(), s.rect.Dy()
	s.shadow = make([]uint8, w*h)
	if ss > 0 {
		s.pix = make([]uint8, 4*w*h)
	}
	for y := range h {
		for x := range w {
			u, v := s.rect.Min.X+x, s.rect.Min.Y+y
			i := y*w + x
			px, py := c.OnPlane(float64(u), float64(v))
			s.shadow[i] = uint8(255 * clamp(b.shade(px, py), 0, 1))
			if ss > 0 && (image.Point{X: u, Y: v}).In(inner) {
				c.sample(b, u, v, ss, lamp(px, py), s.pix[4*i:4*i+4])
			}
		}
	}
	return s
}

// sample averages the rays of one pixel into premultiplied BGRA.
func (c *Camera) sample(b body, u, v, ss int, light float64, out []uint8) {
	var sum rgb
	var alpha float64
	step := 1 / float64(ss)
	for j := range ss {
		for i := range ss {
			d := c.ray(float64(u)-0.5+(float64(i)+0.5)*step, float64(v)-0.5+(float64(j)+0.5)*step)
			col, a := b.hit(c.eye, d)
			for k := range 3 {
				sum[k] += col[k] * a
			}
			alpha += a
		}
	}
	if alpha == 0 {
		return
	}
	n := step * step
	for k := range 3 {
		out[k] = uint8(clamp(sum[2-k]*n*light, 0, 255) + 0.5)
	}
	out[3] = uint8(255*clamp(alpha*n, 0, 1) + 0.5)
}

// lay composes the sprite, shifted by off, onto a BGR picture inside clip.
func (s *Sprite) lay(dst *Picture, off image.Point, clip image.Rectangle) {
	r := s.rect.Add(off).Intersect(clip)
	w := s.rect.Dx()
	var none [4]uint8
	for y := r.Min.Y; y < r.Max.Y; y++ {
		i := (y-off.Y-s.rect.Min.Y)*w + r.Min.X - off.X - s.rect.Min.X
		o := dst.at(r.Min.X, y)
		for x := r.Min.X; x < r.Max.X; x, i, o = x+1, i+1, o+3 {
			keep := 255 - uint32(s.shadow[i])
			p := none[:]
			if s.pix != nil {
				p = s.pix[4*i : 4*i+4 : 4*i+4]
			}
			a := uint32(p[3])
			if keep == 255 && a == 0 {
				continue
			}
			keep = keep * (255 - a) / 255
			d := dst.Pix[o : o+3 : o+3]
			d[0] = uint8(min(255, uint32(p[0])+uint32(d[0])*keep/255))
			d[1] = uint8(min(255, uint32(p[1])+uint32(d[1])*keep/255))
			d[2] = uint8(min(255, uint32(p[2])+uint32(d[2])*keep/255))
		}
	}
}

// Picture is a BGR picture, 8 bits per channel, rows without padding: the
// layout of an OpenCV 8UC3 Mat.
type Picture struct {
	W, H int
	Pix  []uint8
}

// NewPicture makes a black picture.
func NewPicture(w, h int) *Picture { return &Picture{W: w, H: h, Pix: make([]uint8, 3*w*h)} }

func (p *Picture) at(x, y int) int { return 3 * (y*p.W + x) }

// Bounds is the whole picture.
func (p *Picture) Bounds() image.Rectangle { return image.Rect(0, 0, p.W, p.H) }

// copyFrom copies one rectangle from a picture of the same size.
func (p *Picture) copyFrom(src *Picture, r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		a, b := p.at(r.Min.X, y), p.at(r.Max.X, y)
		copy(p.Pix[a:b], src.Pix[a:b])
	}
}
