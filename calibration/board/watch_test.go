package board

import (
	"context"
	"errors"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration/lens"
	"vision/capture"
	"vision/internal/av"
)

// film is a camera that sends some pictures and ends.
type film struct {
	units []capture.Unit
	err   error
}

func (f film) Run(ctx context.Context, sink capture.Sink) error {
	for _, u := range f.units {
		u.Wall = time.Now()
		sink.Unit(u)
	}
	return f.err
}

// filmed is n pictures of a board that lies still, a fifth of a second apart.
func filmed(t *testing.T, n int) (out []capture.Unit) {
	t.Helper()
	art, err := Draw(lens.Printed, 40)
	if err != nil {
		t.Fatal(err)
	}
	grey, err := gocv.NewMatFromBytes(art.Rect.Dy(), art.Stride, gocv.MatTypeCV8UC1, art.Pix)
	if err != nil {
		t.Fatal(err)
	}
	defer grey.Close()
	img := gocv.NewMat()
	defer img.Close()
	gocv.CvtColor(grey, &img, gocv.ColorGrayToBGR)
	enc, err := av.NewEncoder(img.Cols(), img.Rows(), 5, av.EncoderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	for i := range n {
		u, err := enc.Encode(img, time.Duration(i)*200*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, u)
	}
	return out
}

// Of a camera two pictures a second are looked at, and told of where they show the board.
func TestABoardIsWatchedThroughACamera(t *testing.T) {
	const n = 11 // at 0.0, 0.2 … 2.0 s: looked at are those at 0.0, 0.6, 1.2 and 1.8
	var views []lens.View
	keep := func(v lens.View) { views = append(views, v) }
	if err := Watch(t.Context(), lens.Printed, film{units: filmed(t, n)}, keep); err != nil {
		t.Fatal(err)
	}
	if len(views) != 4 {
		t.Fatalf("%d pictures were told of, want 4", len(views))
	}
	for _, v := range views {
		if len(v.Corners) != lens.Printed.Corners() {
			t.Errorf("%d corners of %d", len(v.Corners), lens.Printed.Corners())
		}
	}
}

// A camera that cannot be reached is an error; one that broke off after it showed the
// board is none, nor is that the time is over.
func TestWatchTellsWhyNothingWasSeen(t *testing.T) {
	broken := errors.New("no route to host")
	none := func(lens.View) {}
	if err := Watch(t.Context(), lens.Printed, film{err: broken}, none); !errors.Is(err, broken) {
		t.Errorf("nothing seen: %v", err)
	}
	if err := Watch(t.Context(), lens.Printed, film{units: filmed(t, 1), err: broken}, none); err != nil {
		t.Errorf("the board was seen: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Watch(ctx, lens.Printed, film{err: context.Canceled}, none); err != nil {
		t.Errorf("its time is over: %v", err)
	}
}
