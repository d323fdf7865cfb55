package main

import (
	"fmt"

	"vision/calibration"
	"vision/internal/fact"
)

// CalibrateRackCmd places the bank's rack in a calibration file.
type CalibrateRackCmd struct {
	File     string    `arg:"" type:"existingfile" help:"Calibration file in which the rack is placed; one that it has is replaced."`
	Corners  []float64 `required:"" placeholder:"X,Y,…" help:"Pixels of the rack's corners inside its rim, eight numbers: the two at the open ends of the tubes, where chips are taken, then the two at their closed ends, round the rack. From the first corner to the second is the order of the tubes."`
	Tubes    []string  `required:"" placeholder:"ID,…" help:"Kind of chip of each tube, as the palette names it; * for several kinds."`
	Capacity int       `required:"" help:"Chips that fit into a tube."`
	Depth    float64   `placeholder:"MM" help:"How far the middle of the chips lies below the felt in the middle of the rack; negative: above."`
	Tilt     float64   `placeholder:"DEGREES" help:"How far the rack falls towards the players; negative: towards the croupier."`
}

// Run writes the file, or says what about the rack cannot be.
func (c *CalibrateRackCmd) Run() error {
	if len(c.Corners) != 8 {
		return fmt.Errorf("--corners: %d numbers: want eight, x and y of four corners", len(c.Corners))
	}
	t, err := calibration.Load(c.File)
	if err != nil {
		return err
	}
	place := calibration.RackPlace{Tubes: c.Tubes, Capacity: c.Capacity, Depth: c.Depth, Tilt: c.Tilt}
	for i := range place.Corners {
		place.Corners[i] = fact.Point{c.Corners[2*i], c.Corners[2*i+1]}
	}
	if err := place.Place(t); err != nil {
		return err
	}
	if err := t.Save(c.File); err != nil {
		return err
	}
	fmt.Printf("%s: a rack of %d tubes, version %.12s\n", c.File, len(t.Rack.Tubes), t.Hash())
	for i, u := range t.Rack.Tubes {
		fmt.Printf("tube %d: %s, %.0f mm long\n", i+1, u.Chip, u.Length())
	}
	return nil
}
