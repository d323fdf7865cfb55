package narrate

import (
	"slices"
	"testing"

	"vision/internal/card"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// A hand that is given up under the arm that lays the card it bought goes with that
// card; one that is seen without it had none.
func TestABoughtCardIsTakenWithTheHandBeforeAnybodySeesIt(t *testing.T) {
	gone := func(from, left float64) scene.Track {
		return scene.Track{Zone: "seat:1", Leaving: scene.Leaving{Gone: at(from), Left: at(left)}}
	}
	bought := gone(2, 3)
	bought.Retired = at(3)
	for name, c := range map[string]struct {
		slots []scene.Track
		more  []dealtCard
		want  int
	}{
		"under one arm":           {slots: []scene.Track{gone(4, 7), gone(4, 7), bought}, want: 4},
		"too soon for both":       {slots: []scene.Track{gone(4, 5), gone(4, 5), bought}, want: 3},
		"one of them went before": {slots: []scene.Track{gone(4, 7), gone(3.5, 4), bought}, want: 3},
		"one of them lies there":  {slots: []scene.Track{gone(4, 7), {Zone: "seat:1", OnTable: true}, bought}, want: 3},
		"the new one was seen": {slots: []scene.Track{gone(5, 8), gone(5, 8), bought, gone(5, 8)},
			more: []dealtCard{{zone: "seat:1", track: 3, at: at(4)}}, want: 4},
		"nothing was exchanged": {slots: []scene.Track{gone(4, 7), gone(4, 7), gone(4, 7)}, want: 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{Given: Given{Scene: &scene.Scene{Tracks: c.slots}}}
			for i := range 3 {
				s.Hand = append(s.Hand, dealtCard{zone: "seat:1", track: i, at: at(1)})
			}
			s.Hand = append(s.Hand, c.more...)
			s.changedAndTaken()
			if len(s.Hand) != c.want {
				t.Fatalf("%d cards, want %d", len(s.Hand), c.want)
			}
			if last := s.Hand[len(s.Hand)-1]; c.want == 4 && c.more == nil &&
				(!last.at.After(at(4)) || !last.at.Before(at(7)) || !last.down) {
				t.Errorf("the card is told as %+v", last)
			}
		})
	}
}

// Cards that hands took up which came amid the deal may have been fewer than they were dealt;
// where nobody was dealt anything since they came, or somebody sees them lie, they were all.
func TestAHandIsTakenUpBeforeAllOfItIsSeen(t *testing.T) {
	under := hypothesis.Choice{Kind: hypothesis.DealtUnder, Item: 1, Place: scene.Place{Seat: 1}}
	for name, c := range map[string]struct {
		other  float64 // when the other seat's last card was dealt
		lie    bool
		due    int
		choice bool
	}{
		"amid the deal":    {4, false, 4, true},
		"after the deal":   {1, false, 4, false},
		"before the deal":  {8, false, 4, false},
		"they lie there":   {4, true, 4, false},
		"as many as due":   {4, false, 2, false},
		"more than is due": {4, false, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			one := scene.Track{Zone: "seat:1", OnTable: c.lie, Leaving: scene.Leaving{Gone: at(3), Left: at(6)}}
			tracks := []scene.Track{one, one, {Zone: "seat:2", OnTable: true}}
			for _, chosen := range []bool{false, true} {
				s := &Narration{Given: Given{Scene: &scene.Scene{Tracks: tracks}}}
				if chosen {
					s.Hyp = hypothesis.Likeliest.With(under, hypothesis.Alternative{Odds: 1})
				}
				s.Hand = []dealtCard{
					{zone: "seat:1", track: 0, at: at(1)}, {zone: "seat:1", track: 1, at: at(2)}, {zone: "seat:2", track: 2, at: at(c.other)},
				}
				s.dealtUnder("seat:1", c.due)
				if _, met := s.Met[under]; met != c.choice {
					t.Fatalf("comes to the choice: %v", met)
				}
				want := 2
				if chosen && c.choice {
					want = c.due
				}
				if got := s.cardsIn("seat:1"); got != want {
					t.Errorf("%d cards, want %d", got, want)
				}
				if last := s.Hand[len(s.Hand)-1]; want > 2 && (!last.at.Equal(at(4)) || !last.from.Equal(at(3)) || !last.down) {
					t.Errorf("dealt as %+v", last)
				}
			}
		})
	}
}

