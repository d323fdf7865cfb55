package track_test

import (
	"testing"

	"vision/internal/lab/sim/script"
	"vision/validate/track/tracktest"
)

// With one stack in a hundred of three chips or more counted one wrong, by a
// reader that says so, most mistakes are still alerts and few honest rounds
// are. Run with -v for the figures, TRACK_SEEDS=n for more of them.
func TestMiscountsAreMostlyNotes(t *testing.T) {
	var clean, wrong, faults, hits int
	for _, game := range thorough {
		for seed := range uint64(seedsOr(8)) {
			cfg := scriptOf(game, seed)
			cfg.Faults, cfg.Only = 0.2, []script.Fault{
				script.PayUnder,
				script.PayOver,
				script.PayLoser,
				script.PayMissing,
			}
			s, err := tracktest.Play(
				cfg,
				tracktest.Zones(game, seats),
				10,
				tracktest.Disorder{Jitter: 1, Miscount: 0.01},
			)
			if err != nil {
				t.Fatal(err)
			}
			got := rounds(follow(trackerOf(t, game, nil), s))
			for i := range min(len(got), len(s.Rounds)) {
				alerted, hit := false, false
				for _, f := range got[i].Findings {
					alerted = alerted || f.Alert
					for _, w := range s.Rounds[i].Findings {
						hit = hit || f.Alert && f.Code == w.Code && f.Seat == w.Seat
					}
				}
				switch {
				case len(s.Rounds[i].Findings) > 0:
					faults++
					if hit {
						hits++
					}
				default:
					clean++
					if alerted {
						wrong++
					}
				}
			}
		}
	}
	t.Logf("%d of %d faults are alerts; %d of %d clean rounds raise one", hits, faults, wrong, clean)
	if hits*100 < faults*90 || wrong*100 > clean*2 { // a single chip too many may be the count's
		t.Errorf(
			"%d of %d faults are alerts, %d of %d clean rounds raise one; want at least 90 %% and at most 2 %%",
			hits,
			faults,
			wrong,
			clean,
		)
	}
}
