package track

import (
	"slices"
	"strings"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
)

// monteGames are the two games of Andalucía that are called monte. Both have a
// second phase of betting while the cards of the first lie on the table.
var monteGames = []*game{
	{
		code: "casino_monte", course: cards, closing: "no_va_mas", deal: []string{"seats", "bank", "seats/revancha", "bank/revancha"},
		least: 2, open: []finding.Code{finding.CardCountWrong}, order: casinoOrder, narrate: tellCasinoMonte,
	},
	{
		code: "monte_banca", course: cards, closing: "no_va_mas", deal: []string{"emplazado:1", "emplazado:2", "emplazado:3", "emplazado:4"},
		opens: "primera_carta", pushed: true, laid: "hagan_juego", order: collectFirst, narrate: tellMonteBanca,
	},
}

// casinoOrder is the order in which casino monte settles: boxes from the highest
// down, tie bets after the boxes.
func casinoOrder(a, b round.Event) bool {
	if x, y := rankOf(a, "inicial", "revancha"), rankOf(b, "inicial", "revancha"); x != y {
		return x < y
	}
	return a.Seat > b.Seat
}

// tellCasinoMonte tells a round of one card each: bets, the cards, settlement;
// boxes equal to the bank may stake again on a second card.
func tellCasinoMonte(s *story) {
	s.arrangeDeal(s.dealOrder())
	s.close = s.firstCall(s.g.closing)
	if len(s.hand) > 0 {
		s.close = earliest(s.close, s.hand[0].at)
	}
	s.openingBets(s.timely)
	s.cardEvents()
	decided, again := s.dealtIn("bank"), s.dealtIn("bank/revancha")
	for _, c := range s.hand {
		if c.zone == "bank" {
			s.takenAfter(c)
		}
	}
	if decided.IsZero() {
		s.during(func(m move) bool { return !s.timely(m) })
		s.assess()
		return
	}
	staked := func(m move) bool { // chips for the revancha, laid before its cards
		return m.place.Spot == "revancha" && m.delta > 0 && (again.IsZero() || m.from.Before(again))
	}
	s.during(func(m move) bool { return !s.timely(m) && (m.at.Before(decided) || staked(m)) })
	v := s.assess()
	s.early = len(s.hand) >= s.g.least && !has(v, s.g.open...) && !s.unseen()
	s.settleAll(func(m move) bool { return !s.timely(m) && !m.at.Before(decided) && !staked(m) })
	s.together(s.g.order)
}

// monteRound is the course of a round of monte o banca: Primeras are decided by
// the first card uncovered with the value of a place, Segundas by the next with
// the value of the pair that was not hit.
type monteRound struct {
	*story
	first, again    time.Time // when a phase was decided; zero while it is not
	reopened, close time.Time // the betting of Segundas
}

// tellMonteBanca tells both phases. The bets of Segundas lie on the same places
// as those of Primeras and go by another name.
func tellMonteBanca(s *story) {
	s.burnedPair()
	g := &monteRound{story: s}
	g.phases()
	s.openingBets(s.timely)
	s.cardsUntil(g.reopened)
	primeras := func(m move) bool { return !s.timely(m) && (g.reopened.IsZero() || m.at.Before(g.reopened)) }
	if g.first.IsZero() {
		s.during(primeras)
		s.assess()
		return
	}
	s.during(func(m move) bool { return primeras(m) && m.at.Before(g.first) })
	s.assess()
	g.settlePhase(func(m move) bool { return primeras(m) && !m.at.Before(g.first) })
	if !g.reopened.IsZero() {
		g.segundas()
	}
	s.early = g.reopened.IsZero() || !g.again.IsZero()
	s.together(s.g.order)
}

