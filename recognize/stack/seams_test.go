package stack

import (
	"math"
	"math/rand/v2"
	"testing"
)

// atRandom is a side whose edges speak at random.
func atRandom(d *rand.Rand) *seams {
	rows, step := make([]float32, edges*High), make([]float32, steps)
	for i := range rows {
		rows[i] = float32(3 * d.NormFloat64())
	}
	for i := range step {
		step[i] = float32(d.NormFloat64())
	}
	return newSeams(rows, step)
}

// all walks every way to lay n chips and calls with its edges, as places of their bands, and its log weight.
func (s *seams) all(n int, call func(at []int, weight float64)) {
	at := make([]int, n+1)
	var walk func(k int, weight float64)
	walk = func(k int, weight float64) {
		for i, v := range s.step {
			j := at[k-1] + i - reach
			if j < 0 || j >= band {
				continue
			}
			at[k] = j
			if k == n {
				call(at, weight+v+s.foot[k-1][j])
			} else {
				walk(k+1, weight+v+s.seam[k-1][j])
			}
		}
	}
	for j, v := range s.rim {
		at[0] = j
		walk(1, v)
	}
}

// The weights of numbers and the places of chips are those of all ways to lay them, added up one by one.
func TestSeamsAddUpAllWays(t *testing.T) {
	for seed := range uint64(3) {
		s := atRandom(rand.New(rand.NewPCG(seed, 1)))
		weight, ahead := s.counts()
		for n := 1; n <= 3; n++ {
			sum, edge := 0.0, make([]weights, n+1)
			s.all(n, func(at []int, w float64) {
				p := math.Exp(w)
				sum += p
				for k, j := range at {
					edge[k][j] += p
				}
			})
			if math.Abs(weight[n-1]-math.Log(sum)) > 1e-9 {
				t.Errorf("%d chips: %v, want %v", n, weight[n-1], math.Log(sum))
			}
			for k, got := range s.placed(n, ahead) {
				for j, p := range got {
					if math.Abs(p-edge[k][j]/sum) > 1e-9 {
						t.Fatalf("%d chips, edge %d at %d: %v, want %v", n, k, j, p, edge[k][j]/sum)
					}
				}
			}
		}
	}
}

// Chips that lean towards the camera, each a row lower than it would stand, are counted by their seams.
func TestSeamsOfALeaningStack(t *testing.T) {
	const n, high = 12, Rows + 1
	rows, step, logits := make([]float32, edges*High), make([]float32, steps), make([]float32, starts*2)
	for i := range step {
		step[i] = -float32((i-reach)*(i-reach))/3 - 1.2
	}
	for i := range rows[High : 2*High] {
		rows[High+i] = -2
	}
	top := Rows * Above
	rows[top], rows[2*High+top+n*high] = 8, 8
	for k := 1; k < n; k++ {
		rows[High+top+k*high] = 4
	}
	for i := range starts { // the sixth chip and all below it are of the second kind
		if 2*i >= top+5*high-high/2 {
			logits[2*i+1] = 5
		} else {
			logits[2*i] = 5
		}
	}
	s := newSeams(rows, step)
	weight, ahead := s.counts()
	for m, w := range weight {
		if m != n-1 && w > weight[n-1]-3 {
			t.Errorf("%d chips as likely as %d: %v, %v", m+1, n, w, weight[n-1])
		}
	}
	for k, p := range s.kinds(n, ahead, logits, make([]float32, 2)) {
		if second := k >= 5; (p[1] > 0.5) != second {
			t.Errorf("chip %d from above: %v", k, p)
		}
	}
}
