package blackjack

import (
	"slices"
	"strconv"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// window is the state of a bet on its spot.
func (g *blackjack) window(i int, e *round.Event) game.BetState {
	name, arg, has := strings.Cut(e.Spot, ":")
	n := game.Ordinal(arg)
	if has && n == 0 {
		return game.UnknownSpot
	}
	open := game.Until(i, g.Close)
	switch {
	case name == "main" && !has:
		return g.onBox(open, e.Seat)
	case name == "main" && n == e.Seat:
		return game.Refused
	case name == "main":
		return g.onBox(open, n)
	case name == "split" && has && n >= 2:
		if g.actions["split"+strconv.Itoa(e.Seat)+"/0"] < n-1 {
			return game.Refused
		}
		return game.Plays
	case name == "double" && (!has || n >= 2):
		if g.actions["double"+strconv.Itoa(e.Seat)+"/"+strconv.Itoa(max(n, 1))] == 0 {
			return game.Refused
		}
		return game.Plays
	case e.Spot == "seguro":
		if ace, known := g.bankAce(); known && !ace {
			return game.Refused
		}
		return game.Until(i, g.choices)
	case e.Spot == "bolsa" || e.Spot == "jackpot":
		if e.Spot != g.r.SideSpot || !g.sideOffered {
			return game.Refused
		}
		return open
	}
	return game.UnknownSpot
}

func (g *blackjack) onBox(open game.BetState, box int) game.BetState {
	if box > g.opt.boxes {
		return game.Refused
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
	for _, c := range g.s.List {
		if !isMain(c.Spot) || c.Refused || c.AtDeal() == 0 {
			continue
		}
		b := boxOf(c.Place)
		if bettors[b]++; g.r.MaxBettors > 0 && bettors[b] > g.r.MaxBettors {
			c.Refused = true
		}
		if !slices.Contains(g.boxes, b) {
			g.boxes = append(g.boxes, b)
		}
	}
	slices.Sort(g.boxes)
	if len(g.boxes) < g.r.MinBoxes && g.FirstDealt < len(g.Events) {
		g.At(g.FirstDealt, finding.OtherProcedure)
	}
}

func (g *blackjack) limits() {
	tab := g.Rec.Table
	for _, c := range g.s.List {
		switch {
		case c.Refused || c.Stake == 0:
		case isMain(c.Spot):
			g.Limit(c, tab.Min, tab.Max)
		case c.Spot == "seguro":
			if most := g.ownStake(c.Seat) / 2; c.Stake > most {
				g.OnStake(c, finding.SideBetLimit, most)
			}
			if least := money.MulDiv(tab.Min, 1, 2); g.r.SeguroMin && c.Stake < least {
				g.OnStake(c, finding.BetBelowMin, least)
			}
		case c.Spot == "bolsa" && g.opt.sideStake > 0 && c.Stake != g.opt.sideStake:
			g.OnStake(c, finding.RaiseWrong, g.opt.sideStake)
		case c.Spot == g.r.SideSpot && g.r.SideHalfMin && tab.Min > 0 && c.Stake > tab.Min/2:
			g.OnStake(c, finding.SideBetLimit, tab.Min/2)
		}
	}
}

// ownStake is the stake that a player may insure: on his own box, else on those of others.
func (g *blackjack) ownStake(seat int) money.Cents {
	if own := g.s.Of(seat, "main"); own > 0 {
		return own
	}
	var sum money.Cents
	for _, c := range g.s.List {
		if c.Seat == seat && isMain(c.Spot) && !c.Refused {
			sum += c.Stake
		}
	}
	return sum
}
