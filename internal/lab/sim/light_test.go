package sim

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/scene"
)

// grey is a picture of one colour.
func grey(w, h int, bgr [3]uint8) *scene.Picture {
	p := scene.NewPicture(w, h)
	for i := range p.Pix {
		p.Pix[i] = bgr[i%3]
	}
	return p
}

// lens is a sensor of w×h pixels under conditions.
func lens(t *testing.T, seed uint64, noise float64, on condition.Set) *sensor {
	t.Helper()
	s := newSensor(Config{Seed: seed, Size: [2]int{480, 270}, Noise: noise, Condition: on})
	t.Cleanup(s.close)
	return s
}

func expose(t *testing.T, s *sensor, p *scene.Picture, now float64) gocv.Mat {
	t.Helper()
	img, err := s.expose(p, []image.Rectangle{p.Bounds()}, now, [2]float64{})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// The light of an hour stays within its drift, uses it, and never comes round to where
// it was; two tables drift differently.
func TestLightDrifts(t *testing.T) {
	const drift = 0.1
	a, b := newLamps(
		condition.Light{Drift: drift},
		rand.New(rand.NewPCG(1, 1)),
	), newLamps(
		condition.Light{Drift: drift},
		rand.New(rand.NewPCG(2, 1)),
	)
	least, most, apart := 2.0, 0.0, 0.0
	for now := 0.0; now < 3600; now++ {
		v := a.at(now)
		least, most, apart = min(least, v), max(most, v), max(apart, math.Abs(v-b.at(now)))
		if step := math.Abs(v - a.at(now+0.04)); step > 0.001 {
			t.Fatalf("at %v s the light jumps by %.4f in a picture", now, step)
		}
	}
	if least < 1-drift || most > 1+drift || most-least < drift {
		t.Errorf("the light is from %.3f to %.3f", least, most)
	}
	if apart < drift/2 {
		t.Errorf("two tables are never more than %.3f apart", apart)
	}
	for lag := 60.0; lag < 1200; lag += 7 {
		off := 0.0
		for now := 0.0; now < 3600; now += 11 {
			off = max(off, math.Abs(a.at(now)-a.at(now+lag)))
		}
		if off < drift/20 {
			t.Errorf("the light repeats itself after %v s", lag)
		}
	}
}

// Lamps that flicker make bands across a picture, of the given strength.
func TestLampsFlickerInBands(t *testing.T) {
	s := lens(t, 3, -1, condition.Set{Light: condition.Light{Flicker: 0.05}})
	p := grey(480, 270, [3]uint8{120, 120, 120})
	img := expose(t, s, p, 10)
	least, most := 255.0, 0.0
	for y := range 270 {
		v := float64(img.GetVecbAt(y, 100)[1])
		least, most = min(least, v), max(most, v)
		if img.GetVecbAt(y, 400)[1] != img.GetVecbAt(y, 100)[1] {
			t.Fatalf("row %d is not even", y)
		}
	}
	if swing := (most - least) / 240; swing < 0.03 || swing > 0.055 {
		t.Errorf("rows are from %v to %v", least, most)
	}
	was := img.Clone()
	defer was.Close()
	next := expose(t, s, p, 10+1.0/12)
	moved := 0
	for y := range 270 {
		if was.GetVecbAt(y, 100)[1] != next.GetVecbAt(y, 100)[1] {
			moved++
		}
	}
	if moved < 100 {
		t.Errorf("%d of 270 rows differ in the next picture of 12 a second", moved)
	}
}

// An exposure that adapts answers a bright sleeve late and in part, one that does not
// leaves the cloth alone.
func TestExposureAdapts(t *testing.T) {
	cloth := grey(480, 270, [3]uint8{60, 100, 70})
	sleeve := grey(480, 270, [3]uint8{60, 100, 70})
	for y := range 270 {
		for i := 3 * 480 * y; i < 3*(480*y+240); i++ {
			sleeve.Pix[i] = 220
		}
	}
	at := func(s *sensor, p *scene.Picture, now float64) float64 {
		img := expose(t, s, p, now)
		return float64(img.GetVecbAt(135, 400)[1])
	}
	fixed := lens(t, 4, -1, condition.Set{Light: condition.Light{Drift: 1e-9}})
	if a, b := at(fixed, cloth, 0), at(fixed, sleeve, 5); a != 100 || b != 100 {
		t.Errorf("a fixed exposure shows the cloth at %v, then at %v", a, b)
	}
	auto := lens(t, 4, -1, condition.Set{Light: condition.Light{Adapt: 1}})
	if first := at(auto, cloth, 0); math.Abs(first-100) > 1 {
		t.Fatalf("the empty table is at %v", first)
	}
	soon := at(auto, sleeve, 0.04)
	late := soon
	for now := 0.08; now < 6; now += 0.04 {
		late = at(auto, sleeve, now)
	}
	if soon < 90 || late > 75 || late < 40 {
		t.Errorf("the cloth beside a sleeve is at %v at once and at %v after six seconds", soon, late)
	}
	for now := 6.0; now < 14; now += 0.04 {
		late = at(auto, cloth, now)
	}
	if math.Abs(late-100) > 2 {
		t.Errorf("without the sleeve the cloth comes back to %v", late)
	}
}

// Tables have different tints, which a white balance answers by half.
func TestTint(t *testing.T) {
	p := grey(480, 270, [3]uint8{100, 100, 100})
	spread := func(adapt float64) float64 {
		var sum float64
		for seed := range uint64(30) {
			s := newSensor(
				Config{
					Seed:      seed,
					Size:      [2]int{480, 270},
					Noise:     -1,
					Condition: condition.Set{Light: condition.Light{Tint: 0.08, Adapt: adapt}},
				},
			)
			v := expose(t, s, p, 0)
			px := v.GetVecbAt(100, 100)
			sum += math.Abs(math.Log(float64(px[0])/float64(px[1]))) + math.Abs(math.Log(float64(px[2])/float64(px[1])))
			s.close()
		}
		return sum / 60
	}
	fixed, balanced := spread(0), spread(1)
	if fixed < 0.04 || fixed > 0.1 || balanced < 0.35*fixed || balanced > 0.65*fixed {
		t.Errorf("tints are %.3f, balanced %.3f", fixed, balanced)
	}
}

// Shadows of heads come as often as asked, darken the picture softly and go again.
func TestHeadsThrowShadows(t *testing.T) {
	const minutes, rate = 10, 4
	on := condition.Set{Light: condition.Light{Shadow: rate}}
	tab := newTable(t, Config{Game: "blackjack", Seed: 6, Size: [2]int{480, 270}, FPS: 4, Noise: -1, Condition: on})
	bare, _ := tab.scene.Render()
	clean := append([]uint8{}, bare.Pix...)
	shown, came, seen, darkest := 0, 0, 0, 0.0
	for i := range minutes * 60 * 4 {
		tab.heads.draw(float64(i) / 4)
		if n := len(tab.heads.shown); n > shown {
			came += n - shown
		}
		shown = len(tab.heads.shown)
		p, _ := tab.scene.Render()
		least, dim := 1.0, 0
		for k := 1; k < len(clean); k += 3 * 97 {
			if clean[k] > 40 {
				q := float64(p.Pix[k]) / float64(clean[k])
				if least = min(least, q); q < 0.97 {
					dim++
				}
			}
		}
		if dim > 3 {
			seen++
		}
		darkest = max(darkest, 1-least)
	}
	if came < 25 || came > 60 {
		t.Errorf("%d shadows in %d minutes, want %d or nearly", came, minutes, minutes*rate)
	}
	if share := float64(seen) / (minutes * 240); share < 0.1 || share > 0.8 {
		t.Errorf("shadows show in %.2f of the pictures", share)
	}
	if darkest < 0.2 || darkest > 0.65 {
		t.Errorf("the darkest takes %.2f of the light", darkest)
	}
}
