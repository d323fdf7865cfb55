package script

import (
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// blackjackFaults are the faults of blackjack.
var blackjackFaults = slices.Concat(cardFaults,
	[]Fault{LateBet, WrongCall, MissingCall, WrongDraw, WrongStand, WrongOrder})

// bjHand is one hand of a box.
type bjHand struct {
	seat    int
	zone    string
	stake   *spot
	double  *spot
	split   bool // one of two hands made by splitting
	bust    bool
	settled bool
}

// total is the best count of a hand and whether an ace counts eleven in it.
func total(cards []card.Card) (points int, soft bool) {
	ace := false
	for _, c := range cards {
		points += min(10, c.Number())
		ace = ace || c.Number() == 1
	}
	if ace && points <= 11 {
		return points + 10, true
	}
	return points, false
}

func natural(cards []card.Card) bool {
	p, _ := total(cards)
	return len(cards) == 2 && p == 21
}

// bj is a round of blackjack in the making.
type bj struct {
	*table
	hands []*bjHand
}

func playBlackjack(t *table) {
	t.reshuffle()
	b := &bj{table: t}
	t.open()
	b.bets()
	b.dealOut()
	b.insurance()
	for i := 0; i < len(b.hands); i++ {
		b.decide(b.hands[i])
	}
	b.bank()
	b.payOut()
	b.tidy()
	t.clear()
}

// bets has at least two boxes play, as Cantabria wants it.
func (b *bj) bets() {
	empty := b.rng.IntN(3*b.cfg.Seats) + 1 // sometimes one box stays empty
	if b.cfg.Seats < 3 {
		empty = 0
	}
	for seat := 1; seat <= b.cfg.Seats; seat++ {
		s := b.spotOf(seat, "main")
		if s.stake == 0 && seat != empty {
			b.wait(1.4)
			b.bet(s, b.stake(500, 1000, 1000, 1500, 2500, 3000, 5000, 10000))
		}
		if s.stake > 0 {
			b.hands = append(b.hands, &bjHand{seat: seat, zone: seatZone(seat), stake: s})
		}
	}
	b.wait(1.5)
}

func (b *bj) dealOut() {
	for turn := range 2 {
		for _, h := range b.hands {
			b.wait(0.95)
			b.put(h.zone, b.deal(), false)
			if turn == 0 && b.commits(LateBet) {
				b.wait(1.4)
				b.betLate(b.spotOf(1+b.rng.IntN(b.cfg.Seats), "main"), b.stake(2500, 10000))
			}
		}
		if turn == 0 {
			b.wait(0.95)
			b.put("bank", b.deal(), false)
		}
	}
}

// insurance is offered against an ace; some players take half their stake of it.
func (b *bj) insurance() {
	if b.cards("bank")[0].Number() != 1 {
		return
	}
	b.wait(1)
	b.calls(round.Event{Call: "seguro"})
	for _, h := range b.hands {
		half := h.stake.stake / 2
		if half >= b.cfg.Min && b.payable(half) && b.maybe(0.4) {
			b.wait(1.4)
			b.bet(b.spotOf(h.seat, "seguro"), half)
		}
	}
}

// decide plays one hand: the call of its points, then the player's choices.
func (b *bj) decide(h *bjHand) {
	cards := b.cards(h.zone)
	points, soft := total(cards)
	if h.split {
		b.playOn(h)
		return
	}
	b.points("puntos_mano", h.zone, points, 30)
	plain := h.stake.late == 0 // no late chips about
	switch {
	case natural(cards):
	case plain && splits(cards) && b.maybe(0.8):
		b.doSplit(h)
	case plain && points >= 9 && points <= 11 && !soft && b.maybe(0.7):
		b.doDouble(h)
	default:
		b.playOn(h)
	}
}

// splits reports whether a sensible player would split.
func splits(cards []card.Card) bool {
	n := cards[0].Number()
	return n == cards[1].Number() && (n == 8 || n == 1 || n == 7)
}

func (b *bj) doDouble(h *bjHand) {
	b.wait(1.2)
	b.note(round.Event{Type: round.Action, Seat: h.seat, Action: "double"})
	h.double = b.spotOf(h.seat, "double")
	b.bet(h.double, h.stake.stake)
	b.wait(1.2)
	b.put(h.zone, b.deal(), false)
	b.checkBust(h)
}

// doSplit moves the second card to the upper row and gives each hand a card.
func (b *bj) doSplit(h *bjHand) {
	b.wait(1.2)
	b.note(round.Event{Type: round.Action, Seat: h.seat, Action: "split"})
	other := &bjHand{seat: h.seat, zone: h.zone + "/2", split: true, stake: b.spotOf(h.seat, "split:2")}
	b.bet(other.stake, h.stake.stake)
	b.wait(1.2)
	moved := b.table.hands[h.zone][1]
	b.table.hands[h.zone] = b.table.hands[h.zone][:1]
	there := Placed{Tag: b.nextTag(), Zone: other.zone, Card: moved.Card}
	b.table.hands[other.zone] = []Placed{there}
	b.act(Act{Who: Croupier, Lift: []int{moved.Tag}, Cards: []Placed{there}})
	h.split = true
	b.hands = slices.Insert(b.hands, slices.Index(b.hands, h)+1, other)
	b.wait(1.1)
	b.put(h.zone, b.deal(), false)
	b.playOn(h)
}

// playOn draws as a cautious player does; split hands take their second card
// first, split aces only that.
func (b *bj) playOn(h *bjHand) {
	if len(b.cards(h.zone)) == 1 {
		b.wait(1.1)
		b.put(h.zone, b.deal(), false)
	}
	if h.split && b.cards(h.zone)[0].Number() == 1 {
		return
	}
	up, _ := total(b.cards("bank"))
	for len(b.cards(h.zone)) < maxCards {
		points, soft := total(b.cards(h.zone))
		stand := 17
		if up >= 2 && up <= 6 {
			stand = 13
		}
		if soft {
			stand = 18
		}
		if points >= stand {
			return
		}
		b.wait(1.5)
		b.put(h.zone, b.deal(), false)
		if b.checkBust(h) {
			return
		}
	}
}

// maxCards is what a hand's zone holds side by side.
const maxCards = 5

// checkBust calls a hand over 21 and collects it at once.
func (b *bj) checkBust(h *bjHand) bool {
	points, _ := total(b.cards(h.zone))
	if points <= 21 {
		return false
	}
	h.bust = true
	b.points("puntos_mano", h.zone, points, 30)
	b.settleHand(h, loses, 0)
	b.wait(1)
	b.sweep(h.zone)
	return true
}

// settleHand settles stake and double of a hand; num/2 times the stake is won.
func (b *bj) settleHand(h *bjHand, r result, halves money.Cents) {
	h.settled = true
	for _, s := range []*spot{h.double, h.stake} {
		if s == nil {
			continue
		}
		k := halves
		if s != h.stake || h.split {
			k = min(k, 4)
		}
		b.settle(due{spot: s, result: r, pays: s.stake * k / 2})
	}
}

func (b *bj) live() bool {
	return slices.ContainsFunc(b.hands, func(h *bjHand) bool { return !h.bust })
}

func (b *bj) insured() bool {
	return slices.ContainsFunc(b.inPlay(), func(s *spot) bool { return s.name == "seguro" })
}

// bank draws to seventeen; without a live hand only what the insurance needs.
func (b *bj) bank() {
	if !b.live() && !b.insured() {
		return
	}
	for {
		points, _ := total(b.cards("bank"))
		n := len(b.cards("bank"))
		if n >= 2 && (points >= 17 || !b.live()) {
			break
		}
		if n >= 2 && points < 17 && b.commits(WrongStand) {
			b.expect(Finding{Code: finding.StoodMustDraw, Observed: points})
			break
		}
		b.wait(1.2)
		b.put("bank", b.deal(), false)
	}
	points, soft := total(b.cards("bank"))
	if b.live() && points >= 17 && points <= 20 && !soft && b.commits(WrongDraw) {
		b.expect(Finding{Code: finding.DrewMustStand, Observed: points})
		b.wait(1.2)
		b.put("bank", b.deal(), false)
		points, _ = total(b.cards("bank"))
	}
	if b.live() && b.commits(MissingCall) {
		b.expect(Finding{Code: finding.AnnouncementMissing, Expected: "puntos_banca"})
		return
	}
	b.points("puntos_banca", "", points, 30)
}

// payOut settles insurance, then the boxes from the last to the first.
func (b *bj) payOut() {
	if len(b.cards("bank")) < 2 {
		return
	}
	b.now += b.pause(1.2) // all see what the bank has
	bj := natural(b.cards("bank"))
	for _, s := range b.inPlay() {
		if s.name == "seguro" {
			d := due{spot: s, result: loses}
			if bj {
				d.result, d.pays = wins, 2*s.stake
			}
			b.settle(d)
		}
	}
	order := b.payingOrder()
	for _, h := range order {
		if !h.settled {
			r, halves := b.judge(h)
			b.settleHand(h, r, halves)
		}
	}
}

// payingOrder is right to left, from the last box to the first.
func (b *bj) payingOrder() []*bjHand {
	if b.commits(WrongOrder) {
		var moving []*bjHand
		for _, h := range b.hands {
			if r, _ := b.judge(h); !h.settled && r != pushes {
				moving = append(moving, h)
			}
		}
		if len(moving) > 1 && moving[0].seat != moving[len(moving)-1].seat {
			b.expect(Finding{Code: finding.PayoutOrderWrong})
			return b.hands
		}
	}
	out := slices.Clone(b.hands)
	slices.Reverse(out)
	return out
}

// judge compares a hand with the bank; halves is the winnings in half stakes.
func (b *bj) judge(h *bjHand) (result, money.Cents) {
	mine, bank := b.cards(h.zone), b.cards("bank")
	p, _ := total(mine)
	q, _ := total(bank)
	mineNatural := natural(mine) && !h.split
	sevens := len(mine) == 3 && p == 21 && mine[0].Number() == 7 && mine[1].Number() == 7
	bankSevens := len(bank) == 3 && q == 21 && bank[0].Number() == 7 && bank[1].Number() == 7
	switch {
	case mineNatural && natural(bank):
		return pushes, 0
	case natural(bank):
		return loses, 0
	case mineNatural:
		return wins, 3
	case sevens && bankSevens:
		return pushes, 0
	case sevens:
		return wins, 4
	case q > 21 || p > q:
		return wins, 2
	case p == q:
		return pushes, 0
	}
	return loses, 0
}

// tidy takes the cards up, box by box, the bank's last.
func (b *bj) tidy() {
	for _, h := range slices.Backward(b.hands) {
		if len(b.table.hands[h.zone]) > 0 {
			b.wait(0.8)
			b.sweep(h.zone)
		}
	}
	b.wait(0.8)
	b.sweep("bank")
	b.wait(0.3)
}
