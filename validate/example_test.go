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
