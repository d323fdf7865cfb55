package monte

import (
	"slices"
	"strconv"
	"strings"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

// layout are the four places of monte o banca and what happened in laying them.
type layout struct {
	places   [5][]card.Card // by place 1 to 4; the first card is the emplazado
	laid     [5]int         // event of the first card ever laid there; len(Events) without one
	full     int            // where all four places held a card; len(Events)
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

// laidAny reports whether there is a card on any place.
func (l *layout) laidAny() bool {
	return slices.ContainsFunc(l.places[:], func(p []card.Card) bool { return len(p) > 0 })
}

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

var placeCallNames = []string{"primera_carta", "segunda_carta", "tercera_carta", "cuarta_carta"}

// layer lays the four places while the record runs.
type layer struct {
	*montebanca
	l       layout
	aside   *putAside   // a card put aside while the places are empty: the first of a pair, perhaps
	pair    []card.Card // of the equal first two, those that lie there and must be burned
	pairAt  int         // event of the second of them
	second  card.Card   // and what it is
	ordered bool        // a wrong order was raised
	values  map[byte]int
}

// putAside is a card that went from the pack to the discard without being laid.
type putAside struct {
	event int
	card  card.Card
}

func (g *montebanca) placed() layout {
	n := len(g.Events)
	w := &layer{montebanca: g, values: map[byte]int{}}
	w.l = layout{full: n, burned: map[int]bool{}, early: map[game.Place]bool{}}
	for k := range w.l.laid {
		w.l.laid[k] = n
	}
	for i := range g.Events {
		switch e := &g.Events[i]; {
		case e.Type == round.Burn || e.Type == round.CardDealt && e.Zone == table.Discard:
			if !w.burn(i, e) {
				w.direct(i, e)
			}
		case e.Type == round.CardDealt && placeOf(e.Zone) > 0:
			w.ignoredPair()
			w.lay(i, placeOf(e.Zone), g.FinalCard(i))
		case e.Type == round.CardDealt:
			w.ignoredPair()
		}
	}
	w.l.known = true
	for k := 1; k <= 4; k++ {
		w.l.known = w.l.known && g.Readable(w.l.card(k))
	}
	return w.l
}

// burn takes the equal first cards from their places. It reports whether the
// event was that.
func (w *layer) burn(i int, e *round.Event) bool {
	c := game.Read(e.Card, e)
	if len(w.pair) == 0 || c != card.Unseen && !slices.Contains(w.pair, c) {
		return false
	}
	for range max(1, e.Count) {
		if len(w.pair) == 0 {
			break
		}
		at := max(0, slices.Index(w.pair, c))
		w.take(w.pair[at])
		w.pair = slices.Delete(w.pair, at, at+1)
		w.burned(i)
	}
	return true
}

// take removes a card from its place.
func (w *layer) take(c card.Card) {
	for k := range w.l.places {
		if at := slices.Index(w.l.places[k], c); at >= 0 {
			w.l.places[k] = slices.Delete(w.l.places[k], at, at+1)
			return
		}
	}
}

// burned counts a card that was burned because it is of the first pair.
func (w *layer) burned(i int) {
	w.l.burned[i] = true
	w.l.quemados++
}

// direct follows a card that went to the discard from the pack. Where it is the
// first or the second of an equal pair before anything else lies, it is burned as
// prescribed, though it was never laid (I.1.13 VI.2.h: «al extraer los dos
// primeros por abajo»).
func (w *layer) direct(i int, e *round.Event) {
	c := game.Read(e.Card, e)
	if !w.Readable(c) || e.Count > 1 {
		w.aside = nil
		return
	}
	first := w.onlyPlace()
	switch {
	case first > 0 && w.placeWith(c) == first:
		w.pair, w.pairAt, w.second = []card.Card{w.l.card(first)}, i, c
		w.burned(i)
		w.value(c, false)
	case w.l.laidAny():
	case w.aside != nil && w.aside.card.Rank() == c.Rank():
		w.burned(w.aside.event)
		w.burned(i)
		w.value(w.aside.card, false)
		w.value(c, false)
		w.aside = nil
	default:
		w.aside = &putAside{i, c}
	}
}

// value counts the cards of one value that came before the places were full; the
// fourth annuls the round, unless it fills the last place.
func (w *layer) value(c card.Card, fills bool) {
	if w.values[c.Rank()]++; w.values[c.Rank()] == 4 && w.l.full == len(w.Events) && !fills {
		w.l.void = true
	}
}

// ignoredPair raises equal first cards that were not both burned.
func (w *layer) ignoredPair() {
	if len(w.pair) > 0 {
		w.pair = nil
		w.Add(round.Finding{Code: finding.IrregularityIgnored, Event: w.pairAt, Observed: w.second.String()})
	}
}

func (w *layer) lay(i, n int, c card.Card) {
	l := &w.l
	ignored := false
	if w.Readable(c) {
		same := w.placeWith(c)
		ignored = same > 0 && same != n || same == 0 && len(l.places[n]) > 0 && w.Readable(l.card(n))
		w.value(c, w.wouldFill(n))
		switch first := w.onlyPlace(); {
		case first > 0 && same == first:
			w.pair, w.pairAt, w.second, ignored = []card.Card{l.card(first), c}, i, c, false
		case w.aside != nil && !l.laidAny() && w.aside.card.Rank() == c.Rank():
			w.pair, w.pairAt, w.second = []card.Card{c}, i, c
			w.burned(w.aside.event)
			w.value(w.aside.card, false)
		}
	}
	w.aside = nil
	if len(l.places[n]) == 0 {
		w.order(i, n)
	}
	l.places[n] = append(l.places[n], c)
	l.laid[n] = min(l.laid[n], i)
	if ignored {
		w.Add(round.Finding{Code: finding.IrregularityIgnored, Event: i, Observed: c.String()})
	}
	if w.wouldFill(n) && l.full == len(w.Events) {
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
		if own := w.l.card(k); w.Readable(own) && own.Rank() == c.Rank() {
			return k
		}
	}
	return 0
}

// wouldFill reports whether a card on place n fills the last empty place.
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
			w.At(i, finding.DealOrderWrong)
		}
	}
}

