package card

import (
	"cmp"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// A hypothesis of a card: one or more marks that agree on where it lies and on what it is.
type hypothesis struct {
	quad   fact.Quad
	marks  []mark
	labels []float64 // per face class, from the corners' indices; nil for plain corners
	sighted
	row     bool // it lies in a row or a fan with another
	located bool // where it lies is known from the cards measured
}

// doubtful are the corners in which the index is not clear, moved to the edges
// of the picture to look again.
func doubtful(cards []hypothesis, img gocv.Mat) []mark {
	var out []mark
	for _, c := range cards {
		if m := c.marks[0]; c.labels != nil && !m.edged && c.clarity() < acceptClear {
			out = append(out, m.refined(img))
		}
	}
	return out
}

// join makes one card of the corners that belong to one; of several views of
// one corner the clearest is kept.
func join(all []hypothesis) []hypothesis {
	all = slices.SortedStableFunc(slices.Values(all), func(a, b hypothesis) int {
		return cmp.Compare(b.clarity(), a.clarity())
	})
	var out []hypothesis
	for _, s := range all {
		s.labels, s.marks = slices.Clone(s.labels), slices.Clone(s.marks) // theirs stay as they are
		m := s.marks[0]
		if k := slices.IndexFunc(out, func(o hypothesis) bool { return o.has(m) }); k >= 0 {
			out[k].seenAgain(s)
			continue
		}
		if k, q := paired(out, s); k >= 0 {
			out[k].measure(s, q)
			continue
		}
		if k := slices.IndexFunc(out, func(o hypothesis) bool { return o.joins(s) }); k >= 0 {
			out[k].add(s)
			continue
		}
		out = append(out, s)
	}
	return out
}

// clarity orders what is joined: clear indices first.
func (o *hypothesis) clarity() float64 {
	if o.labels == nil {
		return o.marks[0].cornerScore - 1
	}
	_, p := top(o.labels)
	return p
}

// has reports whether m is one of the corners of o, seen again.
func (o *hypothesis) has(m mark) bool {
	return slices.ContainsFunc(o.marks, func(n mark) bool {
		return norm(sub(m.apex, n.apex)) < pairAgain*min(norm(m.short), norm(n.short)) &&
			dot(unit(m.long), unit(n.long)) > pairAgainTurn
	})
}

// seenAgain takes in another view of a corner of o. The outline of a heap may run on
// along the next card: where it implies quite another card than the network, the
// network is right.
func (o *hypothesis) seenAgain(s hypothesis) {
	m := s.marks[0]
	score := max(o.marks[0].cornerScore, m.cornerScore)
	if len(o.marks) == 1 && o.marks[0].edged && !m.edged && iou(o.quad, s.quad) < pairCard {
		o.marks[0], o.quad = m, s.quad
	}
	if len(o.marks) == 1 && s.located && !o.located { // the clearer view has the index, the located one the card's size
		o.quad, o.located = s.quad, true
	}
	o.marks[0].cornerScore = score
}

// joins reports whether s, one corner, is another corner of o.
func (o *hypothesis) joins(s hypothesis) bool {
	if (o.labels == nil) != (s.labels == nil) || iou(o.quad, s.quad) < pairCard {
		return false
	}
	m := s.marks[0]
	for _, n := range o.marks {
		if norm(sub(m.apex, n.apex)) < pairApart*min(norm(m.short), norm(n.short)) {
			return false // two cards, one over the other
		}
	}
	if o.labels == nil {
		return true
	}
	a, _ := top(o.labels)
	b, _ := top(s.labels)
	return a == b || iou(o.quad, s.quad) > pairSurely && agreement(o.labels, s.labels) > pairAlike
}

// agreement is the probability that two corners show one card, if each is read
// without the other: that both mean the same.
func agreement(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// add takes in another corner: the card lies between its corners.
func (o *hypothesis) add(s hypothesis) {
	m := s.marks[0]
	if o.labels != nil {
		o.take(s.labels)
	}
	n := o.marks[0]
	if len(o.marks) == 1 && dot(m.long, n.long) < 0 && m.left() == n.left() { // opposite corners
		d := sub(m.apex, n.apex)
		turned := mark{apex: m.apex, short: scale(m.short, -1), long: scale(m.long, -1)}
		short := scale(add(n.short, turned.short), 0.5)
		long := scale(add(n.long, turned.long), 0.5)
		// the diagonal is sure, the sides are shared out to fit it
		e := scale(sub(d, add(short, long)), 0.5)
		whole := mark{apex: n.apex, short: add(short, e), long: add(long, e)}
		if q := whole.quad(); convex(q) {
			o.quad = q
		}
	}
	o.marks = append(o.marks, m)
}

// take joins to the labels those of another corner.
func (o *hypothesis) take(labels []float64) {
	for i := range o.labels {
		o.labels[i] = max(o.labels[i], fitted.Fusion.SaidFloor) * max(labels[i], fitted.Fusion.SaidFloor)
	}
	normalise(o.labels)
}

func normalise(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for i := range p {
		p[i] /= max(sum, 1e-12)
	}
}

// cornerScore is the joint probability that the corners are corners.
func (o *hypothesis) cornerScore() float64 {
	miss := 1.0
	for _, m := range o.marks {
		miss *= 1 - m.cornerScore
	}
	return 1 - miss
}
