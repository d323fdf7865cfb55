package points_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"reflect"
	"sync"
	"testing"

	"vision/internal/money"
	"vision/validate"
	"vision/validate/game/points"
	"vision/validate/internal/cited"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// clean are rounds of every game that were played by the rules.
//
//go:embed testdata/clean.jsonl
var clean []byte

var load = sync.OnceValues(func() (*rulebook.Books, error) { return validate.Books() })

func books(t testing.TB) *rulebook.Books {
	t.Helper()
	b, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func rules(t testing.TB, norm, game string) *points.Rules {
	t.Helper()
	_, g, err := books(t).Game(norm, game)
	if err != nil {
		t.Fatal(err)
	}
	return g.Rules.(*points.Rules)
}

func cleanRounds(t testing.TB) []*round.Record {
	t.Helper()
	var out []*round.Record
	err := round.ReadLines(bytes.NewReader(clean), func(_ int, raw []byte) error {
		rec, err := round.Parse(raw)
		out = append(out, rec)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func judge(t testing.TB, rec *round.Record) round.Verdict {
	t.Helper()
	v, err := validate.Check(books(t), rec)
	if err != nil {
		t.Fatalf("%s: %v", rec.ID, err)
	}
	return cited.Judged(t, v)
}

func TestMain(m *testing.M) {
	os.Exit(cited.Main(m, load, "points", "testdata/articles.txt"))
}

// record reads a round written in the test itself.
func record(t testing.TB, norm, game, table, events string) *round.Record {
	t.Helper()
	rec, err := round.Parse([]byte(`{"schema":"round/1","id":"t","norm":"` + norm + `","game":"` + game + `","table":` + table + `,"carry":{},"events":[` + events + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestCleanRoundsHaveNoFindings(t *testing.T) {
	for _, rec := range cleanRounds(t) {
		if v := judge(t, rec); len(v.Findings) > 0 {
			t.Errorf("%s: %+v", rec.ID, v.Findings)
		}
	}
}

func TestVerdictsAreDeterministic(t *testing.T) {
	for _, rec := range cleanRounds(t) {
		first, _ := json.Marshal(judge(t, rec))
		for range 5 {
			if again, _ := json.Marshal(judge(t, rec)); !bytes.Equal(first, again) {
				t.Fatalf("%s: two verdicts of one record:\n%s\n%s", rec.ID, first, again)
			}
		}
	}
}

// One changed payment is exactly one finding, with that difference.
func TestOneChangedPayment(t *testing.T) {
	for _, rec := range cleanRounds(t) {
		for i := range rec.Events {
			if rec.Events[i].Type != round.Pay {
				continue
			}
			was := rec.Events[i].Amount
			for _, d := range []money.Cents{1, -1} {
				rec.Events[i].Amount = was + d
				v := judge(t, rec)
				if len(v.Findings) != 1 || v.Findings[0].Delta == nil || *v.Findings[0].Delta != d || v.Findings[0].Event != i {
					t.Errorf("%s: payment of event %d changed by %d: %+v", rec.ID, i, d, v.Findings)
				}
			}
			rec.Events[i].Amount = was
		}
	}
}

// A player pays nothing for where he sits: seats exchanged, the same verdict.
// (At blackjack and casino monte the seat is the order of dealing.)
func TestSeatsExchanged(t *testing.T) {
	for _, rec := range cleanRounds(t) {
		if rec.Game == "blackjack" || rec.Game == "casino_monte" || rec.Carry != nil {
			continue
		}
		before := judge(t, rec)
		for i := range rec.Events {
			if e := &rec.Events[i]; e.Seat > 0 {
				e.Seat = 30 - e.Seat
			}
		}
		after := judge(t, rec)
		due := map[int]map[string]round.Settlement{}
		for _, s := range after.Settlement {
			s.Seat = 30 - s.Seat
			if due[s.Seat] == nil {
				due[s.Seat] = map[string]round.Settlement{}
			}
			due[s.Seat][s.Spot] = s
		}
		for _, s := range before.Settlement {
			if !reflect.DeepEqual(due[s.Seat][s.Spot], s) {
				t.Errorf("%s: %+v became %+v", rec.ID, s, due[s.Seat][s.Spot])
			}
		}
		if len(after.Findings) > 0 {
			t.Errorf("%s: %+v", rec.ID, after.Findings)
		}
	}
}

// Money is conserved: nobody keeps more than he staked beside his winnings, and
// in the circle games what one side wins the other loses.
func TestMoneyIsConserved(t *testing.T) {
	for _, rec := range cleanRounds(t) {
		v := judge(t, rec)
		var sum money.Cents
		for _, s := range v.Settlement {
			if s.Returns < 0 || s.Returns > s.Stake || s.Pays < 0 || s.Commission < 0 || s.Commission > s.Pays {
				t.Errorf("%s: %+v", rec.ID, s)
			}
			sum += s.Pays - (s.Stake - s.Returns)
		}
		if (rec.Game == "baccara_chemin_de_fer" || rec.Game == "baccara_dos_panos") && sum != 0 {
			t.Errorf("%s: %d won from nowhere", rec.ID, sum)
		}
	}
}

// An unseen card never leads to a guess: no outcome but unknown where it matters.
func TestUnseenCardsAreNotGuessed(t *testing.T) {
	for _, rec := range cleanRounds(t) {
		if rec.Game == "baccara_dos_panos" || rec.Game == "monte_banca" {
			continue // one hand may be decided without the other
		}
		for i := range rec.Events {
			e := &rec.Events[i]
			if e.Type == round.CardDealt && (e.Zone == "bank" || e.Zone == "banca" || e.Zone == "rojo") || e.Type == round.Reveal && e.Zone == "banca" {
				e.Conf = new(float64) // nothing was read
			}
		}
		for _, s := range judge(t, rec).Settlement {
			if s.Outcome == round.Win && s.Spot != "bolsa" && s.Spot != "jackpot" && s.Spot != "main" {
				t.Errorf("%s: %+v without the bank's cards", rec.ID, s)
			}
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	books(b)
	longest := map[string]*round.Record{}
	for _, rec := range cleanRounds(b) {
		if was := longest[rec.Game]; was == nil || len(rec.Events) > len(was.Events) {
			longest[rec.Game] = rec
		}
	}
	for game, rec := range longest {
		b.Run(game, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := validate.Check(books(b), rec); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
