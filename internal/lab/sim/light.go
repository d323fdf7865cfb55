package sim

import (
	"math"
	"math/rand/v2"

	"vision/internal/lab/sim/condition"
)

// lamps are the light on a table over time: 1 is the light under which the scene is
// drawn. Its time is the table's clock, seconds.
type lamps struct {
	drift   float64
	waves   [4]wave
	flicker float64
	hum     wave    // of the lamps, on the alternating current
	readout float64 // from the first row's exposure to the last one's, seconds
	tint    [3]float64
}

// wave is a share of the light that comes and goes.
type wave struct{ share, rate, phase float64 }

func (w wave) at(t float64) float64 { return w.share * math.Sin(w.rate*t+w.phase) }

// mains is how often lamps on a grid of 50 Hz are brightest, times a second; the grid
// keeps it within mainsOff.
const (
	mains    = 100.0
	mainsOff = 0.06
)

func newLamps(on condition.Light, rng *rand.Rand) lamps {
	l := lamps{drift: on.Drift, flicker: on.Flicker}
	// Clouds and dimmers in tens of seconds, the evening in tens of minutes: the
	// periods are drawn, so that none is a multiple of another.
	share := [4]float64{0.4, 0.3, 0.2, 0.1}
	longest := [4]float64{1500, 420, 110, 35}
	for i := range l.waves {
		period := longest[i] * (0.5 + 0.5*rng.Float64())
		l.waves[i] = wave{share[i], 2 * math.Pi / period, 2 * math.Pi * rng.Float64()}
	}
	l.hum = wave{1, 2 * math.Pi * (mains + mainsOff*(2*rng.Float64()-1)), 2 * math.Pi * rng.Float64()}
	l.readout = 0.008 + 0.02*rng.Float64()
	l.tint = [3]float64{math.Exp(on.Tint * rng.NormFloat64()), 1, math.Exp(on.Tint * rng.NormFloat64())}
	return l
}

// at is the light of a moment, the lamps' flicker left out.
func (l *lamps) at(now float64) float64 {
	sum := 0.0
	for _, w := range l.waves {
		sum += w.at(now)
	}
	return 1 + l.drift*sum
}

// ripple is the flicker's factor for a picture's row, given as a share of its height:
// a rolling shutter exposes the rows one after another.
func (l *lamps) ripple(now, row float64) float64 {
	return 1 + l.flicker*l.hum.at(now+row*l.readout)
}
