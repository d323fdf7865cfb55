package ringpoker

import (
	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// dealSequence are the seats in the order in which the first cards go round. A
// hand that both hole cards put out of play is due no third.
func (h *hand) dealSequence() []int {
	start := h.mano
	if h.r.DealLeft {
		start = h.ring.after(h.mano, 1)
	}
	var out []int
	once := h.ring.from(start, h.ring.dir)
	for k := range len(h.r.Own) {
		for _, s := range once {
			if p := h.players[s]; !p.bothUp || k < len(p.cards) {
				out = append(out, s)
			}
		}
	}
	return out
}

// withDeal is how many common cards are laid with the first cards.
func (h *hand) withDeal() int {
	switch {
	case h.r.Board == nil:
		return 0
	case h.o.FirstCommon && len(h.r.Own) == 5:
		return 1
	}
	return h.r.Board.WithDeal
}

// dealCard follows one of the first cards of a seat.
func (h *hand) dealCard(i int, p *player, d dealt) {
	k := len(p.cards)
	p.give(d)
	h.cards.deal = append(h.cards.deal, i)
	if k >= len(h.r.Own) {
		return
	}
	want := h.r.Own[k] == 'u'
	if h.r.Errors.HoleUp && k == len(h.r.Own)-1 && p.holeUp == 1 {
		if d.up { // the card seen stays up, so this one had to be covered
			h.at(i, "stud", finding.IrregularityIgnored, p.seat)
		}
		return
	}
	if d.up == want || p.bothUp {
		return
	}
	h.at(i, "deal", finding.FaceWrong, p.seat)
	switch {
	case h.r.Errors.HoleUp && !want:
		if p.holeUp++; p.holeUp == 2 {
			p.bothUp, p.refund = true, true
			h.leaves(p)
		}
	case d.up:
		h.faceUp(i, k == 0)
	}
}

// faceUp notes a card of the deal that was seen, whether it was its seat's first.
func (h *hand) faceUp(i int, own bool) {
	m := &h.r.Misdeal
	h.streets.up++
	if own {
		h.cause(i, m.UpOwn)
	}
	if len(h.cards.deal) <= m.UpFirst || m.UpCards > 0 && h.streets.up >= m.UpCards {
		h.cause(i, m.Up)
	}
}

// fallen notes a card of the deal that fell off the table. It is as one that was
// seen, only that which card of the deal it was does not matter (I.1.10.X.1.d-e).
func (h *hand) fallen(i int) {
	m := &h.r.Misdeal
	if !m.Floor {
		return
	}
	if h.streets.up++; h.streets.up >= m.UpCards {
		h.cause(i, m.Up)
	}
}

// leaves takes a hand out of play; its chips stay unless they are refunded.
func (h *hand) leaves(p *player) {
	p.in = false
	h.bets.due = h.stillDue()
}

// dealComplete reports whether every seat has its first cards.
func (h *hand) dealComplete() bool {
	for _, s := range h.o.Players {
		if p := h.players[s]; len(p.cards) < len(h.r.Own) && !p.bothUp {
			return false
		}
	}
	return h.cards.common >= h.withDeal()
}

// checkDeal compares the first cards with what is prescribed: how many, then
// in which order. A deal cut short by a misdeal need only be a right beginning.
func (h *hand) checkDeal(i int, cut bool) {
	if h.streets.dealt {
		return
	}
	h.streets.dealt = true
	want := h.dealSequence()
	deviates := -1
	for k, ev := range h.cards.deal {
		if k >= len(want) || game.SeatOf(h.ev[ev].Zone) != want[k] {
			deviates = ev
			break
		}
	}
	if cut && deviates < 0 {
		return
	}
	right := true
	for _, s := range h.o.Players {
		p := h.players[s]
		if n := len(p.cards); n != len(h.r.Own) && !(p.bothUp && n < len(h.r.Own)) {
			right, p.dead = false, true
			h.counts(h.lastCard(p, i), "deal", finding.CardCountWrong, s, len(h.r.Own), n)
			h.cause(i, h.r.Misdeal.Count)
		}
	}
	if n := h.cards.common; n < h.withDeal() {
		h.add("deal", round.Finding{Code: finding.CardCountWrong, Event: i, Zone: boardZone(h.r, 0), Expected: h.withDeal(),
			Observed: n})
		h.streets.countWrong = true
	}
	if right && deviates >= 0 {
		h.at(deviates, "deal", finding.DealOrderWrong, game.SeatOf(h.ev[deviates].Zone))
		h.cause(i, h.r.Misdeal.Order)
	}
	if !right {
		h.streets.countWrong = true
	}
}

// lastCard is the event of a seat's last card; i where it has none.
func (h *hand) lastCard(p *player, i int) int {
	if n := len(p.cards); n > 0 {
		return p.cards[n-1].event
	}
	return i
}

// commonCard follows a common card.
func (h *hand) commonCard(i, l int, c card.Card, e *round.Event) {
	if h.r.Board == nil {
		h.commonSeventh(i, c, e)
		return
	}
	if l >= len(h.cards.board) {
		return
	}
	up := e.Face == "up"
	if h.streets.now == 0 && h.cards.common < h.withDeal() {
		h.cards.common++
		want := !h.r.Board.Turned || h.cards.common == 1
		if up != want {
			h.add("deal", round.Finding{Code: finding.FaceWrong, Event: i, Zone: e.Zone})
			if up {
				h.faceUp(i, false)
			}
		}
		h.lay(i, l, c)
		return
	}
	if h.r.Board.Turned { // all of them lie there: one too many
		h.add("deal", round.Finding{Code: finding.CardCountWrong, Event: i, Zone: e.Zone, Expected: h.withDeal(),
			Observed: h.cards.common + 1})
		h.streets.countWrong = true
		return
	}
	if h.liveCount() < 2 { // nobody plays for it any more
		return
	}
	s := &h.streets
	full := s.now == 0 || len(s.got[l]) >= h.streetCards()
	if (s.now == 0 || h.bets.inStreet > 0 || full) && s.now < h.r.streets() {
		if !h.begins(i) {
			return
		}
	}
	if !up {
		h.add("deal", round.Finding{Code: finding.FaceWrong, Event: i, Zone: e.Zone})
	}
	s.got[l] = append(s.got[l], i)
	s.checked = false
	h.lay(i, l, c)
}

func (h *hand) lay(i, l int, c card.Card) {
	b := &h.cards.board[l]
	b.cards, b.events, b.turned = append(b.cards, c), append(b.events, i), append(b.turned, h.ev[i].Face == "up")
}
