package narrate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"vision/internal/fact"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// under is an event of a zone over which hands were from one time to another.
func under(k scene.Kind, zone string, seat int, from, until float64) scene.Event {
	return scene.Event{Kind: k, Zone: zone, Place: scene.Place{Seat: seat, Spot: "ante"}, From: at(from), At: at(until)}
}

// housed is an event under the hands of the house alone.
func housed(h scene.Event) scene.Event {
	h.Hands = []string{fact.Bank}
	return h
}

func called(call string, when float64) scene.Event {
	return scene.Event{
		Kind: scene.Heard, From: at(when), At: at(when), Line: round.Event{Type: round.Announce, Call: call},
	}
}

// order is in which order the events of a scene most likely came about, by number.
func order(t *testing.T, game string, events []scene.Event) (numbers []int) {
	t.Helper()
	g, err := GameByCode(game)
	if err != nil {
		t.Fatal(err)
	}
	s := &Narration{Given: Given{Game: g, Scene: &scene.Scene{Course: &g.Course, Events: events}}}
	s.retime()
	for i, h := range s.Scene.Events {
		if i > 0 && h.At.Before(s.Scene.Events[i-1].At) || h.At.Before(h.From) || h.At.After(events[h.Number].At) {
			t.Errorf("event %d of %s came about at %s, under hands from %s to %s", h.Number, h.Zone, h.At, h.From,
				events[h.Number].At)
		}
		numbers = append(numbers, h.Number)
	}
	return numbers
}

