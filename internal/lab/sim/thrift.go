package sim

import (
	"math"
	"time"
)

// thrift is how a simulated camera gives way on a machine that is short of time: it
// takes fewer pictures, so that those who read them get along. A picture that is not
// taken costs nobody anything; readers that fall behind lose the round. In the
// demonstration it takes as few as it may while nothing moves on the table, as cameras with a
// dynamic rate do.
type thrift struct {
	frame time.Duration // between two pictures of the full rate
	most  uint64        // of every so many pictures one is taken at least
	every uint64
	load  float64 // of the time between two pictures of the full rate, what one takes
}

const (
	// leastFPS is the picture rate below which no camera goes: three are needed to verify
	// anything, and some are late.
	leastFPS = 4.0
	// fullLoad is the share of the time that making pictures may take.
	fullLoad = 0.6
	// easyLoad is the share at the next higher rate from which that is gone back to.
	easyLoad = 0.4
	// thriftLag is over how many pictures the load is averaged.
	thriftLag = 12
)

func newThrift(fps float64) *thrift {
	return &thrift{frame: seconds(1 / fps), most: uint64(max(1, math.Floor(fps/leastFPS))), every: 1}
}

// after says how many pictures of the full rate on the next one is taken, when one has
// taken so long to make.
func (g *thrift) after(took time.Duration) uint64 {
	g.load += (float64(took)/float64(g.frame) - g.load) / thriftLag
	switch {
	case g.load > fullLoad*float64(g.every) && g.every < g.most:
		g.every++
	case g.every > 1 && g.load < easyLoad*float64(g.every-1):
		g.every--
	}
	return g.every
}
