package track

import (
	"slices"
	"strconv"
	"time"

	"vision/validate/game/housepoker"
	"vision/validate/round"
)

// bankedGames are the pokers against the house. Their course is one: bets, the
// deal face down, decisions by chips laid or cards given up, common cards, the
// bank's hand turned, then the players', then money. How many cards lie where
// and which spot opens when are the rulebook's.
var bankedGames = func() (gs []*game) {
	for _, code := range []string{
		"poker_sin_descarte", "poker_trijoker", "tripoker", "pai_gow_poker", "poker_holdem_bonus",
		"poker_holdem_banca", "poker_cuatro_cartas", "poker_con_descarte", "texas_poker",
	} {
		gs = append(gs, &game{code: code, course: cards, closing: "no_va_mas", narrate: tellBanked})
	}
	return gs
}()

// burnZone is where the croupier puts cards aside unseen.
const burnZone = "burn"

// bankedStory is a round of poker against the house in the telling.
type bankedStory struct {
	*story
	rules *housepoker.Rules
	dealt time.Time         // the last card of the first deal
	shown time.Time         // the bank's cards, or the last common one, were turned
	fold  map[int]time.Time // by seat: when it gave up
	void  bool              // the norm annuls the round, or the croupier did
}

// tellBanked tells a round of poker against the house.
func tellBanked(s *story) {
	rules, ok := s.rules.(*housepoker.Rules)
	if !ok {
		return
	}
	b := &bankedStory{story: s, rules: rules, fold: map[int]time.Time{}}
	b.burns()
	b.diceThrown()
	b.setHands()
	b.arrange()
	s.close = b.closing()
	s.openingBets(s.timely)
	b.showFirst()
	b.bonusFirst()
	s.cardEvents()
	s.reveals()
	b.marks()
	b.void = !s.firstCall("jugada_anulada").IsZero()
	dealt := slices.Clone(s.told)
	if v := b.decisions(); v.Void && !b.void && b.shown.IsZero() { // then nobody gave up: all was taken away
		b.void, b.fold, s.told = true, map[int]time.Time{}, dealt
		b.decisions()
	}
	s.early = !b.shown.IsZero() && !s.unread()
	b.settle()
	s.together(s.g.order)
}

// decisions tells what the players decide, and what the rules say of it.
func (b *bankedStory) decisions() round.Verdict {
	if !b.void {
		b.folds()
	}
	b.plays()
	b.passes()
	b.during(func(m move) bool { return !b.timely(m) && !b.settles(m) })
	return b.assess()
}

// burns tells the cards put aside and takes them out of the hand.
func (s *story) burns() {
	all := slices.Clone(s.hand)
	s.hand = slices.DeleteFunc(s.hand, func(c dealtCard) bool {
		if c.zone != burnZone {
			return false
		}
		s.tell(round.Event{Type: round.Burn, Count: 1}, c.from, burnt(c, all), 2)
		return true
	})
}

// burnt is when a card was put aside: the dealing arm lies over it until the cards
// after it lie in their zones, and of two that came to rest in one look at the
// latest the camera does not know the first. So it came before those that were
// dealt one soon after the other while it can have come: no sooner after the arm
// reached its place than a card can be put aside and the next be dealt.
func burnt(c dealtCard, cards []dealtCard) time.Time {
	const together, motion = 2500 * time.Millisecond, 500 * time.Millisecond
	at := c.at
	for {
		before := slices.IndexFunc(cards, func(o dealtCard) bool {
			return o.zone != burnZone && o.at.Before(at) && o.at.Sub(c.from) >= motion && at.Sub(o.at) <= together
		})
		if before < 0 {
			return at
		}
		at = cards[before].at
	}
}

// diceThrown tells the dice that say where the deal begins.
func (b *bankedStory) diceThrown() {
	for i := range b.sc.items {
		if h := &b.sc.items[i]; h.kind == diceSeen && b.rules.Deal.Hands {
			b.tell(diceEvent(h, b.called(b.faces(h), h.at)), h.from, h.at, 2)
		}
	}
}

// closing is when the bets were closed: by the call, the dice or the first card.
func (b *bankedStory) closing() time.Time {
	t := b.firstCall(b.g.closing)
	for _, e := range b.told {
		if e.event.Type == round.Dice {
			t = earliest(t, e.at)
		}
	}
	for _, c := range b.hand {
		t = earliest(t, c.at)
	}
	return t
}

// order is the prescribed order of the zones in the first deal.
func (b *bankedStory) order() (zones []string) {
	seats := b.dealtSeats()
	d := b.rules.Deal
	for k := range max(d.Own, d.Bank) {
		if k < d.Own {
			zones = append(zones, seats...)
		}
		if k < len(d.Commons) {
			zones = append(zones, d.Commons[k])
		}
		if k < d.Bank {
			zones = append(zones, "bank")
		}
	}
	return zones
}

// ring is the order of a deal of one hand after the other that the dice prescribe: the
// zones as often as they got cards; nil where the dice are not known.
func (b *bankedStory) ring() (zones []string) {
	var faces []int
	for _, e := range b.told {
		if e.event.Type == round.Dice {
			faces = e.event.Faces
		}
	}
	all, err := b.rules.Ring(&b.base, faces)
	if err != nil {
		return nil // the table's options, which the verdict refuses too
	}
	for _, z := range all {
		zones = append(zones, slices.Repeat([]string{z}, b.cardsIn(z))...)
	}
	return zones
}

// wholeHands is the order of a deal of one hand after the other: the zones as often
// as they got cards, by when their first cards were seen (nth 1) or their last (-1).
func (b *bankedStory) wholeHands(nth int) (zones []string) {
	seen := map[string]time.Time{}
	var names []string
	for _, c := range b.hand {
		if _, ok := seen[c.zone]; !ok {
			names = append(names, c.zone)
			seen[c.zone] = c.at
		}
		if nth < 0 {
			seen[c.zone] = c.at
		}
	}
	slices.SortStableFunc(names, func(x, y string) int { return seen[x].Compare(seen[y]) })
	for _, z := range names {
		zones = append(zones, slices.Repeat([]string{z}, b.cardsIn(z))...)
	}
	return zones
}

// cardsIn is how many cards a zone got.
func (s *story) cardsIn(zone string) (n int) {
	for _, c := range s.hand {
		if c.zone == zone {
			n++
		}
	}
	return n
}

// dealtSeats are the zones of the seats that have cards, ascending.
func (s *story) dealtSeats() (zones []string) {
	var seats []int
	for _, c := range s.hand {
		if n, k := handOf(c.zone); k == 1 && !slices.Contains(seats, n) {
			seats = append(seats, n)
		}
	}
	slices.Sort(seats)
	for _, n := range seats {
		zones = append(zones, seatZone(n))
	}
	return zones
}

// last is the zone whose cards are turned before any player's.
func (b *bankedStory) last() string {
	if n := len(b.rules.Deal.Commons); n > 0 {
		return b.rules.Deal.Commons[n-1]
	}
	return "bank"
}

// setCards are those of a player of pai gow, set as five and two.
const setCards = 7

// seatZone is the card zone of a seat.
func seatZone(seat int) string { return "seat:" + strconv.Itoa(seat) }
