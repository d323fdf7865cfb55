package calibration

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"vision/internal/fact"
	"vision/internal/geometry"
)

// RackZone is the name under which the rack stirs and comes to rest. No zone may have it.
const RackZone = "rack"

// AnyChip is the kind of a tube that holds chips of several kinds.
const AnyChip = "*"

// Rack is where the bank's chips stand on edge in tubes (bandeja). Its plane holds the axes of all tubes. Lengths on
// it are millimetres, x as on the felt, y from the croupier to the players along the plane.
type Rack struct {
	// Depth is how far the axes lie below the felt in the rack's middle, millimetres; negative: above it.
	Depth float64 `yaml:"depth" json:"depth"`
	// Tilt is the angle in degrees by which the plane falls towards the players; negative: towards the croupier.
	Tilt  float64 `yaml:"tilt" json:"tilt"`
	Tubes []Tube  `yaml:"tubes" json:"tubes"`
}

// Tube is one row of chips.
type Tube struct {
	Chip string `yaml:"chip" json:"chip"` // palette id, or AnyChip
	// Axis is from the closed end, at which the first chip stands, to the open one.
	Axis     [2]fact.Point `yaml:"axis,flow" json:"axis"`
	Capacity int           `yaml:"capacity" json:"capacity"` // chips
}

// Length of the axis, millimetres.
func (u *Tube) Length() float64 {
	return math.Hypot(u.Axis[1][0]-u.Axis[0][0], u.Axis[1][1]-u.Axis[0][1])
}

// Kinds are the round chips of a palette that a tube may hold.
func (u *Tube) Kinds(palette []Chip) (kinds []Chip) {
	for _, c := range palette {
		if !c.Plaque() && (u.Chip == AnyChip || u.Chip == c.ID) {
			kinds = append(kinds, c)
		}
	}
	return kinds
}

// middle is the line across the rack at which Depth is measured.
func (r *Rack) middle() float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, u := range r.Tubes {
		for _, p := range u.Axis {
			low, high = min(low, p[1]), max(high, p[1])
		}
	}
	return (low + high) / 2
}

// On is a point of the table near a tube: along millimetres from the closed end of its axis, and out from the axis
// by radius in the direction that is turned by angle (radians) from the plane's upward normal about the axis. It is
// given as View.ToImageAt takes it.
func (r *Rack) On(u *Tube, along, radius, angle float64) (mm fact.Point, height float64) {
	n, sin, cos := u.Length(), math.Sin(angle), math.Cos(angle)
	p := u.at(along / n)
	p[0] -= radius * sin * (u.Axis[1][1] - u.Axis[0][1]) / n
	p[1] += radius * sin * (u.Axis[1][0] - u.Axis[0][0]) / n
	return r.raise(p, radius*cos)
}

// raise takes a point of the rack's plane, up along its normal, to the felt.
func (r *Rack) raise(p fact.Point, up float64) (mm fact.Point, height float64) {
	sin, cos := math.Sincos(r.Tilt * math.Pi / 180)
	mid := r.middle()
	return fact.Point{p[0], mid + (p[1]-mid)*cos + up*sin}, up*cos - r.Depth - (p[1]-mid)*sin
}

// RackPlace is where and how a rack stands, as a person says it.
type RackPlace struct {
	Corners  [4]fact.Point `json:"corners"`  // pixels of the picture: see NewRack
	Tubes    []string      `json:"tubes"`    // kind of each, in their order: palette id, or AnyChip
	Capacity int           `json:"capacity"` // chips of a tube
	Depth    float64       `json:"depth"`    // millimetres: see Rack
	Tilt     float64       `json:"tilt"`     // degrees
}

// Place puts the rack into a calibration, in the place of one that it has. Its error says what cannot be.
func (p *RackPlace) Place(t *Table) error {
	v, err := t.View()
	if err != nil {
		return err
	}
	r, err := NewRack(v, p.Corners, p.Tubes, p.Capacity, p.Depth, p.Tilt)
	if err != nil {
		return err
	}
	t.Rack = r
	return t.Check()
}

