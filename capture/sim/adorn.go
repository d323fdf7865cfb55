package sim

import (
	"math/rand/v2"
	"slices"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/capture/sim/condition"
	"vision/capture/sim/deck"
	"vision/capture/sim/ornament"
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
	stage *stage
	share float64                       // of prints that lie in zones
	zones map[string][]calibration.Zone // by what is read in them
	kinds []string                      // of zones, in turn
	turn  int
	marks []mark
}

// maker makes a motif that fits into w×h, or none.
type maker func(w, h float64) *motif

// adorn prints what the condition says beside the layout.
func (i *ink) adorn(s *stage, c condition.Felt, seed uint64) []mark {
	rng := rand.New(rand.NewPCG(seed, 0xfe17))
	house := ornament.HouseOf(seed)
	inks := [][3]float64{cream, yellow, {240, 240, 236}, {160, 196, 224}, crimson, coal}
	rng.Shuffle(4, func(a, b int) { inks[a], inks[b] = inks[b], inks[a] })
	a := &adorner{stage: s, share: c.Zones, zones: map[string][]calibration.Zone{},
		printer: &printer{ink: i, rng: rng, house: house, texts: s.says(house.Name), inks: inks, cloth: s.cloth, palette: s.round()}}
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
	if kin := deck.Styles(); rng.IntN(2) == 0 && deck.Kind(name) == deck.Kind(kin[0]) {
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

// place prints one motif in a zone or beside them; in a zone of a seat often the same at
// other seats, up to most in all. It gives how many of the motifs wanted are done with:
// at least one, also where the cloth has no room left.
func (a *adorner) place(most int, of maker) int {
	inside := a.rng.Float64() < a.share
	kind := a.kinds[a.turn%len(a.kinds)]
	if inside {
		a.turn++
	}
	for range 12 {
		if !inside {
			if a.beside(of) {
				return 1
			}
			continue
		}
		z := a.zones[kind][a.rng.IntN(len(a.zones[kind]))]
		if n := a.within(z, most, of); n > 0 {
			return n
		}
	}
	return 1
}

// within prints a motif in a zone.
func (a *adorner) within(z calibration.Zone, most int, of maker) int {
	room := a.room(z)
	w, h := room[2]-room[0], room[3]-room[1]
	m := of(w, h)
	if m == nil || !fits(m, w, h) {
		return 0
	}
	b := m.box()
	for range 20 {
		x := room[0] - b[0] + a.rng.Float64()*(w-b[2]+b[0])
		y := room[1] - b[1] + a.rng.Float64()*(h-b[3]+b[1])
		if m.kind == "card" && z.Wants("cards") {
			x, y = a.cardPlace(z, x, y)
		}
		if !holds(room, moved(b, x, y)) || !a.free(m, x, y) {
			continue
		}
		a.put(m, x, y, z.Name)
		if z.Seat == 0 || a.rng.IntN(3) == 0 {
			return 1
		}
		return 1 + a.repeat(m, z, x-room[0], y-room[1], most-1)
	}
	return 0
}

// cardPlace moves a printed card, as often as not, to where cards are laid.
func (a *adorner) cardPlace(z calibration.Zone, x, y float64) (float64, float64) {
	x0, _, x1, _ := box(z.Polygon)
	n := a.rng.IntN(max(1, int((x1-x0-8)/cardPitch)))
	if at, err := a.stage.cardAt(z.Name, n, false); err == nil && a.rng.IntN(2) == 0 {
		return at[0], at[1]
	}
	return x, y
}

// repeat prints a motif in the same zone of other seats, at most as often as said.
func (a *adorner) repeat(m *motif, of calibration.Zone, dx, dy float64, most int) int {
	n := 0
	for _, z := range a.stage.layout.Zones {
		if n >= most || z.Seat == 0 || z.Seat == of.Seat || z.Spot != of.Spot || !slices.Equal(z.Reads, of.Reads) || len(z.Reads) == 0 {
			continue
		}
		room := a.room(z)
		if x, y := room[0]+dx, room[1]+dy; holds(room, moved(m.box(), x, y)) && a.free(m, x, y) {
			a.put(m, x, y, z.Name)
			n++
		}
	}
	return n
}

// beside prints a motif on the cloth outside the zones.
func (a *adorner) beside(of maker) bool {
	bed := a.bed()
	m := of(min(420, bed[2]-bed[0]), a.span(14, 100))
	if m == nil {
		return false
	}
	b := m.box()
	for range 40 {
		x, y := a.span(bed[0]-b[0], bed[2]-b[2]), a.span(bed[1]-b[1], bed[3]-b[3])
		if a.free(m, x, y) && !slices.ContainsFunc(a.stage.layout.Zones, func(z calibration.Zone) bool { return overlap(zoneRect(z), moved(b, x, y)) }) {
			a.put(m, x, y, "")
			return true
		}
	}
	return false
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
		a.within(z, 1, func(w, h float64) *motif {
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
	a.marks = append(a.marks, mark{m.kind, moved(m.box(), x, y), zone})
}

// free reports whether nothing that must stay legible is where a motif would be.
func (a *adorner) free(m *motif, x, y float64) bool {
	return !slices.ContainsFunc(m.parts, func(p layout.Rect) bool {
		return slices.ContainsFunc(a.taken, func(t layout.Rect) bool { return overlap(t, moved(p, x, y)) })
	})
}

// room is where in a zone may be printed: all of it but its outline; of a layout that
// all share, one of its fields, though not of the numbers in red and black.
func (a *adorner) room(z calibration.Zone) layout.Rect {
	r := zoneRect(z)
	var fields []layout.Rect
	for _, c := range a.stage.layout.Cells {
		if z.Name == "layout" && c.Text != z.Name && c.Ink == "" && holds(r, c.Rect) {
			fields = append(fields, c.Rect)
		}
	}
	if len(fields) > 0 {
		r = fields[a.rng.IntN(len(fields))]
	}
	return layout.Rect{r[0] + 3, r[1] + 3, r[2] - 3, r[3] - 3}
}

// zoneAt names the read zone at a point.
func (a *adorner) zoneAt(x, y float64) string {
	for _, z := range a.stage.layout.Zones {
		if r := zoneRect(z); len(z.Reads) > 0 && x > r[0] && x < r[2] && y > r[1] && y < r[3] {
			return z.Name
		}
	}
	return ""
}

// bed is where on the cloth may be printed.
func (a *adorner) bed() layout.Rect {
	return layout.Rect{-60, a.stage.far() + 8, clothW + 60, a.stage.near() - 6}
}

func zoneRect(z calibration.Zone) layout.Rect {
	x0, y0, x1, y1 := box(z.Polygon)
	return layout.Rect{x0, y0, x1, y1}
}

func overlap(a, b layout.Rect) bool {
	return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

// holds reports whether b lies in a.
func holds(a, b layout.Rect) bool {
	return b[0] >= a[0] && b[2] <= a[2] && b[1] >= a[1] && b[3] <= a[3]
}