// What came about under hands has its place where the round goes on as it goes: hand by hand,
// seat by seat, one kind of thing after the other; where nothing speaks for another, when
// hands had left.
func TestWhatHandsHideHasItsPlaceInTheCourse(t *testing.T) {
	seen, turned, chips := scene.CardSeen, scene.CardTurned, scene.ChipsSeen
	for name, c := range map[string]struct {
		game   string
		events []scene.Event
		want   []int
	}{
		"the bank's card before the board": {
			"texas_poker", []scene.Event{
				under(seen, "seat:1", 0, 1, 4), under(seen, "board", 0, 12, 14), under(seen, "board", 0, 18, 20),
				under(seen, "bank", 0, 6, 24),
			}, []int{0, 3, 1, 2},
		},
		"a hand before it is called who wins": {
			"omaha_circulo", []scene.Event{
				under(turned, "seat:2", 0, 1, 4), called("gana", 14), under(turned, "seat:3", 0, 8, 22),
			}, []int{0, 2, 1},
		},
		"turns go round: a lower seat after a higher": {
			"omaha_circulo", []scene.Event{
				under(turned, "seat:3", 0, 1, 4), called("gana", 14), under(turned, "seat:1", 0, 8, 22),
			}, []int{0, 2, 1},
		},
		"seat by seat": {
			"tripoker", []scene.Event{
				under(chips, "seat:1 ante", 1, 1, 4), under(chips, "seat:3 ante", 3, 12, 15),
				under(chips, "seat:2 ante", 2, 6, 30),
			}, []int{0, 2, 1},
		},
		"each card put aside before its own": {
			"holdem_circulo", []scene.Event{
				under(seen, "board", 0, 14, 16), under(chips, "seat:1 bote", 1, 20, 23), under(seen, "board", 0, 34, 36),
				under(seen, "burn", 0, 10, 40), under(seen, "burn", 0, 10, 40), under(turned, "seat:1", 0, 42, 44),
			}, []int{3, 0, 1, 4, 2, 5},
		},
		"a card put aside before a street of hands": {
			"poker_descubierto_7", []scene.Event{
				under(chips, "seat:1 bote", 1, 1, 15), under(seen, "seat:1", 0, 40, 43), under(seen, "seat:2", 0, 48, 55),
				under(seen, "burn", 0, 30, 58), under(chips, "seat:1 bote", 1, 60, 70),
			}, []int{0, 3, 1, 2, 4},
		},
		"its place was bare between the two": {
			"poker_descubierto_7", []scene.Event{
				under(seen, "seat:1", 0, 40, 43), under(seen, "seat:2", 0, 48, 55), under(seen, "burn", 0, 44, 58),
				under(chips, "seat:1 bote", 1, 60, 70),
			}, []int{0, 2, 1, 3},
		},
		"the card that decides before what the house took under the same arm": {
			"monte_banca", []scene.Event{
				called("no_va_mas", 1), housed(under(chips, "seat:1 viudo:4", 1, 3, 7)), under(seen, "descubiertas", 0, 3, 8),
			}, []int{0, 2, 1},
		},
		"not before what a player took": {
			"monte_banca", []scene.Event{
				called("no_va_mas", 1), under(chips, "seat:1 viudo:4", 1, 3, 7), under(seen, "descubiertas", 0, 3, 8),
			}, []int{0, 1, 2},
		},
		"cards before the bonus that is lost by them": {
			"texas_poker", []scene.Event{
				called("texas_bonus", 4), housed(under(chips, "seat:1 txb", 1, 6, 7)),
				housed(under(chips, "seat:2 txb", 2, 6, 7.5)), under(turned, "seat:1", 0, 5, 9),
			}, []int{0, 3, 1, 2},
		},
		"a hand under the arm that settles was shown before": {
			"pai_gow_poker", []scene.Event{
				under(turned, "bank", 0, 1, 2), housed(under(chips, "seat:1 apuesta", 1, 5, 6)),
				under(turned, "seat:1", 0, 4, 6.5),
			}, []int{0, 2, 1},
		},
		"reached for later": {
			"pai_gow_poker", []scene.Event{
				under(turned, "bank", 0, 1, 2), housed(under(chips, "seat:1 apuesta", 1, 5, 6)),
				under(turned, "seat:1", 0, 6.1, 6.5),
			}, []int{0, 1, 2},
		},
		"a hand over 21 is collected before the next gets a card": {
			"blackjack", []scene.Event{
				under(seen, "seat:1", 0, 1, 2), under(seen, "seat:2", 0, 5, 6), under(seen, "seat:2", 0, 8, 9),
				housed(under(chips, "seat:1 main", 1, 4, 6.5)),
			}, []int{0, 3, 1, 2},
		},
		"nothing speaks for another": {
			"tripoker", []scene.Event{
				under(chips, "seat:1 ante", 1, 1, 4), under(chips, "seat:2 ante", 2, 12, 15),
				under(chips, "seat:3 ante", 3, 6, 30),
			}, []int{0, 1, 2},
		},
		"never before hands came": {
			"omaha_circulo", []scene.Event{
				under(turned, "seat:2", 0, 1, 4), called("gana", 14), under(turned, "seat:3", 0, 16, 22),
			}, []int{0, 1, 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := order(t, c.game, c.events); !slices.Equal(got, c.want) {
				t.Errorf("order %v, want %v", got, c.want)
			}
		})
	}
}

// Whatever was seen, each thing keeps a time while hands were there, and cards of one zone that
// were seen at once their order.
func TestTimesStayUnderTheHands(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	zones := []string{"seat:1", "seat:2", "bank", "board", "burn", "seat:1 ante", "seat:2 ante"}
	for range 2000 {
		var events []scene.Event
		until := map[string]float64{}
		for now := 0.0; now < 60; now += 12 * rng.Float64() {
			zone := zones[rng.IntN(len(zones))]
			kind, from := scene.CardSeen, max(until[zone], now-40*rng.Float64())
			if zone == "seat:1 ante" || zone == "seat:2 ante" {
				kind = scene.ChipsSeen
			}
			if from >= now {
				continue
			}
			until[zone] = now
			for range 1 + rng.IntN(2) {
				events = append(events, under(kind, zone, 1+rng.IntN(3), from, now))
			}
		}
		numbers := order(t, "holdem_circulo", events)
		for i, n := range numbers {
			for _, m := range numbers[:i] {
				if m > n && events[m].Zone == events[n].Zone {
					t.Fatalf("%v: of %s, %d came about before %d", numbers, events[n].Zone, m, n)
				}
			}
		}
	}
}
