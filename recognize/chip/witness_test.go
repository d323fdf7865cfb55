package chip

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/fact"
)

// hypotheses are some heights with evidence of the geometry, each at two places of the face.
func hypotheses(t *rapid.T) []hypothesis {
	var all []hypothesis
	for n := 1; n <= rapid.IntRange(2, flankMost).Draw(t, "heights"); n++ {
		for side := range 2 {
			all = append(all, hypothesis{n: n, side: side, own: rapid.Float64Range(-200, 200).Draw(t, "own")})
		}
	}
	return all
}

// told is what a network may say: probabilities that sum to 1.
func drawnTold(t *rapid.T) told {
	w := make(told, flankMost+1)
	for n := range w {
		w[n] = rapid.Float64Range(-30, 30).Draw(t, "logit")
	}
	return w.whole()
}

// Where the network was not asked, geometry alone decides, as ever.
func TestGeometryAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, all := &search{opts: Options{Most: flankMost}}, hypotheses(t)
		best := s.fused(all)
		for _, h := range all {
			if h.score != h.own || h.own > best.own {
				t.Fatalf("%+v beside the best %+v", h, best)
			}
		}
		if low, high := s.heights(); low != 1 || high != flankMost {
			t.Fatalf("looks from %d to %d", low, high)
		}
	})
}

// However sure the geometry is, it changes the odds of two heights by no more than it may be
// astray; and heights that the network finds possible are looked at.
func TestGeometryCannotOutvoteByFar(t *testing.T) {
	most := math.Log1p((1 - fitted.Sides.Astray) * flankMost / fitted.Sides.Astray)
	rapid.Check(t, func(t *rapid.T) {
		s := &search{opts: Options{Most: flankMost}, said: drawnTold(t)}
		all := hypotheses(t)
		s.fused(all)
		of := map[int][]float64{}
		for _, h := range all {
			of[h.n] = append(of[h.n], h.score)
		}
		for n, a := range of {
			for m, b := range of {
				geometry := logSum(a) - logSum(b) - fitted.Sides.Network*(s.said[n]-s.said[m])
				if math.Abs(geometry) > most+1e-6 {
					t.Fatalf("the geometry changes the odds of %d and %d chips by %.2f, more than %.2f", n, m, geometry, most)
				}
			}
		}
		low, high := s.heights()
		for n := 1; n <= flankMost; n++ {
			if (n < low || n > high) && fitted.Sides.Network*(s.said[n]-max(s.said[low], s.said[high])) > 0 {
				t.Fatalf("%d is not looked at, %d to %d are", n, low, high)
			}
		}
	})
}

// What is said of two places is between what is said of each, and sums to 1.
func TestToldTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawnTold(t), drawnTold(t)
		both, sum := a.and(b), 0.0
		for _, v := range both {
			sum += math.Exp(v)
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("sums to %v", sum)
		}
		if none := told(nil); none.and(a) != nil || len(a.and(none)) != len(a) {
			t.Fatal("who was not asked says nothing")
		}
		for n := range both {
			for m := range both {
				if a[n] > a[m] && b[n] > b[m] && both[n] < both[m]-1e-9 {
					t.Fatalf("both find %d likelier than %d, together they do not", n, m)
				}
			}
		}
	})
}

// A flank shows the side under a face, the bare felt there, and the colours of the face's
// kind; and nothing where the picture ends.
func TestFlank(t *testing.T) {
	const kind, chips = 2, 6
	b := newBench(t, [3]float64{22, 92, 58}, 9)
	s, face, _ := b.onKnownFelt(t, kind, chips, fact.Point{})
	s.uncover()
	pix := s.flank(kind, face.px)
	if len(pix) != FlankHigh*FlankWide*3 {
		t.Fatalf("%d bytes", len(pix))
	}
	at := func(panel, row int) []byte {
		return pix[3*(row*FlankWide+panel*flankCols+flankCols/2):][:3]
	}
	side, felt := flankRows*flankAbove+flankRows*chips/2, flankRows*(flankAbove+chips)+6
	paint := &s.tones.kinds[kind]
	for c := range 3 {
		if at(3, side)[c] != byte(paint.field[2-c]) || at(4, side)[c] != byte(paint.insert[2-c]) {
			t.Errorf("channel %d of the face's kind and its edge: %d, %d", c, at(3, side)[c], at(4, side)[c])
		}
		if d := int(at(0, felt)[c]) - int(at(1, felt)[c]); d < -40 || d > 40 {
			t.Errorf("channel %d before the foot is %d off the bare felt", c, d)
		}
	}
	differs := 0
	for c := range 3 {
		differs = max(differs, int(math.Abs(float64(at(0, side)[c])-float64(at(1, side)[c]))))
	}
	if differs < 40 || at(2, side)[2] != 255 {
		t.Errorf("the side is %d off the bare felt, which is said to be known by %d", differs, at(2, side)[2])
	}
	out := s.flank(kind, fact.Point{float64(s.w) / 2, float64(s.h) + 500})
	if got := [3]byte(out[3*flankCols/2:]); got != [3]byte{} {
		t.Errorf("below the picture is seen %v", got)
	}
}
