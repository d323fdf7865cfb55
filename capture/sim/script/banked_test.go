package script

import (
	"maps"
	"os"
	"slices"
	"testing"
)

// pokers are the games whose money the rules are asked for.
var pokers = slices.Concat(slices.Sorted(maps.Keys(bankedGames)), slices.Sorted(maps.Keys(circulo)))

// fewer are so many rounds, or a few of the pokers: whose turn it is they ask
// of the rules at every step.
func fewer(game string, n int) int {
	if slices.Contains(pokers, game) {
		return min(n, 15)
	}
	return n
}

func TestCleanPokerRaisesNothing(t *testing.T) {
	for _, game := range pokers {
		t.Run(game, func(t *testing.T) {
			g := newGame(t, Config{Game: game, Seed: 7})
			for range fewer(game, 40) {
				r := g.Next()
				if v := judge(t, r.Truth.Record); len(v.Findings) > 0 || len(r.Truth.Findings) > 0 {
					t.Fatalf("findings %+v\n%s", v.Findings, dump(r.Truth.Record))
				}
			}
		})
	}
}

// Every fault of the pokers raises the finding that the script expects; what
// follows from it beside that is the rules' to say.
func TestPokerFaultsAreFaults(t *testing.T) {
	for _, game := range pokers {
		for _, fault := range FaultsOf(game) {
			if circulo[game] != "" && game != "holdem_circulo" && os.Getenv("TRACK_SEEDS") == "" {
				continue
			}
			t.Run(game+"/"+string(fault), func(t *testing.T) {
				g := newGame(t, Config{Game: game, Seed: 11, Faults: 1, Only: []Fault{fault}})
				committed := 0
				for n := 0; committed < 2; n++ {
					if n == 400 {
						t.Fatalf("committed in %d of %d rounds", committed, n)
					}
					r := g.Next()
					v := judge(t, r.Truth.Record)
					for _, want := range r.Truth.Findings {
						committed++
						if !slices.Contains(codes(v), want.Code) {
							t.Fatalf("found %v, want %s\n%s", codes(v), want.Code, dump(r.Truth.Record))
						}
					}
					if len(r.Truth.Findings) == 0 && len(v.Findings) > 0 {
						t.Fatalf("nothing was done and %v found\n%s", codes(v), dump(r.Truth.Record))
					}
				}
			})
		}
	}
}
