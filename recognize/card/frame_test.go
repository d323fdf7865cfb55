package card

import (
	"math"
	"testing"

	"vision/internal/fact"
)

// court is a card seen obliquely, and the frame printed on it with a margin of a
// tenth of its sides.
func court() (whole, frame fact.Quad) {
	at := func(u, v float64) fact.Point {
		w := 1 + 0.1*u + 0.2*v
		return fact.Point{(200 + 90*u + 12*v) / w, (100 - 8*u + 130*v) / w}
	}
	return fact.Quad{at(0, 0), at(1, 0), at(1, 1), at(0, 1)},
		fact.Quad{at(0.1, 0.1), at(0.9, 0.1), at(0.9, 0.9), at(0.1, 0.9)}
}

// corner marks of whole as the network sees them: left and right at the top.
func topMarks(q fact.Quad) []mark {
	return []mark{
		{cornerScore: 0.8, apex: q[0], short: sub(q[1], q[0]), long: sub(q[3], q[0])},
		{cornerScore: 0.8, apex: q[1], short: sub(q[0], q[1]), long: sub(q[2], q[1])},
	}
}

func TestAFrameIsNoCard(t *testing.T) {
	whole, frame := court()
	for _, empty := range []bool{true, false} {
		v := view{outline: outline{quad: frame}, noIndex: empty}
		got, ok := v.whole(topMarks(whole))
		if !ok {
			t.Fatalf("the frame passes for a card (bare: %v)", empty)
		}
		for k := range 4 {
			if d := norm(sub(got[k], whole[k])); d > 0.05*norm(sub(whole[1], whole[0])) {
				t.Errorf("corner %d at %.1f, the card's is at %.1f", k, got[k], whole[k])
			}
		}
	}
}

func TestWhatIsNoFrame(t *testing.T) {
	whole, frame := court()
	marks := topMarks(whole)
	plain := topMarks(whole)
	for i := range plain {
		plain[i].plain = true
	}
	for name, c := range map[string]struct {
		v     view
		marks []mark
	}{
		"its own corners": {view{outline: outline{quad: whole}, noIndex: true}, marks},
		"an index within, and a card below shows one corner": {view{outline: outline{quad: frame}}, marks[:1]},
		"no corner seen":    {view{outline: outline{quad: frame}, noIndex: true}, nil},
		"corners of a back": {view{outline: outline{quad: frame}, noIndex: true}, plain},
		"no area":           {view{noIndex: true}, marks},
		"turned another way": {view{outline: outline{quad: frame}, noIndex: true},
			[]mark{{apex: whole[0], short: sub(whole[3], whole[0]), long: sub(whole[1], whole[0])}}},
	} {
		if q, ok := c.v.whole(c.marks); ok {
			t.Errorf("%s: taken for the frame of %v", name, q)
		}
	}
}

func TestWidened(t *testing.T) {
	whole, frame := court()
	got := widened(frame, 0.125, 0.125) // a tenth of the card is an eighth of the frame
	for k := range 4 {
		if norm(sub(got[k], whole[k])) > 1e-3 {
			t.Errorf("corner %d at %v, want %v", k, got[k], whole[k])
		}
		if math.IsNaN(got[k][0]) {
			t.Fatal("not a number")
		}
	}
}
