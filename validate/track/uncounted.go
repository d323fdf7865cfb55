package track

import (
	"slices"

	"vision/validate/round"
)

// unobserved adds to a round that the money of its uncounted bets could not be checked.
func (t *Tracker) unobserved(out *Round, bets []place) {
	if len(bets) == 0 {
		return
	}
	for _, p := range bets {
		f := t.notObservable(out)
		f.Seat, f.Spot = p.Seat, p.Spot
		if slices.ContainsFunc(out.Verdict.Findings, func(o round.Finding) bool { return key(o) == key(f) }) {
			continue
		}
		out.Verdict.Findings = append(out.Verdict.Findings, f)
		out.Findings = append(out.Findings, Judged{Finding: f, P: 1, At: out.End, From: out.Start, To: out.End})
	}
	out.Verdict.Seal(&out.Record)
}
