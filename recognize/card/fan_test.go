package card

import (
	"slices"
	"testing"

	"vision/internal/fact"
)

// Of a fan of 13 two cards are not read: the corner of one is seen, turned and too large; of
// the other nothing is. Both are read where they lie as their neighbours do.
func TestInAFanTheNeighboursTellHowACardLies(t *testing.T) {
	tb := drawnFan(t)
	r := reader(t)
	const seen, unseen = 4, 8
	var read []view
	var marks []mark
	for i, c := range tb.cards {
		m := cornerOf(c.quad)
		switch i {
		case unseen:
		case seen:
			m.cornerScore, m.short, m.long = 0.6, scale(turnedBy(m.short, 0.2), 1.3), scale(turnedBy(m.long, 0.2), 1.3)
			marks = append(marks, m)
		default:
			read = append(read, inRow(c.label(), m))
		}
	}
	views, err := r.inFan(tb.img, read, marks)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{seen, unseen} {
		if !slices.ContainsFunc(views[len(read):], func(v view) bool {
			return v.guesses[0].Label == tb.cards[i].label() && iou(v.quad, tb.cards[i].quad) > 0.85
		}) {
			t.Errorf("%s is not read", tb.cards[i].label())
		}
	}
	if len(views) != len(tb.cards) {
		t.Errorf("%d cards, want %d", len(views), len(tb.cards))
	}
}

// Of few cards none is told by the others, and what is beside them is not read twice.
func TestAFanIsNotReadTwice(t *testing.T) {
	tb := drawnFan(t)
	r := reader(t)
	var read []view
	var marks []mark
	for _, c := range tb.cards {
		m := cornerOf(c.quad)
		read = append(read, inRow(c.label(), m))
		m.apex = add(m.apex, scale(m.short, 1.5*fitOnePlace))
		marks = append(marks, m)
	}
	for _, n := range []int{2, len(read)} {
		views, err := r.inFan(tb.img, read[:n], marks[:n])
		if err != nil {
			t.Fatal(err)
		}
		if len(views) != n {
			t.Errorf("%d cards of %d", len(views), n)
		}
	}
}

// cornerOf is the card's own top left.
func cornerOf(q fact.Quad) mark { return mark{cornerScore: 0.9, apex: q[0]}.within(q) }

// inRow is a card of a fan that is read by that corner.
func inRow(label string, m mark) view {
	return view{outline: outline{quad: m.quad()}, guesses: []fact.Guess{{Label: label, P: 1}}, agreed: true,
		covered: true, cornerScore: m.cornerScore, marks: []mark{m}, indexP: 1, row: true}
}
