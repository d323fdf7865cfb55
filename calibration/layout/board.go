package layout

import (
	"cmp"
	"strings"
)

// A board is a layout that all seats share, as data: rows of cells, each one
// spot of the round record, and before the players a field per seat where
// winnings are pushed to. Whose the chips are their colours say.
type board struct {
	rows []boardRow
	dice float64 // depth of the field where dice come to rest; 0 for none
}

// boardRow is one row of cells, from left to right.
type boardRow struct {
	spots []string // separated by blanks in the shorthand of cells
	deep  float64  // in chips; 0 is 1.7
}

// cells is a row of spots written with blanks between them.
func cells(spots string) boardRow { return boardRow{spots: strings.Fields(spots)} }

// layout makes the board for a table's dimensions.
func (t board) layout(d Dims) Layout {
	b := builder{Layout{Width: d.Width}}
	const m = 20
	y := float64(m)
	if t.dice > 0 {
		b.zone("dice", 0, "", Rect{m, y, d.Width - m, y + t.dice}, "dice")
		y += t.dice + gap
	}
	top := y
	for _, r := range t.rows {
		deep := cmp.Or(r.deep, 1.7) * d.Chip
		w := (d.Width - 2*m) / float64(len(r.spots))
		for i, spot := range r.spots {
			box := Rect{m + float64(i)*w, y, m + float64(i+1)*w, y + deep}
			b.cell(spot, inkOf(spot), box)
			b.place(0, spot, box.inset(1))
		}
		y += deep
	}
	b.zone("layout", 0, "", Rect{m / 2, top - gap/4, d.Width - m/2, y + gap/2}, "chips")
	y += gap/2 + gap
	b.payRow(d, m, y)
	return b.Layout
}

// payRow lays each seat's field for winnings from y on, and ends the cloth a margin below.
func (b *builder) payRow(d Dims, m, y float64) {
	for n := 1; n <= d.Seats; n++ {
		l, r := seatX(n, d.Seats, m/2, d.Width-m/2)
		b.chips(n, "pay", Rect{l, y, r, y + 2*d.Chip + 24})
	}
	b.Depth = y + 2*d.Chip + 24 + m/2
}

func inkOf(spot string) string {
	switch spot {
	case "rojo":
		return "red"
	case "negro":
		return "black"
	}
	return ""
}

// fortune is the cloth of the wheel of fortune: the wheel's positions and the
// two figures, or in Cantabria its values.
func fortune(d Dims) Layout {
	rows := []boardRow{{spots: strings.Fields("figura:1 figura:2"), deep: 2.4}, {spots: strings.Fields("pos:24 pos:15 pos:7 pos:4 pos:2"), deep: 2.4}}
	if d.Norm == "cantabria-2010" {
		rows = []boardRow{{spots: strings.Fields("valor:10 valor:20 valor:40"), deep: 2.4}, {spots: strings.Fields("valor:1 valor:2 valor:5"), deep: 2.4}}
	}
	return board{rows: rows}.layout(d)
}
