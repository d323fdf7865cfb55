package chip

import (
	"math"
	"testing"

	"vision/internal/fact"
)

// A stack stands right before another and hides its foot: what shows of the other does not make
// the nearer one higher, and the other is not said to be so high that it would stand in it, in its
// bounds as little as in what else may stand there.
func TestAStackRightBeforeAnother(t *testing.T) {
	w := newTwins(newBench(t, [3]float64{22, 92, 58}, 31), palette)
	w.showBare()
	all, right, hidden := many(6, 60), 0, 0
	for range all {
		w.clear()
		at := fact.Point{300 + 600*w.rnd.Float64(), 200 + 250*w.rnd.Float64()}
		kinds := w.rnd.Perm(len(palette))
		behind := laid{palette[kinds[0]].ID, 2 + w.rnd.IntN(3), fact.Point{at[0] + 6*w.rnd.Float64() - 3, at[1] - 41}}
		nearer := laid{palette[kinds[1]].ID, behind.n + w.rnd.IntN(2), at}
		w.lay(behind.kind, behind.n, behind.at[0], behind.at[1])
		w.lay(nearer.kind, nearer.n, nearer.at[0], nearer.at[1])
		img := w.picture()
		out := w.whole(img)
		img.Close()
		right += compare(t, []laid{nearer, behind}, out)
		for _, s := range out {
			if s.Abstain == "occluded" {
				hidden++
				w.standsApart(s, out)
			}
		}
	}
	t.Logf("%d of %d stacks are read, %d are hidden", right, 2*all, hidden)
	if right < all || hidden == 0 {
		t.Errorf("%d of %d stacks are read, %d are hidden; want every other read and some hidden", right, 2*all, hidden)
	}
}

// standsApart fails for a hidden stack that may stand in one that was read.
func (b *bench) standsApart(hidden fact.Stack, all []fact.Stack) {
	b.t.Helper()
	thick := palette[0].Thickness
	near := 2*par.place.clash*palette[0].Diameter - shifts[len(shifts)-1] // by which the face may be elsewhere
	face := b.view.ToImageAt(hidden.At, float64(len(hidden.Weighed.Chips))*thick)
	heights := map[int]bool{}
	for n := hidden.Low; n <= hidden.High; n++ {
		heights[n] = true
	}
	for _, o := range hidden.Others {
		heights[len(o.Chips)] = true
	}
	for n := range heights {
		foot := b.view.ToTableAt(face, float64(n)*thick)
		for _, o := range all {
			if o.Abstain == "" && math.Hypot(foot[0]-o.At[0], foot[1]-o.At[1]) < near {
				b.t.Errorf("%d chips would stand in the nearer stack at %.0f: %+v", n, o.At, hidden)
			}
		}
	}
}
