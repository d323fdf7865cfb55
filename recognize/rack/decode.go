package rack

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// evidence is the log likelihood of each bin of two rests that chips stand there rather than none,
// and that the rests differ there rather than not; prefix sums of what follows for each way in which chips may
// stand there.
type evidence struct {
	full       []float32 // of the rest now, by bin
	was        []float32 // of the rest before; nil: there was none
	both       []float32 // chips before and now
	none       []float32 // neither
	went, came []float32
	alone      []float32 // chips now, whatever was before
	differs    []float32 // by bin, by how much the rests differ over noise
	stirred    float32   // from which of these on they rather differ
	something  []bool    // by bin, whether the tube looks otherwise than when it was empty, shadows left aside
}

// differs is by how much two looks differ, by bin, over what noise makes.
func (t *tube) differs(a, b strip, sigma float64) []float32 {
	means := make([]float32, t.bins)
	for j := range means {
		means[j] = differ(a, b, j, angles, t.step, float32(sigma), float32(aside))
	}
	return means
}

// shaded is the same of two looks at the empty tube, on which shadows fall: of the rim, and of the chips that end
// there. Light is as likely more or less as shadows make it so.
func (t *tube) shaded(a, b strip, sigma float64) []float32 {
	means := t.differs(a, b, sigma)
	for j, plain := range means {
		light := lit(a, b, j, angles)
		off := math.Log(float64(light)) / shade
		means[j] = min(plain, differLit(a, b, j, angles, t.step, float32(sigma), float32(aside), light)+float32(off*off))
	}
	return means
}

// half is from which mean square on a bin shows rather what differs: half the usual difference, so that what is
// blurred between the two is shared out evenly.
func half(means []float32) float32 {
	above := slices.DeleteFunc(slices.Clone(means), func(m float32) bool { return m < float32(alike) })
	slices.Sort(above)
	if n := len(above); n > 0 {
		return max(float32(alike), above[n/2]/4)
	}
	return float32(alike)
}

// clipped are the log likelihoods, by bin, that what differs so much is something else and not the same.
func (t *tube) clipped(means []float32, from float32) []float32 {
	out := make([]float32, len(means))
	for j, m := range means {
		out[j] = max(-float32(mostOfBin), min(0.5*t.weigh*(m-from), float32(mostOfBin)))
	}
	return out
}

// full is the log likelihood, by bin, that chips stand there in a look, and from which difference on they rather do.
// Where the tube was seen empty they look otherwise than it did, and as chips do; elsewhere only colours tell.
func (t *tube) full(l *look) (out []float32, from float32) {
	seen := t.differs(l.strip, t.empty, noise)
	from = half(seen)
	out = t.colourEvidence(l.strip)
	for j, otherwise := range t.clipped(seen, from) {
		if t.known[j] {
			out[j] = min(otherwise, max(out[j], 0))
		}
	}
	return out, from
}

// weighed gathers the evidence of the rest now, and of the one before where there is one.
func (t *tube) weighed() *evidence {
	full, from := t.full(t.now)
	e := &evidence{full: full, something: make([]bool, t.bins)}
	for j, m := range t.shaded(t.now.strip, t.empty, noise) {
		e.something[j] = m > from
	}
	sums := func() []float32 { return make([]float32, t.bins+1) }
	e.alone = sums()
	for j, a := range e.full {
		e.alone[j+1] = e.alone[j] + a
	}
	if t.before == nil {
		return e
	}
	e.was, _ = t.full(t.before)
	e.both, e.none, e.went, e.came = sums(), sums(), sums(), sums()
	means := t.differs(t.now.strip, t.before.strip, noise)
	e.stirred = half(means)
	e.differs = means
	from = max(e.stirred, from) // of one chip alone half is not its usual difference
	differs := t.clipped(means, from)
	for j, now := range e.full {
		was, d := e.was[j], differs[j]
		e.both[j+1] = e.both[j] + was + now + max(-d, -float32(otherChip))
		e.none[j+1] = e.none[j] - d
		e.went[j+1] = e.went[j] + was
		e.came[j+1] = e.came[j] + now
	}
	return e
}

// compare reads the rest now against the one before.
func (t *tube) compare() fact.Tube {
	out := fact.Tube{Rest: t.now.rest, High: t.room}
	if t.before != nil {
		out.Since = t.before.rest
	}
	switch {
	case t.empty == nil:
		out.Abstain = "unlearned"
		return out
	case t.covered(t.now.rim, t.edge):
		out.Abstain = "hand"
		return out
	}
	e := t.weighed()
	now := make([]float32, t.bins+1)
	if t.before == nil {
		copy(now, e.alone)
		t.now.end = slices.Index(now, slices.Max(now))
	} else {
		out.Change, t.now.end = t.changes(e, now)
		if len(out.Change) > 1 && out.Change[1].LogP > -sure {
			out.Abstain = unsure
		}
	}
	t.now.moved = t.moved(e, t.now.end)
	if anomaly := t.anomaly(e, &out, t.now.end); anomaly != "" {
		out.Abstain = anomaly
	}
	if t.now.below = 0; out.Abstain == "" && t.before != nil {
		if t.now.below = t.beneath(e, t.now.end); t.now.below > 0 {
			out.Abstain = unsure
		}
	}
	out.Low, out.High = t.number(now)
	best := slices.Max(now)
	for j := range now { // what is reported twice is no surer for it
		now[j] = max(now[j]-best, -float32(carried))
	}
	t.now.score = now
	return out
}

