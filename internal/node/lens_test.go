package node

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"net/url"
	"testing"

	"vision/calibration/board"
	camlens "vision/calibration/lens"
	"vision/recognize/preview"
	"vision/stream/console"
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
	found, err := n.FindBoard(t.Context(), nil, file.Bytes())
	v, ok := found.(camlens.View)
	if err != nil || !ok || len(v.Corners) != camlens.Printed.Corners() || v.Size != [2]int{art.Rect.Dx(), art.Rect.Dy()} {
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
	one, err := json.Marshal(camlens.Seen{Board: camlens.Printed, Views: []camlens.View{v}})
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		ask  func() (any, error)
		want error
		poor bool
	}{
		"no picture":  {func() (any, error) { return n.FindBoard(t.Context(), nil, []byte("no picture")) }, camlens.ErrRequest, false},
		"no board":    {func() (any, error) { return n.FindBoard(t.Context(), url.Values{"cols": {"1"}}, file.Bytes()) }, nil, false},
		"one view":    {func() (any, error) { return n.MeasureLens(t.Context(), one) }, camlens.ErrPoor, true},
		"no views":    {func() (any, error) { return n.MeasureLens(t.Context(), []byte(`{"board":{}}`)) }, nil, false},
		"other words": {func() (any, error) { return n.MeasureLens(t.Context(), []byte(`{"moon":1}`)) }, nil, false},
	} {
		_, err := c.ask()
		var no *console.Refusal
		if !errors.As(err, &no) || no.Poor != c.poor || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := n.TryCalibration(t.Context(), "none", nil, nil); err == nil || errors.Is(err, preview.ErrRequest) {
		t.Errorf("no camera: %v", err)
	}
	dead := camlens.Tool{Command: []string{"false"}}
	if _, err := dead.Find(t.Context(), camlens.Printed, file.Bytes()); err == nil || errors.Is(err, camlens.ErrRequest) {
		t.Errorf("a process that fails: %v", err)
	}
}
