package blackjack

import (
	"slices"

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

func (g *blackjack) announcements() {
	g.seguroCall()
	for i, e := range g.Calls("puntos_mano", "") {
		if total, lay := g.said[i]; lay {
			g.PointsTrue(i, e, total)
		}
	}
	if g.Mandatory("puntos_mano") {
		for _, b := range g.hands {
			g.handCalls(b)
		}
	}
	for i, e := range g.Calls("puntos_banca", "") {
		if cards := g.CardsAt("bank", i); len(cards) > 0 {
			total, _ := g.total(cards)
			g.PointsTrue(i, e, total)
		}
	}
	if n := len(g.bank); n >= 2 && g.bankTotal >= 0 {
		g.Demand("puntos_banca", "", g.bank[n-1].Event, g.firstMoney(g.bank[n-1].Event))
	}
}

// seguroCall: with an ace of the bank insurance is offered before the first third card.
func (g *blackjack) seguroCall() {
	if ace, known := g.bankAce(); !known || !ace {
		return
	}
	before := g.third
	if before == len(g.Events) {
		before = g.bankSecond
	}
	g.Demand("seguro", "", g.bankAt, before)
}

// handCalls: the score of the first two cards, and that of a hand over 21.
func (g *blackjack) handCalls(b *box) {
	if b.k == 1 && len(g.Zones[b.zone]) >= 2 {
		second := g.Zones[b.zone][1].Event
		if g.Readable(g.Zones[b.zone][0].Card) && g.Readable(g.Zones[b.zone][1].Card) {
			g.Demand("puntos_mano", b.zone, second, min(g.nextTo(b.seat, second), g.bankSecond))
		}
	}
	if b.bustAt >= 0 {
		g.Demand("puntos_mano", b.zone, b.bustAt, g.DealtAfter(b.bustAt))
	}
}

// nextTo is the next card to a box, its split hands included; len(Events) without one.
func (g *blackjack) nextTo(seat, after int) int {
	for _, i := range g.Order {
		if s, _, ok := table.BoxZone(g.Events[i].Zone); ok && s == seat && i > after {
			return i
		}
	}
	return len(g.Events)
}

// firstMoney is the first payment or collection on a hand's spot after an event.
func (g *blackjack) firstMoney(after int) int {
	for i := after + 1; i < len(g.Events); i++ {
		if g.onHand(i) {
			return i
		}
	}
	return len(g.Events)
}

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
