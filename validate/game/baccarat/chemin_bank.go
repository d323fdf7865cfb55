package baccarat

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game/table"
	"vision/validate/round"
)

// stakesAgainst forms the bank and covers the stakes against it in the order of
// the bets until it is used up.
func (g *chemin) stakesAgainst() {
	abonos := 0
	for _, c := range g.s.List {
		switch c.Spot {
		case "abono":
			if abonos++; abonos > g.r.Abonos {
				c.Refused = true
			}
			fallthrough
		case "asociado", "banca":
			if !c.Refused {
				g.bank += c.Stake
			}
		}
		if c.Spot == "banca" {
			g.lead = c
		}
	}
	tab := g.Rec.Table
	if !g.unlimited {
		g.Limit(g.lead, tab.Min, tab.Min*money.Cents(g.r.BankTimes))
	} else {
		g.Limit(g.lead, tab.Min, 0)
	}
	left := g.bank
	for _, c := range g.s.List {
		if c.Refused || c.Stake == 0 || c.Spot == "banca" || c.Spot == "asociado" || c.Spot == "abono" {
			continue
		}
		left -= g.against(c, left)
	}
	g.covered = g.bank - left
	g.share()
}

// against covers one stake and gives how much of it plays.
func (g *chemin) against(c *table.Chips, left money.Cents) money.Cents {
	playing := c.Stake
	switch c.Spot {
	case "punto":
		g.Limit(c, g.Rec.Table.Min, 0)
	case "raya":
		g.Limit(c, g.Rec.Table.Min, 0)
		playing = halfUp(c.Stake)
	case "banco":
		if c.Put() != g.bank {
			g.OnStake(c, finding.RaiseWrong, g.bank)
		}
	case "mesa":
		if half := halfUp(g.bank); c.Put() != half {
			g.OnStake(c, finding.RaiseWrong, half)
		}
	}
	if playing > left {
		g.Amounts(c.Last, finding.BetAboveMax, c.Place, left, playing)
		playing = left
	}
	g.cover[c] = playing
	return playing
}

// share divides what is covered among the bank's stakes pro rata.
func (g *chemin) share() {
	rest := g.covered
	for _, c := range g.s.List {
		if (c.Spot == "asociado" || c.Spot == "abono") && !c.Refused && g.bank > 0 {
			g.shares[c] = money.Cents(mulDivDown(int64(g.covered), int64(c.Stake), int64(g.bank)))
			rest -= g.shares[c]
		}
	}
	g.shares[g.lead] = rest
}

// carryOn is what the next round must know.
func (g *chemin) carryOn() {
	stake := g.s.Of(g.banker, "banca")
	passes, gain := 0, money.Cents(0)
	if g.carry.Banker == g.banker {
		passes, gain = g.carry.Passes, g.carry.Gain
	}
	switch {
	case g.winner == "punto":
		g.Next["lost_by"] = g.banker
		return
	case g.winner == "banca":
		share := g.shares[g.lead]
		net := share - g.r.Commission.Of(share)
		stake, passes, gain = stake+net, passes+1, gain+net
		for _, c := range g.s.List {
			if c.Spot == "banco" && !c.Refused && c.Stake > 0 {
				g.Next["banco_seguido"] = c.Seat
			}
		}
	}
	g.Next["banker"], g.Next["bank"], g.Next["passes"], g.Next["gain"] = g.banker, stake, passes, gain
}

// garaje checks the banker and his bank against the round before.
func (g *chemin) garaje() {
	if g.carry.LostBy == g.banker {
		g.At(g.lead.Last, finding.OtherProcedure)
	}
	tab, stake := g.Rec.Table, g.s.Of(g.banker, "banca")
	d := g.carry.Bank - stake
	if g.carry.Banker != g.banker || tab.Min == 0 || d <= 0 {
		return
	}
	i := g.Action(g.banker, "garaje")
	if i == len(g.Events) || g.Events[i].Amount != d || !g.mayTake(d, tab.Min) {
		g.Add(round.Finding{Code: finding.OtherProcedure, Event: min(i, g.Last), Seat: g.banker, Spot: "garaje"})
	}
}

func (g *chemin) mayTake(d, least money.Cents) bool {
	if d == g.carry.Bank-least*money.Cents(g.r.BankTimes) {
		return true // impropio: what exceeds the bank's maximum
	}
	rule := g.r.Garaje
	if rule.GainTimes > 0 {
		return g.carry.Gain > least*money.Cents(rule.GainTimes)
	}
	return g.carry.Passes >= rule.Passes && int64(d)*rule.Part.Den <= int64(g.carry.Bank)*rule.Part.Num
}
