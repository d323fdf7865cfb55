package track

import (
	"slices"

	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/scene"
)

// unobserved adds to a round that the money of its uncounted bets could not be checked.
func (t *Tracker) unobserved(out *Round, bets []scene.Place) {
	if len(bets) == 0 {
		return
	}
	for _, p := range bets {
		f := t.notObservable(out)
		f.Seat, f.Spot = p.Seat, p.Spot
		if slices.ContainsFunc(out.Verdict.Findings, func(o round.Finding) bool { return infer.AboutOf(o) == infer.AboutOf(f) }) {
			continue
		}
		out.Verdict.Findings = append(out.Verdict.Findings, f)
		out.Findings = append(out.Findings, Judged{Finding: f, P: 1, At: out.End, From: out.Start, To: out.End})
	}
	out.Verdict.Seal(&out.Record)
}
