package command

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"time"

	"vision/calibration/board"
	"vision/capture/local"
	still "vision/capture/still/worker"
	"vision/capture/transcode/worker"
	"vision/internal/av"
	"vision/internal/confine"
	"vision/internal/cv"
	"vision/internal/decoder"
	"vision/recognize"
	"vision/recognize/reader"
)

// Workers are the hidden subcommands as which a program that runs a node starts itself: C++
// decodes and reads in processes of its own. Each such program has them.
type Workers struct {
	Reader  ReaderCmd  `cmd:"" name:"reader-process" hidden:""`
	Camera  CameraCmd  `cmd:"" name:"camera-process" hidden:""`
	Still   StillCmd   `cmd:"" name:"still-process" hidden:""`
	Lens    LensCmd    `cmd:"" name:"lens-process" hidden:""`
	Preview PreviewCmd `cmd:"" name:"preview-process" hidden:""`

	Transcode TranscodeCmd `cmd:"" name:"transcode-process" hidden:""`
	Decoder   DecoderCmd   `cmd:"" name:"decoder-process" hidden:""`
}

// decoding is how a process that decodes is told on what; none is the processor.
type decoding struct {
	Decoder string `default:"software" hidden:""`
}

// lock locks the process up but for the device on which it decodes, and opens that.
func (d decoding) lock() (*av.Device, error) {
	c, err := decoder.Parse(d.Decoder)
	if err != nil {
		return nil, err
	}
	if !c.InHardware() {
		return nil, confine.Lock(confine.Libraries)
	}
	if err := confine.Lock(confine.Libraries, c); err != nil {
		return nil, err
	}
	dev, err := av.OpenDevice(c)
	if err != nil {
		return av.Failed(c, err), nil
	}
	return dev, nil
}

// DecoderCmd tries a decoder in hardware; the program starts it itself.
type DecoderCmd struct{}

// Run answers one request.
func (DecoderCmd) Run() error {
	var q decoder.Asked
	if err := json.NewDecoder(os.Stdin).Decode(&q); err != nil {
		return err
	}
	dev, err := decoding{q.Decoder}.lock()
	if err != nil {
		return err
	}
	defer dev.Close()
	told := decoder.Told{Cannot: dev.Cannot()}
	if dev.Decodes() {
		told.Decoder = dev.Choice().String()
	}
	return json.NewEncoder(os.Stdout).Encode(told)
}

// locked answers one request in a process that is locked up.
func locked(serve func(in io.Reader, out io.Writer) error) error {
	if err := confine.Lock(confine.Libraries); err != nil {
		return err
	}
	return serve(os.Stdin, os.Stdout)
}

// ReaderCmd is the reader process of one table; the program starts it itself.
type ReaderCmd struct {
	decoding
}

// readBudget is how long one frame may be read before the next is looked at.
const readBudget = 100 * time.Millisecond

// Run lives as long as the server that started it.
func (c ReaderCmd) Run() error {
	dev, err := c.lock()
	if err != nil {
		return err
	}
	defer dev.Close()
	return reader.Main(context.Background(), func(t reader.Task) (reader.Recogniser, error) {
		o := recognize.Options{Step: t.Step, Budget: readBudget}
		if t.Every {
			o.Budget = 0
		}
		o.Empty = t.Empty
		return recognize.NewTable(t.Calibration, o)
	}, cv.SetThreads, dev)
}

// CameraCmd is the process of a camera or file of this machine; the program starts it itself.
type CameraCmd struct{}

// Run lives as long as the server that started it.
func (CameraCmd) Run() error {
	if err := confine.Lock(confine.Films); err != nil {
		return err
	}
	return local.Main(context.Background())
}

// TranscodeCmd is the process that encodes a camera's stream again for browsers; the
// program starts it itself.
type TranscodeCmd struct {
	decoding
}

// Run lives as long as the server that started it.
func (c TranscodeCmd) Run() error {
	dev, err := c.lock()
	if err != nil {
		return err
	}
	defer dev.Close()
	return worker.Main(context.Background(), dev)
}

// StillCmd decodes a camera's stream for one picture; the program starts it itself.
type StillCmd struct{}

// Run answers one request.
func (StillCmd) Run() error { return locked(still.Serve) }

// LensCmd looks for a calibration board in a picture, or fits a lens; the program
// starts it itself.
type LensCmd struct{}

// Run answers one request.
func (LensCmd) Run() error { return locked(board.Serve) }

// PreviewCmd reads one picture by a calibration that is not in force; vision starts it
// itself.
type PreviewCmd struct{}

// Run answers one request.
func (PreviewCmd) Run() error { return locked(recognize.ServePreview) }
