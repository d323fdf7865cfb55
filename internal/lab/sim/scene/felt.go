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
	x0, y0 := float64(f.Area.Min.X), float64(f.Area.Min.Y)
	c.eachOnPlane(func(u, v int, x, y, dx, dy float64) {
		var sum rgb
		k := 0.5 * f.lamp(x, y)
		for _, s := range [2]float64{-0.25, 0.25} {
			a, b := x+s*dx, y+s*dy
			col, _ := bilinear(img, (a-x0)*FeltPx, (b-y0)*FeltPx)
			w := 0.5 * weave.at(a, b)
			for i := range 3 {
				sum[i] += col[i]*k + w
			}
		}
		o := p.at(u, v)
		for i := range 3 {
			p.Pix[o+i] = uint8(clamp(sum[2-i], 0, 255) + 0.5)
		}
	})
	return p
}

// planeGrid is the distance of the pixels whose place on the plane is computed;
// between them it is interpolated.
const planeGrid = 8

// eachOnPlane calls f for every pixel with the point of the plane that it shows
// and the step to that of its lower right neighbour.
func (c *Camera) eachOnPlane(f func(u, v int, x, y, dx, dy float64)) {
	w := c.Size[0]/planeGrid + 2
	row := func(v int) [][2]float64 {
		out := make([][2]float64, w)
		for i := range out {
			out[i][0], out[i][1] = c.OnPlane(float64(i*planeGrid), float64(v))
		}
		return out
	}
	low := row(0)
	for v0 := 0; v0 < c.Size[1]; v0 += planeGrid {
		top := low
		low = row(v0 + planeGrid)
		for v := v0; v < min(v0+planeGrid, c.Size[1]); v++ {
			b := float64(v-v0) / planeGrid
			for u := range c.Size[0] {
				i, a := u/planeGrid, float64(u%planeGrid)/planeGrid
				var at, step [2]float64
				for k := range 2 {
					l := top[i][k] + (low[i][k]-top[i][k])*b
					r := top[i+1][k] + (low[i+1][k]-top[i+1][k])*b
					at[k] = l + (r-l)*a
					step[k] = (r-l)/planeGrid + (low[i][k]-top[i][k])/planeGrid
				}
				f(u, v, at[0], at[1], step[0], step[1])
			}
		}
	}
}

// weave is the cloth's grain: threads, fluff and worn patches.
type weave struct {
	grain [256 * 256]float32 // threads and fluff, 1.1 to the millimetre
	wear  [64 * 64]float32   // patches of some centimetres
}

func newWeave(rng *rand.Rand) *weave {
	w := &weave{}
	for i := range w.grain {
		thread := 2.2 * math.Sin(float64(i%256)*math.Pi*0.75) * math.Sin(float64(i/256)*math.Pi*0.75)
		w.grain[i] = float32(rng.NormFloat64()*5 + thread)
	}
	for i := range w.wear {
		w.wear[i] = float32(rng.NormFloat64() * 3)
	}
	return w
}

// at is how much brighter the cloth is at a point, grey levels.
func (w *weave) at(x, y float64) float64 {
	return lattice(w.grain[:], 256, x*1.1, y*1.1) + lattice(w.wear[:], 64, x/45, y/45)
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
