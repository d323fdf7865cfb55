package housepoker_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"vision/validate/game/hands"
	"vision/validate/game/housepoker"
)

var update = flag.Bool("update", false, "write the solved games to testdata/solved (with VISION_TRIAL=all)")

// all reports whether the games are solved from the first to the last deal.
func all() bool { return os.Getenv("VISION_TRIAL") == "all" }

// Where two hands stand that have met.
const (
	wins = iota
	ties
	loses
	without // the bank does not play
	stands
)

var standNames = [stands]string{"wins", "ties", "loses", "without"}

// outcomes are the ways in which a bet ends, by the player's combination.
type outcomes [hands.CincoAses + 1][stands]int64

func (o *outcomes) add(p *outcomes, times int64) {
	for c := range o {
		for s := range o[c] {
			o[c][s] += times * p[c][s]
		}
	}
}

// net is what one unit on a spot wins over all of them.
func (o *outcomes) net(r *housepoker.Rules, rank *hands.Ranking, spot string) int64 {
	sum := int64(0)
	for c := range o {
		for s, n := range o[c] {
			if n > 0 {
				player, bank := examples(r, rank, hands.Category(c), s)
				sum += n * r.Meet(spot, rank, player, bank)
			}
		}
	}
	return sum
}

// examples are two hands that stand so. The player's is a middling one of its
// combination; a bank that does not play has next to nothing.
func examples(r *housepoker.Rules, rank *hands.Ranking, c hands.Category, stand int) (player, bank hands.Value) {
	player = rank.Make(c, 9, 8, 7, 6, 5)
	switch stand {
	case wins:
		if bank = rank.Make(hands.CartaAlta, 7, 5, 4, 3, 2); r.Qualify != nil {
			bank = rank.Make(r.Qualify.Category, r.Qualify.Ranks...)
		}
	case ties:
		bank = player
	case loses:
		bank = ^hands.Value(0)
	default:
		bank = rank.Make(hands.CartaAlta, 7, 5, 4, 3, 2)
	}
	return player, bank
}

// solution is a game under the best play: how often each bet ends how.
type solution struct {
	Deals  int64                                  `json:"deals"`           // all of them
	Folded int64                                  `json:"folded"`          // those in which the player gives up his ante
	Ends   map[string]map[string]map[string]int64 `json:"ends"`            // by spot, combination and stand
	Parts  map[string]string                      `json:"parts,omitempty"` // of some parts of the game, what they come to
}

func (s *solution) put(spot string, o *outcomes) {
	table := map[string]map[string]int64{}
	for c := range o {
		row := map[string]int64{}
		for stand, n := range o[c] {
			if n > 0 {
				row[standNames[stand]] = n
			}
		}
		if len(row) > 0 {
			table[hands.Category(c).String()] = row
		}
	}
	if s.Ends == nil {
		s.Ends = map[string]map[string]map[string]int64{}
	}
	s.Ends[spot] = table
}

func (s *solution) of(t testing.TB, spot string) *outcomes {
	o := new(outcomes)
	for name, row := range s.Ends[spot] {
		c, err := hands.ParseCategory(name)
		if err != nil {
			t.Fatal(err)
		}
		for stand, word := range standNames {
			o[c][stand] = row[word]
		}
	}
	return o
}

// edge is what one ante wins with all that is laid beside it: the spots with
// how many antes lie on each.
func (s *solution) edge(t testing.TB, r *housepoker.Rules, spots map[string]int64) float64 {
	rank := rankOf(t, r)
	sum := -s.Folded
	for spot, times := range spots {
		if sp := r.Spots[spot]; sp.Times > 0 && int64(sp.Times) != times {
			t.Fatalf("%s is %d times the ante, solved for %d", spot, sp.Times, times)
		}
		sum += times * s.of(t, spot).net(r, rank, spot)
	}
	return float64(sum) / float64(s.Deals)
}

// solved is the kept solution of a game; with VISION_TRIAL=all the game is
// solved anew and has to come to the same.
func solved(t testing.TB, name string, solve func() *solution) *solution {
	t.Helper()
	keep.Lock()
	defer keep.Unlock()
	if keep.solutions[name] == nil {
		keep.solutions[name] = readOrSolve(t, name, solve)
	}
	return keep.solutions[name]
}

var keep = struct {
	sync.Mutex
	solutions map[string]*solution
}{solutions: map[string]*solution{}}

func readOrSolve(t testing.TB, name string, solve func() *solution) *solution {
	t.Helper()
	file := filepath.Join("testdata", "solved", name+".json")
	if all() {
		now := solve()
		text, err := json.MarshalIndent(now, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, '\n')
		if *update {
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := os.ReadFile(file); err != nil || string(kept) != string(text) {
			t.Errorf("%s differs from what the game comes to: %v", file, err)
		}
		return now
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := new(solution)
	if err := json.Unmarshal(kept, s); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", file, err))
	}
	return s
}
