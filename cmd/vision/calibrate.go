package main

import (
	"fmt"
	"os"

	"github.com/goccy/go-yaml"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/cv"
	"vision/internal/fact"
)

// CalibrateCmd measures what a camera is and where it stands.
type CalibrateCmd struct {
	Table CalibrateTableCmd `cmd:"" default:"withargs" help:"Make a calibration file from a picture and the corners of the layout (taken where nothing else is said)."`
	Lens  CalibrateLensCmd  `cmd:"" help:"Measure a camera's lens from pictures of a printed board, or from the live camera."`
	Board CalibrateBoardCmd `cmd:"" help:"Draw the board that is printed for it."`
	Rack  CalibrateRackCmd  `cmd:"" help:"Place the rack of the bank's chips in a calibration file."`
}

// CalibrateTableCmd makes a calibration file from a picture of the table and the
// pixels of the layout's four corners.
type CalibrateTableCmd struct {
	Image   string    `arg:"" help:"A picture of the table from its camera."`
	Out     string    `required:"" type:"path" placeholder:"FILE" help:"Calibration file to write."`
	Corners []float64 `required:"" placeholder:"X,Y,…" help:"Pixels of the layout's corners, eight numbers: far left, far right, near right, near left as the players see it."`
	Game    string    `required:"" help:"Game code of the template of the layout, like punto_banco (docs/technician.md)." predictor:"game"`
	Norm    string    `help:"Norm in force, where cloths differ by it (ruleta_fortuna)." predictor:"norm"`
	Table   string    `required:"" help:"Id of the table."`
	Camera  string    `default:"main" help:"Name of the camera."`
	Seats   int       `help:"Betting positions; 0: the template's default."`
	Width   float64   `placeholder:"MM" help:"Width of the layout in millimetres; 0: the template's default."`
	Card    []float64 `placeholder:"MM,MM" default:"63,88" help:"Width and height of a card."`
	Die     float64   `placeholder:"MM" default:"20" help:"Edge of a die."`
	Lens    []float64 `placeholder:"FX,FY,CX,CY[,K1,K2,P1,P2,K3]" help:"Lens of the camera; as calibrate lens prints it; without it the focal length is estimated from the picture."`
	Palette string    `type:"existingfile" placeholder:"FILE" help:"Chips as a YAML list: id, face, edge, diameter (a plaque: length, width), thickness, value."`
}

// Run writes the file, or says what about the corners cannot be.
func (c *CalibrateTableCmd) Run() error {
	img, err := cv.ReadImage(c.Image)
	if err != nil {
		return err
	}
	if len(c.Card) != 2 {
		return fmt.Errorf("--card: %d numbers: want width and height", len(c.Card))
	}
	card := [2]float64{c.Card[0], c.Card[1]}
	size := [2]int{img.Cols(), img.Rows()}
	img.Close()
	l, err := layout.New(c.Game, layout.Dims{Seats: c.Seats, Width: c.Width, Card: card, Norm: c.Norm})
	if err != nil {
		return err
	}
	t := &calibration.Table{Schema: calibration.Schema, Table: c.Table, Camera: c.Camera, Size: size,
		Zones: l.Zones, Card: card, Die: c.Die, Deck: "french"}
	if t.Palette, err = c.palette(); err != nil {
		return err
	}
	if err := c.aim(t, l); err != nil {
		return err
	}
	if err := t.Save(c.Out); err != nil {
		return err
	}
	fmt.Printf("%s: %d zones, version %.12s\n", c.Out, len(t.Zones), t.Hash())
	if !t.Pose.Known() {
		fmt.Println("The lens is not known, so heights of stacks cannot be read: give --lens.")
	}
	return nil
}

// aim works out lens, plane and pose from the corners.
func (c *CalibrateTableCmd) aim(t *calibration.Table, l layout.Layout) error {
	if len(c.Corners) != 8 {
		return fmt.Errorf("--corners: %d numbers: want eight, x and y of four corners", len(c.Corners))
	}
	if n := len(c.Lens); n != 0 && n != 4 && n != 9 {
		return fmt.Errorf("--lens: %d numbers: want four or nine", n)
	}
	if len(c.Lens) >= 4 {
		t.Lens = calibration.Lens{Fx: c.Lens[0], Fy: c.Lens[1], Cx: c.Lens[2], Cy: c.Lens[3]}
		copy(t.Lens.Dist[:], c.Lens[4:])
	}
	mm := [4]fact.Point{{0, 0}, {l.Width, 0}, {l.Width, l.Depth}, {0, l.Depth}}
	pairs := make([]calibration.Pair, 4)
	for i := range pairs {
		pairs[i] = calibration.Pair{From: fact.Point{c.Corners[2*i], c.Corners[2*i+1]}, To: mm[i]}
	}
	residual, err := t.Fit(pairs)
	if err != nil {
		return fmt.Errorf("--corners, --lens: %w", err)
	}
	if residual > 1 {
		return fmt.Errorf("--corners: they fit the layout to %.1f mm only", residual)
	}
	return nil
}

// palette reads the chips, or takes a plain set to be edited.
func (c *CalibrateTableCmd) palette() ([]calibration.Chip, error) {
	if c.Palette == "" {
		return calibration.PlainChips(), nil
	}
	data, err := os.ReadFile(c.Palette)
	if err != nil {
		return nil, err
	}
	var chips []calibration.Chip
	if err := yaml.UnmarshalWithOptions(data, &chips, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Palette, err)
	}
	return chips, nil
}
