package scene

import (
	"image"
	"math"
	"testing"

	"vision/calibration"
)

// besideScene is a small scene with one kind of chip.
func besideScene(t *testing.T) *Scene {
	t.Helper()
	cam := NewCamera(View{Size: [2]int{960, 540}, Target: [2]float64{600, 300}, Distance: 3000, Tilt: 0.9, Scale: 0.75})
	felt := NewFelt(image.Rect(-300, -700, 1500, 1100), [3]float64{22, 92, 58})
	sc, err := New(cam, felt, []calibration.Chip{{ID: "a", Face: "#c4232b", Edge: "#f2efe6", Diameter: 39, Thickness: 3.4, Value: 500}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// A vessel shows where it stands: within its cylinder, and it covers the cloth there.
func TestVessels(t *testing.T) {
	sc := besideScene(t)
	for _, kind := range Vessels {
		for _, angle := range []float64{0, 1, 2.5} {
			sp, err := sc.Vessel(kind, 600, 300, angle)
			if err != nil {
				t.Fatal(err)
			}
			seen, outside := 0, 0
			for y := sp.rect.Min.Y; y < sp.rect.Max.Y; y++ {
				for x := sp.rect.Min.X; x < sp.rect.Max.X; x++ {
					if sp.pix[4*((y-sp.rect.Min.Y)*sp.rect.Dx()+x-sp.rect.Min.X)+3] < 60 {
						continue
					}
					seen++
					v := vessels[kind]
					if !insideCylinder(sc.cam, x, y, 600, 300, v.reach+2, v.high+2) {
						outside++
					}
				}
			}
			if seen < 900 || outside > seen/100 {
				t.Errorf("%s at %.1f: %d pixels, %d outside", kind, angle, seen, outside)
			}
		}
		v := vessels[kind]
		for k := range 360 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 180)
			for h := 0.0; h <= v.high+5; h++ {
				if r := v.reach + 0.5; v.shape(r*cos, r*sin, h) < 0 {
					t.Fatalf("%s reaches farther than %.0f mm", kind, v.reach)
				}
			}
		}
	}
	if _, err := sc.Vessel("vase", 0, 0, 0); err == nil {
		t.Error("an unknown vessel was drawn")
	}
}

// insideCylinder reports whether a pixel's ray meets an upright cylinder.
func insideCylinder(c *Camera, x, y int, cx, cy, r, high float64) bool {
	d := c.ray(float64(x), float64(y))
	for h := 0.0; h <= high; h++ {
		p := c.eye.at(d, (-h-c.eye[2])/d[2])
		if math.Hypot(p[0]-cx, p[1]-cy) <= r {
			return true
		}
	}
	return false
}

// Chips that fall apart lie flat, and on one another where they overlap; all show.
func TestSpill(t *testing.T) {
	sc := besideScene(t)
	single, err := sc.Spill([]string{"a"}, [][2]float64{{600, 300}})
	if err != nil {
		t.Fatal(err)
	}
	row, err := sc.Spill([]string{"a", "a", "a"}, [][2]float64{{600, 300}, {620, 300}, {700, 300}})
	if err != nil {
		t.Fatal(err)
	}
	count := func(s *Sprite) (n int) {
		for i := 3; i < len(s.pix); i += 4 {
			if s.pix[i] > 128 {
				n++
			}
		}
		return n
	}
	if one, three := count(single), count(row); float64(three) < 2.2*float64(one) || three > 3*one {
		t.Errorf("three chips, two of which overlap, cover %d pixels, one %d", three, one)
	}
	if _, err := sc.Spill([]string{"b"}, [][2]float64{{0, 0}}); err == nil {
		t.Error("an unknown chip was drawn")
	}
}

// Head and shoulders hide what is under them, arms too, and leave nothing behind.
func TestPersonIsOverAll(t *testing.T) {
	sc := besideScene(t)
	bare, _ := sc.Render()
	before := append([]uint8(nil), bare.Pix...)
	man := Person(Look{Skin: [3]float64{222, 172, 142}, Sleeve: [3]float64{60, 80, 140}}, [3]float64{38, 30, 26}, 0.8)
	at := sc.Point(600, 300, 260)
	show := func(arm bool) uint8 {
		if arm {
			l := NewLimb(Look{Skin: [3]float64{255, 255, 255}, Sleeve: [3]float64{255, 255, 255}}, 0.8)
			sc.Arm(l, at, image.Pt(at.X, 900))
		}
		sc.Over(man, at)
		out, _ := sc.Render()
		return out.Pix[out.at(at.X+3, at.Y+60)]
	}
	if with, without := show(true), show(false); with != without {
		t.Errorf("an arm shows through a head: %d, %d", with, without)
	}
	after, _ := sc.Render()
	for i := range before {
		if before[i] != after.Pix[i] {
			t.Fatal("something of the person stays in the picture")
		}
	}
}
