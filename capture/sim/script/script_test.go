package script

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"vision/calibration"
	"vision/validate"
	"vision/validate/round"
	"vision/validate/rulebook"
)

var allGames = Games()

// exact are the games whose scripts know every finding of their faults.
var exact = slices.DeleteFunc(Games(), func(game string) bool { return slices.Contains(pokers, game) })

func testPalette(seats int) []calibration.Chip {
	p := []calibration.Chip{{ID: "e0.5", Value: 50}, {ID: "e1", Value: 100}, {ID: "e2.5", Value: 250}, {ID: "e5", Value: 500},
		{ID: "e25", Value: 2500}, {ID: "e100", Value: 10000}, {ID: "e500", Value: 50000}}
	for n := 1; n <= seats; n++ {
		p = append(p, calibration.Chip{ID: fmt.Sprintf("color%d", n), Value: 500, Seat: n})
	}
	return p
}

func newGame(t *testing.T, cfg Config) *Game {
	t.Helper()
	cfg.Table, cfg.Min, cfg.Max = "T1", 500, 50000
	if cfg.Game == "ruleta_francesa" {
		cfg.Max = 10000
	}
	if cfg.Seats == 0 {
		cfg.Seats = 3
	}
	cfg.Palette = testPalette(cfg.Seats)
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var shipped = sync.OnceValues(func() (*rulebook.Books, error) { return validate.Books() })

// judge has the rules engine read the record as JSON, as the product does.
func judge(t *testing.T, rec round.Record) round.Verdict {
	t.Helper()
	books, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	strict, err := round.Parse(raw)
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	v, err := validate.Check(books, strict)
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	return v
}

func codes(v round.Verdict) []string {
	out := []string{}
	for _, f := range v.Findings {
		out = append(out, f.Code)
	}
	slices.Sort(out)
	return out
}

func expected(tr Truth) []string {
	out := []string{}
	for _, f := range tr.Findings {
		out = append(out, f.Code)
	}
	slices.Sort(out)
	return out
}

func dump(rec round.Record) string {
	s := fmt.Sprintf("carry %s\n", rec.Carry)
	for i, e := range rec.Events {
		raw, _ := json.Marshal(e)
		s += fmt.Sprintf("%3d %s\n", i, raw)
	}
	return s
}

func TestCleanRoundsRaiseNothing(t *testing.T) {
	for _, game := range exact {
		t.Run(game, func(t *testing.T) {
			g := newGame(t, Config{Game: game, Seed: 7})
			for range 400 {
				r := g.Next()
				if v := judge(t, r.Truth.Record); len(v.Findings) > 0 || len(r.Truth.Findings) > 0 {
					t.Fatalf("findings %+v\n%s", v.Findings, dump(r.Truth.Record))
				}
			}
		})
	}
}

// Every fault must be found by the rules, with exactly the findings that the
// script expects, and must come up often enough to be tested with.
func TestFaultsRaiseExactlyTheirFindings(t *testing.T) {
	for _, game := range exact {
		for _, fault := range FaultsOf(game) {
			t.Run(game+"/"+string(fault), func(t *testing.T) {
				g := newGame(t, Config{Game: game, Seed: 11, Faults: 1, Only: []Fault{fault}})
				committed := 0
				for n := 0; n < 60 || committed < 5; n++ {
					if n == 3000 {
						t.Fatalf("committed in %d of %d rounds", committed, n)
					}
					r := g.Next()
					v := judge(t, r.Truth.Record)
					checkFindings(t, r.Truth, v)
					if r.Truth.Fault != "" {
						committed++
					}
				}
			})
		}
	}
}

func checkFindings(t *testing.T, tr Truth, v round.Verdict) {
	t.Helper()
	if got, want := codes(v), expected(tr); !slices.Equal(got, want) {
		t.Fatalf("found %v, want %v (fault %q)\n%+v\n%s", got, want, tr.Fault, v.Findings, dump(tr.Record))
	}
	for _, want := range tr.Findings {
		if !slices.ContainsFunc(v.Findings, func(f round.Finding) bool { return agrees(want, f) }) {
			t.Fatalf("no finding agrees with %+v in %+v\n%s", want, v.Findings, dump(tr.Record))
		}
	}
}

func agrees(want Finding, f round.Finding) bool {
	return want.Code == f.Code &&
		(want.Seat == 0 || want.Seat == f.Seat) &&
		(want.Spot == "" || want.Spot == f.Spot) &&
		(want.Zone == "" || want.Zone == f.Zone) &&
		(want.Expected == nil || fmt.Sprint(want.Expected) == fmt.Sprint(f.Expected)) &&
		(want.Observed == nil || fmt.Sprint(want.Observed) == fmt.Sprint(f.Observed))
}

// Craps goes from throw to throw: the carry must be what the rules leave over.
func TestCrapsCarriesWhatTheRulesLeave(t *testing.T) {
	g := newGame(t, Config{Game: "dados_craps", Seed: 3})
	var next any
	for range 200 {
		r := g.Next()
		if next != nil {
			want, got := asMap(t, next), asMap(t, r.Truth.Record.Carry)
			if !reflect.DeepEqual(want["point"], got["point"]) || !reflect.DeepEqual(want["bets"], got["bets"]) {
				t.Fatalf("carry %v, want %v", got, want)
			}
		}
		next = judge(t, r.Truth.Record).Next
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

func TestTheSameSeedPlaysTheSameRounds(t *testing.T) {
	for _, game := range allGames {
		a, b := newGame(t, Config{Game: game, Seed: 5, Faults: 0.5}), newGame(t, Config{Game: game, Seed: 5, Faults: 0.5})
		for range fewer(game, 50) {
			x, _ := json.Marshal(a.Next())
			y, _ := json.Marshal(b.Next())
			if string(x) != string(y) {
				t.Fatalf("%s: one seed, two rounds:\n%s\n%s", game, x, y)
			}
		}
	}
}

// The acts must be consistent by themselves: time runs on, what is lifted lies
// there, no two things lie in the same slot, and the felt ends as it should.
func TestActsAreConsistent(t *testing.T) {
	for _, game := range allGames {
		g := newGame(t, Config{Game: game, Seed: 9, Faults: 0.5})
		lying := map[int]string{}
		for range fewer(game, 200) {
			r := g.Next()
			last := 0.0
			for _, a := range r.Acts {
				if a.At < last {
					t.Fatalf("%s: time runs back at %v", game, a.At)
				}
				last = a.At
				apply(t, game, lying, a)
			}
			if last > r.Length {
				t.Fatalf("%s: act after the round's end", game)
			}
			for _, what := range lying {
				if shaker := game == "sic_bo" && what[0] == 'd'; what[0] != 'c' && !shaker {
					t.Fatalf("%s: %s stays after the round", game, what)
				}
			}
		}
	}
}

func apply(t *testing.T, game string, lying map[int]string, a Act) {
	t.Helper()
	for _, tag := range a.Lift {
		if lying[tag] == "" {
			t.Fatalf("%s: nothing with tag %d to lift in %+v", game, tag, a)
		}
		delete(lying, tag)
	}
	lay := func(tag int, where string) {
		for _, w := range lying {
			if w == where {
				t.Fatalf("%s: %s is taken", game, where)
			}
		}
		lying[tag] = where
	}
	for _, p := range a.Piles {
		lay(p.Tag, fmt.Sprintf("chips %s %d", p.Zone, p.Slot))
		if n := len(p.Chips); n < 1 || n > maxHigh {
			t.Fatalf("%s: a pile of %d", game, n)
		}
	}
	for _, c := range a.Cards {
		lay(c.Tag, fmt.Sprintf("Cards %s %d", c.Zone, c.Slot))
	}
	for i := range a.Dice {
		lay(a.Tag+i, fmt.Sprintf("die %d", i))
	}
}

func TestUnknownGame(t *testing.T) {
	if _, err := New(Config{Game: "bridge"}); err == nil {
		t.Fatal("want an error")
	}
}

// A bet laid as one stack is worth what is noted, high values below, and no
// bet laid apart has several kinds on a stack.
func TestMixedBets(t *testing.T) {
	value := map[string]int64{}
	for _, c := range testPalette(3) {
		value[c.ID] = c.Value
	}
	for _, game := range []string{"blackjack", "punto_banco"} {
		for _, share := range []float64{0, 0.5, 1} {
			g := newGame(t, Config{Game: game, Seed: 5, Mixed: share})
			mixed, apart := 0, 0
			for range 60 {
				r := g.Next()
				bets := map[float64]int64{}
				for _, e := range r.Truth.Record.Events {
					if e.Type == round.Bet {
						bets[e.T] += int64(e.Amount)
					}
				}
				for _, a := range r.Acts {
					if a.Who <= 0 || len(a.Piles) == 0 {
						continue
					}
					sum := int64(0)
					for _, p := range a.Piles {
						for k, c := range p.Chips {
							sum += value[c]
							if k > 0 && value[c] > value[p.Chips[k-1]] {
								t.Fatalf("%s: %v", game, p.Chips)
							}
						}
						if p.Chips[0] != p.Chips[len(p.Chips)-1] {
							mixed++
						}
					}
					if len(a.Piles) > 1 {
						apart++
					}
					if want, ok := bets[float64(int(a.At*1000))/1000]; ok && want != sum {
						t.Fatalf("%s: %d cents laid, %d noted", game, sum, want)
					}
				}
			}
			t.Logf("%s, share %.1f: %d stacks of several kinds, %d bets of several stacks", game, share, mixed, apart)
			if (mixed > 0) != (share > 0) || share < 1 && apart == 0 {
				t.Errorf("%s, share %.1f: %d stacks of several kinds, %d bets of several stacks", game, share, mixed, apart)
			}
		}
	}
}
