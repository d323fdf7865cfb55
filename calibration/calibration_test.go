package calibration

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"vision/internal/fact"
)

// example is a plausible oblique camera: 1.2 m from the table's middle and
// 1.1 m above it, with a slightly barrel-shaped lens.
func example(t testing.TB) *Table {
	t.Helper()
	c := &Table{
		Schema: Schema, Table: "BJ1", Camera: "front", Size: [2]int{1920, 1080},
		Lens: Lens{Fx: 2100, Fy: 2090, Cx: 965, Cy: 533, Dist: [5]float64{-0.08, 0.02, 0.0004, -0.0003, 0}},
		Card: [2]float64{63, 88}, Die: 20, Deck: "french",
		Zones: []Zone{
			{Name: "bank", Reads: []string{"cards"}, Polygon: []fact.Point{{200, 20}, {1000, 20}, {1000, 130}, {200, 130}}},
			{Name: "seat:1 main", Reads: []string{"chips"}, Seat: 1, Spot: "main", Polygon: []fact.Point{{300, 400}, {500, 400}, {500, 500}, {300, 500}}},
			{Name: "dice", Reads: []string{"dice"}, Polygon: []fact.Point{{600, 400}, {900, 400}, {900, 500}}},
			{Name: "place", Seat: 2, Spot: "pleno:1", Polygon: []fact.Point{{300, 400}, {350, 400}, {350, 450}, {300, 450}}},
		},
		Palette: []Chip{
			{ID: "5", Face: "#c02030", Edge: "#ffffff", Diameter: 39, Thickness: 3.3, Value: 500},
			{ID: "25", Face: "#107040", Edge: "#ffffff", Diameter: 39, Thickness: 3.3, Value: 2500},
			{ID: "p1000", Face: "#d9b44a", Edge: "#7a2230", Length: 78, Width: 49, Thickness: 4, Value: 100000},
		},
	}
	aim(t, c, fact.Point{600, 300}, 1200, 1100)
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return c
}

// aim sets pose and plane for a camera back millimetres on the players' side of
// target and up millimetres above the felt, looking at target.
func aim(t testing.TB, c *Table, target fact.Point, back, up float64) {
	t.Helper()
	eye := vec{target[0], target[1] + back, -up}
	z := vec{0, -back, up}.times(1 / math.Hypot(back, up))
	x := vec{1, 0, 0}
	y := z.cross(x)
	m := [3][3]float64{x, y, z}
	c.Pose = Pose{R: rodrigues(m), T: [3]float64{-x.dot(eye), -y.dot(eye), -z.dot(eye)}}
	h, err := PlaneOf(c.Lens, c.Pose)
	if err != nil {
		t.Fatal(err)
	}
	c.Plane = h
}

func near(t *testing.T, what string, got, want fact.Point, tol float64) {
	t.Helper()
	if d := math.Hypot(got[0]-want[0], got[1]-want[1]); !(d <= tol) {
		t.Errorf("%s: %v, want %v (off by %g)", what, got, want, d)
	}
}

func TestDistortionRoundTrip(t *testing.T) {
	lenses := []Lens{
		{},
		{Fx: 1000, Fy: 1000, Cx: 960, Cy: 540},
		{Fx: 2100, Fy: 2090, Cx: 965, Cy: 533, Dist: [5]float64{-0.08, 0.02, 0.0004, -0.0003, 0}},
		{Fx: 1400, Fy: 1390, Cx: 940, Cy: 560, Dist: [5]float64{-0.25, 0.09, 0.001, 0.002, -0.01}},
		{Fx: 1600, Fy: 1600, Cx: 960, Cy: 540, Dist: [5]float64{0.12, 0.05, 0, 0, 0}},
	}
	for i, l := range lenses {
		for x := 0.0; x <= 1920; x += 240 {
			for y := 0.0; y <= 1080; y += 135 {
				p := fact.Point{x, y}
				near(t, "lens", l.Distort(l.Undistort(p)), p, 1e-6)
				if i == 0 {
					near(t, "no lens", l.Undistort(p), p, 0)
				}
			}
		}
	}
}

