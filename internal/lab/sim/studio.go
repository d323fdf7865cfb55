package sim

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/capture/rtsp"
	"vision/internal/backoff"
	"vision/internal/fact"
)

// Studio runs several simulated tables: in real time as RTSP cameras with their
// terminals and wheels, or as fast as possible into files.
type Studio struct {
	Tables      []Config
	Cameras     int    // of each table that is served; default 1
	RTSP        string // address to serve at, ":8554"; "" to shoot instead
	Post        string // base URL of the node that hears the sensors; "" for none
	Token       string
	Calibration string // folder for the calibration files and pictures of the empty tables; "" for none
	Out         string // film or folder, when shooting
	Truth       string // file for the truth of the rounds; "" for none
	Clips       string // folder for a set of clips to measure readers with, instead of Out; "" for none
	Rounds      int    // to shoot
	// Shot is told of every round that was shot; it may be nil.
	Shot func()
	// Bump pushes the camera of the table that it names; it may be nil.
	Bump <-chan string
	// Watched says how far the tables were looked at (see follow): they wait for who watches
	// them. nil: they are played by the clock.
	Watched io.Reader
	// Served is told the URL of each camera that is served; it may be nil.
	Served func(table, url string)
}

// Run works until ctx ends, or until all rounds are shot.
func (s *Studio) Run(ctx context.Context) error {
	if filepath.Ext(s.Out) == ".mp4" && len(s.Tables) != 1 {
		return fmt.Errorf("a film shows one table: name one game, not %d", len(s.Tables))
	}
	truth, err := s.truthFile()
	if err != nil {
		return err
	}
	defer truth.Close()
	tables := make([]*Table, len(s.Tables))
	defer func() {
		for _, t := range tables {
			if t != nil {
				t.Close()
			}
		}
	}()
	var set errgroup.Group // a table is drawn for seconds, on one processor
	set.SetLimit(runtime.GOMAXPROCS(0))
	for i, cfg := range s.Tables {
		cfg.Calm = s.Watched != nil
		set.Go(func() (err error) {
			if tables[i], err = New(cfg); err != nil {
				return err
			}
			return s.prepare(ctx, tables[i], tables[i].cfg.Table)
		})
	}
	if err := set.Wait(); err != nil {
		return err
	}
	if s.Clips != "" {
		return s.clips(ctx, tables)
	}
	if s.RTSP != "" {
		debug.FreeOSMemory() // felts are drawn once, larger than any picture of them
		return s.serve(ctx, tables, truth)
	}
	for _, t := range tables {
		if err := t.Shoot(ctx, s.Rounds, s.Out, truth, s.Shot); err != nil {
			return err
		}
	}
	return nil
}

func (s *Studio) truthFile() (*os.File, error) {
	f, err := os.Create(cmp.Or(s.Truth, os.DevNull))
	if err != nil {
		return nil, fmt.Errorf("truth file: %w", err)
	}
	return f, nil
}

// calibrate writes into a folder what a technician leaves behind: the camera's picture of
// the empty table, and the calibration file.
func (t *Table) calibrate(dir, name string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("calibration files: %w", err)
	}
	empty, err := t.Empty()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+"-empty.jpg"), empty, 0o644); err != nil {
		return fmt.Errorf("picture of the empty table: %w", err)
	}
	c := t.Calibration()
	return c.Save(filepath.Join(dir, name+".yaml"))
}

