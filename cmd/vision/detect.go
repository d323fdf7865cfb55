package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/recognize/eval"
	"vision/recognize/still"
)

// DetectCmd prints what is read in pictures, one JSON object a line.
type DetectCmd struct {
	Images   []string `arg:"" name:"image" help:"Pictures (JPEG, PNG, BMP, TIFF, WebP)."`
	Kind     string   `enum:"cards,dice,chips" default:"cards" help:"What to read: cards, dice or chips."`
	Edge     float64  `placeholder:"PX" help:"Edge of a die in pixels, where the picture is straightened to their upper faces; without it dice of any size are sought."`
	Annotate string   `type:"path" placeholder:"DIR" help:"Write each picture with the readings drawn into DIR."`
}

// Run reads the pictures in order. One that cannot be read is named on standard
// error; the others are still read, and the exit status is 1.
func (c *DetectCmd) Run() error {
	if c.Annotate != "" {
		if err := os.MkdirAll(c.Annotate, 0o755); err != nil {
			return err
		}
	}
	reader, err := still.New(eval.Kind(c.Kind), still.Options{Edge: c.Edge})
	if err != nil {
		return err
	}
	defer reader.Close()
	out := json.NewEncoder(os.Stdout)
	failed := false
	bar := progress("pictures", int64(len(c.Images)), readAlong())
	defer bar.Finish()
	for _, path := range c.Images {
		if err := c.one(reader, path, out); err != nil {
			fmt.Fprintln(os.Stderr, "vision: detect:", err)
			failed = true
		}
		_ = bar.Add(1)
	}
	if failed {
		return exitCode(1)
	}
	return nil
}

func (c *DetectCmd) one(reader still.Reader, path string, out *json.Encoder) error {
	img, err := cv.ReadImage(path)
	if err != nil {
		return err
	}
	defer img.Close()
	found, err := reader.Read(img)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, f := range found {
		if err := out.Encode(struct {
			Image string `json:"image"`
			still.Found
		}{path, f}); err != nil {
			return err
		}
	}
	if c.Annotate == "" {
		return nil
	}
	still.Annotate(&img, found)
	to := filepath.Join(c.Annotate, filepath.Base(path))
	if !gocv.IMWrite(to, img) {
		return fmt.Errorf("%s: cannot be written", to)
	}
	return nil
}
