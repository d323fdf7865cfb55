package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/internal/command"
	"vision/internal/lab/demo"
	"vision/internal/lab/sim"
	"vision/internal/node"
	"vision/internal/text"
)

// DemoCmd shows the product on four simulated tables.
type DemoCmd struct {
	Data       string   `default:"var/demo" help:"Folder of the demonstration's ledger and recordings."`
	Listen     string   `default:"127.0.0.1:8080" help:"Address of the console."`
	Seed       seed     `default:"1" help:"What is played follows from it; now draws one and prints it."`
	Faults     float64  `default:"0.02" help:"Share of rounds with a mistake, 0 to 1."`
	Conditions string   `enum:"ideal,house,hard" default:"house" help:"What the tables are like: ideal (a laboratory), house (a casino on an ordinary night) or hard (a bad one)."`
	FPS        float64  `default:"8" help:"Pictures per second of each camera; 25, as cameras send, wants more than two cores."`
	Size       string   `default:"1920x1080" help:"Size of the pictures."`
	Speed      float64  `default:"1" help:"Pace of the play; 1 is a real table's."`
	Only       []string `help:"Faults to commit, like pay_under,late_bet; without it all."`
	Plant      string   `default:"pay_under" help:"A fault that each table commits in its second round, for the guided tour at /tour; an empty one plants none."`
	Minutes    float64  `help:"End after so many minutes; 0: when interrupted."`
	Debug      bool     `help:"Say more in the log."`
}

// Run works until SIGINT or SIGTERM.
func (c *DemoCmd) Run() error {
	ctx, stop := interruptible()
	defer stop()
	if c.Minutes > 0 { // it ends as if interrupted: a deadline would be an error
		defer time.AfterFunc(time.Duration(c.Minutes*float64(time.Minute)), stop).Stop()
	}
	d, err := demo.New(
		demo.Options{
			Data:       c.Data,
			Listen:     c.Listen,
			Seed:       uint64(c.Seed),
			Conditions: c.Conditions,
			Faults:     c.Faults,
			FPS:        c.FPS,
			Size:       c.Size,
			Speed:      c.Speed,
			Only:       c.Only,
			Plant:      c.Plant,
		},
	)
	if err != nil {
		return err
	}
	account, err := net.Listen("tcp", "127.0.0.1:0") // of this machine alone: it asks nobody who he is
	if err != nil {
		return fmt.Errorf("the demonstration's report: %w", err)
	}
	pages := &http.Server{Handler: d, ReadHeaderTimeout: 10 * time.Second}
	defer pages.Close()
	go func() { _ = pages.Serve(account) }() // until it is closed
	g, ctx := errgroup.WithContext(ctx)
	ended, err := d.Simulate(ctx, c.Listen)
	if err != nil {
		return err
	}
	g.Go(func() error {
		if err := <-ended; ctx.Err() == nil {
			return errors.Join(errors.New("the simulator has ended"), err)
		}
		return nil
	})
	var jefes []node.Jefe
	for _, j := range demo.Jefes {
		jefes = append(jefes, node.Jefe(j))
	}
	again, first := make(chan struct{}, 1), true
	opts := node.Options{
		Log: command.Logger(
			c.Debug,
		),
		Demonstration: true,
		Watermark:     d.Looked,
		Patience:      sim.Unwatched,
		Lead:          sim.Lead,
		Settle:        2 * time.Minute,
		Reread: func() {
			select {
			case again <- struct{}{}:
			default: // it is to be read again already
			}
		},
	}
	up := func(n *node.Node) {
		command.Welcome(os.Stdout, n)
		if !first { // the file was read again
			return
		}
		first = false
		fmt.Printf("guided tour of a planted mistake: %stour\n", n.URL())
		fmt.Printf("what was planted, and what was found of it: http://%s/\n", account.Addr())
		err := employ(n, jefes)
		g.Go(func() error {
			if err == nil {
				err = n.Install(ctx, jefes)
			}
			if ctx.Err() != nil {
				return nil
			}
			return err
		})
	}
	g.Go(func() error { return node.Keep(ctx, d.Load, again, opts, up) })
	err = g.Wait()
	if done, lost := d.Report(); lost != nil {
		err = errors.Join(err, lost)
	} else {
		err = errors.Join(err, done.Print(os.Stdout, text.EN))
	}
	return err
}

// employ says how the jefes of the tables log in.
func employ(n *node.Node, jefes []node.Jefe) error {
	passwords, err := n.Employ(jefes)
	if err != nil {
		return err
	}
	for _, j := range jefes {
		if p, ok := passwords[j.User]; ok {
			fmt.Printf("jefe de mesa: %s, password %s (%s)\n", j.User, p, strings.Join(j.Tables, ", "))
		}
	}
	return nil
}
