package scene

import "math"

// spill is the chips of a pile that fell over: they lie flat, or on one another.
type spill struct{ pile }

// Spill makes the sprite of chips that lie flat each at its place, one after the
// other: a chip that lies over others lies on the highest of them.
func (s *Scene) Spill(ids []string, at [][2]float64) (*Sprite, error) {
	arts, err := s.stock.pieces(ids)
	if err != nil {
		return nil, err
	}
	var p spill
	for i, a := range arts {
		l := newPile([]*chipArt{a}, at[i][0], at[i][1], 0, s.rng.Float64).layers[0]
		low := 0.0
		for k := range p.layers {
			if o := &p.layers[k]; math.Hypot(o.x-l.x, o.y-l.y) < 0.96*(o.r+l.r) {
				low = max(low, o.top)
			}
		}
		l.low, l.top = low, low+a.chip.Thickness
		p.top = max(p.top, l.top)
		p.layers = append(p.layers, l)
	}
	for i := range p.layers {
		p.x, p.y = p.x+p.layers[i].x/float64(len(ids)), p.y+p.layers[i].y/float64(len(ids))
	}
	for i := range p.layers {
		l := &p.layers[i]
		p.reach = max(p.reach, math.Hypot(l.x-p.x, l.y-p.y)+l.r+1)
	}
	return s.cam.render(&p, 3, s.felt.lamp), nil
}

// shade is the contact shadow of each chip.
func (p *spill) shade(x, y float64) float64 {
	most := 0.0
	for i := range p.layers {
		l := &p.layers[i]
		off := 0.25 * l.top
		d := math.Hypot(x-l.x-off*lampX, y-l.y-off*lampY) - l.r
		most = max(most, 0.5*(1-smooth(-1, 3+0.25*l.top, d)))
	}
	return most
}