// KeepRack takes over the rack of the calibration before, nil for none. Where it does not fit any more it is left
// out, and the error says why.
func (t *Table) KeepRack(r *Rack) error {
	if t.Rack = r; r == nil {
		return nil
	}
	if err := t.Check(); err != nil {
		t.Rack = nil
		return fmt.Errorf("the rack is left out, place it again: %w", err)
	}
	return nil
}

// NewRack places tubes of these kinds, in their order from the first corner to the second, in a rack whose corners
// inside the rim the picture shows at these pixels, in the plane of the axes: two at the open ends of the tubes, then
// two at the closed ones, round the rack. It needs a view with a known pose.
func NewRack(v *View, corners [4]fact.Point, kinds []string, capacity int, depth, tilt float64) (*Rack, error) {
	switch {
	case !v.Raised():
		return nil, errNoRack
	case len(kinds) == 0:
		return nil, errors.New("rack: no tubes: name the kind of each, from left to right")
	case !(math.Abs(tilt) <= mostTilt):
		return nil, fmt.Errorf("rack: tilt %v°: want -%d to %d", tilt, mostTilt, mostTilt)
	}
	tan := math.Tan(tilt * math.Pi / 180)
	heights, mid := [4]float64{-depth, -depth, -depth, -depth}, 0.0
	var mm [4]fact.Point
	for range 8 { // where a corner lies depends on its height, and that on where it lies
		low, high := math.Inf(1), math.Inf(-1)
		for i, c := range corners {
			mm[i] = v.ToTableAt(c, heights[i])
			low, high = min(low, mm[i][1]), max(high, mm[i][1])
		}
		mid = (low + high) / 2
		for i := range mm {
			heights[i] = -depth - (mm[i][1]-mid)*tan
		}
	}
	for i := range mm {
		mm[i][1] = mid + (mm[i][1]-mid)*math.Hypot(1, tan)
	}
	between := func(a, b fact.Point, k float64) fact.Point {
		return fact.Point{math.Round(10*(a[0]+k*(b[0]-a[0]))) / 10, math.Round(10*(a[1]+k*(b[1]-a[1]))) / 10}
	}
	r := &Rack{Depth: depth, Tilt: tilt}
	for i, kind := range kinds {
		k := (float64(i) + 0.5) / float64(len(kinds))
		r.Tubes = append(r.Tubes, Tube{Chip: kind, Capacity: capacity,
			Axis: [2]fact.Point{between(mm[3], mm[2], k), between(mm[0], mm[1], k)}})
	}
	return r, nil
}

// Outline is the rack on the felt, as a zone that is watched: all that stands in its tubes may show there.
func (r *Rack) Outline(palette []Chip) Zone {
	var shown []fact.Point
	for i := range r.Tubes {
		u := &r.Tubes[i]
		radius := u.Kinds(palette)[0].Diameter / 2
		for _, along := range [2]float64{0, u.Length()} {
			for _, side := range [2]float64{-math.Pi / 2, math.Pi / 2} {
				p, _ := r.On(u, along, radius, side)
				shown = append(shown, p)
			}
		}
	}
	outline := geometry.Upright(geometry.Bounds(shown))
	return Zone{Name: RackZone, Polygon: outline[:]}
}

// TubeQuads are the pixels between which what stands in each tube of the rack shows: two corners at its closed end,
// then two at its open one.
func (t *Table) TubeQuads() ([]fact.Quad, error) {
	v, err := t.View()
	if err != nil {
		return nil, err
	}
	quads := make([]fact.Quad, len(t.Rack.Tubes))
	for i := range t.Rack.Tubes {
		u := &t.Rack.Tubes[i]
		radius := u.Kinds(t.Palette)[0].Diameter / 2
		for k, c := range [4][2]float64{{0, -1}, {0, 1}, {1, 1}, {1, -1}} {
			mm, height := t.Rack.On(u, c[0]*u.Length(), radius, c[1]*math.Pi/2)
			quads[i][k] = v.ToImageAt(mm, height)
		}
	}
	return quads, nil
}

