package validate_test

import (
	"fmt"
	"log"

	"vision/validate"
	"vision/validate/round"
)

// A round of the roulette in which a winner is paid ten cents too little.
func ExampleCheck() {
	books, err := validate.Books() // the shipped norms
	if err != nil {
		log.Fatal(err)
	}
	rec, err := round.Parse([]byte(`{"schema": "round/1", "id": "r1", "norm": "cantabria-2010", "game": "ruleta_americana",
		"table": {"id": "R1", "min": 100}, "events": [
		{"t": 0, "type": "bet", "seat": 1, "spot": "rojo", "amount": 500},
		{"t": 9, "type": "announce", "by": "croupier", "call": "no_va_mas"},
		{"t": 20, "type": "ball", "pocket": "23"},
		{"t": 22, "type": "announce", "by": "croupier", "call": "number", "number": "23", "color": "rojo", "parity": "impar", "half": "pasa"},
		{"t": 30, "type": "pay", "seat": 1, "spot": "rojo", "amount": 490}]}`))
	if err != nil {
		log.Fatal(err)
	}
	v, err := validate.Check(books, rec)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range v.Findings {
		fmt.Println(f.Code, f.Severity, "seat", f.Seat, f.Spot, "expected", f.Expected, "observed", f.Observed, f.Rule)
	}
	// Output: payout_under major seat 1 rojo expected 5,00 € observed 4,90 € cantabria-2010 A.2.III
}

// Two readings of one payment: the finding has the probability of the reading in which
// it holds.
func ExampleCheckMany() {
	books, err := validate.Books()
	if err != nil {
		log.Fatal(err)
	}
	reading := func(paid int) *round.Record {
		rec, err := round.Parse(fmt.Appendf(nil, `{"schema": "round/1", "id": "r1", "norm": "cantabria-2010", "game": "sic_bo",
			"table": {"id": "S1", "min": 100}, "events": [
			{"t": 0, "type": "bet", "seat": 1, "spot": "grande", "amount": 500},
			{"t": 9, "type": "dice", "faces": [5, 5, 4]},
			{"t": 20, "type": "pay", "seat": 1, "spot": "grande", "amount": %d}]}`, paid))
		if err != nil {
			log.Fatal(err)
		}
		return rec
	}
	found, err := validate.CheckMany(books,
		[]validate.Weighted{{Record: reading(500), P: 0.7}, {Record: reading(600), P: 0.3}})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range found {
		fmt.Printf("%.2f %s\n", f.P, f.Code)
	}
	// Output: 0.30 payout_over
}
