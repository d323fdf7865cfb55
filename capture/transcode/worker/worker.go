// Package worker is the process that decodes a camera's stream and encodes it again as
// H.264 without B-frames; capture/transcode starts it and replaces it.
package worker

import (
	"context"
	"fmt"
	"image"

	"gocv.io/x/gocv"

	"vision/capture"
	"vision/capture/transcode"
	"vision/internal/av"
	"vision/internal/child"
)

// widest is the width above which pictures are made smaller: a screen of a wall shows no
// more, and one thread encodes no more in real time.
const widest = 1920

const (
	bitrate = 4_000_000 // of what comes out, bit/s
	fps     = 25        // that the encoder is told: a key picture comes every two seconds of them
)

// Main is the whole life of the process. Video is decoded on a device; nil: by the processor.
func Main(ctx context.Context, device *av.Device) error {
	dec, err := device.NewDecoder()
	if err != nil {
		return err
	}
	w := &worker{dec: dec, full: gocv.NewMat(), small: gocv.NewMat()}
	defer w.close()
	return child.Serve(ctx, w.handle)
}

type worker struct {
	dec         *av.Decoder
	enc         *av.Encoder
	w, h        int // of what enc takes
	full, small gocv.Mat
	out         []byte
}

func (w *worker) close() {
	w.dec.Close()
	if w.enc != nil {
		w.enc.Close()
	}
	w.full.Close()
	w.small.Close()
}

// handle takes one unit and sends what comes of it. A damaged unit gives nothing, or a
// damaged picture: the next key picture mends it.
func (w *worker) handle(_ context.Context, l *child.Link, k child.Kind, payload []byte) error {
	if k != transcode.KindUnit {
		return fmt.Errorf("frame of unknown kind %d", k)
	}
	u, err := capture.ParseUnit(payload)
	if err != nil {
		return err
	}
	defer l.Work()()
	frames, _ := w.dec.Decode(u)
	for i, f := range frames {
		err := w.send(l, f)
		f.Close()
		if err != nil {
			for _, f := range frames[i+1:] {
				f.Close()
			}
			return err
		}
	}
	return nil
}

func (w *worker) send(l *child.Link, f *av.Frame) error {
	if err := w.encoder(f); err != nil {
		return err
	}
	u, err := w.encode(f)
	if err != nil {
		return err
	}
	u.Wall, u.Key = f.Wall, capture.H264.Key(u.NALs)
	w.out = capture.AppendUnit(w.out[:0], u)
	return l.Write(transcode.KindUnit, w.out)
}

// encoder is one for pictures of f's size, or as wide as they may be.
func (w *worker) encoder(f *av.Frame) error {
	width, height := f.W&^1, f.H&^1
	if f.W > widest {
		width, height = widest, f.H*widest/f.W&^1
	}
	if w.enc != nil && w.w == width && w.h == height {
		return nil
	}
	if w.enc != nil {
		w.enc.Close()
		w.enc = nil
	}
	enc, err := av.NewEncoder(width, height, fps, av.EncoderOptions{Bitrate: bitrate})
	if err != nil {
		return err
	}
	w.enc, w.w, w.h = enc, width, height
	return nil
}

func (w *worker) encode(f *av.Frame) (capture.Unit, error) {
	if f.W == w.w && f.H == w.h {
		return w.enc.EncodeI420(f.I420(), f.PTS)
	}
	if err := f.BGR(&w.full); err != nil {
		return capture.Unit{}, err
	}
	gocv.Resize(w.full, &w.small, image.Pt(w.w, w.h), 0, 0, gocv.InterpolationArea)
	return w.enc.Encode(w.small, f.PTS)
}
