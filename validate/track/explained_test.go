package track_test

import (
	"strings"
	"testing"
	"time"

	"vision/validate/explain"
	"vision/validate/track/tracktest"
)

// Where hands linger and chips are counted roughly a finding of a played round is seldom sure:
// it then says what else may have happened, and each of its accounts reads as a sentence in
// both languages.
func TestFindingsOfPlayedRoundsAreExplained(t *testing.T) {
	dis := readings["fair"]
	dis.Lingers = 0.2
	dis.Vague = 0.1
	doubted, explained := 0, 0
	for _, game := range []string{"blackjack", "ruleta_americana", "poker_trijoker"} {
		cfg := scriptOf(game, 8200)
		cfg.Faults = 0.6
		s, err := tracktest.PlayTampered(cfg, tracktest.Zones(game, seats), 8, dis, nil)
		if err != nil {
			t.Fatal(err)
		}
		outs, _ := followed(trackerOf(t, game, nil), s)
		for _, r := range rounds(outs) {
			for _, f := range r.Findings {
				if f.P < 0.95 {
					doubted++
				}
				sum := 0.0
				for i := range f.Accounts {
					a := &f.Accounts[i]
					sum += a.P
					es, en := explain.Account("es", a, time.UTC), explain.Account("en", a, time.UTC)
					if es == en || strings.Contains(es+en, "{") || strings.Contains(es+en, "  ") {
						t.Errorf("%s %s: %q, %q", game, f.Code, es, en)
					}
					t.Logf("%s %s %.2f: %s", game, f.Code, f.P, es)
				}
				if len(f.Accounts) > 0 {
					explained++
				}
				if sum > 1+1e-9 {
					t.Errorf("%s %s: accounts of %v", game, f.Code, sum)
				}
			}
		}
	}
	if doubted == 0 || explained < doubted {
		t.Errorf("%d findings are doubted, %d explained", doubted, explained)
	}
}
