package scene

import (
	"image"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/calibration"
)

var testPalette = []calibration.Chip{
	{ID: "red", Face: "#c4232b", Edge: "#f2efe6", Diameter: 39, Thickness: 3.4, Value: 500},
	{ID: "blue", Face: "#2f62c8", Edge: "#f4f4f4", Diameter: 39, Thickness: 3.3},
}

func testCamera() *Camera {
	return NewCamera(
		View{Size: [2]int{400, 240}, Target: [2]float64{300, 200}, Distance: 1800, Tilt: 0.9, Yaw: 0.05, Roll: 0.02,
			Scale: 0.6, Dist: [5]float64{-0.1, 0.03, 0.001, -0.0005, 0}},
	)
}

func testScene(t rapid.TB) *Scene {
	t.Helper()
	s, err := New(testCamera(), NewFelt(image.Rect(-300, -300, 900, 800), [3]float64{20, 90, 60}), testPalette, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRaysMeetWhatTheyShow(t *testing.T) {
	cam := testCamera()
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(0, 600).Draw(t, "x"), rapid.Float64Range(0, 400).Draw(t, "y")
		u, v := cam.Project(x, y, 0)
		if a, b := cam.OnPlane(u, v); math.Hypot(a-x, b-y) > 0.01 {
			t.Fatalf("%v %v shows at %v %v, which looks at %v %v", x, y, u, v, a, b)
		}
	})
}

func TestPoseIsTheRotation(t *testing.T) {
	cam := testCamera()
	p := cam.Pose()
	back := rodrigues(p.R)
	for i := range 3 {
		for j := range 3 {
			if math.Abs(back[i][j]-cam.rot[i][j]) > 1e-12 {
				t.Fatalf("rotation %v, from its vector %v", cam.rot, back)
			}
		}
	}
}

func TestPlaneTakesUndistortedPixelsToMillimetres(t *testing.T) {
	v := View{Size: [2]int{400, 240}, Target: [2]float64{300, 200}, Distance: 1800, Tilt: 0.9, Scale: 0.6}
	cam := NewCamera(v) // without distortion
	h := cam.Plane()
	for _, p := range [][2]float64{{0, 0}, {600, 0}, {300, 333}, {17, 401}} {
		x, y := cam.Project(p[0], p[1], 0)
		w := h[6]*x + h[7]*y + h[8]
		gx, gy := (h[0]*x+h[1]*y+h[2])/w, (h[3]*x+h[4]*y+h[5])/w
		if math.Hypot(gx-p[0], gy-p[1]) > 1e-6 {
			t.Errorf("%v comes back as %v %v", p, gx, gy)
		}
	}
}

// whole composes the scene from nothing.
func whole(s *Scene) []uint8 {
	p := NewPicture(s.out.W, s.out.H)
	p.copyFrom(s.bare, p.Bounds())
	for _, t := range s.order {
		t.sprite.lay(p, image.Point{}, p.Bounds())
	}
	return p.Pix
}

// However things come and go, redrawing only what changed gives the picture that
// drawing everything would give.
func TestPartsRedrawnEqualTheWhole(t *testing.T) {
	scene := testScene(t)
	limb := NewLimb(
		Look{Skin: [3]float64{220, 170, 140}, Sleeve: [3]float64{30, 30, 30}, Cuff: [3]float64{240, 240, 240}},
		0.6,
	)
	face := image.NewRGBA(image.Rect(0, 0, 126, 176))
	for i := range face.Pix {
		face.Pix[i] = 255
	}
	rapid.Check(t, func(t *rapid.T) {
		var ids []ID
		scene.fine = rapid.Bool().Draw(t, "by bands")
		place := func() (float64, float64) {
			return rapid.Float64Range(0, 600).Draw(t, "x"), rapid.Float64Range(0, 400).Draw(t, "y")
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			x, y := place()
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				angle := rapid.Float64Range(0, 6).Draw(t, "angle")
				ids = append(ids, scene.Lay(scene.Card(face, 63, 88, x, y, angle), false, [2]float64{x, y}))
			case 1:
				sp, err := scene.Stack(slices.Repeat([]string{"red"}, rapid.IntRange(1, 8).Draw(t, "n")), x, y)
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, scene.Lay(sp, true, [2]float64{x, y}))
			case 2:
				ids = append(ids, scene.Lay(scene.Die(rapid.IntRange(1, 6).Draw(t, "face"), x, y, 1, 20), true, [2]float64{x, y}))
			case 3:
				if len(ids) > 0 {
					scene.Take(ids[0])
					ids = ids[1:]
				}
			default:
				scene.Arm(limb, scene.Point(x, y, 20), image.Pt(200, -200))
			}
			scene.Render()
		}
		pic, _ := scene.Render() // without arms
		if !slices.Equal(pic.Pix, whole(scene)) {
			t.Fatal("the picture differs from one drawn anew")
		}
		for _, id := range ids {
			scene.Take(id)
		}
		scene.Render()
	})
}

