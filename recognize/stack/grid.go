// Package stack reads the number and the kinds of the chips of a stack from its side, unrolled in millimetres.
package stack

import (
	"math"

	"vision/calibration"
	"vision/internal/fact"
)

// The grid on which a side is unrolled: its rows go down from Above chips over the upper face to Below chips
// under the foot of a stack of Most, its columns from left to right over Span of the visible half.
const (
	Rows  = 8 // to a chip
	Above = 3
	Most  = 24
	Below = 2
	High  = Rows * (Above + Most + Below)
	Wide  = 32
	Span  = 0.9 * math.Pi
	// Planes of a side: red, green, blue, and what is hidden.
	Planes = 4
)

// Picture has three bytes per pixel, rows without padding. Red is the channel of red, 0 or 2.
type Picture struct {
	Pix  []byte
	W, H int
	Red  int
}

// Face is an upright cylinder of chips: the middle of its upper face in the picture, how many chips stand below that
// face, and their size in millimetres.
type Face struct {
	Px              fact.Point
	Count           float64
	Diameter, Thick float64
}

// Tall is the height of the face over the felt.
func (f Face) Tall() float64 { return f.Count * f.Thick }

// Standing is a cylinder on the felt: its axis, radius and height in millimetres.
type Standing struct {
	At      fact.Point
	R, Tall float64
}

// Stands is where the chips under a face stand, if they stand upright.
func (f Face) Stands(view *calibration.View) Standing {
	return Standing{view.ToTableAt(f.Px, f.Tall()), f.Diameter / 2, f.Tall()}
}

// hides reports whether the cylinder is in the line from eye to p. Of stacks that touch, places of the one seem to be
// inside the other where a face is a little off: they are hidden, too.
func (s Standing) hides(eye, p [3]float64) bool {
	dx, dy, dz := p[0]-eye[0], p[1]-eye[1], p[2]-eye[2]
	ox, oy := eye[0]-s.At[0], eye[1]-s.At[1]
	a, b := dx*dx+dy*dy, ox*dx+oy*dy
	disc := b*b - a*(ox*ox+oy*oy-s.R*s.R)
	if disc <= 0 || a == 0 {
		return false
	}
	root := math.Sqrt(disc)
	from, to := max(0, (-b-root)/a), min(1, (-b+root)/a)
	return from < min(to, 0.9999) && min(eye[2]+from*dz, eye[2]+to*dz) < s.Tall
}

// Hides reports whether the cylinder is in the line from the camera to a place, tall millimetres over the felt.
func (s Standing) Hides(view *calibration.View, at fact.Point, tall float64) bool {
	return s.hides(view.Eye(), [3]float64{at[0], at[1], tall})
}

// toward is where the chips under a face stand, and the way from there to the camera along the felt: a unit vector, and
// how far.
func (f Face) toward(view *calibration.View) (s Standing, x, y, far float64) {
	s = f.Stands(view)
	eye := view.Eye()
	x, y = eye[0]-s.At[0], eye[1]-s.At[1]
	far = max(math.Hypot(x, y), 1e-6)
	return s, x / far, y / far, far
}

// Seen is what a network is given of a view: the logarithm of pixels per chip on the nearest side half way up, and the
// elevation of the camera over the face in radians.
func (f Face) Seen(view *calibration.View) [2]float32 {
	s, dx, dy, far := f.toward(view)
	near := fact.Point{s.At[0] + s.R*dx, s.At[1] + s.R*dy}
	a, b := view.ToImageAt(near, s.Tall/2), view.ToImageAt(near, s.Tall/2+f.Thick)
	return [2]float32{
		float32(math.Log(max(0.05, math.Hypot(a[0]-b[0], a[1]-b[1])))),
		float32(math.Atan2(view.Eye()[2]-s.Tall, far)),
	}
}

// Moved is the face at another place: right and near are millimetres along the face, to the right as seen from the
// camera and towards it.
func (f Face) Moved(view *calibration.View, right, near float64) Face {
	s, dx, dy, _ := f.toward(view)
	f.Px = view.ToImageAt(fact.Point{s.At[0] + dy*right + dx*near, s.At[1] - dx*right + dy*near}, s.Tall)
	return f
}

// Between is by how much, as of Moved, the face is beside the place at on its plane.
func (f Face) Between(view *calibration.View, at fact.Point) (right, near float64) {
	s, dx, dy, _ := f.toward(view)
	x, y := at[0]-s.At[0], at[1]-s.At[1]
	return dy*x - dx*y, dx*x + dy*y
}

// Unroll fills side (Planes × rows × Wide, 0 to 255; High rows or fewer, whole chips) with the side under a face.
// Places that one of nearer hides, or that are not in the picture, are marked in the last plane. Within a chip's
// height the picture is taken for straight.
func (p Picture) Unroll(view *calibration.View, f Face, nearer []Standing, side []byte) {
	s, eye := f.Stands(view), view.Eye()
	toward := math.Atan2(eye[1]-s.At[1], eye[0]-s.At[0])
	plane := len(side) / Planes
	for x := range Wide {
		sin, cos := math.Sincos(toward - ((float64(x)+0.5)/Wide-0.5)*Span)
		at := fact.Point{s.At[0] + s.R*cos, s.At[1] + s.R*sin}
		high := func(y int) float64 { return s.Tall - ((float64(y)+0.5)/Rows-Above)*f.Thick }
		hidden := func(y int) bool {
			for k := range nearer {
				if nearer[k].hides(eye, [3]float64{at[0], at[1], high(y)}) {
					return true
				}
			}
			return false
		}
		from, dark := view.ToImageAt(at, high(0)), hidden(0)
		for y := 0; y < plane/Wide; y += Rows {
			to, darkTo := view.ToImageAt(at, high(y+Rows)), hidden(y+Rows)
			dx, dy := (to[0]-from[0])/Rows, (to[1]-from[1])/Rows
			for j := range Rows {
				i := (y+j)*Wide + x
				in := p.sample(fact.Point{from[0] + dx*float64(j), from[1] + dy*float64(j)}, side[i:], plane)
				side[i+3*plane] = 0
				if !in || dark && (darkTo || hidden(y+j)) || darkTo && !dark && hidden(y+j) {
					side[i+3*plane] = 255
				}
			}
			from, dark = to, darkTo
		}
	}
}

// sample writes what a pixel shows to three planes; false outside the picture, where it writes what is at its edge.
func (p Picture) sample(px fact.Point, to []byte, plane int) bool {
	x, y := min(max(px[0], 0), float64(p.W)-1.001), min(max(px[1], 0), float64(p.H)-1.001)
	x0, y0 := int(x), int(y)
	fx, fy := x-float64(x0), y-float64(y0)
	a, b := 3*(y0*p.W+x0), 3*((y0+1)*p.W+x0)
	for c := range 3 {
		from := p.Red + c*(1-p.Red) // 0, 1, 2 or 2, 1, 0
		up := float64(p.Pix[a+from])*(1-fx) + float64(p.Pix[a+3+from])*fx
		down := float64(p.Pix[b+from])*(1-fx) + float64(p.Pix[b+3+from])*fx
		to[c*plane] = byte(up*(1-fy) + down*fy + 0.5)
	}
	return px[0] > -0.5 && px[1] > -0.5 && px[0] < float64(p.W)-0.5 && px[1] < float64(p.H)-0.5
}
