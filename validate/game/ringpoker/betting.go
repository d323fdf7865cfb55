package ringpoker

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// betting is the state of the bets.
type betting struct {
	interval  int // from 1
	cur       money.Cents
	raises    int
	first     int         // who had to speak first in this interval, 0: unknown
	due       int         // whose turn it is, 0: nobody's, or not known
	unknown   bool        // the first to speak hangs on a card that was not seen
	alt       int         // the next after one who spoke out of turn; 0: nobody did
	highest   int         // who made the interval's last bet or raise
	before    int         // the same of the previous interval
	last      int         // the same of the whole hand
	highUsed  bool        // the high level was bet in this interval
	decisions int         // of the hand
	inStreet  int         // since the street began
	inTurn    int         // of the interval
	noBets    bool        // two in hand, the seventh card of one up: the interval has no bets
	potAt     money.Cents // pot when the interval's cards were dealt

	awaited expected
	open    int // seat that said bet or raise without an amount; 0: none
}

// expected are chips that a decision still owes.
type expected struct {
	seat           int
	amount, got    money.Cents
	completes, any bool // completes a short call; some decision is open
}

func (h *hand) startBetting() {
	h.bets.interval = 1
	if h.o.Forced == "ciegas" {
		h.bets.cur = h.in.Rec.Table.Min
	}
	for _, p := range h.order {
		p.pending = true
	}
}

// nextInterval opens the betting that follows a street.
func (h *hand) nextInterval() {
	b := &h.bets
	*b = betting{interval: b.interval + 1, before: b.highest, last: b.last, decisions: b.decisions, potAt: h.pot()}
	for _, p := range h.order {
		p.commit, p.pending, p.acted, p.reopened, p.outOfTurn, p.raises = 0, p.in, false, false, false, 0
	}
}

func (h *hand) toCall(p *player) money.Cents { return max(0, h.bets.cur-p.commit) }

// overchip reports whether a bet is one larger chip put without a word.
func (h *hand) overchip(i int) bool {
	return i+1 < len(h.ev) && h.ev[i+1].Type == round.Incident && h.ev[i+1].Kind == "overchip"
}

// bet follows chips put on a spot.
func (h *hand) bet(i int, e *round.Event) {
	p := h.join(e.Seat)
	p.put += e.Amount
	amount := e.Amount
	if p.taken > 0 { // what was taken back comes first
		back := min(amount, p.taken)
		p.taken -= back
		p.put -= back
		if amount -= back; amount == 0 {
			return
		}
	}
	if e.Spot != spotBote {
		h.forcedBet(i, p, e.Spot, amount)
		return
	}
	x := &h.bets.awaited
	if x.any && x.seat == p.seat && x.got < x.amount {
		x.got += amount
		h.spoke = i
		if x.got > x.amount {
			p.excess += x.got - x.amount
			x.got = x.amount
		}
		return
	}
	if x.any && x.seat == p.seat && !x.completes && h.bets.open == 0 && x.amount > 0 && !h.pending(p) {
		p.excess += amount // more than declared
		return
	}
	declared := h.bets.open == p.seat
	h.bets.open = 0
	if !h.speaks(i, p, amount, true) {
		return
	}
	h.spoke = i
	h.wager(i, p, amount, declared, amount)
}

// withdraw follows chips that a player takes back: they stay owed.
func (h *hand) withdraw(i int, e *round.Event) {
	p := h.join(e.Seat)
	if p.paid {
		return
	}
	p.taken += e.Amount
	h.add("errors", round.Finding{Code: finding.LateWithdrawal, Event: i, Seat: e.Seat, Spot: e.Spot, Observed: e.Amount})
}

// action follows a decision that is said or shown.
func (h *hand) action(i int, e *round.Event) {
	p := h.join(game.PlaceOf(e).Seat)
	switch e.Action {
	case "draw", "stand":
		h.change(i, p, e)
		return
	case "play", "sit_out":
		h.answer(p, e.Action)
		return
	case "fold":
		if h.renounces(i, p) {
			return
		}
	}
	h.checkAwaited(i)
	h.bets.open = 0
	if !h.speaks(i, p, 0, false) {
		return
	}
	if e.Action != "fold" && h.pending(p) {
		h.spoke = i
	}
	t := h.toCall(p)
	left, known := p.left()
	switch e.Action {
	case "check":
		h.check(i, p)
	case "fold":
		h.fold(i, p)
	case "call":
		amount := e.Amount
		if amount == 0 {
			if amount = t; known {
				amount = min(amount, left)
			}
		}
		if amount == 0 {
			h.check(i, p)
			return
		}
		h.wager(i, p, amount, true, 0)
	default: // bet, raise
		if e.Amount == 0 {
			h.bets.open = p.seat
			return
		}
		h.wager(i, p, e.Amount, true, 0)
	}
}

// renounces reports whether a fold gives up the showdown instead of the betting.
func (h *hand) renounces(i int, p *player) bool {
	if !p.in || i <= h.showAt || !h.closed() || h.liveCount() < 2 || h.streets.now == 0 && !h.streets.dealt {
		return false
	}
	h.checkAwaited(i)
	h.checkCards(i)
	p.in = false
	return true
}

