package blackjack

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

func (g *blackjack) find(seat, k int) *box {
	for _, b := range g.hands {
		if b.seat == seat && b.k == k {
			return b
		}
	}
	return nil
}

func (g *blackjack) open(seat, k int) *box {
	zone := game.SeatZone(seat)
	if k > 1 {
		zone += "/" + strconv.Itoa(k)
	}
	b := &box{zone: zone, seat: seat, k: k, bustAt: -1, value: -1,
		evenBy: map[int]bool{}, surrenderBy: map[int]bool{}}
	g.hands = append(g.hands, b)
	return b
}

// walk plays the record: cards and actions in their order.
func (g *blackjack) walk() {
	shown := map[int]card.Card{} // card events as the record finally shows them
	for _, cards := range g.Zones {
		for _, d := range cards {
			shown[d.Event] = d.Card
		}
	}
	for i := range g.Events {
		switch e := &g.Events[i]; e.Type {
		case round.CardDealt:
			if seat, k, ok := table.BoxZone(e.Zone); ok {
				g.cardTo(i, seat, k, table.Dealt{Card: shown[i], Event: i, Face: e.Face})
			} else if e.Zone == "bank" {
				g.bank = append(g.bank, table.Dealt{Card: shown[i], Event: i, Face: e.Face})
				g.bankCard(i)
			}
		case round.Action:
			if seat, k, ok := g.actionZone(e); ok {
				g.act(i, e, seat, k)
			}
		case round.Announce:
			if seat, k, ok := table.BoxZone(e.Zone); ok && e.Is("puntos_mano") {
				g.scored(i, g.find(seat, k))
			}
		}
	}
}

// scored notes what a hand totals while its score is called: a split may take a card from it.
func (g *blackjack) scored(i int, b *box) {
	if b != nil && len(b.cards) > 0 {
		g.said[i], _ = g.total(b.cards)
	}
}

func (g *blackjack) notAllowed(i, seat int, action string) {
	g.Add(round.Finding{Code: finding.PlayerActionNotAllowed, Event: i, Seat: seat, Observed: action})
}

// cardTo deals a card to a hand and judges it as a hit.
func (g *blackjack) cardTo(i, seat, k int, d table.Dealt) {
	b := g.find(seat, k)
	if b == nil {
		if b = g.open(seat, k); k > 1 {
			b.split = true
			if g.asked[seat] < k-1 {
				g.notAllowed(i, seat, "split") // a hand that nobody asked for
			}
		}
	}
	n := len(b.cards)
	before, _ := g.total(b.cards)
	if n >= 2 && !g.mayHit(b, n, before) {
		g.notAllowed(i, seat, "hit")
	}
	b.cards = append(b.cards, d)
	if b.split || len(b.cards) > 2 {
		g.thirdBy[seat] = true
	}
	if total, _ := g.total(b.cards); total > 21 && b.bustAt < 0 {
		b.bustAt = i
	}
}

func (g *blackjack) mayHit(b *box, n, total int) bool {
	if b.doubled && n == b.doubledAt {
		return true // the card of the double
	}
	return total < 21 && !b.doubled && !b.stood && !b.splitAces && !b.surrendered && !b.evenMoney
}

// act judges an action and lets it take effect.
func (g *blackjack) act(i int, e *round.Event, seat, k int) {
	b := g.find(seat, k)
	if b == nil {
		switch e.Action {
		case "split", "double", "surrender", "even_money":
			g.notAllowed(i, e.Seat, e.Action)
		}
		return
	}
	by := cmp.Or(e.Seat, seat)
	switch e.Action {
	case "stand":
		b.stood = true
	case "split":
		g.split(i, b, by)
	case "double":
		if !g.mayDouble(b) {
			g.notAllowed(i, by, "double")
		}
		if !b.doubled {
			b.doubled, b.doubledAt = true, len(b.cards)
		}
		g.raise(i, seat, b.spot("double"), g.s.Of(seat, b.stakeSpot()))
	case "surrender":
		g.surrender(i, b, by)
	case "even_money":
		g.evenMoney(i, b, by)
	}
}

// raise checks a second stake against the first.
func (g *blackjack) raise(i, seat int, spot string, want money.Cents) {
	p := game.Place{Seat: seat, Spot: spot}
	got := g.s.Of(seat, spot)
	if got == want {
		return
	}
	if c := g.s.By[p]; c != nil {
		i = max(i, c.Last)
	}
	g.Amounts(i, finding.RaiseWrong, p, want, got)
}

