package chip

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/fact"
)

// drawnLayers are log likelihoods of the kinds, chip by chip.
func drawnLayers(t *rapid.T, chips, kinds int) []layer {
	out := make([]layer, chips)
	for l := range out {
		out[l] = layer{kinds: make([]float64, kinds), chip: make([]float64, kinds)}
		for k := range kinds {
			out[l].kinds[k] = rapid.Float64Range(-20, 0).Draw(t, "kind")
		}
	}
	return out
}

// The kinds that are named are the likeliest sequence, and its probability is the share of its
// weight in that of all sequences.
func TestNamedIsTheLikeliestOfAll(t *testing.T) {
	s := searchOf(t, palette)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3).Draw(t, "chips")
		layers := drawnLayers(t, n, len(palette))
		face := top{kind: rapid.IntRange(0, len(palette)-1).Draw(t, "face"), p: rapid.Float64Range(0.5, 1).Draw(t, "sure")}
		kinds, p := s.named(face, layers)
		c := s.chain(face)
		weigh := func(list []int) float64 {
			score := c.first[list[0]] + layers[0].kinds[list[0]]
			for l := 1; l < n; l++ {
				if score += layers[l].kinds[list[l]]; list[l] != list[l-1] {
					score += fitted.Kinds.Turn
				}
			}
			return score
		}
		best, sum := weigh(kinds), 0.0
		list := make([]int, n)
		for done := false; !done; {
			v := weigh(list)
			if v > best+1e-9 {
				t.Fatalf("%v is likelier than %v, which was named", list, kinds)
			}
			sum += math.Exp(v - best)
			done = true
			for l := range list { // the next sequence
				if list[l]++; list[l] < len(palette) {
					done = false
					break
				}
				list[l] = 0
			}
		}
		if math.Abs(p-1/sum) > 1e-6 {
			t.Fatalf("%v is said to be probable by %v, it is by %v", kinds, p, 1/sum)
		}
	})
}

// The network names chips that it never saw, of a palette of any size: it compares a kind with the
// others in its picture, and what it says does not depend on how many there are beside those.
func TestKindsAreCompared(t *testing.T) {
	const chips = 6
	b := newBench(t, [3]float64{22, 92, 58}, 9)
	for _, kind := range []int{0, len(palette) - 1} {
		s, face, _ := b.onKnownFelt(t, kind, chips, fact.Point{})
		s.uncover()
		face.p = 1
		net, err := newKinds(newReader(t).opts.Models)
		if err != nil {
			t.Fatal(err)
		}
		s.naming = net
		s.unrolled = s.flank(kind, face.px)
		s.looks = s.compared(chips)
		if s.err != nil || len(s.looks) != chips {
			t.Fatalf("%d chips: %v", len(s.looks), s.err)
		}
		kinds, p := s.named(face, s.looks)
		if slices.ContainsFunc(kinds, func(k int) bool { return k != kind }) || p < 0.5 {
			t.Errorf("six chips %d are named %v with probability %.2f", kind, kinds, p)
		}
		few := len(s.tones.kinds)
		other := paint{field: rgb{255, 0, 255}, insert: rgb{255, 0, 255}}
		for len(s.tones.kinds) < kindsAtOnce {
			s.tones.kinds = append(s.tones.kinds, other)
		}
		s.unrolled = s.flank(kind, face.px)
		s.looks = s.compared(chips)
		s.tones.kinds = append(s.tones.kinds, other)
		s.unrolled = s.flank(kind, face.px)
		more := s.compared(chips)
		for k := range few {
			for j := range few {
				before, now := s.looks[0].kinds[k]-s.looks[0].kinds[j], more[0].kinds[k]-more[0].kinds[j]
				if math.Abs(before-now) > 1e-3 {
					t.Fatalf("kinds %d and %d differ by %.3f, among more kinds by %.3f", k, j, before, now)
				}
			}
		}
		s.tones.kinds = s.tones.kinds[:few]
		net.Close()
	}
}

// A colour fits a faded one as well as the likeliest of what it may have become.
func TestTints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (c rgb) {
			for i := range c {
				c[i] = rapid.Float64Range(0, 255).Draw(t, name)
			}
			return c
		}
		c, m := draw("seen"), draw("chip")
		got := inUse.tints(m).fit(c, par.colour.sideBody)
		if plain := asNew.tints(m).fit(c, par.colour.sideBody); got < plain || plain != fit(c, m, par.colour.sideBody) {
			t.Fatalf("a chip that may have faded fits by %v, a new one by %v", got, plain)
		}
	})
}

// A side in little light is brightened to the usual one, and one that has it is not.
func TestDarkSidesAreBrightened(t *testing.T) {
	const kind, chips = 0, 6
	b := newBench(t, [3]float64{22, 92, 58}, 9)
	s, face, _ := b.onKnownFelt(t, kind, chips, fact.Point{})
	s.uncover()
	if gain := s.gainOf(face); gain > 1.2 {
		t.Errorf("a drawn side is brightened by %.2f", gain)
	}
	darker := func() float64 {
		s.pix = slices.Clone(s.pix)
		for i := range s.pix {
			s.pix[i] /= 2
		}
		return s.gainOf(face)
	}
	half := darker()
	gain := darker()
	if want := min(2*half, par.colour.gainMost); half < 1.2 || math.Abs(gain-want) > 0.3 {
		t.Errorf("in half the light brightened by %.2f, in a quarter by %.2f: want %.2f", half, gain, want)
	}
	s.gain = gain
	i := 3 * (s.w*int(face.px[1]) + int(face.px[0]))
	if up := shade(s.brightened(i/3, s.cell(i/3))); luminance(up) < luminance(s.color(i/3)) {
		t.Errorf("%v is brightened to %v", s.color(i/3), up)
	}
}
