// Package fit fits to readings of known truth the maps by which readers tell calibrated probabilities.
package fit

import (
	"math"
	"math/rand/v2"

	"vision/internal/lab/bootstrap"
	"vision/recognize/temperature"
)

// Sample is a reading whose truth is known: its probabilities, the likeliest label's first,
// and whether that label is right. Readings of one picture are not independent.
type Sample struct {
	Picture string
	P       []float64
	Right   bool
}

// Fitted is a map with the 95 % intervals of its temperature and offset (bootstrap over
// pictures).
type Fitted struct {
	Map       temperature.Map
	Intervals [2][2]float64
}

// Identity reports whether the samples do not tell the map from one that changes nothing.
func (f Fitted) Identity() bool {
	for i, v := range temperature.Identity {
		if v < f.Intervals[i][0] || v > f.Intervals[i][1] {
			return false
		}
	}
	return true
}

const (
	most  = 10.0 // the range of temperatures that is searched is from 1 over that to that
	draws = 100  // of the bootstrap
)

// Map is the map by which it is likeliest that those labels are right which are. Where all
// are, or none is, the likelihood alone would have them certain: the targets are Platt's,
// who counts one more of each.
func Map(samples []Sample) Fitted {
	f := Fitted{Map: fit(samples)}
	var drawn [2][]float64
	picture := func(s *Sample) string { return s.Picture }
	bootstrap.Draw(samples, picture, draws, rand.New(rand.NewPCG(1, 1)), func(again []Sample) {
		for i, v := range fit(again) {
			drawn[i] = append(drawn[i], v)
		}
	})
	for i, d := range drawn {
		f.Intervals[i] = bootstrap.Interval(d)
	}
	return f
}

// fit searches for the least loss: the temperature by the golden section, at each the offset.
func fit(samples []Sample) temperature.Map {
	const ratio, near = 0.6180339887498949, 2e-3
	loss := func(log float64) float64 {
		_, l := offset(samples, math.Exp(log))
		return l
	}
	a, b := -math.Log(most), math.Log(most)
	c, d := b-ratio*(b-a), a+ratio*(b-a)
	atC, atD := loss(c), loss(d)
	for b-a > near {
		if atC < atD {
			b, d, atD = d, c, atC
			c = b - ratio*(b-a)
			atC = loss(c)
		} else {
			a, c, atC = c, d, atD
			d = a + ratio*(b-a)
			atD = loss(d)
		}
	}
	t := math.Exp((a + b) / 2)
	o, _ := offset(samples, t)
	return temperature.Map{t, o}
}

// offset is the best one at a temperature, by Newton's method, and its loss.
func offset(samples []Sample, t float64) (b, loss float64) {
	const farthest, steps = 12.0, 30
	logits, targets := make([]float64, len(samples)), make([]float64, len(samples))
	right := 0.0
	for _, s := range samples {
		if s.Right {
			right++
		}
	}
	yes, no := (right+1)/(right+2), 1/(float64(len(samples))-right+2)
	for i, s := range samples {
		p := temperature.Map{t}.Of(s.P)[0]
		p = min(max(p, 1e-12), 1-1e-12)
		logits[i], targets[i] = math.Log(p/(1-p)), no
		if s.Right {
			targets[i] = yes
		}
	}
	for range steps {
		slope, bend := 0.0, 1e-9
		for i, z := range logits {
			p := 1 / (1 + math.Exp(-z-b))
			slope += p - targets[i]
			bend += p * (1 - p)
		}
		step := min(max(slope/bend, -1), 1)
		b = min(max(b-step, -farthest), farthest)
		if math.Abs(step) < 1e-6 {
			break
		}
	}
	for i, z := range logits {
		// -log p is log(1+exp(-z)), without loss of digits
		loss += targets[i]*softplus(-z-b) + (1-targets[i])*softplus(z+b)
	}
	return b, loss
}

// softplus is the logarithm of 1 + exp(z).
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }
