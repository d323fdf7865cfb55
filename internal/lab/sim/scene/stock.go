package scene

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"vision/calibration"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/ornament"
)

// stock is the chips and plaques of a table: of each kind one art, or in a worn set
// several pieces that differ.
type stock struct {
	arts map[string][]*chipArt
	cond condition.Chips
	rng  *rand.Rand // of a worn set
}

// pieces is how many of a kind are drawn in a worn set; each chip that is laid is one of
// them, with its own tone.
const pieces = 6

// newStock draws a set that is as new, with no more on it than its colours and values.
func newStock(palette []calibration.Chip) (*stock, error) {
	s := &stock{arts: map[string][]*chipArt{}}
	for _, c := range palette {
		a, err := newChipArt(c, plain)
		if err != nil {
			return nil, err
		}
		s.arts[c.ID] = []*chipArt{a}
	}
	return s, nil
}

// Use puts chips of a house into use as the condition says: from now on they are laid as
// worn, in the house's design. The zero condition changes nothing.
func (s *Scene) Use(c condition.Chips, house ornament.House, seed uint64) error {
	if c == (condition.Chips{}) {
		return nil
	}
	st := s.stock
	st.cond, st.rng = c, rand.New(rand.NewPCG(seed, 0xc41b5))
	for id, kind := range st.arts {
		h := fnv.New64a()
		h.Write([]byte(id))
		rng := rand.New(rand.NewPCG(seed, h.Sum64()))
		d := plain
		if c.Inlays {
			d = newDesign(&house, rng)
		}
		worn := make([]*chipArt, pieces)
		for k := range worn {
			// The pieces' fading is spread evenly, so that the kind's mean is the condition's.
			a, err := kind[0].worn(d, c.Fade*(0.4+1.2*(float64(k)+0.5)/pieces), c.Wear, rng)
			if err != nil {
				return err
			}
			worn[k] = a
		}
		st.arts[id] = worn
	}
	return nil
}

// Colors are those of a kind's field and inserts as its pieces have them on the mean,
// #rrggbb: what a technician takes who clicks on the chips that are in use.
func (s *Scene) Colors(id string) (field, insert string) {
	var body, edge rgb
	kind := s.stock.arts[id]
	for _, a := range kind {
		for i := range 3 {
			body[i] += a.body[i] / float64(len(kind))
			edge[i] += a.edge[i] / float64(len(kind))
		}
	}
	return body.hex(), edge.hex()
}

// hex writes a colour as #rrggbb.
func (c rgb) hex() string {
	n := nrgb(rgb{c[0] + 0.5, c[1] + 0.5, c[2] + 0.5})
	return fmt.Sprintf("#%02x%02x%02x", n.R, n.G, n.B)
}

// pieces takes a piece of each kind.
func (s *stock) pieces(ids []string) ([]*chipArt, error) {
	out := make([]*chipArt, len(ids))
	for i, id := range ids {
		kind := s.arts[id]
		switch {
		case len(kind) == 0:
			return nil, fmt.Errorf("chip %q is not in the palette", id)
		case len(kind) == 1:
			out[i] = kind[0]
		default:
			out[i] = kind[s.rng.IntN(len(kind))]
		}
	}
	return out, nil
}

// settle moves the layers of a pile by chance on one another and gives each its tone.
func (s *stock) settle(p *pile) {
	if s.rng == nil {
		return
	}
	var lean [2]float64 // a pile leans to where its chips lie off
	for i := range p.layers {
		l := &p.layers[i]
		l.tone = 1 + 0.05*s.cond.Wear*clamp(s.rng.NormFloat64(), -2, 2)
		for k, at := range []*float64{&l.x, &l.y} {
			lean[k] += 0.3 * s.cond.Askew * s.rng.NormFloat64()
			off := clamp(lean[k]+0.6*s.cond.Askew*s.rng.NormFloat64(), -mostOff, mostOff)
			if i > 0 {
				*at += off
			}
		}
		p.reach = max(p.reach, math.Hypot(l.x-p.x, l.y-p.y)+l.r)
	}
}

// mostOff is how far off a layer lies at most, millimetres: farther, the pile would fall.
const mostOff = 5.0