// Bounds of what a rack may be.
const (
	mostTubes    = 40
	mostCapacity = 120
	mostTilt     = 45
	mostDepth    = 200
)

var errNoRack = errors.New("rack: it is not known how the camera stands over the felt, so chips in tubes cannot be counted: " +
	"measure the lens with the printed board (at /calibrate, or `vision calibrate lens`) and calibrate the table again")

// checkRack returns what is wrong with the rack.
func (t *Table) checkRack(fail failer) {
	r := t.Rack
	if r == nil {
		return
	}
	v, err := t.View()
	switch {
	case err != nil:
		return
	case !v.Raised():
		fail("rack", "%v", errNoRack)
		return
	case len(r.Tubes) == 0 || len(r.Tubes) > mostTubes:
		fail("rack", "has %d tubes: want 1 to %d", len(r.Tubes), mostTubes)
		return
	case !(math.Abs(r.Depth) <= mostDepth):
		fail("rack", "depth %v mm: want -%d to %d below the felt", r.Depth, mostDepth, mostDepth)
		return
	case !(math.Abs(r.Tilt) <= mostTilt):
		fail("rack", "tilt %v°: want -%d to %d", r.Tilt, mostTilt, mostTilt)
		return
	case slices.ContainsFunc(t.Zones, func(z Zone) bool { return z.Name == RackZone }):
		fail("zones", "one is named %q: the rack has this name, call the zone otherwise", RackZone)
	}
	for i := range r.Tubes {
		if err := t.checkTube(v, i); err != nil {
			fail(fmt.Sprintf("rack.tubes[%d]", i), "%v", err)
		}
	}
}

// checkTube returns what is wrong with a tube: the first thing that is to be mended.
func (t *Table) checkTube(v *View, i int) error {
	u := &t.Rack.Tubes[i]
	kinds := u.Kinds(t.Palette)
	if len(kinds) == 0 {
		return fmt.Errorf("chip %q is no round chip of the palette: want an id, or %q for several kinds", u.Chip, AnyChip)
	}
	for _, p := range u.Axis {
		if !(math.Abs(p[0]) <= 1e5 && math.Abs(p[1]) <= 1e5) {
			return fmt.Errorf("the axis ends at %v, which is not on a table (millimetres)", p)
		}
	}
	if u.Capacity < 1 || u.Capacity > mostCapacity {
		return fmt.Errorf("capacity %d: want 1 to %d chips", u.Capacity, mostCapacity)
	}
	for _, c := range kinds {
		if need := (float64(u.Capacity) + 0.5) * c.Thickness; !(u.Length() >= need) {
			return fmt.Errorf("%d chips %q of %v mm, and half a one that stays free at the open end, need %.1f mm; the axis is "+
				"%.1f mm long: lower the capacity or move an end", u.Capacity, c.ID, c.Thickness, need, u.Length())
		}
	}
	mid := u.at(0.5)
	for k := range i {
		o := t.Rack.Tubes[k].at(0.5)
		if d := math.Hypot(mid[0]-o[0], mid[1]-o[1]); d < kinds[0].Diameter/2 {
			return fmt.Errorf("lies %.1f mm from tubes[%d]: a chip of %v mm has no room there", d, k, kinds[0].Diameter)
		}
	}
	p, height := t.Rack.raise(mid, 0)
	px := v.ToImageAt(p, height)
	if !(px[0] >= 0 && px[1] >= 0 && px[0] <= float64(t.Size[0]) && px[1] <= float64(t.Size[1])) {
		return fmt.Errorf("its middle lies outside the frame, at pixel %.0f, %.0f", px[0], px[1])
	}
	return nil
}

// at is a point of the axis, by its share of the length.
func (u *Tube) at(k float64) fact.Point {
	a, b := u.Axis[0], u.Axis[1]
	return fact.Point{a[0] + k*(b[0]-a[0]), a[1] + k*(b[1]-a[1])}
}