// mbSpot is a bet's name taken apart.
type mbSpot struct {
	second bool   // of Segundas
	kind   string // vis, camo, anti, viudo, salto, cartas
	n      int    // emplazado
	a, b   []int  // the two sides of cartas
}

// parseMB reads a spot; ok is false for a name that the game does not know.
func parseMB(spot string) (s mbSpot, ok bool) {
	spot, s.second = strings.CutPrefix(spot, "s2/")
	kind, arg, _ := strings.Cut(spot, ":")
	s.kind = kind
	switch kind {
	case "vis", "camo", "anti", "viudo", "salto":
		n, err := strconv.Atoi(arg)
		s.n = n
		return s, err == nil && len(arg) == 1 && n >= 1 && n <= 4
	case "cartas":
		a, b, has := strings.Cut(arg, "-")
		s.a, s.b = digits(a), digits(b)
		return s, has && len(s.a) == len(s.b) && (len(s.a) == 1 || len(s.a) == 2)
	}
	return s, false
}

// digits are places 1 to 4; nil for anything else.
func digits(text string) []int {
	var out []int
	for _, c := range text {
		if c < '1' || c > '4' {
			return nil
		}
		out = append(out, int(c-'0'))
	}
	return out
}

// neighbours reports whether cartas stand beside one another: two of them
// horizontally or vertically, or two against the other two.
func (s mbSpot) neighbours() bool {
	seen := map[int]bool{}
	for _, n := range append(append([]int{}, s.a...), s.b...) {
		if seen[n] {
			return false
		}
		seen[n] = true
	}
	return len(seen) == 4 || s.a[0]+s.b[0] != 5 // 1-4 and 2-3 are diagonal
}

const uncovered = "descubiertas"

func placeOf(zone string) int {
	place, ok := strings.CutPrefix(zone, "emplazado:")
	if n := game.Ordinal(place); ok && n <= 4 {
		return n
	}
	return 0
}

// laid reports whether a zone is one of the four places, from where cards may be burned.
func laid(zone string) bool { return placeOf(zone) > 0 }
