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

// End is how the record ends.
type End struct {
	Closed bool // the table was cleared: what is missing now was omitted
	Last   int  // last event, where omissions stand
}

// EndOf is how a record ends.
func EndOf(rec *round.Record) End { return End{game.Closed(rec), game.Last(rec)} }

// At is an event, or the end where there was none.
func (e End) At(event int) int {
	if event < 0 {
		return e.Last
	}
	return event
}

// Compare judges what was moved on the place of d. Its findings carry neither
// severity nor article.
func (r *Rules) Compare(d *Due, m game.Moved, end End) []round.Finding {
	c := comparison{Rules: r, Due: d, Moved: m, end: end}
	c.late()
	if r.Annuls {
		c.annul()
	}
	c.taken = c.Collect.Amount
	if r.Nets {
		c.taken = d.Stake - Kept(d.Stake, c.Moved)
	}
	switch d.Outcome {
	case round.Unknown:
	case round.Void:
		c.void()
		c.givenBack()
	case round.Half:
		c.payment()
		c.half()
	default:
		c.payment()
		c.deduction()
		c.collection()
		c.givenBack()
	}
	return c.found
}

// late leaves out the chips that came too late: they go back apart from the settlement, or
// are collected with a losing bet.
func (c *comparison) late() {
	back := c.LateBack(c.Return.Amount)
	c.Moved.Return.Amount -= back
	if over := c.Collect.Amount - c.Must; over > 0 && c.Outcome == round.Lose {
		c.Moved.Collect.Amount -= min(over, c.Back-back)
	}
}

// Stray judges what was moved on a place where nothing is due.
func (r *Rules) Stray(p game.Place, m game.Moved) []round.Finding {
	d := On(p, 0)
	c := comparison{Rules: r, Due: &d, Moved: m}
	c.unpaid(finding.PayoutToLoser)
	if r.StrayTaken != "" && m.Collect.Amount > 0 {
		c.raise(r.StrayTaken, m.Collect.Last, 0, m.Collect.Amount)
	}
	return c.found
}

// Paid is what a payment is to what was due; empty where it is right.
func Paid(due, paid money.Cents) finding.Code {
	switch {
	case paid == due:
		return ""
	case paid == 0:
		return finding.PayoutMissing
	case paid < due:
		return finding.PayoutUnder
	}
	return finding.PayoutOver
}

// comparison is one place while it is judged.
type comparison struct {
	*Rules
	*Due
	game.Moved
	taken money.Cents // collected and not given back
	end   End
	found []round.Finding
}

// annul leaves out what was moved and moved back: a payment beyond what was due that was
// taken back, and chips beyond the loss that were collected and given back. A lost stake
// that was given back is none of it.
func (c *comparison) annul() {
	pays := c.Pays
	if c.Moved.Commission.Amount == 0 {
		pays -= c.Settlement.Commission
	}
	extra, excess := max(c.Pay.Amount-pays, 0), c.Collect.Amount-c.Must
	if excess <= 0 {
		return
	}
	kept := money.Cents(0) // what goes back of a stake that is lost in part
	if c.Outcome == round.Lose && c.Return.Amount-c.Returns == excess-extra {
		kept = c.Returns
	}
	switch excess {
	case extra:
		c.Pay.Amount, c.Collect.Amount = pays, c.Must
	case c.Return.Amount - kept:
		c.Return.Amount, c.Collect.Amount = kept, c.Must
	case extra + c.Return.Amount - kept:
		c.Pay.Amount, c.Return.Amount, c.Collect.Amount = pays, kept, c.Must
	}
}

func (c *comparison) raise(code finding.Code, event int, expected, observed money.Cents) {
	c.found = append(c.found, game.Amounts(round.Finding{Code: code, Event: c.end.At(event), Seat: c.Seat, Spot: c.Spot},
		expected, observed))
}

// omitted reports whether what is missing was left out for good, and not
// because of money that went the other way.
func (c *comparison) omitted(otherWay money.Cents) bool {
	return c.end.Closed && !c.Uncounted && !(c.Explains && otherWay > 0)
}