// speaks reports whether a player's decision counts at all; chips that do not are
// to be returned. Chips are a bet in cascade where the player has spoken already.
func (h *hand) speaks(i int, p *player, amount money.Cents, chips bool) bool {
	h.decisionBegins(i)
	if p.able() && h.liveCount() > 1 && (!chips || h.pending(p) || h.bets.noBets) {
		return true
	}
	topic := "turn"
	if p.able() && chips {
		topic = "cascade"
	}
	h.at(i, topic, finding.PlayerActionNotAllowed, p.seat)
	p.excess += amount
	return false
}

// checkAwaited closes the chips of the last decision: what is missing by now is a finding.
func (h *hand) checkAwaited(i int) {
	x := h.bets.awaited
	h.bets.awaited = expected{}
	if x.any && x.got < x.amount {
		h.amounts(i, "errors", finding.OtherProcedure, x.seat, spotBote, x.amount, x.got)
	}
}

// decisionBegins does what every decision closes: the cards before it and the
// chips of the last one.
func (h *hand) decisionBegins(i int) {
	h.checkAwaited(i)
	h.checkCards(i)
	h.unanswered(i)
	if h.bets.decisions == 0 && h.r.Calls.Stud && h.said.hagan < 0 {
		h.unsaid(i, "calls", "hagan_sus_apuestas", 0)
	}
}

func (h *hand) check(i int, p *player) {
	if h.toCall(p) > 0 {
		h.at(i, "turn", finding.PlayerActionNotAllowed, p.seat)
		return
	}
	ok := h.turn(i, p)
	if ok && h.mustOpen(p) {
		h.at(i, "first", finding.PlayerActionNotAllowed, p.seat)
	}
	h.pass(p, ok)
}

// mustOpen reports whether a player who is just deciding has to make the forced
// bet of the hand: also where others spoke before their turn, unless one of them
// has bet, which stands in its place (I.1.10.B.1.III.2.d).
func (h *hand) mustOpen(p *player) bool {
	b := &h.bets
	if !h.r.First.Forced || b.interval > 1 || b.cur > 0 || p.acted {
		return false
	}
	return p.seat == b.first || b.first == 0 && b.decisions == 1
}

func (h *hand) fold(i int, p *player) {
	opening := h.bets.inTurn == 0
	ok := h.turn(i, p)
	switch n := h.bets.interval; {
	case !ok:
	case h.mustOpen(p), opening && h.r.First.NoFold && n >= 2 && n <= 4:
		h.at(i, "first", finding.PlayerActionNotAllowed, p.seat)
	}
	h.pass(p, ok)
	p.in = false
	h.bets.due = h.stillDue()
	h.said.fold, h.said.foldSeat = i, p.seat
}

// wager is a bet, call or raise of amount chips; got of them lie there already.
func (h *hand) wager(i int, p *player, amount money.Cents, declared bool, got money.Cents) {
	t, pot := h.toCall(p), h.pot()
	if !declared && h.overchip(i) {
		most := amount
		switch {
		case t > 0:
			most = t
		case h.o.Limit == potLimit:
			most = pot
		}
		if amount > most {
			p.excess += amount - most
			amount, got = most, most
		}
	}
	left, known := p.left()
	if amount < t {
		h.shortCall(i, p, amount, t, got)
		return
	}
	ok := h.turn(i, p)
	allIn := known && amount >= left
	if h.bets.noBets && amount > 0 {
		h.at(i, "seventh", finding.PlayerActionNotAllowed, p.seat)
	}
	if amount > t {
		h.sizes(i, p, amount, allIn)
		h.raise(i, p, amount, allIn)
	}
	p.commit += amount
	p.total += amount
	p.allIn = p.allIn || allIn
	h.pass(p, ok)
	h.await(p, amount, got, false)
}

// await notes that a decision of amount chips has got so many of them.
func (h *hand) await(p *player, amount, got money.Cents, completes bool) {
	h.bets.awaited = expected{seat: p.seat, amount: amount, got: got, completes: completes, any: got < amount || got == 0}
}

// shortCall is a call of fewer chips than it takes: completed later where the
// player has more, all-in where not, or where that is not known.
func (h *hand) shortCall(i int, p *player, amount, t, got money.Cents) {
	ok := h.turn(i, p)
	left, known := p.left()
	if known && left > amount {
		owes := min(t, left)
		p.commit += owes
		p.total += owes
		p.allIn = owes == left
		h.pass(p, ok)
		h.await(p, owes, min(got, owes), true)
		return
	}
	p.commit += amount
	p.total += amount
	p.allIn = true
	h.pass(p, ok)
	h.await(p, amount, got, false)
}

// raise makes amount the new highest bet and lets the others speak again.
func (h *hand) raise(i int, p *player, amount money.Cents, allIn bool) {
	b := &h.bets
	to := p.commit + amount
	short := allIn && b.cur > 0 && to < 2*b.cur
	if b.cur > 0 {
		b.raises++
		p.raises++
	}
	if h.draw.opener < 0 && h.r.Draw && b.interval == 1 {
		h.draw.opener, h.draw.openedAt = p.seat, i
	}
	b.highUsed = b.highUsed || amount-h.toCall(p) >= h.o.High
	b.cur, b.highest, b.last = to, p.seat, p.seat
	for _, q := range h.order {
		if q != p && q.in {
			q.pending = true
			q.reopened = q.reopened || !short
		}
	}
}
