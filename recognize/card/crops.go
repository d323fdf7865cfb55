package card

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/recognize/network"
)

// readCrops gives each requested card the mean of an index network's outputs at several sizes
// round the expected one; of several corners, read in the frame that they have
// together, with one output.
func (r *Reader) readCrops(img gocv.Mat, index *network.Net, cards []hypothesis, wanted func(*hypothesis) bool) error {
	var marks []mark
	type asked struct{ card, lo, hi int }
	var of []asked
	ask := func(i int, m mark, sizes [][2]float64) {
		lo := len(marks)
		for _, k := range sizes {
			n := m
			n.short, n.long = scale(m.short, k[0]), scale(m.long, k[1])
			marks = append(marks, n)
		}
		of = append(of, asked{i, lo, len(marks)})
	}
	for i, c := range cards {
		switch {
		case c.labels == nil || !wanted(&c):
		case len(c.marks) > 1:
			for _, m := range c.marks {
				ask(i, m.within(c.quad), cropsJoint)
			}
		case c.row || slices.ContainsFunc(cards, func(o hypothesis) bool {
			return o.labels != nil && !c.marks[0].at(o.marks[0]) && c.marks[0].beside(o.marks[0])
		}):
			ask(i, c.marks[0], cropsRow)
		default:
			ask(i, c.marks[0], cropsAlone)
		}
	}
	outputs, err := r.indices(img, index, marks)
	if err != nil {
		return err
	}
	before := make([][]float64, len(cards))
	for k, a := range of {
		mean := make([]float64, len(r.labels.face))
		for _, c := range outputs[a.lo:a.hi] {
			for j, p := range r.labels.of(c) {
				mean[j] += p / float64(a.hi-a.lo)
			}
		}
		if c := &cards[a.card]; k > 0 && of[k-1].card == a.card {
			c.take(mean)
		} else {
			before[a.card], c.labels = c.labels, mean
		}
	}
	for i := range cards {
		if c := &cards[i]; len(c.marks) > 1 && before[i] != nil { // that each corner agrees by itself supports it
			own, _ := top(before[i])
			if its, _ := top(c.labels); its == own {
				c.take(before[i])
			}
		}
	}
	return nil
}

// within is the mark with the sides that q, of which it is a corner, has there.
func (m mark) within(q fact.Quad) mark {
	near, at := math.Inf(1), 0
	for k, p := range q {
		if d := norm(sub(p, m.apex)); d < near {
			near, at = d, k
		}
	}
	m.short, m.long = sub(q[at^1], q[at]), sub(q[3-at], q[at])
	return m
}
