package pipeline

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"vision/capture"
	localcam "vision/capture/camera"
	"vision/internal/config"
	"vision/internal/fact"
	"vision/recognize/host"
	"vision/validate/track"
)

// Replay runs a recording through the reader and the tracker of a table as fast
// as the machine allows. It keeps no ledger and shows nothing.
type Replay struct {
	Config *config.Config
	Table  string
	Camera string // whose calibration holds; "" = the table's first that has one
	Empty  string // file of the picture of the empty table; "" = as the camera names it
	File   string // what a camera's `url` may name, other than a live camera
	Start  time.Time
	Calls  []fact.Sensed // what was called and sensed meanwhile
	Out    func(track.Out) error
	// Progress is notified of every picture that was read; it may be nil.
	Progress func()
	Env      []string // of the child processes; tests use it
	Log      *slog.Logger
}

// Run works to the end of the recording.
func (r *Replay) Run(ctx context.Context) error {
	r.Log = cmp.Or(r.Log, slog.New(slog.DiscardHandler))
	if r.Progress == nil {
		r.Progress = func() {}
	}
	t, err := r.Config.Table(r.Table)
	if err != nil {
		return err
	}
	cam, err := r.view(t)
	if err != nil {
		return err
	}
	cal, empty, err := sightOf(cam.Calibration, cmp.Or(r.Empty, cam.Empty))
	if err != nil {
		return err
	}
	books, err := Books(r.Config.Norms)
	if err != nil {
		return err
	}
	trk, err := newTracker(*t, books, []*Camera{{cfg: cam, cal: cal}}, nil, 0)
	if err != nil {
		return err
	}
	return r.read(ctx, t.ID, host.Camera{Name: cam.Name, Calibration: cal, Empty: empty}, cam.FPS, trk)
}

// read runs the recording through a reader and its observations through the tracker.
func (r *Replay) read(ctx context.Context, table string, cam host.Camera, fps float64, trk *follower) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	units := localcam.New(localcam.Config{Name: cam.Name, URL: r.File, FPS: fps, Every: true, Start: r.Start,
		Env: r.Env, Log: r.Log}).
		Units(ctx)
	defer units.Close()
	cam.Open = func() host.Units { return &watched{units, cancel} }
	p := &projection{trk: trk, calls: inOrder(table, r.Calls), out: r.Out, stop: cancel}
	reader, err := host.New(host.Config{
		Table: table, Every: true, Hang: replayHang, Env: r.Env, Log: r.Log, Threads: replayThreads,
		Cameras: []host.Camera{cam},
		Seen:    p.observe,
		Taken:   func(_ string, wall time.Time) { r.Progress(); p.until(wall) },
		Lost:    func(err error) { cancel(fmt.Errorf("replay %s: %w", r.File, err)) },
		Refused: func(_ string, err error) { cancel(fmt.Errorf("replay %s: %w", r.File, err)) },
	})
	if err != nil {
		return err
	}
	p.again = reader.Again
	if err := reader.Run(ctx); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	p.end()
	return context.Cause(ctx)
}

// A replay has no deadline: a reader may take long over a part of a picture before it
// counts as hung, and may use two cores.
const (
	replayHang    = 20 * time.Second
	replayThreads = 2
)

// view finds the camera whose calibration the recording is read by.
func (r *Replay) view(t *config.Table) (config.Camera, error) {
	for _, c := range t.Cameras {
		if r.Camera != "" && c.Name != r.Camera || r.Camera == "" && c.Calibration == "" {
			continue
		}
		if c.Calibration == "" {
			return c, fmt.Errorf("replay: camera %s has no calibration; name one in the configuration", c.Name)
		}
		return c, nil
	}
	if r.Camera != "" {
		return config.Camera{}, fmt.Errorf("replay: table %s has no camera %q", t.ID, r.Camera)
	}
	return config.Camera{}, fmt.Errorf("replay: no camera of table %s has a calibration; name one in the configuration", t.ID)
}

// watched ends the replay when the recording cannot be read.
type watched struct {
	*localcam.Units
	stop context.CancelCauseFunc
}

// Next implements host.Units.
func (w *watched) Next(ctx context.Context) (u capture.Unit, err error) {
	if u, err = w.Units.Next(ctx); err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		w.stop(err)
	}
	return u, err
}

// Close leaves the recording open: the replay itself closes it.
func (w *watched) Close() {}

// projection runs a tracker on the recording's clock, on the reader's goroutine.
type projection struct {
	trk   *follower
	calls []fact.Sensed // not replayed yet, by time
	now   time.Time     // of the recording
	out   func(track.Out) error
	again func(zone string)
	stop  context.CancelCauseFunc
}

// afterwards is how long the tracker is given to finish after the last picture:
// longer than any wait of its own.
const afterwards = time.Minute

// longestStep bounds the steps over a hole in the recording.
const longestStep = time.Hour

func (p *projection) observe(obs []fact.Observation) {
	for _, o := range obs {
		p.trk.Observe(o)
	}
}

// until advances the clock to wall, in the steps of a table loop.
func (p *projection) until(wall time.Time) {
	if p.now.IsZero() || wall.Sub(p.now) > longestStep {
		p.now = wall
	}
	for next := p.now.Add(advanceEvery); !next.After(wall); next = next.Add(advanceEvery) {
		p.now = next
		for len(p.calls) > 0 && !p.calls[0].Time.After(next) {
			p.trk.Hear(p.calls[0])
			p.calls = p.calls[1:]
		}
		for _, o := range p.trk.Advance(next) {
			if ask, ok := o.(*track.Reread); ok {
				for _, zone := range ask.Zones {
					p.again(zone)
				}
			} else if err := p.out(o); err != nil {
				p.stop(err)
				return
			}
		}
	}
}

func (p *projection) end() { p.until(p.now.Add(afterwards)) }

// inOrder are the calls of one table, sorted by time.
func inOrder(table string, calls []fact.Sensed) (out []fact.Sensed) {
	for _, c := range calls {
		if c.Table == "" || c.Table == table {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b fact.Sensed) int { return a.Time.Compare(b.Time) })
	return out
}

// maxCallLine is the longest line of a file of calls, in bytes.
const maxCallLine = 16 << 20

// ReadCalls reads a file of calls: JSON Lines, each an event as the HTTP endpoint
// takes it, or a line of the simulator's truth with the events in "calls". Every
// event needs its time.
func ReadCalls(in io.Reader) ([]fact.Sensed, error) {
	var out []fact.Sensed
	s := bufio.NewScanner(in)
	s.Buffer(nil, maxCallLine)
	for n := 1; s.Scan(); n++ {
		if len(s.Bytes()) == 0 {
			continue
		}
		var line struct {
			fact.Sensed
			Calls []fact.Sensed `json:"calls"`
		}
		if err := json.Unmarshal(s.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("calls, line %d: %w", n, err)
		}
		if line.Kind != "" || line.Calls == nil {
			line.Calls = append(line.Calls, line.Sensed)
		}
		for _, c := range line.Calls {
			if c.Kind == "" || c.Time.IsZero() {
				return nil, fmt.Errorf("calls, line %d: want {\"time\":…,\"kind\":…,\"args\":{…}}; kind or time is missing", n)
			}
			out = append(out, c)
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("calls: %w", err)
	}
	return out, nil
}
