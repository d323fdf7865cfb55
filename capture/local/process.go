package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"vision/capture"
	"vision/capture/camera"
	"vision/internal/child"
)

// Main is the whole life of a camera process: it opens what the server asks for
// and sends its units.
func Main(ctx context.Context) error {
	p := &process{credit: make(chan struct{}, camera.Window)}
	for range camera.Window {
		p.credit <- struct{}{}
	}
	ctx, cancel := context.WithCancel(ctx)
	err := child.Serve(ctx, p.handle)
	cancel()
	p.done.Wait()
	return err
}

type process struct {
	credit chan struct{}
	open   bool
	done   sync.WaitGroup
}

func (p *process) handle(ctx context.Context, l *child.Link, k child.Kind, payload []byte) error {
	switch k {
	case camera.KindOpen:
		if p.open {
			return errors.New("opened twice")
		}
		var o camera.Open
		if err := json.Unmarshal(payload, &o); err != nil {
			return fmt.Errorf("what to open: %w", err)
		}
		p.open = true
		p.done.Go(func() {
			text := ""
			if err := p.show(ctx, l, o); err != nil && !errors.Is(err, io.EOF) {
				text = err.Error()
			}
			_ = l.Write(camera.KindEnd, []byte(text)) // the server has gone: so will this process
		})
		return nil
	case camera.KindMore:
		select {
		case p.credit <- struct{}{}:
		default:
		}
		return nil
	}
	return fmt.Errorf("frame of unknown kind %d", k)
}

// show sends the units as far as the server takes them.
func (p *process) show(ctx context.Context, l *child.Link, o camera.Open) error {
	in, err := Open(o.URL, Options{FPS: o.FPS, Loop: o.Loop, Realtime: o.Realtime, Start: o.Start, Units: true,
		Note: func(err error) { _ = l.Write(camera.KindNote, []byte(err.Error())) }})
	if err != nil {
		return err
	}
	defer in.Close()
	var buf []byte
	for {
		pic, err := in.Next(ctx)
		if err != nil {
			return err
		}
		pic.Close()
		if len(pic.Unit.NALs) == 0 {
			continue
		}
		select {
		case <-p.credit:
		case <-ctx.Done():
			return ctx.Err()
		}
		buf = capture.AppendUnit(buf[:0], pic.Unit)
		if err := l.Write(camera.KindUnit, buf); err != nil {
			return err
		}
	}
}
