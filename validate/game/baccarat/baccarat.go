// Package baccarat judges the games of baccarat: punto y banca against the house,
// and the two circle games in which a player holds the bank, chemin de fer and
// baccará a dos paños. The tables of drawing are data of the rulebook (rules.go).
package baccarat

import (
	"math/bits"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/settle"
	"vision/validate/game/table"
	"vision/validate/round"
)

// winners are who may be said to have won.
var winners = game.CallWords{"winner": {"punto", "banca", "empate"}}

// twoHands are the zones of a hand of the punto and one of the banca.
func twoHands(zone string) bool { return zone == "punto" || zone == "banca" }

// cards are the table of the baccarat games.
type cards struct{ *table.Table }

// baccarat is one hand of the baccarat games.
type baccarat struct {
	zone  string
	cards []table.Dealt
	two   int  // total of the first two cards; -1 when unknown or not there
	value int  // points that count; -1 when unknown
	fixed bool // the norm fixes the value: no cards are needed
	abate bool // shown as a natural before any third card
}

func (h *baccarat) drew() bool    { return len(h.cards) > 2 }
func (h *baccarat) natural() bool { return h.two >= 8 }
func (h *baccarat) known() bool   { return h.value >= 0 }

// dealtTo is the hand in a zone.
func (t cards) dealtTo(zone string) *baccarat {
	h := &baccarat{zone: zone, cards: t.Zones[zone], two: -1, value: -1}
	if len(h.cards) >= 2 {
		h.two = t.points(h.cards[:2])
	}
	if len(h.cards) > 0 { // too few cards count as they lie
		h.value = t.points(h.cards)
	}
	return h
}

// third is the value of the third card, stood without one, and whether it is known.
func (t cards) third(h *baccarat) (int, bool) {
	if !h.drew() {
		return stood, true
	}
	v := t.points(h.cards[2:3])
	return v, v >= 0
}

// points is the sum of the cards modulo ten, -1 with an unseen or foreign card.
func (t cards) points(cards []table.Dealt) int {
	sum := 0
	for _, d := range cards {
		if !t.Readable(d.Card) {
			return -1
		}
		sum += table.Pips(d.Card, 0)
	}
	return sum % 10
}

// pointsAt is the total of a zone's cards that lie there at an event.
func (t cards) pointsAt(zone string, event int) int { return t.points(t.CardsAt(zone, event)) }

// bankerSeat is the one seat with the spot banca.
func (t cards) bankerSeat() (int, error) {
	seat := 0
	for i, e := range game.Each(t.Events, round.Bet) {
		if e.Spot != "banca" || e.Seat == seat {
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
func (t cards) firstThird(zones ...string) int {
	first := len(t.Events)
	for _, z := range zones {
		if c := t.Zones[z]; len(c) > 2 {
			first = min(first, c[2].Event)
		}
	}
	return first
}

// reveals is the index of a zone's first reveal; len(Events) without one.
func (t cards) reveals(zone string) int {
	return t.FirstFit(func(e *round.Event) bool { return e.Type == round.Reveal && e.Zone == zone })
}

// checkDraw compares what a hand must do with what it did.
func (t cards) checkDraw(h *baccarat, letter byte) {
	switch {
	case letter == 'T' && !h.drew():
		t.ZoneAt(t.Last, finding.StoodMustDraw, h.zone)
	case letter == 'P' && h.drew():
		t.ZoneAt(h.cards[2].Event, finding.DrewMustStand, h.zone)
	}
}

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

// The banker of the two circle games speaks last, whatever he holds: after the
// punto (chemin de fer, VIII), after both cloths (dos paños, VII). To show his
// cards is to speak, and so is to say that he abates.

// bankShown is the banker's first showing of his cards; len(Events) without one. What
// a slip obliges him to uncover is no showing.
func (c *circle) bankShown() int {
	for i := range c.Events {
		if e := &c.Events[i]; e.Type == round.Reveal && e.Zone == "banca" && !c.obliged(i) {
			return i
		}
	}
	return len(c.Events)
}

// bankSpeaks is where the banker showed his cards or said that he abates; len(Events).
func (c *circle) bankSpeaks() int { return min(c.bankShown(), c.abateSaid("banca")) }

// abateSaid is the first call by which a hand abates; len(Events). A
// call that names no zone is of the hand of who makes it.
func (c *circle) abateSaid(zone string) int {
	holder := map[string]string{"punto": round.Player, "banca": round.Banquero}[zone]
	for i, e := range c.Calls("abate", "") {
		if e.Zone == zone || e.Zone == "" && e.By == holder {
			return i
		}
	}
	return len(c.Events)
}

// obliged reports whether a reveal of the bank is what the norm makes the banker
// uncover after he uncovered the punto's cards: the one that answers to the
// uncovered one, or both.
func (c *circle) obliged(reveal int) bool {
	if !c.answers {
		return false
	}
	answers := false
	c.Incidents("card_exposed", func(i int, e *round.Event) {
		if i > reveal || e.By != round.Banquero || e.Zone != "punto" {
			return
		}
		switch {
		case e.Count == 2:
			answers = true
		case e.Count == 1 && e.CardNo >= 1:
			answers = answers || game.Doubtful(&c.Events[reveal]) || onlyKnown(c.Events[reveal].Cards, e.CardNo-1)
		}
	})
	return answers
}

// onlyKnown reports whether of some cards no other than that one is seen.
func onlyKnown(cards []card.Card, at int) bool {
	for k, c := range cards {
		if c != card.Unseen && k != at {
			return false
		}
	}
	return at < len(cards)
}

// bankerEarly is where the banker showed, abated or drew before the punto spoke;
// -1 where he did not. A punto who is given a third card has spoken by then,
// whatever was heard of it. One who neither speaks, shows nor draws is forestalled
// by a natural, which ends the round; for any other showing it is the punto's
// word that is missing.
func (g *chemin) bankerEarly() int {
	ready := min(g.spoke, g.puntoShown(), g.abateSaid("punto"), g.firstThird("punto"))
	g.Incidents("card_into_basket", func(i int, _ *round.Event) { ready = min(ready, i) })
	said := g.bankSpeaks()
	if ready == len(g.Events) {
		if g.banca.natural() && said < min(g.thirds, g.reveals("punto")) {
			return said
		}
		return -1
	}
	if said < ready {
		return said
	}
	if c := g.banca.cards; len(c) > 2 && c[2].Event < ready && c[2].Face == "up" {
		return c[2].Event
	}
	return -1
}

// bankerEarly is where the banker showed before a cloth that still had to speak;
// -1 where he did not. His third card is judged with the cloths' calls.
func (g *panos) bankerEarly() int {
	said := g.bankSpeaks()
	if said == len(g.Events) {
		return -1
	}
	for _, c := range g.cloths {
		ready := min(g.pronounced(c), g.firstThird(c.zone))
		waits := ready < len(g.Events) || g.banca.natural() && said < min(g.thirds, g.reveals(c.zone))
		if waits && said < ready && !c.void && !c.thrown {
			return said
		}
	}
	return -1
}
