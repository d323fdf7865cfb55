package session_test

import (
	"fmt"
	"log"

	"vision/validate"
	"vision/validate/session"
)

// A table whose float does not come out: the rounds won 50 €, and at closing only 30 €
// more are counted than at opening.
func ExampleCheck() {
	books, err := validate.Books()
	if err != nil {
		log.Fatal(err)
	}
	rec, err := session.Parse([]byte(`{"schema": "session/1", "id": "s1", "norm": "nacional-1979", "table": "B1", "date": "2026-03-14", "game": "boule", "events": [
		{"t": 64800, "type": "open", "float": 1000000, "limits": {"min": 100, "max": 4000}},
		{"t": 64800, "type": "shift_start", "jefe": "eva", "tables": [{"id": "B1"}]},
		{"t": 64860, "type": "round", "ref": "r1", "money": {"in": 5000, "out": 0}},
		{"t": 68400, "type": "close", "float": 1003000}]}`))
	if err != nil {
		log.Fatal(err)
	}
	v, err := session.Check(books, rec)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range v.Findings {
		fmt.Println(f.Code, "expected", f.Expected, "observed", f.Observed)
	}
	// Output: float_unbalanced expected 1005000 observed 1003000
}