// covered reports whether a rim looks otherwise in so large a part that something lies over the tube.
func (t *tube) covered(rim, as strip) bool {
	n, differs := len(rim)/6, 0
	for j := range n {
		if differ(rim, as, j, 2, 1, float32(rough), float32(aside)) > float32(alike) {
			differs++
		}
	}
	return float64(differs) > rimDiffer*float64(n)
}

// number is between which numbers of chips the ends lie that are likely.
func (t *tube) number(ends []float32) (low, high int) {
	scores, best := make([]float64, t.room+1), math.Inf(-1)
	for n := range scores {
		scores[n] = math.Inf(-1)
	}
	for end, s := range ends {
		for n := max(0, int(float64(end)/t.pitch)-1); n <= min(t.room, int(float64(end)/t.pitch)+2); n++ {
			scores[n] = max(scores[n], float64(s)-t.off(float64(end), n))
		}
	}
	for _, s := range scores {
		best = max(best, s)
	}
	low = slices.IndexFunc(scores, func(s float64) bool { return s > best-ofNumber })
	for n, s := range scores {
		if s > best-ofNumber {
			high = n
		}
	}
	return low, high
}

// off is the cost of some chips being so many bins long.
func (t *tube) off(bins float64, chips int) float64 {
	long := float64(chips) * t.thick
	sigma2 := endSigma*endSigma + sizeSigma*sizeSigma*long*long
	d := bins*t.thick/t.pitch - long
	return d * d / (2 * sigma2)
}

// changes are the changes that may have been, likeliest first, and where chips end now by the first. now takes
// the log likelihood of each end.
func (t *tube) changes(e *evidence, ends []float32) (list []fact.Change, end int) {
	type candidate struct {
		score float64
		now   int
	}
	// A pair's likelihood is a sum of one part of either end, by which of them is nearer to the open end.
	n := t.bins + 1
	parts := make([]float32, 4*n)
	rose, to, fell, from := parts[:n], parts[n:2*n], parts[2*n:3*n], parts[3*n:]
	for j := range n {
		rose[j], to[j] = t.before.score[j]+e.both[j]-e.came[j], e.came[j]-e.none[j]
		fell[j], from[j] = e.both[j]-e.went[j], t.before.score[j]+e.went[j]-e.none[j]
	}
	by := make([]candidate, 2*n-1) // by how many bins they are apart
	for d := range n {
		up, down := candidate{score: math.Inf(-1)}, candidate{score: math.Inf(-1)}
		for j, v := range rose[:n-d] {
			if s := float64(v + to[j+d]); s > up.score {
				up = candidate{s, j + d}
			}
		}
		for j, v := range fell[:n-d] {
			if s := float64(v + from[j+d]); s > down.score {
				down = candidate{s, j}
			}
		}
		by[n-1-d], by[n-1+d] = down, up
	}
	low, high := float32(math.Inf(-1)), float32(math.Inf(-1))
	for j := range n {
		low = max(low, rose[j])
		ends[j] = low + to[j]
	}
	for j := n - 1; j >= 0; j-- {
		high = max(high, from[j])
		ends[j] = max(ends[j], high+fell[j])
	}
	scores := make([]candidate, 2*t.room+1)
	for i := range scores {
		chips := i - t.room
		scores[i].score = math.Inf(-1)
		for d := max(t.chips(float64(chips-2)), 1-n); d < min(t.chips(float64(chips+2)), n); d++ {
			if chips != 0 && d*chips < 0 {
				continue
			}
			if s := by[d+n-1].score - t.off(math.Abs(float64(d)), max(chips, -chips)); s > scores[i].score {
				scores[i] = candidate{s, by[d+n-1].now}
			}
		}
	}
	best := slices.MaxFunc(scores, func(a, b candidate) int { return cmp.Compare(a.score, b.score) })
	for i, s := range scores {
		if p := s.score - best.score; p >= leastTold {
			list = append(list, fact.Change{N: i - t.room, LogP: math.Round(100*p) / 100})
		}
	}
	slices.SortStableFunc(list, func(a, b fact.Change) int { return cmp.Compare(b.LogP, a.LogP) })
	return list, best.now
}
