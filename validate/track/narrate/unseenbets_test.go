package narrate

import (
	"testing"

	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// What a pot grew by more than was counted was bet where chips lay that nobody could count, by
// one of them at most; and it may have been bet under the hands that were there.
func TestThePotTellsWhatNobodyCounted(t *testing.T) {
	bote := func(seat int) scene.Place { return scene.Place{Seat: seat, Spot: scene.BoteSpot} }
	pot := scene.Place{Spot: scene.PotSpot}
	sees := func(p scene.Place, total money.Cents, hidden bool, from, until float64) scene.Event {
		return scene.Event{
			Kind: scene.ChipsSeen, Place: p, From: at(from), At: at(until), Chips: scene.Count{Total: total, Hidden: hidden},
		}
	}
	mv := func(item int, p scene.Place, delta money.Cents, from, until float64) Move {
		return Move{item: item, Place: p, Delta: delta, From: at(from), At: at(until)}
	}
	swept := mv(1, bote(1), -1500, 6, 6.5)
	roughly := mv(2, pot, 3000, 6, 6.6)
	roughly.before, roughly.after = []money.Cents{0}, []money.Cents{2500, 3000}
	joint := swept
	joint.hands = []string{fact.Bank, fact.Players}
	for name, c := range map[string]struct {
		seen      []scene.Event
		moves     []Move
		seat      int // whose bet is recorded, 0 for nobody's
		supposals int // choices of places by which a hypothesis may have it
	}{
		"chips lay there unread": {
			seen:  []scene.Event{sees(bote(2), 0, true, 3, 3.5), sees(bote(2), 0, false, 6, 6.5)},
			moves: []Move{swept, mv(2, pot, 3000, 6, 6.6)}, seat: 2,
		},
		"more was laid on what was counted": {
			seen: []scene.Event{
				sees(bote(1), 1500, false, 2, 2.5), sees(bote(1), 1500, true, 4, 4.5), sees(bote(1), 0, false, 6, 6.5),
			},
			moves: []Move{swept, mv(2, pot, 3000, 6, 6.6)}, seat: 1,
		},
		"they were counted in the end": {
			seen: []scene.Event{
				sees(bote(2), 0, true, 3, 3.5), sees(bote(2), 500, false, 4, 4.5), sees(bote(2), 0, false, 6, 6.5),
			},
			moves: []Move{swept, mv(3, bote(2), -500, 6, 6.5), mv(2, pot, 3000, 6, 6.6)},
		},
		"at two places": {
			seen: []scene.Event{
				sees(bote(2), 0, true, 3, 3.5), sees(bote(3), 0, true, 4, 4.5),
				sees(bote(2), 0, false, 6, 6.5), sees(bote(3), 0, false, 6, 6.5),
			},
			moves: []Move{swept, mv(2, pot, 3000, 6, 6.6)}, supposals: 3, // or half of it at each
		},
		"they were gone before": {
			seen:  []scene.Event{sees(bote(2), 0, true, 1, 1.5), sees(bote(2), 0, false, 2, 2.5)},
			moves: []Move{swept, mv(2, pot, 3000, 6, 6.6)},
		},
		"the pot was counted roughly": {
			seen:  []scene.Event{sees(bote(2), 0, true, 3, 3.5), sees(bote(2), 0, false, 6, 6.5)},
			moves: []Move{swept, roughly}, supposals: 1,
		},
		"a player laid while it was swept": {moves: []Move{joint, mv(2, pot, 3000, 6, 6.6)}, supposals: 1},
		"nothing is lacking": {
			seen:  []scene.Event{sees(bote(2), 0, true, 3, 3.5), sees(bote(2), 0, false, 6, 6.5)},
			moves: []Move{swept, mv(2, pot, 1500, 6, 6.6)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{Given: Given{Scene: &scene.Scene{Events: c.seen}}, Counts: Counts{Moves: c.moves}}
			r := &ringPokerRound{Narration: s, players: []int{1, 2, 3}, dealt: at(1)}
			if back, gone := r.swept()[swept.item]; !gone || back != 0 {
				t.Error("the counted bet did not go to the pot")
			}
			seat := 0
			for _, e := range s.Entries {
				if seat = e.Event.Seat; e.Event.Type != round.Bet || e.Event.Amount != 1500 {
					t.Errorf("%+v is recorded", e.Event)
				}
			}
			if seat != c.seat || len(s.Entries) > 1 {
				t.Errorf("%d bets recorded, of seat %d; want of %d", len(s.Entries), seat, c.seat)
			}
			places := 0
			for choice := range s.Met {
				if choice.Kind == hypothesis.UnseenBet {
					places++
				}
			}
			if places != c.supposals {
				t.Errorf("%d choices of where it was bet, want %d", places, c.supposals)
			}
		})
	}
}
