package monte

import (
	"slices"

	"vision/internal/money"
	"vision/validate/game/table"
	"vision/validate/round"
)

func (g *montebanca) settle(c *table.Chips, e *table.Entry) {
	s, _ := parseMB(c.Spot)
	switch {
	case g.lay.void:
		e.Void()
	case s.second:
		g.settlePhase(s, e, &g.two)
	case s.kind == "vis":
		g.settleVis(s, e)
	default:
		g.settlePhase(s, e, &g.one)
	}
}

// settleVis: the first card uncovered must be camo of the place.
func (g *montebanca) settleVis(s mbSpot, e *table.Entry) {
	cards := g.Zones[uncovered]
	switch {
	case !g.lay.known || len(cards) == 0 || !g.Readable(cards[0].Card):
		e.Unknown()
	case g.one.atOnce && g.one.place == s.n && g.one.rel == "camo":
		e.Decide(1, toOne(g.r.Vis-int64(g.lay.doubled()+g.lay.quemados)))
	default:
		e.Decide(-1, toOne(1))
	}
}

func toOne(n int64) money.Odds { return money.Odds{Num: max(0, n), Den: 1} }

// settlePhase settles a bet by the deciding card of a phase.
func (g *montebanca) settlePhase(s mbSpot, e *table.Entry, p *phase) {
	if p.place == 0 {
		e.Unknown()
		return
	}
	switch s.kind {
	case "cartas":
		g.settleCartas(s, e, p, false)
		return
	case "salto":
		switch {
		case s.n == p.place && g.annuls(p):
			e.Decide(0, g.r.Salto)
		case s.n == p.place:
			e.Decide(1, g.r.Salto)
		default:
			e.Decide(-1, g.r.Salto)
		}
	default:
		odds := toOne(g.r.Relation - int64(g.lay.doubled()))
		if s.second {
			odds = g.r.Segundas
		}
		if s.n == p.place && s.kind == p.rel {
			e.Decide(1, odds)
		} else {
			e.Decide(-1, odds)
		}
	}
	g.deduct(e, p)
}

// annuls reports whether the card that decides a phase is one whose relation the layout annuls.
func (g *montebanca) annuls(p *phase) bool { return g.lay.annulled()[p.place][p.rel] }

// settleCartas: a's value before b's. Where Primeras hit neither side, Segundas
// decide if all the cards of the bet stay; otherwise it is null. A bet follows
// that Primeras left to Segundas.
func (g *montebanca) settleCartas(s mbSpot, e *table.Entry, p *phase, follows bool) {
	a, b := slices.Contains(s.a, p.place), slices.Contains(s.b, p.place)
	switch {
	case (a || b) && g.annuls(p):
		e.Decide(0, g.r.Cartas)
	case a:
		e.Decide(1, g.r.Cartas)
		if !follows {
			g.deduct(e, p)
		}
	case b:
		e.Decide(-1, g.r.Cartas)
	case !s.second && g.alive(s) && p == &g.one:
		g.settleCartas(s, e, &g.two, true)
	case follows && p.place == 0:
		e.Unknown()
	default:
		e.Decide(0, g.r.Cartas)
	}
}

// deduct is the house's part of what is won with the first card uncovered.
func (g *montebanca) deduct(e *table.Entry, p *phase) {
	if e.Outcome == round.Win && p.atOnce && (p == &g.one || g.deduct2) {
		e.Commission = g.r.Commission.Of(e.Pays)
	}
}
