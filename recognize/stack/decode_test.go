package stack

import (
	"math"
	"slices"
	"testing"
)

// layers are log likelihoods of two kinds, by the odds of the first.
func layers(odds ...float64) (out [][]float64) {
	for _, o := range odds {
		out = append(out, []float64{o, 0})
	}
	return out
}

// A chip that is hardly another kind is taken for its neighbours' kind; one that plainly is, is not.
func TestPath(t *testing.T) {
	for _, c := range []struct {
		odds []float64
		want []int
	}{
		{[]float64{5, 5, 5}, []int{0, 0, 0}},
		{[]float64{5, -1, 5}, []int{0, 0, 0}},
		{[]float64{5, -9, 5}, []int{0, 1, 0}},
		{[]float64{5, 5, -4, -5}, []int{0, 0, 1, 1}},
		{[]float64{-3}, []int{1}},
	} {
		kinds, p := path(layers(c.odds...), 0)
		if !slices.Equal(kinds, c.want) || p <= 0 || p > 1 {
			t.Errorf("%v: %v with %.3f, want %v", c.odds, kinds, p, c.want)
		}
	}
	if kinds, p := path([][]float64{{-2}, {-3}}, 0); !slices.Equal(kinds, []int{0, 0}) || math.Abs(p-1) > 1e-9 {
		t.Errorf("of one kind: %v with %.3f", kinds, p)
	}
}

// The probability of a path is its share of all, whichever the sort of stack that it may be of.
func TestPathSharesSumToOne(t *testing.T) {
	for i, l := range [][][]float64{
		layers(0.3, -0.4, 1.2), layers(4, -3, 5), layers(3, 3.5), layers(-0.2), layers(-4, 3, -5),
	} {
		sum, best, last := 0.0, 0.0, -0.8*float64(i)
		for m := range 1 << len(l) {
			score, prior, same := 0.0, 1-par.pure, true
			for i := range l {
				k := m >> i & 1
				score += l[i][k]
				if k == 1 && (i == 0 || m>>(i-1)&1 == 0) {
					score += last
				}
				if i == 0 {
					continue
				}
				if k == m>>(i-1)&1 {
					prior *= 1 - par.turn
				} else {
					prior *= par.turn
					same = false
				}
			}
			if same {
				prior += par.pure
			}
			p := prior * math.Exp(score)
			sum += p
			best = max(best, p)
		}
		if _, p := path(l, last); math.Abs(p-best/sum) > 1e-9 {
			t.Errorf("%v: %.6f, want %.6f", l, p, best/sum)
		}
	}
}

func believed(counts map[int]float64, odds float64) *belief {
	b := &belief{real: 1}
	for n, p := range counts {
		b.count[n-1] = p
	}
	b.kinds = func(n int) [][]float64 { return slices.Repeat([][]float64{{odds, 0, -20}}, n) }
	return b
}

// What is sure is reported whole; an unsure number as an interval that holds the rest, kinds that are not sure
// not at all.
func TestReading(t *testing.T) {
	ids := []string{"red", "blue"}
	sure, _ := believed(map[int]float64{5: 0.97, 6: 0.03}, 9).reading(ids, false)
	if !sure.Counted() || len(sure.Chips) != 5 || sure.Low != 5 || sure.High != 5 || len(sure.Others) != 1 {
		t.Errorf("sure: %+v", sure)
	}
	open, _ := believed(map[int]float64{5: 0.6, 6: 0.3, 4: 0.09, 9: 0.01}, 9).reading(ids, false)
	if open.Abstain != "unsure" || open.Low != 4 || open.High != 6 || len(open.Chips) != 5 {
		t.Errorf("number not sure: %+v", open)
	}
	hidden, _ := believed(map[int]float64{5: 0.6, 7: 0.4}, 9).reading(ids, true)
	if hidden.Abstain != "occluded" || hidden.Low != 5 || hidden.High != 7 {
		t.Errorf("hidden: %+v", hidden)
	}
	which, _ := believed(map[int]float64{2: 1}, 0.1).reading(ids, false)
	if which.Abstain != "unsure" || which.Chips != nil || which.Low != 2 || which.High != 2 {
		t.Errorf("kinds not sure: %+v", which)
	}
	if unreal := believed(map[int]float64{2: 1}, 9); true {
		unreal.real = 0.6
		if s, _ := unreal.reading(ids, false); s.Abstain != "unsure" {
			t.Errorf("a face that may be none is accepted: %+v", s)
		}
	}
	if _, ok := new(belief).reading(ids, false); ok {
		t.Error("a stack where nothing is believed")
	}
}
