package still

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/recognize"
)

// Placed is one reading of a calibrated camera's picture: what was found, and where on
// the table. Quad and Box are in pixels of the picture.
type Placed struct {
	Kind  Kind       `json:"kind"`
	Zone  string     `json:"zone"`
	Seat  int        `json:"seat,omitempty"`
	Spot  string     `json:"spot,omitempty"` // of a stack
	At    fact.Point `json:"at"`             // millimetres on the felt
	Chips []string   `json:"chips,omitempty"`
	Lie   string     `json:"lie,omitempty"` // of a die
	Found

	Place     string   `json:"-"` // name of the zone that is the spot
	Likeliest []string `json:"-"` // chips of a stack, also where they are not accepted
}

// Camera reads single pictures of a calibrated camera with the readers of the live
// table. Close frees what it holds.
type Camera struct {
	Calibration *calibration.Table

	table  *recognize.Table
	places *calibration.Places
}

// NewCamera opens the camera of a calibration file; empty is the file of its picture of
// the table with nothing on it, "" where there is none.
func NewCamera(file, empty string) (*Camera, error) {
	cal, err := calibration.Load(file)
	if err != nil {
		return nil, err
	}
	t, err := recognize.NewTable(cal, recognize.Options{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	c := &Camera{cal, t, calibration.NewPlaces(cal.Zones)}
	if empty == "" {
		return c, nil
	}
	if err := LearnBackground(t, empty); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// LearnBackground shows a table's reader the file of a picture in which nothing lies on it.
func LearnBackground(t *recognize.Table, file string) error {
	img, err := cv.ReadImage(file)
	if err != nil {
		return fmt.Errorf("picture of the empty table: %w", err)
	}
	defer img.Close()
	if err := t.LearnBackground(img); err != nil {
		return fmt.Errorf("picture of the empty table %s: %w", file, err)
	}
	return nil
}

// ChipPixels is how many pixels a chip's thickness has that stands in the middle of a zone; 0 where that is not known.
func (c *Camera) ChipPixels(z calibration.Zone) float64 {
	view, err := c.Calibration.View()
	i := slices.IndexFunc(c.Calibration.Palette, func(k calibration.Chip) bool { return !k.Plaque() })
	if err != nil || !view.Raised() || i < 0 || len(z.Polygon) == 0 {
		return 0
	}
	a, b := view.ToImage(z.Centre()), view.ToImageAt(z.Centre(), c.Calibration.Palette[i].Thickness)
	return math.Hypot(a[0]-b[0], a[1]-b[1])
}

// Close frees the readers.
func (c *Camera) Close() { c.table.Close() }

// Read reads every zone of a picture, in the calibration's order; of a zone cards, stacks
// and dice, each from left to right. calibration.ErrNoHeights comes with what could be
// read nevertheless; with any other error nothing does.
func (c *Camera) Read(img gocv.Mat) ([]Placed, error) {
	seen, err := c.Look(img)
	return c.Place(seen), err
}

// Look is Read with the observations of the live table, which several cameras' are fused from.
func (c *Camera) Look(img gocv.Mat) ([]fact.Observation, error) {
	seen, err := c.table.Still(img, time.Time{})
	switch {
	case errors.Is(err, calibration.ErrNoHeights):
		return seen, calibration.ErrNoHeights // once, not of every zone
	case err != nil:
		return nil, err
	}
	return seen, nil
}

// Place are the readings in observations of the table, which other cameras of it may have made too.
func (c *Camera) Place(seen []fact.Observation) []Placed {
	out := []Placed{}
	for _, o := range seen {
		for _, k := range o.Cards {
			out = append(out, place(Cards, o.Zone, k.At, found(k.Guesses, k.Weighed, k.Abstain, k.Quad)))
		}
		for _, s := range o.Chips {
			out = append(out, c.stack(o.Zone, s))
		}
		for _, d := range o.Dice {
			p := place(Dice, o.Zone, d.At, found(d.Guesses, d.Weighed, d.Abstain, d.Quad))
			p.Lie = lie(d)
			out = append(out, p)
		}
	}
	return out
}

// flat is how a die lies whose upper face counts.
const flat = "flat"

// lie is how a die lies, as far as that is known.
func lie(d fact.Die) string {
	if d.Irregular == "" && d.Abstain == "" {
		return flat
	}
	return d.Irregular
}

func place(k Kind, zone string, at fact.Point, f Found) Placed {
	return Placed{Kind: k, Zone: zone, At: fact.Point{math.Round(10*at[0]) / 10, math.Round(10*at[1]) / 10}, Found: f}
}

func (c *Camera) stack(zone string, s fact.Stack) Placed {
	if len(s.Chips) > 0 { // fused readings may have another content likeliest than the one that stands for them
		s.Weighed.Chips = s.Chips
	}
	p := place(Chips, zone, s.At, stackFound(s, s.Counted()))
	p.Chips, p.Likeliest = s.Chips, s.Weighed.Chips
	if !s.Counted() {
		p.Low, p.High = s.Low, s.High
	}
	if z, ok := c.places.At(zone, s.At); ok {
		p.Seat, p.Spot, p.Place = z.Seat, z.Spot, z.Name
	}
	return p
}