// The figures OpenCV 4.6 gives for the same model (cv2.projectPoints).
func TestDistortionAgreesWithOpenCV(t *testing.T) {
	l := Lens{Fx: 1400, Fy: 1390, Cx: 940, Cy: 560, Dist: [5]float64{-0.25, 0.09, 0.001, 0.002, -0.01}}
	near(t, "distort", l.Distort(fact.Point{0.5*1400 + 940, -0.3*1390 + 560}), fact.Point{1589.439672000, 174.159229680}, 1e-6)
}

func TestRodriguesRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := range 200 {
		axis := vec{rnd.NormFloat64(), rnd.NormFloat64(), rnd.NormFloat64()}
		angle := math.Pi * float64(i) / 200
		r := [3]float64(axis.times(angle / axis.norm()))
		back := rodrigues(Pose{R: r}.Matrix())
		for k := range 3 {
			if math.Abs(back[k]-r[k]) > 1e-7 {
				t.Fatalf("%v came back as %v", r, back)
			}
		}
	}
	half := Pose{R: [3]float64{math.Pi, 0, 0}}.Matrix()
	if got := rodrigues(half); math.Abs(math.Abs(got[0])-math.Pi) > 1e-9 {
		t.Errorf("half a turn came back as %v", got)
	}
}

func TestViewRoundTrips(t *testing.T) {
	c := example(t)
	v, err := c.View()
	if err != nil {
		t.Fatal(err)
	}
	for x := 100.0; x <= 1100; x += 100 {
		for y := 0.0; y <= 600; y += 100 {
			mm := fact.Point{x, y}
			near(t, "table to image and back", v.ToTable(v.ToImage(mm)), mm, 1e-6)
			near(t, "pose and plane agree", v.ToImageAt(mm, 0), v.ToImage(mm), 1e-6)
			for _, h := range []float64{0, 3.3, 33, 100} {
				near(t, "height", v.ToTableAt(v.ToImageAt(mm, h), h), mm, 1e-6)
			}
			if up := v.ToImageAt(mm, 50); up[1] >= v.ToImage(mm)[1] {
				t.Errorf("what stands higher on %v shows lower", mm)
			}
		}
	}
	eye := v.Eye()
	near(t, "eye", fact.Point{eye[0], eye[1]}, fact.Point{600, 1500}, 1e-6)
	if math.Abs(eye[2]-1100) > 1e-6 {
		t.Errorf("the camera hangs at %g mm, want 1100", eye[2])
	}
}

func TestPoseFromPlane(t *testing.T) {
	c := example(t)
	p, err := PoseOf(c.Lens, c.Plane)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 3 {
		if math.Abs(p.R[k]-c.Pose.R[k]) > 1e-7 || math.Abs(p.T[k]-c.Pose.T[k]) > 1e-4 {
			t.Fatalf("pose %+v, want %+v", p, c.Pose)
		}
	}
	if _, err := PoseOf(Lens{}, c.Plane); err == nil {
		t.Error("a pose without a lens")
	}
	zoomed := c.Lens
	zoomed.Fx, zoomed.Fy = 900, 900
	if _, err := PoseOf(zoomed, c.Plane); err == nil {
		t.Error("a plane of another zoom was not noticed")
	}
}

func TestGuessLens(t *testing.T) {
	c := example(t)
	c.Lens = Lens{Fx: 1800, Fy: 1800, Cx: 960, Cy: 540}
	aim(t, c, fact.Point{600, 300}, 900, 1100)
	l, err := GuessLens(c.Size, c.Plane)
	if err != nil || math.Abs(l.Fx-1800) > 0.1 {
		t.Errorf("focal length %g (%v), want 1800", l.Fx, err)
	}
	if _, err := GuessLens(c.Size, [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}); err == nil {
		t.Error("a focal length from straight above")
	}
}

