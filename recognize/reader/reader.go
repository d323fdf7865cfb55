// Package reader is the process that reads one table: it decodes the cameras'
// units, reads the frames and reports observations. It is the only part of a
// running node that calls C and C++; recognize/host starts it and replaces it.
package reader

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"vision/calibration"
	"vision/capture"
	"vision/internal/av"
	"vision/internal/child"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/recognize/wire"
)

// Recogniser looks at the frames of one camera. Damaged gets those that rest on lost data.
type Recogniser interface {
	Frame(p cv.Picture, at time.Time, n uint64) ([]fact.Observation, error)
	Damaged(p cv.Picture, at time.Time, n uint64) ([]fact.Observation, error)
	Again(zone string) // has a zone at rest read again
	Close()
}

// Task is what a recogniser is made for.
type Task struct {
	Calibration *calibration.Table
	Empty       []byte // file of a picture of the table with nothing on it; nil: there is none
	Every       bool   // every frame is read, whatever it takes: no budget
	Step        func() // heartbeat, to be called between pieces of work
}

// New makes the recogniser of a calibrated camera.
type New func(Task) (Recogniser, error)

// Main runs the process. Video is decoded on a device; nil: by the processor.
func Main(ctx context.Context, recogniser New, threads func(int) error, device *av.Device) error {
	m := &process{make: recogniser, threads: threads, device: device, empty: map[int][]byte{},
		failed: make(chan error, wire.MaxCameras)}
	served := make(chan error, 1)
	go func() { served <- child.Serve(ctx, m.handle) }()
	select {
	case err := <-served:
		m.close()
		return err
	case err := <-m.failed: // the process ends with it: nothing else is waited for
		return err
	}
}

// process holds the cameras of the table.
type process struct {
	make    New
	threads func(int) error
	device  *av.Device
	every   bool
	link    *child.Link
	empty   map[int][]byte // by camera, until the setup
	views   []*view
	done    sync.WaitGroup
	failed  chan error
}

func (m *process) handle(ctx context.Context, l *child.Link, k child.Kind, p []byte) error {
	switch {
	case k == wire.KindSetup:
		return m.setup(ctx, l, p)
	case k == wire.KindEmpty && m.views == nil:
		return m.keepEmpty(p)
	case m.views == nil:
		return fmt.Errorf("frame of kind %d before the setup", k)
	}
	switch k {
	case wire.KindUnit:
		i, u, err := wire.ParseUnit(p, len(m.views))
		if err != nil {
			return err
		}
		return m.views[i].put(ctx, u)
	case wire.KindFinish, wire.KindPreview, wire.KindAgain:
		i, rest, err := wire.ParseCamera(p, len(m.views))
		if err != nil {
			return err
		}
		switch k {
		case wire.KindFinish:
			m.views[i].finish()
		case wire.KindPreview:
			m.views[i].preview.Store(len(rest) > 0 && rest[0] != 0)
		case wire.KindAgain:
			m.views[i].again(string(rest))
		}
		return nil
	}
	return fmt.Errorf("frame of unknown kind %d", k)
}

// keepEmpty keeps a camera's picture of the table with nothing on it for the setup.
func (m *process) keepEmpty(p []byte) error {
	i, picture, err := wire.ParseCamera(p, wire.MaxCameras)
	if err != nil {
		return err
	}
	m.empty[i] = slices.Clone(picture)
	return nil
}

func (m *process) setup(ctx context.Context, l *child.Link, p []byte) error {
	if m.views != nil {
		return fmt.Errorf("a second setup")
	}
	s, err := wire.Decode[wire.Setup]("setup", p)
	if err != nil {
		return err
	}
	if n := len(s.Cameras); n == 0 || n > wire.MaxCameras {
		return fmt.Errorf("setup of %d cameras; want 1 to %d", n, wire.MaxCameras)
	}
	if err := m.threads(max(s.Threads, 1)); err != nil {
		return err
	}
	ready := wire.Ready{Errs: map[string]string{}}
	for i, c := range s.Cameras {
		v := &view{i: i, name: c.Name, table: s.Table, every: s.Every, link: l, device: m.device,
			units: make(chan capture.Unit, queue), asked: make(chan string, queue)}
		if c.Calibration != nil {
			done := l.Work()
			v.rec, err = m.make(Task{c.Calibration, m.empty[i], s.Every, v.step})
			done()
			if err != nil {
				ready.Errs[c.Name] = err.Error()
			}
		}
		m.views = append(m.views, v)
	}
	m.empty = nil
	if err := wire.Send(l.Conn, wire.KindReady, ready); err != nil {
		return err
	}
	for _, v := range m.views {
		m.done.Go(func() {
			if err := v.run(ctx); err != nil && ctx.Err() == nil {
				m.failed <- fmt.Errorf("camera %s: %w", v.name, err)
			}
		})
	}
	return nil
}

func (m *process) close() {
	for _, v := range m.views {
		v.finish()
	}
	m.done.Wait()
}
