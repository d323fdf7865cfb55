// Package layout makes the zones of a table's calibration from a few
// dimensions: the cloths of the games that can be followed by camera.
//
// Lengths are millimetres, origin at the layout's top left as the players see
// it, x to the right, y towards them. Spots carry the names of the round record.
package layout

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vision/calibration"
	"vision/internal/fact"
)

// Dims are the dimensions a template starts from; zero fields take the default.
type Dims struct {
	Seats int        // betting positions, from the croupier's left (the players' right): default 4
	Width float64    // of the cloth in front of the camera: default 1200
	Card  [2]float64 // card width and height: default 63×88
	Chip  float64    // widest chip's diameter: default 39
	// Norm in force, where cloths differ by it (the wheel of fortune): default
	// cantabria-2010.
	Norm string
}

// Layout is a cloth: what is watched and read, and what is printed.
type Layout struct {
	Width, Depth float64
	Zones        []calibration.Zone
	// Cells is what is printed on the cloth: outlines with their text. Zones
	// are not printed; they lie on and between the cells.
	Cells []Cell
}

// Cell is one printed field.
type Cell struct {
	Text string
	Ink  string // "red", "black" or "" for the cloth's own line colour
	Rect Rect
}

// Rect is a box along the axes: left, top, right, bottom.
type Rect [4]float64

// templates are the cloths by game code. A card table's cloth is a list of rows
// (see cloth), a layout that all seats share a list of rows of cells (see
// board); code of its own is for cloths that are neither.
var templates = withPokers(map[string]func(Dims) Layout{
	"blackjack":                   blackjack,
	"punto_banco":                 puntoBanca,
	"dados_craps":                 craps,
	"ruleta_francesa":             roulette,
	"ruleta_americana":            roulette,
	"ruleta_americana_doble_cero": doubleZero,

	"treinta_cuarenta": cloth{
		{cards: []string{"negro"}, most: 10}, {cards: []string{"rojo"}, most: 10},
		{seats: []string{"inverso", "color"}, deep: 2}, {seats: []string{"seguro:inverso", "seguro:color"}},
		{seats: []string{"rojo", "negro"}, deep: 2}, {seats: []string{"seguro:rojo", "seguro:negro"}},
	}.layout,

	"casino_monte": cloth{
		{cards: []string{"bank", "bank/revancha"}}, {hands: []string{"/revancha", ""}},
		{seats: []string{"revancha", "empate"}}, {seats: []string{"inicial"}, deep: 2},
	}.layout,
	"monte_banca": cloth{
		{cards: []string{"emplazado:1", "emplazado:2"}, most: 3}, {cards: []string{"emplazado:3", "emplazado:4"}, most: 3},
		{cards: []string{"descubiertas"}, most: 15},
	}.with(board{rows: []boardRow{
		cells("vis:1 camo:1 anti:1 viudo:1 salto:1 vis:2 camo:2 anti:2 viudo:2 salto:2"),
		cells("vis:3 camo:3 anti:3 viudo:3 salto:3 vis:4 camo:4 anti:4 viudo:4 salto:4"),
		cells("cartas:1-2 cartas:2-1 cartas:3-4 cartas:4-3 cartas:1-3 cartas:3-1 cartas:2-4 cartas:4-2"),
		cells("cartas:12-34 cartas:34-12 cartas:13-24 cartas:24-13 cartas:14-23 cartas:23-14"),
	}}),
	"baccara_chemin_de_fer": cloth{
		{cards: []string{"punto", "banca"}, most: 4},
		{seats: []string{"banca"}, deep: 2}, {seats: []string{"abono", "asociado"}},
		{seats: []string{"raya", "punto"}, deep: 2},
	}.layout,
	"baccara_dos_panos": cloth{
		{cards: []string{"pano1", "banca", "pano2"}, most: 4},
		{seats: []string{"banca"}, deep: 2}, {seats: []string{"caballo"}},
		{seats: []string{"raya:2", "raya:1"}}, {seats: []string{"pano2", "pano1"}, deep: 2},
	}.layout,

	"boule": board{rows: []boardRow{
		{spots: []string{"pasa", "par", "negro"}}, {spots: strings.Fields("numero:6 numero:7 numero:8 numero:9"), deep: 2.2},
		{spots: []string{"numero:5"}, deep: 2.2}, {spots: strings.Fields("numero:1 numero:2 numero:3 numero:4"), deep: 2.2},
		{spots: []string{"falta", "impar", "rojo"}},
	}}.layout,
	"ruleta_fortuna": fortune,
	"sic_bo": board{dice: 200, rows: []boardRow{
		cells("pequena doble:1 doble:2 doble:3 cualquier_triple doble:4 doble:5 doble:6 grande"),
		cells("triple:1 triple:2 triple:3 triple:4 triple:5 triple:6"),
		cells("total:4 total:5 total:6 total:7 total:8 total:9 total:10"),
		cells("total:11 total:12 total:13 total:14 total:15 total:16 total:17"),
		cells("combinacion:1-2 combinacion:1-3 combinacion:1-4 combinacion:1-5 combinacion:1-6 combinacion:2-3 combinacion:2-4 combinacion:2-5"),
		cells("combinacion:2-6 combinacion:3-4 combinacion:3-5 combinacion:3-6 combinacion:4-5 combinacion:4-6 combinacion:5-6"),
		cells("unica:1 unica:2 unica:3 unica:4 unica:5 unica:6"),
	}}.layout,
	"banca_francesa_dados": board{dice: 240, rows: []boardRow{
		{spots: []string{"ases"}, deep: 2.4},
		{spots: []string{"pequeno", "grande"}, deep: 3}, {spots: []string{"pequeno_linea", "grande_linea"}, deep: 1.8},
	}}.layout,
})

