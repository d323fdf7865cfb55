package track

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game/housepoker"
	"vision/validate/round"
)

// at is a moment of a made-up round, seconds from its start.
func at(s float64) time.Time { return time.Unix(1000, 0).Add(time.Duration(s * float64(time.Second))) }

// seen is a card that came to lie in a zone between two moments.
func seen(zone string, from, until float64) dealtCard {
	return dealtCard{zone: zone, from: at(from), at: at(until)}
}

// The arm that deals lies over the burnt card until it is done.
func TestACardIsBurntBeforeTheStreetThatHidesIt(t *testing.T) {
	street := []dealtCard{seen("seat:1", 4, 4.3), seen("seat:2", 4.8, 5.5)}
	for name, c := range map[string]struct {
		burnt dealtCard
		cards []dealtCard
		want  float64
	}{
		"seen at once":                      {seen("burn", 3, 3.5), street, 3.5},
		"seen after the first card":         {seen("burn", 3, 5), street, 4.3},
		"seen after both":                   {seen("burn", 3, 5.8), street, 4.3},
		"its place was bare after the card": {seen("burn", 4.4, 5), street, 5},
		"bare between the two":              {seen("burn", 4.4, 5.8), street, 5.5},
		"the arm came from the card":        {seen("burn", 4.3, 5), street, 5},
		"the street before is no street of its own": {seen("burn", 1, 5.8),
			append([]dealtCard{seen("seat:2", 1, 1.5)}, street...), 4.3},
	} {
		t.Run(name, func(t *testing.T) {
			s := &story{hand: slices.Concat(c.cards, []dealtCard{c.burnt})}
			s.burns()
			if len(s.told) != 1 || !s.told[0].at.Equal(at(c.want)) {
				t.Errorf("told %+v, want a burnt card at %v s", s.told, c.want)
			}
			if len(s.hand) != len(c.cards) {
				t.Errorf("%d cards are left of %d", len(s.hand), len(c.cards))
			}
		})
	}
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
			b := &bankedStory{story: &story{hand: c.cards}, rules: &housepoker.Rules{Deal: housepoker.Deal{Hands: true}}}
			b.arrange()
			for k, d := range b.hand {
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
			s := &story{hand: []dealtCard{seen("seat:1", 4, 4.5), seen("bank", c.from, 6), seen("seat:1", 4.5, 7)}}
			if c.bank != "" {
				s.base.Carry = json.RawMessage(`{"bank":` + c.bank + `}`)
			}
			s.tell(round.Event{Type: round.Dice, Faces: c.faces}, at(0), at(0.5), 2)
			b := &bankedStory{story: s, rules: &housepoker.Rules{Deal: housepoker.Deal{Hands: true}}}
			b.arrange()
			if got := b.hand[0].zone; got != c.first {
				t.Errorf("%s came first, want %s", got, c.first)
			}
		})
	}
}

// The arm that takes a lost Texas Bonus lies over the cards that lost it.
func TestTheCardsOfABonusWereTurnedBeforeItWasTaken(t *testing.T) {
	turned := func(zone string, since, until float64) dealtCard {
		return dealtCard{zone: zone, down: true, since: at(since), turned: at(until)}
	}
	s := &story{
		hand: []dealtCard{
			turned("seat:1", 5, 9), turned("seat:2", 7.2, 9), turned("seat:4", 7.8, 9), // before all, before its own, after it
			turned("seat:3", 5, 9), turned("bank", 5, 9), turned("seat:2", 5, 5.5), // not by it, seen before
			{zone: "seat:1", down: true}, // never
		},
		moves: []move{
			{place: place{1, "txb"}, delta: 500, from: at(1), at: at(2)}, // it was laid
			{place: place{1, "txb"}, delta: -500, from: at(6), at: at(7)},
			{place: place{2, "txb"}, delta: -500, from: at(6), at: at(7.5)},
			{place: place{4, "txb"}, delta: -500, from: at(6), at: at(7.6)},
			{place: place{3, "ante"}, delta: -500, from: at(6), at: at(7)},
		},
	}
	s.sc = &scene{items: []happening{{kind: heard, at: at(4), event: round.Event{Type: round.Announce, By: "croupier", Call: "texas_bonus"}}}}
	b := &bankedStory{story: s, rules: &housepoker.Rules{Spots: map[string]*housepoker.Spot{"txb": {Against: housepoker.AgainstFlop}, "ante": {}}}}
	b.bonusFirst()
	for i, want := range []float64{6.999, 7.499, 9, 9, 9, 5.5} {
		if got := b.hand[i].turned; !got.Equal(at(want)) {
			t.Errorf("%s turned at %v, want %v s", b.hand[i].zone, got.Sub(at(0)), want)
		}
	}
	if c := b.hand[6]; !c.turned.IsZero() {
		t.Errorf("a card that was never turned is, at %v", c.turned.Sub(at(0)))
	}
}

