package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/fact"
	"vision/internal/lab/sim"
)

// A technician's four clicks on a simulated table give nearly the calibration
// that the simulator knows.
func TestCalibrate(t *testing.T) {
	st, err := sim.New(sim.Config{Game: "blackjack", Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	f, err := st.Step()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	picture := filepath.Join(dir, "table.png")
	if !gocv.IMWrite(picture, f.Image) {
		t.Fatal("the picture was not written")
	}
	truth := st.Calibration()
	v, err := truth.View()
	if err != nil {
		t.Fatal(err)
	}
	l, err := layout.New("blackjack", layout.Dims{Seats: 3, Width: 1200})
	if err != nil {
		t.Fatal(err)
	}
	var clicks []float64
	for _, mm := range []fact.Point{{0, 0}, {l.Width, 0}, {l.Width, l.Depth}, {0, l.Depth}} {
		p := v.ToImage(mm)
		clicks = append(clicks, math.Round(p[0]), math.Round(p[1]))
	}
	lens := []float64{truth.Lens.Fx, truth.Lens.Fy, truth.Lens.Cx, truth.Lens.Cy}
	lens = append(lens, truth.Lens.Dist[:]...)
	cmd := CalibrateTableCmd{Image: picture, Out: filepath.Join(dir, "bj.yaml"), Corners: clicks, Game: "blackjack", Table: "BJ1",
		Camera: "main", Seats: 3, Width: 1200, Card: []float64{63, 88}, Die: 20, Lens: lens}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	got, err := calibration.Load(cmd.Out)
	if err != nil {
		t.Fatal(err)
	}
	g, err := got.View()
	if err != nil {
		t.Fatal(err)
	}
	for _, mm := range []fact.Point{{100, 100}, {600, 300}, {1100, 500}} {
		if p := g.ToTable(v.ToImage(mm)); math.Hypot(p[0]-mm[0], p[1]-mm[1]) > 3 {
			t.Errorf("%v comes out at %v", mm, p)
		}
		a, b := g.ToImageAt(mm, 30), v.ToImageAt(mm, 30)
		if math.Hypot(a[0]-b[0], a[1]-b[1]) > 4 {
			t.Errorf("30 mm above %v shows at %v, want %v", mm, a, b)
		}
	}
}

func TestCalibrateRefuses(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "x.png")
	m := gocv.NewMatWithSize(540, 960, gocv.MatTypeCV8UC3)
	defer m.Close()
	gocv.IMWrite(picture, m)
	good := func() CalibrateTableCmd {
		return CalibrateTableCmd{
			Image:   picture,
			Out:     filepath.Join(t.TempDir(), "x.yaml"),
			Corners: []float64{200, 100, 700, 100, 900, 500, 50, 500},
			Game:    "punto_banco",
			Table:   "P",
			Camera:  "c",
			Card:    []float64{63, 88},
			Die:     20,
		}
	}
	for name, c := range map[string]struct {
		change func(*CalibrateTableCmd)
		want   string
	}{
		"no picture":    {func(c *CalibrateTableCmd) { c.Image = "none.png" }, "none.png"},
		"three corners": {func(c *CalibrateTableCmd) { c.Corners = c.Corners[:6] }, "want eight"},
		"on a line":     {func(c *CalibrateTableCmd) { c.Corners = []float64{0, 0, 1, 1, 2, 2, 3, 3} }, "--corners"},
		"swapped":       {func(c *CalibrateTableCmd) { c.Corners = []float64{700, 100, 200, 100, 50, 500, 900, 500} }, "mirrors"},
		"short lens":    {func(c *CalibrateTableCmd) { c.Lens = []float64{1} }, "--lens"},
		"no such game":  {func(c *CalibrateTableCmd) { c.Game = "ajedrez" }, "no template"},
	} {
		cmd := good()
		c.change(&cmd)
		if err := cmd.Run(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
		if _, err := os.Stat(cmd.Out); err == nil {
			t.Errorf("%s: a file was written", name)
		}
	}
	cmd := good()
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
}

// The rack is placed by its corners in the picture, and the rest of the file stays.
func TestCalibrateRack(t *testing.T) {
	st, err := sim.New(sim.Config{Game: "blackjack", Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	truth := st.Calibration()
	v, err := truth.View()
	if err != nil {
		t.Fatal(err)
	}
	truth.Rack = nil
	path := filepath.Join(t.TempDir(), "bj.yaml")
	if err := truth.Save(path); err != nil {
		t.Fatal(err)
	}
	cmd := CalibrateRackCmd{File: path, Tubes: []string{"e25", "e5", "*"}, Capacity: 20, Depth: 8}
	for _, mm := range []fact.Point{{400, -120}, {550, -120}, {550, -45}, {400, -45}} {
		p := v.ToImageAt(mm, -8)
		cmd.Corners = append(cmd.Corners, p[0], p[1])
	}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	got, err := calibration.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := fact.Point{475, -45}
	if u := got.Rack.Tubes[1]; u.Chip != "e5" || math.Hypot(u.Axis[0][0]-want[0], u.Axis[0][1]-want[1]) > 0.2 {
		t.Errorf("the second tube is %+v, want e5 from %v", u, want)
	}
	if got.Rack = nil; got.Hash() != truth.Hash() {
		t.Error("something else in the file has changed")
	}
	cmd.Tubes[0] = "e7"
	if err := cmd.Run(); err == nil || !strings.Contains(err.Error(), `chip "e7" is no round chip of the palette`) {
		t.Errorf("a chip that is not in the palette: %v", err)
	}
}
