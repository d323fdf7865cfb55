package recognize

import (
	"testing"
	"time"

	"vision/internal/card"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/sim"
)

// What has lain unchanged since the table was first seen is read for some minutes and is
// print then, a card beside it is read; once it has gone it is a card again, and what came
// later never is print.
func TestWhatLastsIsPrint(t *testing.T) {
	s, tab := desk(t, "blackjack", 7)
	at, n := time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC), uint64(0)
	cards := map[string]int{}
	shown := func(long time.Duration) {
		t.Helper()
		for end := at.Add(long); at.Before(end); at = at.Add(200 * time.Millisecond) {
			if long > time.Minute { // nothing happens
				at = at.Add(2 * time.Second)
			}
			img, err := s.Picture()
			if err != nil {
				t.Fatal(err)
			}
			n++
			seen, err := tab.Frame(cv.Still(img), at, n)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range seen {
				if o.Kind == fact.Stable {
					cards[o.Zone] = len(o.Cards)
				}
			}
		}
	}
	want := func(when string, third, second int) {
		t.Helper()
		if cards["seat:3"] != third || cards["seat:2"] != second {
			t.Errorf("%s: %d cards at seat 3, %d at seat 2; want %d and %d", when, cards["seat:3"], cards["seat:2"], third, second)
		}
	}
	lay := func(zone string, c card.Card) {
		if err := s.Cards(zone, []card.Card{c}); err != nil {
			t.Fatal(err)
		}
	}
	lay("seat:3", 1)
	shown(8 * time.Second)
	want("at first", 1, 0)
	lay("seat:2", 20)
	shown(8 * time.Second)
	want("a card comes", 1, 1)
	shown(lastingAfter)
	want("after minutes", 0, 1)
	s.Clear()
	shown(8 * time.Second)
	want("all is taken up", 0, 0)
	for range 2 { // it takes more than one rest: a hand may lie there
		lay("seat:3", 30)
		shown(6 * time.Second)
		s.Clear()
		shown(6 * time.Second)
	}
	lay("seat:3", 1)
	shown(8 * time.Second)
	want("another lies there", 1, 0)
}

// Chips that are counted stay chips, however long they lie.
func TestABankThatLasts(t *testing.T) {
	s, tab := deskOf(t, sim.Config{Game: "blackjack", Seed: 7})
	if _, err := s.Stacks("seat:1 main", 1, 4, false); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	chips := -1
	for n := range uint64(200) {
		img, err := s.Picture()
		if err != nil {
			t.Fatal(err)
		}
		seen, err := tab.Frame(cv.Still(img), at, n+1)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range seen {
			if o.Kind == fact.Stable && o.Zone == "seat:1 main" {
				chips = len(o.Chips)
			}
		}
		if at = at.Add(200 * time.Millisecond); n > 40 {
			at = at.Add(2 * time.Second)
		}
	}
	if chips != 1 {
		t.Errorf("%d stacks are read where one has lain for minutes", chips)
	}
}
