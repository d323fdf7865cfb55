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
		e.Decide(1, g.r.Pays.EvenMoney)
	case b.surrendered || b.surrenderBy[c.Seat]:
		e.Halve()
	case b.bust():
		e.Decide(-1, g.r.Pays.Hand)
	case b.value < 0 || g.bankTotal < 0:
		e.Unknown()
	default:
		g.compare(b, e)
	}
}

// compare settles a hand that is not over 21 against the bank.
func (g *blackjack) compare(b *box, e *table.Entry) {
	pays := g.r.Pays
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

func (g *blackjack) announcements() {
	g.seguroCall()
	for i, e := range g.Calls("puntos_mano", "") {
		if total := g.totalAt(e.Zone, i); total >= 0 {
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

// totalAt is the total of a hand's cards that lie there at an event.
func (g *blackjack) totalAt(zone string, event int) int {
	seat, k, ok := table.BoxZone(zone)
	if !ok {
		return -1
	}
	b := g.find(seat, k)
	if b == nil {
		return -1
	}
	var cards []table.Dealt
	if !b.split || event < g.splitAt(b) {
		cards = g.CardsAt(zone, event)
	} else {
		for _, d := range b.cards {
			if d.Event <= event {
				cards = append(cards, d)
			}
		}
	}
	if len(cards) == 0 {
		return -1
	}
	total, _ := g.total(cards)
	return total
}

// splitAt is the event at which a hand was first split.
func (g *blackjack) splitAt(b *box) int {
	for i := range g.Events {
		if e := &g.Events[i]; e.Type == round.Action && e.Action == "split" {
			if seat, _, ok := g.actionZone(e); ok && seat == b.seat {
				return i
			}
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
	k := 1
	if name, arg, has := strings.Cut(e.Spot, ":"); has && name != "main" {
		k, _ = strconv.Atoi(arg)
	}
	b := g.find(boxOf(game.PlaceOf(e)), k)
	if b == nil || b.bustAt < 0 || i < b.bustAt || i < g.DealtAfter(b.bustAt) {
		return
	}
	if first := g.Moved.Of(game.PlaceOf(e)).Collect.First; first == i && !done[i] {
		done[i] = true
		g.Add(round.Finding{Code: finding.PayoutOrderWrong, Event: i, Seat: e.Seat, Spot: e.Spot})
	}
}
