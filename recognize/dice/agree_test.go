package dice

import (
	"cmp"
	"errors"
	"testing"

	"vision/internal/fact"
)

func sure(value int) (p [6]float64) {
	for v := range p {
		p[v] = 0.01
	}
	p[value-1] = 0.95
	return p
}

// shown is evidence for one value.
func shown(value int, weight float64) *evidence {
	e := new(evidence)
	e.weight[value-1], e.count[value-1], e.best[value-1] = weight, 6, &pattern{value: value}
	return e
}

// outcome is what was read, or why nothing was.
func outcome(d fact.Die) string {
	label, _ := fact.Best(d.Guesses)
	return cmp.Or(d.Abstain, label)
}

func TestWhatTwoWitnessesSay(t *testing.T) {
	open := [6]float64{0.2, 0.1, 0.1, 0.2, 0.2, 0.2}
	for _, c := range []struct {
		name  string
		in    hit
		e     *evidence
		round float64
		want  string // label, or the reason of an abstention
	}{
		{"both, in little doubt of the die", hit{edge: 25, die: 0.6, values: sure(4)}, shown(4, 4), 1, "4"},
		{"both, in doubt of the die", hit{edge: 25, die: 0.45, values: sure(4)}, shown(4, 4), 1, unsure},
		{"a six in much doubt of the die", hit{edge: 25, die: 0.47, values: sure(6)}, shown(6, 5), 1, "6"},
		{"a single spot needs the die", hit{edge: 25, die: 0.7, values: sure(1)}, shown(1, 4), 1, unsure},
		{"a single spot on a die", hit{edge: 25, die: 0.9, values: sure(1)}, shown(1, 4), 1, "1"},
		{"spots where the network wavers", hit{edge: 25, die: 0.8, values: open}, shown(5, 5), 1, "5"},
		{"faint spots where it wavers", hit{edge: 25, die: 0.8, values: open}, shown(5, 0.9), 1, unsure},
		{"fair spots where it wavers, in doubt of the die", hit{edge: 25, die: 0.7, values: open}, shown(5, 1.5), 1, unsure},
		{"fair spots where it wavers, surely a die", hit{edge: 25, die: 0.8, values: open}, shown(5, 1.5), 1, "5"},
		{"the network alone", hit{edge: 25, die: 0.99, values: [6]float64{2: 1}}, new(evidence), 0, unsure},
		{"nobody", hit{edge: 25, die: 0.94, values: open}, new(evidence), 0, unsure},
		{"large without spots", hit{edge: 80, die: 0.99, values: [6]float64{2: 1}}, new(evidence), 0, unsure},
		{"large with spots", hit{edge: 80, die: 0.8, values: sure(3)}, shown(3, 4), 0.99, "3"},
		{"large with hearts", hit{edge: 80, die: 0.99, values: sure(5)}, shown(5, 6), 0.93, unsure},
		{"one against the other", hit{edge: 25, die: 0.94, values: [6]float64{5: 1}}, shown(3, 2.1), 1, contradicted},
	} {
		d, err := decide(c.in, c.e, func(*pattern) (float64, error) { return c.round, nil })
		if err != nil {
			t.Fatal(err)
		}
		if got := c.in.reading(d); outcome(got) != c.want {
			t.Errorf("%s: %+v, want %s", c.name, got, c.want)
		}
	}
}

func TestReadingSaysWhere(t *testing.T) {
	got := hit{x: 50, y: 60, edge: 20}.reading(verdict{p: sure(6), value: 5})
	if got.Quad != (fact.Quad{{40, 50}, {60, 50}, {60, 70}, {40, 70}}) || len(got.Guesses) != 3 ||
		got.Guesses[0] != (fact.Guess{Label: "6", P: 0.95}) {
		t.Errorf("%+v", got)
	}
}

func TestDecideHandsErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	if _, err := decide(hit{edge: 80, die: 1, values: sure(3)}, shown(3, 4),
		func(*pattern) (float64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestASideLiesUnderAnUpperFace(t *testing.T) {
	upper := hit{x: 100, y: 60, edge: 40, die: 0.45}
	for name, c := range map[string]struct {
		in   hit
		want bool
	}{
		"right under it":  {hit{x: 104, y: 100, edge: 40, die: 0.8}, true},
		"to the left":     {hit{x: 78, y: 94, edge: 34, die: 0.8}, true},
		"to the right":    {hit{x: 122, y: 94, edge: 34, die: 0.8}, true},
		"over it":         {hit{x: 100, y: 20, edge: 40, die: 0.8}, false},
		"beside it":       {hit{x: 142, y: 64, edge: 40, die: 0.8}, false},
		"far under it":    {hit{x: 100, y: 130, edge: 40, die: 0.8}, false},
		"much larger":     {hit{x: 100, y: 130, edge: 80, die: 0.8}, false},
		"the face itself": {upper, false},
	} {
		if got := c.in.under([]hit{upper, c.in}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if (hit{x: 104, y: 100, edge: 40, die: 0.9}).under([]hit{{x: 100, y: 60, edge: 40, die: 0.3}}) {
		t.Error("what is hardly a die hides one")
	}
}

func TestSpotsOfAnUpperFaceAreLongAndLevel(t *testing.T) {
	for name, c := range map[string]struct {
		in   *pattern
		want bool
	}{
		"long and level":  {&pattern{value: 2, spots: []spot{{long: 1.8, turn: 0.1}, {long: 1.7, turn: -0.1}}}, true},
		"one is upright":  {&pattern{value: 2, spots: []spot{{long: 1.8, turn: 0.1}, {long: 1.7, turn: 1.5}}}, false},
		"one is round":    {&pattern{value: 2, spots: []spot{{long: 1.8}, {long: 1.1}}}, false},
		"a single one":    {&pattern{value: 1, spots: []spot{{long: 1.8}}}, false},
		"nothing is seen": {nil, false},
	} {
		if got := c.in.fromAbove(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
