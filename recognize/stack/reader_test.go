package stack

import (
	"errors"
	"testing"
	"testing/fstest"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/models"
)

// Without its networks there is no reader.
func TestNewReader(t *testing.T) {
	if _, err := NewReader(fstest.MapFS{}); !errors.Is(err, models.ErrModel) {
		t.Errorf("without networks: %v", err)
	}
}

// A picture that is none, and a hint that says too little, get an error before anything is looked at.
func TestReadRefuses(t *testing.T) {
	view := oblique(t, 40, 900, 2, 64, 48)
	img := gocv.NewMatWithSize(48, 64, gocv.MatTypeCV8UC3)
	defer img.Close()
	none := gocv.NewMat()
	defer none.Close()
	var r Reader
	if _, err := r.Read(none, Hint{View: view}); !errors.Is(err, cv.ErrPicture) {
		t.Errorf("no picture: %v", err)
	}
	if _, err := r.Read(img, Hint{View: new(calibration.View)}); !errors.Is(err, calibration.ErrNoHeights) {
		t.Errorf("no heights: %v", err)
	}
	if _, err := r.Read(img, Hint{View: view}); err == nil {
		t.Error("no palette: no error")
	}
	for _, colour := range []string{"", "#c0202", "c02020", "#c0202g", "#c020200", "#+c0202"} {
		h := Hint{View: view, Palette: []calibration.Chip{{ID: "red", Face: "#c02020", Edge: colour, Diameter: 40, Thickness: 3.3}},
			Zone: []fact.Point{{0, 0}, {100, 0}, {0, 100}}}
		if _, err := r.Read(img, h); err == nil {
			t.Errorf("colour %q: no error", colour)
		}
	}
}
