package points

import (
	"vision/internal/card"
	"vision/validate/game"
	"vision/validate/round"
)

// layout are the four places of monte o banca and what happened in laying them.
type layout struct {
	places   [5][]card.Card // by place 1 to 4; the first card is the emplazado
	laid     [5]int         // event of the first card ever laid there; len(ev) without one
	full     int            // where all four places held a card; len(ev)
	quemados int            // burned because the first two were equal
	burned   map[int]bool   // their burn events
	void     bool           // a fourth card of one value came before the places were full
	known    bool           // all four are there and readable
	early    map[game.Place]bool
}

func (l *layout) card(n int) card.Card {
	if len(l.places[n]) == 0 {
		return card.Unseen
	}
	return l.places[n][0]
}

// extra is how many cards were laid on a place.
func (l *layout) extra(n int) int { return max(0, len(l.places[n])-1) }

func (l *layout) doubled() int { return l.extra(1) + l.extra(2) + l.extra(3) + l.extra(4) }

// relations by place.
type relations map[int]map[string]bool

func (r relations) add(n int, names ...string) {
	if r[n] == nil {
		r[n] = map[string]bool{}
	}
	for _, x := range names {
		r[n][x] = true
	}
}

// annulled are the relations that doubled places take away from others
// (I.1.13, by cards laid on the two places of a row).
func (l *layout) annulled() relations {
	out := relations{}
	for _, row := range [][4]int{{1, 2, 3, 4}, {3, 4, 1, 2}} {
		a, b, c, d := row[0], row[1], row[2], row[3] // c below a, d below b
		x, y := min(2, l.extra(a)), min(2, l.extra(b))
		if x < y {
			a, b, c, d, x, y = b, a, d, c, y, x
		}
		switch [2]int{x, y} {
		case [2]int{1, 0}:
			out.add(b, "camo")
			out.add(c, "camo")
		case [2]int{1, 1}:
			out.add(c, "camo")
			out.add(d, "camo")
		case [2]int{2, 0}:
			out.add(b, "camo", "viudo")
			out.add(c, "camo")
			out.add(d, "camo")
		case [2]int{2, 1}:
			out.add(b, "camo", "viudo")
			out.add(c, "camo", "viudo")
			out.add(d, "camo")
		case [2]int{2, 2}:
			out.add(c, "camo", "viudo")
			out.add(d, "camo", "viudo")
		}
	}
	return out
}

// layer lays the four places while the record runs.
type layer struct {
	*montebanca
	l       layout
	pair    bool // the first two are equal and must be burned
	pairAt  int  // event of the second of them
	toBurn  int  // how many of them still lie there
	ordered bool // a wrong order was raised
	values  map[byte]int
}

func (g *montebanca) placed() layout {
	n := len(g.ev)
	w := &layer{montebanca: g, values: map[byte]int{}}
	w.l = layout{full: n, burned: map[int]bool{}, early: map[game.Place]bool{}}
	for k := range w.l.laid {
		w.l.laid[k] = n
	}
	for i := range g.ev {
		switch e := &g.ev[i]; {
		case e.Type == round.Burn && w.toBurn > 0:
			w.burn(i, e)
		case e.Type == round.CardDealt && placeOf(e.Zone) > 0:
			w.ignoredPair()
			w.lay(i, placeOf(e.Zone), g.finally(i))
		case e.Type == round.CardDealt:
			w.ignoredPair()
		}
	}
	w.l.known = true
	for k := 1; k <= 4; k++ {
		w.l.known = w.l.known && g.readable(w.l.card(k))
	}
	return w.l
}

// burn puts the equal first cards aside.
func (w *layer) burn(i int, e *round.Event) {
	w.l.burned[i] = true
	for k := 0; k < max(1, e.Count) && w.toBurn > 0; k++ {
		w.toBurn--
		w.l.quemados++
		for _, n := range []int{1, 2} {
			if len(w.l.places[n]) > 0 && (e.Card == card.Unseen || w.l.places[n][0] == e.Card) {
				w.l.places[n] = nil
				break
			}
		}
	}
	if w.toBurn == 0 {
		w.pair = false
	}
}

