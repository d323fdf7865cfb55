package chip

import (
	"math"
	"slices"
)

// light is by how much more or less light lies on the zone than on the picture of its bare
// felt, in steps: chips on it are seen in the same. 1 where that is not known, or the zone's
// commonest colour is not its felt's.
func (s *search) light(w wear) float64 {
	light, ok := s.lightOnMost(w)
	if !ok {
		return 1
	}
	return math.Pow(par.colour.lightStep, float64(lightStepOf(light)))
}

// lightOnMost is the same as it is; false where it is not known.
func (s *search) lightOnMost(w wear) (light float64, ok bool) {
	if w != inUse {
		return 0, false
	}
	return againstBare(s.felt, s.ground.commonest(s.hint.Felt.empty))
}

// againstBare is by how much more light lies on felt of a colour than when it was bare; false
// where no light makes the one of the other.
func againstBare(now, bare rgb) (light float64, ok bool) {
	full := bare[0]*bare[0] + bare[1]*bare[1] + bare[2]*bare[2]
	lit := now[0]*bare[0] + now[1]*bare[1] + now[2]*bare[2]
	if full == 0 || lit == 0 {
		return 0, false
	}
	return lit / full, apart(now, bare.times(lit/full)) <= par.colour.lightLike
}

// lightStepOf is a light in steps, of those in which chips are looked for.
func lightStepOf(light float64) int {
	steps := math.Round(math.Log(light) / math.Log(par.colour.lightStep))
	return int(min(max(steps, -float64(par.colour.lights[0])), float64(par.colour.lights[1])))
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

// gainOf is by how much what shows under a face must be brightened for its colours to be
// compared as a palette's in the usual light of a side: by the uppermost chip, whose kind is
// known. 0 where there is light enough.
func (s *search) gainOf(t top) float64 {
	if s.tones.wear == asNew || s.onPlaque {
		return 0
	}
	p, thick := &s.tones.kinds[t.kind], s.hint.Palette[t.kind].Thickness
	field, insert := newTint(p.field), newTint(p.insert)
	free := lightRange{1 / (2 * par.colour.gainMost), 1}
	var lights []float64
	for _, part := range par.side.at {
		for _, at := range s.arc(t.kind, s.foot(t, t.px, 1)) {
			i, ok := s.index(s.hint.View.ToImageAt(at, part*thick))
			if !ok || s.taken[i] {
				continue
			}
			c, m := s.color(i), &field
			if squaredOff(c, &insert, free) < squaredOff(c, &field, free) {
				m = &insert
			}
			lights = append(lights, (c[0]*m.rgb[0]+c[1]*m.rgb[1]+c[2]*m.rgb[2])/max(m.squared, 1))
		}
	}
	if len(lights) == 0 {
		return 0
	}
	slices.Sort(lights)
	light := lights[len(lights)/2]
	if light >= par.colour.sideUsual {
		return 0
	}
	return min(par.colour.sideUsual/max(light, 1e-3), par.colour.gainMost)
}

// brightened is the cell of a pixel's colour in the usual light of a side; c is its own.
func (s *search) brightened(i, c int) int {
	if s.gain == 0 {
		return c
	}
	up := func(v byte) byte { return byte(min(s.gain*float64(v), 255)) }
	return cell(up(s.pix[3*i]), up(s.pix[3*i+1]), up(s.pix[3*i+2]))
}
