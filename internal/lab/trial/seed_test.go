package trial

import (
	"testing"

	"vision/internal/lab/sim"
	"vision/internal/lab/sim/script"
	"vision/internal/money"
)

// With one seed for all games some err and others do not, as they would with a seed each.
func TestGamesErrByThemselves(t *testing.T) {
	table, err := sim.New(sim.Config{Game: "blackjack", Size: [2]int{480, 270}})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	low, high, _ := table.House()
	games, erred, seeds := sim.Games(), 0, map[uint64]bool{}
	for _, game := range games {
		seeds[SeedOf(1, game)] = true
		g, err := script.New(script.Config{Game: "blackjack", Seed: SeedOf(1, game), Seats: 3,
			Palette: table.Calibration().Palette, Min: money.Cents(low), Max: money.Cents(high), Faults: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if g.Next().Truth.Fault != "" {
			erred++
		}
	}
	if n := len(games); len(seeds) != n || erred < n/5 || erred > 4*n/5 {
		t.Errorf("by %d seeds %d of %d err; want about half", len(seeds), erred, n)
	}
}
