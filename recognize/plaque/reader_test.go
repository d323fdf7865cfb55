package plaque

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/fact"
	"vision/internal/lab/sim/scene"
)

// palette has the kinds that are hard beside the easy ones: a chip of the
// felt's colour, a black one, a white one.
var palette = []calibration.Chip{
	{ID: "0.5", Face: "#c9b08a", Edge: "#5a3a1c", Diameter: 39, Thickness: 3.4, Value: 50},
	{ID: "1", Face: "#e8e6df", Edge: "#2a4fa0", Diameter: 39, Thickness: 3.4, Value: 100},
	{ID: "2.5", Face: "#e58fb0", Edge: "#f4f0e8", Diameter: 39, Thickness: 3.4, Value: 250},
	{ID: "5", Face: "#c4232b", Edge: "#f2efe6", Diameter: 39, Thickness: 3.4, Value: 500},
	{ID: "25", Face: "#1f8a4c", Edge: "#f0e9d2", Diameter: 39, Thickness: 3.4, Value: 2500},
	{ID: "100", Face: "#26262b", Edge: "#e9c34a", Diameter: 39, Thickness: 3.4, Value: 10000},
	{ID: "500", Face: "#6b3fa0", Edge: "#f0c9e0", Diameter: 39, Thickness: 3.4, Value: 50000},
}

// bench is a rendered table to lay stacks on.
type bench struct {
	t      testing.TB
	sc     *scene.Scene
	view   *calibration.View
	rnd    *rand.Rand
	ids    []scene.ID
	zone   []fact.Point
	reader *Reader // of what is read once
}

// newBench renders a felt of 1200 mm under an oblique 1080p camera.
func newBench(t testing.TB, cloth [3]float64, seed uint64) *bench {
	t.Helper()
	return newBenchAt(t, cloth, seed, 0.965, palette)
}

// newBenchAt has the camera tilted so many radians off the vertical.
func newBenchAt(t testing.TB, cloth [3]float64, seed uint64, tilt float64, palette []calibration.Chip) *bench {
	t.Helper()
	const width, depth, distance = 1200, 620, 3000.0
	v := scene.View{Size: [2]int{1920, 1080}, Target: [2]float64{width / 2, depth/2 - 60}, Distance: distance, Tilt: tilt,
		Yaw: 0.02, Roll: 0.006, Scale: 1920.0 / (width + 40) * (1 - depth/2*math.Sin(tilt)/distance),
		Dist: [5]float64{-0.09, 0.05, 0.0004, -0.0003, 0}}
	cam := scene.NewCamera(v)
	felt := scene.NewFelt(image.Rect(-300, -700, width+300, depth+450), cloth)
	l, err := layout.New("ruleta_francesa", layout.Dims{})
	if err != nil {
		t.Fatal(err)
	}
	felt.Draw.SetRGB255(240, 235, 215)
	felt.Draw.SetLineWidth(3)
	for _, c := range l.Cells {
		felt.Draw.DrawRectangle(c.Rect[0], c.Rect[1], c.Rect[2]-c.Rect[0], c.Rect[3]-c.Rect[1])
		felt.Draw.Stroke()
	}
	sc, err := scene.New(cam, felt, palette, seed)
	if err != nil {
		t.Fatal(err)
	}
	c := calibration.Table{Size: v.Size, Lens: cam.Lens, Plane: cam.Plane(), Pose: cam.Pose()}
	view, err := c.View()
	if err != nil {
		t.Fatal(err)
	}
	return &bench{t: t, sc: sc, view: view, reader: newReader(t), rnd: rand.New(rand.NewPCG(seed, 9)),
		zone: []fact.Point{{20, 20}, {1180, 20}, {1180, 600}, {20, 600}}}
}

func (b *bench) clear() {
	for _, id := range b.ids {
		b.sc.Take(id)
	}
	b.ids = nil
}

// shoot is the frame, through JPEG: harsher on colours than the cameras' H.264.
func (b *bench) shoot(quality int) gocv.Mat {
	b.t.Helper()
	p, _ := b.sc.Render()
	m, err := gocv.NewMatFromBytes(p.H, p.W, gocv.MatTypeCV8UC3, p.Pix)
	if err != nil {
		b.t.Fatal(err)
	}
	defer m.Close()
	buf, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, m, []int{gocv.IMWriteJpegQuality, quality})
	if err != nil {
		b.t.Fatal(err)
	}
	defer buf.Close()
	out, err := gocv.IMDecode(buf.GetBytes(), gocv.IMReadColor)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// newReader is a reader of its own.
func newReader(t testing.TB) *Reader {
	t.Helper()
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}
