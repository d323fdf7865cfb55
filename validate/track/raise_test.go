package track_test

import (
	"testing"
	"time"

	"vision/capture/sim/script"
	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// A second stake that is not what the first demands is told while the round runs, a
// few seconds after it lies, and does not wait for the bank's hand.
func TestAWrongRaiseIsRaisedWhenItLies(t *testing.T) {
	for _, game := range []string{"tripoker", "texas_poker", "poker_con_descarte"} {
		t.Run(game, func(t *testing.T) {
			cfg := scriptOf(game, 5)
			cfg.Faults, cfg.Only = 1, []script.Fault{script.WrongRaise}
			s, err := tracktest.Play(cfg, tracktest.Zones(game, seats), 6, readings["fair"])
			if err != nil {
				t.Fatal(err)
			}
			outs, said := followed(trackerOf(t, game, nil), s)
			raised := map[string]time.Time{}
			for i, o := range outs {
				if a, ok := o.(*track.Alert); ok && a.State == track.Raised && a.Code == "raise_wrong" {
					raised[a.Round] = said[i]
				}
			}
			planted := 0
			for i, r := range rounds(outs) {
				for _, f := range r.Verdict.Findings {
					if f.Code != "raise_wrong" || r.Record.Events[f.Event].Type != round.Bet {
						continue
					}
					planted++
					laid := s.Starts[i].Add(time.Duration(s.Rounds[i].Record.Events[f.Event].T * float64(time.Second)))
					if late := raised[r.Record.ID].Sub(laid); late < 0 || late > 4*time.Second {
						t.Errorf("round %d: raised %v after the stake was laid", i+1, late)
					}
				}
			}
			if planted == 0 {
				t.Error("no round had one")
			}
		})
	}
}