// A hand that is given up under the arm that lays the card it bought goes with that
// card; one that is seen without it had none.
func TestABoughtCardIsTakenWithTheHandBeforeAnybodySeesIt(t *testing.T) {
	gone := func(from, left float64) slot { return slot{zone: "seat:1", gone: at(from), left: at(left)} }
	bought := gone(2, 3)
	bought.retired = at(3)
	for name, c := range map[string]struct {
		slots []slot
		more  []dealtCard
		want  int
	}{
		"under one arm":           {slots: []slot{gone(4, 7), gone(4, 7), bought}, want: 4},
		"too soon for both":       {slots: []slot{gone(4, 5), gone(4, 5), bought}, want: 3},
		"one of them went before": {slots: []slot{gone(4, 7), gone(3.5, 4), bought}, want: 3},
		"one of them lies there":  {slots: []slot{gone(4, 7), {zone: "seat:1", here: true}, bought}, want: 3},
		"the new one was seen":    {slots: []slot{gone(5, 8), gone(5, 8), bought, gone(5, 8)}, more: []dealtCard{{zone: "seat:1", slot: 3, at: at(4)}}, want: 4},
		"nothing was exchanged":   {slots: []slot{gone(4, 7), gone(4, 7), gone(4, 7)}, want: 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := &story{sc: &scene{slots: c.slots}}
			for i := range 3 {
				s.hand = append(s.hand, dealtCard{zone: "seat:1", slot: i, at: at(1)})
			}
			s.hand = append(s.hand, c.more...)
			s.changedAndTaken()
			if len(s.hand) != c.want {
				t.Fatalf("%d cards, want %d", len(s.hand), c.want)
			}
			if last := s.hand[len(s.hand)-1]; c.want == 4 && c.more == nil && (!last.at.After(at(4)) || !last.at.Before(at(7)) || !last.down) {
				t.Errorf("the card is told as %+v", last)
			}
		})
	}
}

