package recognize

import (
	"testing"
	"time"

	"vision/internal/fact"
	"vision/recognize/watch"
)

// cardAt is a card that was read, 60 pixels wide.
func cardAt(x float64) fact.Card {
	return fact.Card{Guesses: []fact.Guess{{Label: "8d", P: 0.99}}, At: fact.Point{x, 10},
		Quad: fact.Quad{{x, 20}, {x + 60, 20}, {x + 60, 110}, {x, 110}}}
}

// The cards that lie on the table are those read since their zone came to rest, and until then
// those that were seen open to view while hands moved about it.
func TestTheCardsThatLieOnTheTable(t *testing.T) {
	read, stirred := &zone{}, &zone{open: []fact.Card{cardAt(300)}}
	read.fused.addCards([]fact.Card{cardAt(0), cardAt(100)})
	tab := &Table{zones: []*zone{read, stirred}}
	if got := tab.lying(); len(got) != 3 || got[0][0] != (fact.Point{0, 20}) || got[2][0] != (fact.Point{300, 20}) {
		t.Errorf("%v, want those at 0, 100 and 300", got)
	}
	stirred.schedule(time.Time{}, time.Time{}, nil)
	if got := tab.lying(); len(got) != 2 {
		t.Errorf("%v once the zone is at rest, want those that are read there", got)
	}
}

// While something is laid beside a card, or on it, the card is known to lie there for as long as
// it shows as before; once its zone is read again that counts, and after a restart nothing does.
func TestACardThatStillLiesThere(t *testing.T) {
	const w, h = 640, 160
	eye, err := watch.New(w, h, []watch.Zone{{Name: "banca", Glimpses: true,
		Polygons: [][]fact.Point{{{10, 10}, {630, 10}, {630, 150}, {10, 150}}}}}, watch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	z := &zone{}
	tab := &Table{eye: eye, zones: []*zone{z}, last: time.Unix(1e9, 0)}
	pix := make([]byte, w*h)
	for i := range pix {
		pix[i] = byte(60 + i/7%9)
	}
	look := func(pictures int) (last watch.Kind) {
		for range pictures {
			tab.last = tab.last.Add(100 * time.Millisecond)
			events, err := eye.Frame(pix, w, 1, tab.last)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				if last = e.Kind; last == watch.Moving {
					z.reset()
				}
			}
		}
		return last
	}
	lay := func(x, to int) {
		for y := 20; y < 110; y++ {
			for i := y*w + x; i < y*w+to; i++ {
				pix[i] = 220
			}
		}
	}
	lies := func(when string, want ...float64) {
		t.Helper()
		got := tab.lying()
		if len(got) != len(want) {
			t.Fatalf("%s: %v lie there, want those at %v", when, got, want)
		}
		for i := range got {
			if got[i][0][0] != want[i] {
				t.Errorf("%s: one at %v, want %v", when, got[i][0], want[i])
			}
		}
	}
	if look(20) != watch.AtRest {
		t.Fatal("the zone is not at rest")
	}
	z.fused.addCards([]fact.Card{cardAt(100), cardAt(300)})
	z.reads++
	lies("at rest", 100, 300)
	lay(300, 360) // over one of them
	if look(1) != watch.Moving {
		t.Fatal("nothing moves")
	}
	lies("as the zone stirs", 100)
	look(1)
	z.reset()
	lies("when it stirs again", 100)
	z.fused.addCards([]fact.Card{cardAt(500)})
	z.reads++
	lies("read again", 500)
	z.reset()
	tab.restart()
	lies("after a restart")
}
