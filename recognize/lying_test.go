package recognize

import (
	"testing"
	"time"

	"vision/internal/fact"
)

// The cards that lie on the table are those read since their zone came to rest, and until then
// those that were seen open to view while hands moved about it.
func TestTheCardsThatLieOnTheTable(t *testing.T) {
	at := func(x float64) fact.Card {
		return fact.Card{Guesses: []fact.Guess{{Label: "8d", P: 0.99}}, At: fact.Point{x, 10},
			Quad: fact.Quad{{x, 0}, {x + 60, 0}, {x + 60, 90}, {x, 90}}}
	}
	read, stirred := &zone{}, &zone{open: []fact.Card{at(300)}}
	read.fused.addCards([]fact.Card{at(0), at(100)})
	tab := &Table{zones: []*zone{read, stirred}}
	if got := tab.lying(); len(got) != 3 || got[0][0] != (fact.Point{0, 0}) || got[2][0] != (fact.Point{300, 0}) {
		t.Errorf("%v, want those at 0, 100 and 300", got)
	}
	stirred.schedule(time.Time{}, time.Time{}, nil)
	if got := tab.lying(); len(got) != 2 {
		t.Errorf("%v once the zone is at rest, want those that are read there", got)
	}
}
