// Package camera brings in what this machine's own cameras and files show: USB
// cameras, video files, folders of images. What opens and encodes them calls C,
// so it runs in a process of its own (capture/local); here is the server's side.
package camera

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"vision/capture"
	"vision/internal/child"
)

// Subcommand of the program under which a camera process runs.
const Subcommand = "camera-process"

// The kinds of frame. The server sends Open once and More for every unit taken;
// the process sends Unit as far as it may, Note as it comes, and End.
const (
	KindOpen child.Kind = child.User + iota // Open as JSON
	KindMore                                // one more unit may be sent
	KindUnit                                // an access unit
	KindNote                                // text: something was passed over
	KindEnd                                 // text: why it ended, empty at the end of a file
)

// Window is how many units may be on their way.
const Window = 64

// Open says what to show.
type Open struct {
	URL      string    `json:"url"`
	FPS      float64   `json:"fps,omitempty"`
	Loop     bool      `json:"loop,omitempty"`
	Realtime bool      `json:"realtime,omitempty"`
	Start    time.Time `json:"start,omitzero"`
}

// Config of a camera of this machine.
type Config struct {
	Name string
	URL  string // /dev/videoN, a video file, a folder of images
	FPS  float64
	Loop bool
	// Every delivers a file as fast as it is taken, from Start on, instead of at
	// its own pace.
	Every bool
	Start time.Time
	Env   []string // of the process; tests use it
	Note  func(error)
	Log   *slog.Logger
}

// Source is such a camera; it implements capture.Source.
type Source struct{ cfg Config }

// New makes the source.
func New(cfg Config) *Source {
	if cfg.Note == nil {
		cfg.Note = func(error) {}
	}
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	return &Source{cfg}
}

// How long a running camera may be silent before it is opened again. Nobody waits for a file that is delivered as
// fast as it is taken: on a busy machine its next picture may take long.
const (
	stall     = 5 * time.Second
	fileStall = time.Minute
)

// Run implements capture.Source: it delivers in real time until ctx ends, or the
// file does.
func (s *Source) Run(ctx context.Context, sink capture.Sink) error {
	up := false
	state := func(err error) {
		if now := err == nil; now != up || err != nil {
			up = now
			sink.State(capture.State{Up: up, Since: time.Now(), Err: err})
		}
	}
	return s.run(ctx, state, func(u capture.Unit, more func() error) error {
		state(nil)
		sink.Unit(u)
		return more()
	})
}

// taker takes a unit and returns at once: a connection that is not read looks
// like a process that hangs. more lets the process send a further one.
type taker func(u capture.Unit, more func() error) error

// run keeps the process alive; state hears why it was lost or could not open.
func (s *Source) run(ctx context.Context, state func(error), take taker) error {
	hang := stall
	if s.cfg.Every {
		hang = fileStall
	}
	spec := child.Spec{Name: "camera " + s.cfg.Name, Args: []string{Subcommand}, Env: s.cfg.Env, Hang: hang, Log: s.cfg.Log,
		Lost: func(err error) { state(fmt.Errorf("camera %s: %w", s.cfg.Name, err)) }}
	return child.Run(ctx, spec, func(_ context.Context, conn *child.Conn) error {
		open, err := json.Marshal(Open{s.cfg.URL, s.cfg.FPS, s.cfg.Loop, !s.cfg.Every, s.cfg.Start})
		if err != nil {
			return err
		}
		if err := conn.Write(KindOpen, open); err != nil {
			return err
		}
		return s.listen(conn, take)
	})
}

func (s *Source) listen(conn *child.Conn, take taker) error {
	more := func() error { return conn.Write(KindMore) }
	for {
		k, p, err := conn.Read()
		if err != nil {
			return err
		}
		switch k {
		case KindUnit:
			u, err := capture.ParseUnit(p)
			if err != nil {
				return err
			}
			if err := take(u, more); err != nil {
				return err
			}
		case KindNote:
			s.cfg.Note(errors.New(string(p)))
		case KindEnd:
			if len(p) > 0 {
				return errors.New(string(p))
			}
			return nil
		default:
			return fmt.Errorf("camera process sent a frame of unknown kind %d", k)
		}
	}
}

// Units are the units of a file one by one, at the taker's pace.
type Units struct {
	units  chan waiting
	cancel context.CancelFunc
	done   sync.WaitGroup
	err    error // after units is closed
}

// waiting is a unit that nobody has taken yet.
type waiting struct {
	unit capture.Unit
	more func() error
}

// errWindow ends a process that sends more than it may.
var errWindow = errors.New("camera process sent more units than it may")

// Units opens the file. Close it.
func (s *Source) Units(ctx context.Context) *Units {
	ctx, cancel := context.WithCancel(ctx)
	u := &Units{units: make(chan waiting, Window), cancel: cancel}
	u.done.Go(func() {
		defer close(u.units)
		u.err = s.once(ctx, func(x capture.Unit, more func() error) error {
			select {
			case u.units <- waiting{x, more}:
				return nil
			default:
				return errWindow
			}
		})
	})
	return u
}

// once is run without a second attempt: a file that fails once fails again.
func (s *Source) once(ctx context.Context, take taker) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var first error
	err := s.run(ctx, func(err error) {
		if err != nil && first == nil {
			first = err
			cancel()
		}
	}, take)
	if first != nil {
		return first
	}
	return err
}

// Next is the next unit; io.EOF after the last.
func (u *Units) Next(ctx context.Context) (capture.Unit, error) {
	select {
	case x, ok := <-u.units:
		if ok {
			_ = x.more() // it fails where the process has sent all and gone
			return x.unit, nil
		}
		if u.err != nil {
			return capture.Unit{}, u.err
		}
		return capture.Unit{}, io.EOF
	case <-ctx.Done():
		return capture.Unit{}, ctx.Err()
	}
}

// Close ends the process.
func (u *Units) Close() {
	u.cancel()
	u.done.Wait()
}
