package blackjack_test

import (
	"strings"
	"testing"

	"vision/internal/testkit/rounds"
	"vision/validate/round"
)

// TestChoicesEndBeforeTheBankDraws: insurance, retirada and even money are chosen
// before the third card. Where no box takes one, the bank's second card ends the
// choice: the bank draws «entonces» (V.1.b), and who has seen it insures nothing.
func TestChoicesEndBeforeTheBankDraws(t *testing.T) {
	const (
		deal  = "bet 1 main 1000; bet 2 main 1000; card seat:1 As; card seat:2 7c; card bank Ad; card seat:1 Kd; card seat:2 Td; say croupier seguro; "
		nine  = "bet 1 main 1000; bet 2 main 1000; card seat:1 Ts; card seat:2 7c; card bank 9d; card seat:1 8d; card seat:2 Td; "
		even  = "act 1 even_money"
		quits = "act 2 surrender"
	)
	for _, c := range []struct {
		what, norms, before, choice, bank string
		seat                              int
		spot                              string
		inTime, after                     round.Outcome
		finding                           string // of the choice after the bank's second card
	}{
		{"insurance", "nacional-1979 balears-2005 andalucia-2010 cantabria-2010", deal, "bet 2 seguro 500", "card bank Kc", 2, "seguro", round.Win, round.Void, "late_bet 2 seguro"},
		{"even money", "balears-2005 andalucia-2010 cantabria-2010", deal, even, "card bank Kc", 1, "main", round.Win, round.Push, "player_action_not_allowed 1"},
		{"retirada", "balears-2005 cantabria-2010", nine, quits, "card bank 9c", 2, "main", round.Half, round.Lose, "player_action_not_allowed 2"},
	} {
		for _, norm := range strings.Fields(c.norms) {
			setup := norm + ` blackjack "table":{"min":500,"max":50000}`
			for _, x := range []struct {
				events string
				want   round.Outcome
				found  bool
			}{{c.before + c.choice + "; " + c.bank, c.inTime, false}, {c.before + c.bank + "; " + c.choice, c.after, true}} {
				v := rounds.Verdict(t, rounds.Script(t, setup, x.events))
				for _, s := range v.Settlement {
					if s.Seat == c.seat && s.Spot == c.spot && s.Outcome != x.want {
						t.Errorf("%s, %s: %s: %s, want %s", norm, c.what, x.events, s.Outcome, x.want)
					}
				}
				if got := rounds.Brief(v.Findings, rounds.Seat, rounds.Spot); strings.Contains(got, c.finding) != x.found {
					t.Errorf("%s, %s: %s: found %s", norm, c.what, x.events, got)
				}
			}
		}
	}
}
