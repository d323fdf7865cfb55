package script

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"vision/internal/card"
	"vision/internal/lab/sim/script/poker"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// Poker among the players: the hand from the marca to the last street. What the norms
// say is in circulonorm.go, the betting and the showdown in circuloplay.go, the pot in
// circulopot.go.

// Faults of poker among the players.
const (
	OutOfTurn Fault = "out_of_turn" // a player bets before it is his turn
	RakeOver  Fault = "rake_over"   // the house keeps more than it may
	WrongPot  Fault = "wrong_pot"   // the pot is pushed to a player who lost
)

func circuloKinds() map[string]kind {
	all := map[string]kind{}
	for code, g := range circulo {
		faults := []Fault{PayUnder, WrongPot, NoCommission, RakeOver, OutOfTurn}
		if g.norm == Andalucia {
			faults = append(faults, MissingCall, WrongCall, WrongDeal)
		}
		house := map[string]any{"rake": map[string]any{"mode": "percent", "rate_bp": rakeBP, "unit": leastOne}, "chip": leastOne, "marca": 1}
		switch code {
		case "holdem_circulo":
			house["forced"] = "ciegas"
		case "poker_descubierto_7":
			house["limit"] = "none"
		}
		all[code] = kind{play: func(t *table) { (&circuloHand{table: t}).play() }, faults: faults, norm: g.norm, house: house}
	}
	return all
}

// circuloHand is one hand in the making.
type circuloHand struct {
	*table
	g        circuloNorm
	pack     pack
	seats    []int // that play, ascending
	carried  carried
	marca    int
	mano     int
	dir      int // 1 clockwise, -1 anticlockwise
	in       map[int]bool
	pot      money.Cents
	potP     []Pile
	misdealt bool
	opener   int // who made the first bet
	bettor   int // who made the last bet or raise
	betting
}

func (h *circuloHand) play() {
	h.begin()
	h.wait(1)
	h.forced()
	h.wait(1.5)
	h.deal()
	if h.misdealt { // noticed at once: everything goes back
		h.sayAfter(1.5, round.Event{Call: "misdeal"})
		h.sweepBets()
		h.finish()
		return
	}
	for ; ; h.interval++ {
		h.bets()
		if h.live() < 2 || h.blank() || h.interval == h.g.streets() {
			break
		}
		h.street(h.interval)
	}
	h.finish()
}

// begin sets the hand up: who plays, where the marca lies, the pack.
func (h *circuloHand) begin() {
	h.rec.Carry = h.carry
	h.g = circulo[h.cfg.Game]
	h.in = map[int]bool{}
	for n := 1; n <= h.cfg.Seats; n++ {
		h.seats = append(h.seats, n)
		h.in[n] = true
	}
	if len(h.carry) > 0 {
		if err := json.Unmarshal(h.carry, &h.carried); err != nil {
			panic(err) // our own, see leaves
		}
	}
	h.marca, h.dir = max(1, h.carried.Marca), 1
	if h.g.ccw {
		h.dir = -1
	}
	h.mano = h.marca
	if !h.g.marcado {
		h.mano = h.after(h.marca, 1)
	}
	h.pot = h.carried.Bote // kept aside since a hand that nobody opened
	h.rec.Table.Options["marca"] = asJSON(h.marca)
	h.rec.Table.Options["players"] = asJSON(h.seats)
	h.pack = slices.DeleteFunc(packOf(1, 52), func(c card.Card) bool { return poker.Rank(c) < h.g.ranking.Lowest })
	h.pack.shuffle(h.rng)
	for h.mustOpen() && !h.somebodyOpens() {
		h.pack.shuffle(h.rng)
	}
}

// somebodyOpens reports whether one of the hands that the pack is going to give can open.
func (h *circuloHand) somebodyOpens() bool {
	hands := make([][]card.Card, len(h.seats))
	for i := range len(h.g.own) * len(hands) {
		hands[i%len(hands)] = append(hands[i%len(hands)], h.pack[len(h.pack)-1-i])
	}
	return slices.ContainsFunc(hands, func(hand []card.Card) bool { return poker.PairOf(hand) >= h.required() })
}

// after is the next player in a direction.
func (h *circuloHand) after(seat, dir int) int {
	i := slices.Index(h.seats, seat)
	return h.seats[(i+dir+len(h.seats))%len(h.seats)]
}

