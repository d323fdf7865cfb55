package monte

import (
	"slices"

	"vision/internal/card"
	"vision/validate/game"
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
