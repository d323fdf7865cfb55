package track

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/round"
)

// blackjackGames is blackjack.
var blackjackGames = []*game{
	{code: "blackjack", course: cards, deal: []string{"seats", "bank", "seats"}, narrate: tellBlackjack},
}

// tellBlackjack tells a hand of blackjack: bets until the first card, two
// cards for every box and one for the bank, the players' decisions, the bank's
// cards, then money.
func tellBlackjack(s *story) {
	s.arrangeDeal(s.dealOrder())
	if len(s.hand) > 0 {
		s.close = s.hand[0].at
	}
	s.openingBets(s.timely)
	s.cardEvents()
	s.reveals()
	s.splits()
	decided := s.lastCard()
	if decided.IsZero() {
		return
	}
	bank := s.cardsOf("bank", time.Time{})
	late := func(m move) bool { return !s.timely(m) && m.at.Before(decided) && !s.duringSettlement(m) }
	s.decisions(func(m move) bool { return late(m) })
	v := s.assess()
	s.lost = s.overTwentyOne()
	s.early = len(bank) >= 2 && !has(v, finding.StoodMustDraw) && !s.unseen()
	if len(bank) >= 2 && !s.early {
		s.stalled = decided
	}
	over := s.final || s.early || len(bank) >= 2 && s.firstCall("puntos_banca").After(decided)
	if !over { // what moves after the last card so far belongs to the play
		s.decisions(func(m move) bool { return !m.at.Before(decided) && !s.duringSettlement(m) })
		s.assess()
	}
	s.hasten()
	s.settleAll(func(m move) bool {
		return !s.timely(m) && (s.duringSettlement(m) || over && !m.at.Before(decided))
	})
	s.together(rightToLeft)
}

// splits tells each card that was moved to a hand of its own as the action it
// shows, no later than what follows from it.
func (s *story) splits() {
	for i := range s.sc.items {
		h := &s.sc.items[i]
		if h.kind != cardMoved {
			continue
		}
		seat, hand := handOf(h.to)
		if hand < 2 {
			continue
		}
		at := h.at
		spot := "split:" + strconv.Itoa(hand)
		for _, m := range s.moves {
			if m.place == (place{seat, spot}) && m.delta > 0 && m.at.Before(at) && !s.timely(m) {
				at = m.at
			}
		}
		for _, c := range s.hand {
			if (c.zone == h.to || c.zone == h.zone && c.item > s.secondOf(h.zone)) && c.at.Before(at) {
				at = c.at
			}
		}
		s.tell(action(seat, "split", h.zone), h.from, at, -1)
	}
}

// secondOf is the item of a zone's second card, beyond all when it has none.
func (s *story) secondOf(zone string) int {
	n := 0
	for _, c := range s.hand {
		if c.zone == zone {
			if n++; n == 2 {
				return c.item
			}
		}
	}
	return maxItems
}

// action is a decision about a hand; the seat's first hand need not be named.
func action(seat int, what, zone string) round.Event {
	if _, hand := handOf(zone); hand < 2 {
		zone = ""
	}
	return round.Event{Type: round.Action, Seat: seat, Action: what, Zone: zone}
}

// decisions tells chips that move while the hands are played: the second stake
// of a double or a split, insurance, or chips that should not move.
func (s *story) decisions(in func(move) bool) {
	for _, m := range s.moves {
		if !in(m) {
			continue
		}
		if kind, k, _ := strings.Cut(m.place.Spot, ":"); kind == "double" && m.delta > 0 && !s.acted("double", m.place) {
			zone := ""
			if k != "" {
				zone = "seat:" + strconv.Itoa(m.place.Seat) + "/" + k
			}
			s.tell(action(m.place.Seat, "double", zone), m.from, m.at, -1)
		}
	}
	s.during(in)
}

// acted tells that an action about a hand was told already, by the terminal or
// because of other chips.
func (s *story) acted(what string, p place) bool {
	zone := handZone(p)
	return slices.ContainsFunc(s.told, func(t told) bool {
		e := t.event
		named := e.Zone
		if named == "" {
			named = "seat:" + strconv.Itoa(e.Seat)
		}
		return e.Type == round.Action && e.Action == what && e.Seat == p.Seat && named == zone
	})
}

// handZone is the hand that the chips of a place play on.
func handZone(p place) string {
	kind, k, _ := strings.Cut(p.Spot, ":")
	box := "seat:" + strconv.Itoa(p.Seat)
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
func (s *story) cardsOf(zone string, t time.Time) (cs []card.Card) {
	for _, c := range s.hand {
		if s.sc.slots[c.slot].zone == zone && (t.IsZero() || !c.at.After(t)) {
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

// duringSettlement tells that a move settles a bet although cards may still be
// dealt: a hand over 21 or given up is collected, even money and a blackjack
// that the bank cannot equal are paid at once.
func (s *story) duringSettlement(m move) bool {
	kind, _, _ := strings.Cut(m.place.Spot, ":")
	if kind != "main" && kind != "split" && kind != "double" || s.timely(m) {
		return false
	}
	zone := handZone(m.place)
	cs := s.cardsOf(zone, m.at)
	total, ok := points(cs)
	if m.delta < 0 {
		return ok && total > 21 || s.actedBefore("surrender", m.place, m.at) || s.actedBefore("even_money", m.place, m.at) || s.paidAlready(m)
	}
	if s.actedBefore("even_money", m.place, m.at) || ok && total > 21 {
		return true
	}
	bank := s.cardsOf("bank", m.at)
	return ok && total == 21 && len(cs) == 2 && len(bank) > 0 && bank[0].Number() > 1 && bank[0].Number() < 10 && kind == "main"
}

// overTwentyOne are the bets on hands over 21, which are lost whatever the bank draws.
func (s *story) overTwentyOne() map[place]bool {
	lost := map[place]bool{}
	for _, e := range s.due {
		p := physical(e.Seat, e.Spot)
		total, ok := points(s.cardsOf(handZone(p), time.Time{}))
		lost[p] = ok && total > 21 && e.Outcome == round.Lose
	}
	return lost
}

// paidAlready tells that chips were laid on the place as a payment before m.
func (s *story) paidAlready(m move) bool {
	return slices.ContainsFunc(s.moves, func(o move) bool {
		return o.place == m.place && o.delta > 0 && o.at.Before(m.at) && s.duringSettlement(o)
	})
}

func (s *story) actedBefore(what string, p place, t time.Time) bool {
	for i := range s.sc.items {
		h := &s.sc.items[i]
		if h.isEvent(round.Action) && h.event.Action == what && h.event.Seat == p.Seat && !h.at.After(t) {
			return true
		}
	}
	return false
}

// hasten dates the collection of a hand over 21 before the card that was dealt
// while it was under way.
func (s *story) hasten() {
	for i := range s.moves {
		m := &s.moves[i]
		if m.delta >= 0 || !s.duringSettlement(*m) {
			continue
		}
		for _, c := range s.hand {
			if c.at.Before(m.at) && c.at.After(m.from) && s.sc.slots[c.slot].zone != handZone(m.place) {
				m.at = c.at.Add(-time.Millisecond)
			}
		}
	}
}

// rightToLeft is the order in which a blackjack settles: box numbers never rise.
func rightToLeft(a, b round.Event) bool { return a.Seat > b.Seat }
