package wheels

import (
	"fmt"
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// extra judges the shooter, the change of dice and the moves of come bets.
func (p *crapsPlay) extra(t *table) {
	p.shooters(t)
	p.diceChanged(t)
	if t.fate == decided && t.closed {
		p.moves(t)
	}
}

func (p *crapsPlay) procedure(t *table, event, seat int, spot string) {
	t.add(t.rules.Articles.Shooting, round.Finding{Code: finding.OtherProcedure, Event: event, Seat: seat, Spot: spot})
}

func (p *crapsPlay) shooters(t *table) {
	before := p.shooter
	for i, e := range game.Each(t.ev, round.Action) {
		if e.Action != "shoot" {
			continue
		}
		p.shooter = e.Seat
		if !p.lineBet(t, e.Seat) || before > 0 && before != e.Seat {
			p.procedure(t, i, e.Seat, "")
		}
	}
}

// lineBet reports whether the seat has a bet on the point: the shooter must.
func (p *crapsPlay) lineBet(t *table, seat int) bool {
	for name, s := range p.r.spots {
		if s.At != "come_out" {
			continue
		}
		if on := t.stakes[game.Place{Seat: seat, Spot: name}]; on != nil && on.total() > 0 {
			return true
		}
	}
	return false
}

// diceChanged: the stickman announces a change that the jefe orders; in the
// series for the point dice are changed only when one was lost.
func (p *crapsPlay) diceChanged(t *table) {
	off := false
	called := -1
	for i := range t.ev {
		e := &t.ev[i]
		switch {
		case e.Is("dice_change") && called < 0:
			called = i
		case e.Type == round.Dice && e.Irregular == "off_table",
			e.Type == round.Incident && (e.Kind == "off_table" || e.Kind == "die_lost"):
			off = true
		case e.Type == round.Incident && e.Kind == "dice_changed":
			ordered := e.By == round.Jefe
			if ordered && called < 0 {
				t.missing("dice_change", t.rules.Articles.Shooting)
			}
			if ordered && called >= 0 {
				t.announcer(called)
			}
			if p.state.Point != 0 && !ordered && !off {
				p.procedure(t, i, 0, "")
			}
		}
	}
}

// announcer raises a change of dice announced by somebody else than the norm says.
func (t *table) announcer(i int) {
	c, by := t.rules.Calls["dice_change"], t.ev[i].By
	if len(c.By) > 0 && !slices.Contains(c.By, by) && !(t.set.reduced && slices.Contains(c.Reduced, by)) {
		t.add(t.rules.Articles.Shooting, round.Finding{Code: finding.OtherProcedure, Event: i, Observed: by})
	}
}

// moves: come bets that stay go to the box of the sum.
func (p *crapsPlay) moves(t *table) {
	for at, s := range t.stakes {
		spot := p.r.spots[at.Spot]
		if !spot.Moves || s.total() == 0 || p.fate(spot) != round.Stay {
			continue
		}
		to := p.box(at.Spot)
		seen, right, moved := game.Last(t.Rec), true, money.Cents(0)
		for i := t.outcome + 1; i < len(t.ev); i++ {
			if e := &t.ev[i]; e.Type == round.Move && e.Seat == at.Seat && e.From == at.Spot {
				seen, right, moved = i, right && e.To == to, moved+e.Amount
			}
		}
		if !right || moved != s.total() {
			p.procedure(t, seen, at.Seat, at.Spot)
		}
	}
}

func (p *crapsPlay) box(spot string) string { return fmt.Sprintf("%s:%d", spot, p.sum) }
