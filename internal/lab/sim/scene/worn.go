package scene

import (
	"image/color"
	"math"
	"math/rand/v2"

	"github.com/fogleman/gg"
)

// worn is a piece of the art's kind after years of use: the share fade of its colour
// lost, scratched and dirty by wear, 0 to 1.
func (a *chipArt) worn(d *design, fade, wear float64, rng *rand.Rand) (*chipArt, error) {
	w := &chipArt{chip: a.chip, design: d, body: faded(a.body, fade), edge: faded(a.edge, fade), grime: grime(wear, rng)}
	if err := w.draw(); err != nil {
		return nil, err
	}
	g := gg.NewContextForRGBA(w.face)
	scratch(g, wear, rng)
	soil(g, wear, rng)
	return w, nil
}

// faded is a colour of which a share is lost: it goes towards a warm grey.
func faded(c rgb, share float64) rgb { return mix(c, drab(c), share) }

// drab is what is left of a colour when all of it is lost.
func drab(c rgb) rgb {
	g := 0.6*(0.299*c[0]+0.587*c[1]+0.114*c[2]) + 0.4*130
	return rgb{1.03 * g, g, 0.95 * g}
}

// grime is the light that dirt leaves round a side.
func grime(wear float64, rng *rand.Rand) []float64 {
	if wear == 0 {
		return nil
	}
	out := make([]float64, 48)
	for i := range out {
		out[i] = 1 - 0.12*wear*math.Abs(rng.NormFloat64())
	}
	for range 1 + rng.IntN(3) { // a spot that hands or another chip left
		at, wide := rng.IntN(len(out)), 1+rng.IntN(4)
		for k := range wide {
			out[(at+k)%len(out)] *= 1 - 0.35*wear*rng.Float64()
		}
	}
	return out
}

// dirt is the light that is left at an angle of the side.
func (a *chipArt) dirt(angle float64) float64 {
	n := len(a.grime)
	if n == 0 {
		return 1
	}
	at := angle/(2*math.Pi)*float64(n) + float64(2*n)
	i := int(math.Floor(at))
	k := at - float64(i)
	return a.grime[(i%n+n)%n]*(1-k) + a.grime[((i+1)%n+n)%n]*k
}

// scratch draws fine lines over a face.
func scratch(g *gg.Context, wear float64, rng *rand.Rand) {
	w, h := float64(g.Width()), float64(g.Height())
	for range int(wear * 16) {
		x, y, a := w*rng.Float64(), h*rng.Float64(), 2*math.Pi*rng.Float64()
		long := w * (0.08 + 0.3*rng.Float64())
		shade := 1.0
		if rng.IntN(3) == 0 {
			shade = 0
		}
		g.SetRGBA(shade, shade, shade, 0.1+0.25*wear*rng.Float64())
		g.SetLineWidth(0.8 + rng.Float64())
		sin, cos := math.Sincos(a)
		g.MoveTo(x, y)
		g.QuadraticTo(x+long*cos/2+4*rng.NormFloat64(), y+long*sin/2+4*rng.NormFloat64(), x+long*cos, y+long*sin)
		g.Stroke()
	}
}

// soil draws soft dark spots over a face, most of them towards its edge, where it is
// handled.
func soil(g *gg.Context, wear float64, rng *rand.Rand) {
	w, h := float64(g.Width()), float64(g.Height())
	for range int(wear * 14) {
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		far := 0.5 * math.Sqrt(rng.Float64())
		x, y, r := w*(0.5+far*cos), h*(0.5+far*sin), h*(0.04+0.12*rng.Float64())
		spot := gg.NewRadialGradient(x, y, 0, x, y, r)
		spot.AddColorStop(0, soot(0.35*wear*rng.Float64()))
		spot.AddColorStop(1, soot(0))
		g.SetFillStyle(spot)
		g.DrawCircle(x, y, r)
		g.Fill()
	}
}

// soot is dirt of the given opacity.
func soot(alpha float64) color.Color { return color.NRGBA{34, 28, 22, uint8(255 * alpha)} }
