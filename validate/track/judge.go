package track

import (
	"math"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// judged gives every finding of a ruling its probability, its threshold and its place in time.
func (t *Tracker) judged(r *infer.Ruling) []Judged {
	out, policy := make([]Judged, len(r.Verdict.Findings)), t.policy()
	for i, f := range r.Verdict.Findings {
		out[i] = t.weigh(r, f)
		out[i].Alert = f.Code != finding.NotObservable && out[i].P >= policy.Threshold
	}
	first := t.inference.Incidents(r)
	for i := range out {
		for j := range out {
			if i != j && first[i] == first[j] {
				out[i].With = append(out[i].With, out[j].Finding)
			}
		}
	}
	return out
}

// policy is that of the house, by whose rates findings are weighed from now on.
func (t *Tracker) policy() Policy {
	p := t.cfg.Policy()
	t.inference.Rates = p.Rates
	return p
}

func (t *Tracker) weigh(r *infer.Ruling, f round.Finding) Judged {
	hidden := t.hiddenAtEnd(r.Scene, narrate.Physical(f.Seat, f.Spot))
	b := t.inference.Basis(r, f, hidden)
	w := b.Weigh(t.inference.Priors, t.inference.Rates)
	j := Judged{
		Finding: f, Evidence: math.Round(10*w.Evidence) / 10, P: w.P, At: r.Now(), Accounts: t.inference.Accounts(r, f),
	}
	if grown, ok := r.RackGrew(); ok && finding.Of(f.Code).About == finding.Money {
		j.Rack = &grown
	}
	if t.cfg.Basis {
		j.Basis = &b
	}
	from := j.At
	if e, ok := r.Entry(f); ok {
		j.At, from = e.At, scene.Earliest(e.From, e.At)
	}
	j.From, j.To = from.Add(-scene.OneGo), j.At.Add(2*scene.Act)
	return j
}

// hiddenAtEnd reports whether nobody saw how a place looked when its round ended: hands
// lay over it before, and lie there still or have left it changed.
func (t *Tracker) hiddenAtEnd(sc *scene.Scene, p scene.Place) bool {
	pay := scene.PayPlace(p.Seat)
	return sc.AcrossEnd[p] || sc.AcrossEnd[pay] || t.hands(func(_ string, z *scene.Zone, since time.Time) bool {
		return z.Chips && (z.Own == p || z.Own.Spot == "" || z.Own == pay) && since.Before(sc.Ended)
	})
}

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
