package ringpoker

import (
	"fmt"
	"slices"
	"strings"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game/hands"
	"vision/validate/round"
)

// outcome is how a hand came out.
type outcome struct {
	unknown, blank, showdown bool
	stays                    bool // nobody may win: the chips wait for the next hand
	wins                     map[int]bool
	categories               map[int][]string // names that are right for a seat's hand
	hands                    []round.Hand
	pots                     []pot
	low                      []int
	pays                     map[int]money.Cents
	returns                  map[int]money.Cents
	pot, rake                money.Cents
	before, beforeAt         int // seat that showed before its turn, and by which event; 0: none
}

// reading is a hand that takes part in the showdown.
type reading struct {
	p    *player
	high [2]hands.Value // by line
	low  uint32         // 0: none
}

// decide finds out who wins what.
func (h *hand) decide() {
	x := &h.final
	x.wins, x.categories = map[int]bool{}, map[int][]string{}
	x.pays, x.returns = map[int]money.Cents{}, map[int]money.Cents{}
	live := h.live()
	switch {
	case h.r.Draw && len(live) > 1 && h.draw.opener < 0 && !h.draw.begun && h.closed():
		x.blank = true
	case len(live) == 0:
		x.stays = true
	case len(live) == 1:
		h.walkover(live[0])
	default:
		h.compare(live)
	}
	if !x.unknown {
		h.goBack()
	}
}

// walkover gives the pot to the one that is left.
func (h *hand) walkover(p *player) {
	h.checkOpener()
	if p.falseOpener {
		h.final.stays = true
		return
	}
	h.divide([]reading{{p: p}})
	seen := p.shownAt >= 0 && len(p.shown) == h.ownCards() && !slices.Contains(p.shown, card.Unseen)
	if seen && !h.deadHand(p) && h.boardKnown() { // though the others have given up since
		h.read(p)
	}
}

// boardCards is how many common cards each line has at the end.
func (h *hand) boardCards() int {
	switch {
	case h.r.Board == nil && h.streets.common >= 0:
		return 1
	case h.r.Board == nil:
		return 0
	}
	n := h.withDeal()
	if h.r.Board.Turned {
		return n
	}
	for k := range h.r.Board.Streets {
		n += h.cardsOf(k + 1)
	}
	return n
}

// boardKnown reports whether every common card lies there and was read.
func (h *hand) boardKnown() bool {
	want := h.boardCards()
	return !slices.ContainsFunc(h.cards.board, func(l lines) bool {
		return len(l.cards) != want || slices.Contains(l.cards, card.Unseen)
	})
}

// compare reads the hands that are shown and divides the pots among them.
func (h *hand) compare(live []*player) {
	x := &h.final
	x.showdown = true
	var shown []*player
	for _, p := range live {
		if p.shownAt >= 0 {
			shown = append(shown, p)
		}
	}
	if len(shown) == 0 {
		code := finding.NotObservable
		if !h.closed() {
			code = finding.OtherProcedure
		}
		h.at(h.last, "show", code, 0)
		x.unknown = true
		return
	}
	if x.before > 0 {
		h.at(x.beforeAt, "show", finding.OtherProcedure, x.before)
	}
	if h.incomplete() || h.unread(shown) {
		x.unknown = true
		return
	}
	h.checkOpener()
	var in []reading
	for _, p := range shown {
		if !h.deadHand(p) && !p.falseOpener {
			in = append(in, h.read(p))
		}
	}
	if len(in) == 0 {
		x.stays = true
		return
	}
	h.divide(in)
}

// ownCards is how many cards a seat has at the end.
func (h *hand) ownCards() int {
	n := len(h.r.Own) + len(h.r.Streets)
	if h.streets.common >= 0 {
		n--
	}
	return n
}

func (h *hand) deadHand(p *player) bool {
	return p.dead || len(p.cards) != h.ownCards() && !h.r.Draw || len(p.shown) > h.ownCards()
}

// incomplete reports whether cards are missing that the showdown needs.
func (h *hand) incomplete() bool {
	want, got := 0, 0
	switch {
	case h.r.Board != nil:
		want = h.boardCards()
		got = want
		for _, l := range h.cards.board {
			got = min(got, len(l.cards))
		}
	case h.r.stud():
		want, got = len(h.r.Own)+len(h.r.Streets), len(h.r.Own)+h.streets.now
	}
	if got == want {
		return false
	}
	if !h.streets.countWrong {
		h.counts(h.last, "deal", finding.CardCountWrong, 0, want, got)
	}
	return true
}

// unread reports whether a card of the showdown was not seen.
func (h *hand) unread(shown []*player) bool {
	bad := false
	for _, p := range shown {
		if h.deadHand(p) {
			continue
		}
		for len(p.shown) < h.ownCards() {
			p.shown = append(p.shown, card.Unseen)
		}
		if slices.Contains(p.shown, card.Unseen) {
			h.at(p.shownAt, "show", finding.NotObservable, p.seat)
			bad = true
		}
	}
	for _, l := range h.cards.board {
		if slices.Contains(l.cards, card.Unseen) {
			h.at(h.last, "show", finding.NotObservable, 0)
			bad = true
		}
	}
	return bad
}

// read values a hand on each line, and as a low hand.
func (h *hand) read(p *player) reading {
	use := -1
	if h.r.Use > 0 || h.o.TwoPlusThree && h.r.Board != nil {
		use = 2
	}
	r := reading{p: p}
	zone := fmt.Sprintf("seat:%d", p.seat)
	for l := range h.cards.board {
		best := h.rank.BestOf(p.shown, h.cards.board[l].cards, use)
		r.high[l] = best.Value
		z := zone
		if len(h.cards.board) > 1 {
			z = fmt.Sprintf("%s/%d", zone, l+1)
		}
		h.name(z, p.seat, best.Cards, best.Value.Category().String(), nil)
	}
	if h.r.Low {
		var cards []card.Card
		if r.low, cards = hands.BestLow(p.shown, h.cards.board[0].cards); r.low > 0 {
			h.final.hands = append(h.final.hands, round.Hand{Zone: zone + "/low", Cards: cards, Category: bajo, Value: lowName(r.low)})
		}
	}
	return r
}

func (h *hand) name(zone string, seat int, cards []card.Card, category string, value any) {
	cards = slices.Clone(cards)
	slices.SortStableFunc(cards, func(a, b card.Card) int { return hands.High(b) - hands.High(a) })
	h.final.hands = append(h.final.hands, round.Hand{Zone: zone, Cards: cards, Category: category, Value: value})
	h.final.categories[seat] = append(h.final.categories[seat], category)
}

// lowName writes a low hand from its highest rank down, "8532A".
func lowName(v uint32) string {
	s := strings.ToUpper(fmt.Sprintf("%05x", v))
	return strings.ReplaceAll(s, "1", "A")
}