// around are the players in hand from a seat on, in the game's direction.
func (h *circuloHand) around(seat int) []int { return h.walk(seat, h.dir) }

// near are the players in hand from the mano on in a direction.
func (h *circuloHand) near(dir int) []int { return h.walk(h.mano, dir) }

func (h *circuloHand) walk(seat, dir int) (list []int) {
	for range h.seats {
		if h.in[seat] {
			list = append(list, seat)
		}
		seat = h.after(seat, dir)
	}
	return list
}

func (h *circuloHand) live() (n int) {
	for _, in := range h.in {
		if in {
			n++
		}
	}
	return n
}

func (h *circuloHand) chips(seat int) *spot { return h.spotOf(seat, "bote") }

// lay puts chips before a player, under the spot that the record has for them.
func (h *circuloHand) lay(seat int, spot string, amount money.Cents) {
	s := h.chips(seat)
	p := h.stack(amount, s.zone, s.free())
	s.piles = append(s.piles, p...)
	s.stake += amount
	h.note(round.Event{Type: round.Bet, Seat: seat, Spot: spot, Amount: amount})
	h.act(Act{Who: Who(seat), Piles: p})
}

// forced are the compulsory bets.
func (h *circuloHand) forced() {
	h.commit = map[int]money.Cents{}
	if h.g.ciegas {
		small, big := h.mano, h.after(h.mano, 1)
		h.wait(1.2)
		h.lay(small, "ciega_pequena", h.cfg.Min/2)
		h.wait(1.2)
		h.lay(big, "ciega_grande", h.cfg.Min)
		h.commit[small], h.commit[big] = h.cfg.Min/2, h.cfg.Min
		return
	}
	for _, n := range h.seats {
		h.wait(1.1)
		h.lay(n, "ante", h.cfg.Min/2)
	}
	h.sweepBets()
}

func (h *circuloHand) deal() {
	odd := one(h.table, h.seats)
	for _, face := range h.g.own {
		for _, n := range h.around(h.mano) {
			h.wait(0.8)
			h.give(n, face == 'u')
		}
	}
	if h.commits(WrongDeal) {
		h.wait(0.8)
		h.give(odd, false)
		h.misdealt = true
		h.expect(Finding{Code: finding.CardCountWrong, Seat: odd, Expected: len(h.g.own), Observed: len(h.g.own) + 1})
	}
	if h.g.first > 0 {
		h.wait(0.9)
		h.put("board", h.pack.draw(), false)
	}
}

func (h *circuloHand) give(seat int, up bool) {
	if up {
		h.put(seatZone(seat), h.pack.draw(), false)
	} else {
		h.putDown(seatZone(seat), h.pack.draw())
	}
}

// street deals the k-th street.
func (h *circuloHand) street(k int) {
	if h.g.draw {
		h.change()
		return
	}
	if h.g.phases && k == 3 {
		h.sayAfter(0.8, round.Event{Call: "ultima_carta"})
	}
	if h.g.burns {
		h.burn(h.pack.draw())
	}
	if h.g.later != "" {
		for _, n := range h.around(h.mano) {
			h.wait(0.8)
			h.give(n, h.g.later[k] == 'u')
		}
		return
	}
	zones := []string{"board"}
	if h.g.lines == 2 {
		zones = []string{"board1", "board2"}
	}
	for _, z := range zones {
		for range h.g.board[k] {
			h.wait(0.8)
			h.put(z, h.pack.draw(), false)
		}
	}
}

// change lets every player exchange cards; the opener keeps his.
func (h *circuloHand) change() {
	for _, n := range h.around(cmp.Or(h.opener, h.mano)) {
		h.wait(1)
		k := h.rng.IntN(4)
		if n == h.opener || k == 0 {
			h.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "stand"})
			continue
		}
		h.say(round.Event{Call: "descarte", By: round.Player, Seat: n, Number: round.Text(fmt.Sprint(k))})
		h.wait(0.6)
		h.sense("terminal", round.Event{Type: round.Action, Seat: n, Action: "draw", Discard: make([]card.Card, k)})
		h.swap(&h.pack, seatZone(n), h.rng.Perm(5)[:k], false)
	}
}
