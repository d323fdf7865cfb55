package infer

import (
	"time"

	"vision/validate/round"
)

// at is a moment of a made-up round, seconds from its start.
func at(s float64) time.Time { return time.Unix(1000, 0).Add(time.Duration(s * float64(time.Second))) }

// weighed is the probability of a finding of a ruling, whose place was seen in the end.
func weighed(in *Inference, r *Ruling, f round.Finding) float64 {
	e := in.Basis(r, f, false)
	return e.Weigh(in.Priors, in.Rates).P
}
