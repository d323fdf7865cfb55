package track

import (
	"time"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// judged gives every finding of a ruling its probability: the weight of the hypotheses in
// which it holds.
func (t *Tracker) judged(r *infer.Ruling) []Judged {
	out := make([]Judged, len(r.Verdict.Findings))
	for i, f := range r.Verdict.Findings {
		p := t.inference.Posterior(r, f)
		if r.SpeaksOfUncounted(f) {
			p = min(p, infer.MostUncounted)
		}
		out[i] = t.weigh(r, f, p)
	}
	return out
}

// weigh gives a finding its probability, its threshold and its place in time.
func (t *Tracker) weigh(r *infer.Ruling, f round.Finding, p float64) Judged {
	if r.Unsure(f) ||
		finding.Of(f.Code).Round.Omits == finding.OmittedChips &&
			t.hiddenAtEnd(r.Scene, narrate.Physical(f.Seat, f.Spot)) {
		p = min(p, infer.MostUncounted)
	} else if r.InGap(f) {
		p = min(p, infer.MostInGap)
	} else if r.Rough[f.Seat] {
		p = min(p, 0.85) // of what hangs on no amount
	}
	j := Judged{Finding: f, P: p, At: r.Now(), Accounts: t.inference.Accounts(r, f)}
	from := j.At
	if f.Event >= 0 && f.Event < len(r.Entries) {
		j.At, from = r.Entries[f.Event].At, r.Entries[f.Event].From
	}
	if from.After(j.At) {
		from = j.At
	}
	j.From, j.To = from.Add(-4*time.Second), j.At.Add(2*time.Second)
	j.Alert = f.Code != finding.NotObservable && p >= t.threshold(f.Code)
	return j
}

// hiddenAtEnd reports whether nobody saw how a place looked when its round ended: hands
// lay over it before, and lie there still or have left it changed.
func (t *Tracker) hiddenAtEnd(sc *scene.Scene, p scene.Place) bool {
	if sc.AcrossEnd[p] || sc.AcrossEnd[scene.Place{Seat: p.Seat, Spot: scene.PaySpot}] {
		return true
	}
	for name, m := range t.now.Zones {
		z := t.layout.Zones[name]
		at := z.Own == p || z.Own.Spot == "" || z.Own == scene.Place{Seat: p.Seat, Spot: scene.PaySpot}
		if z.Chips && at && !m.MovingSince.IsZero() && m.MovingSince.Before(sc.Ended) {
			return true
		}
	}
	return false
}

func (t *Tracker) threshold(code finding.Code) float64 {
	if t.cfg.Limit != nil {
		return t.cfg.Limit(code)
	}
	if v, ok := t.cfg.Thresholds[code]; ok {
		return v
	}
	return t.cfg.Threshold
}
