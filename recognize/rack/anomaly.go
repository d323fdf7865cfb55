package rack

import "vision/internal/fact"

// anomaly contradicts chips up to an end and none beyond: something that lies there, a gap, or a chip of
// another kind. Over the open end, which no chip reaches, it lies over the whole tube.
func (t *tube) anomaly(e *evidence, read *fact.Tube, end int) string {
	open, over := t.bins-t.chips(openEnd), 0
	for _, something := range e.something[open:] {
		if something {
			over++
		}
	}
	switch {
	case 2*over > t.bins-open:
		return "covered"
	case !t.mixed && len(read.Change) > 0 && read.Change[0].N > 0 && t.foreign(t.before.end, end):
		return "foreign"
	}
	slack := t.chips(0.5)
	gap, across := 0, 0
	for j, something := range e.something {
		switch {
		case j < end-slack && e.full[j] < 0 && (t.known[j] || !t.mixed && e.full[j] <= -float32(mostOfBin)):
			if gap++; gap >= t.chips(anomalyLength) {
				return "gap"
			}
		case j >= end+slack && t.known[j] && something:
			if across++; across >= t.chips(anomalyLength) {
				return "across"
			}
		default:
			gap, across = 0, 0
		}
	}
	return ""
}

// moved reports whether all chips that stood there before look otherwise. Those nearer to the closed end stay as they
// are when others come and go: the whole row was pushed along the tube, or is another.
func (t *tube) moved(e *evidence, end int) bool {
	if t.before == nil {
		return false
	}
	stay, n := min(t.before.end, end), 0
	if stay < t.chips(float64(fewest)) {
		return false
	}
	for _, d := range e.differs[:stay] {
		if d > e.stirred {
			n++
		}
	}
	return float64(n) > mostMoved*float64(stay)
}

// beneath is where what was taken for chips looks otherwise below some that do not, which no chips can: it ends there,
// at most, and not where it was taken to. Light is left aside. 0: nowhere.
func (t *tube) beneath(e *evidence, end int) int {
	same, run, lie := 0, 0, false
	means := t.shaded(t.now.strip, t.before.strip, noise)
	for j := min(t.before.end, end) - 1; j >= 0; j-- {
		if means[j] > max(e.stirred, float32(other*alike)) {
			same, run = 0, run+1
		} else {
			same, run = same+1, 0
		}
		if lie = lie || same >= t.chips(still); lie && run >= t.chips(anomalyLength) {
			return j + run
		}
	}
	return 0
}

// abstainMoved abstains for tubes whose chips have moved. Where those of most tubes have at once it was the camera that
// stirred: then nothing is reported of it.
func (r *Reader) abstainMoved(out []fact.Tube) {
	n := 0
	for _, t := range r.tubes {
		if t.now != nil && t.now.moved {
			n++
		}
	}
	for i, t := range r.tubes {
		if 2*n <= len(r.tubes) && t.now != nil && t.now.moved {
			t.now.read.Abstain, out[i].Abstain = "moved", "moved"
		}
	}
}

// foreign reports whether one of the chips that stand from one bin to another shows colours that none before it has.
func (t *tube) foreign(from, to int) bool {
	long := t.chips(1)
	if from < t.chips(float64(fewest)) {
		return false
	}
	for j := from; j+long <= min(to+long/2, t.bins); j += long {
		strange := 0
		for i := 3 * angles * j; i < 3*angles*(j+long); i += 3 {
			if float64(t.own[cell(t.now.strip[i:])]) < unforeseen {
				strange++
			}
		}
		if float64(strange) > otherKind*float64(long*angles) {
			return true
		}
	}
	return false
}
