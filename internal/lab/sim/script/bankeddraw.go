package script

import (
	"fmt"
	"slices"

	"vision/internal/card"
	"vision/internal/lab/sim/script/poker"
	"vision/validate/round"
)

// bankDraws exchanges the bank's cards as the norm of con descarte prescribes
// (art. 50): nothing from a straight on, else what does not belong to the hand.
func (r *bankedRound) bankDraws() {
	which := bankDiscards(r.cards("bank"))
	r.wait(1.2)
	if len(which) == 0 {
		r.sense("terminal", round.Event{Type: round.Action, Zone: "bank", Action: "stand"})
		return
	}
	var out []card.Card
	for _, i := range which {
		out = append(out, r.cards("bank")[i])
	}
	r.sense("terminal", round.Event{Type: round.Action, Zone: "bank", Action: "draw", Discard: out})
	r.swap(&r.pack, "bank", which, true)
}

// bankDiscards are the places of the cards that the bank must change.
func bankDiscards(hand []card.Card) []int {
	count, suits := map[int]int{}, map[byte]int{}
	for _, c := range hand {
		count[poker.Rank(c)]++
		suits[c.Suit()]++
	}
	byRank := []int{0, 1, 2, 3, 4}
	slices.SortFunc(byRank, func(a, b int) int { return poker.Rank(hand[a]) - poker.Rank(hand[b]) })
	single := slices.DeleteFunc(slices.Clone(byRank), func(i int) bool { return count[poker.Rank(hand[i])] > 1 })
	switch h := poker.Banked.Of(hand); {
	case poker.Banked.AtLeast(h, poker.Escalera):
		return nil
	case poker.Banked.AtLeast(h, poker.DoblePareja):
		return single
	case h.Category == poker.Pareja:
		return single[:2]
	}
	if i := oddSuit(hand, suits); i >= 0 {
		return []int{i}
	}
	if i := oddRank(hand, byRank); i >= 0 {
		return []int{i}
	}
	return byRank[:2]
}

func oddSuit(hand []card.Card, suits map[byte]int) int {
	for s, n := range suits {
		if n == 4 {
			return slices.IndexFunc(hand, func(c card.Card) bool { return c.Suit() != s })
		}
	}
	return -1
}

// oddRank is the card beside four of consecutive ranks, none of them a low ace.
func oddRank(hand []card.Card, byRank []int) int {
	for _, out := range []int{0, 4} {
		four := byRank[1:]
		if out == 4 {
			four = byRank[:4]
		}
		if poker.Rank(hand[four[3]])-poker.Rank(hand[four[0]]) == 3 {
			return byRank[out]
		}
	}
	return -1
}

// Pai gow: whole hands are dealt from a place that three dice tell.

func (r *bankedRound) dealHands() {
	faces := r.faces(3)
	sum := faces[0] + faces[1] + faces[2]
	r.dice = r.diceTags(faces)
	r.wait(1)
	r.note(round.Event{Type: round.Dice, Faces: faces})
	r.act(Act{Who: Croupier, Dice: faces, Tag: r.dice[0]})
	r.sayAfter(1, round.Event{Call: "suma_dados", Number: round.Text(fmt.Sprint(sum))})
	odd, bad := one(r.table, r.seats), r.commits(WrongDeal)
	for _, zone := range r.ring(sum) {
		cards := 7
		if bad && zone == seatZone(odd) {
			cards = 8
			r.misdealt(odd, 7)
		}
		for k := range cards {
			r.wait(0.75)
			if n := seatNumber(zone); n > 0 {
				r.dealTo(n, k)
			} else {
				r.putDown(zone, r.pack.draw())
			}
		}
	}
}

// ring are the hands in the order of dealing: clockwise from the position that
// the sum tells, the croupier being the first.
func (r *bankedRound) ring(sum int) []string {
	const places = 6
	var list []string
	for i := range places + 1 {
		at := (sum - 1 + i) % (places + 1)
		if at == 0 {
			list = append(list, "bank")
		} else if slices.Contains(r.seats, at) {
			list = append(list, seatZone(at))
		}
	}
	return list
}

// set has a player put his cards into two hands, face down.
func (r *bankedRound) set(n int) {
	r.wait(2)
	r.note(round.Event{Type: round.Action, Seat: n, Action: "set"})
	r.lay(seatZone(n), Who(n), true)
}

// lay moves the cards of a zone into its two hands.
func (r *bankedRound) lay(zone string, who Who, down bool) {
	a := Act{Who: who}
	lowest := lowHand(r.cards(zone))
	cards := r.hands[zone]
	delete(r.hands, zone)
	for i, p := range cards {
		a.Lift = append(a.Lift, p.Tag)
		q := Placed{Tag: r.nextTag(), Zone: zone + "/high", Card: p.Card, Down: down}
		if slices.Contains(lowest, i) {
			q.Zone = zone + "/low"
		}
		q.Slot = len(r.hands[q.Zone])
		r.hands[q.Zone] = append(r.hands[q.Zone], q)
		a.Cards = append(a.Cards, q)
	}
	r.act(a)
}

// lowHand are the places of two unpaired cards that never outrank the other
// five: the lowest of different ranks, or the two lowest.
func lowHand(hand []card.Card) []int {
	var order []int
	for i, c := range hand {
		if c != card.Joker {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return poker.Rank(hand[a]) - poker.Rank(hand[b]) })
	for _, i := range order[1:] {
		if poker.Rank(hand[i]) != poker.Rank(hand[order[0]]) {
			return []int{order[0], i}
		}
	}
	return order[:2]
}

// showHands turns the bank's cards and sets them, then turns the players' hands.
func (r *bankedRound) showHands() {
	r.turn("bank")
	r.wait(2)
	r.lay("bank", Croupier, false)
	r.note(round.Event{Type: round.Arrange, Zone: "bank", High: r.cards("bank/high"), Low: r.cards("bank/low")})
	for _, n := range r.seats {
		r.wait(1.5)
		z := seatZone(n)
		a := Act{Who: Croupier}
		r.faceUp(&a, z+"/high")
		r.faceUp(&a, z+"/low")
		high, low := r.cards(z+"/high"), r.cards(z+"/low")
		r.note(round.Event{Type: round.Reveal, Zone: z, Cards: slices.Concat(high, low)})
		r.note(round.Event{Type: round.Arrange, Zone: z, High: high, Low: low})
		r.act(a)
	}
	r.wait(1.5) // the croupier compares the hands
}
