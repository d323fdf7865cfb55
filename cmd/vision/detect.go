package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/command"
	"vision/internal/cv"
	"vision/recognize/still"
)

// DetectCmd prints what is read in pictures, one JSON object a line.
type DetectCmd struct {
	Images      []string `arg:"" name:"image" help:"Pictures (JPEG, PNG, BMP, TIFF, WebP)."`
	Kind        string   `enum:"cards,dice,chips," default:"" help:"What to read: cards, dice or chips; without it cards, or with a calibration all that its zones read."`
	Calibration string   `short:"c" type:"existingfile" placeholder:"FILE" help:"The pictures are a calibrated camera's: read its zones as at the live table."`
	Empty       string   `type:"existingfile" placeholder:"IMAGE" help:"That camera's picture of the table with nothing on it: what is printed on the felt is not read. Goes with --calibration."`
	Edge        float64  `placeholder:"PX" help:"Edge of a die in pixels, where a photograph is straightened to their upper faces; without it dice of any size are sought."`
	Annotate    string   `type:"path" placeholder:"DIR" help:"Write each picture with the readings drawn into DIR."`
}

// finder reads a picture: what is printed of each reading beside the picture's path, and
// what is drawn. With calibration.ErrNoHeights comes what could be read nevertheless.
type finder func(path string, img gocv.Mat) (lines []any, found []still.Found, err error)

// Run reads the pictures in order. One that cannot be read is named on standard
// error; the others are still read, and the exit status is 1.
func (c *DetectCmd) Run() error {
	if c.Annotate != "" {
		if err := os.MkdirAll(c.Annotate, 0o755); err != nil {
			return err
		}
	}
	find, done, err := c.open()
	if err != nil {
		return err
	}
	defer done()
	out := json.NewEncoder(os.Stdout)
	failed := false
	bar := command.Progress("pictures", int64(len(c.Images)), command.ReadAlong())
	defer bar.Finish()
	for _, path := range c.Images {
		if err := c.one(find, path, out); err != nil {
			fmt.Fprintln(os.Stderr, "vision: detect:", err)
			failed = true
		}
		_ = bar.Add(1)
	}
	if failed {
		return command.Status(1)
	}
	return nil
}

// open makes the finder and what frees it.
func (c *DetectCmd) open() (finder, func(), error) {
	if c.Calibration == "" {
		if c.Empty != "" {
			return nil, nil, errors.New("--empty: it is a calibrated camera's picture; say by which calibration with -c")
		}
		r, err := still.New(cmp.Or(still.Kind(c.Kind), still.Cards), c.Edge)
		if err != nil {
			return nil, nil, err
		}
		return photograph(r), r.Close, nil
	}
	if c.Edge != 0 {
		return nil, nil, errors.New("--edge: with -c the calibration says how large dice are; leave it out")
	}
	cam, err := still.NewCamera(c.Calibration, c.Empty)
	if err != nil {
		return nil, nil, err
	}
	return c.calibrated(cam), cam.Close, nil
}

func photograph(r still.Reader) finder {
	return func(path string, img gocv.Mat) (lines []any, found []still.Found, err error) {
		found, err = r.Read(img)
		for _, f := range found {
			lines = append(lines, struct {
				Image string `json:"image"`
				still.Found
			}{path, f})
		}
		return lines, found, err
	}
}

func (c *DetectCmd) calibrated(cam *still.Camera) finder {
	return func(path string, img gocv.Mat) (lines []any, found []still.Found, err error) {
		all, err := cam.Read(img)
		for _, p := range all {
			if c.Kind != "" && p.Kind != still.Kind(c.Kind) {
				continue
			}
			lines = append(lines, struct {
				Image string `json:"image"`
				still.Placed
			}{path, p})
			found = append(found, p.Found)
		}
		if c.Kind != "" && c.Kind != string(still.Chips) && errors.Is(err, calibration.ErrNoHeights) {
			err = nil // they were not asked for
		}
		return lines, found, err
	}
}

func (c *DetectCmd) one(find finder, path string, out *json.Encoder) error {
	img, err := cv.ReadImage(path)
	if err != nil {
		return err
	}
	defer img.Close()
	lines, found, err := find(path, img)
	if err != nil && !errors.Is(err, calibration.ErrNoHeights) {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, l := range lines {
		if err := out.Encode(l); err != nil {
			return err
		}
	}
	if c.Annotate != "" {
		still.Annotate(&img, found)
		to := filepath.Join(c.Annotate, filepath.Base(path))
		if !gocv.IMWrite(to, img) {
			return fmt.Errorf("%s: cannot be written", to)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: chips are not read: %w", path, err)
	}
	return nil
}
