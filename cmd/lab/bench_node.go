package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/internal/backoff"
	"vision/internal/command"
	"vision/internal/lab/demo"
	"vision/internal/lab/load"
	"vision/internal/node"
	"vision/internal/port"
)

// BenchNodeCmd measures a whole node: four simulated cameras, viewers, recording.
type BenchNodeCmd struct {
	Seconds int     `default:"60" help:"How long to measure."`
	FPS     float64 `default:"25" help:"Pictures per second of each camera."`
	Size    string  `default:"1920x1080" help:"Size of the pictures, of a table's main camera."`
	Cameras int     `default:"1" help:"Cameras of each table."`
	Viewers int     `default:"4" help:"Viewers, each of all four tables."`
	Idle    bool    `help:"Nothing is played: the tables stay empty."`
	Drawn   bool    `help:"Draw the pictures meanwhile, as the demonstration does, and play with calls and wheels; else what is played is filmed beforehand, so that no drawing costs the machine anything."`
	JSON    bool    `name:"json" help:"Print JSON."`
}

// How long cameras, readers and viewers are given to begin, and then before it counts.
const (
	starting = 15 * time.Second
	warmUp   = 20 * time.Second
)

// Run prints processor (cores) and memory per process.
func (c *BenchNodeCmd) Run() error {
	speed := 1.0
	if c.Idle {
		speed = 0.001
	}
	var film time.Duration
	if !c.Drawn { // as long as it runs: a camera that repeats itself is not read
		film = starting + warmUp + time.Duration(c.Seconds)*time.Second
	}
	var uses []load.Use
	var seen traffic
	err := playNode(nodeLoad{FPS: c.FPS, Size: c.Size, Cameras: c.Cameras, Viewers: c.Viewers, Speed: speed, Film: film},
		func(ctx context.Context, _ *node.Node, _ string, viewers []*load.Viewer) error {
			if err := backoff.Sleep(ctx, warmUp); err != nil {
				return err
			}
			before := received(viewers)
			var err error
			uses, err = load.Watch(ctx, time.Duration(c.Seconds)*time.Second)
			after := received(viewers)
			seen = traffic{after.bytes - before.bytes, after.pictures - before.pictures}
			return err
		})
	if err != nil {
		return err
	}
	return c.print(uses, seen)
}

// nodeLoad is what a measured node has to do: four simulated tables, and who looks at them.
type nodeLoad struct {
	FPS     float64
	Size    string
	Cameras int           // of each table; 0: one
	Speed   float64       // of play, 1 is real time
	Viewers int           // each of all four tables
	Film    time.Duration // see sim.Config
}

// playNode runs a node in this process, with its data in a folder that goes afterwards,
// and its cameras; it ends when do has returned.
func playNode(l nodeLoad, do func(ctx context.Context, n *node.Node, data string, viewers []*load.Viewer) error) error {
	ctx, stop := interruptible()
	defer stop()
	dir, err := os.MkdirTemp("", "vision-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	listen, release, err := port.Reserve()
	if err != nil {
		return err
	}
	defer release()
	d, err := demo.New(demo.Options{Data: dir, Listen: listen, Seed: 1, FPS: l.FPS, Size: l.Size, Cameras: l.Cameras,
		Speed: l.Speed, ByClock: true, Film: l.Film})
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	ended, err := d.Simulate(ctx, listen)
	if err != nil {
		return err
	}
	g.Go(func() error {
		if err := <-ended; ctx.Err() == nil {
			return fmt.Errorf("the simulator ended: nobody plays any more: %w", err)
		}
		return nil
	})
	n, err := node.Open(d.Config, node.Options{Log: command.Logger(false)})
	if err != nil {
		return err
	}
	g.Go(func() error { return n.Run(ctx) })
	g.Go(func() error {
		defer stop()
		if err := backoff.Sleep(ctx, time.Second); err != nil {
			return err
		}
		viewers, err := l.view(ctx, n)
		defer func() {
			for _, v := range viewers {
				_ = v.Close()
			}
		}()
		if err != nil {
			return err
		}
		return do(ctx, n, d.Config.Data, viewers)
	})
	return g.Wait()
}

// view connects the viewers, and returns those that are connected also with an error.
func (l nodeLoad) view(ctx context.Context, n *node.Node) (viewers []*load.Viewer, err error) {
	token, err := load.Token(ctx, n.URL(), "admin", n.FirstPassword())
	if err != nil {
		return nil, err
	}
	var cams []string
	for _, g := range demo.Games {
		cams = append(cams, g.ID)
	}
	for range l.Viewers {
		v, err := load.View(ctx, n.URL(), token, cams)
		if err != nil {
			return viewers, err
		}
		viewers = append(viewers, v)
	}
	return viewers, nil
}

// traffic is what all viewers received.
type traffic struct{ bytes, pictures uint64 }

func received(viewers []*load.Viewer) (sum traffic) {
	for _, v := range viewers {
		sum.bytes += v.Bytes()
		sum.pictures += v.Pictures()
	}
	return sum
}

func (c *BenchNodeCmd) print(uses []load.Use, seen traffic) error {
	mbps := float64(seen.bytes) * 8 / 1e6 / float64(c.Seconds)
	fps := float64(seen.pictures) / float64(c.Seconds) / float64(max(1, c.Viewers*len(demo.Games)))
	if c.JSON {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"processes": uses, "viewers": c.Viewers, "viewer_mbps": mbps, "viewer_fps": fps})
	}
	fmt.Printf("%-16s %8s %10s\n", "process", "cores", "memory")
	for _, u := range uses {
		fmt.Printf("%-16s %8.3f %7d MB\n", u.Name, u.CPU, u.RSS/1e6)
	}
	fmt.Printf("%d viewers received %.1f Mbit/s together, %.1f pictures/s of each camera (they run within the server's process)\n", c.Viewers, mbps, fps)
	return nil
}
