package track

import (
	"math"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/scene"
)

// Racks are the racks of a table's cameras.
type Racks = scene.Racks

// rackVaries adds to a round that the bank's rack does not show what was collected and paid.
func (t *Tracker) rackVaries(out *Round, r *infer.Ruling) {
	v, ok := t.inference.RackVariance(r)
	if !ok {
		return
	}
	delta := v.Observed - v.Expected
	f := round.Finding{Code: finding.RackVariance, Severity: finding.Major, Expected: v.Expected, Observed: v.Observed,
		Delta: &delta, Event: max(len(out.Record.Events)-1, 0), Rule: t.cfg.Norm + " " + t.label + " (house control)"}
	out.Verdict.Findings = append(out.Verdict.Findings, f)
	out.Verdict.Seal(&out.Record)
	j := Judged{Finding: f, Evidence: math.Round(10*v.Evidence) / 10, P: v.P, Alert: v.P >= t.policy().Threshold,
		At: v.Growth.To, From: v.Growth.From, To: v.Growth.To}
	if t.cfg.Basis {
		j.Basis = &v.Basis
	}
	out.Findings = append(out.Findings, j)
}
