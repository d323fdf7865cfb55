package script

import (
	"encoding/json"
	"fmt"
	"testing"

	"vision/calibration"
	"vision/validate/round"
)

var allGames = Games()

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

func TestTheSameSeedPlaysTheSameRounds(t *testing.T) {
	for _, game := range allGames {
		a, b := newGame(t, Config{Game: game, Seed: 5, Faults: 0.5}), newGame(t, Config{Game: game, Seed: 5, Faults: 0.5})
		for range 50 {
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
		for range 200 {
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
