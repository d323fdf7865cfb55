package card

import (
	"fmt"
	"math"
	"testing"

	"vision/internal/fact"
)

// obliquely is how a camera sees a card of 60 x 84 that lies at the origin.
func obliquely(p fact.Point) fact.Point {
	x, y := p[0]*0.9-p[1]*0.3, p[0]*0.25+p[1]*0.7
	w := 1 + 0.0015*x + 0.002*y
	return fact.Point{200 + x/w, 150 + y/w}
}

// cornerMarks are the four corners of the card, its own top left first, as the
// network tells them: where the sides leave, and all of one expected size.
func cornerMarks(short float64) []mark {
	flat := []fact.Point{{0, 0}, {60, 0}, {60, 84}, {0, 84}}
	var out []mark
	for k, p := range flat {
		s, l := flat[k^1], flat[3-k]
		a := obliquely(p)
		u := unit(sub(obliquely(lerp(p, s, 0.01)), a))
		v := unit(sub(obliquely(lerp(p, l, 0.01)), a))
		out = append(out, mark{cornerScore: 0.8, apex: a, short: scale(u, short), long: scale(v, 1.2*short)})
	}
	return out
}

func TestTwoCornersMeasureTheCard(t *testing.T) {
	want := fact.Quad{obliquely(fact.Point{0, 0}), obliquely(fact.Point{60, 0}), obliquely(fact.Point{60, 84}),
		obliquely(fact.Point{0, 84})}
	for _, short := range []float64{38, 56, 70} { // expected too small, right, too large
		marks := cornerMarks(short)
		for i, m := range marks {
			for k, n := range marks {
				if i == k {
					continue
				}
				t.Run(fmt.Sprint(short, i, k), func(t *testing.T) {
					q, _, ok := m.span(n)
					if !ok {
						t.Fatal("not taken for one card")
					}
					least := 0.97
					if i^k != 2 { // corners of one side do not say how long the others look
						least = 0.75
					}
					if v := iou(q, want); v < least && iou(turn(q, 2), want) < least {
						t.Errorf("%.0f, want %.0f: overlap %.2f", q, want, v)
					}
				})
			}
		}
	}
}

func TestCornersOfTwoCardsMeasureNone(t *testing.T) {
	m := cornerMarks(56)
	aside := m[1]
	aside.apex = add(aside.apex, fact.Point{0, 40})
	far := m[2]
	far.apex = add(far.apex, fact.Point{120, 120})
	for name, n := range map[string]mark{"itself": m[0], "beside the side": aside, "too far": far} {
		if q, _, ok := m[0].span(n); ok {
			t.Errorf("%s: taken for %.0f", name, q)
		}
	}
}

// The third corner, whose own supposition is far off, moves the card's to it.
func TestAThirdCornerMeasures(t *testing.T) {
	labels := func() []float64 { return []float64{0.02, 0.95, 0.03} }
	marks := cornerMarks(38)
	var all []hypothesis
	for _, k := range []int{0, 3, 2} {
		all = append(all, hypothesis{quad: marks[k].quad(), marks: []mark{marks[k]}, labels: labels()})
	}
	cards := join(all)
	if len(cards) != 1 || len(cards[0].marks) != 3 {
		t.Fatalf("%d cards, %d corners in the first; want one of three", len(cards), len(cards[0].marks))
	}
	for _, k := range []int{0, 3, 2} {
		near := math.Inf(1)
		for _, p := range cards[0].quad {
			near = min(near, norm(sub(p, marks[k].apex)))
		}
		if near > 1 {
			t.Errorf("no corner of %.0f at %.0f", cards[0].quad, marks[k].apex)
		}
	}
}

func TestCompany(t *testing.T) {
	r := &Reader{labels: labels{nothing: 0}}
	lying := func(at fact.Point, turn float64, label int) hypothesis {
		c, s := math.Cos(turn), math.Sin(turn)
		p := make([]float64, 4)
		p[label] = 0.9
		return hypothesis{labels: p, marks: []mark{{apex: at, short: fact.Point{50 * c, 50 * s},
			long: fact.Point{-70 * s, 70 * c}}}}
	}
	for name, c := range map[string]struct {
		other hypothesis
		want  bool
	}{
		"the next of a fan":    {lying(fact.Point{14, 3}, 0.15, 2), true},
		"the same, seen again": {lying(fact.Point{14, 3}, 0.15, 1), false},
		"no card":              {lying(fact.Point{14, 3}, 0.15, 0), false},
		"across":               {lying(fact.Point{14, 3}, 1.5, 2), false},
		"far":                  {lying(fact.Point{90, 3}, 0.15, 2), false},
	} {
		cards := []hypothesis{lying(fact.Point{0, 0}, 0, 1), c.other}
		r.markRows(cards)
		if cards[0].row != c.want {
			t.Errorf("%s: company %v, want %v", name, cards[0].row, c.want)
		}
	}
}

// In a fan the outline's side runs on along the next card.
func TestTheNetworkIsRightWhereAnOutlineSupposesAnotherCard(t *testing.T) {
	m := mark{cornerScore: 0.6, apex: fact.Point{100, 100}, short: fact.Point{50, 0}, long: fact.Point{0, 70}}
	for name, c := range map[string]struct {
		long float64 // short side that the outline implies
		want float64
	}{"another card": {120, 50}, "the same card": {54, 54}} {
		e := m
		e.edged, e.cornerScore, e.short = true, 0, fact.Point{c.long, 0}
		cards := join([]hypothesis{
			{quad: e.quad(), marks: []mark{e}, labels: []float64{0, 0.97}},
			{quad: m.quad(), marks: []mark{m}, labels: []float64{0, 0.9}},
		})
		if len(cards) != 1 || cards[0].cornerScore() != 0.6 {
			t.Fatalf("%s: %d cards, heat %v; want one of 0.6", name, len(cards), cards[0].cornerScore())
		}
		if a, _ := sides(cards[0].quad); a != c.want {
			t.Errorf("%s: short side %v, want %v", name, a, c.want)
		}
	}
}
