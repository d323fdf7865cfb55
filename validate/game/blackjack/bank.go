package blackjack

import (
	"slices"

	"vision/validate/finding"
	"vision/validate/round"
)

// alive reports whether any hand still plays against the bank; known is false
// where an unseen card leaves it open.
func (g *blackjack) alive() (alive, known bool) {
	known = true
	for _, b := range g.hands {
		total, _ := g.total(b.cards)
		switch {
		case total > 21 || !g.contested(b):
		case total < 0:
			known = false
		default:
			return true, true
		}
	}
	return false, known
}

// contested reports whether a stake on a hand still waits for the bank. A hand is alive
// for whoever bets on it: the player before the box may have been paid even money, or
// have left the box to others.
func (g *blackjack) contested(b *box) bool {
	any := false
	for _, c := range g.s.List {
		if c.Refused || c.Stake == 0 || !isMain(c.Spot) || boxOf(c.Place) != b.seat {
			continue
		}
		any = true
		if !b.over(c.Seat) {
			return true
		}
	}
	return !any && !b.over(b.seat)
}

// bankCard judges a card that the bank takes.
func (g *blackjack) bankCard(i int) {
	before, _ := g.total(g.bank[:len(g.bank)-1])
	if len(g.bank) == 1 || before < 0 {
		return
	}
	forbidden := before >= g.r.BankStands
	if !forbidden && g.r.BankNeeds {
		alive, known := g.alive()
		waits := slices.ContainsFunc(g.boxes, func(n int) bool { return g.find(n, 1) == nil })
		forbidden = !alive && !waits && known && !g.s.Any("seguro")
	}
	if forbidden {
		g.Add(round.Finding{Code: finding.DrewMustStand, Event: i, Zone: "bank", Observed: before})
	}
}

// bankPlay: the bank draws to its total while a hand is alive.
func (g *blackjack) bankPlay() {
	alive, _ := g.alive()
	if alive && len(g.bank) > 0 && g.bankTotal >= 0 && g.bankTotal < g.r.BankStands {
		g.Add(round.Finding{Code: finding.StoodMustDraw, Event: g.Last, Zone: "bank", Observed: g.bankTotal})
	}
}

func (g *blackjack) bankBlackjack() bool { return len(g.bank) == 2 && g.bankTotal == 21 }

func (g *blackjack) bankCategory() string {
	switch {
	case g.bankBlackjack():
		return "blackjack"
	case g.bankTotal > 21:
		return "bust"
	}
	return "points"
}

func (g *blackjack) bankAce() (ace, known bool) {
	if c := g.Zones["bank"]; len(c) > 0 && g.Readable(c[0].Card) {
		return c[0].Card.Rank() == 'A', true
	}
	return false, false
}

// bankUnseen reports whether nobody saw the bank's first card: then it is not known either
// whether a hand might be given up, or paid even money (point cards, 0.7).
func (g *blackjack) bankUnseen() bool {
	_, known := g.bankAce()
	return !known
}
