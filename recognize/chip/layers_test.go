package chip

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// marked is a strip of rows on which the network would see chips of the given
// thicknesses from row top on, as sure as sure (a logit).
func marked(rows, top int, sure float64, thick ...float64) *strip {
	s := &strip{picture: picture{w: stripWide, h: rows}}
	s.edge, s.side, s.thick = slices.Repeat([]float64{-sure}, rows), slices.Repeat([]float64{-sure}, rows),
		slices.Repeat(thick[:1], rows)
	y := float64(top)
	s.edge[top] = sure
	for _, t := range thick {
		for k := int(y); k < int(y+t); k++ {
			s.side[k], s.thick[k] = sure, t
		}
		y += t
		s.edge[int(y)] = sure
	}
	return s
}

func TestLayersAreCounted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 26; n++ {
		thick := make([]float64, n)
		for i := range thick {
			thick[i] = 9 + rng.Float64() // no two chips look quite alike
		}
		s := marked(60+10*n, 40, 4, thick...)
		got := s.count(par.stack.countMost)
		if k, p := got.likeliest(); k != n || p < 0.95 {
			t.Errorf("%d chips: counts %d with probability %.3f", n, k, p)
		}
		if len(got.edges) != n+1 || got.edges[0] != 40 {
			t.Errorf("%d chips: edges on rows %v", n, got.edges)
		}
		if v := s.layers(); math.Abs(v-float64(n)) > 0.5 {
			t.Errorf("%d chips: their sides alone make %.2f", n, v)
		}
		if low, high := got.interval(par.stack.bounds); low != n || high != n {
			t.Errorf("%d chips: between %d and %d", n, low, high)
		}
	}
}

// An edge that is not seen is made up for by the thickness; one chip of which
// nothing is seen leaves a doubt.
func TestHiddenEdges(t *testing.T) {
	s := marked(160, 30, 4, 10, 10, 10, 10, 10, 10)
	s.edge[60] = -1
	if n, _ := s.count(par.stack.countMost).likeliest(); n != 6 {
		t.Errorf("six chips with an edge unseen: counts %d", n)
	}
	s = marked(160, 30, 0.5, 10, 10, 10, 10, 10, 10)
	got := s.count(par.stack.countMost)
	if _, p := got.likeliest(); p > 0.9 {
		t.Errorf("hardly seen chips are counted with probability %.3f", p)
	}
	low, high := got.interval(par.stack.bounds)
	sum := 0.0
	for k := low; k <= high; k++ {
		sum += got.p[k]
	}
	if low < 1 || low >= high || sum < par.stack.bounds && high-low < par.stack.countMost-1 {
		t.Errorf("hardly seen chips: between %d and %d, probability %.3f", low, high, sum)
	}
}

func TestNothingIsNoChip(t *testing.T) {
	s := marked(120, 20, 4, 10)
	for y := range s.edge {
		s.edge[y], s.side[y] = -5, -5
	}
	if n, p := s.count(par.stack.countMost).likeliest(); n != 0 || p < 0.9 {
		t.Errorf("a strip without chips: counts %d with probability %.3f", n, p)
	}
}

func TestProbabilitiesOfNumbersAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		s := &strip{picture: picture{w: stripWide, h: 100}}
		for range s.h {
			s.edge = append(s.edge, 3*rng.NormFloat64())
			s.side = append(s.side, 3*rng.NormFloat64())
			s.thick = append(s.thick, 6+8*rng.Float64())
		}
		sum := 0.0
		for _, p := range s.count(par.stack.countMost).p {
			sum += p
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Fatalf("probabilities add up to %v", sum)
		}
	}
}

// A number that is not sure is told all the same, as likely as it is, with an interval
// beside it: a foot that nobody saw may have any number of chips below.
func TestTheLikeliestNumberIsTold(t *testing.T) {
	r := &Reader{opts: Options{}}
	view := func(hidden bool) *sideView {
		b := &sideView{strip: marked(160, 30, 4, 10, 10, 10, 10, 10), counts: true, hidden: hidden,
			tally: tally{p: []float64{0, 0, 0, 0, 0.05, 0.6, 0.35}}}
		b.p = 0.9
		b.strip.pix = slices.Repeat([]byte{200}, 3*b.strip.w*b.strip.h)
		return b
	}
	for _, c := range []struct {
		name      string
		view      *sideView
		low, high int
	}{{"unsure", view(false), 5, 6}, {"its foot hidden", view(true), 5, 20}} {
		s := r.sideStack(c.view, rgb{1, 1, 1})
		if len(s.Chips) != 5 || s.Low != c.low || s.High != c.high || math.Abs(s.P-0.54) > 1e-9 {
			t.Errorf("%s: %d chips, %d to %d, probability %.3f; want 5, %d to %d, 0.540", c.name, len(s.Chips), s.Low, s.High, s.P, c.low, c.high)
		}
	}
}
