package validate_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"vision/internal/shared"
	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/round"
)

// fullRoulette is a busy table: seven seats, five bets each, all settled.
func fullRoulette(b *testing.B) *round.Record {
	events := ""
	spots := []string{"pleno:23", "caballo:20-23", "transversal:22-23-24", "docena:2", "rojo", "negro", "pleno:0", "columna:2"}
	for seat := 1; seat <= 7; seat++ {
		for k := range 5 {
			events += fmt.Sprintf("bet %d %s 500;", seat, spots[(seat+k)%len(spots)])
		}
	}
	rec := rounds.Script(b, "cantabria-2010 ruleta_americana", events+"nvm; ball 23; say croupier number number=23 color=rojo parity=impar half=pasa")
	rounds.Settle(rec, rounds.Verdict(b, rec))
	return rec
}

// BenchmarkVerdict is the time of one verdict of a full roulette table.
func BenchmarkVerdict(b *testing.B) {
	books := books.Shipped(b)
	rec := fullRoulette(b)
	b.ReportMetric(float64(len(rec.Events)), "events")
	for b.Loop() {
		if _, err := validate.Check(books, rec); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGames is the time of one verdict of each game: of the longest of its
// conformance cases.
func BenchmarkGames(b *testing.B) {
	books := books.Shipped(b)
	longest := map[string]*round.Record{}
	for _, family := range []string{"wheels-dice", "point-cards", "banked-poker", "circle-poker"} {
		for _, c := range readCases(b, shared.Dir(b, "cases", family+".jsonl")) {
			rec, err := round.Parse(c.Record)
			if err != nil {
				continue // a case of a malformed record
			}
			if _, err := validate.Check(books, rec); err == nil &&
				(longest[c.Game] == nil || len(longest[c.Game].Events) < len(rec.Events)) {
				longest[c.Game] = rec
			}
		}
	}
	for _, code := range slices.Sorted(maps.Keys(longest)) {
		rec := longest[code]
		b.Run(code, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := validate.Check(books, rec); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(rec.Events)), "events")
		})
	}
}

// BenchmarkParse is the time to read that record.
func BenchmarkParse(b *testing.B) {
	raw := []byte(rounds.JSON(fullRoulette(b)))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := round.Parse(raw); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBooks is the time to load all shipped norms.
func BenchmarkBooks(b *testing.B) {
	for b.Loop() {
		if _, err := validate.Books(); err != nil {
			b.Fatal(err)
		}
	}
}
