package recognize

import (
	"errors"
	"testing"
	"testing/fstest"

	"vision/calibration"
	"vision/internal/fact"
	"vision/models"
)

// A folder without the networks that a kind needs at once is an error of the table that names them, and nothing else.
func TestATableWithoutNetworks(t *testing.T) {
	none := fstest.MapFS{}
	for kind, opts := range map[string]Options{
		"cards": {Cards: none},
		"chips": {Chips: none},
	} {
		cal := calibration.Table{
			Schema: calibration.Schema, Table: "t", Camera: "above", Size: [2]int{640, 480},
			Plane: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, Card: [2]float64{63, 88}, Die: 16,
			Palette: []calibration.Chip{{ID: "red", Value: 500, Face: "#c02020", Edge: "#f0f0f0", Diameter: 40, Thickness: 3.3}},
			Zones: []calibration.Zone{
				{Name: "seat:1", Reads: []string{kind}, Polygon: []fact.Point{{100, 100}, {400, 100}, {400, 400}}},
			},
		}
		if _, err := NewTable(&cal, opts); !errors.Is(err, models.ErrModel) {
			t.Errorf("%s: got %v, want %v", kind, err, models.ErrModel)
		}
	}
}
