package layout

import "fmt"

// craps: the field where the dice come to rest, six number boxes in which each
// seat has a place for its come bets and one for its right bets, and three rows
// of spots before each seat. Proposition bets are not on this template.
func craps(d Dims) Layout {
	b := builder{Layout{Width: d.Width}}
	const m = 20
	left, right := float64(m), d.Width-m
	y := float64(m)
	b.zone("dice", 0, "", Rect{left, y, right, y + 240}, "dice")
	y += 240 + gap
	depth := 2*d.Chip + 24
	numbers := []int{4, 5, 6, 8, 9, 10}
	w := (right - left) / float64(len(numbers))
	for i, n := range numbers {
		box := Rect{left + float64(i)*w, y, left + float64(i+1)*w, y + 2*depth}.inset(gap / 2)
		b.zone(fmt.Sprintf("box:%d", n), 0, "", box, "chips")
		for seat := 1; seat <= d.Seats; seat++ {
			x0, x1 := seatX(seat, d.Seats, box[0], box[2])
			b.place(seat, fmt.Sprintf("come:%d", n), Rect{x0, box[1], x1, y + depth})
			b.place(seat, fmt.Sprintf("place:%d", n), Rect{x0, y + depth, x1, box[3]})
		}
	}
	y += 2*depth + gap
	rows := [][]string{{"come", "dont_come", "field"}, {"dont_win", "odds_dont_win"}, {"win", "odds_win"}}
	for _, row := range rows {
		for seat := 1; seat <= d.Seats; seat++ {
			x0, x1 := seatX(seat, d.Seats, left, right)
			cw := (x1 - x0) / float64(len(row))
			for i, spot := range row {
				b.chips(seat, spot, Rect{x0 + float64(i)*cw, y, x0 + float64(i+1)*cw, y + depth})
			}
		}
		y += depth
	}
	b.Depth = y + m
	return b.Layout
}
