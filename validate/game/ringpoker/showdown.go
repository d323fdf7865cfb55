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
		want = h.withDeal()
		for k, n := range h.r.Board.Streets {
			if k == 0 && h.o.FirstCommon && len(h.r.Own) == 5 {
				n--
			}
			want += n
		}
		got = want
		if h.r.Board.Turned {
			want = h.withDeal()
			got = want
		}
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
			h.final.hands = append(h.final.hands, round.Hand{Zone: zone + "/low", Cards: cards, Category: "bajo", Value: lowName(r.low)})
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

// divide makes the pots and gives them to the best hands.
func (h *hand) divide(in []reading) {
	x := &h.final
	var shares []share
	for _, p := range h.order {
		if p.refund || p.ante+p.total == 0 && !p.in {
			continue
		}
		live := slices.ContainsFunc(in, func(r reading) bool { return r.p == p })
		shares = append(shares, share{p.seat, p.total, p.ante, live})
	}
	if seat, amount := uncalled(shares); seat > 0 {
		x.returns[seat] += amount
		for k := range shares {
			if shares[k].seat == seat {
				shares[k].total -= amount
			}
		}
	}
	x.pots = pots(shares, h.carry.Bote)
	if k := &h.o.Rake; k.Mode == "percent" {
		rate, limit := k.Rate, k.Cap
		if most := h.r.Rake.Most; most > 0 {
			rate = min(rate, most)
		}
		switch limit {
		case 0:
			limit = -1
		case -1:
			limit = 0
		}
		rakePots(x.pots, rate, k.Unit, limit)
	}
	for k := range x.pots {
		h.award(&x.pots[k], in)
	}
}

// award gives one pot, in halves where there are two ways to win it.
func (h *hand) award(p *pot, in []reading) {
	x := &h.final
	x.pot += p.Amount
	x.rake += p.Rake
	net := p.Amount - p.Rake
	var eligible []reading
	for _, r := range in {
		if slices.Contains(p.Seats, r.p.seat) {
			eligible = append(eligible, r)
		}
	}
	first := best(eligible, func(r reading) int64 { return int64(r.high[0]) })
	switch {
	case len(eligible) > 1 && len(h.cards.board) > 1:
		a, b := halves(net, h.o.Chip)
		h.pay(p, first, a)
		h.pay(p, best(eligible, func(r reading) int64 { return int64(r.high[1]) }), b)
	case h.r.Low && slices.ContainsFunc(eligible, func(r reading) bool { return r.low > 0 }):
		low := best(eligible, func(r reading) int64 {
			if r.low == 0 {
				return 0
			}
			return 1<<32 - int64(r.low)
		})
		a, b := halves(net, h.o.Chip)
		h.pay(p, first, a)
		h.pay(p, low, b)
		for _, s := range low {
			if !slices.Contains(x.low, s) {
				x.low = append(x.low, s)
				x.categories[s] = append(x.categories[s], "bajo")
			}
		}
	default:
		h.pay(p, first, net)
	}
	slices.Sort(p.Winners)
}

// best are the seats of the readings with the greatest worth.
func best(in []reading, worth func(reading) int64) []int {
	var out []int
	top := int64(-1)
	for _, r := range in {
		switch v := worth(r); {
		case v > top:
			top, out = v, []int{r.p.seat}
		case v == top:
			out = append(out, r.p.seat)
		}
	}
	return out
}

// pay splits a part of a pot among its winners.
func (h *hand) pay(p *pot, winners []int, amount money.Cents) {
	var order []int
	if slices.Contains(winners, h.bets.last) {
		order = append(order, h.bets.last)
	}
	for _, s := range h.ring.from(h.mano, h.ring.dir) {
		if slices.Contains(winners, s) && s != h.bets.last {
			order = append(order, s)
		}
	}
	var weights map[int]money.Cents
	if h.o.Proportional && len(order) > 1 {
		weights = map[int]money.Cents{}
		for _, s := range order {
			if !h.players[s].known {
				weights = nil
				break
			}
			weights[s] = h.players[s].stack
		}
	}
	for seat, part := range split(amount, h.o.Chip, order, weights) {
		h.final.pays[seat] += part
	}
	for _, s := range order {
		h.final.wins[s] = true
		if !slices.Contains(p.Winners, s) {
			p.Winners = append(p.Winners, s)
		}
	}
}

// goBack adds up what goes back to its owners: chips that do not count, and all
// chips of hands that the norm pays back.
func (h *hand) goBack() {
	x := &h.final
	for _, p := range h.order {
		x.returns[p.seat] += p.excess
		if p.refund {
			x.returns[p.seat] += p.ante + p.total
		}
	}
	if x.blank || x.stays {
		x.pot = h.pot()
	}
}
