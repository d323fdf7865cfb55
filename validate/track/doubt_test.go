package track_test

import (
	"slices"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/tracktest"
)

// withoutOutcome is a session of which nobody saw the ball or the dice of one round; gap: it was
// told that nobody looked then.
func withoutOutcome(s *tracktest.Session, i int, gap bool) *tracktest.Session {
	from, to := s.Starts[i], s.End
	if i+1 < len(s.Starts) {
		to = s.Starts[i+1]
	}
	out := &tracktest.Session{Rounds: s.Rounds, Starts: s.Starts, End: s.End}
	for _, in := range s.Inputs {
		within := !in.Arrives.Before(from) && in.Arrives.Before(to)
		threw := in.Seen != nil && in.Seen.Zone == "dice" && len(in.Seen.Dice) > 0 ||
			in.Heard != nil && in.Heard.Kind == string(round.Ball)
		if !within || !threw {
			out.Inputs = append(out.Inputs, in)
			continue
		}
		if gap && in.Seen != nil {
			o := fact.Observation{
				Kind:   fact.Gap,
				Since:  in.Seen.Time.Add(-1500 * time.Millisecond),
				Time:   in.Seen.Time,
				Camera: "top",
			}
			out.Inputs = append(out.Inputs, tracktest.Input{Arrives: in.Arrives, Seen: &o})
		}
	}
	return out
}

// An outcome that nobody saw leaves the state of the table in doubt: nothing that hangs on it is
// an alert, neither in its round nor in those that follow.
func TestAnOutcomeNobodySawAccusesNobody(t *testing.T) {
	for _, game := range []string{"dados_craps", "banca_francesa_dados", "ruleta_francesa", "ruleta_americana"} {
		for seed := range uint64(seedsOr(2)) {
			cfg := scriptOf(game, seed)
			s, err := tracktest.Play(cfg, tracktest.Zones(game, seats), 6, tracktest.Disorder{})
			if err != nil {
				t.Fatal(err)
			}
			raised := func(s *tracktest.Session) (codes []finding.Code, verified int) {
				for _, r := range rounds(follow(trackerOf(t, game, nil), s)) {
					if r.NotVerifiable == "" {
						verified++
					}
					for _, f := range r.Findings {
						if f.Alert {
							codes = append(codes, f.Code)
						}
					}
				}
				return codes, verified
			}
			all, _ := raised(s)
			for i := range s.Rounds {
				for _, gap := range []bool{false, true} {
					found, verified := raised(withoutOutcome(s, i, gap))
					if verified < len(s.Rounds)-4 {
						t.Errorf("%s, seed %d, outcome %d unseen (gap told: %v): only %d rounds are verified", game, seed, i, gap, verified)
					}
					for _, code := range found {
						if !slices.Contains(all, code) {
							t.Errorf("%s, seed %d, outcome %d unseen (gap told: %v): %s is raised", game, seed, i, gap, code)
						}
					}
				}
			}
		}
	}
}
