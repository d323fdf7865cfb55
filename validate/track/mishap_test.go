package track_test

import (
	"fmt"
	"slices"
	"testing"

	"vision/internal/lab/sim/script"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// What happens at tables without being a mistake gives the record that was played
// and raises nothing that stands: a payment that is put right may be raised while it
// lies wrong, and is a note in the end.
func TestMishapsRaiseNothing(t *testing.T) {
	for _, mishap := range script.Mishaps() {
		t.Run(string(mishap), func(t *testing.T) {
			played := 0
			for _, game := range games {
				seeds := max(1, seedsOr(2))
				if !slices.Contains(thorough, game) {
					seeds = max(1, seedsOr(1))
				}
				t.Run(game, func(t *testing.T) {
					for seed := range uint64(seeds) {
						cfg := scriptOf(game, 3000+seed)
						cfg.Mishaps, cfg.Mishap = 1, []script.Mishap{mishap}
						s, err := tracktest.Play(cfg, tracktest.Zones(game, seats), 6, readings["fair"])
						if err != nil {
							t.Fatal(err)
						}
						played += mishapsTold(t, seed, s, follow(trackerOf(t, game, nil), s))
					}
				})
			}
			if t.Logf("%d rounds", played); played == 0 {
				t.Error("no round had one")
			}
		})
	}
}

// mishapsTold holds what was told of a session against what was played, and gives
// the number of its mishaps.
func mishapsTold(t *testing.T, seed uint64, s *tracktest.Session, outs []track.Out) (n int) {
	t.Helper()
	got, open := rounds(outs), map[string]bool{}
	for _, a := range alerts(outs) {
		open[fmt.Sprint(a.Round, a.Code, a.Seat, a.Spot, a.Zone)] = a.State != track.Corrected
	}
	for name, stands := range open {
		if stands {
			t.Errorf("seed %d: %s stands", seed, name)
		}
	}
	for _, truth := range s.Rounds {
		if truth.Mishap != "" {
			n++
		}
		if truth.Mishap == script.Abandoned {
			continue
		}
		if len(got) == 0 {
			t.Fatalf("seed %d: a round is not told", seed)
		}
		r := got[0]
		got = got[1:]
		if recorded, played := lines(t, r.Record.Events), lines(t, truth.Record.Events); !slices.Equal(recorded, played) {
			t.Errorf("seed %d, %q: told | played\n%s", seed, truth.Mishap, sideBySide(recorded, played))
		}
		if len(r.Findings) > 0 {
			t.Errorf("seed %d, %q: %v", seed, truth.Mishap, codes(r))
		}
		if truth.Mishap == script.PutRight && !slices.Contains(notes(r), track.NoteCorrected) {
			t.Errorf("seed %d: notes %v, want a correction", seed, notes(r))
		}
	}
	if len(got) > 0 {
		t.Errorf("seed %d: %d rounds too many", seed, len(got))
	}
	return n
}
