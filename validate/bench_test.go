package validate_test

import (
	"fmt"
	"testing"

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
	rec := script(b, "cantabria-2010 ruleta_americana", events+"nvm; ball 23; say croupier number number=23 color=rojo parity=impar half=pasa")
	v, err := validate.Check(mustBooks(b), rec)
	if err != nil {
		b.Fatal(err)
	}
	settle(rec, v)
	for i := range rec.Events {
		rec.Events[i].T = float64(i)
	}
	return rec
}

// BenchmarkVerdict is the time of one verdict of a full roulette table.
func BenchmarkVerdict(b *testing.B) {
	books := mustBooks(b)
	rec := fullRoulette(b)
	b.ReportMetric(float64(len(rec.Events)), "events")
	for b.Loop() {
		if _, err := validate.Check(books, rec); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse is the time to read that record.
func BenchmarkParse(b *testing.B) {
	raw := []byte(plainJSON(fullRoulette(b)))
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
