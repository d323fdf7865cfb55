package cv

import (
	"bytes"
	"errors"
	"image"
	"testing"

	"gocv.io/x/gocv"
)

// Edges are OpenCV's to the pixel, in noise of every coarseness and at borders.
func TestEdgesAreOpenCVs(t *testing.T) {
	for _, size := range []image.Point{{X: 2, Y: 2}, {X: 1, Y: 9}, {X: 17, Y: 40}, {X: 301, Y: 200}} {
		for _, blur := range []int{0, 3, 9} {
			img := mottled(t, size.X, size.Y)
			if blur > 0 {
				gocv.GaussianBlur(img, &img, image.Pt(blur, blur), 0, 0, gocv.BorderDefault)
			}
			grey := gocv.NewMat()
			gocv.CvtColor(img, &grey, gocv.ColorBGRToGray)
			for _, m := range []gocv.Mat{img, grey} {
				for _, limits := range [][2]int{{40, 110}, {20, 60}, {150, 400}} {
					sameEdges(t, m, limits[0], limits[1])
				}
			}
			grey.Close()
		}
	}
}

func sameEdges(t *testing.T, m gocv.Mat, low, high int) {
	t.Helper()
	got, err := Edges(m, low, high)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	want := gocv.NewMat()
	defer want.Close()
	gocv.Canny(m, &want, float32(low), float32(high))
	a, _ := got.DataPtrUint8()
	b, _ := want.DataPtrUint8()
	if !bytes.Equal(a, b) {
		t.Errorf("%d × %d pixels, %d channels, limits %d and %d: not OpenCV's edges", m.Cols(), m.Rows(), m.Channels(), low, high)
	}
}

func TestEdgesRefuseOtherMats(t *testing.T) {
	floats := gocv.NewMatWithSize(8, 8, gocv.MatTypeCV32F)
	defer floats.Close()
	empty := gocv.NewMat()
	defer empty.Close()
	for _, m := range []gocv.Mat{floats, empty} {
		if _, err := Edges(m, 1, 2); !errors.Is(err, ErrPicture) {
			t.Errorf("%v", err)
		}
	}
}

func BenchmarkEdges(b *testing.B) {
	img := mottled(b, 1280, 720)
	gocv.GaussianBlur(img, &img, image.Pt(9, 9), 0, 0, gocv.BorderDefault)
	out := gocv.NewMat()
	defer out.Close()
	b.Run("opencv", func(b *testing.B) {
		for range b.N {
			gocv.Canny(img, &out, 40, 110)
		}
	})
	b.Run("own", func(b *testing.B) {
		for range b.N {
			m, err := Edges(img, 40, 110)
			if err != nil {
				b.Fatal(err)
			}
			m.Close()
		}
	})
}