// ignoredPair raises equal first cards that were not both burned.
func (w *layer) ignoredPair() {
	if w.pair {
		w.pair, w.toBurn = false, 0
		w.add(round.Finding{Code: "irregularity_ignored", Event: w.pairAt, Observed: w.finally(w.pairAt).String()})
	}
}

func (w *layer) lay(i, n int, c card.Card) {
	l := &w.l
	ignored := false
	if w.readable(c) {
		same := w.placeWith(c)
		ignored = same > 0 && same != n || same == 0 && len(l.places[n]) > 0
		if w.values[c.Rank()]++; w.values[c.Rank()] == 4 && l.full == len(w.ev) && !w.wouldFill(n) {
			l.void = true
		}
		if first := w.onlyPlace(); first > 0 && same == first {
			w.pair, w.pairAt, w.toBurn, ignored = true, i, 2, false
		}
	}
	if len(l.places[n]) == 0 {
		w.order(i, n)
	}
	l.places[n] = append(l.places[n], c)
	l.laid[n] = min(l.laid[n], i)
	if ignored {
		w.add(round.Finding{Code: "irregularity_ignored", Event: i, Observed: c.String()})
	}
	if w.filled() && l.full == len(w.ev) {
		l.full = i
	}
}

// onlyPlace is the one place that holds a single card while all others are
// empty; 0 otherwise.
func (w *layer) onlyPlace() int {
	only := 0
	for k := 1; k <= 4; k++ {
		switch n := len(w.l.places[k]); {
		case n == 0:
		case n > 1 || only > 0:
			return 0
		default:
			only = k
		}
	}
	return only
}

func (w *layer) placeWith(c card.Card) int {
	for k := 1; k <= 4; k++ {
		if own := w.l.card(k); w.readable(own) && own.Rank() == c.Rank() {
			return k
		}
	}
	return 0
}

func (w *layer) filled() bool {
	return len(w.l.places[1]) > 0 && len(w.l.places[2]) > 0 && len(w.l.places[3]) > 0 && len(w.l.places[4]) > 0
}

// wouldFill tells whether a card on place n fills the last empty place.
func (w *layer) wouldFill(n int) bool {
	for k := 1; k <= 4; k++ {
		if k != n && len(w.l.places[k]) == 0 {
			return false
		}
	}
	return true
}

// order: the places are filled 1, 2, 3, 4.
func (w *layer) order(i, n int) {
	for k := 1; k < n && !w.ordered; k++ {
		if len(w.l.places[k]) == 0 {
			w.ordered = true
			w.at(i, "deal_order_wrong")
		}
	}
}

var placeCallNames = []string{"primera_carta", "segunda_carta", "tercera_carta", "cuarta_carta"}

// placeCalls: each place is called before its first card, in sequence.
func (g *montebanca) placeCalls() {
	last, turned := -1, false
	for k, call := range placeCallNames {
		said := g.first(call)
		if said < last && !turned {
			turned = true
			g.at(said, "announcement_order")
		}
		if said < len(g.ev) {
			last = max(last, said)
		}
		if laid := g.lay.laid[k+1]; laid < len(g.ev) && said > laid && g.mandatory(call) {
			g.missing(call, "")
		}
	}
}

// phaseCalls: hagan juego and no va más after the event that opens the phase, in
// that order, before its first card is uncovered.
func (g *montebanca) phaseCalls(p *phase, opens int) {
	n := len(g.ev)
	if p.first == n {
		return
	}
	switch {
	case p.hagan == n:
		if g.mandatory("hagan_juego") {
			g.missing("hagan_juego", "")
		}
	case p.hagan > p.nvm || p.hagan < opens:
		g.at(p.hagan, "announcement_order")
	}
	switch {
	case p.nvm == n:
		if g.mandatory("no_va_mas") {
			g.missing("no_va_mas", "")
		}
	case p.nvm > p.first:
		g.at(p.first, "dealt_before_close")
	}
}
