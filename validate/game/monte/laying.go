package monte

import (
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/table"
	"vision/validate/round"
)

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
	if w.filled() && l.full == len(w.Events) {
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

func (w *layer) filled() bool {
	return len(w.l.places[1]) > 0 && len(w.l.places[2]) > 0 && len(w.l.places[3]) > 0 && len(w.l.places[4]) > 0
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
