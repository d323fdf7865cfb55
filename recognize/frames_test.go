package recognize

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"vision/calibration"
	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/fit"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
)

// layFor lays something that a zone is read for: a card, a stack in some of them, two dice.
func layFor(s *sim.Still, z calibration.Zone, rng *rand.Rand) (err error) {
	switch {
	case z.Wants("dice"):
		_, err = s.Dice(2)
	case z.Wants("cards"):
		err = s.Cards(z.Name, []card.Card{drawn(rng, false)})
	case z.Wants("chips") && z.Spot != "" && z.Spot != "pay" && rng.IntN(2) == 0:
		_, err = s.Stacks(z.Name, 1, 12, rng.IntN(3) == 0)
	}
	return err
}

// Fits how far pictures of one rest err alike, which parameters.go has: FRAMES is how many times
// each of three tables is laid, of seeds of their own under house conditions, in H.264. Every zone
// is read in three pictures, as the live table reads it.
func TestFitFrames(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("FRAMES"))
	if err != nil {
		t.Skip("fits only where it is asked how many times tables are laid (FRAMES)")
	}
	groups, rng := map[string][][]float64{}, rand.New(rand.NewPCG(41, 1))
	for i, game := range []string{"blackjack", "punto_banco", "dados_craps"} {
		s, tab := deskOf(t, sim.Config{Game: game, Seed: uint64(9711 + i), Condition: conditioned(t, condition.House)})
		shoot := coded(t, s)
		for range n {
			s.Clear()
			for _, z := range tab.zones {
				z.reset()
				if err := layFor(s, z.Zone, rng); err != nil {
					t.Fatal(err)
				}
			}
			seen := make([][]fact.Observation, len(tab.zones))
			for range 3 {
				img := shoot()
				for i, z := range tab.zones {
					z.fused = rest{}
					o, _, err := tab.read(z, img)
					if err != nil {
						t.Fatal(err)
					}
					seen[i] = append(seen[i], o)
				}
			}
			for _, pictures := range seen {
				for kind, more := range fit.Odds(pictures) {
					groups[kind] = append(groups[kind], more...)
				}
			}
			for kind, g := range groups {
				if len(g) > 1 {
					t.Logf("%s: correlation %.3f, of %d things", kind, fit.Correlation(g), len(g))
				}
			}
		}
	}
}

// Fits how far two cameras of a table err alike, which recognize/fusion has: the tables of
// TestFitFrames, laid FRAMES times, as the main camera and one at a side see them. It also gives
// how far apart both have one thing.
func TestFitViews(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("FRAMES"))
	if err != nil {
		t.Skip("fits only where it is asked how many times tables are laid (FRAMES)")
	}
	groups, apart := map[string][][]float64{}, map[string][]float64{}
	for i, game := range []string{"blackjack", "punto_banco", "dados_craps"} {
		var sights [2][][]fact.Observation // by picture and zone
		for view := range sights {
			cfg := sim.Config{Game: game, Seed: uint64(9711 + i), View: view, Condition: conditioned(t, condition.House)}
			s, tab := deskOf(t, cfg)
			shoot, rng := coded(t, s), rand.New(rand.NewPCG(41, uint64(i)))
			for range n {
				s.Clear()
				for _, z := range tab.zones {
					z.reset()
					if err := layFor(s, z.Zone, rng); err != nil {
						t.Fatal(err)
					}
				}
				img, seen := shoot(), make([]fact.Observation, len(tab.zones))
				for i, z := range tab.zones {
					if z.tubes != nil {
						continue
					}
					z.fused = rest{}
					if seen[i], _, err = tab.read(z, img); err != nil {
						t.Fatal(err)
					}
				}
				sights[view] = append(sights[view], seen)
			}
		}
		for k := range n {
			for i, one := range sights[0][k] {
				if i >= len(sights[1][k]) {
					continue // the rack, which the side does not see
				}
				other := sights[1][k][i]
				for kind, more := range fit.Odds([]fact.Observation{one, other}) {
					groups[kind] = append(groups[kind], more...)
				}
				for kind, list := range fit.Readings(one) {
					for _, r := range list {
						d := 100.0
						for _, o := range fit.Readings(other)[kind] {
							d = min(d, math.Hypot(o.At[0]-r.At[0], o.At[1]-r.At[1]))
						}
						apart[kind] = append(apart[kind], d)
					}
				}
			}
		}
	}
	for kind, g := range groups {
		d := apart[kind]
		slices.Sort(d)
		t.Logf("%s: correlation %.3f, of %d things; apart p50 %.1f p90 %.1f p95 %.1f mm of %d",
			kind, fit.Correlation(g), len(g), d[len(d)/2], d[len(d)*9/10], d[len(d)*19/20], len(d))
	}
}
