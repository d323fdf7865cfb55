package layout

import "fmt"

// cardRow is the depth of a row of cards: a card's height and room to lie askew.
func cardRow(d Dims) float64 { return d.Card[1] + 24 }

// blackjack: the bank's cards on the croupier's side; per box, from there to
// the player: insurance, first hand, second hand after a split, the stake with
// its double beside it, and those of the second hand.
func blackjack(d Dims) Layout {
	b := builder{Layout{Width: d.Width}}
	const m = 20
	row := cardRow(d)
	half := min(d.Width/2-m, 4*(d.Card[0]+10))
	y := float64(m)
	b.zone("bank", 0, "", Rect{d.Width/2 - half, y, d.Width/2 + half, y + row}, "cards")
	y += row + gap
	for n := 1; n <= d.Seats; n++ {
		l, r := seatX(n, d.Seats, m, d.Width-m)
		mid := l + 0.6*(r-l)
		at := y
		next := func(depth float64) (top, bottom float64) {
			top, at = at, at+depth
			return top, at
		}
		top, bottom := next(d.Chip + 24)
		b.chips(n, "seguro", Rect{l, top, r, bottom})
		top, bottom = next(row)
		b.zone(fmt.Sprintf("seat:%d", n), n, "", Rect{l, top, r, bottom}.inset(gap/2), "cards")
		top, bottom = next(row)
		b.zone(fmt.Sprintf("seat:%d/2", n), n, "", Rect{l, top, r, bottom}.inset(gap/2), "cards")
		top, bottom = next(2*d.Chip + 24)
		b.chips(n, "main", Rect{l, top, mid, bottom})
		b.chips(n, "double", Rect{mid, top, r, bottom})
		top, bottom = next(2*d.Chip + 24)
		b.chips(n, "split:2", Rect{l, top, mid, bottom})
		b.chips(n, "double:2", Rect{mid, top, r, bottom})
		b.Depth = bottom + m
	}
	return b.Layout
}

// puntoBanca: the two hands side by side before the croupier (a third card
// turned across fits), then per seat tie, banca and punto, as mini tables print.
func puntoBanca(d Dims) Layout {
	b := builder{Layout{Width: d.Width}}
	const m = 20
	row := cardRow(d)
	hand := min((d.Width-3*m)/2, 2*d.Card[0]+d.Card[1]+70)
	mid := d.Width / 2
	b.zone("punto", 0, "", Rect{mid - m/2 - hand, m, mid - m/2, m + row}, "cards")
	b.zone("banca", 0, "", Rect{mid + m/2, m, mid + m/2 + hand, m + row}, "cards")
	deep := 2*d.Chip + 24
	for n := 1; n <= d.Seats; n++ {
		l, r := seatX(n, d.Seats, m, d.Width-m)
		y := m + row + gap
		for _, spot := range []string{"empate", "banca", "punto"} {
			b.chips(n, spot, Rect{l, y, r, y + deep})
			y += deep
		}
		b.Depth = y + m
	}
	return b.Layout
}
