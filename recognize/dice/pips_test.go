package dice

import (
	"errors"
	"math"
	"testing"
	"testing/fstest"

	"gocv.io/x/gocv"

	"vision/models"
)

// The third witness by itself: drawn faces, each shown as the finder proposes it.
func TestNamerNamesDrawnFaces(t *testing.T) {
	p, err := loadNamer(models.Shipped())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Net.Close()
	right, n := 0, 0
	for v := 1; v <= 6; v++ {
		for k := range 4 {
			c := newCloseUp(24)
			c.face(v, float64(k)*0.4, ivory, ink)
			m := c.done(0.6)
			mid := float64(m.Cols()-1) / 2
			logits, ok, err := p.name(m, hit{x: mid, y: mid, edge: 24})
			m.Close()
			if err != nil || !ok {
				t.Fatalf("a %d: %v %v", v, ok, err)
			}
			best := 0
			for i := range logits {
				if logits[i] > logits[best] {
					best = i
				}
			}
			if n++; best == v {
				right++
			}
		}
	}
	if 10*right < 9*n {
		t.Errorf("%d of %d drawn faces named rightly, want nine tenths", right, n)
	}
	m := gocv.NewMatWithSize(60, 60, gocv.MatTypeCV8UC3)
	defer m.Close()
	if _, ok, err := p.name(m, hit{x: 2, y: 2, edge: 50}); ok || err != nil {
		t.Errorf("a face half outside the picture: %v, %v, want neither", ok, err)
	}
}

func TestUnusableNamers(t *testing.T) {
	for name, manifest := range map[string]string{
		"none":            `{}`,
		"two values":      `{"pips":{"file":"p","input":[3,48,48],"heads":[{"name":"value","classes":["1","2"]}]}}`,
		"no square":       `{"pips":{"file":"p","input":[3,48,40],"heads":[{"name":"value","classes":["none","1","2","3","4","5","6"]}]}}`,
		"bytes of no net": `{"pips":{"file":"p","sha256":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb","input":[3,48,48],"heads":[{"name":"value","classes":["none","1","2","3","4","5","6"]}]}}`,
	} {
		set := fstest.MapFS{"manifest.json": {Data: []byte(manifest)}, "p": {Data: []byte("a")}}
		if _, err := loadNamer(set); !errors.Is(err, models.ErrModel) {
			t.Errorf("%s: %v, want models.ErrModel", name, err)
		}
	}
}

// What a third witness changes of a verdict of two that was in doubt.
func TestThreeWitnesses(t *testing.T) {
	doubt := verdict{why: unsure}
	named := func(none, four float64) (out [7]float64) {
		for v := range out {
			out[v] = math.Log((1 - none - four) / 5)
		}
		out[0], out[4] = math.Log(none), math.Log(four)
		return out
	}
	values := func(four float64) (out [6]float64) {
		for v := range out {
			out[v] = (1 - four) / 5
		}
		out[3] = four
		return out
	}
	for _, c := range []struct {
		name          string
		heat, edge    float64
		value, weight float64 // of the four: by the network, by the spots
		none, four    float64 // by the third witness
		round         float64
		want          bool
	}{
		{"all say so", 0.7, 20, 0.4, 2, 0.02, 0.8, 1, true},
		{"it sees no face", 0.7, 20, 0.4, 2, 0.3, 0.6, 1, false},
		{"it is of another mind", 0.7, 20, 0.2, 1.2, 0.02, 0.02, 1, false},
		{"not sure enough together", 0.7, 20, 0.2, 1.2, 0.05, 0.3, 1, false},
		{"large, its spots round", 0.7, 60, 0.4, 2, 0.02, 0.8, 0.99, true},
		{"large, its spots not round", 0.7, 60, 0.4, 2, 0.02, 0.8, 0.95, false},
		{"no spots found, both sure", 0.9, 20, 0.6, 0, 0.01, 0.8, 1, true},
		{"no spots found, hardly there", 0.8, 20, 0.6, 0, 0.01, 0.8, 1, false},
		{"no spots found, perhaps none", 0.9, 20, 0.6, 0, 0.05, 0.8, 1, false},
		{"no spots found on a large face", 0.9, 60, 0.6, 0, 0.01, 0.8, 1, false},
	} {
		h := hit{die: c.heat, edge: c.edge, values: values(c.value)}
		e := &evidence{}
		if e.weight[3] = c.weight; c.weight > 0 {
			e.best[3], e.count[3] = &pattern{value: 4}, 2
		}
		got, err := doubt.three(h, e, named(c.none, c.four), func(*pattern) (float64, error) { return c.round, nil })
		if err != nil {
			t.Fatal(err)
		}
		if read := got.why == "" && got.value == 3 && got.p[3] >= 0.9; read != c.want || !c.want && got.why != unsure {
			t.Errorf("%s: %+v, want it read: %v", c.name, got, c.want)
		}
	}
	failed := errors.New("no picture")
	h, e := hit{die: 0.7, edge: 60, values: values(0.4)}, &evidence{weight: [6]float64{3: 2}}
	fails := func(*pattern) (float64, error) { return 0, failed }
	if _, err := doubt.three(h, e, named(0.02, 0.8), fails); !errors.Is(err, failed) {
		t.Errorf("the roundness cannot be measured: %v", err)
	}
}

// What the namer changes of a verdict.
func TestTheNamerIsHeard(t *testing.T) {
	named := func(none, four float64) (out [7]float64) {
		for v := range out {
			out[v] = math.Log((1 - none - four) / 5)
		}
		out[0], out[4] = math.Log(none), math.Log(four)
		return out
	}
	doubt, read := verdict{why: unsure}, verdict{value: 2, p: sure(3)}
	for _, c := range []struct {
		name         string
		of           verdict
		heat, weight float64 // of the die, and of a four by the spots
		none, four   float64 // by the namer
		want         string
	}{
		{"all say so", doubt, 0.95, 3, 0.01, 0.98, "4"},
		{"no spots found, but it is sure", doubt, 0.99, 0, 0.001, 0.997, "4"},
		{"no spots found, and it wavers", doubt, 0.99, 0, 0.05, 0.5, unsure},
		{"hardly a die", doubt, 0.5, 0, 0.05, 0.9, unsure},
		{"it sees no face", doubt, 0.95, 3, 0.7, 0.28, unsure},
		{"it sees none where both do", read, 0.95, 0, 0.5, 0.1, unsure},
		{"it does not mind what both read", read, 0.95, 0, 0.1, 0.2, "3"},
		{"it is sure of another", read, 0.99, 3, 0.001, 0.998, "4"},
	} {
		h, e := hit{die: c.heat, edge: 20, values: [6]float64{}}, &evidence{}
		e.weight[3] = c.weight
		if got := h.reading(c.of.confirm(h, e, named(c.none, c.four))); outcome(got) != c.want {
			t.Errorf("%s: %+v, want %s", c.name, got, c.want)
		}
	}
}

// The log odds of a die, spots and the namer add up to probabilities.
func TestProbabilitiesOfAFaceSumToOne(t *testing.T) {
	e := &evidence{weight: [6]float64{1, 9, -3, 0, 2, 100}}
	for _, die := range []float64{0.3, 0.9, 1} {
		sum := 0.0
		for _, p := range (hit{die: die}).named(e, [7]float64{3, -2, 8, 1, 0, 40, -40}) {
			if sum += p; !(p >= 0) {
				t.Fatalf("probability %v", p)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("a die of %v: sum %v", die, sum)
		}
	}
}
