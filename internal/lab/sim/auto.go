package sim

import (
	"math"
	"math/rand/v2"

	"vision/internal/lab/sim/scene"
)

// auto is the camera's automatic exposure and white balance. It aims at the mean that
// the empty table has in white light, as a technician sets it up, and follows what the
// picture shows, hands and sleeves with it, as real ones do: late and not wholly.
type auto struct {
	adapt    float64    // share of a deviation that is answered in the end
	lag      [2]float64 // of exposure and of white balance, seconds
	aim      [3]float64 // mean of blue, green, red
	exposure float64    // logarithm of the gain
	balance  [3]float64 // logarithm of the gains beside it
	last     float64    // when it looked last
	awake    bool
}

// balanced is the share of a tint that a white balance answers at most: nothing
// tells it the colour of the cloth from the colour of the light.
const balanced = 0.5

func newAuto(adapt float64, rng *rand.Rand) *auto {
	return &auto{adapt: adapt, lag: [2]float64{0.4 + 0.8*rng.Float64(), 2 + 3*rng.Float64()}}
}

// gains looks at the picture under its light and gives the gains for blue, green and red.
func (a *auto) gains(p *scene.Picture, light [3]float64, now float64) [3]float64 {
	if a.adapt == 0 {
		return [3]float64{1, 1, 1}
	}
	seen := meter(p)
	if !a.awake {
		a.aim = seen
	}
	for c := range seen {
		seen[c] *= light[c]
	}
	quick, slow := 1-math.Exp((a.last-now)/a.lag[0]), 1-math.Exp((a.last-now)/a.lag[1])
	if !a.awake { // it has been on for long
		quick, slow, a.awake = 1, 1, true
	}
	a.last = now
	a.exposure += quick * (a.adapt*math.Log(luma(a.aim)/luma(seen)) - a.exposure)
	var g [3]float64
	for c := range g {
		want := balanced * a.adapt * math.Log(a.aim[c]/a.aim[1]*seen[1]/seen[c])
		a.balance[c] += slow * (want - a.balance[c])
		g[c] = math.Exp(a.exposure + a.balance[c])
	}
	return g
}

// metered is the distance of the pixels that are metered.
const metered = 16

// meter is the mean of blue, green and red, at least 1.
func meter(p *scene.Picture) [3]float64 {
	var sum [3]int
	n := 0
	for y := metered / 2; y < p.H; y += metered {
		for x := metered / 2; x < p.W; x += metered {
			i := 3 * (y*p.W + x)
			for c := range sum {
				sum[c] += int(p.Pix[i+c])
			}
			n++
		}
	}
	var mean [3]float64
	for c := range sum {
		mean[c] = max(1, float64(sum[c])/float64(n))
	}
	return mean
}

func luma(bgr [3]float64) float64 { return 0.114*bgr[0] + 0.587*bgr[1] + 0.299*bgr[2] }