// serve runs the tables as cameras.
func (s *Studio) serve(ctx context.Context, tables []*Table, truth io.Writer) error {
	srv, err := rtsp.NewServer(s.RTSP)
	if err != nil {
		return fmt.Errorf("simulated cameras: %w: is another simulator running?", err)
	}
	defer srv.Close()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return giveMemoryBack(ctx) })
	scribe := &scribe{truth: truth}
	if s.Bump != nil {
		g.Go(func() error { return s.bumps(ctx, tables) })
	}
	if s.Post != "" {
		scribe.poster = NewPoster(s.Post, s.Token)
		g.Go(func() error { return scribe.poster.Run(ctx) })
	}
	if s.Watched != nil {
		for _, t := range tables {
			var unsaid func() bool
			if p := scribe.poster; p != nil {
				unsaid = func() bool { return p.Unsaid(t.cfg.Table) }
			}
			t.Watched(unsaid)
		}
		together(tables)
		go follow(s.Watched, tables)
	}
	for _, t := range tables {
		out, err := s.stream(srv, t, t.cfg.Table)
		if err != nil {
			return err
		}
		for view := 1; view < s.Cameras; view++ {
			if err := s.beside(ctx, srv, t, view); err != nil {
				return err
			}
		}
		g.Go(func() error { return t.Serve(ctx, out, scribe) })
	}
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return ctx.Err()
}

// memoryKept is for how long memory that nothing is in stays the simulator's: what is drawn for
// a moment, a hand or a person who leans in, is some megabytes.
const memoryKept = 20 * time.Second

func giveMemoryBack(ctx context.Context) error {
	for {
		if err := backoff.Sleep(ctx, memoryKept); err != nil {
			return err
		}
		debug.FreeOSMemory()
	}
}

// stream is where a table's camera is served.
func (s *Studio) stream(srv *rtsp.Server, t *Table, name string) (*rtsp.Stream, error) {
	out, err := srv.Stream(name, nil, nil) // SPS and PPS come with every key picture
	if err != nil {
		return nil, fmt.Errorf("simulated camera %s: %w", name, err)
	}
	out.Lose = t.Losses()
	slog.Info("simulated camera", "url", srv.URL(name), "game", t.cfg.Game)
	if s.Served != nil {
		s.Served(t.cfg.Table, srv.URL(name))
	}
	return out, nil
}

// beside gives a table another camera, served as ID-2, ID-3 beside the table's ID.
func (s *Studio) beside(ctx context.Context, srv *rtsp.Server, t *Table, view int) error {
	cfg := t.cfg
	cfg.View, cfg.Size, cfg.Noise = view, [2]int{}, 0
	cfg.Camera = fmt.Sprintf("%s-%d", cfg.Table, view+1)
	v, err := New(cfg)
	if err != nil {
		return err
	}
	out, err := s.stream(srv, v, cfg.Camera)
	t.Beside(v, out) // it is closed with the table
	if err != nil {
		return err
	}
	return s.prepare(ctx, v, cfg.Camera)
}

// prepare films what is shown over and over, and writes a camera's calibration: who waits for the
// files finds the camera ready.
func (s *Studio) prepare(ctx context.Context, t *Table, camera string) error {
	if t.cfg.Film > 0 {
		if err := t.record(ctx); err != nil {
			return err
		}
	}
	if s.Calibration == "" {
		return nil
	}
	return t.calibrate(s.Calibration, camera)
}

// Push is how far somebody who knocks against the camera shifts its picture, pixels.
var Push = [2]float64{11, 7}

func (s *Studio) bumps(ctx context.Context, tables []*Table) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case id := <-s.Bump:
			for _, t := range tables {
				if t.cfg.Table == id {
					t.Bump(Push)
				}
			}
		}
	}
}

// scribe passes on what the tables tell while they are served.
type scribe struct {
	poster *Poster
	mu     sync.Mutex
	truth  io.Writer
}

// Say posts a line.
func (s *scribe) Say(l fact.Sensed) {
	if s.poster != nil {
		s.poster.Say(l)
	}
}

// Truth writes a round's truth with the frame and the time at which it ended.
func (s *scribe) Truth(f Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := struct {
		TruthLine
		Ended any `json:"ended"`
	}{TruthLine{Truth: *f.Truth, To: f.N}, f.At}
	if err := json.NewEncoder(s.truth).Encode(line); err != nil {
		slog.Warn("simulated table: truth not written", "err", err)
	}
}
