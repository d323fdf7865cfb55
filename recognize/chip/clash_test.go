package chip

import (
	"testing"

	"vision/internal/fact"
)

// A stack stands right before another and hides its foot: what shows of the other does not make
// the nearer one higher.
func TestAStackRightBeforeAnother(t *testing.T) {
	w := newTwins(newBench(t, [3]float64{22, 92, 58}, 31), palette)
	w.showBare()
	all, right := many(6, 60), 0
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
	}
	t.Logf("%d of %d stacks are read", right, 2*all)
	if right < all {
		t.Errorf("%d of %d stacks are read, want every other", right, 2*all)
	}
}
