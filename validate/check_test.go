package validate_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/money"
	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/round"
)

// TestUnknown: a norm or a game that the books do not have is named in the error.
func TestUnknown(t *testing.T) {
	rounds.Refused(t, rounds.Script(t, "madrid-2020 boule", "ball 1"), "norm")
	rounds.Refused(t, rounds.Script(t, "nacional-1979 sic_bo", "ball 1"), "game")
}

// settledRound is a round of the American roulette with any bets, settled as its verdict says.
func settledRound(t *rapid.T) *round.Record {
	events := ""
	for range rapid.IntRange(1, 9).Draw(t, "bets") {
		events += fmt.Sprintf("bet %d %s %d; ", rapid.IntRange(1, 7).Draw(t, "seat"),
			rapid.SampledFrom([]string{"pleno:0", "pleno:17", "caballo:17-20", "cuadro:17-18-20-21", "docena:2", "rojo", "negro", "par"}).Draw(t, "spot"),
			rapid.IntRange(1, 100_000).Draw(t, "amount"))
	}
	rec := rounds.Script(t, "andalucia-2010 ruleta_americana", events+fmt.Sprintf("nvm; ball %d", rapid.IntRange(1, 36).Draw(t, "pocket")))
	rounds.Settle(rec, rounds.Verdict(t, rec))
	return rec
}

// TestCheckMany compares the probability of each finding with brute force:
// the share of a sample of readings in which it is found.
func TestCheckMany(t *testing.T) {
	books := books.Shipped(t)
	rapid.Check(t, func(t *rapid.T) {
		rec := settledRound(t)
		var readings []validate.Weighted
		sums, total := map[string]float64{}, 0.0
		for range rapid.IntRange(1, 5).Draw(t, "readings") {
			r := *rec
			r.Events = slices.Clone(rec.Events)
			i := rapid.IntRange(0, len(r.Events)-1).Draw(t, "event")
			if r.Events[i].Amount > 0 {
				r.Events[i].Amount += money.Cents(rapid.IntRange(0, 2).Draw(t, "more"))
			}
			p := rapid.Float64Range(0.01, 1).Draw(t, "p")
			if rapid.IntRange(0, 4).Draw(t, "spoil") == 0 {
				r.Game = "nothing" // a reading that is no round is ruled out
			} else {
				total += p
				for _, f := range rounds.Verdict(t, &r).Findings {
					sums[rounds.Full([]round.Finding{f})] += p
				}
			}
			readings = append(readings, validate.Weighted{Record: &r, P: p})
		}
		got, err := validate.CheckMany(books, readings)
		if total == 0 {
			if err == nil {
				t.Fatal("no reading can be judged, and no error")
			}
			return
		}
		if err != nil || len(got) != len(sums) {
			t.Fatalf("%d findings (%v), want %d", len(got), err, len(sums))
		}
		for i, f := range got {
			if want := sums[rounds.Full([]round.Finding{f.Finding})] / total; math.Abs(f.P-want) > 1e-9 || f.P > 1+1e-9 {
				t.Fatalf("%s: %v, want %v", f.Code, f.P, want)
			}
			if i > 0 && got[i-1].P < f.P {
				t.Fatal("not sorted by probability")
			}
		}
	})
}
