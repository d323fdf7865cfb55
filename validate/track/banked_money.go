package track

import (
	"vision/validate/game/housepoker"
	"vision/validate/round"
)

// settles tells that chips moved after their bet was decided.
func (b *bankedStory) settles(m move) bool {
	if at := b.fold[m.place.Seat]; !at.IsZero() && !m.at.Before(at) {
		return true
	}
	if b.void {
		return m.delta < 0 && m.at.After(b.close)
	}
	if b.rules.Spots[m.place.Spot].Against == housepoker.AgainstFlop {
		if at := b.firstCall("texas_bonus"); !at.IsZero() {
			return m.at.After(at)
		}
	}
	return !b.shown.IsZero() && m.at.After(b.shown)
}

// settle tells the money, place by place.
func (b *bankedStory) settle() {
	by := map[place][]move{}
	var order []place
	for _, m := range b.moves {
		if !bettable(m.place) || b.timely(m) || !b.settles(m) {
			continue
		}
		if by[m.place] == nil {
			order = append(order, m.place)
		}
		by[m.place] = append(by[m.place], m)
	}
	for _, p := range order {
		b.settlePlace(p, by[p])
	}
}

func (b *bankedStory) settlePlace(p place, moves []move) {
	e, ok := b.entry(p)
	if moves = b.mended(p.Seat, p.Spot, moves); p.Spot == "ante" {
		if prize, won := b.prize(p.Seat); won {
			moves = b.payPrize(e, prize, moves)
		}
	}
	moves = b.croupiers(e, moves)
	switch {
	case len(moves) == 0:
	case ok && e.Outcome == round.Lose:
		(&settler{story: b.story, place: p, entry: e}).loser(moves, e.Stake)
	default:
		b.story.settle(p, moves)
	}
}

// croupiers leaves out what the owner takes: his winnings, a stake that did not
// lose when his cards are gone, and what lies beyond a lost stake.
func (b *bankedStory) croupiers(e round.Settlement, moves []move) []move {
	left, _, gone := b.left(seatZone(e.Seat))
	if b.rules.Deal.Hands {
		left, gone = b.handsLeft(e.Seat)
	}
	due := e.Stake
	for i, m := range moves {
		if m.delta > 0 {
			due += m.delta
			continue
		}
		if e.Outcome == round.Lose && b.afterClearing(m) {
			return moves[:i]
		}
		if e.Outcome == round.Lose && due > 0 && -m.delta <= due {
			due += m.delta
			continue
		}
		if e.Outcome == round.Lose || b.void || gone && m.at.After(left) {
			return moves[:i]
		}
	}
	return moves
}

// prize is the automatic prize due to a seat, which is laid with its ante.
func (b *bankedStory) prize(seat int) (round.Settlement, bool) {
	for _, e := range b.due {
		if e.Seat == seat && e.Stake == 0 && e.Pays > 0 && b.rules.Spots[e.Spot].Against == housepoker.Virtual {
			return e, true
		}
	}
	return round.Settlement{}, false
}

// payPrize tells which of the chips laid with the ante are the automatic prize,
// and returns the other movements.
func (b *bankedStory) payPrize(ante, prize round.Settlement, moves []move) (rest []move) {
	pay := func(m move) {
		b.tell(round.Event{Type: round.Pay, Seat: prize.Seat, Spot: prize.Spot, Amount: m.delta}, m.from, m.at, 2)
	}
	own := ante.Pays
	if ante.Outcome != round.Win {
		own = 0
	}
	paid := own * 0
	for _, m := range moves {
		switch {
		case m.delta < 0:
			rest = append(rest, m)
		case own > paid && m.delta == own-paid+prize.Pays: // both in one motion
			part := m
			m.delta, part.delta = prize.Pays, own-paid
			rest = append(rest, part)
			pay(m)
			paid = own
		case paid < own && (m.delta != prize.Pays || m.delta == own-paid):
			paid += m.delta
			rest = append(rest, m)
		default:
			pay(m)
		}
	}
	return rest
}
