package card

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/fact"
)

// seenFrom are cards of one size on a table that an oblique camera looks at, with
// w = 1 + v·p in the picture's coordinates.
func seenFrom(v fact.Point, at ...fact.Point) []view {
	var out []view
	for i, p := range at {
		t := 0.7 * float64(i)
		u := fact.Point{40 * math.Cos(t), 40 * math.Sin(t)}
		l := fact.Point{-1.4 * u[1], 1.4 * u[0]}
		q := fact.Quad{sub(sub(p, u), l), sub(add(p, u), l), add(add(p, u), l), add(sub(p, u), l)}
		for k, c := range q { // from the table to the picture
			q[k] = scale(c, 1/(1-dot(v, c)))
		}
		out = append(out, view{outline: outline{quad: q}})
	}
	return out
}

// Levelled, cards near and far are nearly of one size.
func TestTiltMakesCardsEqual(t *testing.T) {
	read := seenFrom(fact.Point{0, 0.0007}, fact.Point{-300, -300}, fact.Point{300, -280}, fact.Point{-50, 20},
		fact.Point{-300, 320}, fact.Point{280, 300})
	spread := func(all []view) float64 {
		low, high := math.Inf(1), 0.0
		for _, v := range all {
			low, high = min(low, area(v.quad[:])), max(high, area(v.quad[:]))
		}
		return high / low
	}
	if k := tiltOf(read); !k.reaches(fact.Point{0, -300}) || k.reaches(fact.Point{3000, 0}) {
		t.Errorf("tilt %+v: reaches (0, -300) %v, (3000, 0) %v", k, k.reaches(fact.Point{0, -300}), k.reaches(fact.Point{3000, 0}))
	}
	before, after := spread(read), spread(tiltOf(read).views(read))
	if before < 2 || after > 1+0.2*(before-1) {
		t.Errorf("areas differ by a factor of %.2f, levelled by %.2f", before, after)
	}
}

func TestTiltNeedsCards(t *testing.T) {
	v := fact.Point{0, 0.0007}
	two := seenFrom(v, fact.Point{0, -300}, fact.Point{0, 300})
	same := seenFrom(v, fact.Point{}, fact.Point{}, fact.Point{})
	wild := append(seenFrom(fact.Point{}, fact.Point{-300, 0}, fact.Point{300, 0}),
		view{outline: outline{quad: fact.Quad{{0, 900}, {900, 900}, {900, 2100}, {0, 2100}}}})
	for name, read := range map[string][]view{"none": nil, "two": two, "in one place": same, "one misread": wild} {
		if got := tiltOf(read); got.v != (fact.Point{}) {
			t.Errorf("%s: %v, want none", name, got)
		}
	}
}

// seen takes back what level did, for marks too.
func TestTiltAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(name string, r float64) float64 { return rapid.Float64Range(-r, r).Draw(t, name) }
		k := tilt{fact.Point{f("ax", 500), f("ay", 500)}, fact.Point{f("vx", 0.0005), f("vy", 0.0005)}, 500}
		m := mark{cornerScore: 0.5, apex: add(k.about, fact.Point{f("x", 500), f("y", 500)}), short: fact.Point{f("sx", 90), f("sy", 90)},
			long: fact.Point{f("lx", 90), f("ly", 90)}}
		got := m.moved(k.level).moved(k.seen)
		if norm(sub(got.apex, m.apex))+norm(sub(got.short, m.short))+norm(sub(got.long, m.long)) > 1e-6 ||
			got.cornerScore != m.cornerScore {
			t.Errorf("%+v becomes %+v", m, got)
		}
	})
}
