package temperature

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Sample is a reading whose truth is known: its probabilities, the likeliest label's first,
// and whether that label is right. Readings of one picture are not independent.
type Sample struct {
	Picture string
	P       []float64
	Right   bool
}

// Fitted is a temperature with its 95 % interval (bootstrap over pictures).
type Fitted struct{ T, Low, High float64 }

// One reports whether the samples do not tell the temperature from 1.
func (f Fitted) One() bool { return f.Low <= 1 && f.High >= 1 }

const (
	most  = 10.0 // the range that is searched is from 1 over that to that
	draws = 200  // of the bootstrap
)

// Fit is the temperature at which it is likeliest that those labels are right which are.
// Where all are, or none is, the likelihood alone would have them certain: the targets are
// Platt's (1999), who counts one more of each.
func Fit(samples []Sample) Fitted {
	f := Fitted{T: fit(samples)}
	all := byPicture(samples)
	rng := rand.New(rand.NewPCG(1, 1))
	drawn := make([]float64, draws)
	var again []Sample
	for i := range drawn {
		again = again[:0]
		for range all {
			again = append(again, all[rng.IntN(len(all))]...)
		}
		drawn[i] = fit(again)
	}
	slices.Sort(drawn)
	f.Low, f.High = drawn[draws*25/1000], drawn[draws*975/1000]
	return f
}

// byPicture groups samples, in the order in which their pictures come.
func byPicture(samples []Sample) (out [][]Sample) {
	at := map[string]int{}
	for _, s := range samples {
		i, ok := at[s.Picture]
		if !ok {
			i = len(out)
			at[s.Picture], out = i, append(out, nil)
		}
		out[i] = append(out[i], s)
	}
	return out
}

// fit searches by the golden section for the least loss.
func fit(samples []Sample) float64 {
	right := 0.0
	for _, s := range samples {
		if s.Right {
			right++
		}
	}
	wrong := float64(len(samples)) - right
	yes, no := (right+1)/(right+2), 1/(wrong+2)
	loss := func(log float64) (sum float64) {
		for _, s := range samples {
			p := Of(s.P, math.Exp(log))[0]
			p = min(max(p, 1e-12), 1-1e-12)
			target := no
			if s.Right {
				target = yes
			}
			sum -= target*math.Log(p) + (1-target)*math.Log(1-p)
		}
		return sum
	}
	const ratio, close = 0.6180339887498949, 1e-3
	a, b := -math.Log(most), math.Log(most)
	c, d := b-ratio*(b-a), a+ratio*(b-a)
	atC, atD := loss(c), loss(d)
	for b-a > close {
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
	return math.Exp((a + b) / 2)
}
