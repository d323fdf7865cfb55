package node

import (
	"bytes"
	"errors"
	"image/png"
	"testing"

	"vision/calibration/board"
	camlens "vision/calibration/lens"
	"vision/recognize/preview"
)

// Pictures of a calibration board are looked at by a process of its own: what it
// finds comes back, nonsense and its death are errors.
func TestBoardsAreFoundByAProcess(t *testing.T) {
	art, err := board.Draw(camlens.Printed, 40)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, art); err != nil {
		t.Fatal(err)
	}
	var n Node
	v, err := n.FindBoard(t.Context(), camlens.Printed, file.Bytes())
	if err != nil || len(v.Corners) != camlens.Printed.Corners() || v.Size != [2]int{art.Rect.Dx(), art.Rect.Dy()} {
		t.Fatalf("%+v, %v", v, err)
	}
	for _, c := range v.Corners { // half a square of white lies round the drawing
		want := camlens.Printed.At(c.ID)
		for i := range 2 {
			if px := want[i]*40/camlens.Printed.Square + 20; c.Px[i] < px-1.5 || c.Px[i] > px+1.5 {
				t.Errorf("corner %d at %v, want %.1f", c.ID, c.Px, px)
			}
		}
	}
	if _, err := n.FindBoard(t.Context(), camlens.Printed, []byte("no picture")); !errors.Is(err, camlens.ErrRequest) {
		t.Errorf("nonsense: %v", err)
	}
	if _, err := n.TryCalibration(t.Context(), "none", nil, nil); err == nil || errors.Is(err, preview.ErrRequest) {
		t.Errorf("no camera: %v", err)
	}
	if _, err := n.MeasureLens(t.Context(), camlens.Printed, []camlens.View{v}); !errors.Is(err, camlens.ErrPoor) {
		t.Errorf("one view: %v", err)
	}
	dead := camlens.Tool{Command: []string{"false"}}
	if _, err := dead.Find(t.Context(), camlens.Printed, file.Bytes()); err == nil || errors.Is(err, camlens.ErrRequest) {
		t.Errorf("a process that fails: %v", err)
	}
}