// Games lists the games that have a template, by their code in round records.
var Games = slices.Sorted(maps.Keys(templates))

// New makes the layout of a game.
func New(game string, d Dims) (Layout, error) {
	d = d.filled()
	if d.Seats < 1 || d.Seats > 12 {
		return Layout{}, fmt.Errorf("layout: %d seats: want 1 to 12", d.Seats)
	}
	template, ok := templates[game]
	if !ok {
		return Layout{}, fmt.Errorf("layout: no template for %q: want one of %q", game, Games)
	}
	l := template(d)
	if small := l.tooSmall(d); small != "" {
		return Layout{}, fmt.Errorf("layout: %q is too small for a chip or card with %d seats on %.0f mm: fewer seats, or a wider cloth", small, d.Seats, d.Width)
	}
	return l, nil
}

// Equipment is what the game is played with, by what is read on its cloth: "cards", "chips",
// "dice". Where neither cards nor dice decide a "wheel" does: it is told, not read.
func (l Layout) Equipment() (has []string) {
	for _, what := range []string{"cards", "chips", "dice"} {
		if slices.ContainsFunc(l.Zones, func(z calibration.Zone) bool { return z.Wants(what) }) {
			has = append(has, what)
		}
	}
	if !slices.Contains(has, "cards") && !slices.Contains(has, "dice") {
		has = append(has, "wheel")
	}
	return has
}

func (d Dims) filled() Dims {
	d.Seats = cmp.Or(d.Seats, 4)
	d.Width = cmp.Or(d.Width, 1200)
	if d.Card == [2]float64{} {
		d.Card = [2]float64{63, 88}
	}
	d.Chip = cmp.Or(d.Chip, 39)
	d.Norm = cmp.Or(d.Norm, "cantabria-2010")
	return d
}

// tooSmall names a zone that cannot hold what it is for. Places on lines may be
// narrower than a chip: only the chip's centre must lie in them.
func (l Layout) tooSmall(d Dims) string {
	for _, z := range l.Zones {
		need := 0.0
		if z.Wants("chips") {
			need = d.Chip
		}
		if z.Wants("cards") {
			need = d.Card[0] * 2
		}
		low, high := z.Bounds()
		if high[0]-low[0] < need {
			return z.Name
		}
	}
	return ""
}

// seatX is the box of seat n (1 = the croupier's left, so the players' right)
// between left and right.
func seatX(n, seats int, left, right float64) (x0, x1 float64) {
	w := (right - left) / float64(seats)
	return right - float64(n)*w, right - float64(n-1)*w
}

func (r Rect) polygon() []fact.Point {
	return []fact.Point{{r[0], r[1]}, {r[2], r[1]}, {r[2], r[3]}, {r[0], r[3]}}
}

func (r Rect) inset(by float64) Rect { return Rect{r[0] + by, r[1] + by, r[2] - by, r[3] - by} }

// Centre of the box.
func (r Rect) Centre() fact.Point { return fact.Point{(r[0] + r[2]) / 2, (r[1] + r[3]) / 2} }

// builder collects zones.
type builder struct{ Layout }

// zone adds a read zone that is printed as it is.
func (b *builder) zone(name string, seat int, spot string, r Rect, reads ...string) {
	b.Zones = append(b.Zones, calibration.Zone{Name: name, Reads: reads, Polygon: r.polygon(), Seat: seat, Spot: spot})
	b.Cells = append(b.Cells, Cell{Text: name, Rect: r})
}

// chips adds the read zone of one spot of one seat.
func (b *builder) chips(seat int, spot string, r Rect) {
	b.zone(fmt.Sprintf("seat:%d %s", seat, spot), seat, spot, r.inset(gap/2), "chips")
}

// place adds a place of a read zone; a spot that has several places gets
// numbered names.
func (b *builder) place(seat int, spot string, r Rect) {
	name := spot
	if seat > 0 {
		name = fmt.Sprintf("seat:%d %s", seat, spot)
	}
	base := name
	for n := 2; slices.ContainsFunc(b.Zones, func(z calibration.Zone) bool { return z.Name == name }); n++ {
		name = fmt.Sprintf("%s #%d", base, n)
	}
	b.Zones = append(b.Zones, calibration.Zone{Name: name, Polygon: r.polygon(), Seat: seat, Spot: spot})
}

func (b *builder) cell(text, ink string, r Rect) {
	b.Cells = append(b.Cells, Cell{Text: text, Ink: ink, Rect: r})
}

// gap between neighbouring zones.
const gap = 8
