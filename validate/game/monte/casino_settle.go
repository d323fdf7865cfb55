package monte

import (
	"slices"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

func (g *casinoMonte) settle(c *table.Chips, e *table.Entry) {
	own, bank := g.rank(game.SeatZone(c.Seat)), g.rank(bankZone)
	if own == 0 || bank == 0 {
		e.Unknown()
		return
	}
	switch c.Spot {
	case "empate":
		cmp := -1
		if own == bank {
			cmp = 1
		}
		e.Decide(cmp, g.r.Empate)
	case "inicial":
		if own != bank {
			e.Decide(own-bank, g.r.Inicial)
			return
		}
		g.settleTie(c.Seat, e)
	case "revancha":
		if cmp, known := g.second(c.Seat); known {
			e.Decide(cmp, g.r.Revancha)
		} else {
			e.Unknown()
		}
	}
}

// second compares the cards of the revancha.
func (g *casinoMonte) second(seat int) (int, bool) {
	own, bank := g.rank(game.SeatZone(seat)+revancha), g.rank(bankRevancha)
	return own - bank, own > 0 && bank > 0
}

// settleTie settles an inicial equal to the bank: declined, or by the revancha.
func (g *casinoMonte) settleTie(seat int, e *table.Entry) {
	if !slices.Contains(g.again, seat) {
		e.Halve()
		return
	}
	cmp, known := g.second(seat)
	switch {
	case !known:
		e.Unknown()
	case cmp > 0:
		e.Decide(0, g.r.Inicial)
	case cmp < 0:
		e.Decide(-1, g.r.Inicial)
	default:
		e.Decide(1, g.r.SecondTie)
	}
}

// payOrder: first the boxes that are not tied, from the highest down, then the
// tied ones and the tie bets; the revancha likewise from the highest down.
func (g *casinoMonte) payOrder() {
	last := -1
	for i := range g.Events {
		if e := &g.Events[i]; g.firstPass(e) {
			last = i
		}
	}
	first, second := 1<<30, 1<<30
	for i := range g.Events {
		e := &g.Events[i]
		if e.Type != round.Collect && e.Type != round.Pay {
			continue
		}
		wrong := false
		switch {
		case g.firstPass(e):
			wrong, first = e.Seat > first, e.Seat
		case e.Spot == "empate":
			wrong = e.Type == round.Pay && i < last
		case g.tied(e.Seat) && slices.Contains(g.again, e.Seat):
			wrong, second = i < last || e.Seat > second, e.Seat
		case g.tied(e.Seat):
			wrong = i < last
		}
		if wrong {
			g.Add(round.Finding{Code: finding.PayoutOrderWrong, Event: i, Seat: e.Seat})
			return
		}
	}
}

// firstPass reports whether an event settles a box that is not tied; a box whose
// card was not seen may be tied, and is not judged.
func (g *casinoMonte) firstPass(e *round.Event) bool {
	return (e.Type == round.Collect || e.Type == round.Pay) && e.Spot == "inicial" &&
		g.rank(game.SeatZone(e.Seat)) > 0 && g.rank(bankZone) > 0 && !g.tied(e.Seat)
}
