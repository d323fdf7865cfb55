package sim

import (
	"math"
	"math/rand/v2"
	"sync"

	"gocv.io/x/gocv"
)

// makeGrain is the noise: not negative, a pedestal bright on average,
// a little alike in neighbouring pixels as after a camera's demosaicing.
func makeGrain(rng *rand.Rand, w, h int, sigma float64) gocv.Mat {
	pix := make([]byte, 3*w*h)
	for i := 0; i < len(pix); i += 3 {
		luma := rng.NormFloat64() * sigma
		for c := range 3 {
			v := math.Round(pedestal*sigma + luma + rng.NormFloat64()*sigma*0.4)
			pix[i+c] = uint8(max(0, min(2*pedestal*sigma, v)))
		}
	}
	m, err := gocv.NewMatFromBytes(h, w, gocv.MatTypeCV8UC3, pix)
	if err != nil {
		return gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3) // the size is our own
	}
	defer m.Close()
	return m.Clone()
}

// grain is noise that calm cameras share, each at its own offset of it: it takes as much memory as a
// picture, and as long to make as all the rest of a camera.
type grain struct {
	noise gocv.Mat
	of    grainOf
	users int
}

type grainOf struct {
	w, h  int
	sigma float64
}

// grains are those in use.
var grains = struct {
	sync.Mutex
	of map[grainOf]*grain
}{of: map[grainOf]*grain{}}

// borrow takes the noise of a size and strength; giveBack ends it.
func borrow(w, h int, sigma float64) *grain {
	grains.Lock()
	defer grains.Unlock()
	of := grainOf{w, h, sigma}
	g := grains.of[of]
	if g == nil {
		g = &grain{noise: makeGrain(rand.New(rand.NewPCG(0x6ea1, 0x5e45)), w, h, sigma), of: of}
		grains.of[of] = g
	}
	g.users++
	return g
}

func (g *grain) giveBack() {
	grains.Lock()
	defer grains.Unlock()
	if g.users--; g.users == 0 {
		g.noise.Close()
		delete(grains.of, g.of)
	}
}
