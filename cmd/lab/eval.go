package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"vision/internal/command"
	"vision/internal/cv"
	"vision/internal/lab/eval"
	"vision/internal/lab/measure"
	"vision/models"
	"vision/recognize"
	"vision/recognize/still"
)

// EvalCmd measures the readers on an evaluation set with known content.
type EvalCmd struct {
	Dir  string  `arg:"" type:"existingdir" help:"Evaluation set: a folder with truth.jsonl and its photographs, calibrated stills, racks or clips."`
	Kind string  `enum:"cards,dice,chips,wheel," default:"" help:"What to measure: cards, dice, chips or wheel; without it cards on photographs, everything in calibrated stills and clips."`
	Edge float64 `placeholder:"PX" help:"Edge of a die in pixels, where a photograph is straightened to their upper faces; without it dice of any size are sought."`
	JSON bool    `name:"json" help:"Print one JSON object."`

	Cameras int `default:"0" placeholder:"N" help:"Read the first N cameras of each table of a set of calibrated stills; without it all. With several, each is measured alone too."`

	Stacks string `type:"existingdir" help:"Folder of networks of recognize/stack (tops.onnx, sides.onnx, manifest.json), instead of the shipped ones. Of clips."`

	Reliability string `placeholder:"FILE" help:"Write how well probabilities are calibrated, of all readings with a likeliest label, accepted or not: FILE.svg a diagram for people, FILE.json its figures. Not of clips."`
}

// Run measures the set in the form that its truth has. What cannot be read of stills and
// clips is named on standard error, what can is measured, and the exit status is 1.
func (c *EvalCmd) Run() error {
	set, err := eval.LoadSet(c.Dir)
	if err != nil {
		return err
	}
	if c.Reliability != "" {
		if set.Clips != nil {
			return errors.New("--reliability: of clips what zones hold is judged, not single readings")
		}
		if ext := filepath.Ext(c.Reliability); ext != ".svg" && ext != ".json" {
			return fmt.Errorf("--reliability %s: want a file that ends in .svg or .json", c.Reliability)
		}
	}
	if c.Stacks != "" && set.Clips == nil {
		return errors.New("--stacks: of clips only; TestMeasure of recognize/stack measures stills")
	}
	most := 0
	for i := range set.Stills {
		most = max(most, len(set.Stills[i].Sights()))
	}
	if c.Cameras < 0 || c.Cameras > most {
		return fmt.Errorf("--cameras %d: the set has calibrated stills of %d cameras", c.Cameras, most)
	}
	ctx, stop := interruptible()
	defer stop()
	switch only := eval.Kind(c.Kind); {
	case set.Clips != nil:
		done, end := c.bar("clips", len(set.Clips))
		var opts recognize.Options
		if c.Stacks != "" {
			opts.Chips = models.Dir(c.Stacks)
		}
		r, err := measure.Clips(ctx, c.Dir, set.Clips, only, opts, done)
		end()
		return c.print(&r, r.Failed, err)
	case set.Racks != nil:
		done, end := c.bar("racks", len(set.Racks))
		r, err := measure.Racks(c.Dir, set.Racks, done)
		end()
		return c.print(&r, r.Failed, err)
	case set.Stills != nil:
		for i := range set.Stills {
			if s := &set.Stills[i]; c.Cameras > 0 && c.Cameras <= len(s.Views) {
				s.Views = s.Views[:c.Cameras-1]
			}
		}
		done, end := c.bar("pictures", len(set.Stills))
		r, err := measure.Stills(c.Dir, set.Stills, only, done)
		end()
		if err == nil {
			err = c.reliability(r.Judged)
		}
		return c.print(&r, r.Failed, err)
	}
	return c.photographs(set.Images)
}

// bar is progress over so many things: one call for each, one at the end.
func (c *EvalCmd) bar(what string, n int) (done, end func()) {
	bar := command.Progress(what, int64(n), c.JSON)
	return func() { _ = bar.Add(1) }, func() { _ = bar.Finish() }
}

// print prints a result, and on standard error what could not be measured, each reason once.
func (c *EvalCmd) print(r interface{ Write(io.Writer) error }, failed []eval.Failure, err error) error {
	if err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(os.Stdout).Encode(r)
	} else {
		err = r.Write(os.Stdout)
	}
	if err != nil || len(failed) == 0 {
		return err
	}
	said := map[string]bool{}
	for _, f := range failed {
		if !said[f.Err] {
			said[f.Err] = true
			fmt.Fprintf(os.Stderr, "lab: eval: %s: %s\n", f.Name, f.Err)
		}
	}
	return command.Status(1)
}

// photographs reads every picture of the set that speaks of the kind and prints the figures.
func (c *EvalCmd) photographs(images []eval.Image) error {
	kind := cmp.Or(eval.Kind(c.Kind), eval.Cards)
	if kind == eval.Wheel {
		return errors.New("kind wheel: nothing reads a wheel on photographs: its number comes from the wheel's sensor")
	}
	reader, err := still.New(still.Kind(kind), c.Edge)
	if err != nil {
		return err
	}
	defer reader.Close()
	tally := eval.Tally{Kind: kind}
	done, end := c.bar("pictures", len(images))
	defer end()
	for i := range images {
		done()
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
	return c.print(&result, nil, c.reliability(map[eval.Kind][]eval.Judged{kind: result.Judged}))
}

// reliability writes the file of --reliability.
func (c *EvalCmd) reliability(judged map[eval.Kind][]eval.Judged) error {
	if c.Reliability == "" {
		return nil
	}
	var panels []eval.Panel
	byKind := map[eval.Kind]*eval.Reliability{}
	for _, k := range [...]eval.Kind{eval.Cards, eval.Chips, eval.Dice} {
		if r := eval.Reliable(judged[k], eval.AsTold); r != nil {
			byKind[k] = r
			panels = append(panels, eval.Panel{Title: filepath.Base(filepath.Clean(c.Dir)) + ", " + string(k), Reliability: r})
		}
	}
	if len(panels) == 0 {
		return errors.New("--reliability: no reading of which the truth says whether it is right")
	}
	f, err := os.Create(c.Reliability)
	if err != nil {
		return err
	}
	if filepath.Ext(c.Reliability) == ".json" {
		err = json.NewEncoder(f).Encode(byKind)
	} else {
		err = eval.Diagram(f, panels)
	}
	return errors.Join(err, f.Close())
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
		out[i] = measure.Reading(f)
	}
	return out, took, nil
}
