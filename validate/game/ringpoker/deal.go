package ringpoker

import (
	"slices"
	"strconv"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/hands"
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

// drawing is the change of cards in póquer cubierto.
type drawing struct {
	opener   int // seat that opened, -1: nobody
	openedAt int
	begun    bool
	order    []int // seats in the order in which they may change
	at       int   // last event of the change
}

// startDraw begins the change: the first card, draw or «servido» after the bets.
func (h *hand) startDraw(i int) {
	d := &h.draw
	d.at = i
	if d.begun {
		return
	}
	h.checkCards(i)
	h.checkAwaited(i)
	d.begun = true
	if !h.closed() {
		h.at(i, "early", finding.DealtBeforeClose, 0)
	}
	from := h.mano
	if d.opener > 0 {
		from = d.opener
	}
	d.order = h.around(from, h.ring.dir, func(p *player) bool { return p.in })
	h.streets.now, h.streets.checked = 1, true
	h.nextInterval()
}

// change follows a player who changes cards, or is served.
func (h *hand) change(i int, p *player, e *round.Event) {
	if !h.r.Draw || !p.in || h.liveCount() < 2 {
		h.at(i, "turn", finding.PlayerActionNotAllowed, p.seat)
		return
	}
	h.startDraw(i)
	p.drawAt, p.discarded = i, len(e.Discard)
	if e.Action == "stand" {
		p.discarded = 0
		return
	}
	if h.r.Calls.Number {
		switch k, ok := h.said.descarte[p.seat]; {
		case !ok:
			h.unsaid(i, "calls", "descarte", p.seat)
		default:
			h.discardSaid(k, p)
		}
	}
	if p.seat == h.draw.opener && e.Zone != spotBote {
		h.at(i, "draw", finding.OtherProcedure, p.seat)
	}
}

// discardSaid compares the number said with the cards discarded.
func (h *hand) discardSaid(k int, p *player) {
	n, err := strconv.Atoi(string(h.ev[k].Number))
	if err != nil || n == p.discarded {
		return
	}
	h.counts(k, "calls", finding.AnnouncementWrong, p.seat, p.discarded, n)
}

// servedCard follows a card given for a discarded one.
func (h *hand) servedCard(i int, p *player, d dealt) {
	if h.liveCount() < 2 {
		return
	}
	h.startDraw(i)
	p.served++
	p.give(d)
	if d.up {
		h.at(i, "draw", finding.FaceWrong, p.seat)
	}
}

// checkDraw checks the change once the hand is over: turn, number served, and
// that everybody changed or stood.
func (h *hand) checkDraw() {
	d := &h.draw
	if !d.begun {
		return
	}
	for k, seat := range d.order {
		p := h.players[seat]
		if p.drawAt < 0 {
			h.unsaid(h.last, "draw", "draw", seat)
		}
		if n := max(p.discarded, 0); n != p.served {
			h.counts(h.lastCard(p, d.at), "draw", finding.CardCountWrong, seat, n, p.served)
			p.dead = true
		}
		if p.discarded > 0 && slices.ContainsFunc(d.order[:k], func(s int) bool { return h.players[s].drawAt > p.drawAt }) {
			h.at(p.drawAt, "draw", finding.DealOrderWrong, seat)
		}
	}
}

// openerOr is who begins the second interval: the opener, or for one who folded
// the nearest in hand at his right or left.
func (h *hand) openerOr() int {
	opener := h.draw.opener
	if opener < 1 {
		return h.mano
	}
	if h.players[opener].in {
		return opener
	}
	dir := 1 // the left of a player is the next clockwise
	if h.o.OpenerFolded == "right" {
		dir = -1
	}
	if live := h.around(opener, dir, func(p *player) bool { return p.in }); len(live) > 0 {
		return live[0]
	}
	return h.mano
}

// openings are the least pairs to open with, by the blank hands before.
var openings = []int{11, 12, 13, 14}

// checkOpener reports whether an opener who showed cards could not prove them: the
// kept cards with those discarded have to make the pair the hand asked for.
func (h *hand) checkOpener() {
	d := &h.draw
	if d.opener < 1 {
		return
	}
	p := h.players[d.opener]
	if !p.in || p.shownAt < 0 || p.dead {
		return
	}
	n := max(p.discarded, 0)
	proof := slices.Clone(p.shown)
	if n > 0 {
		if !h.cards.shownDiscard || len(h.cards.discard) != n || len(proof) < n {
			h.falseOpener(p)
			return
		}
		proof = append(proof[:len(proof)-n], h.cards.discard...)
	}
	if slices.Contains(proof, card.Unseen) {
		return // cannot be known; the hand itself says so
	}
	need := h.rank.Make(hands.Pareja, openings[min(h.carry.Blank, len(openings)-1)])
	if h.rank.Value(proof) < need {
		h.falseOpener(p)
	}
}

func (h *hand) falseOpener(p *player) {
	p.falseOpener = true
	h.at(h.draw.openedAt, "opener", finding.PlayerActionNotAllowed, p.seat)
}
