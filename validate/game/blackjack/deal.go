package blackjack

import (
	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

// finish fixes the totals once all cards are dealt.
func (g *blackjack) finish() {
	g.bankTotal, _ = g.total(g.bank)
	if len(g.bank) == 0 {
		g.bankTotal = -1
	}
	for _, b := range g.hands {
		b.value, _ = g.total(b.cards)
	}
	if len(g.bank) > 0 {
		g.Verdict.Hands = append(g.Verdict.Hands, g.shown("bank", g.bank, g.bankTotal, g.bankCategory()))
	}
	for _, b := range g.hands {
		g.Verdict.Hands = append(g.Verdict.Hands, g.shown(b.zone, b.cards, b.value, g.category(b)))
	}
	if len(g.bank) >= 2 && g.bankTotal >= 0 {
		g.Verdict.Result = map[string]any{"bank": g.bankTotal, "bank_category": g.bankCategory()}
	}
}

func (g *blackjack) shown(zone string, cards []table.Dealt, value int, category string) round.Hand {
	h := round.Hand{Zone: zone, Cards: make([]card.Card, 0, len(cards))}
	for _, d := range cards {
		h.Cards = append(h.Cards, d.Card)
	}
	if value >= 0 {
		h.Value, h.Category = value, category
	}
	return h
}

func (g *blackjack) category(b *box) string {
	switch {
	case b.surrendered, len(b.surrenderBy) > 0 && !g.contested(b):
		return "surrendered"
	case b.blackjack():
		return "blackjack"
	case g.r.ThreeSevens && threeSevens(b.cards):
		return "tres_sietes"
	case b.bust():
		return "bust"
	}
	return "points"
}

// dealing checks order, faces and number of the cards.
func (g *blackjack) dealing() {
	g.dealOrder()
	for _, i := range g.Order {
		if e := &g.Events[i]; e.Face == "down" {
			g.ZoneAt(i, finding.FaceWrong, e.Zone)
		}
	}
	if len(g.Order) == 0 {
		return
	}
	for _, n := range g.boxes {
		if g.find(n, 1) == nil {
			g.Count(g.Last, game.SeatZone(n), 2, 0)
		}
	}
	for _, b := range g.hands {
		if b.bustAt >= 0 {
			continue
		}
		want := 2
		if b.doubled {
			want = 3
		}
		if n := len(b.cards); n < want || b.doubled && n > want {
			g.Count(g.Beyond(b.cards, want), b.zone, want, n)
		}
	}
}

// dealOrder: a card to each box with a stake, one to the bank, a second to each
// box, and the bank's second after every player's card.
func (g *blackjack) dealOrder() {
	want := make([]string, 0, 2*len(g.boxes)+1)
	for _, n := range g.boxes {
		want = append(want, game.SeatZone(n))
	}
	want = append(append(want, "bank"), want...)
	bank := 0
	for k, i := range g.Order {
		zone := g.Events[i].Zone
		if k < len(want) && zone != want[k] || zone != "bank" && bank >= 2 {
			g.At(i, finding.DealOrderWrong)
			return
		}
		if zone == "bank" {
			bank++
		}
	}
}
