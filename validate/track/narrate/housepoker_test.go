package narrate

import (
	"encoding/json"
	"slices"
	"testing"

	"vision/internal/card"
	"vision/validate/game/housepoker"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// seen is a card that came to lie in a zone between two moments.
func seen(zone string, from, until float64) dealtCard {
	return dealtCard{zone: zone, from: at(from), at: at(until)}
}

// A hand that is dealt after another is seen first where the arm still lies over
// that one; a card that cannot have come before stays where it was seen.
func TestWholeHandsAreDealtOneAfterTheOther(t *testing.T) {
	for name, c := range map[string]struct{ cards, want []dealtCard }{
		"hidden meanwhile": {
			[]dealtCard{seen("bank", 1, 2), seen("seat:1", 4, 4.5), seen("seat:1", 4.5, 5), seen("bank", 3, 6)},
			[]dealtCard{seen("bank", 1, 2), seen("bank", 3, 4.5), seen("seat:1", 4, 4.5), seen("seat:1", 4.5, 5)},
		},
		"came later": {
			[]dealtCard{seen("bank", 1, 2), seen("seat:1", 4, 4.5), seen("seat:1", 4.5, 5), seen("bank", 5.5, 6)},
			[]dealtCard{seen("bank", 1, 2), seen("seat:1", 4, 4.5), seen("seat:1", 4.5, 5), seen("bank", 5.5, 6)},
		},
		"hidden until the other is dealt in part": {
			[]dealtCard{seen("seat:1", 4, 4.5), seen("bank", 1, 5), seen("bank", 1, 5), seen("seat:1", 5.2, 6)},
			[]dealtCard{seen("bank", 1, 4.5), seen("bank", 1, 4.5), seen("seat:1", 4, 4.5), seen("seat:1", 5.2, 6)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := &housePokerRound{
				Narration: &Narration{Progress: Progress{Hand: c.cards}},
				rules:     &housepoker.Rules{Deal: housepoker.Deal{Hands: true}},
			}
			b.arrange()
			for k, d := range b.Hand {
				if w := c.want[k]; d.zone != w.zone || !d.at.Equal(w.at) {
					t.Errorf("card %d: in %s at %v, want %s at %v", k, d.zone, d.at.Sub(at(0)), w.zone, w.at.Sub(at(0)))
				}
			}
		})
	}
}

// Where arms lay over two hands either may have come first: then the dice say which
// (A.14.3 VIII). What cannot have come so stays as it was seen.
func TestTheDiceSayWhichHandCameFirst(t *testing.T) {
	for name, c := range map[string]struct {
		faces []int
		bank  string // the banker of the carry
		from  float64
		first string
	}{
		"five: the bank's, seen later":      {faces: []int{1, 2, 2}, from: 1, first: "bank"},
		"eight: the banker's":               {faces: []int{1, 1, 6}, from: 1, first: "bank"},
		"eight: the seat's, the banker's":   {faces: []int{1, 1, 6}, bank: "1", from: 1, first: "seat:1"},
		"seven: the last before the banker": {faces: []int{1, 1, 5}, bank: "1", from: 1, first: "bank"},
		"nine: the next seat's":             {faces: []int{2, 3, 4}, from: 1, first: "seat:1"},
		"five, but it came later":           {faces: []int{1, 2, 2}, from: 5, first: "seat:1"},
		"a die that nobody could see":       {faces: []int{0, 2, 2}, from: 1, first: "seat:1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Narration{
				Progress: Progress{
					Hand: []dealtCard{seen("seat:1", 4, 4.5), seen("bank", c.from, 6), seen("seat:1", 4.5, 7)},
				},
			}
			if c.bank != "" {
				s.Base.Carry = json.RawMessage(`{"bank":` + c.bank + `}`)
			}
			s.record(round.Event{Type: round.Dice, Faces: c.faces}, at(0), at(0.5), 2)
			b := &housePokerRound{Narration: s, rules: &housepoker.Rules{Deal: housepoker.Deal{Hands: true}}}
			b.arrange()
			if got := b.Hand[0].zone; got != c.first {
				t.Errorf("%s came first, want %s", got, c.first)
			}
		})
	}
}

// Of a hand of pai gow that was turned whole and then set, one of the two hands may never be
// seen in its place: it is the others of the seven. Where not all seven were read, or two
// lie there of which one was none of them, nothing is known of it.
func TestTheHandThatWasNotSeenSetIsTheOthers(t *testing.T) {
	for name, c := range map[string]struct {
		turned, low []card.Card
		high        int
	}{
		"seven were read":     {[]card.Card{1, 2, 3, 4, 5, 6, 7}, []card.Card{3, 5}, 5},
		"one was not read":    {[]card.Card{1, 2, 3, 4, 5, 6, card.Unseen}, []card.Card{3, 5}, 0},
		"one is another card": {[]card.Card{1, 2, 3, 4, 5, 6, 7}, []card.Card{3, 50}, 0},
		"one was not turned":  {[]card.Card{1, 2, 3, 4, 5, 6}, []card.Card{3, 5}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := &housePokerRound{
				Narration: &Narration{Given: Given{Scene: &scene.Scene{}}},
				rules:     &housepoker.Rules{Deal: housepoker.Deal{Hands: true}},
			}
			for _, k := range c.turned {
				d := seen("bank", 1, 2)
				d.card, d.down, d.turned = k, true, at(3)
				b.Hand = append(b.Hand, d)
			}
			for _, k := range c.low {
				d := seen("bank/low", 4, 5)
				d.card = k
				b.Hand = append(b.Hand, d)
			}
			b.setHands()
			i := slices.IndexFunc(b.Entries, func(e Entry) bool { return e.Event.Type == round.Arrange })
			if i < 0 || len(b.Entries) != 1 {
				t.Fatalf("told %+v", b.Entries)
			}
			e := b.Entries[i].Event
			if len(e.High) != c.high || !slices.Equal(e.Low, c.low) ||
				slices.ContainsFunc(e.High, func(k card.Card) bool { return slices.Contains(e.Low, k) }) {
				t.Errorf("high %v, low %v", e.High, e.Low)
			}
			if len(b.Hand) != len(c.turned) {
				t.Errorf("%d cards are left in the zone, want %d", len(b.Hand), len(c.turned))
			}
		})
	}
}