// A bet that nobody called goes back while the others go to the pot, of which the
// house takes its part before anybody sees it again.
func TestABetGoesBackBesideADeduction(t *testing.T) {
	bote := func(seat int) place { return place{seat, boteSpot} }
	pot, rake := place{0, potSpot}, place{0, rakeSpot}
	seat := func(seat int) place { return place{seat, paySpot} }
	mv := func(item int, p place, delta money.Cents, from, until float64) move {
		return move{item: item, place: p, delta: delta, from: at(from), at: at(until)}
	}
	for name, c := range map[string]struct {
		moves []move
		swept map[int]bool
	}{
		"the pot shows all": {[]move{mv(1, bote(2), -1500, 5, 5.5), mv(2, bote(1), -1500, 6, 6.5), mv(3, bote(2), -1500, 6, 6.5), mv(4, pot, 3000, 6, 7)},
			map[int]bool{1: false, 2: true, 3: true}},
		"the house took its part meanwhile": {[]move{mv(1, bote(2), -1500, 5, 5.5), mv(2, bote(1), -1500, 6, 6.5), mv(3, bote(2), -1500, 6, 6.5),
			mv(4, rake, 800, 7, 7.5), mv(5, pot, 2200, 6, 8)}, map[int]bool{1: false, 2: true, 3: true}},
		"nothing goes back": {[]move{mv(2, bote(1), -1500, 6, 6.5), mv(3, bote(2), -1500, 6, 6.5), mv(4, rake, 800, 7, 7.5), mv(5, pot, 2200, 6, 8)},
			map[int]bool{2: true, 3: true}},
		"the pot is pushed with them in it": {[]move{mv(1, bote(1), -500, 3, 3.5), mv(2, bote(2), -500, 3, 3.5), mv(3, seat(2), 10000, 4.5, 5), mv(4, pot, -9000, 3, 6)},
			map[int]bool{1: true, 2: true}},
		"one of them goes back": {[]move{mv(1, bote(1), -500, 3, 3.5), mv(2, bote(2), -800, 3, 3.5), mv(3, seat(2), 10000, 4.5, 5), mv(4, pot, -9500, 3, 6)},
			map[int]bool{1: true, 2: false}},
		"both go back": {[]move{mv(1, bote(1), -500, 3, 3.5), mv(2, bote(2), -800, 3, 3.5), mv(3, seat(2), 10000, 4.5, 5), mv(4, pot, -10000, 3, 6)},
			map[int]bool{1: false, 2: false}},
		"the pot was at rest when it was pushed": {[]move{mv(1, bote(1), -500, 3, 3.5), mv(3, seat(2), 10000, 6, 6.5), mv(4, pot, -10000, 3, 6)},
			map[int]bool{1: false}},
		"the pot is pushed before it comes to rest": {[]move{mv(1, bote(2), -500, 1, 1.5), mv(2, bote(1), -500, 3, 3.5), mv(3, seat(2), 1000, 4, 5), mv(4, bote(2), -500, 3, 5)},
			map[int]bool{1: false, 2: true, 4: true}},
		"it is pushed long after the house took its part": {[]move{mv(1, bote(2), -1000, 1.5, 2), mv(2, bote(1), -1000, 3, 3.5), mv(3, bote(2), -1000, 3, 3.5),
			mv(4, rake, 100, 4.2, 4.8), mv(5, seat(2), 1900, 6.7, 8.2)}, map[int]bool{1: false, 2: true, 3: true}},
		"it holds more than they": {[]move{mv(1, bote(1), -500, 3, 3.5), mv(2, bote(2), -500, 3, 3.5), mv(3, seat(2), 4000, 4, 5)},
			map[int]bool{1: false, 2: false}},
		"they go back, and another pot is pushed": {[]move{mv(1, pot, 4000, 1, 2), mv(2, bote(1), -500, 6, 6.5), mv(3, bote(2), -500, 6, 6.5), mv(4, seat(2), 1000, 7, 8)},
			map[int]bool{2: false, 3: false}},
	} {
		t.Run(name, func(t *testing.T) {
			got := (&circuloStory{story: &story{moves: c.moves}}).swept()
			for item, want := range c.swept {
				if got[item] != want {
					t.Errorf("movement %d went to the pot: %v", item, got[item])
				}
			}
		})
	}
}

// The arm that lays the card which decides lies over it while it takes the losers.
func TestTheCardThatDecidesCameBeforeWhatTheCroupierTook(t *testing.T) {
	bank, player := []string{fact.Bank}, []string{fact.Players}
	s := &story{moves: []move{
		{delta: -500, from: at(1), at: at(2), hands: bank},                    // before it was laid
		{delta: -500, from: at(3), at: at(7), hands: bank},                    // meanwhile
		{delta: -500, from: at(3), at: at(7), hands: player},                  // its owner's
		{delta: 500, from: at(3), at: at(7), hands: bank},                     // nobody collects by laying
		{delta: -500, from: at(8), at: at(9), hands: bank},                    // later
		{delta: -500, from: at(3), at: at(7), hands: append(player, bank...)}, // or its owner's
	}}
	s.takenAfter(seen("descubiertas", 3, 8))
	for i, want := range []float64{2, 8, 7, 7, 9, 7} {
		if !s.moves[i].at.Truncate(time.Millisecond).Equal(at(want)) {
			t.Errorf("movement %d at %v, want %v s", i, s.moves[i].at, want)
		}
	}
	s.close = at(8) // by that card
	if s.timely(s.moves[1]) {
		t.Error("what he took is told as withdrawn before the card closed the bets")
	}
}

