package trial

import (
	"fmt"
	"slices"

	"vision/internal/lab/sim/script"
	"vision/validate/round"
)

// Dispute is what the simulator and the rules engine say differently of one true
// record: findings that only the script names, and findings that only the rules make.
// Each has its truth from the norm by a way of its own; where both agree none is
// measured against itself.
func Dispute(said []script.Finding, judged []round.Finding) (missing []script.Finding, beside []round.Finding) {
	beside = slices.Clone(judged)
	for _, want := range said {
		i := slices.IndexFunc(beside, func(f round.Finding) bool { return claims(want, findingOf(f)) })
		if i < 0 {
			missing = append(missing, want)
			continue
		}
		beside = slices.Delete(beside, i, i+1)
	}
	return missing, beside
}

// claims reports whether a finding is the one that is expected; what is left out of that
// is not claimed.
func claims(want script.Finding, f Finding) bool {
	return want.Code == f.Code &&
		(want.Seat == 0 || want.Seat == f.Seat) &&
		(want.Spot == "" || want.Spot == f.Spot) &&
		(want.Zone == "" || want.Zone == f.Zone) &&
		(want.Expected == nil || text(want.Expected) == f.Expected) &&
		(want.Observed == nil || text(want.Observed) == f.Observed)
}

// disputed says it in lines, for a result.
func disputed(t script.Truth, judged []round.Finding) (out []string) {
	missing, beside := Dispute(t.Findings, judged)
	for _, f := range missing {
		out = append(out, fmt.Sprintf("round %s: only the simulator finds %s", t.Record.ID, text(f)))
	}
	for _, f := range beside {
		out = append(out, fmt.Sprintf("round %s: only the rules find %s", t.Record.ID, text(f)))
	}
	return out
}
