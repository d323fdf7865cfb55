package card

import (
	"math"
	"testing"

	"vision/internal/fact"
)

// The card expected and the index network's window of corners at either side.
func TestMarkQuads(t *testing.T) {
	left := mark{apex: fact.Point{10, 20}, short: fact.Point{100, 0}, long: fact.Point{0, 140}}
	right := mark{apex: fact.Point{110, 20}, short: fact.Point{-100, 0}, long: fact.Point{0, 140}}
	turned := mark{apex: fact.Point{110, 160}, short: fact.Point{-100, 0}, long: fact.Point{0, -140}}
	card := fact.Quad{{10, 20}, {110, 20}, {110, 160}, {10, 160}}
	if left.quad() != card || right.quad() != card || turned.quad() != turn(card, 2) {
		t.Errorf("cards %v, %v, %v", left.quad(), right.quad(), turned.quad())
	}
	if q := left.crop(); q[0] != (fact.Point{10, 20}) || q[2] != (fact.Point{45, 70}) {
		t.Errorf("window at the top left %v", q)
	}
	if q := right.crop(); q[0] != (fact.Point{75, 20}) || q[2] != (fact.Point{110, 70}) {
		t.Errorf("window at the top right %v", q)
	}
}

func TestLevels(t *testing.T) {
	for _, c := range []struct {
		w, h int
		hint Hint
		read span
		want []float64
	}{
		{1920, 1080, Hint{}, span{}, []float64{2. / 3, 2. / 3 / 2.2, 2. / 3 / 4.84}},
		{640, 480, Hint{}, span{}, []float64{1, 1 / 2.2}},
		{200, 120, Hint{}, span{}, []float64{1}},
		{500, 300, Hint{Short: 144}, span{}, []float64{0.5}},
		{500, 300, Hint{Short: 20}, span{}, []float64{1.5}},
		{1920, 1080, Hint{}, span{128, 162}, []float64{0.5}},
		{1920, 1080, Hint{}, span{40, 44}, []float64{2. / 3}},
	} {
		got := levels(c.w, c.h, c.hint, c.read)
		if len(got) != len(c.want) {
			t.Errorf("%d×%d %+v: %v, want %v", c.w, c.h, c.hint, got, c.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-9 {
				t.Errorf("%d×%d %+v: %v, want %v", c.w, c.h, c.hint, got, c.want)
			}
		}
	}
}

// One place of the network's output is decoded to pixels; flat score maps and frames
// of no card's shape give nothing.
func TestGridDecodesAMark(t *testing.T) {
	g := grid{make([]float32, 4*markHeads*3*4), 4, 3}
	put := func(head, x, y int, v float32) { g.v[((head*4+y%2*2+x%2)*g.h+y/2)*g.w+x/2] = v }
	for i := range 2 * 4 * 3 * 4 {
		g.v[i] = -5
	}
	for head, v := range []float32{2, -5, -0.25, -0.5, 2, 0, 0, 2.8} {
		put(head, 5, 2, v)
	}
	m, ok := g.mark(0, 5, 2)
	want := mark{cornerScore: 1 / (1 + math.Exp(-2)), apex: fact.Point{14, -6}, short: fact.Point{64, 0}}
	if !ok || m.apex != want.apex || m.short != want.short || math.Abs(m.cornerScore-want.cornerScore) > 1e-6 || m.plain {
		t.Errorf("got %+v %v, want %+v", m, ok, want)
	}
	if _, ok := g.mark(1, 5, 2); ok {
		t.Error("a plain corner where there is no score")
	}
	put(0, 4, 2, 3)
	if _, ok := g.mark(0, 5, 2); ok {
		t.Error("a mark beside a stronger one")
	}
	if _, ok := g.mark(0, 4, 2); ok {
		t.Error("a mark without sides")
	}
}

func hypothesisAt(m mark, label int, p float64) hypothesis {
	l := make([]float64, 5)
	for i := range l {
		l[i] = (1 - p) / 4
	}
	l[label] = p
	return hypothesis{quad: m.quad(), marks: []mark{m}, labels: l}
}

func TestJoin(t *testing.T) {
	tl := mark{cornerScore: 0.5, apex: fact.Point{0, 0}, short: fact.Point{96, 0}, long: fact.Point{0, 144}}
	br := mark{cornerScore: 0.5, apex: fact.Point{100, 140}, short: fact.Point{-104, 0}, long: fact.Point{0, -136}}
	again, other := tl, tl
	again.apex, again.cornerScore = fact.Point{4, 3}, 0.8
	other.apex = fact.Point{25, 5}
	for name, c := range map[string]struct {
		in            []hypothesis
		cards, marks0 int
	}{
		"two corners of a card":       {[]hypothesis{hypothesisAt(tl, 1, 0.9), hypothesisAt(br, 1, 0.8)}, 1, 2},
		"one corner seen twice":       {[]hypothesis{hypothesisAt(tl, 1, 0.9), hypothesisAt(again, 1, 0.8)}, 1, 1},
		"another card at the foot":    {[]hypothesis{hypothesisAt(tl, 1, 0.9), hypothesisAt(br, 2, 0.8)}, 2, 1},
		"twins, one over the other":   {[]hypothesis{hypothesisAt(tl, 1, 0.9), hypothesisAt(other, 1, 0.8)}, 2, 1},
		"a corner seen as two things": {[]hypothesis{hypothesisAt(tl, 1, 0.9), hypothesisAt(again, 2, 0.6)}, 1, 1},
	} {
		got := join(c.in)
		if len(got) != c.cards || len(got[0].marks) != c.marks0 {
			t.Errorf("%s: %d cards, the first of %d corners; want %d of %d", name, len(got), len(got[0].marks), c.cards, c.marks0)
		}
	}
	whole := join([]hypothesis{hypothesisAt(tl, 1, 0.9), hypothesisAt(br, 1, 0.8)})[0]
	if want := (fact.Quad{{0, 0}, {100, 0}, {100, 140}, {0, 140}}); whole.quad != want {
		t.Errorf("the card between its corners: %v, want %v", whole.quad, want)
	}
	if k, p := top(whole.labels); k != 1 || p < 0.98 {
		t.Errorf("two corners say class %d with %.3f", k, p)
	}
	if h := join([]hypothesis{hypothesisAt(tl, 1, 0.9), hypothesisAt(again, 1, 0.8)})[0].cornerScore(); h != 0.8 {
		t.Errorf("score %v of a corner seen twice, want the greater", h)
	}
}

func TestClear(t *testing.T) {
	at := func(label string, p float64, corners int, score float64) *view {
		return &view{guesses: []fact.Guess{{Label: label, P: p}}, covered: true, marks: make([]mark, corners),
			cornerScore: score,
			indexP:      p}
	}
	row := func(v *view) *view { v.row = true; return v }
	face := func(v *view, indexP, faceP float64) *view {
		v.indexP, v.faceP, v.agreed = indexP, faceP, true
		return v
	}
	for name, c := range map[string]struct {
		v    *view
		want bool
	}{
		"one sure corner of a sure card":      {at("7h", 0.99, 1, 0.7), true},
		"one sure corner of something":        {at("7h", 0.99, 1, 0.4), false},
		"less sure, the face agrees":          {face(at("7h", 0.975, 1, 0.7), 0.9, 0.5), true},
		"less sure, alone":                    {at("7h", 0.975, 1, 0.7), false},
		"less sure, in a row":                 {row(at("7h", 0.68, 1, 0.7)), true},
		"unsure, in a row":                    {row(at("7h", 0.64, 1, 0.7)), false},
		"hardly a corner, in a row":           {row(at("7h", 0.77, 1, 0.4)), true},
		"hardly a corner, in a row, unsure":   {row(at("7h", 0.73, 1, 0.4)), false},
		"no corner to the network, in a row":  {row(at("7h", 0.99, 1, 0)), false},
		"two corners":                         {at("7h", 0.995, 2, 0.4), true},
		"two unsure corners":                  {at("7h", 0.98, 2, 0.9), false},
		"hardly a corner, both networks sure": {face(at("7h", 0.99, 1, 0.4), 0.96, 0.95), true},
		"no corner to the network":            {face(at("7h", 0.99, 1, 0), 0.96, 0.95), false},
		"hardly a corner, the index unsure":   {face(at("7h", 0.99, 1, 0.4), 0.8, 0.99), false},
		"a joker's one corner":                {at("Jk", 1, 1, 0.9), false},
		"one corner of a back":                {at("BK", 1, 1, 0.9), false},
		"two corners of a back":               {at("BK", 0.99, 2, 0.9), true},
	} {
		if got := c.v.clear(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestReconcile(t *testing.T) {
	r := new(Reader)
	v := func(x float64, label string, p float64, covered bool) view {
		q := fact.Quad{{x, 0}, {x + 100, 0}, {x + 100, 140}, {x, 140}}
		return view{outline: outline{quad: q}, guesses: []fact.Guess{{Label: label, P: p}}, agreed: true, covered: covered,
			cornerScore: 0.9, marks: make([]mark, 1)}
	}
	for name, c := range map[string]struct {
		known, covered, want []view
	}{
		"a card read twice":            {[]view{v(0, "As", 1, false)}, []view{v(5, "As", 1, true)}, []view{v(0, "As", 1, false)}},
		"one under the other":          {[]view{v(0, "As", 1, false)}, []view{v(60, "Kd", 1, true)}, []view{v(0, "As", 1, false), v(60, "Kd", 1, true)}},
		"an unread outline, a corner":  {[]view{v(0, "As", 0.5, false)}, []view{v(5, "As", 1, true)}, []view{v(5, "As", 1, true)}},
		"an unread corner, an outline": {[]view{v(0, "As", 1, false)}, []view{v(5, "4s", 0.5, true)}, []view{v(0, "As", 1, false)}},
		"contradiction":                {[]view{v(0, "As", 1, false)}, []view{v(3, "4s", 1, true)}, []view{v(0, "As", 1, false)}},
	} {
		got := r.reconcile(c.known, c.covered)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d views, want %d", name, len(got), len(c.want))
			continue
		}
		for i := range got {
			if got[i].quad != c.want[i].quad || got[i].guesses[0].Label != c.want[i].guesses[0].Label {
				t.Errorf("%s: %v, want %v", name, got[i].guesses, c.want[i].guesses)
			}
		}
	}
}

func TestMarksTakeTheSizeOfTheirNeighbours(t *testing.T) {
	near := view{outline: outline{quad: fact.Quad{{0, 0}, {100, 0}, {100, 140}, {0, 140}}}}
	far := view{outline: outline{quad: fact.Quad{{900, 0}, {950, 0}, {950, 70}, {900, 70}}}}
	m := mark{apex: fact.Point{150, 0}, short: fact.Point{80, 0}, long: fact.Point{0, 112}, cornerScore: 0.7}
	if got := areaNear(m, []view{far, near}, nil); got != 14000 {
		t.Errorf("area %v, want that of the nearest card", got)
	}
	if got := m.sized(14000); math.Abs(got.short[0]-100) > 1e-9 || math.Abs(got.long[1]-140) > 1e-9 {
		t.Errorf("sides %v %v, want 100 and 140", got.short, got.long)
	}
	if got := m.sized(100000); got != m {
		t.Error("a card of quite another size lends its own")
	}
	if got := areaNear(m, nil, []mark{m, m}); got != 0 {
		t.Errorf("two marks say the size: %v", got)
	}
	if got := areaNear(m, nil, []mark{m, m, m}); got != 80*112 {
		t.Errorf("area %v of three marks", got)
	}
}

// Two corners that lie as those of one card do, and might agree, are one
// card though each alone says something else.
func TestJoinsUnsureCorners(t *testing.T) {
	tl := mark{cornerScore: 0.5, apex: fact.Point{0, 0}, short: fact.Point{100, 0}, long: fact.Point{0, 140}}
	br := mark{cornerScore: 0.5, apex: fact.Point{100, 140}, short: fact.Point{-100, 0}, long: fact.Point{0, -140}}
	labelled := func(m mark, l ...float64) hypothesis { return hypothesis{quad: m.quad(), marks: []mark{m}, labels: l} }
	got := join([]hypothesis{labelled(tl, 0.9, 0.1, 0), labelled(br, 0.4, 0.6, 0)})
	if len(got) != 1 || len(got[0].marks) != 2 {
		t.Fatalf("%d cards, want one of two corners", len(got))
	}
	if k, p := top(got[0].labels); k != 0 || p < 0.8 || p > 0.9 {
		t.Errorf("together class %d with %.2f, want the first with 0.36 of 0.42", k, p)
	}
	if got := join([]hypothesis{labelled(tl, 0.9, 0.1, 0), labelled(br, 0, 0.1, 0.9)}); len(got) != 2 {
		t.Error("corners that contradict each other are joined")
	}
}
