package blackjack

import (
	"strconv"
	"strings"

	"vision/internal/money"
	"vision/validate/game/table"
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
	k := 1
	if name, arg, has := strings.Cut(c.Spot, ":"); has && name != "main" {
		k, _ = strconv.Atoi(arg)
	}
	b := g.find(boxOf(c.Place), k)
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
