package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/goccy/go-yaml"

	"vision/capture/probe"
	"vision/capture/still"
	"vision/internal/child"
	"vision/internal/command"
	"vision/internal/config"
	"vision/internal/draft"
	"vision/internal/durable"
	"vision/internal/pipeline"
	"vision/internal/redact"
)

// AddCmd puts a table with its camera into a configuration.
type AddCmd struct {
	URL     string            `arg:"" help:"The camera: rtsp://USER:PASSWORD@HOST/PATH, or http://USER:PASSWORD@HOST to ask it for its streams by ONVIF."`
	Config  string            `short:"c" default:"vision.yaml" type:"path" help:"Configuration to write; it is made where there is none. Its comments stay."`
	Table   string            `required:"" help:"Id of the new table, like BJ1."`
	Game    string            `required:"" help:"Game code, like blackjack (docs/technician.md)." predictor:"game"`
	Norm    string            `help:"Norm in force, where it is not that of the configuration." predictor:"norm"`
	Min     int64             `required:"" help:"Least stake, in cents."`
	Max     int64             `required:"" help:"Greatest stake, in cents."`
	Decks   int               `help:"Packs in the sabot, where the norm leaves them open."`
	Option  map[string]string `placeholder:"KEY=VALUE" help:"House options of the game; vision check lists those that it knows."`
	Picture bool              `default:"true" negatable:"" help:"Take the picture of the empty table now: nothing may lie on it."`
	Corners []float64         `placeholder:"X,Y,…" help:"Calibrate by that picture: pixels of the layout's corners, as calibrate table takes them."`
	Seats   int               `help:"Betting positions for it; 0: the template's default."`
	Width   float64           `placeholder:"MM" help:"Width of the layout for it; 0: the template's default."`
	Lens    []float64         `placeholder:"FX,FY,…" help:"Lens of the camera for it, as calibrate lens prints it."`
	Palette string            `type:"existingfile" placeholder:"FILE" help:"Chips for it, as calibrate table takes them."`
}

// Run asks the camera, takes the picture, writes the table and says what is next.
func (c *AddCmd) Run() error {
	ctx, stop := command.Interruptible()
	defer stop()
	text, err := os.ReadFile(c.Config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(c.Corners) > 0 && !c.Picture {
		return errors.New("--corners: a table is calibrated by the picture of it empty: leave --no-picture out")
	}
	cam, err := c.camera(ctx)
	if err != nil {
		return err
	}
	t := config.Table{
		ID:      c.Table,
		Game:    c.Game,
		Norm:    c.Norm,
		Min:     c.Min,
		Max:     c.Max,
		Decks:   c.Decks,
		Options: c.options(),
		Cameras: []config.Camera{cam},
	}
	empty := c.Table + "-empty.png"
	if c.Picture {
		t.Cameras[0].Empty = empty
	}
	if len(c.Corners) > 0 {
		t.Cameras[0].Calibration = c.Table + ".yaml"
	}
	out, err := config.AddTable(text, t)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Config, err)
	}
	if err := playable(out); err != nil { // before anything is written
		return err
	}
	src := pipeline.SourceOf(cam, nil, 0, nil)
	r, err := probe.Camera(ctx, src, 3*time.Second)
	if err != nil {
		return err
	}
	printReport(r)
	if c.Picture {
		took, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		file := filepath.Join(filepath.Dir(c.Config), empty)
		png, err := still.Tool{Command: child.Self(still.Subcommand)}.Of(took, pipeline.SourceOf(cam, nil, 0, nil))
		if err == nil {
			err = os.WriteFile(file, png, 0o644)
		}
		if err != nil {
			return err
		}
	}
	if err := c.calibrate(t, empty); err != nil {
		return err
	}
	if err := durable.Write(c.Config, out, 0o600); err != nil { // it holds the camera's password
		return err
	}
	c.next(t, empty)
	return nil
}

// calibrate makes the calibration where the corners are known.
func (c *AddCmd) calibrate(t config.Table, empty string) error {
	if len(c.Corners) == 0 {
		return nil
	}
	dir := filepath.Dir(c.Config)
	cmd := CalibrateTableCmd{
		Image: filepath.Join(dir, empty), Out: filepath.Join(dir, t.Cameras[0].Calibration), Corners: c.Corners,
		Game: t.Game, Norm: t.Norm, Table: t.ID, Camera: t.Cameras[0].Name, Seats: c.Seats, Width: c.Width,
		Card: []float64{63, 88}, Die: 20, Lens: c.Lens, Palette: c.Palette,
	}
	return cmd.Run()
}

// options are as YAML has them: numbers and true or false are not text.
func (c *AddCmd) options() map[string]any {
	out := map[string]any{}
	for k, v := range c.Option {
		var read any
		if yaml.Unmarshal([]byte(v), &read) != nil {
			read = v
		}
		out[k] = read
	}
	return out
}

// playable reports whether the new table's game can be followed: it is the last one.
func playable(text []byte) error {
	conf, err := config.Parse(text)
	if err != nil {
		return err
	}
	books, err := pipeline.Books(conf.Norms)
	if err != nil {
		return err
	}
	t := conf.Tables[len(conf.Tables)-1]
	for i := range t.Cameras {
		t.Cameras[i].Calibration = "" // it is made afterwards
	}
	return pipeline.Check(t, books)
}

// camera is the stream to be read, and a smaller one for tiles where ONVIF tells of one.
func (c *AddCmd) camera(ctx context.Context) (config.Camera, error) {
	if _, err := redact.Parse(c.URL); err != nil {
		return config.Camera{}, err
	}
	a := draft.Address{URL: c.URL}
	if !a.Asked() {
		return config.Camera{Name: c.Table + "-1", URL: c.URL}, nil
	}
	cam, _, err := a.Ask(ctx)
	if err != nil {
		return config.Camera{}, err
	}
	cam.Name = c.Table + "-1"
	return cam, nil
}

func (c *AddCmd) next(t config.Table, empty string) {
	fmt.Printf("\n%s: table %s, camera %s\n", c.Config, t.ID, t.Cameras[0].Name)
	if c.Picture {
		fmt.Printf("%s: the empty table. If something lay on it, clear it and take the picture again: docs/technician.md\n", empty)
	}
	fmt.Printf("Next:\n  vision run -c %s        (a node that runs already: reload it, or /configuration in the console)\n", c.Config)
	what := "measure the lens, click the felt's corners, show the chips, save"
	if len(c.Corners) > 0 {
		what = "look at the zones and what is read, show the chips, save"
	}
	fmt.Printf("  /calibrate/%s in the console: %s\n", t.Cameras[0].Name, what)
}
