package main

import (
	"bytes"
	"image"
	"image/draw"
	"image/jpeg"
	"math"
)

// lens is what becomes of light in a camera: blur, exposure, white balance, tone, sharpening, noise and coding.
type lens struct {
	blur, noise, white, colour, power, sharp float64
	balance                                  vec
	film                                     bool
	quality                                  int
	curve                                    []float64
}

// steps are those of a curve.
const steps = 4096

func (d dice) lens() lens {
	l := lens{
		blur:    d.u(0.25, 0.95),
		noise:   d.u(0.4, 4),
		white:   d.u(1.5, 4),
		colour:  d.u(0.75, 1.1),
		power:   d.u(0.88, 1.15),
		film:    d.is(0.5),
		balance: vec{math.Exp(d.n(0.06)), math.Exp(d.n(0.06)), math.Exp(d.n(0.06))},
		quality: 97,
	}
	if d.is(0.15) {
		l.blur = d.u(0.9, 1.4)
	}
	if d.is(0.3) {
		l.sharp = d.u(0, 0.8)
	}
	if d.is(0.65) {
		l.quality = 40 + d.IntN(55)
	}
	l.curve = make([]float64, steps+1)
	for i := range l.curve { // sRGB (IEC 61966-2-1) with a contrast of its own
		v := float64(i) / steps
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		l.curve[i] = math.Pow(v, l.power)
	}
	return l
}

// tone is light as sRGB, 0 to 1.
func (l lens) tone(c vec) vec {
	c = c.by(l.balance)
	if l.film {
		for i, v := range c {
			k := 1.5 * v
			c[i] = k * (1 + k/(l.white*l.white)) / (1 + k)
		}
	}
	g := c.mean()
	for i, v := range c {
		c[i] = l.curve[int(steps*min(max(g+(v-g)*l.colour, 0), 1)+0.5)]
	}
	return c
}

// blurred is a picture blurred by a normal distribution.
func blurred(in []vec, w, h int, sd float64) []vec {
	var k [7]float64
	sum := 0.0
	for i := range k {
		k[i] = math.Exp(-float64((i-3)*(i-3)) / (2*sd*sd + 1e-6))
		sum += k[i]
	}
	pass := func(in []vec, dx, dy int) []vec {
		out := make([]vec, len(in))
		for y := range h {
			for x := range w {
				var v vec
				for i := range k {
					xx, yy := min(max(x+(i-3)*dx, 0), w-1), min(max(y+(i-3)*dy, 0), h-1)
					v = v.plus(in[yy*w+xx].times(k[i] / sum))
				}
				out[y*w+x] = v
			}
		}
		return out
	}
	return pass(pass(in, 1, 0), 0, 1)
}

// developed is the picture, RGB.
func (l lens) developed(d dice, light []vec, w, h int, gain float64) []byte {
	x := blurred(light, w, h, l.blur)
	for i := range x {
		x[i] = l.tone(x[i].times(gain)).times(255)
	}
	if l.sharp > 0 {
		soft := blurred(x, w, h, 1.2)
		for i := range x {
			x[i] = x[i].plus(x[i].minus(soft[i]).times(l.sharp))
		}
	}
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i, c := range x {
		for k, v := range c {
			img.Pix[4*i+k] = byte(min(max(v+d.n(l.noise)+0.5, 0), 255))
		}
		img.Pix[4*i+3] = 255
	}
	if l.quality < 97 {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: l.quality}); err == nil {
			if back, err := jpeg.Decode(&b); err == nil {
				draw.Draw(img, img.Bounds(), back, image.Point{}, draw.Src)
			}
		}
	}
	out := make([]byte, 3*w*h)
	for i := range w * h {
		copy(out[3*i:3*i+3], img.Pix[4*i:4*i+3])
	}
	return out
}
