package plaque

// felt is how well the colours of a picture, by cells, fit a felt's commonest colour.
type felt [1 << 15]float32

// feltOf makes or finds that of a colour.
func (r *Reader) feltOf(common rgb) *felt {
	var key [3]int
	for k, v := range common {
		key[k] = int(v) / par.reader.feltCell
	}
	if f := r.felts[key]; f != nil {
		return f
	}
	if len(r.felts) >= par.reader.felts {
		clear(r.felts)
	}
	f := new(felt)
	for i := range f {
		f[i] = fit(shade(i), common, par.colour.felt)
	}
	r.felts[key] = f
	return f
}

// background is the log likelihood of a pixel's colour under "nothing lies here".
func (s *search) background(i, c int) float64 {
	known := &s.scratch.background[i]
	if known.when != s.scratch.now {
		*known = backgroundFit{fit: s.felt[c], when: s.scratch.now}
		if s.hint.Background != nil {
			t := newTint(colorAt(s.hint.Background, i))
			known.fit = max(known.fit, likelihood(squaredOff(s.color(i), &t, par.colour.felt)))
		}
	}
	return float64(known.fit)
}
