package truth

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"vision/calibration"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/script"
	"vision/internal/lab/trial"
	"vision/internal/testkit/books"
	"vision/validate"
	"vision/validate/round"
)

func palette(seats int) []calibration.Chip {
	p := []calibration.Chip{{ID: "e0.5", Value: 50}, {ID: "e1", Value: 100}, {ID: "e2.5", Value: 250}, {ID: "e5", Value: 500},
		{ID: "e25", Value: 2500}, {ID: "e100", Value: 10000}, {ID: "e500", Value: 50000}}
	for n := 1; n <= seats; n++ {
		p = append(p, calibration.Chip{ID: fmt.Sprintf("color%d", n), Value: 500, Seat: n})
	}
	return p
}

func newGame(t *testing.T, cfg script.Config) *script.Game {
	t.Helper()
	cfg.Table, cfg.Min, cfg.Max = "T1", 500, 50000
	if cfg.Game == "ruleta_francesa" {
		cfg.Max = 10000
	}
	if cfg.Seats == 0 {
		cfg.Seats = 3
	}
	cfg.Palette = palette(cfg.Seats)
	g, err := script.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// judge has the rules engine read the record as JSON, as the product does.
func judge(t *testing.T, rec round.Record) round.Verdict {
	t.Helper()
	norms := books.Shipped(t)
	raw, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	strict, err := round.Parse(raw)
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	v, err := validate.Check(norms, strict)
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	return v
}

func dump(rec round.Record) string {
	s := fmt.Sprintf("carry %s\n", rec.Carry)
	for i, e := range rec.Events {
		raw, _ := json.Marshal(e)
		s += fmt.Sprintf("%3d %s\n", i, raw)
	}
	return s
}

// agree demands that the rules find in a round exactly what the script says of it.
func agree(t *testing.T, tr script.Truth) round.Verdict {
	t.Helper()
	v := judge(t, tr.Record)
	missing, beside := trial.Dispute(tr.Findings, v.Findings)
	if len(missing)+len(beside) > 0 {
		t.Fatalf("only the script finds %+v, only the rules %+v (fault %q)\n%s", missing, beside, tr.Fault, dump(tr.Record))
	}
	return v
}

// many is n, or twenty times as many where VISION_TRUTH=long asks for the long comparison.
func many(n int) int {
	if os.Getenv("VISION_TRUTH") == "long" {
		return 20 * n
	}
	return n
}

// The rules find nothing in rounds without a fault, and the next round begins with
// what the rules leave over from this one.
func TestCleanRoundsRaiseNothing(t *testing.T) {
	for _, game := range script.Games() {
		t.Run(game, func(t *testing.T) {
			for seats := least(game); seats <= 6; seats++ {
				clean(t, script.Config{Game: game, Seed: uint64(7 + seats), Seats: seats})
			}
		})
	}
}

// A hand that nobody opens leaves its pot to the next, which needs more to be opened.
func TestBlankHandsRaiseNothing(t *testing.T) {
	blank := 0
	for _, rec := range clean(t, script.Config{Game: "poker_cubierto_5", Seed: 5, Seats: 3, Blank: true}) {
		if n := asMap(t, rec.Carry)["blank_hands"]; n != nil && n.(float64) > 1 {
			blank++
		}
	}
	if blank == 0 {
		t.Error("never two of them together")
	}
}

// clean plays rounds without a fault, each of which begins with what the one before left.
func clean(t *testing.T, cfg script.Config) (played []round.Record) {
	t.Helper()
	g := newGame(t, cfg)
	var next any
	for range many(40) {
		r := g.Next()
		if len(r.Truth.Findings) > 0 {
			t.Fatalf("a clean round with %+v", r.Truth.Findings)
		}
		follows(t, cfg.Game, next, r.Truth.Record)
		next = agree(t, r.Truth).Next
		if r.Truth.Record.Carry != nil {
			played = append(played, r.Truth.Record)
		}
	}
	return played
}

// least is how many players a game needs: two where they play against one another,
// and at Cantabria's black jack (A.4.IV).
func least(game string) int {
	if game == "blackjack" || game == "baccara_chemin_de_fer" || slices.Contains(script.FaultsOf(game), script.OutOfTurn) {
		return 2
	}
	return 1
}

// follows demands that a record begins with what the round before has left, as the
// rules have it. A meter may have grown in between.
func follows(t *testing.T, game string, next any, rec round.Record) {
	t.Helper()
	if next == nil || rec.Carry == nil {
		return
	}
	want, got := asMap(t, next), asMap(t, rec.Carry)
	for _, meter := range []string{"progresivo_meter", "jackpot_meter"} {
		if old, ok := want[meter].(float64); ok && got[meter].(float64) >= old {
			want[meter] = got[meter]
		}
	}
	if game == "dados_craps" {
		for _, m := range []map[string]any{want, got} {
			for key := range m {
				if key != "point" && key != "bets" {
					delete(m, key)
				}
			}
		}
	}
	for _, m := range []map[string]any{want, got} { // the stakes in prison stand in no order
		if prison, ok := m["prison"].([]any); ok {
			slices.SortFunc(prison, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	}
	for key, v := range want { // what is nothing may be left out
		if _, ok := got[key]; !ok && reflect.ValueOf(v).IsZero() {
			delete(want, key)
		}
	}
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("carry %v, want %v\n%s", got, want, dump(rec))
	}
}

func asMap(t *testing.T, v any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]any{}
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// Every fault is found by the rules, with exactly the findings that the script
// expects, and comes up often enough to be tested with.
func TestFaultsRaiseExactlyTheirFindings(t *testing.T) {
	for _, game := range script.Games() {
		for _, fault := range script.FaultsOf(game) {
			t.Run(game+"/"+string(fault), func(t *testing.T) {
				for _, seats := range []int{3, 5} {
					g := newGame(t, script.Config{Game: game, Seed: uint64(8 + seats), Seats: seats, Faults: 1,
						Only: []script.Fault{fault}})
					committed := 0
					for n := 0; n < many(20) || committed < 5; n++ {
						if n == 3000 {
							t.Fatalf("committed in %d of %d rounds", committed, n)
						}
						r := g.Next()
						agree(t, r.Truth)
						if r.Truth.Fault != "" {
							committed++
						}
					}
				}
			})
		}
	}
}

// A mishap raises nothing: in the true record nothing is wrong.
func TestMishapsRaiseNothing(t *testing.T) {
	for _, mishap := range script.Mishaps() {
		t.Run(string(mishap), func(t *testing.T) {
			came := 0
			for _, game := range script.Games() {
				g := newGame(t, script.Config{Game: game, Seed: 9, Mishaps: 1, Mishap: []script.Mishap{mishap}})
				for range many(15) {
					r := g.Next()
					if r.Truth.Mishap != "" {
						came++
					}
					if r.Truth.Mishap != script.Abandoned { // is no round
						agree(t, r.Truth)
					}
				}
			}
			if came < 10 {
				t.Errorf("%d rounds had one", came)
			}
		})
	}
}

// What is to be found in a round does not depend on who moves when.
func TestPacedFaultsRaiseTheirFindings(t *testing.T) {
	hard, err := condition.Named(condition.Hard)
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range script.Games() {
		g := newGame(t, script.Config{Game: game, Seed: 12, Faults: 0.7, Mishaps: 0.3, Pace: hard.Pace})
		for range many(10) {
			r := g.Next()
			if r.Truth.Mishap != script.Abandoned {
				agree(t, r.Truth)
			}
		}
	}
}
