// Package calibration says where things are: lens, table plane, zones of the
// layout, chip palette. It holds no images and reads no cards.
package calibration

import "vision/internal/fact"

// Table is one camera's view of one table, as its file holds it. Lengths are
// millimetres on the felt, origin at the layout's top left as the croupier's
// opposite side sees it, x to the right, y towards the players.
type Table struct {
	Schema string `yaml:"schema" json:"schema"` // "calibration/1"
	Table  string `yaml:"table" json:"table"`
	Camera string `yaml:"camera" json:"camera"`
	// Size is the frame's width and height in pixels. A camera that sends
	// another size is refused as "calibrated for another camera".
	Size [2]int `yaml:"size,flow" json:"size"`
	Lens Lens   `yaml:"lens" json:"lens"`
	// Plane maps undistorted pixels to millimetres, row by row (homography).
	Plane [9]float64 `yaml:"plane,flow" json:"plane"`
	// Pose is the camera over the plane (oblique chip reading needs it). Zero: it
	// follows from lens and plane, where the view is not from straight above.
	Pose    Pose   `yaml:"pose,omitempty" json:"pose,omitzero"`
	Zones   []Zone `yaml:"zones" json:"zones"`
	Rack    *Rack  `yaml:"rack,omitempty" json:"rack,omitempty"` // nil: this camera reads none
	Palette []Chip `yaml:"palette" json:"palette"`
	// Card is a card's width and height in millimetres (63×88 poker, 57×88 bridge).
	Card [2]float64 `yaml:"card,flow" json:"card"`
	// Die is the edge of a die in millimetres.
	Die float64 `yaml:"die,omitempty" json:"die,omitempty"`
	// Deck is the kind of pack: "french", "french-no-index", "spanish".
	Deck string `yaml:"deck,omitempty" json:"deck,omitempty"`
}

// Lens is the pinhole camera with radial and tangential distortion
// (k1 k2 p1 p2 k3), as OpenCV's calib3d defines it. Zero means undistorted.
type Lens struct {
	Fx   float64    `yaml:"fx" json:"fx"`
	Fy   float64    `yaml:"fy" json:"fy"`
	Cx   float64    `yaml:"cx" json:"cx"`
	Cy   float64    `yaml:"cy" json:"cy"`
	Dist [5]float64 `yaml:"dist,flow" json:"dist"`
}

// Pose is rotation (Rodrigues vector) and translation in millimetres that take
// the table's frame to the camera's. With x to the right and y towards the
// players the third axis points into the felt: what stands h millimetres above
// it has z = -h (View hides this).
type Pose struct {
	R [3]float64 `yaml:"r,flow" json:"r"`
	T [3]float64 `yaml:"t,flow" json:"t"`
}

// Zone is a polygon of the felt with what is to be read there.
type Zone struct {
	// Name is the zone of the round record ("bank", "seat:3", "punto",
	// "board", "dice") or, for chips, the spot ("seat:3 main"), or the name of
	// a layout whose spots are decided by position ("layout").
	Name string `yaml:"name" json:"name"`
	// Reads lists "cards", "chips", "dice".
	Reads   []string     `yaml:"reads,omitempty,flow" json:"reads,omitempty"`
	Polygon []fact.Point `yaml:"polygon,flow" json:"polygon"`
	// Seat and Spot of the round record where the zone belongs to one.
	Seat int    `yaml:"seat,omitempty" json:"seat,omitempty"`
	Spot string `yaml:"spot,omitempty" json:"spot,omitempty"`
}

// Chip is one kind of chip of the palette: round, or a plaque, which is a flat
// piece with four straight sides and rounded corners and has a length and a width
// instead of a diameter. Sizes are millimetres.
type Chip struct {
	ID   string `yaml:"id" json:"id"`
	Face string `yaml:"face" json:"face"` // "#rrggbb" of the field
	// Edge is "#rrggbb" of a chip's inserts; of a plaque's sides and border.
	Edge      string  `yaml:"edge" json:"edge"`
	Diameter  float64 `yaml:"diameter,omitempty" json:"diameter,omitempty"`
	Length    float64 `yaml:"length,omitempty" json:"length,omitempty"` // the longer side of a plaque
	Width     float64 `yaml:"width,omitempty" json:"width,omitempty"`   // the shorter
	Thickness float64 `yaml:"thickness" json:"thickness"`
	Value     int64   `yaml:"value" json:"value"` // cents; 0 for a colour chip whose value the table's marker says
	Seat      int     `yaml:"seat,omitempty" json:"seat,omitempty"`
}

// Plaque reports whether the piece is a plaque.
func (c Chip) Plaque() bool { return c.Length != 0 || c.Width != 0 }
