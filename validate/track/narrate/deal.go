package narrate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/validate/round"
	"vision/validate/track/scene"
)

// narrateDeal records a round that is bet, dealt, decided and settled in one go, as
// a coup of punto y banca: bets, no va más, cards face down or up, then money. Where one
// zone's card decides (casino monte) there may be a second card, before which chips are laid
// again while the first are settled.
func narrateDeal(s *Narration) {
	s.calledUnder()
	s.arrangeDeal(s.DealOrder())
	s.Close = s.FirstCall(s.Game.Closing)
	if len(s.Hand) > 0 {
		s.Close = scene.Earliest(s.Close, s.Hand[0].at)
	}
	s.openingBets(s.timely)
	s.cardEvents(all)
	s.reveals()
	s.splits()
	at := s.lastCard() // that decides; zero while it was not dealt
	if s.Game.decides != "" {
		at = s.dealtIn(s.Game.decides)
	}
	before := func(m Move) bool { return at.IsZero() || m.At.Before(at) || s.restakes(m) }
	s.decisions(func(m Move) bool { return !s.timely(m) && before(m) && !s.settlesEarly(m) })
	v := s.assess()
	s.Lost = s.overTwentyOne()
	enough := s.cardsIn(s.Game.counted) >= s.Game.least
	s.Decided = enough && !Has(v, s.Game.open...) && !s.unseen() && !at.IsZero()
	if at.IsZero() {
		return
	}
	over := s.Final || s.Decided || s.Game.decides != "" || s.FirstCall(s.Game.over...).After(at)
	if enough && !s.Decided && s.Game.decides == "" {
		s.Stalled = at
	}
	if !over { // what moves after the last card so far belongs to the play
		s.decisions(func(m Move) bool { return !m.At.Before(at) && !s.settlesEarly(m) })
		if !s.Game.upTo21 {
			return
		}
		s.assess()
	}
	s.settleAll(func(m Move) bool { return !s.timely(m) && (s.settlesEarly(m) || over && !before(m)) })
	s.orderMovements(s.Game.order)
}

// restakes reports whether chips are laid for the second phase of a deal, before its cards.
func (s *Narration) restakes(m Move) bool {
	if s.Game.again == "" {
		return false
	}
	cards := s.dealtIn(s.Game.decides + "/" + s.Game.again)
	return m.Place.Spot == s.Game.again && m.Delta > 0 && (cards.IsZero() || m.From.Before(cards))
}

// splits records each card that was moved to a hand of its own as the action it
// shows, no later than what follows from it.
func (s *Narration) splits() {
	for i := range s.Scene.Events {
		h := &s.Scene.Events[i]
		if h.Kind != scene.CardMoved {
			continue
		}
		seat, hand := scene.HandOf(h.To)
		if hand < 2 {
			continue
		}
		at := h.At
		spot := "split:" + strconv.Itoa(hand)
		for _, m := range s.Moves {
			if m.Place == (scene.Place{Seat: seat, Spot: spot}) && m.Delta > 0 && m.At.Before(at) && !s.timely(m) {
				at = m.At
			}
		}
		for _, c := range s.Hand {
			if (c.zone == h.To || c.zone == h.Zone && c.item > s.secondOf(h.Zone)) && c.at.Before(at) {
				at = c.at
			}
		}
		s.record(action(seat, "split", h.Zone), h.From, at, -1)
	}
}

// secondOf is the item of a zone's second card, beyond all when it has none.
func (s *Narration) secondOf(zone string) int {
	if cs := s.handIn(zone); len(cs) > 1 {
		return cs[1].item
	}
	return scene.MaxItems
}

// action is a decision about a hand; the seat's first hand need not be named.
func action(seat int, what, zone string) round.Event {
	if _, hand := scene.HandOf(zone); hand < 2 {
		zone = ""
	}
	return round.Event{Type: round.Action, Seat: seat, Action: what, Zone: zone}
}

