package card

import (
	"slices"

	"gocv.io/x/gocv"
)

// One corner tells the card's size badly, and where the index network guesses, what it
// reads changes with it. These are the shares of the short and the long side at which
// it is asked: rowSizes in a row or a fan, where the next card's index stands beside
// this one's and narrow crops are read best, steadySizes elsewhere.
var (
	steadySizes = [][2]float64{{1, 1}, {0.75, 1}, {0.85, 1}, {0.88, 0.88}, {0.94, 0.94}}
	rowSizes    = [][2]float64{{0.65, 0.94}, {0.65, 1}, {0.75, 0.94}, {0.75, 1}, {0.85, 0.94}, {0.85, 1}}
)

// steady gives the cards of which one corner is seen the mean of what the index
// network reads at several sizes round the supposed one.
func (r *Reader) steady(img gocv.Mat, cards []supposed) error {
	var marks []mark
	var of []int // the card of each
	for i, c := range cards {
		if c.labels == nil || len(c.marks) > 1 {
			continue
		}
		m := c.marks[0]
		sizes := steadySizes
		if slices.ContainsFunc(cards, func(o supposed) bool { return o.labels != nil && !m.at(o.marks[0]) && m.beside(o.marks[0]) }) {
			sizes = rowSizes
		}
		for _, k := range sizes {
			n := m
			n.short, n.long = scale(m.short, k[0]), scale(m.long, k[1])
			marks, of = append(marks, n), append(of, i)
		}
	}
	said, err := r.indices(img, marks)
	if err != nil {
		return err
	}
	for lo := 0; lo < len(of); {
		labels, hi := cards[of[lo]].labels, lo
		clear(labels)
		for ; hi < len(of) && of[hi] == of[lo]; hi++ {
			for j, p := range r.labels.of(said[hi]) {
				labels[j] += p
			}
		}
		for j := range labels {
			labels[j] /= float64(hi - lo)
		}
		lo = hi
	}
	return nil
}
