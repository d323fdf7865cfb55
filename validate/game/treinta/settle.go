package treinta

import (
	"strings"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/game/table"
	"vision/validate/round"
)

// prisonTie reports whether the rows tie at the target, which takes half of every stake.
func (g *treinta) prisonTie() bool { return g.winner == "nulo" && g.totals["negro"] == g.r.Target }

// insured reports whether a stake has a valid insurance.
func (g *treinta) insured(seat int, spot string) bool {
	return g.s.Of(seat, "seguro:"+spot) > 0 && g.insurable(seat, spot)
}

func (g *treinta) insurable(seat int, spot string) bool {
	stake := g.s.Of(seat, spot)
	return stake > 0 && stake >= g.seguroMin
}

// wantsPrison reports whether a player chose prison for a spot.
func (g *treinta) wantsPrison(seat int, zone string) bool {
	chosen := g.FirstFit(func(e *round.Event) bool {
		return e.Type == round.Action && e.Action == "prison" && e.Seat == seat && e.Zone == zone
	})
	return chosen < len(g.Events) && !g.lastRound
}

func (g *treinta) settle(c *table.Chips, e *table.Entry) {
	if of, ok := strings.CutPrefix(c.Spot, "seguro:"); ok {
		g.settleInsurance(c, of, e)
		return
	}
	switch {
	case g.void:
		e.Void()
	case g.winner == "":
		e.Unknown()
	case g.prisonTie() && !g.insured(c.Seat, c.Spot):
		if g.wantsPrison(c.Seat, c.Spot) {
			e.Settle(round.Prison, 0, e.Stake)
			g.out = append(g.out, prisoner{c.Seat, c.Spot, e.Stake, 1})
		} else {
			e.Halve()
		}
	case g.winner == "nulo":
		e.Decide(0, g.r.Pays)
	case g.won(c.Spot):
		e.Decide(1, g.r.Pays)
	default:
		e.Decide(-1, g.r.Pays)
	}
}

func (g *treinta) won(spot string) bool { return spot == g.winner || spot == g.color }

// settleInsurance: the deposit is the price of the insurance and always the house's.
func (g *treinta) settleInsurance(c *table.Chips, of string, e *table.Entry) {
	stake := g.s.Of(c.Seat, of)
	switch {
	case !g.insurable(c.Seat, of):
		e.Void()
		g.Add(round.Finding{Code: finding.BetNotAllowed, Event: c.Last, Seat: c.Seat, Spot: c.Spot, Observed: c.Stake})
		return
	case g.void:
		e.Void()
	default:
		e.Decide(-1, g.r.Pays)
	}
	if want := g.r.Insurance.Of(stake); c.Stake != want {
		g.OnStake(c, finding.RaiseWrong, want)
	}
}

// imprisoned settles the stakes that earlier ties hold.
func (g *treinta) imprisoned() []*table.Entry {
	var list []*table.Entry
	for _, p := range g.prisoners {
		e := &table.Entry{Due: settle.On(game.Place{Seat: p.Seat, Spot: "prison:" + p.Spot}, p.Stake)}
		list = append(list, e)
		switch {
		case g.void || g.winner == "nulo" && !g.prisonTie():
			e.Settle(round.Stay, 0, p.Stake)
			g.out = append(g.out, p)
		case g.winner == "":
			e.Unknown()
			g.out = append(g.out, p)
		case g.prisonTie():
			g.tieAgain(p, e)
		case g.won(p.Spot):
			g.free(p, e)
		default:
			e.Decide(-1, g.r.Pays)
		}
	}
	return list
}

func (g *treinta) tieAgain(p prisoner, e *table.Entry) {
	p.K++
	rest := p.Stake >> p.K // half of it for each tie, rounded down
	if !g.lastRound && (g.wantsPrison(p.Seat, e.Spot) || rest < g.Rec.Table.Min) {
		e.Settle(round.Prison, 0, p.Stake)
		g.out = append(g.out, p)
		return
	}
	e.Settle(round.Half, 0, rest)
}

// free gives a winning prisoner back without gain: the whole stake after one
// tie, after more what the ties have left of it.
func (g *treinta) free(p prisoner, e *table.Entry) {
	if p.K == 1 {
		e.Settle(round.Push, 0, p.Stake)
		return
	}
	k := p.K - 1
	if g.current {
		k = p.K
	}
	e.Settle(round.Half, 0, p.Stake>>k)
}

// payOrder: color and inverso are paid before negro and rojo.
func (g *treinta) payOrder() {
	row := false
	for i, e := range game.Each(g.Events, round.Pay) {
		switch {
		case (e.Spot == "color" || e.Spot == "inverso") && row:
			g.At(i, finding.PayoutOrderWrong)
			return
		default:
			row = row || e.Spot == "negro" || e.Spot == "rojo"
		}
	}
}
