// Package settle compares what is due on the bets of a round with the chips
// that were moved. There is one comparison for all games; what the families of
// the contract judge differently is a parameter.
package settle

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// Due is what is due on one spot of one seat once the round is decided. The
// settlement of the verdict is part of it.
type Due struct {
	round.Settlement
	Must  money.Cents // has to be collected
	May   money.Cents // may be collected besides
	Back  money.Cents // chips that came too late: they may go back, apart from the settlement
	Taken money.Cents // the player took it off too late: nobody can collect it any more
}

// LateBack is what of the chips given back are chips that came too late: those beyond what
// goes back of the bet, or all where they are no more than these.
func (d *Due) LateBack(back money.Cents) money.Cents {
	due := d.Stake
	if d.Outcome == round.Lose || d.Outcome == round.Half {
		due = d.Returns
	}
	switch {
	case back > due:
		return min(back-due, d.Back)
	case back < due && back <= d.Back:
		return back
	}
	return 0
}

// On is a stake on a place of which nothing is decided yet.
func On(p game.Place, stake money.Cents) Due {
	return Due{Settlement: round.Settlement{Seat: p.Seat, Spot: p.Spot, Stake: stake}}
}

// Place is where it is due.
func (d *Due) Place() game.Place { return game.Place{Seat: d.Seat, Spot: d.Spot} }

// Settle decides the bet. What the player does not keep of a lost or half lost
// stake has to be collected.
func (d *Due) Settle(o round.Outcome, pays, returns money.Cents) {
	d.Outcome, d.Pays, d.Returns, d.Must = o, pays, returns, 0
	if o == round.Lose || o == round.Half {
		d.Must = d.Stake - returns
	}
}

// Win pays the bet; the stake is kept.
func (d *Due) Win(pays money.Cents) { d.Settle(round.Win, pays, d.Stake) }

// Lose takes the whole stake.
func (d *Due) Lose() { d.Settle(round.Lose, 0, 0) }

// Push leaves the stake with the player.
func (d *Due) Push() { d.Settle(round.Push, 0, d.Stake) }

// Void gives the stake of a bet back that does not count.
func (d *Due) Void() { d.Settle(round.Void, 0, d.Stake) }

// Halve takes half of the stake: the house's part is rounded half up.
func (d *Due) Halve() { d.Settle(round.Half, 0, d.Stake-money.MulDiv(d.Stake, 1, 2)) }

// Unknown leaves open what nobody can know.
func (d *Due) Unknown() { d.Settle(round.Unknown, 0, 0) }

// Decide settles a bet that wins at odds, loses or is null by the sign of cmp.
func (d *Due) Decide(cmp int, odds money.Odds) {
	switch {
	case cmp > 0:
		d.Win(odds.Of(d.Stake))
	case cmp < 0:
		d.Lose()
	default:
		d.Push()
	}
}

// Kept is what the player keeps of a stake: what was not collected of it, or
// what he was given back.
func Kept(stake money.Cents, m game.Moved) money.Cents {
	return max(stake-m.Collect.Amount, m.Return.Amount, 0)
}

// Rules are what the chapters of the contract judge differently. No norm prints
// how a wrong movement is to be named: each chapter does, and whoever fills a
// field in names the section. The zero value judges payments and collections only.
type Rules struct {
	// HalfPaid is what a payment on a half lost bet is.
	HalfPaid finding.Code
	// HalfApart judges the lost half also where the other was given back: it has to be collected.
	HalfApart bool
	// VoidApart judges the movements on a void bet one by one: the round counts,
	// only the bet does not. Otherwise they are one settlement of what is void.
	VoidApart bool
	// Nets lets chips given back make up for chips collected.
	Nets bool
	// Annuls leaves out movements that annul each other: a mistake that was put right.
	Annuls bool
	// GivenBack says of which outcomes the chips given back are compared, and how.
	GivenBack map[round.Outcome]Bound
	// Deducts compares what was deducted; where the game has none it is not looked at.
	Deducts bool
	// Gross names the winnings before commission where nothing was paid, and a missing
	// deduction only once the table is cleared.
	Gross bool
	// PartAtOnce judges a loser of whom part was collected before the table is cleared.
	PartAtOnce bool
	// Over judges what is collected beyond the loss.
	Over bool
	// Explains lets money that went the wrong way stand for the omission it causes:
	// a winner collected is not a winner unpaid too, a loser paid not one uncollected.
	Explains bool
	// Uncounted judges no omission: the chips there are not counted movement by movement.
	Uncounted bool
	// StrayTaken is what a collection is where there is no stake; empty: it is not judged.
	StrayTaken finding.Code
}

// Bound is how chips given back are compared with what goes back.
type Bound int

// The bounds.
const (
	NotJudged Bound = iota
	Exactly
	AtMost
)

// PaidBeforeCollect finds, among the events in [from, to), the first payment and the
// first collection of a losing bet that comes after it; collect is -1 where there is
// none. Losers are collected before anybody is paid.
func PaidBeforeCollect(events []round.Event, from, to int, loses func(game.Place) bool) (pay, collect int) {
	pay = game.Find(events, from, to, func(e *round.Event) bool { return e.Type == round.Pay })
	if pay < 0 {
		return -1, -1
	}
	return pay, game.Find(events, pay, to, func(e *round.Event) bool {
		return e.Type == round.Collect && loses(game.PlaceOf(e))
	})
}
