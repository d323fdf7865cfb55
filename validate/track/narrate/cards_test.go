package narrate

import (
	"testing"
	"time"

	"vision/internal/fact"
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

// The arm that lays the card which decides lies over it while it takes the losers.
func TestTheCardThatDecidesCameBeforeWhatTheCroupierTook(t *testing.T) {
	bank, player := []string{fact.Bank}, []string{fact.Players}
	s := &Narration{
		Counts: Counts{Moves: []Move{
			{Delta: -500, From: at(1), At: at(2), hands: bank},                    // before it was laid
			{Delta: -500, From: at(3), At: at(7), hands: bank},                    // meanwhile
			{Delta: -500, From: at(3), At: at(7), hands: player},                  // its owner's
			{Delta: 500, From: at(3), At: at(7), hands: bank},                     // nobody collects by laying
			{Delta: -500, From: at(8), At: at(9), hands: bank},                    // later
			{Delta: -500, From: at(3), At: at(7), hands: append(player, bank...)}, // or its owner's
		}},
	}
	s.takenAfter(seen("descubiertas", 3, 8))
	for i, want := range []float64{2, 8, 7, 7, 9, 7} {
		if !s.Moves[i].At.Truncate(time.Millisecond).Equal(at(want)) {
			t.Errorf("movement %d at %v, want %v s", i, s.Moves[i].At, want)
		}
	}
	s.Close = at(8) // by that card
	if s.timely(s.Moves[1]) {
		t.Error("what he took is told as withdrawn before the card closed the bets")
	}
}
