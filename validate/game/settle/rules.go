package settle

import (
	"vision/validate/finding"
	"vision/validate/round"
)

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
