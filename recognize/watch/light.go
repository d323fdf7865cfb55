package watch

// normalise brings the new picture to the light of the reference: a lamp that
// changes, or a camera's exposure, multiplies all cells alike. It also measures
// the noise between this picture and the last.
func (w *Watcher) normalise() {
	const every = 13 // a sample of the cells is enough
	var ratios [1024]int32
	var moves [256]int32
	n := int32(0)
	for i := 0; i < len(w.now); i += every {
		if w.ref[i] < changeDark { // too dark to compare
			continue
		}
		ratios[min(w.now[i]*256/w.ref[i], 1023)]++
		n++
	}
	if n > changeLit {
		if gain := middle(ratios[:], n); gain > 0 && gain != 256 {
			for i, v := range w.now {
				w.now[i] = v * 256 / gain
			}
		}
	}
	n = 0
	for i := 0; i < len(w.now); i += every {
		moves[min(abs(w.now[i]-w.last[i]), 255)]++
		n++
	}
	// Slowly: one picture full of motion must not make the detection dull.
	m := middle(moves[:], n) * 3 / 2
	switch {
	case m > w.noise:
		w.noise = min(w.noise+changeNoiseStep, m, changeNoiseMost)
	case m < w.noise:
		w.noise--
	}
}

// middle is the index of the median of a histogram of n.
func middle(h []int32, n int32) int32 {
	var seen int32
	for i, c := range h {
		if seen += c; seen > n/2 {
			return int32(i)
		}
	}
	return int32(len(h)) - 1
}

// adapt lets the reference follow slow changes where nothing differs: one
// sixteenth of a grey level every other frame.
func (w *Watcher) adapt(limit int32) {
	if w.frame%2 != 0 {
		return
	}
	for i, v := range w.now {
		d := v - w.ref[i]
		if d > 0 && d < limit {
			w.ref[i]++
		} else if d < 0 && -d < limit {
			w.ref[i]--
		}
	}
}

func abs(v int32) int32 {
	if v < 0 {
		return -v
	}
	return v
}
