package script

import (
	"fmt"
	"slices"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/round"
)

// The two games of Andalucía that are called monte.
var monteGames = map[string]kind{
	"casino_monte": {play: playCasinoMonte, norm: "andalucia-2010", faults: []Fault{PayUnder, PayOver, PayMissing, PayLoser, KeepLoser,
		TakeWinner, LateBet, MissingCall, WrongOrder, WrongBurn}},
}

// aceHigh is a card's rank with the ace above the king.
func aceHigh(c card.Card) int {
	if n := c.Number(); n > 1 {
		return n
	}
	return 14
}

func box(seat int) string { return fmt.Sprintf("seat:%d", seat) }

// playCasinoMonte plays one card each against the bank's, and the revancha of
// those that are equal to it.
func playCasinoMonte(t *table) {
	t.reshuffle()
	t.wait(1)
	t.say(round.Event{Call: "hagan_juego"})
	t.lies()
	boxes := t.casinoBets()
	t.wait(1.5)
	if t.commits(MissingCall) {
		t.expect(Finding{Code: "announcement_missing", Expected: "no_va_mas"})
	} else {
		t.say(round.Event{Call: "no_va_mas"})
		if s := t.puntoSpot(boxes[0], "empate"); s.stake == 0 && t.commits(LateBet) {
			t.wait(1.5)
			t.betLate(s, money.Cents(one(t, []int{2500, 10000})))
		}
	}
	t.wait(0.6)
	for _, seat := range boxes {
		t.wait(1)
		t.put(box(seat), t.deal(), false)
	}
	t.wait(1)
	t.put("bank", t.deal(), false)
	slices.Reverse(boxes)
	again := t.casinoFirstPass(boxes)
	t.casinoRevancha(again)
	t.wait(1.5)
	zones := []string{"bank", "bank/revancha"}
	for _, seat := range boxes {
		zones = append(zones, box(seat), box(seat)+"/revancha")
	}
	for _, zone := range zones {
		if len(t.hands[zone]) > 0 {
			t.sweep(zone)
			t.wait(0.7)
		}
	}
	t.clear()
}

// casinoBets has players bet and names the boxes that play, ascending.
func (t *table) casinoBets() (boxes []int) {
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		s := t.puntoSpot(seat, "inicial")
		if s.stake == 0 && (t.maybe(0.85) || seat == t.cfg.Seats && len(boxes) == 0) {
			t.wait(1.3)
			t.bet(s, money.Cents(one(t, []int{1000, 2000, 5000, 10000})))
		}
		if s.stake == 0 {
			continue
		}
		boxes = append(boxes, seat)
		if e := t.puntoSpot(seat, "empate"); e.stake == 0 && t.maybe(0.35) {
			t.wait(1.2)
			t.bet(e, money.Cents(one(t, []int{500, 1000})))
		}
	}
	return boxes
}

// casinoFirstPass settles the boxes that are higher or lower than the bank, then
// the tie bets; it names the boxes that are equal, in the order given.
func (t *table) casinoFirstPass(boxes []int) (tied []int) {
	bank := aceHigh(t.cards("bank")[0])
	var first []int
	for _, seat := range boxes {
		if aceHigh(t.cards(box(seat))[0]) == bank {
			tied = append(tied, seat)
		} else {
			first = append(first, seat)
		}
	}
	if len(first) > 1 && t.commits(WrongOrder) {
		slices.Reverse(first)
		t.expect(Finding{Code: "payout_order_wrong"})
	}
	for _, seat := range first {
		s := t.puntoSpot(seat, "inicial")
		d := due{spot: s, pays: s.stake, result: loses}
		if aceHigh(t.cards(box(seat))[0]) > bank {
			d.result = wins
		}
		t.settle(d)
		if e := t.puntoSpot(seat, "empate"); e.stake > 0 {
			t.settle(due{spot: e, result: loses})
		}
	}
	for _, seat := range tied {
		if e := t.puntoSpot(seat, "empate"); e.stake > 0 {
			t.settle(due{spot: e, result: wins, pays: 10 * e.stake})
		}
	}
	return tied
}

// casinoRevancha has the equal boxes decline or play on.
func (t *table) casinoRevancha(tied []int) {
	var again []int
	for _, seat := range tied {
		s := t.puntoSpot(seat, "inicial")
		if t.maybe(0.4) {
			t.wait(1)
			t.sense("terminal", round.Event{Type: round.Action, Seat: seat, Action: "surrender"})
			t.wait(1.4)
			t.collectPart(s, (s.stake+1)/2)
			continue
		}
		t.wait(1.3)
		t.bet(t.puntoSpot(seat, "revancha"), s.stake)
		again = append(again, seat)
	}
	if len(again) == 0 {
		return
	}
	t.wait(1)
	burned := 1 + t.rng.IntN(3)
	if t.commits(WrongBurn) {
		t.expect(Finding{Code: "burn_wrong"})
		burned = 4
	}
	t.sense("shoe", round.Event{Type: round.Burn, Count: burned})
	for _, seat := range slices.Backward(again) {
		t.wait(1)
		t.put(box(seat)+"/revancha", t.deal(), false)
	}
	t.wait(1)
	t.put("bank/revancha", t.deal(), false)
	bank := aceHigh(t.cards("bank/revancha")[0])
	for _, seat := range again {
		own := aceHigh(t.cards(box(seat) + "/revancha")[0])
		first, second := t.puntoSpot(seat, "inicial"), t.puntoSpot(seat, "revancha")
		stake := first.stake
		switch {
		case own > bank:
			t.settle(due{spot: second, result: wins, pays: stake})
		case own < bank:
			t.settle(due{spot: first, result: loses})
			t.settle(due{spot: second, result: loses})
		default:
			t.settle(due{spot: first, result: wins, pays: 2 * stake})
		}
	}
}
