package ringpoker

import (
	"slices"
	"strconv"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game/hands"
	"vision/validate/round"
)

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
