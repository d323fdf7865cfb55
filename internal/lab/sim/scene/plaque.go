package scene

import (
	"math"

	"github.com/fogleman/gg"
)

// Sizes of a plaque that no calibration says, millimetres.
const (
	plaqueRound  = 6.0  // radius of its corners
	plaqueBorder = 2.2  // the printed line along its outline
	plaquePx     = 4.0  // pixels of its face per millimetre
	askew        = 0.04 // radians by which one lies turned on another
)

// drawPlaque draws the face: the field, a border line of the edge's colour a little
// inside, and a pale oval with the value.
func (a *chipArt) drawPlaque() (*gg.Context, error) {
	l, w := a.chip.Length, a.chip.Width
	g := gg.NewContext(int(l*plaquePx), int(w*plaquePx))
	g.SetColor(nrgb(a.body))
	g.Clear()
	g.Translate(float64(g.Width())/2, float64(g.Height())/2)
	g.Push()
	g.Scale(plaquePx, plaquePx)
	inset := 1.2 * plaqueBorder
	g.SetColor(nrgb(a.edge))
	g.SetLineWidth(plaqueBorder / 2 * plaquePx)
	g.DrawRoundedRectangle(inset-l/2, inset-w/2, l-2*inset, w-2*inset, plaqueRound-inset/2)
	g.Stroke()
	g.SetColor(nrgb(mix(a.body, rgb{255, 255, 255}, 0.8)))
	g.DrawEllipse(0, 0, 0.29*l, 0.27*w)
	g.Fill()
	g.Pop()
	if err := a.design.sign(g, 0.5*w*plaquePx, a.body); err != nil {
		return nil, err
	}
	return g, a.design.drawValue(g, a.chip.Value, 1.15*w/39)
}

// beside is how far a point lies outside a plaque's outline, seen from its middle;
// negative within.
func (l *layer) beside(x, y float64) float64 {
	x, y = x*l.cos+y*l.sin, y*l.cos-x*l.sin
	dx, dy := math.Abs(x)-l.art.chip.Length/2+plaqueRound, math.Abs(y)-l.art.chip.Width/2+plaqueRound
	return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - plaqueRound
}

// hitPlaque meets the plaque's top, or its side where the ray goes in between its
// upper and its lower face.
func (l *layer) hitPlaque(eye, dir vec) (float64, rgb, bool) {
	k := (-l.top - eye[2]) / dir[2]
	x, y := eye[0]+k*dir[0]-l.x, eye[1]+k*dir[1]-l.y
	if l.beside(x, y) <= 0 {
		return k, l.plaqueFace(x, y), true
	}
	down := (-l.low - eye[2]) / dir[2]
	at := func(k float64) (float64, float64) { return eye[0] + k*dir[0] - l.x, eye[1] + k*dir[1] - l.y }
	// The outline is convex and the ray begins outside it: march to the first point within.
	const steps = 24
	out := k
	for i := 1; i <= steps; i++ {
		in := k + (down-k)*float64(i)/steps
		if x, y := at(in); l.beside(x, y) > 0 {
			out = in
			continue
		}
		for range 12 {
			if x, y := at((out + in) / 2); l.beside(x, y) > 0 {
				out = (out + in) / 2
			} else {
				in = (out + in) / 2
			}
		}
		x, y := at(in)
		const d = 0.01
		nx, ny := l.beside(x+d, y)-l.beside(x-d, y), l.beside(x, y+d)-l.beside(x, y-d)
		n := max(math.Hypot(nx, ny), 1e-9)
		h := -(eye[2] + in*dir[2])
		return in, l.art.edge.mul(
			l.tone * l.art.dirt(math.Atan2(ny, nx)-l.turn) * sideLight(nx, ny, n) * seam((h-l.low)/(l.top-l.low)),
		), true
	}
	return 0, rgb{}, false
}

func (l *layer) plaqueFace(x, y float64) rgb {
	u, v := x*l.cos+y*l.sin, y*l.cos-x*l.sin
	c, _ := bilinear(l.art.face, (u+l.art.chip.Length/2)*plaquePx-0.5, (v+l.art.chip.Width/2)*plaquePx-0.5)
	return c.mul(l.tone * (1 - 0.25*smooth(-1, 0, l.beside(x, y))))
}

// shadePlaque is the soft shadow of a pile on a plaque: that of the plaques along
// their outline, and of what stands on them.
func (p *pile) shadePlaque(x, y float64) float64 {
	top, most := 0.0, 0.0
	for i := range p.layers {
		l := &p.layers[i]
		if !l.art.chip.Plaque() {
			break
		}
		top = l.top
		reach := top * 0.5
		dx, dy := x-l.x, y-l.y
		along := clamp(dx*lampX+dy*lampY, 0, reach)
		d := l.beside(dx-along*lampX, dy-along*lampY)
		most = max(most, 0.55*(1-smooth(-1, 3+0.25*top, d))*(1-0.35*along/(reach+1)))
	}
	return most
}
