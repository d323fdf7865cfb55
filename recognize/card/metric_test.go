package card

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/fact"
)

// oblique is a camera's view of the table: vectors in shorter sides of a card to pixels.
func oblique(v fact.Point) fact.Point {
	return fact.Point{90*v[0] + 12*v[1], -8*v[0] + 63*v[1]}
}

// seenCard is a card turned by t as the camera sees it.
func seenCard(at fact.Point, t, ratio float64) lying {
	u := fact.Point{math.Cos(t), math.Sin(t)}
	return lying{at, oblique(u), oblique(scale(fact.Point{-u[1], u[0]}, ratio))}
}

// One card says how any other lies, whatever the turn of both.
func TestMetricOfOneCard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turn := rapid.Float64Range(0, 2*math.Pi)
		one := seenCard(fact.Point{100, 100}, turn.Draw(t, "one"), 1.4)
		want := seenCard(fact.Point{400, 200}, turn.Draw(t, "other"), 1.4)
		k, ok := metricAt(want.at, []lying{one})
		if !ok {
			t.Fatal("no metric")
		}
		if k.ratio != 1.4 {
			t.Errorf("ratio %v of one card, want the usual one", k.ratio)
		}
		// as badly as the network sees it
		m := mark{apex: want.at, short: scale(want.short, 1.2), long: scale(want.long, 0.9)}
		got, ok := m.snapped(k)
		if d := norm(sub(got.short, want.short)) + norm(sub(got.long, want.long)); !ok || d > 1e-6*norm(want.long) {
			t.Errorf("sides %v %v (%v), want %v %v", got.short, got.long, ok, want.short, want.long)
		}
	})
}

// The mark's two sides rarely make a right angle on the table: its turn is the mean.
func TestSnappedTakesTheMeanTurn(t *testing.T) {
	k, _ := metricAt(fact.Point{}, []lying{seenCard(fact.Point{}, 0, 1.4)})
	rot := func(t, r float64) fact.Point { return oblique(fact.Point{r * math.Cos(t), r * math.Sin(t)}) }
	for _, side := range []float64{1, -1} {
		m := mark{short: rot(0.5, 1), long: rot(0.5+side*math.Pi/2+0.2, 1.4)}
		got, ok := m.snapped(k)
		s, l := k.table(got.short), k.table(got.long)
		u := k.table(rot(0, 1)) // the metric's own axes are turned
		if a := math.Atan2(cross(u, s), dot(u, s)); !ok || math.Abs(a-0.6) > 1e-9 {
			t.Errorf("side %v: turned by %v (%v), want 0.6", side, a, ok)
		}
		if math.Abs(norm(s)-1) > 1e-9 || math.Abs(norm(l)-1.4) > 1e-9 || math.Abs(dot(s, l)) > 1e-9 || cross(s, l)*side < 0 {
			t.Errorf("side %v: %v %v is no card", side, s, l)
		}
	}
	for name, m := range map[string]mark{
		"flat":  {short: rot(0, 1), long: rot(0.6, 1.4)},
		"small": {short: rot(0, 0.5), long: rot(math.Pi/2, 0.7)},
		"large": {short: rot(0, 2), long: rot(math.Pi/2, 2.8)},
	} {
		if got, ok := m.snapped(k); ok || got.short != m.short || got.long != m.long {
			t.Errorf("%s: snapped to %v", name, got)
		}
	}
}

// An outline round two cards does not spoil what the others tell, and cards that
// contradict one another say nothing.
func TestMetricOfMost(t *testing.T) {
	var cards []lying
	for i := range 4 {
		cards = append(cards, seenCard(fact.Point{float64(120 * i), 50}, float64(i), 1.56))
	}
	heap := seenCard(fact.Point{200, 160}, 1, 1.4)
	heap.short, heap.long = scale(heap.short, 1.3), scale(heap.long, 1.2)
	k, ok := metricAt(heap.at, append(cards, heap))
	if e := k.error(cards); !ok || k.ratio != 1.56 || e > 1e-9 {
		t.Errorf("ratio %v, error %v (%v); want bridge cards exactly", k.ratio, e, ok)
	}
	if _, ok := metricAt(heap.at, []lying{cards[0], heap}); ok {
		t.Error("two cards that contradict one another make a metric")
	}
	if _, ok := metricAt(heap.at, nil); ok {
		t.Error("no card makes a metric")
	}
	if _, ok := metricAt(heap.at, []lying{{heap.at, fact.Point{50, 0}, fact.Point{70, 0}}}); ok {
		t.Error("a card seen edge on makes a metric")
	}
}

// Without a card read, several sure corners tell; a few do not.
func TestLayOfMarks(t *testing.T) {
	c := seenCard(fact.Point{}, 0, 1.4)
	m := mark{cornerScore: 0.7, short: c.short, long: c.long}
	if got := layOf(nil, []mark{m, m, m}); got != nil {
		t.Errorf("three corners tell %v", got)
	}
	if got := layOf(nil, []mark{m, m, m, m, {cornerScore: 0.5, short: c.short, long: c.long}}); len(got) != 4 {
		t.Errorf("%d of the four sure corners tell", len(got))
	}
	v := view{outline: outline{quad: fact.Quad{{0, 0}, {90, 0}, {90, 126}, {0, 126}}}}
	if got := layOf([]view{v}, []mark{m, m, m, m}); len(got) != 1 || got[0].short != (fact.Point{90, 0}) ||
		got[0].long != (fact.Point{0, 126}) {
		t.Errorf("cards read tell %v", got)
	}
}
