package treinta

import (
	"vision/validate/finding"
	"vision/validate/game/table"
)

// rows adds up the two rows: negro to 31 or more, then rojo; a card beyond
// never belonged to its row.
func (g *treinta) rows() {
	all := g.Seen("negro") && g.Seen("rojo")
	for _, zone := range []string{"negro", "rojo"} {
		sum, full, known := 0, false, true
		for _, d := range g.Zones[zone] {
			switch {
			case full && known:
				g.ZoneAt(d.Event, finding.DrewMustStand, zone)
			case !g.Readable(d.Card):
				known = false
			default:
				sum += table.Pips(d.Card, 10)
				full = sum >= g.r.Target
			}
		}
		switch {
		case known && full:
			g.totals[zone] = sum
		case all && !g.void && len(g.Order) > 0:
			g.ZoneAt(g.Last, finding.StoodMustDraw, zone)
		}
		if len(g.Zones[zone]) > 0 {
			value := -1
			if known {
				value, g.points[zone] = sum, sum
			}
			g.Hand(zone, value, "")
		}
		g.Faces(zone, "up", 0, len(g.Zones[zone]))
	}
	if all {
		g.rowOrder()
	}
}

// rowOrder: the rojo row begins when the negro row is full.
func (g *treinta) rowOrder() {
	sum := 0
	for _, i := range g.Order {
		switch c := g.FinalCard(i); {
		case g.Events[i].Zone == "rojo":
			if sum < g.r.Target {
				g.At(i, finding.DealOrderWrong)
			}
			return
		case !g.Readable(c):
			return
		default:
			sum += table.Pips(c, 10)
		}
	}
}

func (g *treinta) decide() {
	result := map[string]any{}
	if len(g.points) > 0 {
		result["points"] = g.points
	}
	n, r := g.totals["negro"], g.totals["rojo"]
	if n >= 0 && r >= 0 {
		switch {
		case n == r:
			g.winner = "nulo"
		case n < r:
			g.winner = "negro"
		default:
			g.winner = "rojo"
		}
		result["winner"] = g.winner
	}
	if g.winner == "negro" || g.winner == "rojo" {
		suit := g.Zones["negro"][0].Card.Suit()
		black := suit == 's' || suit == 'c'
		g.color = "inverso"
		if black == (g.winner == "negro") {
			g.color = "color"
		}
		result["color"] = g.color
	}
	g.Verdict.Result = result
}
