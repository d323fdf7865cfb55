package baccarat

import (
	"math/bits"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/game/table"
	"vision/validate/round"
)

// circle is what the two baccarat circle games share: a banker, hands held by
// players, the cuadro and what slips do to it.
type circle struct {
	cards
	draw    *Draw
	answers bool // the banker who uncovers a card of the punto uncovers his own
	s       *table.Stakes
	banker  int

	banca     *baccarat
	thirds    int  // first card beyond a hand's first two; len(Events) without one
	bancoFree bool // a player who makes banco may draw as he likes
	binds     bool // the cuadro binds the bank
	drawFree  bool // and obliges it to draw in the optional cases
	threshold bool // the bank must draw to 5 and stand from 6
	voidRound bool
}

// bankPile are how movements at the banks of the circle games are judged (point cards, 4 and 5):
// the pile is not counted movement by movement.
var bankPile = func() *settle.Rules {
	r := table.Chapter
	r.Uncounted = true
	return &r
}()

// twoParts is how a spot of two parts is judged of which one is lost (point cards,
// 5): the lost part is collected also where the spot as a whole wins or is null.
var twoParts = &settle.Rules{Over: true, Annuls: true}

// abates reports whether a hand was shown as a natural before any third card and
// before its holder spoke. A natural that the banker had to uncover ends the round, too,
// unless he gave cards all the same (VIII.3).
func (c *circle) abates(h *baccarat, spoke int) bool {
	shown := c.reveals(h.zone)
	if h == c.banca && c.thirds < len(c.Events) {
		shown = c.bankShown()
	}
	return h.natural() && shown < c.thirds && shown < spoke
}

// common reads the irregularities that both games treat alike.
func (c *circle) common() {
	for _, kind := range []string{"cards_stuck", "misdeal"} {
		c.Incidents(kind, func(int, *round.Event) { c.voidRound = true })
	}
	c.Incidents("card_floor", func(i int, e *round.Event) {
		if e.By == round.Player {
			c.Add(round.Finding{Code: finding.OtherProcedure, Event: i, Zone: e.Zone, Rule: c.Cite("irregular")})
		}
	})
	if c.Action(c.banker, "cuadro") < len(c.Events) {
		c.binds = true
	}
}

// windows are when stakes may be put down and taken back: they are not lowered for a
// card that appears face up (VIII.1), and free where the banker speaks before his turn.
func (c *circle) windows(bet func(int, *round.Event) game.BetState, early int) table.Windows {
	return table.Windows{Bet: bet, Fixed: true, Freed: early, Bound: "banca"}
}

// bankCall checks what the banker's amount was said to be.
func (c *circle) bankCall(demanded bool, before int) {
	stake := c.bankAtClose()
	for i, e := range c.Calls("hay_banca", "") {
		if e.Amount > 0 && e.Amount != stake {
			c.Add(round.Finding{Code: finding.AnnouncementWrong, Event: i, Expected: stake, Observed: e.Amount})
		}
	}
	if demanded {
		c.Demand("hay_banca", "", -1, before)
	}
}

// bankAtClose is what lay in the bank when the betting closed: what the banker takes
// out later makes no call untrue that was made before.
func (c *circle) bankAtClose() money.Cents {
	sum := money.Cents(0)
	for i := range min(c.Close+1, len(c.Events)) {
		switch e := &c.Events[i]; {
		case e.Seat != c.banker || e.Spot != "banca":
		case e.Type == round.Bet:
			sum += e.Amount
		case e.Type == round.Withdraw:
			sum -= e.Amount
		}
	}
	return sum
}

// halfUp is half of an amount, rounded half up.
func halfUp(a money.Cents) money.Cents { return money.MulDiv(a, 1, 2) }

// mulDivDown is a*b/c rounded down, exact for amounts up to 2^62.
func mulDivDown(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}
