package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/internal/backoff"
	"vision/internal/demo"
	"vision/internal/load"
	"vision/internal/node"
)

// BenchNodeCmd measures a whole node: four simulated cameras, viewers, recording.
type BenchNodeCmd struct {
	Seconds int     `default:"60" help:"How long to measure."`
	FPS     float64 `default:"25" help:"Pictures per second of each camera."`
	Size    string  `default:"1920x1080" help:"Size of the pictures."`
	Viewers int     `default:"4" help:"Viewers, each of all four tables."`
	Idle    bool    `help:"Nothing is played: the tables stay empty."`
	JSON    bool    `name:"json" help:"Print JSON."`
}

// warmUp is how long cameras, readers and viewers are given before it counts.
const warmUp = 20 * time.Second

// Run prints processor (cores) and memory per process.
func (c *BenchNodeCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "vision-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	speed := 1.0
	if c.Idle {
		speed = 0.001
	}
	d, err := demo.New(demo.Options{Data: dir, Listen: "127.0.0.1:18099", Seed: 1, FPS: c.FPS, Size: c.Size, Speed: speed})
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	ended, err := d.Simulate(ctx, "127.0.0.1:18099")
	if err != nil {
		return err
	}
	g.Go(func() error { <-ended; return nil })
	n, err := node.Open(d.Config, node.Options{Log: logger(false)})
	if err != nil {
		return err
	}
	g.Go(func() error { return n.Run(ctx) })
	var uses []load.Use
	var seen traffic
	g.Go(func() (err error) {
		defer stop()
		uses, seen, err = c.measure(ctx, n)
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	return c.print(uses, seen)
}

func (c *BenchNodeCmd) measure(ctx context.Context, n *node.Node) ([]load.Use, traffic, error) {
	if err := backoff.Sleep(ctx, time.Second); err != nil {
		return nil, traffic{}, err
	}
	token, err := load.Token(ctx, n.URL(), "admin", n.FirstPassword())
	if err != nil {
		return nil, traffic{}, err
	}
	var cams []string
	for _, g := range demo.Games {
		cams = append(cams, g.ID)
	}
	var viewers []*load.Viewer
	for range c.Viewers {
		v, err := load.View(ctx, n.URL(), token, cams)
		if err != nil {
			return nil, traffic{}, err
		}
		defer v.Close()
		viewers = append(viewers, v)
	}
	if err := backoff.Sleep(ctx, warmUp); err != nil {
		return nil, traffic{}, err
	}
	before := received(viewers)
	uses, err := load.Watch(ctx, time.Duration(c.Seconds)*time.Second)
	after := received(viewers)
	return uses, traffic{after.bytes - before.bytes, after.pictures - before.pictures}, err
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
