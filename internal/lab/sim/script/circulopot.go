package script

import (
	"cmp"
	"encoding/json"
	"slices"

	"vision/internal/card"
	"vision/internal/lab/sim/script/poker"
	"vision/internal/money"
	"vision/validate/round"
)

// The pot: who wins it, what the house keeps of it, and what the hand leaves.

// The house's part: 5 % of the pot, taken before the winner is paid (II.4.a,
// L5012-5019), in whole chips of half a euro.
const (
	rakeBP   = 500
	leastOne = money.Cents(50)
)

// rake is what the house keeps of the pot.
func (h *circuloHand) rake() money.Cents {
	return money.MulDiv(h.pot, rakeBP, 10000) / leastOne * leastOne
}

// blank reports whether nobody has opened: the pot stays for the next hand (A II.3, L5887-5900).
func (h *circuloHand) blank() bool { return h.g.draw && h.opener == 0 && h.live() > 1 }

// awards are what each seat wins of what is left of the pot.
func (h *circuloHand) awards() map[int]money.Cents {
	pot := h.pot - h.rake()
	won := map[int]money.Cents{}
	half := pot / 2 / leastOne * leastOne
	switch {
	case h.live() == 1:
		won[h.around(h.mano)[0]] = pot // L5511-5516
	case h.g.lines == 2: // B.7 II.6, L6661-6664
		h.split(won, pot-half, h.highHands("board1"))
		h.split(won, half, h.highHands("board2"))
	case h.g.low && len(h.lowHands()) > 0: // B.5 II, L6537-6552
		h.split(won, pot-half, h.highHands("board"))
		h.split(won, half, h.lowHands())
	default:
		h.split(won, pot, h.highHands("board"))
	}
	return won
}

// highHands are the seats with the highest hand.
func (h *circuloHand) highHands(board string) []int {
	return bestOf(h.around(h.mano), func(n int) poker.Hand { return h.handOf(n, board) }, poker.Compare)
}

func (h *circuloHand) handOf(n int, board string) poker.Hand {
	if h.g.exactly {
		return h.g.ranking.TwoAndThree(h.cards(seatZone(n)), h.cards(board))
	}
	return h.g.ranking.Best(5, slices.Concat(h.cards(seatZone(n)), h.cards(board)))
}

// lowHands are the seats with the lowest hand; none where nobody has one.
func (h *circuloHand) lowHands() []int {
	low := func(n int) []int {
		ranks, _ := poker.Low(h.cards(seatZone(n)), h.cards("board"))
		return ranks
	}
	some := slices.DeleteFunc(h.around(h.mano), func(n int) bool { return low(n) == nil })
	return bestOf(some, low, func(a, b []int) int { return slices.Compare(b, a) })
}

// bestOf are the seats whose worth none exceeds.
func bestOf[T any](seats []int, worth func(int) T, compare func(a, b T) int) (best []int) {
	for _, n := range seats {
		d := 1
		if len(best) > 0 {
			d = compare(worth(n), worth(best[0]))
		}
		switch {
		case d > 0:
			best = []int{n}
		case d == 0:
			best = append(best, n)
		}
	}
	return best
}

// split divides an amount among equal hands in whole chips. Chips left over go one
// each, the first to who made the last bet, then from the mano on (IX.24, L5637-5647).
func (h *circuloHand) split(won map[int]money.Cents, amount money.Cents, winners []int) {
	slices.SortStableFunc(winners, func(a, b int) int { return cmp.Compare(h.later(a), h.later(b)) })
	each := amount / money.Cents(len(winners)) / leastOne * leastOne
	rest := amount - each*money.Cents(len(winners))
	for _, n := range winners {
		odd := min(rest, leastOne)
		won[n] += each + odd
		rest -= odd
	}
}

// later sorts who made the last bet before the others.
func (h *circuloHand) later(seat int) int {
	if seat == h.bettor {
		return 0
	}
	return 1
}

// leaves is what the hand leaves to the next: the marca moves on, unless the hand is
// dealt again; a pot that nobody opened stays.
func (h *circuloHand) leaves() json.RawMessage {
	next := map[string]int{"marca": h.marca}
	blanks, bote := h.carried.Blanks, h.carried.Bote
	if !h.misdealt {
		next["marca"] = h.after(h.marca, h.dir)
		if bote = 0; h.blank() {
			bote, blanks = h.pot, blanks+1
		} else {
			blanks = 0
		}
	}
	if h.g.draw || h.misdealt {
		next["bote"] = int(bote)
	}
	if h.g.draw {
		next["blank_hands"] = blanks
	}
	return asJSON(next)
}

// carried is what the hand before has left.
type carried struct {
	Marca  int         `json:"marca"`
	Bote   money.Cents `json:"bote"`
	Blanks int         `json:"blank_hands"`
}

// open are a player's cards that all can see.
func (h *circuloHand) open(n int) (list []card.Card) {
	for _, p := range h.hands[seatZone(n)] {
		if !p.Down {
			list = append(list, p.Card)
		}
	}
	return list
}

// stakes sums what a seat has put in, and what went back to it.
func (h *circuloHand) stakes(n int) (in, back money.Cents) {
	for _, e := range h.rec.Events {
		switch {
		case e.Seat != n:
		case e.Type == round.Bet:
			in += e.Amount
		case e.Type == round.Return:
			back += e.Amount
		}
	}
	return in, back
}