// decisions records chips that move while the hands are played: the second stake
// of a double or a split, insurance, or chips that should not move.
func (s *Narration) decisions(in func(Move) bool) {
	for _, m := range s.Moves {
		if !in(m) {
			continue
		}
		if kind, _, _ := strings.Cut(m.Place.Spot, ":"); kind == "double" && m.Delta > 0 &&
			!s.recorded("double", m.Place) {
			s.record(action(m.Place.Seat, "double", handZone(m.Place)), m.From, m.At, -1)
		}
	}
	s.during(in)
}

// recorded reports whether an action about a hand was recorded already, by the terminal or
// because of other chips.
func (s *Narration) recorded(what string, p scene.Place) bool {
	zone := handZone(p)
	return slices.ContainsFunc(s.Entries, func(t Entry) bool {
		e := t.Event
		return e.Type == round.Action && e.Action == what && e.Seat == p.Seat &&
			cmp.Or(e.Zone, scene.SeatZone(e.Seat)) == zone
	})
}

// handZone is the hand that the chips of a place play on.
func handZone(p scene.Place) string {
	kind, k, _ := strings.Cut(p.Spot, ":")
	box := scene.SeatZone(p.Seat)
	switch {
	case kind == "main" && k != "":
		return "seat:" + k
	case (kind == "double" || kind == "split") && k != "":
		return box + "/" + k
	}
	return box
}

// cardsOf are the cards of a hand at t, or at the end for the zero time; a
// card that was split off belongs to its new hand.
func (s *Narration) cardsOf(zone string, t time.Time) (cs []card.Card) {
	for _, c := range s.Hand {
		if s.Scene.Tracks[c.track].Zone == zone && (t.IsZero() || !c.at.After(t)) {
			cs = append(cs, c.card)
		}
	}
	return cs
}

// points is the total of a hand: an ace counts 11 where that does not bust.
// ok is false when a card is not seen.
func points(cs []card.Card) (total int, ok bool) {
	aces := false
	for _, c := range cs {
		n := c.Number()
		if n == 0 {
			return 0, false
		}
		aces = aces || n == 1
		total += min(n, 10)
	}
	if aces && total <= 11 {
		total += 10
	}
	return total, true
}

// settlesEarly reports whether a move settles a bet although cards may still be
// dealt: a hand over 21 or given up is collected, even money and a blackjack
// that the bank cannot equal are paid at once.
func (s *Narration) settlesEarly(m Move) bool {
	kind, _, _ := strings.Cut(m.Place.Spot, ":")
	if !s.Game.upTo21 || kind != "main" && kind != "split" && kind != "double" || s.timely(m) {
		return false
	}
	zone := handZone(m.Place)
	cs := s.cardsOf(zone, m.At)
	total, ok := points(cs)
	if m.Delta < 0 {
		return ok && total > 21 || s.actedBy(m.At, m.Place.Seat, "surrender", "even_money") ||
			s.paidAlready(m) || !ok && m.by(fact.Bank) // or nobody read what the house saw
	}
	if s.actedBy(m.At, m.Place.Seat, "even_money") || ok && total > 21 {
		return true
	}
	bank := s.cardsOf("bank", m.At)
	return ok && total == 21 && len(cs) == 2 && len(bank) > 0 && bank[0].Number() > 1 && bank[0].Number() < 10 &&
		kind == "main"
}

// overTwentyOne are the bets on hands over 21, which are lost whatever the bank draws.
func (s *Narration) overTwentyOne() map[scene.Place]bool {
	if !s.Game.upTo21 {
		return nil
	}
	lost := map[scene.Place]bool{}
	for _, e := range s.Due {
		p := Physical(e.Seat, e.Spot)
		total, ok := points(s.cardsOf(handZone(p), time.Time{}))
		lost[p] = ok && total > 21 && e.Outcome == round.Lose
	}
	return lost
}

// paidAlready reports whether chips were laid on the place as a payment before m.
func (s *Narration) paidAlready(m Move) bool {
	return slices.ContainsFunc(s.Moves, func(o Move) bool {
		return o.Place == m.Place && o.Delta > 0 && o.At.Before(m.At) && s.settlesEarly(o)
	})
}
