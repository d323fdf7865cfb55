package scene

import (
	"slices"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/validate/round"
)

// The bets are opened at second 6. Whether that ends the round hangs on when hands came to
// its cards; whose chips are whose, on who moved them.
func TestBetsAreOpenedWhileTheTableIsCleared(t *testing.T) {
	at := func(s int) time.Time { return t0.Add(time.Duration(s) * time.Second) }
	chip := []calibration.Chip{{ID: "a", Value: 100}}
	stack := func(n int) []fact.Stack {
		return []fact.Stack{{Chips: slices.Repeat([]string{"a"}, n), Low: n, High: n, P: 1, At: fact.Point{450, 50}}}
	}
	type look struct {
		at, since int // seconds; hands came between since, and the look before
		zone      string
		cards     []fact.Card
		chips     []fact.Stack
		hands     []string
	}
	dealt := look{at: 3, since: 3, zone: "punto", cards: []fact.Card{seenCard("As", 50)}}
	for name, c := range map[string]struct {
		stirred  int // when hands came to the card
		looks    []look
		ended    int // the round, at the call
		chips    int // of the round, changes
		lay, bet int // when the next one began; changes in it
	}{
		"hands were there": {stirred: 5, ended: 1},
		"hands came later": {stirred: 7, ended: 0},
		"the house collects under the same hands": {
			stirred: 5, ended: 1, chips: 2,
			looks: []look{{at: 7, since: 5, zone: "bets", hands: []string{fact.Bank}}},
		},
		"the house collects, a player bets": {
			stirred: 5, ended: 1, chips: 2, bet: 1,
			looks: []look{
				{at: 7, since: 5, zone: "bets", hands: []string{fact.Bank}},
				{at: 8, since: 7, zone: "bets", chips: stack(1), hands: []string{"south"}},
			},
		},
		"a player bets before hands have left": {
			stirred: 5, ended: 1, chips: 1, bet: 1, lay: 3,
			looks: []look{{at: 7, since: 5, zone: "bets", chips: stack(4), hands: []string{"south"}}},
		},
		"a card comes after the call": {
			stirred: 5, chips: 1, ended: 0,
			looks: []look{{at: 8, since: 7, zone: "banca", cards: []fact.Card{seenCard("2c", 750)}}, {at: 9, since: 9, zone: "banca"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			zones := []calibration.Zone{
				square("punto", "", 0, 0, 300, "cards"), square("bets", "punto", 1, 400, 700, "chips"),
				square("banca", "", 0, 700, 1000, "cards"),
			}
			f := NewFelt(NewLayout(zones, chip, 500, erring), &Course{Kind: ByCards})
			see := func(l look) {
				if l.since < l.at {
					f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: l.zone, Time: at(l.since)})
				}
				f.observe(&fact.Observation{Kind: fact.Stable, Zone: l.zone, Time: at(l.at), Since: at(l.at),
					Cards: l.cards, Chips: l.chips, Hands: l.hands})
			}
			for _, z := range zones {
				see(look{zone: z.Name})
			}
			if c.chips+c.bet > 0 {
				see(look{at: 2, since: 1, zone: "bets", chips: stack(3), hands: []string{"south"}})
			}
			see(dealt)
			if c.stirred < 6 {
				f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "punto", Time: at(c.stirred)})
			}
			f.foldLine(round.Event{Type: round.Announce, Call: "hagan_juego"}, at(6))
			if c.stirred > 6 {
				f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "punto", Time: at(c.stirred)})
			}
			for _, l := range c.looks {
				see(l)
			}
			f.observe(&fact.Observation{Kind: fact.Stable, Zone: "punto", Time: at(10), Since: at(10)})

			if len(f.Ended) != c.ended {
				t.Fatalf("%d rounds have ended, want %d", len(f.Ended), c.ended)
			}
			moves := func(sc *Scene) (n int) {
				for _, h := range sc.Events {
					if h.Kind == ChipsSeen {
						n++
					}
				}
				return n
			}
			if c.ended == 0 {
				return
			}
			was := f.Ended[0]
			if !was.Ended.Equal(at(6)) || moves(was) != c.chips {
				t.Errorf("it ended at %v with %d changes of chips, want %v and %d", was.Ended, moves(was), at(6), c.chips)
			}
			if got := f.Scene.Opening[Place{Spot: "punto", Seat: 1}].Total; int(got) != 100*c.lay || moves(f.Scene) != c.bet {
				t.Errorf("the next began on %v with %d changes, want %d chips and %d", got, moves(f.Scene), c.lay, c.bet)
			}
			if i := f.Scene.Last(func(h *Event) bool { return h.IsCall("hagan_juego") }); i != 0 {
				t.Errorf("the call is event %d of the next round, want the first", i)
			}
		})
	}
}
