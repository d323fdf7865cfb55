package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/calibration/lens"
	"vision/internal/cv"
	"vision/internal/fact"
)

// The camera of these tests: a wide lens with a strong barrel.
var (
	size  = [2]int{960, 540}
	truth = calibration.Lens{Fx: 720, Fy: 722, Cx: 489, Cy: 262, Dist: [5]float64{-0.24, 0.07, 0.0006, -0.0004, 0}}
)

// rays are the pictures' pixels as the lens without distortion would have them,
// four to a pixel.
var rays = sync.OnceValue(func() []fact.Point {
	var out []fact.Point
	for y := range size[1] {
		for x := range size[0] {
			for s := range 4 {
				p := truth.Undistort(fact.Point{float64(x) + 0.25*float64(2*(s%2)-1), float64(y) + 0.25*float64(2*(s/2)-1)})
				out = append(out, p)
			}
		}
	}
	return out
})

// shoot renders a board that stands before the camera by its pose.
func shoot(t testing.TB, b lens.Board, art *image.Gray, px int, pose calibration.Pose) *image.Gray {
	t.Helper()
	plane, err := calibration.PlaneOf(truth, pose)
	if err != nil {
		t.Fatal(err)
	}
	k := float64(px) / b.Square // pixels of the drawing to a millimetre
	out := image.NewGray(image.Rect(0, 0, size[0], size[1]))
	for i, all := 0, rays(); i < len(all); i += 4 {
		sum := 0.0
		for _, p := range all[i : i+4] {
			mm := plane.Apply(p)
			x, y := int(math.Floor(mm[0]*k))+px/2, int(math.Floor(mm[1]*k))+px/2
			level := 90.0 // the room
			if (image.Point{x, y}).In(art.Rect) {
				level = 20 + 0.8*float64(art.GrayAt(x, y).Y)
			}
			sum += level
		}
		out.Pix[i/4] = uint8(sum / 4)
	}
	return out
}

// poses wave the board about: near and far, to the edges, tilted to all sides.
func poses(b lens.Board, n int, tilt, reach float64) (out []calibration.Pose) {
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range n {
		gx, gy := float64(i%4)/3*2-1, float64(i/4%3)-1 // over a grid of the picture
		z := 480 + 120*rng.Float64()
		r := [3]float64{tilt * (2*rng.Float64() - 1), tilt * (2*rng.Float64() - 1), 0.3 * (2*rng.Float64() - 1)}
		cx, cy := gx*reach*z*0.52, gy*reach*z*0.27
		w, h := float64(b.Cols)*b.Square, float64(b.Rows)*b.Square
		out = append(out, calibration.Pose{R: r, T: [3]float64{cx - w/2, cy - h/2, z}})
	}
	return out
}