// payment compares what was paid.
func (c *comparison) payment() {
	pays, commission := c.Pays, c.Settlement.Commission
	net := pays - commission
	switch deducted := c.Moved.Commission.Amount > 0; {
	case c.Outcome != round.Win && pays == 0:
		c.unpaid(c.unwon())
	case deducted || commission == 0:
		c.paid(pays)
	case c.Gross && c.Pay.Amount == 0:
		c.paid(pays)
	case c.Pay.Amount == pays:
		c.undeducted(!c.Gross || c.end.Closed)
	case c.Pay.Amount == 0 && c.Uncounted:
		c.undeducted(c.end.Closed)
	default:
		c.paid(net)
	}
}

// unwon is what a payment is on a bet that wins nothing.
func (c *comparison) unwon() finding.Code {
	switch c.Outcome {
	case round.Lose, round.Void:
		return finding.PayoutToLoser
	case round.Half:
		return c.HalfPaid
	}
	return finding.PushPaid
}

func (c *comparison) unpaid(code finding.Code) {
	if c.Pay.Amount > 0 {
		c.raise(code, c.Pay.Last, 0, c.Pay.Amount)
	}
}

func (c *comparison) paid(due money.Cents) {
	switch code := Paid(due, c.Pay.Amount); {
	case code == "":
	case code != finding.PayoutMissing:
		c.raise(code, c.Pay.Last, due, c.Pay.Amount)
	case c.omitted(c.Collect.Amount):
		c.raise(code, c.end.Last, due, 0)
	}
}

func (c *comparison) undeducted(certain bool) {
	if certain {
		c.raise(finding.CommissionMissing, c.end.Last, c.Settlement.Commission, 0)
	}
}

// deduction compares what was deducted with the commission.
func (c *comparison) deduction() {
	k := c.Moved.Commission
	if c.Deducts && k.Amount > 0 && k.Amount != c.Settlement.Commission {
		c.raise(finding.CommissionWrong, k.Last, c.Settlement.Commission, k.Amount)
	}
}

// collection compares what was collected with what had to be, and might be.
func (c *comparison) collection() {
	last := c.Collect.Last
	if c.Must > 0 && c.taken+c.Taken < c.Must {
		if c.omitted(c.Pay.Amount) || c.PartAtOnce && c.taken > 0 {
			c.raise(finding.LoserNotCollected, last, c.Must, c.taken)
		}
		return
	}
	switch most := c.Must + c.May; {
	case c.taken <= most:
	case c.Outcome == round.Win:
		c.raise(finding.CollectedWinner, last, most, c.taken)
	case c.Outcome != round.Lose:
		c.raise(finding.PushCollected, last, most, c.taken)
	case c.Over:
		c.raise(finding.ReturnWrong, last, c.Returns, c.Stake-c.taken)
	}
}

// half accepts the lost half collected, with or without a return of the rest.
func (c *comparison) half() {
	collected := c.Collect.Amount
	switch back := c.Return.Amount; {
	case back > 0:
		switch {
		case back != c.Returns:
			c.raise(finding.ReturnWrong, c.Return.Last, c.Returns, back)
		case c.HalfApart && c.end.Closed && collected+c.Taken < c.Must:
			c.raise(finding.LoserNotCollected, c.Collect.Last, c.Must, collected)
		}
	case collected >= c.Must && collected <= c.Must+c.May, collected+c.Taken == c.Must:
	case collected > 0 || c.end.Closed:
		c.raise(finding.ReturnWrong, c.Collect.Last, c.Returns, c.Returns+c.Must-collected)
	}
}

// void: nothing may move on a bet that does not count, beside its stake back.
func (c *comparison) void() {
	k := c.Moved.Commission
	switch {
	case c.VoidApart:
		c.unpaid(c.unwon())
		if c.taken > 0 {
			c.raise(finding.ReturnWrong, c.Collect.Last, c.Stake, c.Stake-c.taken)
		}
	case c.Pay.Amount > 0 || c.taken > 0 || k.Amount > 0:
		last := max(c.Pay.Last, c.Collect.Last, k.Last)
		c.raise(finding.VoidRoundSettled, last, 0, c.Pay.Amount-k.Amount-c.taken)
	}
}

// givenBack compares the chips given back with the stake, or what is left of a lost one.
func (c *comparison) givenBack() {
	back, due := c.Return, c.Stake
	if c.Outcome == round.Lose {
		due = c.Returns
	}
	bound := c.GivenBack[c.Outcome]
	if back.Amount > 0 && (bound == Exactly && back.Amount != due || bound == AtMost && back.Amount > due) {
		c.raise(finding.ReturnWrong, back.Last, due, back.Amount)
	}
}

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
