package narrate

import (
	"slices"
	"strings"
	"time"

	"vision/validate/round"
	"vision/validate/track/scene"
)

// monteRound is the course of a round of monte o banca: Primeras are decided by
// the first card uncovered with the value of a place, Segundas by the next with
// the value of the pair that was not hit.
type monteRound struct {
	*Narration
	first, again    time.Time // when a phase was decided; zero while it is not
	reopened, close time.Time // the betting of Segundas
}

// narrateMonteBanca records both phases. The bets of Segundas lie on the same places
// as those of Primeras and go by another name.
func narrateMonteBanca(s *Narration) {
	s.burnedPair()
	g := &monteRound{Narration: s}
	g.phases()
	s.openingBets(s.timely)
	s.cardEvents(func(c dealtCard) bool { return g.reopened.IsZero() || c.at.Before(g.reopened) })
	primeras := func(m Move) bool { return !s.timely(m) && (g.reopened.IsZero() || m.At.Before(g.reopened)) }
	if g.first.IsZero() {
		s.during(primeras)
		s.assess()
		return
	}
	s.Moves = s.withoutHeaps(g.first)
	s.during(func(m Move) bool { return primeras(m) && m.At.Before(g.first) })
	s.assess()
	s.settlePushed(func(m Move) bool { return primeras(m) && !m.At.Before(g.first) }, time.Time{})
	if !g.reopened.IsZero() {
		g.segundas()
	}
	s.Decided = g.reopened.IsZero() || !g.again.IsZero()
	s.orderMovements(s.Game.order)
}

// phases finds when the phases were closed and decided.
func (g *monteRound) phases() {
	values := map[byte]int{} // of the places
	for _, c := range g.Hand {
		if n := scene.Digits(strings.TrimPrefix(c.zone, "emplazado:")); n > 0 && g.burnedAt(c).IsZero() {
			values[c.card.Rank()] = n
		}
	}
	hit := 0
	g.Narration.Close = g.FirstCall(g.Game.Closing)
	for _, c := range g.Hand {
		if c.zone != "descubiertas" {
			continue
		}
		n := values[c.card.Rank()]
		switch {
		case hit == 0:
			g.Narration.Close = scene.Earliest(g.Narration.Close, c.at)
			if n > 0 {
				hit, g.first = n, c.at
			}
		case g.close.IsZero():
			g.close = c.at
			fallthrough
		default:
			if g.again.IsZero() && n > 0 && (n > 2) != (hit > 2) {
				g.again = c.at
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
		g.close = scene.Earliest(g.close, g.callAfter(g.Game.Closing, g.reopened))
	}
}

// burnedAt is when a card was taken up before the bets were opened: the first
// two are burned if they are equal. Zero for cards that stayed.
func (s *Narration) burnedAt(c dealtCard) time.Time {
	sl := &s.Scene.Tracks[c.track]
	open := s.FirstCall("hagan_juego")
	if sl.OnTable || sl.Gone.IsZero() || !strings.HasPrefix(c.zone, "emplazado:") ||
		!open.IsZero() && !sl.Gone.Before(open) {
		return time.Time{}
	}
	return sl.Gone
}

// burnedPair records the cards that were burned, all when the first of them went, but not before the other was dealt.
func (s *Narration) burnedPair() {
	var at, dealt time.Time
	for _, c := range s.Hand {
		if gone := s.burnedAt(c); !gone.IsZero() && !dealt.After(s.Scene.Tracks[c.track].Left) {
			at, dealt = scene.Earliest(at, gone), scene.Latest(dealt, c.at)
		}
	}
	at = scene.Latest(at, dealt)
	for _, c := range s.Hand {
		if gone := s.burnedAt(c); !gone.IsZero() {
			if !c.at.After(at) {
				gone = at
			}
			s.record(round.Event{Type: round.Burn, Count: 1, Card: c.card}, gone, gone, 3)
		}
	}
}

// segundas records the second phase.
func (g *monteRound) segundas() {
	s := g.Narration
	settled := s.Due
	before := func(m Move) bool { return !g.again.IsZero() && !m.At.Before(g.again) }
	for _, m := range s.Moves {
		if scene.Bettable(m.Place) && m.Delta > 0 && !m.At.Before(g.reopened) && !before(m) {
			s.alias[m.Place] = "s2/" + m.Place.Spot
		}
	}
	s.during(func(m Move) bool {
		_, staked := s.alias[m.Place]
		return !m.At.Before(g.reopened) && !before(m) && (m.Delta > 0 || staked)
	})
	s.cardEvents(func(c dealtCard) bool { return !c.at.Before(g.reopened) })
	if s.Close = g.close; g.again.IsZero() {
		s.assess()
		return
	}
	s.assess()
	s.Due = slices.DeleteFunc(slices.Clone(s.Due), func(e round.Settlement) bool {
		return slices.ContainsFunc(settled, func(o round.Settlement) bool {
			return o.Seat == e.Seat && o.Spot == e.Spot && o.Outcome != round.Unknown
		})
	})
	s.settlePushed(before, time.Time{})
}
