package chip

import "math"

// light is by how much more or less light lies on the zone than on the picture of its bare
// felt, in steps: chips on it are seen in the same. 1 where that is not known, or the zone's
// commonest colour is not its felt's.
func (s *search) light(w wear) float64 {
	if w != inUse {
		return 1
	}
	bare := s.ground.commonest(s.hint.Felt.empty)
	full := bare[0]*bare[0] + bare[1]*bare[1] + bare[2]*bare[2]
	lit := s.felt[0]*bare[0] + s.felt[1]*bare[1] + s.felt[2]*bare[2]
	if full == 0 || lit == 0 || apart(s.felt, bare.times(lit/full)) > par.colour.lightLike {
		return 1
	}
	steps := math.Round(math.Log(lit/full) / math.Log(par.colour.lightStep))
	steps = min(max(steps, -float64(par.colour.lights[0])), float64(par.colour.lights[1]))
	return math.Pow(par.colour.lightStep, steps)
}

// lightOn is the light on a stack's side by angle, full light being 1: the same
// on all its chips. kinds are its chips from the top.
func (s *search) lightOn(sd *side, kinds []int) []float64 {
	var lit, full [angles]float64
	for l, k := range kinds {
		t := &s.tones.kinds[k]
		for _, q := range sd.layers[l].looks {
			m := t.field
			if t.sideEdge[q.cell] > t.sideBody[q.cell] {
				m = t.insert
			}
			if max(t.sideEdge[q.cell], t.sideBody[q.cell]) < par.side.ofNeither {
				continue // of neither: a highlight, a seam
			}
			for c := range 3 {
				lit[q.angle] += q.color[c] * m[c]
				full[q.angle] += m[c] * m[c]
			}
		}
	}
	out := make([]float64, angles)
	for a := range out {
		var sum, of float64
		for b := max(0, a-par.side.window); b <= min(angles-1, a+par.side.window); b++ {
			sum += lit[b]
			of += full[b]
		}
		if of == 0 {
			return nil
		}
		out[a] = sum / of
	}
	return out
}

// relit rates a layer's kinds in the light that is known by now.
func (s *search) relit(c *chain, l *layer) {
	if c.light == nil {
		return
	}
	s.compare(c, l, func(t *paint, q sample) {
		k := c.light[q.angle]
		in := lightRange{k - par.side.sway, k + par.side.sway}
		s.sum.addFits(float64(t.fields.fit(q.color, in)), float64(t.inserts.fit(q.color, in)), q.bare)
	})
	l.against()
}
