package layout

import (
	"fmt"

	"vision/calibration"
	"vision/internal/fact"
)

// Clicks are what a technician clicked: points of the table in the camera's picture.
// A point's corner names one of the layout's corners, or a middle of its edges.
type Clicks struct {
	Game   string           `json:"game"`
	Seats  int              `json:"seats"`
	Width  float64          `json:"width"` // of the layout in millimetres; 0: the template's
	Card   [2]float64       `json:"card"`
	Die    float64          `json:"die"`
	Deck   string           `json:"deck"`
	Size   [2]int           `json:"size"` // of the picture
	Lens   calibration.Lens `json:"lens"` // zero: is estimated
	Points []struct {
		Corner string     `json:"corner"`
		Px     fact.Point `json:"px"`
	} `json:"points"`
}

// Fitted is a calibration from clicks, and how well they fit.
type Fitted struct {
	Calibration *calibration.Table `json:"calibration"`
	Residual    float64            `json:"residual"` // millimetres on the table
	Width       float64            `json:"width"`    // of the layout, millimetres
	Depth       float64            `json:"depth"`
	Heights     bool               `json:"heights"` // stacks can be counted, or need not: calibration.ErrNoHeights
	Warning     string             `json:"warning,omitempty"`
}

// Corners are where a layout's named points lie, as shares of width and depth.
var Corners = map[string]fact.Point{
	"far_left": {0, 0}, "far_right": {1, 0}, "near_right": {1, 1}, "near_left": {0, 1},
	"far_middle": {0.5, 0}, "near_middle": {0.5, 1}, "left_middle": {0, 0.5}, "right_middle": {1, 0.5},
}

// Fit makes the calibration of a table's camera from the game's template and the
// clicked points. palette is the chips in use.
func (c Clicks) Fit(table, camera, norm string, palette []calibration.Chip) (Fitted, error) {
	l, err := New(c.Game, Dims{Seats: c.Seats, Width: c.Width, Card: c.Card, Norm: norm})
	if err != nil {
		return Fitted{}, err
	}
	cal := &calibration.Table{Schema: calibration.Schema, Table: table, Camera: camera, Size: c.Size, Lens: c.Lens,
		Zones: l.Zones, Card: c.Card, Die: c.Die, Deck: c.Deck, Palette: palette}
	var pairs []calibration.Pair
	for _, p := range c.Points {
		at, known := Corners[p.Corner]
		if !known {
			return Fitted{}, fmt.Errorf("corner %q: want far_left, far_right, near_right, near_left, far_middle …", p.Corner)
		}
		pairs = append(pairs, calibration.Pair{From: p.Px, To: fact.Point{at[0] * l.Width, at[1] * l.Depth}})
	}
	residual, err := cal.Fit(pairs)
	if err == nil && residual > calibration.MaxResidual {
		err = calibration.ErrResidual
	}
	if err != nil {
		return Fitted{}, fmt.Errorf("points: %w", err)
	}
	return Fitted{Calibration: cal, Residual: residual, Width: l.Width, Depth: l.Depth, Heights: cal.Heights() == nil}, nil
}
