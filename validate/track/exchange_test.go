package track_test

import (
	"fmt"
	"slices"
	"testing"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// What seat 1 and the bank hold at five-card draw against the house once shown.
var (
	drawFaces = []string{"9h", "9c", "4d", "7s", "Ks"}
	drawBank  = []string{"Tc", "Td", "3h", "6h", "Qs"}
)

// drawDealt plays five-card draw against the house up to the second stake.
func (p *play) drawDealt() (own, house []int) {
	p.call("hagan_juego")
	p.lay("seat:1 ante", "e5", 2)
	p.call("no_va_mas")
	for range drawFaces {
		own = append(own, p.card("seat:1", "??", true))
		house = append(house, p.card("bank", "??", true))
	}
	p.lay("seat:1 second", "e5", 4)
	return own, house
}

// drawShown shows both hands, of which the bank changes nothing, and takes them up.
func (p *play) drawShown(own, house []int) {
	p.turn("bank", drawBank, house...)
	p.say("action", map[string]any{"action": "stand", "zone": "bank"})
	p.wait(2)
	p.turn("seat:1", drawFaces, own...)
	p.wait(4)
	p.lift(slices.Concat(own, house)...)
}

// hastily plays five-card draw against the house of which a reader sees six
// pictures a second: seat 1 changes one card, for another in the same place
// before the zone was at rest without it; swapped leaves it at that it was said.
func hastily(t *testing.T, swapped bool) *track.Round {
	t.Helper()
	p := &play{}
	own, house := p.drawDealt()
	p.say("action", map[string]any{"action": "draw", "seat": 1, "discard": []any{"??"}})
	p.wait(1)
	if swapped {
		p.lift(own[4])
		p.wait(-0.4)
		p.slot["seat:1"]--
		own[4] = p.card("seat:1", "??", true)
	}
	p.wait(2)
	p.drawShown(own, house)
	s := seenRarely(session("poker_con_descarte", p), starvation{}, 1)
	return only(t, follow(trackerOf(t, "poker_con_descarte", nil), s))
}

// A card that is changed for another in the same place, faster than the zone
// comes to rest, is told as changed; one that nobody touched is not.
func TestACardIsChangedInItsPlace(t *testing.T) {
	for _, swapped := range []bool{true, false} {
		t.Run(fmt.Sprint(swapped), func(t *testing.T) {
			r := hastily(t, swapped)
			dealt := 0
			for _, e := range r.Record.Events {
				if e.Type == round.CardDealt && e.Zone == "seat:1" {
					dealt++
				}
				if e.Type == round.Reveal && e.Zone == "seat:1" && (len(e.Cards) != 5 || slices.Contains(e.Cards, card.Unseen)) {
					t.Errorf("revealed %v", e.Cards)
				}
			}
			if wrong := slices.Contains(codes(r), finding.CardCountWrong); wrong == swapped || swapped != (dealt == 6) {
				t.Errorf("%d cards dealt, findings %v", dealt, codes(r))
			}
		})
	}
}

// Backs look alike, but no card is laid to the millimetre where another lay: of cards
// changed unseen those are the new ones that lie elsewhere, and the reveal tells them
// after those that stayed, in the order in which they were laid.
func TestChangedCardsLieElsewhere(t *testing.T) {
	for _, changed := range [][]int{{0}, {2}, {0, 3}, {1, 2}} {
		t.Run(fmt.Sprint(changed), func(t *testing.T) {
			p := &play{}
			own, house := p.drawDealt()
			p.say("action", map[string]any{"action": "draw", "seat": 1, "discard": slices.Repeat([]any{"??"}, len(changed))})
			p.wait(1)
			for _, i := range changed {
				p.lift(own[i])
				p.wait(-0.4)
				p.slot["seat:1"] = i
				own[i] = p.card("seat:1", "??", true)
				p.wait(-0.4)
			}
			p.wait(2)
			p.drawShown(own, house)
			s := seenRarely(session("poker_con_descarte", p), starvation{}, 1)
			r := only(t, follow(trackerOf(t, "poker_con_descarte", nil), s))
			var want []card.Card
			for pass := range 2 {
				for i, f := range drawFaces {
					if slices.Contains(changed, i) == (pass == 1) {
						c, _ := card.Parse(f)
						want = append(want, c)
					}
				}
			}
			var got []card.Card
			for _, e := range r.Record.Events {
				if e.Type == round.Reveal && e.Zone == "seat:1" {
					got = e.Cards
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("revealed %v, want %v", got, want)
			}
		})
	}
}

// The house's part of the pot lies too short a time where it is laid for six
// pictures a second: that the pot shrank by it tells it.
func TestTheHousesPartIsSeenInThePot(t *testing.T) {
	game := "omaha_5_circulo"
	s, err := tracktest.Play(scriptOf(game, 0), tracktest.Zones(game, seats), 8, tracktest.Disorder{Jitter: 1})
	if err != nil {
		t.Fatal(err)
	}
	s = seenRarely(s, starvation{}, 0)
	for i, r := range rounds(follow(trackerOf(t, game, nil), s)) {
		part := func(events []round.Event) (sum money.Cents) {
			for _, e := range events {
				if e.Type == round.Commission {
					sum += e.Amount
				}
			}
			return sum
		}
		if got, want := part(r.Record.Events), part(s.Rounds[i].Record.Events); got != want || len(r.Findings) > 0 {
			t.Errorf("round %d: %v deducted, want %v; findings %v", i+1, got, want, codes(r))
		}
	}
}
