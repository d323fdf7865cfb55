package ringpoker

import (
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// streets is how far the cards have come.
type streets struct {
	now        int      // 0: the deal
	dealt      bool     // the deal has been checked
	checked    bool     // so has the street
	up         int      // cards of the deal that were seen
	burns      int      // since the street's first card
	burnAt     int      // event of the first of them, -1: none
	flagged    bool     // the coming street's burn came early: said already
	got        [2][]int // the street's common cards, by line
	live       []int    // seats in hand when the street began, in the order of dealing
	cards      []int    // the street's cards to seats
	common     int      // event of the common seventh card, -1: none
	countWrong bool     // card_count_wrong was raised
}

func (h *hand) startStreets() { h.streets = streets{burnAt: -1, common: -1, checked: true} }

// streetCards is how many common cards the street has on each line.
func (h *hand) streetCards() int { return h.cardsOf(h.streets.now) }

// cardsOf is how many common cards a street, counted from 1, has on each line.
func (h *hand) cardsOf(street int) int {
	n := h.r.Board.Streets[street-1]
	if street == 1 && h.o.FirstCommon && len(h.r.Own) == 5 {
		n--
	}
	return n
}

// burn follows cards put aside before a street.
func (h *hand) burn(i int, e *round.Event) {
	h.sight(i, game.Read(e.Card, e))
	h.checkAwaited(i)
	s := &h.streets
	switch h.r.Burn {
	case "any":
		return
	case "none":
		h.counts(i, "burn", finding.BurnWrong, 0, 0, e.Count)
		return
	}
	s.burns += e.Count
	if s.burnAt < 0 {
		s.burnAt = i
		h.lastCardSaid(i)
	}
	if h.bets.inStreet > 0 && !h.closed() && !s.flagged && s.now < h.r.streets() {
		h.at(i, "early", finding.DealtBeforeClose, 0)
		s.flagged = true
	}
}

// lastCardSaid checks that «última carta» was said before the seventh cards.
func (h *hand) lastCardSaid(i int) {
	if h.r.Calls.Stud && h.streets.now == h.r.streets()-1 && h.said.ultima < 0 && h.liveCount() > 1 {
		h.unsaid(i, "calls", "ultima_carta", 0)
		h.said.ultima = i
	}
}

// laterCard follows a card to a seat after the first ones.
func (h *hand) laterCard(i int, p *player, d dealt) {
	if h.r.Draw {
		h.servedCard(i, p, d)
		return
	}
	if !h.r.stud() || h.liveCount() < 2 {
		if h.r.Board != nil && h.liveCount() > 1 { // hold'em has no later cards: one too many
			p.give(d)
			h.counts(i, "deal", finding.CardCountWrong, p.seat, len(h.r.Own), len(p.cards))
		}
		return
	}
	s := &h.streets
	if s.now < h.r.streets() && (s.now == 0 || h.bets.inStreet > 0 || h.closed() && h.everyoneServed()) {
		if !h.begins(i) {
			return
		}
	}
	s.cards = append(s.cards, i)
	s.checked = false
	h.studFace(i, p, d)
	p.give(d)
}

// studFace checks the face of a later card of stud.
func (h *hand) studFace(i int, p *player, d dealt) {
	if s := h.streets.now; s < 1 || s > len(h.r.Streets) {
		return
	}
	up := h.r.Streets[h.streets.now-1] == 'u'
	last := h.r.seven() && h.streets.now == h.r.streets()
	switch {
	case last:
		h.seventhFace(i, p, d.up)
	case d.up != up:
		h.at(i, "deal", finding.FaceWrong, p.seat)
	}
}

// everyoneServed reports whether each live seat has a card of this street.
func (h *hand) everyoneServed() bool {
	return !slices.ContainsFunc(h.live(), func(p *player) bool { return h.servedNow(p.seat) == 0 })
}

func (h *hand) servedNow(seat int) int {
	n := 0
	for _, i := range h.streets.cards {
		if game.SeatOf(h.ev[i].Zone) == seat {
			n++
		}
	}
	return n
}

// begins opens the next street, and with it the next interval. It reports whether
// the card stays: one that was dealt early and is taken back does not.
func (h *hand) begins(i int) bool {
	s := &h.streets
	h.checkCards(i)
	if !h.closed() {
		if !s.flagged {
			h.at(i, "early", finding.DealtBeforeClose, 0)
		}
		s.flagged = false
		if h.allRetired(i) {
			return false
		}
		h.early = append(h.early, i)
	}
	h.lastCardSaid(i)
	s.now++
	s.flagged, s.checked = false, false
	s.got, s.cards = [2][]int{}, nil
	s.live = h.around(h.mano, h.ring.dir, func(p *player) bool { return p.in })
	if h.r.Burn == "one" && s.burns != 1 && !h.cards.back {
		h.counts(i, "burn", finding.BurnWrong, 0, 1, s.burns)
	}
	s.burns, s.burnAt = 0, -1
	h.nextInterval()
	return true
}

// allRetired reports whether the cards of a street that begins early, up to the
// next decision, are all taken back later; if so they are passed over.
func (h *hand) allRetired(i int) bool {
	var chunk []int
	for k := i; k < len(h.ev) && !decides(&h.ev[k]); k++ {
		e := &h.ev[k]
		if e.Type != round.CardDealt || line(e.Zone) < 0 && game.SeatOf(e.Zone) == 0 {
			continue
		}
		if !h.cards.retired[k] {
			return false
		}
		chunk = append(chunk, k)
	}
	for _, k := range chunk {
		h.cards.skip[k] = true
	}
	return len(chunk) > 0
}

// decides reports whether an event is a decision in the betting.
func decides(e *round.Event) bool {
	switch e.Type {
	case round.Bet:
		return e.Spot == spotBote
	case round.Action:
		return e.Action != "draw" && e.Action != "stand" && e.Action != "play" && e.Action != "sit_out"
	}
	return false
}

// takenBack follows a card that will be taken back: dealt early it says so, and
// otherwise it counts for nothing.
func (h *hand) takenBack(i int) {
	s := &h.streets
	e := &h.ev[i]
	full := s.now > 0 && line(e.Zone) >= 0 && h.r.Board != nil && !h.r.Board.Turned &&
		len(s.got[line(e.Zone)]) >= h.streetCards()
	if h.closed() || h.liveCount() < 2 || s.now >= h.r.streets() {
		return
	}
	if s.now == 0 && line(e.Zone) >= 0 || h.bets.inStreet > 0 || full {
		h.begins(i)
	}
}

// checkCards checks the deal, or the street, once a decision follows it.
func (h *hand) checkCards(i int) {
	h.checkDeal(i, false)
	s := &h.streets
	if s.checked {
		return
	}
	s.checked = true
	switch {
	case s.now == 0:
	case h.r.Board != nil && !h.r.Board.Turned:
		for l := range h.r.Board.Lines {
			if n := len(s.got[l]); n != h.streetCards() {
				h.add("deal", round.Finding{Code: finding.CardCountWrong, Event: i, Zone: boardZone(h.r, l), Expected: h.streetCards(),
					Observed: n})
				s.countWrong = true
			}
		}
	case h.r.stud() && s.common < 0:
		h.checkStud(i)
	}
}

// checkStud checks that each live seat has one card of the street, and the order.
func (h *hand) checkStud(i int) {
	s := &h.streets
	right := true
	for _, seat := range s.live {
		if n := h.servedNow(seat); n != 1 {
			right, h.streets.countWrong = false, true
			h.counts(i, "deal", finding.CardCountWrong, seat, 1, n)
		}
	}
	if !right {
		return
	}
	k := 0
	for _, ev := range s.cards {
		seat := game.SeatOf(h.ev[ev].Zone)
		if k >= len(s.live) || s.live[k] != seat {
			h.at(ev, "deal", finding.DealOrderWrong, seat)
			return
		}
		k++
	}
}

// commonSeventh follows the card that all have in common in seven stud when the
// pack does not hold one for each.
func (h *hand) commonSeventh(i int, c card.Card, e *round.Event) {
	s := &h.streets
	if h.liveCount() < 2 {
		return
	}
	if s.now < h.r.streets() && !h.begins(i) {
		return
	}
	held := 0
	for _, p := range h.live() {
		held += len(p.cards)
	}
	if 52-held >= h.liveCount() || s.now != h.r.streets() || s.common >= 0 {
		h.at(i, "stud", finding.OtherProcedure, 0)
	}
	if e.Face != "up" {
		h.add("deal", round.Finding{Code: finding.FaceWrong, Event: i, Zone: e.Zone})
	}
	s.common = i
	h.lay(i, 0, c)
}

// turnBoard follows the common cards of a board that is laid with the deal:
// each street turns one more.
func (h *hand) turnBoard(i int, cards []card.Card) {
	b := &h.cards.board[0]
	var fresh, kept []int
	for k, c := range h.ev[i].Cards {
		if k >= len(b.cards) || c == card.Unseen || b.cards[k] != card.Unseen {
			continue
		}
		h.sight(i, cards[k])
		switch {
		case b.turned[k]: // it lay open before, and was not read
			b.cards[k] = cards[k]
			continue
		case !h.retiredAfter(i, c):
			kept = append(kept, k)
		}
		fresh = append(fresh, k)
	}
	if h.liveCount() < 2 {
		return
	}
	if len(fresh) == 0 {
		h.turnUnread(i)
		return
	}
	h.checkAwaited(i)
	h.checkCards(i)
	open := !h.closed()
	if open {
		h.at(i, "early", finding.DealtBeforeClose, 0)
	}
	if len(fresh) > 1 {
		h.counts(i, "early", finding.CardCountWrong, 0, 1, len(fresh))
		h.streets.countWrong = true
	}
	if len(kept) == 0 {
		return
	}
	if (open || len(kept) > 1) && h.r.Errors.TakeBack {
		h.early = append(h.early, i)
	}
	for _, k := range kept {
		b.cards[k], b.turned[k] = cards[k], true
	}
	h.turnedOne()
}

// turnUnread follows a board that is shown with nothing new on it where a street is
// due: its card was turned, and nobody could read it.
func (h *hand) turnUnread(i int) {
	b := &h.cards.board[0]
	k := slices.Index(b.turned, false)
	if k < 0 || !h.closed() {
		return
	}
	h.checkAwaited(i)
	h.checkCards(i)
	b.turned[k] = true
	h.turnedOne()
}

// turnedOne begins the interval that follows a card turned.
func (h *hand) turnedOne() {
	if s := &h.streets; s.now < h.r.streets() {
		s.now++
		h.nextInterval()
	}
}

// retiredAfter reports whether a card shown at i is taken back before the board is shown again.
func (h *hand) retiredAfter(i int, c card.Card) bool {
	for k := i + 1; k < len(h.ev); k++ {
		e := &h.ev[k]
		if e.Type == round.Reveal && line(e.Zone) >= 0 {
			return false
		}
		if e.Type == round.Incident && e.Kind == "card_retired" && line(e.Zone) >= 0 && (e.Card == c || e.Card == card.Unseen) {
			return true
		}
	}
	return false
}