func TestNothingChangesWithoutCause(t *testing.T) {
	scene := testScene(t)
	if _, changed := scene.Render(); len(changed) != 1 || changed[0] != scene.out.Bounds() {
		t.Fatalf("first picture: changed %v", changed)
	}
	if _, changed := scene.Render(); len(changed) != 0 {
		t.Fatalf("idle picture: changed %v", changed)
	}
}

func TestDiceRestOnTheirFace(t *testing.T) {
	for value := 1; value <= 6; value++ {
		d := restingDie(value, 0, 0, 0.7, 20)
		if d.up() != value {
			t.Errorf("die laid with %d up shows %d", value, d.up())
		}
		if z := d.centre()[2]; math.Abs(z+10) > 1e-9 {
			t.Errorf("die of 20 mm: centre %v mm over the felt", -z)
		}
	}
	for _, f := range dieFaces {
		for _, g := range dieFaces {
			if f.n.dot(g.n) < -0.5 && f.value+g.value != 7 {
				t.Errorf("%d lies opposite %d", f.value, g.value)
			}
		}
	}
}

func TestAStackGrowsUpwards(t *testing.T) {
	scene := testScene(t)
	one, err := scene.Stack([]string{"red"}, 300, 200)
	if err != nil {
		t.Fatal(err)
	}
	eight, err := scene.Stack(slices.Repeat([]string{"blue"}, 8), 300, 200)
	if err != nil {
		t.Fatal(err)
	}
	top := func(s *Sprite) int {
		for i := 3; i < len(s.pix); i += 4 {
			if s.pix[i] > 128 {
				return s.rect.Min.Y + i/4/s.rect.Dx()
			}
		}
		return 0
	}
	if grown := top(one) - top(eight); grown < 8 || grown > 14 {
		t.Errorf("seven chips more rise %d px", grown)
	}
}

func TestUnknownChipsAreRefused(t *testing.T) {
	scene := testScene(t)
	if _, err := scene.Stack([]string{"gold"}, 0, 0); err == nil {
		t.Error("unknown chip: want an error")
	}
	bad := []calibration.Chip{{ID: "x", Face: "red", Edge: "#000000", Diameter: 39, Thickness: 3.4}}
	if _, err := New(testCamera(), NewFelt(image.Rect(0, 0, 10, 10), [3]float64{}), bad, 1); err == nil {
		t.Error("bad colour: want an error")
	}
}

func TestRectanglesAreJoined(t *testing.T) {
	got := merge([]image.Rectangle{image.Rect(0, 0, 4, 4), image.Rect(10, 10, 12, 12), image.Rect(3, 3, 11, 11), {}})
	if len(got) != 1 || got[0] != image.Rect(0, 0, 12, 12) {
		t.Errorf("merged into %v", got)
	}
	s := &Scene{}
	s.ByBands()
	changed := []image.Rectangle{image.Rect(0, 60, 4, 70), image.Rect(2, 10, 9, 64), image.Rect(0, 130, 4, 140), {}}
	got = merge(s.cut(changed))
	want := []image.Rectangle{image.Rect(0, 64, 4, 70), image.Rect(0, 10, 9, 64), image.Rect(0, 130, 4, 140)}
	if !slices.Equal(got, want) {
		t.Errorf("merged into %v, want %v", got, want)
	}
}

// up is the value of the face that looks upwards.
func (c *cube) up() int {
	best, value := 0.0, 0
	for _, f := range dieFaces {
		if z := -c.rot.apply(f.n)[2]; z > best {
			best, value = z, f.value
		}
	}
	return value
}
