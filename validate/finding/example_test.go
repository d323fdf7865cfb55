package finding_test

import (
	"fmt"

	"vision/validate/finding"
)

func ExampleOf() {
	k := finding.Of(finding.PayoutUnder)
	fmt.Println(k.Code, k.About, k.Round.Severity)
	fmt.Println(k.Title.ES)
	fmt.Println(k.Round.Both.EN)
	// Output:
	// payout_under money major
	// Pago insuficiente
	// Paid {o}; {e} was due
}

// Where a family's chapter says otherwise, the same code weighs otherwise.
func ExampleInRound_Of() {
	wrong := finding.Of(finding.AnnouncementWrong).Round
	fmt.Println(wrong.Of(finding.Wheels), wrong.Of(finding.Circle))
	// Output: major minor
}
