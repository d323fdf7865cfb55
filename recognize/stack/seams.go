package stack

import "math"

// How a side is cut into chips: one shows Rows−reach to Rows+reach rows, as it lies nearer to the camera or farther
// than the one above it; its place is off by slack rows at most.
const (
	reach = 5
	slack = 24
	band  = 2*slack + 1
	steps = 2*reach + 1
	edges = 3 // of a network: rim, seam between two chips, foot
)

// starts are the places from which kinds are read, each second row.
const starts = (High-Rows)/2 + 1

// weights are log weights of the foot of one chip: [j] that it lies at row Rows×(Above+k)−slack+j for the k-th chip.
type weights [band]float64

// seams is what the network makes of a side: where chips may end, and how high they may show, in log weights. A stack
// is a sequence of chips from a rim to a foot (semi-Markov model: Sarawagi, Cohen, "Semi-Markov conditional random
// fields for information extraction", 2004).
type seams struct {
	rim        weights
	seam, foot []weights
	step       [steps]float64 // a chip of Rows−reach+i rows
}

// newSeams takes the network's rows, edges of each, and steps.
func newSeams(rows, step []float32) *seams {
	s := new(seams)
	cut := func(edge, k int) (w weights) {
		for j := range w {
			if y := Rows*(Above+k) - slack + j; y < High {
				w[j] = float64(rows[edge*High+y])
			}
		}
		return w
	}
	s.rim = cut(0, 0)
	for k := range Most {
		s.seam, s.foot = append(s.seam, cut(1, k+1)), append(s.foot, cut(2, k+1))
	}
	for i := range s.step {
		s.step[i] = float64(step[i])
	}
	return s
}

// onward adds to each place what leads there: of the rows above it, or with down −1 of those below.
func (s *seams) onward(w *weights, down int) (out weights) {
	var at [steps]float64
	for j := range out {
		n := 0
		for i, v := range s.step {
			if from := j - down*(i-reach); from >= 0 && from < band {
				at[n] = w[from] + v
				n++
			}
		}
		out[j] = logSum(at[:n])
	}
	return out
}

func (w *weights) plus(v *weights) (out weights) {
	for j := range out {
		out[j] = w[j] + v[j]
	}
	return out
}

// middle is the row at which the foot of the k-th chip is expected, of probabilities of its places.
func (w *weights) middle(k int) (row float64) {
	for j, p := range w {
		row += p * float64(Rows*(Above+k)-slack+j)
	}
	return row
}

// counts are log weights of each number of chips, from one up, the sum over all ways to lay them; ahead[k] are
// those of the foot of the k-th chip, with all that is above it, and of the rim for 0.
func (s *seams) counts() (weight []float64, ahead []weights) {
	ahead = append(ahead, s.rim)
	for k := range s.foot {
		at := s.onward(&ahead[k], 1)
		end := at.plus(&s.foot[k])
		weight = append(weight, logSum(end[:]))
		ahead = append(ahead, at.plus(&s.seam[k]))
	}
	return weight, ahead
}

// placed is where the edges of n chips lie, the rim first: the posterior, given that number.
func (s *seams) placed(n int, ahead []weights) []weights {
	out := make([]weights, n+1)
	share := func(k int, above, below *weights) {
		out[k] = above.plus(below)
		total := logSum(out[k][:])
		for j, v := range out[k] {
			out[k][j] = math.Exp(v - total)
		}
	}
	last := s.onward(&ahead[n-1], 1)
	share(n, &last, &s.foot[n-1])
	below := s.onward(&s.foot[n-1], -1)
	for k := n - 1; k >= 0; k-- {
		share(k, &ahead[k], &below)
		if k > 0 {
			below = below.plus(&s.seam[k-1])
			below = s.onward(&below, -1)
		}
	}
	return out
}

// kinds are probabilities of the kinds of n chips from the upper one down. logits are the network's: of a chip that
// begins at each second row, places × kinds; upper are those of the uppermost chip by its face.
func (s *seams) kinds(n int, ahead []weights, logits, upper []float32) [][]float64 {
	edge, of, out := s.placed(n, ahead), len(upper), make([][]float64, n)
	for k := range out {
		sum := make([]float32, of)
		if k == 0 {
			copy(sum, upper)
		}
		for j := range band {
			p := float32(edge[k][j]+edge[k+1][j]) / 2
			at := (Rows*(Above+k) - slack + j) / 2
			if at >= len(logits)/of || p < 1e-6 {
				continue
			}
			for i := range sum {
				sum[i] += p * logits[at*of+i]
			}
		}
		out[k] = softmax(sum)
	}
	return out
}