// What nobody moved before hands hid it is not known to have been left when the
// round ended, until they go and it lies as it lay.
func TestWhatHandsHideAtTheEnd(t *testing.T) {
	p, q := place{4, "rojo"}, place{4, "pleno:11"}
	for name, c := range map[string]struct {
		stirred float64 // of the layout; 0: at rest
		left    float64 // when the hands had come that left it changed; 0: it lies as it lay
		want    bool
	}{
		"at rest, as it lay":                 {},
		"hidden since before the end":        {stirred: 8, want: true},
		"hidden since after it":              {stirred: 11},
		"changed by hands from before":       {left: 8, want: true},
		"changed by hands that came after":   {left: 11},
		"changed, and hidden again since":    {stirred: 14, left: 8, want: true},
		"changed after it, and hidden again": {stirred: 14, left: 11},
	} {
		t.Run(name, func(t *testing.T) {
			sc := &scene{ended: at(10)}
			f := &felt{zones: map[string]memory{"layout": {}}, past: []*scene{sc}}
			if c.stirred > 0 {
				f.zones["layout"] = memory{stirred: at(c.stirred)}
			}
			if c.left > 0 {
				f.straddle(p, rest{from: at(c.left), at: at(12)})
			}
			tr := &Tracker{atlas: &atlas{zones: map[string]*zone{"layout": {chips: true}}}, now: f}
			if got := tr.hiddenAtEnd(sc, p); got != c.want {
				t.Errorf("hidden %v, want %v", got, c.want)
			}
			if got := tr.hiddenAtEnd(sc, q); got != (c.want && c.left == 0) {
				t.Errorf("another place of the seat: hidden %v", got)
			}
		})
	}
}

// Of a hand of pai gow that is set wrong all cards must be seen before it is told, and
// no hand lie over them; hands at another seat hide nothing of it.
func TestAHandSetWrongIsToldWhenItIsSeenWhole(t *testing.T) {
	var cards []card.Card
	for _, name := range []string{"Qc", "8c", "4d", "3s", "3d", "2s"} {
		c, err := card.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		cards = append(cards, c)
	}
	set := func(high, low int) *story {
		e := round.Event{Type: round.Arrange, Zone: "seat:1", High: slices.Clone(cards[:high]), Low: cards[:low]}
		return &story{g: &game{}, told: []told{{event: e}}}
	}
	f := round.Finding{Code: finding.HandSetWrong, Seat: 1, Zone: "seat:1"}
	hidden := set(5, 2)
	hidden.told[0].event.High[3] = card.Unseen
	for name, c := range map[string]struct {
		s    *story
		want bool
	}{"six and two": {set(6, 2), true}, "five and two": {set(5, 2), true}, "four so far": {set(4, 2), false}, "one of the low": {set(6, 1), false}, "one not read": {hidden, false}} {
		if got := !c.s.premature(f, at(1)); got != c.want {
			t.Errorf("%s: told %v", name, got)
		}
	}
	for zone, want := range map[string]bool{"seat:1/high": true, "seat:1": true, "seat:2/high": false, "seat:12": false} {
		tr := &Tracker{now: &felt{zones: map[string]memory{zone: {stirred: at(1)}}}}
		if got := tr.stirring(&ruling{story: set(6, 2)}, f); got != want {
			t.Errorf("hands at %s: it waits: %v", zone, got)
		}
	}
}

