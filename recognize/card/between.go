package card

import (
	"math"

	"vision/internal/fact"
)

// between expects corners on both sides of each mark that has a neighbour in a row or
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
			n.apex, n.cornerScore = add(m.apex, scale(along, side*fitAside*norm(m.short))), min(m.cornerScore, fitAsked)
			out = append(out, n)
		}
	}
	return out
}

// at reports whether two fitted marks are of one corner.
func (m mark) at(o mark) bool { return norm(sub(m.apex, o.apex)) < fitOnePlace*norm(o.short) }
