package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"vision/internal/command"
	"vision/internal/cv"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/script"
)

// SimCmd shows simulated tables: as RTSP cameras in real time, or into a file.
type SimCmd struct {
	played
	Games   []string      `help:"Games to show, as GAME or ID:GAME; an unknown one is answered with the list." default:"blackjack,punto_banco,dados_craps,ruleta_francesa"`
	RTSP    string        `help:"Serve each table as rtsp://HOST/ID at this address, like :8554; the id is the game's unless given." placeholder:"ADDR"`
	Calib   string        `help:"Write the calibration files ID.yaml and the pictures of the empty tables ID-empty.jpg into this folder." type:"path" placeholder:"DIR"`
	Post    string        `help:"Send calls and wheel to the node at this address, like http://localhost:8080." placeholder:"URL"`
	Token   string        `help:"Token of the tables at that node." env:"VISION_SIM_TOKEN"`
	Out     string        `help:"Instead of serving, write FILE.mp4 (one game) or a folder of pictures." type:"path"`
	Clips   string        `help:"Instead of serving, write a set of clips with what lies there when, for lab eval: into this folder, beside those that are in it." type:"path" placeholder:"DIR"`
	Truth   string        `help:"Write the truth of each round as JSON Lines." type:"path" placeholder:"FILE"`
	Start   time.Time     `help:"Time of the first picture with --out, like 2026-11-21T20:00:00Z; default now."`
	Rounds  int           `help:"Rounds to write with --out or without --rtsp." default:"5"`
	Coded   bool          `help:"Draw the time of each picture into its upper edge, to measure delays."`
	Plant   string        `help:"A fault that each table commits in its second round, or the next that gives occasion, like pay_under." placeholder:"FAULT"`
	Watched bool          `hidden:"" help:"Play no further than those who watch have looked; standard input says how far: lines of a table and a time, ns since 1970."`
	Film    time.Duration `help:"With --rtsp: film that much of the play beforehand and show it over and over, which costs no drawing; nobody says anything." placeholder:"DURATION"`
	Bump    string        `help:"Push the camera of this table aside at each SIGUSR1." placeholder:"ID"`
}

// simulatorGarbage is how much more than what is in use the simulator's memory may hold, per
// cent (GOGC): it is pictures, in which nothing has to be searched.
const simulatorGarbage = 10

// Run serves until interrupted, or shoots the rounds asked for.
func (c *SimCmd) Run() error {
	ctx, stop := interruptible()
	defer stop()
	if c.Clips != "" && (c.RTSP != "" || c.Out != "" || c.Truth != "") {
		return errors.New("--clips writes films and their truth itself: leave out --rtsp, --out and --truth")
	}
	debug.SetGCPercent(simulatorGarbage)
	if c.RTSP != "" { // the tables are drawn side by side as it is
		if err := cv.SetThreads(1); err != nil {
			return err
		}
	}
	s := sim.Studio{
		RTSP:        c.RTSP,
		Post:        c.Post,
		Token:       c.Token,
		Calibration: c.Calib,
		Out:         c.Out,
		Truth:       c.Truth,
		Clips:       c.Clips,
		Rounds:      c.Rounds,
	}
	if c.Watched {
		s.Watched = os.Stdin
	}
	if c.RTSP == "" {
		bar := command.Progress("rounds", int64(c.Rounds*len(c.Games)), false)
		defer bar.Finish()
		s.Shot = func() { _ = bar.Add(1) }
	}
	on, err := c.condition()
	if err != nil {
		return err
	}
	cfg := sim.Config{
		Faults:    c.Faults,
		Only:      c.faults(),
		Plant:     script.Fault(c.Plant),
		Mixed:     c.Mixed,
		Plaques:   c.Plaques,
		Condition: on,
		Mishap:    c.mishaps(),
		FPS:       c.FPS,
		Speed:     c.Speed,
		Start:     c.Start,
		Coded:     c.Coded,
		Film:      c.Film,
	}
	if cfg.Size, err = c.size(); err != nil {
		return err
	}
	if c.Bump != "" {
		bump, end := c.bumps(ctx)
		defer end()
		s.Bump = bump
	}
	if s.Cameras = c.Cameras; s.Cameras > 1 && c.RTSP == "" {
		return errors.New("--cameras is for tables that are served: give --rtsp, or leave it out")
	}
	if c.Film < 0 || c.Film > 0 && c.RTSP == "" {
		return fmt.Errorf("--film %v: want a length, of tables that are served: give --rtsp, or leave it out", c.Film)
	}
	for i, name := range c.Games {
		one := cfg
		id, game, named := strings.Cut(name, ":")
		if !named {
			game = id
		}
		one.Table, one.Game, one.Seed = id, game, uint64(c.Seed)+uint64(i)
		s.Tables = append(s.Tables, one)
	}
	if err := s.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// bumps says the table's id at each SIGUSR1.
func (c *SimCmd) bumps(ctx context.Context) (<-chan string, func()) {
	signals, out := make(chan os.Signal, 1), make(chan string)
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-signals:
				select {
				case out <- c.Bump:
				case <-ctx.Done():
				}
			}
		}
	}()
	return out, func() { signal.Stop(signals) }
}