func TestSolve(t *testing.T) {
	truth := Homography{0.7, 0.1, -200, -0.05, 1.3, -300, 1e-4, 6e-4, 1}
	var pairs []Pair
	for _, p := range []fact.Point{{100, 200}, {1800, 150}, {1700, 1000}, {150, 950}, {900, 500}, {400, 800}} {
		pairs = append(pairs, Pair{p, truth.Apply(p)})
	}
	for n := 4; n <= len(pairs); n++ {
		h, residual, err := Solve(pairs[:n])
		if err != nil || residual > 1e-6 {
			t.Fatalf("%d pairs: residual %g, %v", n, residual, err)
		}
		near(t, "solved", h.Apply(fact.Point{960, 540}), truth.Apply(fact.Point{960, 540}), 1e-6)
	}
	pairs[4].To[0] += 3
	if _, residual, err := Solve(pairs); err != nil || residual < 0.3 || residual > 3 {
		t.Errorf("one point off by 3 mm of six: residual %g, %v", residual, err)
	}
}

func TestSolveRefuses(t *testing.T) {
	line := []Pair{{fact.Point{0, 0}, fact.Point{0, 0}}, {fact.Point{1, 1}, fact.Point{1, 1}},
		{fact.Point{2, 2}, fact.Point{2, 2}}, {fact.Point{3, 1}, fact.Point{3, 1}}}
	same := make([]Pair, 4)
	nan := []Pair{{}, {fact.Point{1, 0}, fact.Point{1, 0}}, {fact.Point{1, 1}, fact.Point{math.NaN(), 1}},
		{fact.Point{0, 1}, fact.Point{0, 1}}}
	for name, pairs := range map[string][]Pair{"three on a line": line, "coinciding": same, "too few": line[:3], "not a number": nan} {
		if h, _, err := Solve(pairs); err == nil {
			t.Errorf("%s: solved to %v", name, h)
		}
	}
}

func TestPolygon(t *testing.T) {
	c := example(t)
	v, err := c.View()
	if err != nil {
		t.Fatal(err)
	}
	z := c.Zones[0]
	for _, p := range v.Polygon(z) {
		if q := v.ToTable(p); q[0] < 199 || q[0] > 1001 || q[1] < 19 || q[1] > 131 {
			t.Errorf("the outline of %s passes %v", z.Name, q)
		}
	}
}

// A pose that is left out follows from lens and plane, and a lens from the plane; where
// the two contradict each other nothing is known of heights.
func TestAPoseThatIsLeftOut(t *testing.T) {
	c := example(t)
	want, err := c.View()
	if err != nil || !want.Raised() {
		t.Fatalf("the example has no pose: %v", err)
	}
	at := want.ToImageAt(fact.Point{500, 300}, 40)
	c.Pose = Pose{}
	if v, err := c.View(); err != nil || !v.Raised() {
		t.Errorf("from lens and plane: raised %v, %v", v.Raised(), err)
	} else if p := v.ToImageAt(fact.Point{500, 300}, 40); math.Hypot(p[0]-at[0], p[1]-at[1]) > 1 {
		t.Errorf("from lens and plane 40 mm above the felt are at %v, want %v", p, at)
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	c.Plane = [9]float64{1, 0, 0, 0, 3, 0, 0, 0, 1}
	if v, err := c.View(); err != nil || v.Raised() {
		t.Errorf("with a plane that the lens cannot show: raised %v, %v", v.Raised(), err)
	}
	if err := c.Heights(); !errors.Is(err, ErrNoHeights) {
		t.Errorf("its heights: %v", err)
	}
	for i := range c.Zones {
		c.Zones[i].Reads = []string{"cards"}
	}
	if err := c.Heights(); err != nil {
		t.Errorf("where no chips are read: %v", err)
	}
	if err := example(t).Heights(); err != nil {
		t.Errorf("of the example: %v", err)
	}
}