// A hand of pai gow that was shown before the arm came that settles, and lay under it until
// the chips had moved, was shown before; one that was reached for only then was not.
func TestAHandUnderTheSettlingArmWasShownBefore(t *testing.T) {
	for name, c := range map[string]struct{ since, turned, want float64 }{
		"under the arm":     {4, 6.5, 5},
		"seen as it left":   {4, 6, 5},
		"seen before":       {4, 5.5, 5.5},
		"reached for later": {5.5, 6.5, 6.5},
	} {
		t.Run(name, func(t *testing.T) {
			var cards []dealtCard
			for range 7 {
				d := seen("seat:2/high", 1, 2)
				d.down, d.since, d.turned = true, at(c.since), at(c.turned)
				cards = append(cards, d)
			}
			b := &bankedStory{story: &story{sc: &scene{}, moves: []move{
				{place: place{1, "apuesta"}, delta: -1000, from: at(5), at: at(6)},
			}}}
			b.setHand("seat:2", cards, time.Time{})
			for _, e := range b.told {
				if e.event.Type != round.Action && e.at.Sub(at(c.want)).Abs() > 2*time.Millisecond {
					t.Errorf("%s told at %.1f, want %.1f", e.event.Type, e.at.Sub(at(0)).Seconds(), c.want)
				}
			}
			if len(b.told) != 3 {
				t.Errorf("told %+v", b.told)
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
			b := &bankedStory{story: &story{sc: &scene{}}, rules: &housepoker.Rules{Deal: housepoker.Deal{Hands: true}}}
			for _, k := range c.turned {
				d := seen("bank", 1, 2)
				d.card, d.down, d.turned = k, true, at(3)
				b.hand = append(b.hand, d)
			}
			for _, k := range c.low {
				d := seen("bank/low", 4, 5)
				d.card = k
				b.hand = append(b.hand, d)
			}
			b.setHands()
			i := slices.IndexFunc(b.told, func(e told) bool { return e.event.Type == round.Arrange })
			if i < 0 || len(b.told) != 1 {
				t.Fatalf("told %+v", b.told)
			}
			e := b.told[i].event
			if len(e.High) != c.high || !slices.Equal(e.Low, c.low) || slices.ContainsFunc(e.High, func(k card.Card) bool { return slices.Contains(e.Low, k) }) {
				t.Errorf("high %v, low %v", e.High, e.Low)
			}
			if len(b.hand) != len(c.turned) {
				t.Errorf("%d cards are left in the zone, want %d", len(b.hand), len(c.turned))
			}
		})
	}
}

// A wrong order of payments is sure where it is wrong whichever of a seat's bets was
// paid, and as likely as not where it is right for one of two.
func TestAnOrderThatDependsOnWhichBetWasPaid(t *testing.T) {
	f := round.Finding{Code: finding.PayoutOrderWrong, Seat: 2}
	found := func(fs ...round.Finding) *ruling { return &ruling{weight: 1, verdict: round.Verdict{Findings: fs}} }
	for name, c := range map[string]struct {
		other *ruling
		want  float64
	}{"wrong in each": {found(f), 1}, "right in one": {found(), 0.5}} {
		r := found(f)
		r.tried = []*ruling{r, c.other}
		if got := (&Tracker{priors: &Priors{}}).posterior(r, f); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// What was pushed and counted only roughly is what is missing in the pot, without what
// left it meanwhile.
func TestThePotTellsWhatWasPushed(t *testing.T) {
	pot, rake := place{0, potSpot}, place{0, rakeSpot}
	mv := func(item int, p place, delta money.Cents, from, until float64) move {
		return move{item: item, place: p, delta: delta, from: at(from), at: at(until)}
	}
	roughly := func(m move) move { m.after = []money.Cents{500, 600}; return m }
	push := mv(3, place{1, paySpot}, 850, 6, 7)
	push.before, push.after = []money.Cents{0}, []money.Cents{850, 950}
	for name, c := range map[string]struct {
		others []move
		want   money.Cents
		sure   bool
	}{
		"the pot shrank by more":         {[]move{mv(4, pot, -950, 5.8, 7.5)}, 950, true},
		"and before by the rake":         {[]move{mv(1, rake, 50, 2, 3), mv(2, pot, -50, 2, 4), mv(4, pot, -950, 5.8, 7.5)}, 950, true},
		"by the rake in the same motion": {[]move{mv(1, rake, 50, 3.5, 4), mv(4, pot, -1000, 3, 7.5)}, 950, true},
		"the rake was counted roughly":   {[]move{roughly(mv(1, rake, 50, 3.5, 4)), mv(4, pot, -1000, 3, 7.5)}, 850, false},
		"by what it cannot be":           {[]move{mv(4, pot, -1200, 5.8, 7.5)}, 850, false},
		"it was counted roughly":         {[]move{roughly(mv(4, pot, -950, 5.8, 7.5))}, 850, false},
		"another player got chips of it": {[]move{mv(4, pot, -1050, 5.8, 7.5), mv(5, place{2, paySpot}, 100, 6, 7)}, 950, true},
		"it changed again":               {[]move{mv(4, pot, -950, 5.8, 6.5), mv(5, pot, 100, 6.6, 7)}, 850, false},
		"nobody saw it":                  {nil, 850, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := &story{moves: append([]move{push}, c.others...), loose: map[int]loose{3: {push.place, push.after, push.delta}}}
			(&circuloStory{story: s, back: map[int]money.Cents{}}).pushes()
			if len(s.told) == 0 || s.told[0].event.Amount != c.want {
				t.Errorf("told %+v, want a payment of %d", s.told, c.want)
			}
			if _, rough := s.loose[3]; rough == c.sure {
				t.Errorf("it is still rough: %v", rough)
			}
		})
	}
}

// Of chips pushed that were counted roughly nothing is told while hands are at the pot.
func TestARoughPushWaitsForThePot(t *testing.T) {
	pot := calibration.Zone{Name: "pot", Spot: potSpot, Reads: []string{"chips"}, Polygon: []fact.Point{{0, 0}, {9, 0}, {9, 9}}}
	for name, c := range map[string]struct {
		rough, hands, want bool
	}{"hands at the pot": {true, true, true}, "the pot is at rest": {true, false, false}, "it was counted well": {false, true, false}} {
		tr := &Tracker{game: games["omaha_circulo"], atlas: newAtlas([]calibration.Zone{pot}, nil, 500), now: &felt{zones: map[string]memory{"pot": {}}}}
		if c.hands {
			tr.now.zones["pot"] = memory{stirred: at(5)}
		}
		s := &story{g: tr.game, sc: &scene{game: tr.game}, loose: map[int]loose{}}
		if c.rough {
			s.loose[3] = loose{place{1, paySpot}, []money.Cents{8000, 10500}, 8000}
		}
		if got := tr.stirring(&ruling{story: s}, round.Finding{Code: finding.PayoutOver, Seat: 1, Spot: boteSpot}); got != c.want {
			t.Errorf("%s: it waits: %v", name, got)
		}
	}
}

// Where all play for one pot, what was bet is deducted or pushed to somebody.
func TestAPotBalances(t *testing.T) {
	events := func(paid money.Cents) []round.Event {
		return []round.Event{{Type: round.Bet, Seat: 1, Amount: 3500}, {Type: round.Bet, Seat: 2, Amount: 4000}, {Type: round.Return, Seat: 2, Amount: 500},
			{Type: round.Commission, Amount: 350}, {Type: round.Pay, Seat: 1, Amount: paid}}
	}
	for name, c := range map[string]struct {
		held bool
		paid money.Cents
		want bool
	}{"all of it": {true, 6650, true}, "less": {true, 6550, false}, "against the house": {false, 6650, false}} {
		r := &ruling{story: &story{g: &game{held: c.held}}, record: round.Record{Events: events(c.paid)}}
		if got := r.balances(); got != c.want {
			t.Errorf("%s: balances %v", name, got)
		}
	}
	if r := (&ruling{story: &story{g: &game{held: true}}}); r.balances() {
		t.Error("a pot of which nothing was pushed yet balances")
	}
}

// Chips that hands began to take before the table was cleared belong to the round, also
// where it makes no event of them; chips that are laid then are the next one's.
func TestARoundEndsAfterWhatWasTakenInIt(t *testing.T) {
	bote := place{2, boteSpot}
	for name, c := range map[string]struct {
		of    course
		moved move
		want  float64
	}{
		"taken before it was cleared":    {cards, move{place: bote, delta: -250, from: at(4), at: at(6.2)}, 6.2},
		"taken since":                    {cards, move{place: bote, delta: -250, from: at(6.1), at: at(7)}, 6},
		"laid":                           {cards, move{place: bote, delta: 250, from: at(4), at: at(6.2)}, 6},
		"taken where nothing is cleared": {wheel, move{place: bote, delta: -250, from: at(4), at: at(6.2)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			g := &game{course: c.of}
			r := &ruling{story: &story{g: g, sc: &scene{game: g}, moves: []move{c.moved}}}
			got, want := r.settledAt(at(6), c.of), at(c.want)
			if c.of != cards {
				want = time.Time{}
			}
			if !got.Equal(want) {
				t.Errorf("settled at %v, want %v", got, want)
			}
		})
	}
}
