package rack

import (
	"math"

	"vision/calibration"
	"vision/internal/fact"
)

// place is a point of the frame at which a strip is sampled: the pixel to its upper left and the shares of
// its neighbours.
type place struct {
	at   int
	u, v float32
}

// strip is how a tube looks, unrolled: bins along its axis from the closed end, angles across, three channels.
type strip []float32

// grid is where in the frame a strip comes from.
type grid struct {
	places []place
	stride int
}

// newGrid lays points over what stands in a tube, or beside it, given by a radius and angles; false
// where one of them is not in the frame.
func newGrid(
	t *calibration.Table, v *calibration.View, u *calibration.Tube, alongs []float64, radius float64, turns []float64,
) (g grid, ok bool) {
	g = grid{stride: 3 * t.Size[0]}
	for _, along := range alongs {
		for _, turn := range turns {
			mm, height := t.Rack.On(u, along, radius, turn)
			p := v.ToImageAt(mm, height)
			x, y := math.Floor(p[0]), math.Floor(p[1])
			if !(x >= 0 && y >= 0 && x+1 < float64(t.Size[0]) && y+1 < float64(t.Size[1])) {
				return g, false
			}
			g.places = append(g.places, place{int(y)*g.stride + 3*int(x), float32(p[0] - x), float32(p[1] - y)})
		}
	}
	return g, true
}

// sample reads the strip off a picture, BGR.
func (g *grid) sample(pix []byte, into strip) {
	for i, p := range g.places {
		a, b := pix[p.at:p.at+6:p.at+6], pix[p.at+g.stride:p.at+g.stride+6:p.at+g.stride+6]
		for c := range 3 {
			top := float32(a[c]) + p.u*(float32(a[c+3])-float32(a[c]))
			low := float32(b[c]) + p.u*(float32(b[c+3])-float32(b[c]))
			into[3*i+c] = top + p.v*(low-top)
		}
	}
}

// pixels is how many pixels of the frame show a millimetre along the axis, and across, over a tube's middle.
func pixels(t *calibration.Table, v *calibration.View, u *calibration.Tube, radius float64) (along, across float64) {
	at := func(s, turn float64) fact.Point {
		mm, height := t.Rack.On(u, s, radius, turn)
		return v.ToImageAt(mm, height)
	}
	const d = 2
	m := u.Length() / 2
	a, b := at(m-d, 0), at(m+d, 0)
	c, e := at(m, -d/radius), at(m, d/radius)
	return math.Hypot(b[0]-a[0], b[1]-a[1]) / (2 * d), math.Hypot(e[0]-c[0], e[1]-c[1]) / (2 * d)
}

// shows is how far along a tube the felt's height shows behind the top of a chip that stands so far along it.
func shows(t *calibration.Table, v *calibration.View, u *calibration.Tube, along, radius float64) float64 {
	mm, height := t.Rack.On(u, along, radius, 0)
	p := v.ToTableAt(v.ToImageAt(mm, height), 0)
	foot, _ := t.Rack.On(u, 0, 0, 0)
	end, _ := t.Rack.On(u, u.Length(), 0, 0)
	long := math.Hypot(end[0]-foot[0], end[1]-foot[1])
	return ((p[0]-foot[0])*(end[0]-foot[0]) + (p[1]-foot[1])*(end[1]-foot[1])) / (long * long) * u.Length()
}

// differ is, for a bin of two strips, the mean square of their differences over what noise and a small shift
// make; sigma is the noise.
func differ(a, b strip, bin, across, step int, sigma, shift float32) float32 {
	return differLit(a, b, bin, across, step, sigma, shift, 1)
}

// differLit is the same where b is in a light so many times its own.
func differLit(a, b strip, bin, across, step int, sigma, shift, light float32) float32 {
	w := 3 * across
	from, to := bin*w, (bin+1)*w
	before, after := max(from-step*w, 0), min(from+step*w, len(a)-w)
	var sum float32
	for i := from; i < to; i++ {
		d := a[i] - light*b[i]
		sa, sb := (a[after+i-from]-a[before+i-from])/2, (b[after+i-from]-b[before+i-from])/2
		sum += d * d / (sigma*sigma + shift*shift*min(sa*sa, sb*sb))
	}
	return sum / float32(w)
}

// lit is how many times brighter a bin of a is than that of b.
func lit(a, b strip, bin, across int) float32 {
	var ab, bb float32
	for i := 3 * across * bin; i < 3*across*(bin+1); i++ {
		ab, bb = ab+a[i]*b[i], bb+b[i]*b[i]
	}
	return (ab + 1) / (bb + 1)
}
