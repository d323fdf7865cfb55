package layout

import (
	"fmt"
	"slices"
	"strings"
)

// black lists the black numbers; the rest of 1 to 36 is red.
var black = []int{2, 4, 6, 8, 10, 11, 13, 15, 17, 20, 22, 24, 26, 28, 29, 31, 33, 35}

// grid is the geometry of a roulette cloth whose rows (1-2-3, 4-5-6 …) run to
// the right: zero at the left, then twelve rows, then the columns' fields.
// Column 1 (1, 4, 7 …) lies towards the players.
type grid struct {
	x0, y0 float64 // top left of 3, the first number
	w, h   float64 // of a number's field
	t      float64 // half the breadth of a line: nearer than t to it is on it
}

// x is the line before row r (0 to 12); y the line above column c counted from
// the croupier's side (0 is the column of 3).
func (g grid) x(r int) float64 { return g.x0 + float64(r)*g.w }
func (g grid) y(c int) float64 { return g.y0 + float64(c)*g.h }

// number in row r (0 to 11) and column c counted from the croupier's side.
func number(r, c int) int { return 3*r + 3 - c }

// roulette is the single-zero cloth.
func roulette(d Dims) Layout { return rouletteWith(d, (*builder).zero) }

// doubleZero is the cloth with 0 towards the players and 00 towards the croupier.
func doubleZero(d Dims) Layout { return rouletteWith(d, (*builder).zeros) }

// rouletteWith is a roulette's cloth: numbers with the places on their lines,
// dozens beneath them, the simple chances on both long sides, and before the
// players a field per seat where winnings are pushed to.
//
// A chip whose centre is nearer than a quarter of a field to a line lies on it.
func rouletteWith(d Dims, zero func(*builder, grid, float64)) Layout {
	b := builder{Layout{Width: d.Width}}
	const m, ends = 30, 0.9 // zero and columns are 0.9 of a field wide
	w := (d.Width - 2*m) / (12 + 2*ends)
	h := max(w, 1.8*d.Chip)
	side := max(1.5*d.Chip, 0.9*h)
	g := grid{x0: m + ends*w, y0: m + side, w: w, h: h, t: min(w, h) / 4}
	bottom := g.y(3) + 2*side
	b.zone("layout", 0, "", Rect{m / 2, m / 2, d.Width - m/2, bottom + m/2}, "chips")
	b.numbers(g)
	b.lines(g)
	b.outerLines(g)
	zero(&b, g, ends*w)
	b.columns(g, ends*w)
	b.chances(g, side)
	b.payRow(d, m, bottom+m/2+gap)
	return b.Layout
}

func (b *builder) numbers(g grid) {
	for r := range 12 {
		for c := range 3 {
			n := number(r, c)
			box := Rect{g.x(r), g.y(c), g.x(r + 1), g.y(c + 1)}
			ink := "red"
			if slices.Contains(black, n) {
				ink = "black"
			}
			b.cell(fmt.Sprint(n), ink, box)
			b.place(0, spot("pleno", n), box.inset(g.t))
		}
	}
}

// lines are the places between neighbouring numbers.
func (b *builder) lines(g grid) {
	for r := range 12 {
		for c := range 3 {
			n := number(r, c)
			if c < 2 { // n and n-1, the line between two columns
				y := g.y(c + 1)
				b.place(0, spot("caballo", n-1, n), Rect{g.x(r) + g.t, y - g.t, g.x(r+1) - g.t, y + g.t})
			}
			if r < 11 { // n and n+3, the line between two rows
				x := g.x(r + 1)
				b.place(0, spot("caballo", n, n+3), Rect{x - g.t, g.y(c) + g.t, x + g.t, g.y(c+1) - g.t})
			}
			if c < 2 && r < 11 {
				b.place(0, spot("cuadro", n-1, n, n+2, n+3), around(g.x(r+1), g.y(c+1), g.t))
			}
		}
	}
}

// outerLines are the rows' places on both long lines.
func (b *builder) outerLines(g grid) {
	for _, y := range [2]float64{g.y(3), g.y(0)} {
		for r := range 12 {
			n := number(r, 2)
			b.place(0, spot("transversal", n, n+1, n+2), Rect{g.x(r) + g.t, y - g.t, g.x(r+1) - g.t, y + g.t})
			if r < 11 {
				b.place(0, spot("seisena", n, n+5), around(g.x(r+1), y, g.t))
			}
		}
	}
}

