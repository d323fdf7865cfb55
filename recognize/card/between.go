package card

import (
	"math"

	"vision/internal/fact"
)

// In a close fan neighbouring corners are three or four of the corners network's cells
// apart, and it sees one where two are, or one between them.
const (
	stepAside = 0.17 // of a short side: about as far as the next corner of a close fan
	onePlace  = 0.08 // fitted marks that are nearer to each other are of one corner
	askedHeat = 0.49 // of a corner that the network did not see: its index has to be clear
)

// between supposes corners on both sides of each mark that has a neighbour in a row or
// a fan, on the line towards it. Fitting takes them to corners, most to known ones.
func between(marks []mark) []mark {
	var out []mark
	for i, m := range marks {
		near, along := math.Inf(1), fact.Point{}
		for k, o := range marks {
			if d := sub(o.apex, m.apex); k != i && m.beside(o) && !m.at(o) && norm(d) < near {
				near, along = norm(d), unit(d)
			}
		}
		if math.IsInf(near, 1) {
			continue
		}
		for _, side := range []float64{-1, 1} {
			n := m
			n.apex, n.heat = add(m.apex, scale(along, side*stepAside*norm(m.short))), min(m.heat, askedHeat)
			out = append(out, n)
		}
	}
	return out
}

// at tells whether two fitted marks are of one corner.
func (m mark) at(o mark) bool { return norm(sub(m.apex, o.apex)) < onePlace*norm(o.short) }