func views(t testing.TB, b lens.Board, all []calibration.Pose) (out []lens.View) {
	t.Helper()
	const px = 60
	var art *image.Gray
	if b.Plain {
		art = chess(b, px)
	} else {
		var err error
		if art, err = Draw(b, px); err != nil {
			t.Fatal(err)
		}
	}
	for _, pose := range all {
		gray := shoot(t, b, art, px, pose)
		mat, err := gocv.NewMatFromBytes(size[1], size[0], gocv.MatTypeCV8UC1, gray.Pix)
		if err != nil {
			t.Fatal(err)
		}
		bgr := gocv.NewMat()
		gocv.CvtColor(mat, &bgr, gocv.ColorGrayToBGR)
		v, err := Find(b, bgr)
		mat.Close()
		bgr.Close()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// chess draws a plain board as Draw does the other.
func chess(b lens.Board, px int) *image.Gray {
	out := image.NewGray(image.Rect(0, 0, (b.Cols+1)*px, (b.Rows+1)*px))
	for i := range out.Pix {
		x, y := i%out.Stride-px/2, i/out.Stride-px/2
		in := x >= 0 && y >= 0 && x < b.Cols*px && y < b.Rows*px
		if !in || (x/px+y/px)%2 == 1 {
			out.Pix[i] = 255
		}
	}
	return out
}

// bent is how flat a table lies under the true camera when its pixels are made
// straight by another lens: millimetres on a table 1300 mm wide that fills the
// picture. It is what the zones of a table will be off by.
func bent(t *testing.T, l calibration.Lens) float64 {
	t.Helper()
	plane, err := calibration.PlaneOf(truth,
		calibration.Pose{R: [3]float64{0.6, 0.03, 0.01}, T: [3]float64{-640, -330, 1150}})
	if err != nil {
		t.Fatal(err)
	}
	var pairs []calibration.Pair
	for i := range 19 {
		for j := range 19 {
			px := fact.Point{float64(size[0]) * (0.05 + 0.05*float64(i)), float64(size[1]) * (0.05 + 0.05*float64(j))}
			pairs = append(pairs, calibration.Pair{From: l.Undistort(px), To: plane.Apply(truth.Undistort(px))})
		}
	}
	_, residual, err := calibration.Solve(pairs)
	if err != nil {
		t.Fatal(err)
	}
	return residual
}

// A lens that is known comes out of pictures of either board.
func TestALensIsMeasured(t *testing.T) {
	for name, b := range map[string]lens.Board{"charuco": lens.Printed, "chessboard": {Cols: 7, Rows: 6, Square: 30, Plain: true}} {
		t.Run(name, func(t *testing.T) {
			reach := 1.0
			if b.Plain {
				reach = 0.62 // all of it must be seen
			}
			vs := views(t, b, poses(b, 12, 0.5, reach))
			r, err := Measure(b, vs)
			if err != nil {
				t.Fatalf("%v: %+v", err, r)
			}
			t.Logf("%+v; a table is %.2f mm off, without a lens %.1f mm", r, bent(t, r.Lens), bent(t, calibration.Lens{}))
			if f := r.Lens.Fx / truth.Fx; math.Abs(f-1) > 0.01 || r.RMS > 0.3 || r.RMSmm > 0.3 || r.RMSmm <= 0 {
				t.Errorf("focal length %.1f, want %.0f; errors %.2f px, %.2f mm", r.Lens.Fx, truth.Fx, r.RMS, r.RMSmm)
			}
			if d := bent(t, r.Lens); d > 0.5 {
				t.Errorf("a table is %.2f mm off", d)
			}
		})
	}
}

// What is not good enough is refused, and it is said why.
func TestPoorMeasurementsAreRefused(t *testing.T) {
	b := lens.Printed
	good := views(t, b, poses(b, 12, 0.5, 1))
	shaken := func(by float64) []lens.View {
		rng := rand.New(rand.NewPCG(1, 2))
		var out []lens.View
		for _, v := range good {
			w := lens.View{Size: v.Size}
			for _, c := range v.Corners {
				c.Px = fact.Point{min(max(0, c.Px[0]+by*rng.NormFloat64()), float64(size[0])),
					min(max(0, c.Px[1]+by*rng.NormFloat64()), float64(size[1]))}
				w.Corners = append(w.Corners, c)
			}
			out = append(out, w)
		}
		return out
	}
	for _, c := range []struct {
		name  string
		views []lens.View
		words string
	}{
		{"few", good[:4], "of 4 pictures"},
		{"none shows a board", []lens.View{{Size: size}, {Size: size}}, "0 of 2"},
		{"never tilted", views(t, b, poses(b, 12, 0.004, 1)), "aslant"},
		{"in the middle only", views(t, b, poses(b, 8, 0.5, 0.02)), "parts of the picture"},
		{"shaken", shaken(1.2), " px; want"},
	} {
		r, err := Measure(b, c.views)
		if !errors.Is(err, lens.ErrPoor) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v; %+v", c.name, err, r)
		}
	}
	blurred := append(append([]lens.View{}, good...), shaken(4)[0], shaken(5)[1]) // two of them are
	if r, err := Measure(b, blurred); err != nil || r.Left != 2 || bent(t, r.Lens) > 0.5 {
		t.Errorf("two blurred pictures were not left out: %+v, %v", r, err)
	}
	for _, bad := range []struct {
		b lens.Board
		v []lens.View
	}{
		{lens.Board{Cols: 2, Rows: 5, Square: 30}, good}, {lens.Board{Cols: 7, Rows: 5, Square: math.NaN()}, good},
		{b, append([]lens.View{{Size: [2]int{640, 480}, Corners: good[0].Corners}}, good...)},
		{b, append([]lens.View{{Size: size, Corners: []lens.Corner{{ID: 999}}}}, good...)},
		{b, append([]lens.View{{Size: size, Corners: []lens.Corner{{ID: 1, Px: fact.Point{-5, 1e9}}}}}, good...)},
	} {
		if _, err := Measure(bad.b, bad.v); err == nil || errors.Is(err, lens.ErrPoor) {
			t.Errorf("board %+v: %v", bad.b, err)
		}
	}
}

// The process answers as the functions do, and to nonsense with an error.
func TestServe(t *testing.T) {
	b := lens.Printed
	art, err := Draw(b, 30)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, art); err != nil {
		t.Fatal(err)
	}
	ask := func(q any) (a lens.Answer) {
		t.Helper()
		in, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Serve(bytes.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask(lens.Request{Board: b, Image: file.Bytes()}); a.View == nil || len(a.View.Corners) != b.Corners() ||
		a.Error != "" {
		t.Errorf("%+v", a)
	}
	if a := ask(lens.Request{Board: b, Image: []byte("no picture")}); !strings.Contains(a.Error, cv.ErrImage.Error()) {
		t.Errorf("%+v", a)
	}
	if a := ask(lens.Request{Board: b}); a.Poor == "" {
		t.Errorf("%+v", a)
	}
	if a := ask([]int{1}); a.Error == "" {
		t.Errorf("%+v", a)
	}
}

// The board that the console offers for printing is the one that is looked for.
func TestThePrintedBoard(t *testing.T) {
	want, err := SVG(lens.Printed)
	if err != nil {
		t.Fatal(err)
	}
	const path = "../../stream/console/assets/board.svg"
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what `vision calibrate board --out` draws: %v", path, err)
	}
	if _, err := SVG(lens.Board{Cols: 7, Rows: 5, Square: 30, Plain: true}); err == nil {
		t.Error("a plain board is drawn")
	}
	// The boxes are the drawing.
	img, err := Draw(lens.Printed, 56)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range black(img) {
		n += r.Dx() * r.Dy()
	}
	for _, p := range img.Pix {
		if p < 128 {
			n--
		}
	}
	if n != 0 {
		t.Errorf("the boxes hold %d black pixels more than the drawing", n)
	}
}
