package alert_test

import (
	"context"
	"fmt"
	"log"

	"vision/internal/testkit/paper"
	"vision/stream/alert"
)

// An alert from its being raised to the outcome that a person decides; every step is in
// the ledger first.
func ExampleDesk() {
	ctx := context.Background()
	book := &paper.Ledger{}
	desk := alert.NewDesk(alert.Config{Ledger: book, Show: func(a alert.Alert) { fmt.Println(a.ID, a.State()) }})
	if err := desk.Raise(ctx, alert.Alert{ID: "R1/17/payout_under", Table: "R1", Code: "payout_under"}); err != nil {
		log.Fatal(err)
	}
	a, err := desk.Acknowledge(ctx, "R1/17/payout_under", "ana", alert.Corrected, "paid the rest")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Ack.By, a.Ack.Outcome, book.Count(alert.Entry), "entries")
	// Output:
	// R1/17/payout_under open
	// R1/17/payout_under acknowledged
	// ana corrected 2 entries
}

// What the direction decides is checked before it holds.
func ExampleThresholds_Check() {
	t := alert.StandardThresholds
	fmt.Println(t.Check())
	t.Budget = 200
	fmt.Println(t.Check())
	// Output:
	// <nil>
	// thresholds: budget 200: want 0.1 to 50 false alerts per table and eight hours
}

// Every code that an alert can have is in the catalogue, with its words.
func ExampleFind() {
	k, ok := alert.Find("camera_blind")
	fmt.Println(ok, k.Severity, k.Source)
	// Output: true critical health
}
