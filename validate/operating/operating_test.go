package operating

import (
	"strings"
	"testing"

	"vision/validate/finding"
)

// A larger budget finds no less, at a threshold that is no higher, and keeps within itself.
func TestAPointOfTheCurve(t *testing.T) {
	rates := Usual()
	last := Point{Threshold: 1}
	for _, budget := range []float64{0.01, 0.1, 0.3, 1, 2, 5, 10, 50} {
		p := Measured().At(rates, budget)
		if p.Threshold > last.Threshold || p.Found < last.Found || p.False > 1000*budget/Shift {
			t.Errorf("%v false alerts a shift: %+v, with fewer %+v", budget, p, last)
		}
		last = p
	}
	if last.Found < 0.5 {
		t.Errorf("of the mistakes %v are found at most", last.Found)
	}
	if p := Measured().At(rates, 1); p.Found < 0.1 || p.Threshold <= 0 || p.Threshold >= 1 {
		t.Errorf("by default %+v", p)
	}
}

// Where tables err more often, as much evidence makes likelier findings, and as many are false.
func TestRatesMoveTheThreshold(t *testing.T) {
	often := Rates{}
	for c, v := range Usual() {
		often[c] = 10 * v
	}
	seldom, many := Measured().At(Usual(), 1), Measured().At(often, 1)
	if many.Threshold <= seldom.Threshold || many.False > 1000.0/Shift {
		t.Errorf("%+v, where ten times as many err %+v", seldom, many)
	}
}

func TestRead(t *testing.T) {
	for name, bad := range map[string]string{
		"no JSON":  `{`,
		"no round": `{"rounds":0}`,
		"no class": `{"rounds":1,"classes":{"weather":{}}}`,
		"rising":   `{"rounds":1,"classes":{"money":{"steps":[{"evidence":1},{"evidence":2}]}}}`,
		"fewer":    `{"rounds":1,"classes":{"money":{"steps":[{"evidence":2,"found":3},{"evidence":1,"found":2}]}}}`,
	} {
		if _, err := Read([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), "operating curve: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, err := Read([]byte(`{"rounds":1000,"classes":{"money":{"wanted":10,"steps":[{"evidence":3,"found":4},{"evidence":1,"found":9,"false":5}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	rates := Rates{finding.ClassMoney: 500} // odds of one
	if p := c.At(rates, 0); p.Found != 0.4 || p.False != 0 || p.Threshold < 0.99 {
		t.Errorf("without a false alert %+v", p)
	}
	if p := c.At(rates, 3); p.Found != 0.9 || p.False != 5 || p.Threshold > 0.91 || p.Threshold < 0.9 {
		t.Errorf("with five in a thousand %+v", p)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Read(data)
		if (c == nil) == (err == nil) {
			t.Fatalf("curve %v and error %v", c, err)
		}
		if c != nil {
			c.At(Usual(), 1)
		}
	})
}
