package av

import (
	"math/rand/v2"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// What is encoded for a bitrate has it on average and exceeds it by little in any
// second, whatever the pictures show: here so much noise that a fixed quality takes
// many times as much.
func TestBitrateIsHeld(t *testing.T) {
	noLeak(t)
	const fps, seconds, w, h = 25, 8, 640, 360
	rng := rand.New(rand.NewPCG(1, 2))
	for _, want := range []int{400_000, 1_200_000} {
		e, err := NewEncoder(w, h, fps, EncoderOptions{Bitrate: want, GOP: 2 * fps})
		if err != nil {
			t.Fatal(err)
		}
		var bits [seconds]int
		keys := 0
		for i := range fps * seconds {
			m := noisy(t, rng, w, h)
			u, err := e.Encode(m, time.Duration(i)*time.Second/fps)
			m.Close()
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range u.NALs {
				bits[i/fps] += 8 * (len(n) + 4)
			}
			if u.Key {
				keys++
			}
		}
		e.Close()
		sum := 0
		for s, b := range bits {
			if sum += b; s > 0 && float64(b) > 1.5*float64(want) {
				t.Errorf("%d bit/s: %d in second %d", want, b, s)
			}
		}
		if mean := float64(sum) / seconds / float64(want); mean < 0.7 || mean > 1.25 {
			t.Errorf("%d bit/s: %.2f of it on average", want, mean)
		}
		if keys != seconds/2 {
			t.Errorf("%d key pictures in %d s, want one every 2 s", keys, seconds)
		}
	}
}

// noisy is a picture of grey noise that nothing can foretell.
func noisy(t *testing.T, rng *rand.Rand, w, h int) gocv.Mat {
	t.Helper()
	m := gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3)
	pix, err := m.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	for i := range pix {
		pix[i] = uint8(110 + rng.IntN(16))
	}
	return m
}
