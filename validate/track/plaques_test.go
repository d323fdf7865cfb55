package track_test

import (
	"slices"
	"testing"

	"vision/calibration"
	"vision/internal/lab/sim/script"
	"vision/internal/money"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// Bets and payments in plaques and chips are told as they were made, and wrong
// payments among them are found.
func TestPlaquesAreMoney(t *testing.T) {
	set := append(
		tracktest.Palette(seats),
		calibration.Chip{
			ID:     "p1000",
			Length: 78,
			Width:  49,
			Value:  100000,
		},
		calibration.Chip{ID: "p5000", Length: 78, Width: 49, Value: 500000},
	)
	for _, game := range []string{"blackjack", "punto_banco"} {
		t.Run(game, func(t *testing.T) {
			b, laid, missed := books(t), 0, 0
			for seed := range uint64(seedsOr(8)) {
				cfg := scriptOf(game, seed)
				cfg.Palette, cfg.Stakes, cfg.Min, cfg.Max = set, 50, 50*cfg.Min, 50*cfg.Max
				cfg.Faults, cfg.Only = 0.3, []script.Fault{script.PayUnder}
				g, err := script.New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				var played []script.Round
				for range 6 {
					r := g.Next()
					played = append(played, r)
					for _, a := range r.Acts {
						for _, p := range a.Piles {
							if p.Plaques {
								laid++
							}
						}
					}
				}
				s := tracktest.Perform(played, tracktest.Zones(game, seats), set, seed, tracktest.Disorder{Jitter: 1})
				got := rounds(
					follow(
						trackerOf(
							t,
							game,
							func(c *track.Config) { c.Palette, c.Min, c.Max = set, money.Cents(cfg.Min), money.Cents(cfg.Max) },
						),
						s,
					),
				)
				if len(got) != len(played) {
					t.Fatalf("seed %d: %d rounds told, %d played", seed, len(got), len(played))
				}
				for i, r := range got {
					if want, have := judged(t, b, r, s.Rounds[i]), found(r.Verdict.Findings); !slices.Equal(
						want,
						have,
					) {
						t.Errorf("seed %d round %d: want %v, found %v", seed, i, want, have)
					}
					if recorded, was := lines(t, r.Record.Events), lines(t, s.Rounds[i].Record.Events); len(
						s.Rounds[i].Findings,
					) == 0 &&
						!slices.Equal(recorded, was) {
						missed++
						t.Logf("seed %d round %d: told | played\n%s", seed, i, sideBySide(recorded, was))
					}
				}
			}
			if laid == 0 || missed > 0 {
				t.Errorf("%d piles of plaques were laid; %d rounds told otherwise than played", laid, missed)
			}
		})
	}
}