func (g *blackjack) split(i int, b *box, by int) {
	g.asked[b.seat]++
	two := len(b.cards) == 2
	legal := two && !b.doubled && !b.stood && sameValue(b.cards[0].Card, b.cards[1].Card) &&
		(!b.splitAces || g.opt.resplit)
	known := two && g.Readable(b.cards[0].Card) && g.Readable(b.cards[1].Card)
	if !legal && (known || !two) {
		g.notAllowed(i, by, "split")
	}
	if !two {
		return
	}
	k := 2
	for g.find(b.seat, k) != nil {
		k++
	}
	aces := known && b.cards[0].Card.Rank() == 'A' && b.cards[1].Card.Rank() == 'A'
	n := g.open(b.seat, k)
	n.cards = []table.Dealt{b.cards[1]}
	b.cards = b.cards[:1:1]
	for _, h := range []*box{b, n} {
		h.split, h.splitAces, h.stood = true, aces, false
	}
	g.raise(i, b.seat, n.spot("split"), g.s.Of(b.seat, "main"))
}

func (g *blackjack) mayDouble(b *box) bool {
	d := g.r.Double
	best, low := g.total(b.cards)
	switch {
	case len(b.cards) != 2 || b.doubled || b.stood || b.surrendered || b.evenMoney:
		return false
	case best < 0:
		return true
	case d.NotSplitAce && b.splitAces, d.NotAces && low == 2:
		return false
	}
	return len(d.Totals) == 0 || slices.Contains(d.Totals, best) || slices.Contains(d.Totals, low)
}

func (g *blackjack) surrender(i int, b *box, by int) {
	ace, known := g.bankAce()
	if !g.r.Surrender || known && ace || i > g.choices || len(b.cards) != 2 || b.split || b.doubled {
		g.notAllowed(i, by, "surrender")
		return
	}
	if by == b.seat {
		b.surrendered = true
	} else {
		b.surrenderBy[by] = true
	}
}

func (g *blackjack) evenMoney(i int, b *box, by int) {
	ace, known := g.bankAce()
	total, _ := g.total(b.cards)
	legal := g.r.Pays.EvenMoney.Den > 0 && (!known || ace) && len(b.cards) == 2 && !b.split &&
		i < g.bankSecond && (total == 21 || total < 0)
	for seat := range g.thirdBy {
		legal = legal && seat <= b.seat
	}
	switch {
	case !legal:
		g.notAllowed(i, by, "even_money")
	case by == b.seat:
		b.evenMoney = true
	default:
		b.evenBy[by] = true
	}
}

// total is the best total of cards: the highest that is not over 21, else the
// lowest; -1 with an unseen or foreign card. low is the total with aces as 1.
func (g *blackjack) total(cards []table.Dealt) (best, low int) {
	aces := false
	for _, d := range cards {
		if !g.Readable(d.Card) {
			return -1, -1
		}
		low += table.Pips(d.Card, 10)
		aces = aces || d.Card.Rank() == 'A'
	}
	if aces && low+10 <= 21 {
		return low + 10, low
	}
	return low, low
}

// box is one hand of blackjack while the record runs.
type box struct {
	zone  string
	seat  int // number of the box
	k     int // 1 the first hand, 2.. made by splitting
	cards []table.Dealt

	split, splitAces    bool
	doubled, stood      bool
	doubledAt           int // cards held when it was doubled
	surrendered         bool
	bustAt              int          // event of the card that took it over 21; -1
	value               int          // final total; -1 unknown
	evenMoney           bool         // taken by the box's own player
	evenBy, surrenderBy map[int]bool // other players on the box
}

func (b *box) spot(name string) string {
	if b.k == 1 {
		return name
	}
	return fmt.Sprintf("%s:%d", name, b.k)
}

// stakeSpot is the spot of the hand's own stake.
func (b *box) stakeSpot() string {
	if b.k == 1 {
		return "main"
	}
	return fmt.Sprintf("split:%d", b.k)
}

// over reports whether the hand has ended for a player: he surrendered or was paid even money.
func (b *box) over(seat int) bool {
	if seat == b.seat {
		return b.surrendered || b.evenMoney
	}
	return b.surrendered || b.surrenderBy[seat] || b.evenBy[seat]
}

func (b *box) bust() bool      { return b.value > 21 }
func (b *box) blackjack() bool { return b.value == 21 && len(b.cards) == 2 && !b.split }

// sevens reports whether cards are all sevens, and whether of one suit.
func sevens(cards []table.Dealt) (all, suited bool) {
	all, suited = len(cards) > 0, true
	for _, d := range cards {
		all = all && d.Card.French() && d.Card.Rank() == '7'
		suited = suited && d.Card.Suit() == cards[0].Card.Suit()
	}
	return all, all && suited
}

func threeSevens(cards []table.Dealt) bool {
	all, _ := sevens(cards)
	return len(cards) == 3 && all
}

// sameValue reports whether two cards may be split: figures and ten are equal.
func sameValue(a, b card.Card) bool { return table.Pips(a, 10) == table.Pips(b, 10) }
