package points

import (
	"math/bits"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// circle is what the two baccarat circle games share: a banker, hands held by
// players, the cuadro and what slips do to it.
type circle struct {
	*table
	draw   *Draw
	s      *stakes
	banker int

	banca     *baccarat
	thirds    int  // first card beyond a hand's first two; len(ev) without one
	bancoFree bool // a player who makes banco may draw as he likes
	binds     bool // the cuadro binds the bank
	drawFree  bool // and obliges it to draw in the optional cases
	threshold bool // the bank must draw to 5 and stand from 6
	voidRound bool
}

// bankerSeat is the one seat with the spot banca.
func (t *table) bankerSeat() (int, error) {
	seat := 0
	for i := range t.ev {
		e := &t.ev[i]
		if e.Type != round.Bet || e.Spot != "banca" || e.Seat == seat {
			continue
		}
		if seat != 0 {
			return 0, round.Malformed(round.At(i, "seat"), "one seat holds the bank", "seats %d and %d both stake on banca", seat, e.Seat)
		}
		seat = e.Seat
	}
	if seat == 0 {
		return 0, round.Malformed("events", "add the bet of the banker on the spot banca", "no banker")
	}
	return seat, nil
}

// firstThird is the first card beyond a hand's first two.
func (t *table) firstThird(zones ...string) int {
	first := len(t.ev)
	for _, z := range zones {
		if c := t.zones[z]; len(c) > 2 {
			first = min(first, c[2].event)
		}
	}
	return first
}

// reveals is the index of a zone's first reveal; len(ev) without one.
func (t *table) reveals(zone string) int {
	for i := range t.ev {
		if e := &t.ev[i]; e.Type == round.Reveal && e.Zone == zone {
			return i
		}
	}
	return len(t.ev)
}

// abates tells whether a hand was shown as a natural before any third card and
// before its holder spoke.
func (c *circle) abates(h *baccarat, spoke int) bool {
	shown := c.reveals(h.zone)
	if h == c.banca {
		shown = c.bankShown()
	}
	return h.natural() && shown < c.thirds && shown < spoke
}

// common reads the irregularities that both games treat alike.
func (c *circle) common() {
	for _, kind := range []string{"cards_stuck", "misdeal"} {
		c.incidents(kind, func(int, *round.Event) { c.voidRound = true })
	}
	c.incidents("card_floor", func(i int, e *round.Event) {
		if e.By == round.Player {
			c.add(round.Finding{Code: finding.OtherProcedure, Event: i, Zone: e.Zone, Rule: c.cite("irregular")})
		}
	})
	if c.action(c.banker, "cuadro") < len(c.ev) {
		c.binds = true
	}
}

// dealOrder compares the first cards with the prescribed zones and tells the
// first wrong event; -1 when all are right.
func (t *table) dealOrder(want []string) int {
	for k, i := range t.order {
		if k < len(want) && t.ev[i].Zone != want[k] {
			return i
		}
	}
	return -1
}

// bankCall checks what the banker's amount was said to be.
func (c *circle) bankCall(demanded bool, before int) {
	stake := c.s.of(c.banker, "banca")
	for i, e := range c.calls("hay_banca", "") {
		if e.Amount > 0 && e.Amount != stake {
			c.add(round.Finding{Code: finding.AnnouncementWrong, Event: i, Expected: stake, Observed: e.Amount})
		}
	}
	if demanded {
		c.demand("hay_banca", "", -1, before)
	}
}

// halfUp is half of an amount, rounded half up.
func halfUp(a money.Cents) money.Cents { return money.MulDiv(a, 1, 2) }

// mulDivDown is a*b/c rounded down, exact for amounts up to 2^62.
func mulDivDown(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}
