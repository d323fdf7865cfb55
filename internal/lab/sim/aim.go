package sim

import (
	"fmt"
	"math"
	"math/rand/v2"

	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/scene"
)

// hang puts the camera where an installer found a place for it: it is drawn from the
// conditions' spans and aimed so that the zones and what stands on them fill the
// picture. Without spans it stays where it is.
func (s *stage) hang(on condition.Camera, seed uint64) {
	if !on.Tilt.Set() && !on.Height.Set() && on.Yaw == 0 && on.Roll == 0 {
		return
	}
	rng := rand.New(rand.NewPCG(seed, 0xca3e7a))
	v := &s.view
	height := v.Distance * math.Cos(v.Tilt)
	draw := func(from condition.Span, to *float64) {
		if k := rng.Float64(); from.Set() {
			*to = from.At(k)
		}
	}
	draw(on.Tilt, &v.Tilt)
	draw(on.Height, &height)
	v.Distance = height / math.Cos(v.Tilt)
	v.Yaw, v.Roll = on.Yaw*(2*rng.Float64()-1), on.Roll*(2*rng.Float64()-1)
	s.frame([2]float64{2*rng.Float64() - 1, 2*rng.Float64() - 1}, 0.94+0.06*rng.Float64())
}

// Where the low cameras at a table's sides hang.
const (
	besideTilt   = 1.05 // radians off the vertical
	besideYaw    = 0.85 // radians from the main camera's direction
	besideHeight = 1150 // millimetres over the felt
)

// beside hangs one of the low cameras at the table's sides, 1 or 2.
func (s *stage) beside(n int) error {
	if n < 1 || n > MostCameras-1 {
		return fmt.Errorf("simulated table: camera %d: want 1 to %d", n+1, MostCameras)
	}
	v := &s.view
	v.Tilt, v.Yaw, v.Distance = besideTilt, besideYaw*float64(3-2*n), besideHeight/math.Cos(besideTilt)
	s.aside = true
	s.frame([2]float64{}, 1)
	return nil
}

// MostCameras is how many a simulated table has at most.
const MostCameras = 3

const (
	stands   = 70.0 // how high a stack stands that must show whole, millimetres
	edgeRoom = 0.02 // share of the picture's height that stays free at its edges
	careless = 0.6  // share of the free room by which an installer aims beside the middle
)

// frame aims the camera at the zones, off (-1 to 1 each) beside their middle where
// there is room, and zooms until they fill the picture but for 1-fill.
func (s *stage) frame(off [2]float64, fill float64) {
	v := &s.view
	v.Target, v.Scale = [2]float64{clothW / 2, s.layout.Depth / 2}, 1
	// Pixels rise in proportion to the scale about the lens's axis, so that it can
	// be found from the picture at scale 1.
	var cam *scene.Camera
	at := func(x, y float64) { v.Target[0], v.Target[1] = cam.OnPlane(cam.Lens.Cx+x, cam.Lens.Cy+y) }
	for range 8 {
		cam = scene.NewCamera(*v)
		x0, y0, x1, y1 := s.spread(cam)
		at((x0+x1)/2, (y0+y1)/2)
	}
	cam = scene.NewCamera(*v)
	room := edgeRoom * float64(v.Size[1])
	w, h := float64(v.Size[0])/2-room, float64(v.Size[1])/2-room
	x0, y0, x1, y1 := s.spread(cam)
	k := min(2*w/(x1-x0), 2*h/(y1-y0))
	at(careless*off[0]*(w/k-(x1-x0)/2), careless*off[1]*(h/k-(y1-y0)/2))
	cam = scene.NewCamera(*v)
	x0, y0, x1, y1 = s.spread(cam)
	v.Scale = fill * min(w/max(-x0, x1), h/max(-y0, y1))
}

// spread is the rectangle about all zones and what stands on them, pixels from the
// lens's axis.
func (s *stage) spread(cam *scene.Camera) (x0, y0, x1, y1 float64) {
	x0, y0, x1, y1 = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := range s.layout.Zones {
		for _, p := range s.layout.Zones[i].Polygon {
			for _, z := range [2]float64{0, -stands} {
				u, v := cam.Project(p[0], p[1], z)
				x0, y0, x1, y1 = min(x0, u-cam.Lens.Cx), min(y0, v-cam.Lens.Cy), max(x1, u-cam.Lens.Cx), max(y1, v-cam.Lens.Cy)
			}
		}
	}
	return
}
