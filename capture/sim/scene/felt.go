package scene

import (
	"image"
	"math"
	"math/rand/v2"

	"github.com/fogleman/gg"
)

// FeltPx is the resolution of the printed felt, pixels per millimetre.
const FeltPx = 2.0

// Felt is the bare table: the cloth with what is printed on it, in the plane's
// millimetres.
type Felt struct {
	Area image.Rectangle // millimetres that Print covers
	Draw *gg.Context     // unit is the millimetre, origin as the plane's
}

// NewFelt makes a plain cloth that covers area.
func NewFelt(area image.Rectangle, cloth [3]float64) *Felt {
	g := gg.NewContext(int(float64(area.Dx())*FeltPx), int(float64(area.Dy())*FeltPx))
	g.SetColor(nrgb(cloth))
	g.Clear()
	g.Scale(FeltPx, FeltPx)
	g.Translate(-float64(area.Min.X), -float64(area.Min.Y))
	return &Felt{Area: area, Draw: g}
}

// lamp is the light on the felt: brightest in the middle of the table.
func (f *Felt) lamp(x, y float64) float64 {
	cx, cy := float64(f.Area.Min.X+f.Area.Max.X)/2, float64(f.Area.Min.Y+f.Area.Max.Y)/2
	dx, dy := (x-cx-40)/float64(f.Area.Dx()), (y-cy+80)/float64(f.Area.Dy())
	return 1.04 - 0.55*(dx*dx+dy*dy)
}

// photograph is the bare table as the camera sees it, with the cloth's weave.
func (f *Felt) photograph(c *Camera, rng *rand.Rand) *Picture {
	img := f.Draw.Image().(*image.RGBA)
	weave := newWeave(rng)
	p := NewPicture(c.Size[0], c.Size[1])
	for v := range p.H {
		for u := range p.W {
			var sum rgb
			for _, s := range [][2]float64{{-0.25, -0.25}, {0.25, 0.25}} {
				x, y := c.OnPlane(float64(u)+s[0], float64(v)+s[1])
				col, _ := bilinear(img, (x-float64(f.Area.Min.X))*FeltPx, (y-float64(f.Area.Min.Y))*FeltPx)
				k := 0.5 * f.lamp(x, y)
				w := 0.5 * weave.at(x, y)
				for i := range 3 {
					sum[i] += col[i]*k + w
				}
			}
			o := p.at(u, v)
			for i := range 3 {
				p.Pix[o+i] = uint8(clamp(sum[2-i], 0, 255) + 0.5)
			}
		}
	}
	return p
}

// weave is the cloth's grain: threads, fluff and worn patches.
type weave struct {
	grain [256 * 256]float32
	wear  [64 * 64]float32
}

func newWeave(rng *rand.Rand) *weave {
	w := &weave{}
	for i := range w.grain {
		w.grain[i] = float32(rng.NormFloat64() * 5)
	}
	for i := range w.wear {
		w.wear[i] = float32(rng.NormFloat64() * 3)
	}
	return w
}

// at is how much brighter the cloth is at a point, grey levels.
func (w *weave) at(x, y float64) float64 {
	threads := 1.6 * math.Sin(x*2.1+0.4*math.Sin(y*0.3)) * math.Sin(y*2.3)
	return threads + lattice(w.grain[:], 256, x*1.1, y*1.1) + lattice(w.wear[:], 64, x/45, y/45)
}

// lattice interpolates a periodic square grid of side n.
func lattice(g []float32, n int, x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	i, j := int(fx)&(n-1), int(fy)&(n-1)
	k, l := (i+1)&(n-1), (j+1)&(n-1)
	a, b := float32(x-fx), float32(y-fy)
	top := g[j*n+i]*(1-a) + g[j*n+k]*a
	low := g[l*n+i]*(1-a) + g[l*n+k]*a
	return float64(top*(1-b) + low*b)
}
