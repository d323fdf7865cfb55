package ringpoker

import (
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/round"
)

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
