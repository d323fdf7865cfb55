package monte

import (
	"vision/validate/finding"
)

// placeCalls: each place is called before its first card, in sequence.
func (g *montebanca) placeCalls() {
	last, turned := -1, false
	for k, call := range placeCallNames {
		said := g.First(call)
		if said < last && !turned {
			turned = true
			g.At(said, finding.AnnouncementOrder)
		}
		if said < len(g.Events) {
			last = max(last, said)
		}
		if laid := g.lay.laid[k+1]; laid < len(g.Events) && said > laid && g.Mandatory(call) {
			g.Missing(call, "")
		}
	}
}

// phaseCalls: hagan juego and no va más after the event that opens the phase, in
// that order, before its first card is uncovered.
func (g *montebanca) phaseCalls(p *phase, opens int) {
	n := len(g.Events)
	if p.first == n {
		return
	}
	switch {
	case p.hagan == n:
		if g.Mandatory("hagan_juego") {
			g.Missing("hagan_juego", "")
		}
	case p.hagan > p.nvm || p.hagan < opens:
		g.At(p.hagan, finding.AnnouncementOrder)
	}
	switch {
	case p.nvm == n:
		if g.Mandatory("no_va_mas") {
			g.Missing("no_va_mas", "")
		}
	case p.nvm > p.first:
		g.At(p.first, finding.DealtBeforeClose)
	}
}
