package card

import (
	"math"
	"slices"

	"vision/internal/fact"
)

// span is the card of which m and n are two corners, and how much longer or shorter
// its sides are than both imply (a logarithm).
func (m mark) span(n mark) (q fact.Quad, misfit float64, ok bool) {
	if norm(m.short) == 0 || norm(n.short) == 0 {
		return q, 0, false
	}
	along := dot(unit(m.long), unit(n.long))
	a, b := m.reach(n.apex)
	c, d := n.reach(m.apex)
	stretch := func(v, w float64) bool {
		misfit += math.Abs(math.Log(max(v, 1e-9))) + math.Abs(math.Log(max(w, 1e-9)))
		return min(v, w) > 1/pairStretch && max(v, w) < pairStretch
	}
	aside := func(v, w float64) bool { return max(math.Abs(v), math.Abs(w)) < pairAside }
	p, r := m.apex, n.apex
	ratio := math.Sqrt(norm(m.long) / norm(m.short) * norm(n.long) / norm(n.short))
	side := norm(sub(p, r))
	var across, down fact.Point // the corners beside p: along its short side and its long one
	var far fact.Point
	switch {
	case m.left() != n.left() && along > pairAlong && stretch(a, c) && aside(b, d): // of one short side
		across, down, far = r, add(p, scale(unit(m.long), ratio*side)), add(r, scale(unit(n.long), ratio*side))
	case m.left() != n.left() && along < -pairAlong && stretch(b, d) && aside(a, c): // of one long side
		across, down, far = add(p, scale(unit(m.short), side/ratio)), r, add(r, scale(unit(n.short), side/ratio))
	case m.left() == n.left() && along < -pairAlong && stretch(a, c) && stretch(b, d): // opposite ones
		var ok1, ok2 bool
		across, ok1 = intersect(p, add(p, m.short), r, add(r, n.long))
		down, ok2 = intersect(p, add(p, m.long), r, add(r, n.short))
		if far = r; !ok1 || !ok2 {
			return q, 0, false
		}
	default:
		return q, 0, false
	}
	q = fact.Quad{p, across, far, down}
	if !m.left() {
		q = fact.Quad{across, p, down, far}
	}
	return q, misfit, convex(q)
}

// reach is where p lies from the mark, in its short and its long side.
func (m mark) reach(p fact.Point) (a, b float64) {
	d, k := sub(p, m.apex), cross(m.short, m.long)
	return cross(d, m.long) / k, cross(m.short, d) / k
}

// pairs reports whether s, one corner, and one of o show the same card and measure it;
// misfit as of span.
func (o *hypothesis) pairs(s hypothesis) (q fact.Quad, misfit float64, ok bool) {
	if o.labels == nil || s.labels == nil {
		return q, 0, false
	}
	i, p := top(o.labels)
	if k, r := top(s.labels); k != i || min(p, r) < pairSaid {
		return q, 0, false
	}
	misfit = math.Inf(1)
	for _, n := range o.marks {
		if n.edged && s.marks[0].edged {
			continue // outlines alone mislead: how a heap's side runs is not how the card's does
		}
		if w, fit, fine := n.span(s.marks[0]); fine && fit < misfit {
			q, misfit, ok = w, fit, true
		}
	}
	return q, misfit, ok
}

// paired is the place in all of the card that s measures best; -1: none.
func paired(all []hypothesis, s hypothesis) (at int, q fact.Quad) {
	at, best := -1, math.Inf(1)
	for i := range all {
		if w, fit, ok := all[i].pairs(s); ok && fit < best {
			at, q, best = i, w, fit
		}
	}
	return at, q
}

// measure adds another corner, with which the card is q: the first pair gives its place,
// a third corner moves its own.
func (o *hypothesis) measure(s hypothesis, q fact.Quad) {
	if len(o.marks) > 1 {
		q = o.quad
		a, b := sides(q)
		k := slices.IndexFunc(q[:], func(p fact.Point) bool {
			return norm(sub(p, s.marks[0].apex)) < pairCorner*min(a, b)
		})
		if k >= 0 {
			q[k] = s.marks[0].apex
		}
		if k < 0 || !convex(q) {
			q = o.quad
		}
	}
	o.add(s)
	o.quad = q
}
