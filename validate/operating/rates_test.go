package operating

import (
	"math"
	"testing"

	"vision/validate/finding"
)

// Decided alerts correct a rate: the more rounds, the more; the interval holds it and narrows.
func TestRatesAreLearned(t *testing.T) {
	stated := Usual()
	at := func(rounds, confirmed int) Learned {
		return stated.Learn(rounds, map[finding.Class]int{finding.ClassMoney: confirmed}, nil)[0]
	}
	none := at(0, 0)
	if math.Abs(none.Rate-3) > 1e-9 || none.Stated != 3 || none.Low <= 0 || none.High <= 3 || none.Low >= 3 {
		t.Errorf("of nothing %+v", none)
	}
	if same := at(1e6, 3000); math.Abs(same.Rate-3) > 0.01 || same.High-same.Low >= none.High-none.Low {
		t.Errorf("of a million rounds at that rate %+v", same)
	}
	if more := at(2000, 30); more.Rate != 9 {
		t.Errorf("of 30 in as many rounds as the rate is worth %+v", more) // (6 + 30) / 4,000
	}
	if less := at(10000, 0); less.Rate >= 1 || less.Low < 0 {
		t.Errorf("of none in 10,000 %+v", less)
	}
	if most := at(1, 100000); most.Rate != 500 {
		t.Errorf("of more mistakes than rounds %+v", most)
	}
}
