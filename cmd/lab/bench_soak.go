package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vision/internal/command"
	"vision/internal/lab/load"
	"vision/internal/node"
)

// BenchSoakCmd runs a whole node for long and says what grows.
type BenchSoakCmd struct {
	Minutes float64       `default:"30" help:"How long, the start included, of which a third does not count."`
	Every   time.Duration `default:"5s" help:"Between two samples."`
	FPS     float64       `default:"25" help:"Pictures per second of each camera."`
	Size    string        `default:"1920x1080" help:"Size of the pictures."`
	Viewers int           `default:"4" help:"Viewers, each of all four tables."`
	Profile string        `type:"path" help:"Folder for profiles of heap and goroutines, of the start and the end."`
	Held    bool          `help:"Fail only for a tenth more of what is taken and given back one by one: goroutines, open files, Mats, pictures; whether memory grows takes half an hour to tell."`
	JSON    bool          `name:"json" help:"Print JSON."`
}

// soakGrows is the exit status of a soak in which something grew; 1 is one that was not done.
const soakGrows command.Status = 3

// Run prints each quantity with its trend, and fails where one grows for certain.
func (c *BenchSoakCmd) Run() error {
	var soaked []load.Soaked
	err := playNode(nodeLoad{FPS: c.FPS, Size: c.Size, Viewers: c.Viewers, Speed: 1},
		func(ctx context.Context, n *node.Node, data string, _ []*load.Viewer) (err error) {
			// The index holds each round, and grows by it: what must not is what waits to be merged.
			files := map[string]string{"index, waiting to be merged": filepath.Join(data, "index.sqlite-wal")}
			soaked, err = load.Soak(ctx, time.Duration(c.Minutes*float64(time.Minute)), c.Every, files, n.Held, c.Profile)
			return err
		})
	if err != nil {
		return err
	}
	grows := false
	if c.JSON {
		err = json.NewEncoder(os.Stdout).Encode(soaked)
	} else {
		fmt.Printf("%-36s %14s %14s  %s\n", "", "at first", "at last", "a hour, of its level, with 99 % confidence")
	}
	for _, s := range soaked {
		grows = grows || s.Leaks() || s.Grows && !c.Held
		if !c.JSON {
			fmt.Println(soakedLine(s))
		}
	}
	if grows {
		fmt.Fprintln(os.Stderr, "something grows: see above")
		return soakGrows
	}
	return err
}

func soakedLine(s load.Soaked) string {
	word := ""
	if s.Grows {
		word = "  GROWS"
	}
	level := max(s.Trend.Level, 1)
	return fmt.Sprintf("%-36s %14.0f %14.0f  %+.1f %% (%+.1f to %+.1f)%s", s.Name, s.First, s.Last,
		100*3600*s.Trend.Slope/level, 100*3600*s.Trend.Low/level, 100*3600*s.Trend.High/level, word)
}
