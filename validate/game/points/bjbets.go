package points

import (
	"slices"
	"strconv"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

func (g *blackjack) bankAce() (ace, known bool) {
	if c := g.zones["bank"]; len(c) > 0 && g.readable(c[0].card) {
		return c[0].card.Rank() == 'A', true
	}
	return false, false
}

// window tells how a bet stands on its spot.
func (g *blackjack) window(i int, e *round.Event) state {
	name, arg, has := strings.Cut(e.Spot, ":")
	n, err := strconv.Atoi(arg)
	if has && (err != nil || n < 1) {
		return unknownSpot
	}
	open := plays
	if i > g.close {
		open = late
	}
	switch {
	case name == "main" && !has:
		return g.onBox(open, e.Seat)
	case name == "main" && n == e.Seat:
		return refused
	case name == "main":
		return g.onBox(open, n)
	case name == "split" && has && n >= 2:
		if g.actions["split"+strconv.Itoa(e.Seat)+"/0"] < n-1 {
			return refused
		}
		return plays
	case name == "double" && (!has || n >= 2):
		if g.actions["double"+strconv.Itoa(e.Seat)+"/"+strconv.Itoa(max(n, 1))] == 0 {
			return refused
		}
		return plays
	case e.Spot == "seguro":
		if ace, known := g.bankAce(); known && !ace {
			return refused
		}
		if i > g.third {
			return late
		}
		return plays
	case e.Spot == "bolsa" || e.Spot == "jackpot":
		if e.Spot != g.r.SideSpot || !g.sideOffered {
			return refused
		}
		return open
	}
	return unknownSpot
}

func (g *blackjack) onBox(open state, box int) state {
	if box > g.opt.boxes {
		return refused
	}
	return open
}

// boxOf is the box that a stake plays on; 0 for side bets and insurance.
func boxOf(c game.Place) int {
	name, arg, has := strings.Cut(c.Spot, ":")
	if name == "main" && has {
		n, _ := strconv.Atoi(arg)
		return n
	}
	if name == "main" || name == "split" || name == "double" {
		return c.Seat
	}
	return 0
}

func isMain(spot string) bool { return spot == "main" || strings.HasPrefix(spot, "main:") }

// seats lists the boxes with a stake and refuses bettors above the number that a box takes.
func (g *blackjack) seats() {
	bettors := map[int]int{}
	for _, c := range g.s.list {
		if !isMain(c.Spot) || c.refused || c.stake == 0 {
			continue
		}
		b := boxOf(c.Place)
		if bettors[b]++; g.r.MaxBettors > 0 && bettors[b] > g.r.MaxBettors {
			c.refused = true
		}
		if !slices.Contains(g.boxes, b) {
			g.boxes = append(g.boxes, b)
		}
	}
	slices.Sort(g.boxes)
	if len(g.boxes) < g.r.MinBoxes && g.firstDealt < len(g.ev) {
		g.at(g.firstDealt, finding.OtherProcedure)
	}
}

func (g *blackjack) limits() {
	tab := g.rec.Table
	for _, c := range g.s.list {
		switch {
		case c.refused || c.stake == 0:
		case isMain(c.Spot):
			g.limit(c, tab.Min, tab.Max)
		case c.Spot == "seguro":
			if most := g.ownStake(c.Seat) / 2; c.stake > most {
				g.amountsPlain(c, finding.SideBetLimit, most)
			}
			if least := money.MulDiv(tab.Min, 1, 2); g.r.SeguroMin && c.stake < least {
				g.amountsPlain(c, finding.BetBelowMin, least)
			}
		case c.Spot == "bolsa" && g.opt.sideStake > 0 && c.stake != g.opt.sideStake:
			g.amountsPlain(c, finding.RaiseWrong, g.opt.sideStake)
		case c.Spot == g.r.SideSpot && g.r.SideHalfMin && tab.Min > 0 && c.stake > tab.Min/2:
			g.amountsPlain(c, finding.SideBetLimit, tab.Min/2)
		}
	}
}

// ownStake is the stake that a player may insure: on his own box, else on those of others.
func (g *blackjack) ownStake(seat int) money.Cents {
	if own := g.s.of(seat, "main"); own > 0 {
		return own
	}
	var sum money.Cents
	for _, c := range g.s.list {
		if c.Seat == seat && isMain(c.Spot) && !c.refused {
			sum += c.stake
		}
	}
	return sum
}