// phases finds when the phases were closed and decided.
func (g *monteRound) phases() {
	values := map[byte]int{} // of the places
	for _, c := range g.hand {
		if n := digits(strings.TrimPrefix(c.zone, "emplazado:")); n > 0 && g.burnedAt(c).IsZero() {
			values[c.card.Rank()] = n
		}
	}
	hit := 0
	g.story.close = g.firstCall(g.g.closing)
	for _, c := range g.hand {
		if c.zone != "descubiertas" {
			continue
		}
		n := values[c.card.Rank()]
		switch {
		case hit == 0:
			g.story.close = earliest(g.story.close, c.at)
			if n > 0 {
				hit, g.first = n, c.at
				g.takenAfter(c)
			}
		case g.close.IsZero():
			g.close = c.at
			fallthrough
		default:
			if g.again.IsZero() && n > 0 && (n > 2) != (hit > 2) {
				g.again = c.at
				g.takenAfter(c)
			}
		}
	}
	if g.first.IsZero() {
		return
	}
	g.reopened = g.callAfter("hagan_juego", g.first)
	if g.reopened.IsZero() {
		g.reopened = g.close // Segundas were played and never opened
	}
	if !g.reopened.IsZero() {
		g.close = earliest(g.close, g.callAfter(g.g.closing, g.reopened))
	}
}

// burnedAt is when a card was taken up before the bets were opened: the first
// two are burned if they are equal. Zero for cards that stayed.
func (s *story) burnedAt(c dealtCard) time.Time {
	sl := &s.sc.slots[c.slot]
	open := s.firstCall("hagan_juego")
	if sl.here || sl.gone.IsZero() || !strings.HasPrefix(c.zone, "emplazado:") || !open.IsZero() && !sl.gone.Before(open) {
		return time.Time{}
	}
	return sl.gone
}

// burnedPair tells the cards that were burned, all when the first of them went.
func (s *story) burnedPair() {
	var at time.Time
	for _, c := range s.hand {
		at = earliest(at, s.burnedAt(c))
	}
	for _, c := range s.hand {
		if gone := s.burnedAt(c); !gone.IsZero() {
			if c.at.Before(at) {
				gone = at
			}
			s.tell(round.Event{Type: round.Burn, Count: 1, Card: c.card}, gone, gone, 2)
		}
	}
}

// cardsUntil tells the cards dealt before t, or all for the zero time.
func (s *story) cardsUntil(t time.Time) {
	all := s.hand
	s.hand = nil
	for _, c := range all {
		if t.IsZero() || c.at.Before(t) {
			s.hand = append(s.hand, c)
		}
	}
	s.cardEvents()
	s.hand = all
}

// settlePhase settles what moved in a phase after it was decided.
func (g *monteRound) settlePhase(in func(move) bool) {
	s := g.story
	s.settleAll(func(m move) bool { return in(m) && (m.delta < 0 || s.pushedBack(m)) })
	s.payouts(in)
	var last time.Time
	for _, m := range s.moves {
		if in(m) && m.at.After(last) && (m.delta < 0 || m.place.Spot == paySpot) {
			last = m.at
		}
	}
	s.during(func(m move) bool { return in(m) && m.delta > 0 && !s.pushedBack(m) && m.from.Before(last) })
}

// segundas tells the second phase.
func (g *monteRound) segundas() {
	s := g.story
	settled := s.due
	before := func(m move) bool { return !g.again.IsZero() && !m.at.Before(g.again) }
	for _, m := range s.moves {
		if bettable(m.place) && m.delta > 0 && !m.at.Before(g.reopened) && !before(m) {
			s.alias[m.place] = "s2/" + m.place.Spot
		}
	}
	s.during(func(m move) bool {
		_, staked := s.alias[m.place]
		return !m.at.Before(g.reopened) && !before(m) && (m.delta > 0 || staked)
	})
	for _, c := range s.hand {
		if !c.at.Before(g.reopened) {
			s.tell(cardEvent(c), c.from, c.at, 2)
		}
	}
	if s.close = g.close; g.again.IsZero() {
		s.assess()
		return
	}
	s.assess()
	s.due = slices.DeleteFunc(slices.Clone(s.due), func(e round.Settlement) bool {
		return slices.ContainsFunc(settled, func(o round.Settlement) bool {
			return o.Seat == e.Seat && o.Spot == e.Spot && o.Outcome != round.Unknown
		})
	})
	g.settlePhase(before)
}
