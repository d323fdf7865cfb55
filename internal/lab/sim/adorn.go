package sim

import (
	"math/rand/v2"
	"slices"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/deck"
	"vision/internal/lab/sim/ornament"
)

// mark is what was printed beside the layout, and where.
type mark struct {
	kind string
	box  layout.Rect
	zone string // that it lies in; "" for none
}

// adorner finds places for the motifs of a cloth. Nothing is printed over text or over
// another motif, so that fields stay legible.
type adorner struct {
	*printer
	stage  *stage
	share  float64                       // of prints that lie in zones
	zones  map[string][]calibration.Zone // by what is read in them
	kinds  []string                      // of zones, in turn
	turn   int
	marks  []mark
	inside int // of the marks
}

// maker makes a motif that fits into w×h, or none.
type maker func(w, h float64) *motif

// adorn prints what the condition says beside the layout.
func (i *ink) adorn(s *stage, c condition.Felt, seed uint64) []mark {
	rng := rand.New(rand.NewPCG(seed, 0xfe17))
	house := ornament.HouseOf(seed)
	inks := [][3]float64{cream, yellow, {240, 240, 236}, {160, 196, 224}, crimson, coal}
	rng.Shuffle(4, func(a, b int) { inks[a], inks[b] = inks[b], inks[a] })
	texts := s.says(house.Name)
	rng.Shuffle(len(texts), func(a, b int) { texts[a], texts[b] = texts[b], texts[a] })
	a := &adorner{stage: s, share: c.Zones, zones: map[string][]calibration.Zone{},
		printer: &printer{ink: i, rng: rng, house: house, texts: texts, inks: inks, cloth: s.cloth, palette: s.round()}}
	if s.deck != "" {
		a.deck = printedDeck(s, rng)
	}
	for _, kind := range []string{"cards", "chips", "dice"} {
		for _, z := range s.layout.Zones {
			if z.Wants(kind) {
				a.zones[kind] = append(a.zones[kind], z)
			}
		}
		if len(a.zones[kind]) > 0 {
			a.kinds = append(a.kinds, kind)
		}
	}
	for _, cell := range s.layout.Cells {
		if cell.Ink != "" { // numbers have their fields to themselves
			i.taken = append(i.taken, cell.Rect)
		}
	}
	a.turn = rng.IntN(len(a.kinds))
	a.all(c)
	return a.marks
}

// round are the chips of the stage's set, without plaques.
func (s *stage) round() []calibration.Chip {
	return slices.DeleteFunc(slices.Clone(s.palette), calibration.Chip.Plaque)
}

// printedDeck is the pack whose cards are printed: the table's own or another of its kind.
func printedDeck(s *stage, rng *rand.Rand) *deck.Deck {
	name := s.deck
	// A design that is kept for measuring shows nowhere else.
	if kin := slices.DeleteFunc(deck.Styles(), deck.HeldOut); rng.IntN(2) == 0 && deck.Kind(name) == deck.Kind(kin[0]) {
		name = kin[rng.IntN(len(kin))]
	}
	d, err := deck.New(name)
	if err != nil {
		return nil
	}
	return d
}

// all prints the condition's motifs, the largest first.
func (a *adorner) all(c condition.Felt) {
	if c.Dice {
		a.dice()
	}
	if c.Text > 0 && a.rng.IntN(5) < 3 {
		a.banner()
	}
	for range c.Logos {
		a.place(1, a.logo)
	}
	a.some(c.Cards, a.card)
	a.some(c.Text, a.text)
	a.some(c.Chips, a.chip)
	for left := c.Suits; left > 0; {
		n := 1
		if left >= 4 && a.rng.IntN(3) == 0 {
			n = 4
		}
		left -= n * a.place(left/n, func(w, h float64) *motif { return a.signs(n, w, h) })
	}
}

// some prints n motifs.
func (a *adorner) some(n int, of maker) {
	for left := n; left > 0; {
		left -= a.place(left, of)
	}
}

// banner prints a text in a wide arc through the whole cloth, also through zones.
func (a *adorner) banner() {
	bed := a.bed()
	for range 30 {
		m := a.printer.banner()
		b := m.box()
		x, y := clothW/2, a.span(bed[1]-b[1], bed[3]-b[3])
		if holds(bed, moved(b, x, y)) && a.free(m, x, y) {
			a.put(m, x, y, a.zoneAt(x, y))
			return
		}
	}
}

// dice prints a pair of faces where dice are thrown.
func (a *adorner) dice() {
	for _, z := range a.zones["dice"] {
		a.within(z, 1, func(_, _ float64) *motif {
			return a.die([]int{1 + a.rng.IntN(6), 1 + a.rng.IntN(6)}, a.span(16, 40))
		})
	}
}

// put prints a motif.
func (a *adorner) put(m *motif, x, y float64, zone string) {
	m.draw(x, y)
	for _, p := range m.parts {
		a.taken = append(a.taken, moved(p, x, y))
	}
	if zone != "" {
		a.inside++
	}
	a.marks = append(a.marks, mark{m.kind, moved(m.box(), x, y), zone})
}
