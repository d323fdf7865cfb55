package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vision/internal/cv"
	"vision/recognize/eval"
	"vision/recognize/still"
)

// EvalCmd measures a reader on a set of photographs with known content.
type EvalCmd struct {
	Dir  string  `arg:"" type:"existingdir" help:"Evaluation set: a folder with truth.jsonl and its images."`
	Kind string  `enum:"cards,dice,chips" default:"cards" help:"What to measure: cards, dice or chips."`
	Edge float64 `placeholder:"PX" help:"Edge of a die in pixels, where the picture is straightened to their upper faces; without it dice of any size are sought."`
	JSON bool    `name:"json" help:"Print one JSON object."`
}

// Run reads every picture of the set that speaks of the kind and prints the figures.
func (c *EvalCmd) Run() error {
	images, err := eval.Load(c.Dir)
	if err != nil {
		return err
	}
	kind := eval.Kind(c.Kind)
	reader, err := still.New(kind, still.Options{Edge: c.Edge})
	if err != nil {
		return err
	}
	defer reader.Close()
	tally := eval.Tally{Kind: kind}
	bar := progress("pictures", int64(len(images)), c.JSON)
	defer bar.Finish()
	for i := range images {
		_ = bar.Add(1)
		if !images[i].Has(kind) {
			continue
		}
		readings, took, err := c.read(reader, images[i].Image)
		if err != nil {
			return err
		}
		tally.Add(&images[i], readings, took)
	}
	result := tally.Result(filepath.Base(filepath.Clean(c.Dir)))
	if result.Images == 0 {
		return fmt.Errorf("%s: no picture speaks of %s", c.Dir, kind)
	}
	if c.JSON {
		return json.NewEncoder(os.Stdout).Encode(result)
	}
	return result.Write(os.Stdout)
}

func (c *EvalCmd) read(reader still.Reader, name string) ([]eval.Reading, time.Duration, error) {
	path := filepath.Join(c.Dir, name)
	img, err := cv.ReadImage(path)
	if err != nil {
		return nil, 0, err
	}
	defer img.Close()
	start := time.Now()
	found, err := reader.Read(img)
	took := time.Since(start)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	out := make([]eval.Reading, len(found))
	for i, f := range found {
		out[i] = f.Reading()
	}
	return out, took, nil
}
