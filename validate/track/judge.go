package track

import (
	"time"

	"vision/validate/finding"
	"vision/validate/round"
)

// judged gives every finding of a ruling its probability: the weight of the hypotheses in
// which it holds.
func (t *Tracker) judged(r *ruling) []Judged {
	out := make([]Judged, len(r.verdict.Findings))
	for i, f := range r.verdict.Findings {
		p := t.posterior(r, f)
		if r.story.speaksOfUncounted(f) {
			p = min(p, uncounted)
		}
		out[i] = t.weigh(r, f, p)
	}
	return out
}

// weigh gives a finding its probability, its threshold and its place in time.
func (t *Tracker) weigh(r *ruling, f round.Finding, p float64) Judged {
	if r.story.unsure(f) || finding.Of(f.Code).Round.Omits == finding.OmittedChips && t.hiddenAtEnd(r.story.sc, physical(f.Seat, f.Spot)) {
		p = min(p, uncounted)
	} else if r.story.glimpsed(f) {
		p = min(p, glimpse)
	} else if r.story.vague[f.Seat] {
		p = min(p, 0.85) // of what hangs on no amount
	}
	j := Judged{Finding: f, P: p, At: r.story.now(), Accounts: t.accounts(r, f)}
	from := j.At
	if f.Event >= 0 && f.Event < len(r.told) {
		j.At, from = r.told[f.Event].at, r.told[f.Event].from
	}
	if from.After(j.At) {
		from = j.At
	}
	j.From, j.To = from.Add(-4*time.Second), j.At.Add(2*time.Second)
	j.Alert = f.Code != finding.NotObservable && p >= t.threshold(f.Code)
	return j
}

// hiddenAtEnd tells that nobody saw how a place looked when its round ended: hands
// lay over it before, and lie there still or have left it changed.
func (t *Tracker) hiddenAtEnd(sc *scene, p place) bool {
	if sc.straddled[p] || sc.straddled[place{p.Seat, paySpot}] {
		return true
	}
	for name, m := range t.now.zones {
		z := t.atlas.zones[name]
		at := z.own == p || z.own.Spot == "" || z.own == place{p.Seat, paySpot}
		if z.chips && at && !m.stirred.IsZero() && m.stirred.Before(sc.ended) {
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
