package trial

import (
	"testing"

	"vision/internal/lab/sim/script"
	"vision/validate/finding"
	"vision/validate/round"
)

func TestDispute(t *testing.T) {
	under := round.Finding{Code: finding.PayoutUnder, Seat: 2, Spot: "main", Expected: 1000, Observed: 500}
	late := round.Finding{Code: finding.LateBet, Seat: 1, Spot: "main"}
	for _, c := range []struct {
		name            string
		said            []script.Finding
		judged          []round.Finding
		missing, beside int
	}{
		{"nothing", nil, nil, 0, 0},
		{"what is left out is not claimed", []script.Finding{{Code: finding.PayoutUnder, Seat: 2}}, []round.Finding{under}, 0, 0},
		{"the whole", []script.Finding{{Code: finding.PayoutUnder, Seat: 2, Spot: "main", Expected: 1000, Observed: 500}},
			[]round.Finding{under}, 0, 0},
		{"another amount", []script.Finding{{Code: finding.PayoutUnder, Seat: 2, Expected: 900}}, []round.Finding{under}, 1, 1},
		{"another seat", []script.Finding{{Code: finding.PayoutUnder, Seat: 3}}, []round.Finding{under}, 1, 1},
		{"only the rules", nil, []round.Finding{under, late}, 0, 2},
		{"only the simulator", []script.Finding{{Code: finding.LateBet}, {Code: finding.LateBet}}, []round.Finding{late}, 1, 0},
	} {
		missing, beside := Dispute(c.said, c.judged)
		if len(missing) != c.missing || len(beside) != c.beside {
			t.Errorf("%s: missing %v, beside %v", c.name, missing, beside)
		}
		if got := disputed(script.Truth{Findings: c.said}, c.judged); len(got) != c.missing+c.beside {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
