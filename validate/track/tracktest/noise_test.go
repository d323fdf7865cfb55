package tracktest

import (
	"testing"

	"vision/internal/fact"
)

// The noise of counts errs as seldom as it is told to, by one chip, and keeps what it makes of a
// pile as long as it lies.
func TestCountsErrAsSeldomAsTold(t *testing.T) {
	dis := Real()
	maker := newPlayer(7, dis, nil, nil)
	const piles = 20000
	wrong, rough, kept := 0, 0, 0
	for tag := range piles {
		s := fact.Stack{Chips: []string{"a", "a", "a", "a"}, Low: 4, High: 4, P: 0.999}
		one, two := maker.counted(tag, s), maker.counted(tag, s)
		switch n := len(one.Chips); {
		case one.Abstain != "":
			if rough++; one.P > halved && (one.Low > 4 || one.High < 4) || n < one.Low || n > one.High {
				t.Fatalf("a rough count of four is %+v", one)
			}
		case n != 4:
			wrong++
			if n != 3 && n != 5 || one.P < 0.9 || one.Low != n {
				t.Fatalf("a wrong count of four is %+v", one)
			}
			if len(two.Chips) == n {
				kept++
			}
		}
	}
	if share := float64(wrong) / piles; share < 0.7*dis.Sure || share > 1.3*dis.Sure {
		t.Errorf("%.4f are wrong, want %.4f", share, dis.Sure)
	}
	if share := float64(rough) / piles; share < 0.9*dis.Vague || share > 1.1*dis.Vague {
		t.Errorf("%.3f are rough, want %.3f", share, dis.Vague)
	}
	if 10*kept < 5*wrong {
		t.Errorf("%d of %d wrong counts are kept, want most", kept, wrong)
	}
}

// A part of the noise alone is no other.
func TestPartsOfTheNoise(t *testing.T) {
	for name := range parts {
		if d := Real().Only(name); d == (Disorder{Jitter: 1}) || d == Real() {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if Real().Only() != Real() {
		t.Error("without names it is not all of it")
	}
}
