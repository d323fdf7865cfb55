package ringpoker

import (
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game/hands"
	"vision/validate/round"
)

// pending reports whether a player still has to speak.
func (h *hand) pending(p *player) bool {
	if !p.pending || !p.able() {
		return false
	}
	if h.toCall(p) > 0 {
		return true
	}
	if h.bets.noBets {
		return false
	}
	return slices.ContainsFunc(h.order, func(q *player) bool { return q != p && q.able() })
}

// closed reports whether the interval's betting is over.
func (h *hand) closed() bool { return h.liveCount() < 2 || !slices.ContainsFunc(h.order, h.pending) }

// nextPending is the next seat after another that still has to speak; 0: none.
func (h *hand) nextPending(after int) int {
	for _, s := range h.ring.from(after, h.ring.dir) {
		if s != after && h.pending(h.players[s]) {
			return s
		}
	}
	return 0
}

// lastDecision is the last event by which somebody speaks; -1: none does. A
// fold is not one: after the last bet it renounces the showdown.
func (h *hand) lastDecision() int {
	for i := len(h.ev) - 1; i >= 0; i-- {
		e := &h.ev[i]
		if e.Type == round.Bet && e.Spot == spotBote {
			return i
		}
		if e.Type == round.Action && e.Action != "fold" {
			return i
		}
	}
	return -1
}

// inTurn notes a decision and whether it came in turn.
func (h *hand) inTurn(p *player) bool {
	b := &h.bets
	if b.due == 0 && b.inTurn == 0 {
		b.first, b.unknown = h.firstToSpeak()
		b.due = b.first
	}
	b.decisions++
	b.inStreet++
	b.inTurn++
	if b.due != 0 && !h.pending(h.players[b.due]) {
		b.due = h.nextPending(b.due)
	}
	return b.unknown || b.noBets || p.seat == b.due || p.seat == b.alt
}

// pass gives the turn on after a decision of p.
func (h *hand) pass(p *player, inTurn bool) {
	b := &h.bets
	p.acted, p.pending, p.reopened = true, false, false
	switch {
	case p.seat == b.due || b.unknown:
		b.due, b.alt, b.unknown = h.nextPending(p.seat), 0, false
	default: // out of turn, or the one after who was: the skipped seat stays due
		b.alt = h.nextPending(p.seat)
		if b.alt == b.due {
			b.alt = 0
		}
	}
	p.outOfTurn = p.outOfTurn || !inTurn
}

// turn raises a decision out of turn.
func (h *hand) turn(i int, p *player) bool {
	ok := h.inTurn(p)
	if !ok {
		h.at(i, "turn", finding.PlayerActionNotAllowed, p.seat)
	}
	return ok
}

// stillDue is whose turn it is once somebody has left the hand.
func (h *hand) stillDue() int {
	b := &h.bets
	if b.due == 0 || h.pending(h.players[b.due]) {
		return b.due
	}
	return h.nextPending(b.due)
}

// firstToSpeak is who has to speak first in the interval; unknown where that
// hangs on a card that was not seen.
func (h *hand) firstToSpeak() (seat int, unknown bool) {
	rule := h.r.First.Later
	if h.bets.interval == 1 {
		rule = h.r.First.Opening
		if rule == "mano" && h.o.AfterBlinds && h.o.Forced == "ciegas" {
			rule = "blind"
		}
	}
	dir, from := h.ring.dir, h.mano
	switch rule {
	case "left":
		from = h.ring.after(h.mano, 1)
	case "blind":
		_, big := h.blindSeats()
		from = h.ring.after(big, dir)
	case "bettor":
		if h.bets.before != 0 {
			from = h.bets.before
		}
	case "opener":
		from = h.openerOr()
	case "low", "high":
		if from = h.shownFirst(rule == "low"); from == 0 {
			return 0, true
		}
	}
	for _, s := range h.ring.from(from, dir) {
		if h.pending(h.players[s]) {
			return s, false
		}
	}
	return 0, false
}

// shownFirst is the seat of the lowest or the highest cards that lie open; 0
// where one of them was not seen.
func (h *hand) shownFirst(low bool) int {
	best, tied := int64(0), []int{}
	for _, p := range h.live() {
		v, ok := h.upcards(p, low)
		if !ok {
			return 0
		}
		switch {
		case len(tied) == 0 || v > best:
			best, tied = v, []int{p.seat}
		case v == best:
			tied = append(tied, p.seat)
		}
	}
	if len(tied) == 1 {
		return tied[0]
	}
	dir := 1
	tie := h.r.First.Tie
	if h.r.First.TieLast != "" && h.bets.interval == h.r.streets()+1 {
		tie = h.r.First.TieLast
	}
	if tie == "right" {
		dir = -1
	}
	for _, s := range h.ring.from(h.mano, dir) {
		if slices.Contains(tied, s) {
			return s
		}
	}
	return 0
}

// upcards is the worth of a seat's open cards: the more the better, for low
// the lower the better. Equal lowest cards go by suit where the norm says so.
func (h *hand) upcards(p *player, low bool) (int64, bool) {
	var up []card.Card
	for _, d := range p.cards {
		if d.up {
			if d.card == card.Unseen {
				return 0, false
			}
			up = append(up, d.card)
		}
	}
	if !low {
		return int64(hands.Open(up)), true
	}
	if len(up) == 0 {
		return -100, true
	}
	c := up[len(up)-1]
	v := int64(hands.High(c)) * 4
	if h.r.First.Tie == "suit" {
		suit := int64(c-1) / 13 // picas are the highest
		if h.o.HighestSuit {
			suit = 3 - suit
		}
		v += 3 - suit
	}
	return -v, true
}

// pairShown reports whether the first two open cards of anybody are a pair, and
// whether they may be, where one of them was not seen.
func (h *hand) pairShown() (is, maybe bool) {
	for _, p := range h.live() {
		var up []card.Card
		for _, d := range p.cards {
			if d.up {
				up = append(up, d.card)
			}
		}
		switch {
		case len(up) < 2:
		case up[0] == card.Unseen || up[1] == card.Unseen:
			maybe = true
		case up[0].Number() == up[1].Number():
			is = true
		}
	}
	return is, is || maybe
}