func (b *builder) zero(g grid, wide float64) {
	box := Rect{g.x(0) - wide, g.y(0), g.x(0), g.y(3)}
	b.cell("0", "", box)
	b.place(0, "pleno:0", box.inset(g.t))
	x := g.x(0)
	for c := range 3 {
		b.place(0, spot("caballo", 0, number(0, c)), Rect{x - g.t, g.y(c) + g.t, x + g.t, g.y(c+1) - g.t})
	}
	b.place(0, "transversal:0-2-3", around(x, g.y(1), g.t))
	b.place(0, "transversal:0-1-2", around(x, g.y(2), g.t))
	b.place(0, "cuadro:0-1-2-3", around(x, g.y(3), g.t))
	b.place(0, "cuadro:0-1-2-3", around(x, g.y(0), g.t))
}

// zeros are the two zeros with the places between them and the first row: the
// corner towards the players is the cuadro especial 0-00-1-2-3.
func (b *builder) zeros(g grid, wide float64) {
	x, mid := g.x(0), (g.y(0)+g.y(3))/2
	for _, z := range []struct {
		name   string
		y0, y1 float64
	}{{"00", g.y(0), mid}, {"0", mid, g.y(3)}} {
		box := Rect{x - wide, z.y0, x, z.y1}
		b.cell(z.name, "", box)
		b.place(0, "pleno:"+z.name, box.inset(g.t))
	}
	beside := func(spot string, y0, y1 float64) { b.place(0, spot, Rect{x - g.t, y0, x + g.t, y1}) }
	b.place(0, "caballo:0-00", Rect{x - wide + g.t, mid - g.t, x - g.t, mid + g.t})
	beside("caballo:00-3", g.y(0)+g.t, g.y(1)-g.t)
	b.place(0, "transversal:00-2-3", around(x, g.y(1), g.t))
	beside("caballo:00-2", g.y(1)+g.t, mid-g.t/2)
	beside("transversal:0-00-2", mid-g.t/2, mid+g.t/2)
	beside("caballo:0-2", mid+g.t/2, g.y(2)-g.t)
	b.place(0, "transversal:0-1-2", around(x, g.y(2), g.t))
	beside("caballo:0-1", g.y(2)+g.t, g.y(3)-g.t)
	b.place(0, "cuadro_especial", around(x, g.y(3), g.t))
}

func (b *builder) columns(g grid, wide float64) {
	x0, x1 := g.x(12), g.x(12)+wide
	for c := range 3 {
		col := 3 - c
		b.cell(fmt.Sprintf("col %d", col), "", Rect{x0, g.y(c), x1, g.y(c + 1)})
		b.place(0, spot("columna", col), Rect{x0 + g.t, g.y(c) + g.t, x1, g.y(c+1) - g.t})
		if c < 2 {
			y := g.y(c + 1)
			b.place(0, spot("doble_columna", col-1, col), Rect{x0 + g.t, y - g.t, x1, y + g.t})
		}
	}
}

// chances are the dozens under the numbers and the simple chances on the
// croupier's and the players' side.
func (b *builder) chances(g grid, side float64) {
	three := func(i int) (x0, x1 float64) { return g.x(4 * i), g.x(4*i + 4) }
	for i := range 3 {
		x0, x1 := three(i)
		y0, y1 := g.y(3), g.y(3)+side
		b.cell(fmt.Sprintf("%dª docena", i+1), "", Rect{x0, y0, x1, y1})
		b.place(0, spot("docena", i+1), Rect{x0 + g.t, y0 + g.t, x1 - g.t, y1 - g.t/2})
		if i < 2 {
			b.place(0, spot("doble_docena", i+1, i+2), Rect{x1 - g.t, y0 + g.t, x1 + g.t, y1 - g.t/2})
		}
	}
	rows := []struct {
		y     float64
		names [3]string
	}{
		{g.y(0) - side, [3]string{"pasa", "par", "negro"}},
		{g.y(3) + side, [3]string{"falta", "impar", "rojo"}},
	}
	for _, row := range rows {
		for i, name := range row.names {
			x0, x1 := three(i)
			ink := map[string]string{"negro": "black", "rojo": "red"}[name]
			b.cell(name, ink, Rect{x0, row.y, x1, row.y + side})
			in := Rect{x0 + g.t/2, row.y, x1 - g.t/2, row.y + side - g.t}
			if row.y > g.y(3) {
				in[1], in[3] = row.y+g.t/2, row.y+side
			}
			b.place(0, name, in)
		}
	}
}

func around(x, y, t float64) Rect { return Rect{x - t, y - t, x + t, y + t} }

// spot is the name of the round record: kind and ascending numbers.
func spot(kind string, ns ...int) string {
	slices.Sort(ns)
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = fmt.Sprint(n)
	}
	return kind + ":" + strings.Join(parts, "-")
}
