package sim

import (
	"math"
	"math/rand/v2"
)

// tremble is what shakes the camera for a moment: steps on the floor above, a door, a
// lorry. Each time differs in strength, direction and duration, and dies away.
type tremble struct {
	rng      *rand.Rand
	rate     float64 // a minute
	size     float64 // of the strongest, pixels
	from, to float64
	swing    [2]float64 // amplitude and direction, pixels
	across   float64    // of the swing beside its direction, share
	hertz    float64
	phase    float64
}

// strongest is how far a tremble shifts the picture at most, pixels of 1920.
const strongest = 3.5

func newTremble(rate float64, width int, rng *rand.Rand) *tremble {
	t := &tremble{rng: rng, rate: rate, size: strongest * float64(width) / 1920}
	t.plan(0)
	return t
}

// plan draws the next one after a moment.
func (t *tremble) plan(now float64) {
	if t.rate <= 0 {
		return
	}
	t.from = now + 60/t.rate*t.rng.ExpFloat64()
	t.to = t.from + 0.3*math.Exp(t.rng.Float64()*math.Log(8)) // 0.3 to 2.4 s, short ones mostly
	size, turn := t.size*math.Exp(-t.rng.Float64()*math.Log(10)), 2*math.Pi*t.rng.Float64()
	t.swing = [2]float64{size * math.Cos(turn), size * math.Sin(turn)}
	t.across, t.phase = 0.3*t.rng.Float64(), 2*math.Pi*t.rng.Float64()
	t.hertz = 3 + 8*t.rng.Float64()
}

// at is the picture's displacement in pixels.
func (t *tremble) at(now float64) [2]float64 {
	if t.rate <= 0 || now < t.from {
		return [2]float64{}
	}
	if now >= t.to {
		t.plan(now)
		return [2]float64{}
	}
	k := (now - t.from) / (t.to - t.from)
	fade := min(1, 8*k) * (1 - k) * (1 - k)
	a, b := fade*math.Sin(2*math.Pi*t.hertz*now+t.phase), fade*t.across*math.Cos(2*math.Pi*1.37*t.hertz*now)
	return [2]float64{t.swing[0]*a - t.swing[1]*b, t.swing[1]*a + t.swing[0]*b}
}
