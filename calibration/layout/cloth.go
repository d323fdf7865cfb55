package layout

import (
	"fmt"
	"slices"
)

// A cloth is a card table as data: rows from the croupier's side to the
// players'. Every row is either common to all or divided among the seats.
type cloth []row

// row is one row of a cloth.
type row struct {
	// cards are card zones side by side, common to all; in a seat's row "/x" is
	// the zone "seat:N/x" and "" the seat's own hand "seat:N".
	cards []string
	// most is how many cards lie side by side in a zone, at most: a common zone
	// is made so wide, at least 2.
	most int
	// chips are chip zones common to all, named as their spot, side by side.
	chips []string
	// seats are the chip spots of every seat, side by side.
	seats []string
	// hands are the card zones of every seat, side by side.
	hands []string
	// wide are the shares of the row's width; nil for equal shares.
	wide []float64
	// deep is how many rows of chips lie behind one another in a spot, at least 1.
	deep int
	// dice makes the row the field where dice come to rest, so deep in millimetres.
	dice float64
}

// layout makes the cloth for a table's dimensions.
func (c cloth) layout(d Dims) Layout {
	b := builder{Layout{Width: d.Width}}
	const m = 20
	y := float64(m)
	for _, r := range c {
		deep := cardRow(d)
		switch {
		case r.dice > 0:
			deep = r.dice
			b.zone("dice", 0, "", Rect{m, y, d.Width - m, y + deep}, "dice")
		case len(r.cards) > 0:
			b.cardRow(r, d, y)
		case len(r.hands) > 0:
			b.seatRow(r.hands, r.wide, d, y, deep, func(n int, suffix string, box Rect) {
				b.zone(fmt.Sprintf("seat:%d%s", n, suffix), n, "", box.inset(gap/2), "cards")
			})
		case len(r.chips) > 0:
			deep = float64(max(r.deep, 1))*(d.Chip+5) + 24
			one := d
			one.Seats = 1
			b.seatRow(r.chips, r.wide, one, y, deep, func(_ int, spot string, box Rect) {
				b.zone(spot, 0, spot, box.inset(gap/2), "chips")
			})
		default:
			deep = float64(max(r.deep, 1))*(d.Chip+5) + 24
			b.seatRow(r.seats, r.wide, d, y, deep, b.chips)
		}
		y += deep + gap
	}
	b.Depth = y + m - gap
	return b.Layout
}

// cardRow lays the common card zones of a row side by side, centred.
func (b *builder) cardRow(r row, d Dims, y float64) {
	const m = 20
	n := float64(len(r.cards))
	wide := min((d.Width-2*m-(n-1)*m)/n, float64(max(r.most, 2))*(d.Card[0]+7)+20)
	x := (d.Width - n*wide - (n-1)*m) / 2
	for _, zone := range r.cards {
		b.zone(zone, 0, "", Rect{x, y, x + wide, y + cardRow(d)}, "cards")
		x += wide + m
	}
}

// seatRow divides a row among the seats and each seat's part among its spots.
func (b *builder) seatRow(spots []string, wide []float64, d Dims, y, deep float64, add func(int, string, Rect)) {
	const m = 20
	for n := 1; n <= d.Seats; n++ {
		l, r := seatX(n, d.Seats, m, d.Width-m)
		shares := wide
		if shares == nil {
			shares = slices.Repeat([]float64{1}, len(spots))
		}
		var sum float64
		for _, w := range shares {
			sum += w
		}
		unit := (r - l) / sum
		for i, spot := range spots {
			w := unit * shares[i]
			add(n, spot, Rect{l, y, l + w, y + deep})
			l += w
		}
	}
}

// with lays a layout of cells before a cloth of cards.
func (c cloth) with(t board) func(Dims) Layout {
	return func(d Dims) Layout {
		far, near := c.layout(d), t.layout(d)
		shift := far.Depth - 20
		for i := range near.Zones {
			for k := range near.Zones[i].Polygon {
				near.Zones[i].Polygon[k][1] += shift
			}
		}
		for i := range near.Cells {
			near.Cells[i].Rect[1] += shift
			near.Cells[i].Rect[3] += shift
		}
		far.Zones, far.Cells = append(far.Zones, near.Zones...), append(far.Cells, near.Cells...)
		far.Depth = shift + near.Depth
		return far
	}
}
