package track

import (
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// judged gives every finding of a ruling its probability, its threshold and its place in time.
func (t *Tracker) judged(r *infer.Ruling) []Judged {
	out := make([]Judged, len(r.Verdict.Findings))
	for i, f := range r.Verdict.Findings {
		out[i] = t.weigh(r, f)
	}
	return out
}

func (t *Tracker) weigh(r *infer.Ruling, f round.Finding) Judged {
	hidden := t.hiddenAtEnd(r.Scene, narrate.Physical(f.Seat, f.Spot))
	p := t.inference.Posterior(r, f, hidden)
	j := Judged{Finding: f, P: p, At: r.Now(), Accounts: t.inference.Accounts(r, f)}
	if t.cfg.Evidence {
		e := t.inference.Evidence(r, f, hidden)
		j.Evidence = &e
	}
	from := j.At
	if f.Event >= 0 && f.Event < len(r.Entries) {
		j.At, from = r.Entries[f.Event].At, r.Entries[f.Event].From
	}
	if from.After(j.At) {
		from = j.At
	}
	j.From, j.To = from.Add(-scene.OneGo), j.At.Add(2*scene.Act)
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
