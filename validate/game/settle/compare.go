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
