package points

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

func (g *montebanca) settle(c *chips, e *entry) {
	s, _ := parseMB(c.Spot)
	switch {
	case g.lay.void:
		e.settle(round.Void, 0, e.Stake)
	case s.second:
		g.settlePhase(s, e, &g.two)
	case s.kind == "vis":
		g.settleVis(s, e)
	default:
		g.settlePhase(s, e, &g.one)
	}
}

// settleVis: the first card uncovered must be camo of the place.
func (g *montebanca) settleVis(s mbSpot, e *entry) {
	cards := g.zones[uncovered]
	switch {
	case !g.lay.known || len(cards) == 0 || !g.readable(cards[0].card):
		e.unknown()
	case g.one.atOnce && g.one.place == s.n && g.one.rel == "camo":
		e.decide(1, toOne(g.r.Vis-int64(g.lay.doubled()+g.lay.quemados)))
	default:
		e.decide(-1, toOne(1))
	}
}

func toOne(n int64) money.Odds { return money.Odds{Num: max(0, n), Den: 1} }

// settlePhase settles a bet by the deciding card of a phase.
func (g *montebanca) settlePhase(s mbSpot, e *entry, p *phase) {
	if p.place == 0 {
		e.unknown()
		return
	}
	annulled := g.lay.annulled()[p.place][p.rel]
	switch s.kind {
	case "cartas":
		g.settleCartas(s, e, p, annulled)
		return
	case "salto":
		switch {
		case s.n == p.place && annulled:
			e.decide(0, g.r.Salto)
		case s.n == p.place:
			e.decide(1, g.r.Salto)
		default:
			e.decide(-1, g.r.Salto)
		}
	default:
		odds := toOne(g.r.Relation - int64(g.lay.doubled()))
		if s.second {
			odds = g.r.Segundas
		}
		if s.n == p.place && s.kind == p.rel {
			e.decide(1, odds)
		} else {
			e.decide(-1, odds)
		}
	}
	g.deduct(e, p)
}

// settleCartas: a's value before b's. Where Primeras hit neither side, Segundas
// decide if all the cards of the bet stay; otherwise it is null.
func (g *montebanca) settleCartas(s mbSpot, e *entry, p *phase, annulled bool) {
	a, b := has(s.a, p.place), has(s.b, p.place)
	switch {
	case (a || b) && annulled:
		e.decide(0, g.r.Cartas)
	case a:
		e.decide(1, g.r.Cartas)
		if !e.follows {
			g.deduct(e, p)
		}
	case b:
		e.decide(-1, g.r.Cartas)
	case !s.second && g.alive(s) && p == &g.one:
		e.follows = true
		g.settleCartas(s, e, &g.two, g.lay.annulled()[g.two.place][g.two.rel])
	case e.follows && p.place == 0:
		e.unknown()
	default:
		e.decide(0, g.r.Cartas)
	}
}

// deduct is the house's part of what is won with the first card uncovered.
func (g *montebanca) deduct(e *entry, p *phase) {
	if e.Outcome == round.Win && p.atOnce && (p == &g.one || g.deduct2) {
		e.Commission = g.r.Commission.Of(e.Pays)
	}
}

// moneyOrder: within a phase losers are collected before anybody is paid.
func (g *montebanca) moneyOrder(list []*entry) {
	lost := map[game.Place]bool{}
	for _, e := range list {
		if e.Outcome == round.Lose {
			lost[game.Place{Seat: e.Seat, Spot: e.Spot}] = true
		}
	}
	paid := false
	for i := range g.ev {
		e := &g.ev[i]
		switch {
		case i == g.two.hagan:
			paid = false
		case e.Type == round.Pay:
			paid = true
		case e.Type == round.Collect && paid && lost[place(e)]:
			g.at(i, finding.PaidBeforeCollect)
			return
		}
	}
}
