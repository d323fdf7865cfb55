package blackjack

import (
	"strconv"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

func (g *blackjack) settle(c *table.Chips, e *table.Entry) {
	switch c.Spot {
	case "seguro":
		g.settleInsurance(e)
		return
	case "bolsa", "jackpot":
		g.settleSide(c, e)
		return
	}
	b := g.handAt(c.Place)
	if b == nil {
		e.Unknown()
		return
	}
	own := c.Seat == b.seat
	switch {
	case (own && b.evenMoney || !own && b.evenBy[c.Seat]) && isMain(c.Spot):
		if g.bankUnseen() || b.value < 0 {
			e.Unknown()
			return
		}
		e.Decide(1, g.r.Pays.EvenMoney)
	case b.surrendered || b.surrenderBy[c.Seat]:
		if g.bankUnseen() {
			e.Unknown()
			return
		}
		e.Halve()
	case b.bust():
		e.Decide(-1, g.r.Pays.Hand)
	case b.value < 0 || g.bankTotal < 0:
		e.Unknown()
	default:
		g.compare(b, e, isMain(c.Spot))
	}
}

// handAt is the hand that a stake plays on; nil where it was not dealt.
func (g *blackjack) handAt(p game.Place) *box {
	k := 1
	if name, arg, has := strings.Cut(p.Spot, ":"); has && name != "main" {
		k, _ = strconv.Atoi(arg)
	}
	return g.find(boxOf(p), k)
}

// compare settles a hand that is not over 21 against the bank. A second stake is never paid
// as a blackjack.
func (g *blackjack) compare(b *box, e *table.Entry, first bool) {
	pays := g.r.Pays
	if !first {
		pays.Blackjack = pays.Hand
	}
	sevens := g.r.ThreeSevens && threeSevens(b.cards)
	switch {
	case b.blackjack() && g.bankBlackjack():
		if g.opt.paga {
			e.Decide(1, pays.Blackjack)
		} else {
			e.Decide(0, pays.Blackjack)
		}
	case g.bankBlackjack():
		e.Decide(-1, pays.Hand)
	case b.blackjack():
		e.Decide(1, pays.Blackjack)
	case sevens && threeSevens(g.bank):
		e.Decide(0, pays.ThreeSevens)
	case sevens:
		e.Decide(1, pays.ThreeSevens)
	case g.bankTotal > 21:
		e.Decide(1, pays.Hand)
	default:
		e.Decide(b.value-g.bankTotal, pays.Hand)
	}
}

func (g *blackjack) settleInsurance(e *table.Entry) {
	switch {
	case len(g.bank) < 2 || g.bankTotal < 0:
		e.Unknown()
	case g.bankBlackjack():
		e.Decide(1, g.r.Pays.Seguro)
	default:
		e.Decide(-1, g.r.Pays.Seguro)
	}
}

// settleSide pays the highest combination of sevens of the box's first cards.
func (g *blackjack) settleSide(c *table.Chips, e *table.Entry) {
	b := g.find(c.Seat, 1)
	if b == nil {
		e.Unknown()
		return
	}
	cards := g.firstCards(b)
	for _, d := range cards {
		if !g.Readable(d.Card) {
			e.Unknown()
			return
		}
	}
	key, times := sideWin(cards, g.opt.sidePays)
	if key == "" {
		e.Decide(-1, money.Odds{Num: 1, Den: 1})
		return
	}
	e.Decide(1, money.Odds{Num: times, Den: 1})
	if key == "777s" {
		e.Pays = max(e.Pays, g.opt.pool)
	}
}

// firstCards are the first three cards to a box in the order of dealing; after
// a split the first two.
func (g *blackjack) firstCards(b *box) []table.Dealt {
	if !b.split {
		return b.cards[:min(3, len(b.cards))]
	}
	second := g.find(b.seat, 2)
	if second == nil || len(b.cards) == 0 {
		return b.cards[:min(1, len(b.cards))]
	}
	return []table.Dealt{b.cards[0], second.cards[0]}
}

// sideWin is the highest combination that the cards make and a table pays, and
// its odds to one; empty when there is none.
func sideWin(cards []table.Dealt, pays SidePays) (string, int64) {
	made := map[string]bool{}
	for n := 1; n <= len(cards); n++ {
		all, suited := sevens(cards[:n])
		key := strings.Repeat("7", n)
		made[key] = all
		made[key+"s"] = all && suited && n > 1
	}
	for _, k := range sideKeys {
		if times, ok := pays[k]; ok && made[k] {
			return k, times
		}
	}
	return "", 0
}

// onHand reports whether an event collects or pays a spot that follows a hand.
func (g *blackjack) onHand(i int) bool {
	e := &g.Events[i]
	return (e.Type == round.Collect || e.Type == round.Pay) && boxOf(game.PlaceOf(e)) > 0
}

// order: a hand over 21 is collected before the next card; after the bank's
// last card the boxes are settled from right to left.
func (g *blackjack) order() {
	done := map[int]bool{}
	for i := range g.Events {
		if e := &g.Events[i]; e.Type == round.Collect && g.onHand(i) {
			g.bustOrder(i, e, done)
		}
	}
	n := len(g.bank)
	if n < 2 {
		return
	}
	lowest := 1 << 30
	for i := g.bank[n-1].Event + 1; i < len(g.Events); i++ {
		if !g.onHand(i) {
			continue
		}
		b := boxOf(game.PlaceOf(&g.Events[i]))
		if b > lowest {
			g.Add(round.Finding{Code: finding.PayoutOrderWrong, Event: i, Seat: g.Events[i].Seat})
			return
		}
		lowest = b
	}
}

func (g *blackjack) bustOrder(i int, e *round.Event, done map[int]bool) {
	b := g.handAt(game.PlaceOf(e))
	if b == nil || b.bustAt < 0 || i < b.bustAt || i < g.DealtAfter(b.bustAt) {
		return
	}
	if first := g.Moved.Of(game.PlaceOf(e)).Collect.First; first == i && !done[i] {
		done[i] = true
		g.Add(round.Finding{Code: finding.PayoutOrderWrong, Event: i, Seat: e.Seat, Spot: e.Spot})
	}
}
