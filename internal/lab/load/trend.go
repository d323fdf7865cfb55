package load

import (
	"math"
	"slices"
)

// Trend is how a quantity grew over a run, by the Theil–Sen estimator: the median of the
// slopes between all pairs of samples, which steps and single peaks do not move (Sen 1968,
// Journal of the American Statistical Association 63:1379).
type Trend struct {
	Level     float64 // median
	Slope     float64 // a second
	Low, High float64 // bounds of the slope with 99 % confidence
}

// Grows reports whether it is certain that the quantity grows, and by more than the share
// of its level in an hour.
func (t Trend) Grows(share float64) bool { return t.Low > 0 && t.Low*3600 > share*t.Level }

// quantile99 of the normal distribution, of two sides.
const quantile99 = 2.5758

// FitTrend fits samples y at times x, seconds. Of fewer than ten nothing is certain.
func FitTrend(x, y []float64) Trend {
	n := float64(len(y))
	out := Trend{Low: math.Inf(-1), High: math.Inf(1)}
	if len(y) == 0 {
		return out
	}
	out.Level = median(slices.Clone(y))
	var slopes []float64
	for i := range y {
		for j := range i {
			if x[i] != x[j] {
				slopes = append(slopes, (y[i]-y[j])/(x[i]-x[j]))
			}
		}
	}
	if len(slopes) == 0 {
		return out
	}
	out.Slope = median(slopes)
	if len(y) < 10 {
		return out
	}
	// The bounds are the slopes of these ranks, from the variance of Kendall's S. Ties make
	// it smaller: the bounds are then wider than need be.
	c := quantile99 * math.Sqrt(n*(n-1)*(2*n+5)/18)
	k := float64(len(slopes))
	at := func(rank float64) float64 { return slopes[int(min(max(rank, 0), k-1))] } // median has sorted them
	out.Low, out.High = at((k-c)/2), at((k+c)/2)
	return out
}

// median sorts v.
func median(v []float64) float64 {
	slices.Sort(v)
	m := len(v) / 2
	if len(v)%2 == 0 {
		return (v[m-1] + v[m]) / 2
	}
	return v[m]
}
