package cv

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"
)

// mottled is a picture of random pixels.
func mottled(t testing.TB, w, h int) gocv.Mat {
	t.Helper()
	m := gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3)
	t.Cleanup(func() { m.Close() })
	px, err := m.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range px {
		px[i] = uint8(rng.Uint32())
	}
	return m
}

func TestPatchesAreOpenCVsWarps(t *testing.T) {
	img := mottled(t, 120, 90)
	quads := []Corners{{10, 10, 60, 12, 58, 80, 9, 77}, {-5, 3, 40, 0, 44, 60, 0, 66}, {100, 80, 20, 80, 20, 10, 100, 10}}
	const w, h = 40, 56
	got, err := Patches(img, quads, w, h)
	if err != nil {
		t.Fatal(err)
	}
	to := gocv.NewPoint2fVectorFromPoints([]gocv.Point2f{{}, {X: w}, {X: w, Y: h}, {Y: h}})
	defer to.Close()
	for i, q := range quads {
		from := gocv.NewPoint2fVectorFromPoints(
			[]gocv.Point2f{{X: q[0], Y: q[1]}, {X: q[2], Y: q[3]}, {X: q[4], Y: q[5]}, {X: q[6], Y: q[7]}},
		)
		m := gocv.GetPerspectiveTransform2f(from, to)
		want := gocv.NewMat()
		gocv.WarpPerspectiveWithParams(
			img,
			&want,
			m,
			image.Pt(w, h),
			gocv.InterpolationLinear,
			gocv.BorderReplicate,
			color.RGBA{},
		)
		px, _ := want.DataPtrUint8()
		if !bytes.Equal(px, got[i*w*h*3:(i+1)*w*h*3]) {
			t.Errorf("patch %d: not what OpenCV gives", i)
		}
		from.Close()
		m.Close()
		want.Close()
	}
}

func TestPatchesRefuseOtherMats(t *testing.T) {
	grey := gocv.NewMatWithSize(10, 10, gocv.MatTypeCV8U)
	defer grey.Close()
	img := mottled(t, 20, 20)
	part := img.Region(image.Rect(2, 2, 9, 9))
	defer part.Close()
	for name, m := range map[string]gocv.Mat{"grey": grey, "a part": part} {
		if _, err := Patches(m, make([]Corners, 1), 8, 8); !errors.Is(err, ErrPicture) {
			t.Errorf("%s: patches: %v", name, err)
		}
	}
	if px, err := Patches(img, nil, 8, 8); err != nil || px != nil {
		t.Errorf("no quadrilaterals: %d bytes, %v", len(px), err)
	}
}

func TestHalfIsTheMeanOfFour(t *testing.T) {
	px := make([]byte, 3*4*2)
	for i := range px {
		px[i] = byte(10 * i)
	}
	got, err := Half(px, 4)
	if err != nil {
		t.Fatal(err)
	}
	for x := range 2 {
		for c := range 3 {
			k := 6*x + c
			want := (int(px[k]) + int(px[k+3]) + int(px[12+k]) + int(px[15+k]) + 2) / 4
			if int(got[3*x+c]) != want {
				t.Errorf("pixel %d channel %d: %d, want %d", x, c, got[3*x+c], want)
			}
		}
	}
	for _, n := range []int{0, 5, 12, 36} {
		if _, err := Half(make([]byte, n), 4); err == nil {
			t.Errorf("%d bytes: no error", n)
		}
	}
}
