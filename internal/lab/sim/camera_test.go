package sim

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"vision/internal/lab/sim/condition"
)

// The noise has the strength asked for at a mid grey, is stronger in the dark, and
// leaves the mean alone.
func TestNoiseOfPhotons(t *testing.T) {
	for _, sigma := range []float64{1.6, 3} {
		s := lens(t, 7, sigma, condition.Set{Camera: condition.Camera{Noise: sigma}})
		dev := map[uint8]float64{}
		for _, v := range []uint8{30, 100, 200} {
			img := expose(t, s, grey(480, 270, [3]uint8{v, v, v}), 0)
			pix, err := img.DataPtrUint8()
			if err != nil {
				t.Fatal(err)
			}
			var n, sum, squares float64
			for i := 1; i < len(pix); i += 3 {
				d := float64(pix[i]) - float64(v)
				n, sum, squares = n+1, sum+d, squares+d*d
			}
			mean := sum / n
			dev[v] = math.Sqrt(squares/n - mean*mean)
			if math.Abs(mean) > 1.2 {
				t.Errorf("noise %v moves grey %d by %.2f", sigma, v, mean)
			}
		}
		// Luminance and colour noise add up: the green channel has a little more.
		if dev[100] < 0.9*sigma || dev[100] > 1.3*sigma || dev[30] < 1.15*dev[100] || dev[200] > dev[100] {
			t.Errorf("noise %v is %.2f at 30, %.2f at 100, %.2f at 200", sigma, dev[30], dev[100], dev[200])
		}
	}
}

// A picture taken over piece by piece through the lens is the one taken over whole.
func TestTheLensKnowsNoPieces(t *testing.T) {
	on := condition.Set{Camera: condition.Camera{Soft: 4}} // 1 px at this size
	rng := rand.New(rand.NewPCG(1, 9))
	p := grey(480, 270, [3]uint8{90, 90, 90})
	pieces, whole := lens(t, 1, -1, on), lens(t, 1, -1, on)
	expose(t, pieces, p, 0)
	for range 20 {
		r := image.Rect(0, 0, 20+rng.IntN(90), 20+rng.IntN(90)).Add(image.Pt(rng.IntN(360), rng.IntN(150)))
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for i := 3 * (480*y + r.Min.X); i < 3*(480*y+r.Max.X); i++ {
				p.Pix[i] = uint8(rng.IntN(256))
			}
		}
		if _, err := pieces.expose(p, []image.Rectangle{r}, 0, [2]float64{}); err != nil {
			t.Fatal(err)
		}
	}
	expose(t, whole, p, 0)
	a, _ := pieces.out.DataPtrUint8()
	b, _ := whole.out.DataPtrUint8()
	rough, smooth := 0, 0
	for i := range a {
		if abs(int(a[i])-int(b[i])) > 1 { // OpenCV rounds the two in different ways
			t.Fatalf("byte %d is %d in pieces, %d as a whole", i, a[i], b[i])
		}
		if i >= 3 {
			rough += abs(int(p.Pix[i]) - int(p.Pix[i-3]))
			smooth += abs(int(a[i]) - int(a[i-3]))
		}
	}
	if 2*smooth > rough {
		t.Errorf("the lens leaves %d of %d", smooth, rough)
	}
}

func pixels(t *testing.T, f Frame) []uint8 {
	t.Helper()
	pix, err := f.Image.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	return pix
}

func abs(v int) int { return max(v, -v) }

// Trembles differ in size, direction and duration, and end where they began.
func TestTremblesDiffer(t *testing.T) {
	tr := newTremble(3, 1920, rand.New(rand.NewPCG(2, 3)))
	var sizes, turns, times []float64
	most, began, moving := [2]float64{}, 0.0, false
	for i := range 25 * 1800 {
		now := float64(i) / 25
		at := tr.at(now)
		switch d := math.Hypot(at[0], at[1]); {
		case d > 0 && !moving:
			moving, began, most = true, now, at
		case d == 0 && moving:
			moving = false
			sizes, times = append(sizes, math.Hypot(most[0], most[1])), append(times, now-began)
			turns = append(turns, math.Mod(math.Atan2(most[1], most[0])+math.Pi, math.Pi))
		case d > math.Hypot(most[0], most[1]):
			most = at
		}
	}
	if n := len(sizes); n < 50 || n > 130 {
		t.Fatalf("%d trembles in half an hour, want 90 or nearly", n)
	}
	for what, v := range map[string]struct {
		of       []float64
		lo, hi   float64
		diverges float64
	}{"size": {sizes, 0, 4.2, 3}, "direction": {turns, 0, math.Pi, 3}, "duration": {times, 0.2, 2.6, 3}} {
		least, most := v.of[0], v.of[0]
		for _, x := range v.of {
			least, most = min(least, x), max(most, x)
		}
		if least < v.lo || most > v.hi || most < v.diverges*least {
			t.Errorf("%s from %.2f to %.2f", what, least, most)
		}
	}
	for i := range 1000 {
		if at := newTremble(0, 1920, rand.New(rand.NewPCG(1, 1))).at(float64(i)); at != [2]float64{} {
			t.Fatalf("a steady camera is at %v", at)
		}
	}
}

// What moves while a picture is taken has blurred edges, what lies has not: the
// picture with an exposure differs from the one without only where arms are, and is
// smoother there.
func TestMovingThingsAreBlurred(t *testing.T) {
	cfg := Config{Game: "punto_banco", Seed: 2, Size: [2]int{960, 540}, FPS: 12, Noise: -1}
	sharp := newTable(t, cfg)
	cfg.Condition.Camera.Exposure = 0.02
	blurred := newTable(t, cfg)
	rough, smooth, differ := 0, 0, 0
	for range 240 {
		a, b := pixels(t, step(t, sharp)), pixels(t, step(t, blurred))
		for i := 3; i < len(a); i += 3 {
			if a[i] == b[i] {
				continue
			}
			differ++
			rough += abs(int(a[i]) - int(a[i-3]))
			smooth += abs(int(b[i]) - int(b[i-3]))
		}
	}
	if share := float64(differ) / (240 * 960 * 540); share < 0.0005 || share > 0.1 {
		t.Errorf("%.4f of the pixels differ", share)
	}
	if 10*smooth > 8*rough {
		t.Errorf("where they differ, neighbours are %d apart, without blur %d", smooth, rough)
	}
}
