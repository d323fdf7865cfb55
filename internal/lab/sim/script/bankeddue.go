package script

import (
	"cmp"
	"slices"

	"vision/internal/lab/sim/script/poker"
	"vision/internal/money"
	"vision/validate/round"
)

// claim is what one bet has coming by the norm.
type claim struct {
	seat   int
	spot   string
	stake  money.Cents // 0 for a prize that needs none
	result result
	pays   money.Cents // winnings, before commission
	fee    money.Cents
	of     showdown
}

func (r *bankedRound) norm() bankedNorm { return bankedNorms[r.cfg.Game] }

// handOf is the hand that the cards of a zone make with the common ones.
func (r *bankedRound) handOf(zone string) poker.Hand {
	if r.g.sets {
		return r.norm().ranking.Of(r.cards(zone + "/high"))
	}
	cards := r.cards(zone)
	for _, z := range slices.Concat([]string{"board"}, r.g.commons) {
		cards = append(cards, r.cards(z)...)
	}
	return r.norm().ranking.Best(r.norm().plays, cards)
}

// meet is a seat's hand against the bank's, as the cards lie.
func (r *bankedRound) meet(seat int) showdown {
	z := seatZone(seat)
	s := showdown{own: r.cards(z), bankOwn: r.cards("bank"), board: r.cards("board"), folded: r.folded[seat],
		hand: r.handOf(z), bank: r.handOf("bank")}
	if r.g.sets {
		s.low, s.bankLow = poker.Two.Of(r.cards(z+"/low")), poker.Two.Of(r.cards("bank/low"))
	}
	s.enters = r.norm().enters == nil || r.norm().enters(s.bank)
	return s
}

// claims are what all bets that still lie have coming at the showdown.
func (r *bankedRound) claims() []claim {
	prizes, left := r.meter()
	r.left = left
	met := map[int]showdown{}
	for _, n := range r.seats {
		met[n] = r.meet(n)
	}
	var list []claim
	for _, s := range r.inPlay() {
		switch {
		case r.dead[s.seat]:
			list = append(list, claim{seat: s.seat, spot: s.name, stake: s.stake, result: returned})
		case prizes[s.seat] > 0 && s.name == r.g.slot:
			list = append(list, claim{seat: s.seat, spot: s.name, stake: s.stake, result: wins, pays: prizes[s.seat]})
		default:
			list = append(list, r.judge(s, met[s.seat]))
		}
	}
	for _, n := range r.in() {
		for spot, odds := range r.norm().prizes {
			if x := odds(met[n]); x > 0 && !r.dead[n] {
				list = append(list, claim{seat: n, spot: spot, result: wins, pays: r.spotOf(n, "ante").stake * money.Cents(x)})
			}
		}
	}
	slices.SortFunc(list, func(a, b claim) int {
		return cmp.Or(
			cmp.Compare(a.seat, b.seat),
			cmp.Compare(spotRank[a.spot], spotRank[b.spot]),
			cmp.Compare(a.spot, b.spot),
		)
	})
	return list
}

// judge decides one bet.
func (r *bankedRound) judge(s *spot, x showdown) claim {
	c := claim{seat: s.seat, spot: s.name, stake: s.stake, of: x}
	var odds int
	c.result, odds = r.norm().bets[s.name](x)
	if c.result == wins {
		c.pays = s.stake * money.Cents(odds)
		c.fee = money.MulDiv(c.pays, r.g.feeBP, 10000)
	}
	return c
}

// inverted reports whether the bets that the bank's playing decides were settled,
// wrongly, as if the bank had played though it did not, or the reverse.
func (r *bankedRound) inverted(due []claim) bool {
	if r.norm().enters == nil {
		return false
	}
	wrong := false
	for _, c := range due {
		if r.folded[c.seat] || r.dead[c.seat] || c.spot != "ante" && c.spot != "second" {
			continue
		}
		x := c.of
		x.enters = !x.enters
		other := r.judge(&spot{seat: c.seat, name: c.spot, stake: c.stake}, x)
		paid, kept := r.moved(c)
		if paid != other.pays || kept != (other.result != loses) {
			return false
		}
		wrong = wrong || paid != c.pays || kept != (c.result != loses)
	}
	return wrong
}

// moved is what was paid on a bet, and whether it was left to the player.
func (r *bankedRound) moved(c claim) (paid money.Cents, kept bool) {
	kept = true
	for _, e := range r.rec.Events {
		if e.Seat == c.seat && e.Spot == c.spot {
			kept = kept && e.Type != round.Collect
			if e.Type == round.Pay {
				paid += e.Amount
			}
		}
	}
	return paid, kept
}
