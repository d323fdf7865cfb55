package card

import "gocv.io/x/gocv"

// steadySizes: one corner tells the card's size badly, and where the index network
// guesses, what it reads changes with it. Shares of the short and the long side:
// mostly narrower ones, for in a fan the next card's index stands beside this one's.
var steadySizes = [][2]float64{{0.75, 1}, {0.85, 1}, {0.88, 0.88}, {0.94, 0.94}}

// steady gives the cards of which one corner is seen the mean of what the index
// network reads at several sizes round the supposed one.
func (r *Reader) steady(img gocv.Mat, cards []supposed) error {
	var asked []int
	var marks []mark
	for i, c := range cards {
		if c.labels == nil || len(c.marks) > 1 {
			continue
		}
		asked = append(asked, i)
		for _, k := range steadySizes {
			m := c.marks[0]
			m.short, m.long = scale(m.short, k[0]), scale(m.long, k[1])
			marks = append(marks, m)
		}
	}
	said, err := r.indices(img, marks)
	if err != nil {
		return err
	}
	n := len(steadySizes)
	for k, i := range asked {
		labels := cards[i].labels
		for _, c := range said[k*n : (k+1)*n] {
			for j, p := range r.labels.of(c) {
				labels[j] += p
			}
		}
		for j := range labels {
			labels[j] /= float64(n + 1)
		}
	}
	return nil
}
