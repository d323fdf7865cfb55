package sim

import (
	"bytes"
	"testing"
	"time"
)

// A camera takes fewer pictures while its machine is short of time, never fewer than
// readers need, and all of them again afterwards; one slow picture changes nothing.
func TestCamerasGiveWay(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name string
		fps  float64
		took time.Duration
		want uint64
	}{
		{"a machine at rest", 8, 30 * ms, 1},
		{"a busy one", 8, 100 * ms, 2},
		{"one without time", 8, 900 * ms, 2},
		{"25 pictures, busy", 25, 60 * ms, 3},
		{"25 pictures, no time", 25, 900 * ms, 6},
		{"few pictures", 5, 900 * ms, 1},
	} {
		g := newThrift(c.fps)
		var every uint64
		for range 100 {
			every = g.after(c.took)
		}
		if every != c.want || c.fps/float64(every) < leastFPS {
			t.Errorf("%s: one of %d pictures; want one of %d", c.name, every, c.want)
		}
		for range 100 {
			every = g.after(5 * ms)
		}
		if every != 1 {
			t.Errorf("%s, at rest again: one of %d pictures", c.name, every)
		}
		if every = g.after(10 * ms * time.Duration(500/c.fps)); every != 1 {
			t.Errorf("%s: one slow picture, and one of %d is taken", c.name, every)
		}
	}
}

// A table is calm when nothing has moved for half a second, and never in a picture that
// shows something else than the one before.
func TestACalmTable(t *testing.T) {
	tab := newTable(t, Config{Game: "punto_banco", Seed: 2, Size: [2]int{480, 270}, FPS: 8, Noise: -1})
	var last []uint8
	alike, calm := 0, 0
	for n := range 240 {
		pix := pixels(t, step(t, tab))
		alike++
		if !bytes.Equal(pix, last) {
			alike = 0
		}
		if tab.calm() {
			calm++
		}
		if tab.calm() && alike < 4 {
			t.Fatalf("picture %d is calm; %d before it are alike", n, alike)
		}
		last = append(last[:0], pix...)
	}
	if calm < 24 || calm > 216 {
		t.Errorf("calm in %d of 240 pictures", calm)
	}
}
