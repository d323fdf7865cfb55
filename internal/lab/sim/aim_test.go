package sim

import (
	"math"
	"testing"

	"vision/internal/fact"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/scene"
)

func conditions(t testing.TB, name string) condition.Set {
	t.Helper()
	c, err := condition.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Wherever a camera hangs, its picture shows every zone of the layout with what stands
// there, and nearly fills its width or its height with them.
func TestHungCamerasShowEveryZone(t *testing.T) {
	const w, h = 1920, 1080
	for _, name := range []string{condition.House, condition.Hard} {
		on := conditions(t, name).Camera
		for _, game := range Games() {
			for seed := range uint64(200) {
				st, err := newStage(game, [2]int{w, h})
				if err != nil {
					t.Fatal(err)
				}
				st.hang(on, seed)
				cam := scene.NewCamera(st.view)
				x0, y0, x1, y1 := st.spread(cam)
				x0, x1, y0, y1 = x0+cam.Lens.Cx, x1+cam.Lens.Cx, y0+cam.Lens.Cy, y1+cam.Lens.Cy
				if x0 < 10 || y0 < 10 || x1 > w-10 || y1 > h-10 {
					t.Fatalf("%s %s seed %d: zones from %.0f, %.0f to %.0f, %.0f", name, game, seed, x0, y0, x1, y1)
				}
				if (x1-x0)/w < 0.7 && (y1-y0)/h < 0.7 {
					t.Errorf("%s %s seed %d: the zones fill %.0f×%.0f pixels only", name, game, seed, x1-x0, y1-y0)
				}
			}
		}
	}
}

// Tables of one condition differ in where their cameras hang, within its spans; the
// same seed gives the same camera, and ideal tables keep the laboratory's.
func TestCamerasHangWithinTheSpans(t *testing.T) {
	on := conditions(t, condition.House).Camera
	view := func(on condition.Camera, seed uint64) scene.View {
		st, err := newStage("blackjack", [2]int{1920, 1080})
		if err != nil {
			t.Fatal(err)
		}
		st.hang(on, seed)
		return st.view
	}
	if lab := view(condition.Camera{}, 3); lab != viewOf(651, [2]int{1920, 1080}) {
		t.Errorf("the laboratory's camera is at %+v", lab)
	}
	var tilts []float64
	for seed := range uint64(60) {
		v := view(on, seed)
		if v != view(on, seed) {
			t.Fatalf("seed %d: two cameras", seed)
		}
		height := v.Distance * math.Cos(v.Tilt)
		if v.Tilt < on.Tilt[0] || v.Tilt > on.Tilt[1] || height < on.Height[0]-1e-6 || height > on.Height[1]+1e-6 ||
			math.Abs(v.Yaw) > on.Yaw || math.Abs(v.Roll) > on.Roll {
			t.Fatalf("seed %d: %+v", seed, v)
		}
		tilts = append(tilts, v.Tilt)
	}
	least, most := tilts[0], tilts[0]
	for _, v := range tilts {
		least, most = min(least, v), max(most, v)
	}
	if most-least < 0.8*(on.Tilt[1]-on.Tilt[0]) {
		t.Errorf("60 tables have tilts from %.2f to %.2f", least, most)
	}
}

// The calibration is of the camera that hangs there, as exact as the laboratory's: on
// the felt and over it.
func TestCalibrationOfHungCameras(t *testing.T) {
	for _, name := range []string{condition.House, condition.Hard} {
		for seed := range uint64(3) {
			tab := newTable(t, Config{Game: "ruleta_francesa", Seed: 40 + seed, Size: [2]int{1280, 720}, Condition: conditions(t, name)})
			cal := tab.Calibration()
			if err := cal.Check(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			view, err := cal.View()
			if err != nil {
				t.Fatal(err)
			}
			for _, z := range cal.Zones {
				for _, mm := range z.Polygon {
					for _, up := range []float64{0, 40} {
						u, v := tab.cam.Project(mm[0], mm[1], -up)
						if got := view.ToImageAt(mm, up); math.Hypot(got[0]-u, got[1]-v) > 0.1 {
							t.Fatalf("%s: %v mm over %v shows at %v, calibration says %v", name, up, mm, fact.Point{u, v}, got)
						}
					}
				}
			}
		}
	}
}

// An edge of a chip stays worth counting in a house, and thinner on a bad night: the
// least of 60 cameras, in pixels of 1920 across.
func TestChipsUnderHungCameras(t *testing.T) {
	for name, want := range map[string]float64{condition.House: 3.1, condition.Hard: 2.5} {
		for _, game := range allGames {
			for seed := range uint64(60) {
				st, err := newStage(game, [2]int{1920, 1080})
				if err != nil {
					t.Fatal(err)
				}
				st.hang(conditions(t, name).Camera, seed)
				cam := scene.NewCamera(st.view)
				for _, z := range st.layout.Zones {
					c := z.Centre()
					_, low := cam.Project(c[0], c[1], 0)
					if _, top := cam.Project(c[0], c[1], -3.4); z.Wants("chips") && low-top < want {
						t.Errorf("%s %s seed %d %s: a chip is %.2f px thick", name, game, seed, z.Name, low-top)
					}
				}
			}
		}
	}
}
