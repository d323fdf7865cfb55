package supervision_test

import (
	"fmt"
	"log"

	"vision/validate"
	"vision/validate/room"
	"vision/validate/supervision"
)

// One jefe de mesa for two roulettes, where the norm of 1979 has one for each.
func ExampleCheck() {
	books, err := validate.Books()
	if err != nil {
		log.Fatal(err)
	}
	rec, err := room.Parse([]byte(`{"schema": "supervision/1", "id": "s1", "norm": "nacional-1979", "tables": [
		{"id": "R1", "game": "ruleta_americana", "open": true, "recording": "ok", "staff": {"croupier": 1}},
		{"id": "R2", "game": "ruleta_americana", "open": true, "recording": "ok", "staff": {"croupier": 1}}],
		"assignments": [{"jefe": "eva", "tables": ["R1", "R2"]}]}`))
	if err != nil {
		log.Fatal(err)
	}
	v, err := supervision.Check(books, rec)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range v.Findings {
		fmt.Println(f.Code, f.Jefe, f.Rule)
	}
	// Output: too_many_tables eva nacional-1979 02
}
