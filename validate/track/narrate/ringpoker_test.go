package narrate

import (
	"testing"

	"vision/internal/money"
	"vision/validate/track/scene"
)

// A bet that nobody called goes back while the others go to the pot, of which the
// house takes its part before anybody sees it again.
func TestABetGoesBackBesideADeduction(t *testing.T) {
	bote := func(seat int) scene.Place { return scene.Place{Seat: seat, Spot: scene.BoteSpot} }
	pot, rake := scene.Place{Seat: 0, Spot: scene.PotSpot}, scene.Place{Seat: 0, Spot: scene.RakeSpot}
	seat := func(seat int) scene.Place { return scene.Place{Seat: seat, Spot: scene.PaySpot} }
	mv := func(item int, p scene.Place, delta money.Cents, from, until float64) Move {
		return Move{item: item, Place: p, Delta: delta, From: at(from), At: at(until)}
	}
	for name, c := range map[string]struct {
		moves []Move
		swept map[int]bool
	}{
		"the pot shows all": {[]Move{mv(1, bote(2), -1500, 5, 5.5), mv(2, bote(1), -1500, 6, 6.5),
			mv(3, bote(2), -1500, 6, 6.5), mv(4, pot, 3000, 6, 7)},
			map[int]bool{1: false, 2: true, 3: true}},
		"the house took its part meanwhile": {[]Move{mv(1, bote(2), -1500, 5, 5.5), mv(2, bote(1), -1500, 6, 6.5), mv(3, bote(2), -1500, 6, 6.5),
			mv(4, rake, 800, 7, 7.5), mv(5, pot, 2200, 6, 8)}, map[int]bool{1: false, 2: true, 3: true}},
		"nothing goes back": {[]Move{mv(2, bote(1), -1500, 6, 6.5), mv(3, bote(2), -1500, 6, 6.5),
			mv(4, rake, 800, 7, 7.5), mv(5, pot, 2200, 6, 8)},
			map[int]bool{2: true, 3: true}},
		"the pot is pushed with them in it": {[]Move{mv(1, bote(1), -500, 3, 3.5), mv(2, bote(2), -500, 3, 3.5),
			mv(3, seat(2), 10000, 4.5, 5), mv(4, pot, -9000, 3, 6)},
			map[int]bool{1: true, 2: true}},
		"one of them goes back": {[]Move{mv(1, bote(1), -500, 3, 3.5), mv(2, bote(2), -800, 3, 3.5),
			mv(3, seat(2), 10000, 4.5, 5), mv(4, pot, -9500, 3, 6)},
			map[int]bool{1: true, 2: false}},
		"both go back": {[]Move{mv(1, bote(1), -500, 3, 3.5), mv(2, bote(2), -800, 3, 3.5), mv(3, seat(2), 10000, 4.5, 5),
			mv(4, pot, -10000, 3, 6)},
			map[int]bool{1: false, 2: false}},
		"the pot was at rest when it was pushed": {[]Move{mv(1, bote(1), -500, 3, 3.5), mv(3, seat(2), 10000, 6, 6.5), mv(4, pot, -10000, 3, 6)},
			map[int]bool{1: false}},
		"the pot is pushed before it comes to rest": {[]Move{mv(1, bote(2), -500, 1, 1.5), mv(2, bote(1), -500, 3, 3.5),
			mv(3, seat(2), 1000, 4, 5), mv(4, bote(2), -500, 3, 5)},
			map[int]bool{1: false, 2: true, 4: true}},
		"it is pushed long after the house took its part": {[]Move{mv(1, bote(2), -1000, 1.5, 2), mv(2, bote(1), -1000, 3, 3.5), mv(3, bote(2), -1000, 3, 3.5),
			mv(4, rake, 100, 4.2, 4.8), mv(5, seat(2), 1900, 6.7, 8.2)}, map[int]bool{1: false, 2: true, 3: true}},
		"it holds more than they": {[]Move{mv(1, bote(1), -500, 3, 3.5), mv(2, bote(2), -500, 3, 3.5), mv(3, seat(2), 4000, 4, 5)},
			map[int]bool{1: false, 2: false}},
		"they go back, and another pot is pushed": {[]Move{mv(1, pot, 4000, 1, 2), mv(2, bote(1), -500, 6, 6.5),
			mv(3, bote(2), -500, 6, 6.5), mv(4, seat(2), 1000, 7, 8)},
			map[int]bool{2: false, 3: false}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{Given: Given{Scene: &scene.Scene{}}, Counts: Counts{Moves: c.moves}}
			swept := (&ringPokerRound{Narration: s}).swept()
			for item, want := range c.swept {
				if back, gone := swept[item]; (gone && back == 0) != want {
					t.Errorf("movement %d went to the pot: %v, %v of it back", item, gone, back)
				}
			}
		})
	}
}

// What was pushed and counted only roughly is what is missing in the pot, without what
// left it meanwhile.
func TestThePotTellsWhatWasPushed(t *testing.T) {
	pot, rake := scene.Place{Seat: 0, Spot: scene.PotSpot}, scene.Place{Seat: 0, Spot: scene.RakeSpot}
	mv := func(item int, p scene.Place, delta money.Cents, from, until float64) Move {
		return Move{item: item, Place: p, Delta: delta, From: at(from), At: at(until)}
	}
	roughly := func(m Move) Move { m.after = []money.Cents{500, 600}; return m }
	push := mv(3, scene.Place{Seat: 1, Spot: scene.PaySpot}, 850, 6, 7)
	push.before, push.after = []money.Cents{0}, []money.Cents{850, 950}
	for name, c := range map[string]struct {
		others []Move
		want   money.Cents
		sure   bool
	}{
		"the pot shrank by more":         {[]Move{mv(4, pot, -950, 5.8, 7.5)}, 950, true},
		"and before by the rake":         {[]Move{mv(1, rake, 50, 2, 3), mv(2, pot, -50, 2, 4), mv(4, pot, -950, 5.8, 7.5)}, 950, true},
		"by the rake in the same motion": {[]Move{mv(1, rake, 50, 3.5, 4), mv(4, pot, -1000, 3, 7.5)}, 950, true},
		"the rake was counted roughly":   {[]Move{roughly(mv(1, rake, 50, 3.5, 4)), mv(4, pot, -1000, 3, 7.5)}, 850, false},
		"by what it cannot be":           {[]Move{mv(4, pot, -1200, 5.8, 7.5)}, 850, false},
		"it was counted roughly":         {[]Move{roughly(mv(4, pot, -950, 5.8, 7.5))}, 850, false},
		"another player got chips of it": {[]Move{mv(4, pot, -1050, 5.8, 7.5), mv(5, scene.Place{Seat: 2, Spot: scene.PaySpot}, 100, 6, 7)}, 950, true},
		"it changed again":               {[]Move{mv(4, pot, -950, 5.8, 6.5), mv(5, pot, 100, 6.6, 7)}, 850, false},
		"nobody saw it":                  {nil, 850, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{
				Given: Given{Scene: &scene.Scene{}},
				Counts: Counts{
					Moves:       append([]Move{push}, c.others...),
					RoughCounts: map[int]RoughCount{3: {push.Place, scene.Count{}, push.after, push.Delta}},
				},
			}
			(&ringPokerRound{Narration: s, back: map[int]money.Cents{}}).pushes()
			if len(s.Entries) == 0 || s.Entries[0].Event.Amount != c.want {
				t.Errorf("told %+v, want a payment of %d", s.Entries, c.want)
			}
			if _, rough := s.RoughCounts[3]; rough == c.sure {
				t.Errorf("it is still rough: %v", rough)
			}
		})
	}
}
