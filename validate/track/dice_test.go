package track

import (
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/validate/round"
)

// lain is a die that came to rest at a time, in millimetres from the edge.
func lain(face string, x, still float64) fact.Die {
	return fact.Die{Guesses: []fact.Guess{{Label: face, P: 0.99}}, At: fact.Point{x, 50}, Still: at(still)}
}

// crapsFelt is a table of craps, and what its dice zone is seen to show: since it
// moves, since it rests, and when it was read.
func crapsFelt() (*felt, func(stirred, rest, read float64, dice ...fact.Die)) {
	f := newFelt(newAtlas([]calibration.Zone{square("dice", "", 0, 0, 300, "dice")}, nil, 500), games["dados_craps"], time.Second)
	return f, func(stirred, rest, read float64, dice ...fact.Die) {
		f.see(&fact.Observation{Kind: fact.Stirred, Zone: "dice", Time: at(stirred)})
		f.see(&fact.Observation{Kind: fact.Settled, Zone: "dice", Since: at(rest), Time: at(read), Dice: dice})
	}
}

// An arm over one of two dice that lie still changes nothing of when they came to rest.
func TestAnArmOverADieThrowsNothing(t *testing.T) {
	f, see := crapsFelt()
	see(0, 1, 1.5)
	f.hear(round.Event{Type: round.Announce, Call: "no_va_mas"}, at(2))
	see(3, 4, 4.5, lain("6", 60, 3.8), lain("2", 120, 4))
	see(7, 9, 9.5, lain("6", 61, 3.8), lain("2", 120, 9))
	i := f.scene.outcome()
	if i < 0 || len(f.scene.items[i].dice) != 2 {
		t.Fatalf("%+v", f.scene.items)
	}
	if notTogether(f.scene.items[i].dice) {
		t.Errorf("not thrown together: %+v", f.scene.items[i].dice)
	}
}

// Dice that nobody could read are no dice of which anything was called.
func TestUnreadDiceStayWhereTheyWereSeen(t *testing.T) {
	f, see := crapsFelt()
	see(0, 1, 1.5)
	f.hear(round.Event{Type: round.Announce, Call: "no_va_mas"}, at(5))
	see(3, 8, 8.5, fact.Die{At: fact.Point{60, 50}, Abstain: "blurred"}, fact.Die{At: fact.Point{120, 50}, Abstain: "blurred"})
	if n := len(f.scene.items); n != 2 || f.scene.items[1].kind != diceSeen {
		t.Errorf("%d happenings: %+v", n, f.scene.items)
	}
}

// Dice under hands are called and paid before anybody sees them: they had come to rest
// before the call, if it is of them.
func TestDiceUnderHandsLieBeforeTheyAreCalled(t *testing.T) {
	for name, c := range map[string]struct {
		points int
		called float64
		want   int // index of the dice among closing call, call of the total and dice
	}{
		"called meanwhile":        {8, 5, 1},
		"another total":           {7, 5, 2},
		"called before they came": {8, 2.5, 2},
	} {
		t.Run(name, func(t *testing.T) {
			f, see := crapsFelt()
			see(0, 1, 1.5)
			f.hear(round.Event{Type: round.Announce, Call: "no_va_mas"}, at(2))
			f.hear(round.Event{Type: round.Announce, Call: "total", Points: &c.points}, at(c.called))
			see(3, 8, 8.5, lain("6", 60, 8), lain("2", 120, 8))
			if n := len(f.scene.items); n != 3 {
				t.Fatalf("%d happenings: %+v", n, f.scene.items)
			}
			if got := f.scene.items[c.want]; got.kind != diceSeen {
				t.Errorf("the dice are not at %d: %+v", c.want, f.scene.items)
			}
			if c.want == 1 && !f.scene.items[1].at.Before(f.scene.items[2].at) {
				t.Errorf("the dice lie from %v, called at %v", f.scene.items[1].at, f.scene.items[2].at)
			}
		})
	}
}
