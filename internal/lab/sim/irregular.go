package sim

import (
	"fmt"
	"math"
	"slices"
)

// Irregularities are the throws that Irregular can lay, in the words of the
// round record. Of a throw that went off the table one die is missing.
var Irregularities = []string{"stacked", "on_chips", "cocked", "off_table", "broken"}

// Irregular lays a throw of two dice of which one does not lie as it should: on
// the other, on chips, leaning on chips or on nothing that is drawn (a wall),
// nowhere, or broken: in halves, or without a corner of its upper face. It gives the upper
// face of every die that lies flat on the felt.
func (s *Still) Irregular(kind string) ([]int, error) {
	if !slices.Contains(Irregularities, kind) {
		return nil, fmt.Errorf("simulated throw %q: want one of %q", kind, Irregularities)
	}
	faces, at, err := s.throw(1)
	if err != nil || kind == "off_table" {
		return faces, err
	}
	value, angle := 1+s.rng.IntN(6), s.rng.Float64()*2*math.Pi
	x, y := at[0][0], at[0][1]
	if kind == "stacked" {
		x, y = x+6*s.rng.Float64()-3, y+6*s.rng.Float64()-3
		s.lay(s.scene.Lean(value, x, y, angle, dieEdge, 0, 0, dieEdge), [2]float64{at[0][0], at[0][1] + 6})
		return nil, nil
	}
	if x, y, err = s.apart(at, 3*dieEdge); err != nil {
		return nil, err
	}
	if kind == "broken" {
		s.layBroken(value, x, y, angle)
		return faces, nil
	}
	chips := make([]string, 1+s.rng.IntN(5))
	for i := range chips {
		chips[i] = s.stage.palette[0].ID
	}
	kinds := s.stage.palette
	chips[0] = kinds[s.rng.IntN(len(kinds))].ID
	for i := range chips {
		chips[i] = chips[0]
	}
	high := float64(len(chips)) * kinds[0].Thickness
	pile, err := s.scene.Stack(chips, x, y)
	if err != nil {
		return nil, err
	}
	if kind == "on_chips" {
		s.lay(pile, [2]float64{x, y})
		off := [2]float64{x + 8*s.rng.Float64() - 4, y + 8*s.rng.Float64() - 4}
		s.lay(s.scene.Lean(value, off[0], off[1], angle, high, 0, 0, dieEdge), [2]float64{x, y + 6})
		return faces, nil
	}
	lean, to := (12+28*s.rng.Float64())*math.Pi/180, s.rng.Float64()*2*math.Pi
	sin, cos := math.Sincos(to)
	away := kinds[0].Diameter/2 + dieEdge*(0.5+0.2*s.rng.Float64())
	dx, dy := x-away*cos, y-away*sin
	if s.rng.IntN(3) > 0 { // else it leans on the wall
		s.lay(pile, [2]float64{x, y})
	}
	s.lay(s.scene.Lean(value, dx, dy, angle, 0, lean, to, dieEdge), [2]float64{dx, dy})
	return faces, nil
}

// layBroken lays two halves of a die a little apart, or a die that lacks a corner.
func (s *Still) layBroken(value int, x, y, angle float64) {
	if s.rng.IntN(2) == 0 {
		s.lay(s.scene.Chipped(value, x, y, angle, 0.45+0.3*s.rng.Float64(), dieEdge), [2]float64{x, y})
		return
	}
	to, gap := s.rng.Float64()*2*math.Pi, 4+10*s.rng.Float64()
	sin, cos := math.Sincos(to)
	turn := 0.6 * (s.rng.Float64() - 0.5)
	left, right := [2]float64{x - gap/2*cos, y - gap/2*sin}, [2]float64{x + gap/2*cos, y + gap/2*sin}
	s.lay(s.scene.Half(value, left[0], left[1], angle, to, dieEdge), left)
	s.lay(s.scene.Half(value, right[0], right[1], angle+turn, to+math.Pi+turn, dieEdge), right)
}

// apart is a place of the zone "dice" at least far millimetres from others.
func (s *Still) apart(others [][2]float64, far float64) (x, y float64, err error) {
	z := s.stage.zone("dice")
	x0, y0, x1, y1 := box(z.Polygon)
	for range 1000 {
		x, y = x0+far+s.rng.Float64()*(x1-x0-2*far), y0+far+s.rng.Float64()*max(y1-y0-2*far, 0)
		if !slices.ContainsFunc(others, func(o [2]float64) bool { return math.Hypot(o[0]-x, o[1]-y) < far }) {
			return x, y, nil
		}
	}
	return 0, 0, fmt.Errorf("simulated table %s: no room for another die", s.stage.game)
}
