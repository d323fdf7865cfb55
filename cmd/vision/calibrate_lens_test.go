package main

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/calibration/board"
	"vision/calibration/lens"
)

// photographed writes pictures of a board as a camera without distortion sees it.
func photographed(t *testing.T, l calibration.Lens, poses []calibration.Pose) (folder string) {
	t.Helper()
	const px = 40
	art, err := board.Draw(lens.Printed, px)
	if err != nil {
		t.Fatal(err)
	}
	src, err := gocv.NewMatFromBytes(art.Rect.Dy(), art.Rect.Dx(), gocv.MatTypeCV8UC1, art.Pix)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	folder = t.TempDir()
	for i, p := range poses {
		plane, err := calibration.PlaneOf(l, p)
		if err != nil {
			t.Fatal(err)
		}
		back, err := plane.Inverse()
		if err != nil {
			t.Fatal(err)
		}
		k := lens.Printed.Square / px
		h := back.Mul(calibration.Homography{k, 0, -lens.Printed.Square / 2, 0, k, -lens.Printed.Square / 2, 0, 0, 1})
		m := gocv.NewMatWithSize(3, 3, gocv.MatTypeCV64F)
		for j, v := range h {
			m.SetDoubleAt(j/3, j%3, v)
		}
		out := gocv.NewMat()
		gocv.WarpPerspectiveWithParams(
			src,
			&out,
			m,
			image.Pt(960, 540),
			gocv.InterpolationLinear,
			gocv.BorderConstant,
			color.RGBA{90, 90, 90, 0},
		)
		if !gocv.IMWrite(filepath.Join(folder, fmt.Sprintf("%02d.png", i)), out) {
			t.Fatal("the picture was not written")
		}
		m.Close()
		out.Close()
	}
	return folder
}

func TestCalibrateLens(t *testing.T) {
	truth := calibration.Lens{Fx: 800, Fy: 800, Cx: 480, Cy: 270}
	var wave, stiff []calibration.Pose
	for i := range 12 {
		x, y := float64(i%4)/3*2-1, float64(i/4)-1
		at := [3]float64{x*250 - 126, y*130 - 90, 500}
		wave = append(
			wave,
			calibration.Pose{R: [3]float64{0.45 * math.Sin(float64(i)), 0.45 * math.Cos(1.7*float64(i)), 0.1}, T: at},
		)
		stiff = append(stiff, calibration.Pose{R: [3]float64{0, 0, 0.1}, T: at})
	}
	cmd := CalibrateLensCmd{
		boardFlags: boardFlags{Squares: []int{7, 5}, Square: 36},
		Images:     []string{photographed(t, truth, wave)},
	}
	out := printed(t, cmd.Run)
	var l calibration.Lens
	i := strings.Index(out, "--lens ")
	if i < 0 {
		t.Fatal(out)
	}
	if _, err := fmt.Sscanf(out[i:], "--lens %f,%f,%f,%f", &l.Fx, &l.Fy, &l.Cx, &l.Cy); err != nil ||
		math.Abs(l.Fx/800-1) > 0.01 ||
		math.Abs(l.Cx-480) > 10 {
		t.Errorf("%v: %s", err, out)
	}
	cmd.Images = []string{photographed(t, truth, stiff)}
	if err := cmd.Run(); !errors.Is(err, lens.ErrPoor) {
		t.Errorf("a board that was never tilted: %v", err)
	}
	for name, bad := range map[string]CalibrateLensCmd{
		"pictures": {boardFlags: cmd.boardFlags}, "--squares": {boardFlags: boardFlags{Squares: []int{7}, Square: 36}, Camera: "x"},
		"square of": {boardFlags: boardFlags{Squares: []int{7, 5}}, Camera: "x"}, "no such": {boardFlags: cmd.boardFlags, Images: []string{"/no/such"}},
	} {
		if err := bad.Run(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// printed is what f writes to the standard output.
func printed(t *testing.T, f func() error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out")
	w, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	was := os.Stdout
	os.Stdout = w
	err = f()
	os.Stdout = was
	w.Close()
	b, e := os.ReadFile(path)
	if err != nil || e != nil {
		t.Fatal(err, e)
	}
	return string(b)
}
