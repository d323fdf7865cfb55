package chip

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
			if max(t.sideEdge[q.cell], t.sideBody[q.cell]) < -2 {
				continue // of neither: a highlight, a seam
			}
			for c := range 3 {
				lit[q.angle] += q.color[c] * m[c]
				full[q.angle] += m[c] * m[c]
			}
		}
	}
	const window = 4 // angles on either side that say the same
	out := make([]float64, angles)
	for a := range out {
		var sum, of float64
		for b := max(0, a-window); b <= min(angles-1, a+window); b++ {
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

// sway is how far the light on a sample may be from that on the side.
const sway = 0.09

// relit rates a layer's kinds in the light that is known by now.
func (s *search) relit(c *chain, l *layer) {
	if c.light == nil {
		return
	}
	s.compare(c, l, func(t *paint, q sample) {
		k := c.light[q.angle]
		s.sum.addFits(float64(s.tones.wear.fit(q.color, t.field, k-sway, k+sway)), float64(s.tones.wear.fit(q.color, t.insert, k-sway, k+sway)), q.bare)
	})
	l.against()
}
