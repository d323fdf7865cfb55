package card

import (
	"cmp"
	"math"
	"slices"

	"gocv.io/x/gocv"
)

// The cards of a fan turn evenly: how one lies whose corner shows in part, and gives it
// badly, its neighbours decide better.

// inFan adds to the cards read those of a fan that are read only where they lie as their
// neighbours do; marks are all corners seen.
func (r *Reader) inFan(img gocv.Mat, views []view, marks []mark) ([]view, error) {
	var read []view
	for _, v := range views {
		if v.clear() && v.row && !isBack(v) {
			read = append(read, v)
		}
	}
	if len(read) < fanFew {
		return views, nil
	}
	places, err := r.amid(img, read, marks)
	if err != nil {
		return nil, err
	}
	var cards []hypothesis
	for _, m := range places {
		unknown := make([]float64, len(r.labels.face))
		cards = append(cards, hypothesis{quad: m.quad(), marks: []mark{m}, labels: unknown, row: true})
	}
	if err := r.lookAt(img, r.covered, cards, each); err != nil {
		return nil, err
	}
	var more []view
	for _, c := range cards {
		if v, ok := r.weigh(c); ok && v.clear() && v.guesses[0].P >= fanSure {
			more = append(more, v)
		}
	}
	slices.SortStableFunc(more, func(a, b view) int { return byProbability(a.guesses[0], b.guesses[0]) })
	for _, v := range more {
		if !slices.ContainsFunc(read, v.repeats) {
			read, views = append(read, v), append(views, v)
		}
	}
	return views, nil
}

// amid are the corners of cards that are not read, and those expected between cards that are,
// with the sides that the cards beside them have. Each is looked for where it was seen and,
// if that is elsewhere, where the fitting network then has it.
func (r *Reader) amid(img gocv.Mat, read []view, marks []mark) ([]mark, error) {
	var out []mark
	for _, m := range append(slices.Clone(marks), gaps(read)...) {
		if m.plain || slices.ContainsFunc(read, func(v view) bool { return slices.ContainsFunc(v.marks, m.at) }) {
			continue
		}
		if m, ok := m.among(read); ok {
			m.cornerScore, m.edged = max(m.cornerScore, fitAsked), false
			out = append(out, m)
		}
	}
	fitted, err := r.fitter.fit(img, out)
	if err != nil {
		return nil, err
	}
	for i, m := range fitted {
		if norm(sub(m.apex, out[i].apex)) <= fanMoved*norm(out[i].short) {
			continue
		}
		if m, ok := m.among(read); ok {
			out = append(out, m)
		}
	}
	return out, nil
}

// repeats reports whether v and o, of one fan, are one card: a pack has each once.
func (v *view) repeats(o view) bool {
	return v.guesses[0].Label == o.guesses[0].Label || slices.ContainsFunc(o.marks, v.marks[0].at)
}

// gaps are corners expected between cards of the fan that lie farther apart than most.
func gaps(read []view) []mark {
	type gap struct {
		a, b mark
		wide float64
	}
	var all []gap
	var wide []float64
	for i, c := range read {
		a := c.marks[0].within(c.quad)
		g := gap{wide: math.Inf(1)}
		for k, o := range read {
			b := o.marks[0].within(o.quad)
			d := norm(sub(b.apex, a.apex)) / norm(a.short)
			if k != i && cross(a.long, sub(b.apex, a.apex)) < 0 && a.left() == b.left() && a.beside(b) && d < g.wide {
				g = gap{a, b, d}
			}
		}
		if !math.IsInf(g.wide, 1) {
			all, wide = append(all, g), append(wide, g.wide)
		}
	}
	slices.Sort(wide)
	var out []mark
	for _, g := range all {
		if g.wide > fanGap*wide[len(wide)/2] {
			m := g.a
			m.apex, m.cornerScore = lerp(g.a.apex, g.b.apex, 0.5), fitAsked
			out = append(out, m)
		}
	}
	return out
}

// among gives the mark the sides that the two nearest of the cards beside it have, as they
// go on from one to the other.
func (m mark) among(read []view) (mark, bool) {
	var near []mark
	for _, c := range read {
		for _, o := range c.marks {
			if o = o.within(c.quad); m.beside(o) && o.left() == m.left() {
				near = append(near, o)
			}
		}
	}
	if len(near) < 2 {
		return m, false
	}
	slices.SortStableFunc(near, func(a, b mark) int {
		return cmp.Compare(norm(sub(a.apex, m.apex)), norm(sub(b.apex, m.apex)))
	})
	a, b := near[0], near[1]
	d := sub(b.apex, a.apex)
	t := min(max(dot(sub(m.apex, a.apex), d)/max(1, dot(d, d)), -fanBeyond), 1+fanBeyond)
	m.short, m.long = lerp(a.short, b.short, t), lerp(a.long, b.long, t)
	return m, convex(m.quad())
}