// The one card of two hands that nobody read after it was set is the one of those turned
// before that is set nowhere else.
func TestTheLastOfSevenCardsIsNamed(t *testing.T) {
	cards := func(names ...string) (cs []card.Card) {
		for _, n := range names {
			c, err := card.Parse(n)
			if err != nil {
				t.Fatal(err)
			}
			cs = append(cs, c)
		}
		return cs
	}
	turned := cards("5s", "8s", "Jc", "Kd", "6c", "7d", "Jd")
	for name, c := range map[string]struct{ high, low, turned, want []card.Card }{
		"of the high hand":  {append(cards("Jc", "Kd", "7d", "Jd"), card.Unseen), cards("5s", "6c"), turned, cards("Jc", "Kd", "7d", "Jd", "8s")},
		"two of them":       {append(cards("Jc", "Kd", "7d"), card.Unseen, card.Unseen), cards("5s", "6c"), turned, nil},
		"not all turned":    {append(cards("Jc", "Kd", "7d", "Jd"), card.Unseen), cards("5s", "6c"), turned[:6], nil},
		"one is strange":    {append(cards("Jc", "Kd", "7d", "As"), card.Unseen), cards("5s", "6c"), turned, nil},
		"all of them known": {cards("Jc", "Kd", "7d", "Jd", "8s"), cards("5s", "6c"), turned, cards("Jc", "Kd", "7d", "Jd", "8s")},
	} {
		want := c.want
		if want == nil {
			want = slices.Clone(c.high)
		}
		if nameTheLast(c.high, c.low, c.turned); !slices.Equal(c.high, want) {
			t.Errorf("%s: %v, want %v", name, c.high, want)
		}
	}
}

// Where more points are called of a hand than lie there, and the hands that are over it then take it up, it may
// have got a card that nobody saw.
func TestACardThatIsCalledAndTakenUp(t *testing.T) {
	ten, _ := card.Parse("Th")
	five, _ := card.Parse("5d")
	for name, c := range map[string]struct {
		called float64 // when
		points int
		choice bool
	}{
		"under the hands":       {5, 25, true},
		"before they came":      {2, 25, false},
		"after they had left":   {7, 25, false},
		"as many as lie there":  {5, 15, false},
		"fewer than lie there ": {5, 14, false},
	} {
		t.Run(name, func(t *testing.T) {
			one := scene.Track{Zone: "seat:2", Leaving: scene.Leaving{Gone: at(3), Left: at(6)}}
			line := round.Event{Type: round.Announce, Call: "puntos_mano", Zone: "seat:2", Points: &c.points}
			sc := &scene.Scene{Tracks: []scene.Track{one, one}, Events: []scene.Event{
				{Kind: scene.Heard, From: at(c.called), At: at(c.called), Line: line},
			}}
			for _, chosen := range []bool{false, true} {
				s := &Narration{Given: Given{Game: &Game{Dealing: Dealing{upTo21: true}}, Scene: sc}}
				under := hypothesis.Choice{Kind: hypothesis.DealtUnder, Item: 1, Place: scene.Place{Seat: 2}}
				if chosen {
					s.Hyp = hypothesis.Likeliest.With(under, hypothesis.Alternative{Odds: 1})
				}
				s.Hand = []dealtCard{
					{zone: "seat:2", track: 0, card: ten, at: at(1)}, {zone: "seat:2", track: 1, card: five, at: at(2)},
				}
				s.calledUnder()
				if _, met := s.Met[under]; met != c.choice {
					t.Fatalf("comes to the choice: %v", met)
				}
				last := s.Hand[len(s.Hand)-1]
				if more := len(s.Hand) > 2; more != (chosen && c.choice) || more && (last.card != card.Unseen || last.down) {
					t.Errorf("dealt %+v", s.Hand)
				}
			}
		})
	}
}
