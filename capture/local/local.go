// Package local reads cameras and pictures of this machine: USB cameras (V4L2),
// video files, folders of images. It calls C and runs in reader processes only.
package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gocv.io/x/gocv"

	"vision/capture"
	"vision/internal/av"
	"vision/internal/backoff"
)

// Options of an input.
type Options struct {
	FPS      float64 // of a folder of images (default 5); wished of a USB camera
	Loop     bool    // begin a file or folder again at its end
	Realtime bool    // at the pace of the pictures' times; else as fast as they are read
	// Start is the wall time of the first picture of a file or folder; the zero
	// time means now. With Realtime the wall times are the present's.
	Start time.Time
	// Pictures asks for Picture.BGR, Units for Picture.Unit.
	Pictures, Units bool
	// Note hears of what was passed over: an unreadable image. May be nil.
	Note func(error)
}

// Picture is one picture of an input.
type Picture struct {
	// BGR is 8UC3; the taker closes it. It is without memory where Pictures was
	// not asked for.
	BGR gocv.Mat
	// Unit is the picture encoded, once for viewers and recorder; its NALs are
	// the file's own where that is H.264 without B-frames. Without NALs where
	// Units was not asked for.
	Unit    capture.Unit
	PTS     time.Duration
	Wall    time.Time
	Damaged bool // rests on broken data
}

// Close frees the picture's memory.
func (p *Picture) Close() {
	if p.BGR.Ptr() != nil {
		p.BGR.Close()
		p.BGR = gocv.Mat{}
	}
}

// Input yields pictures in order. Next returns io.EOF after the last one.
type Input interface {
	Next(ctx context.Context) (Picture, error)
	Close()
}

// Open opens what url names: /dev/videoN, a video file, a folder of images or
// one image; "file://" before it is allowed.
func Open(url string, o Options) (Input, error) {
	path := strings.TrimPrefix(url, "file://")
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist) && strings.HasPrefix(path, "/dev/video"):
		return nil, fmt.Errorf("camera %s: no such device: check the cable; `ls /dev/video*` lists what is there", path)
	case err != nil:
		return nil, fmt.Errorf("camera %s: %w: want a device, a video file or a folder of images", path, err)
	}
	s := &stamper{o: o}
	switch {
	case st.Mode()&os.ModeCharDevice != 0:
		return openDevice(path, s)
	case st.IsDir(), isImage(path):
		return openFolder(path, st.IsDir(), s)
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("camera %s: neither a device, a video file nor a folder", path)
	}
	return openFile(path, s)
}

// stamper gives pictures their times, paces them and encodes them.
type stamper struct {
	o     Options
	enc   *av.Encoder
	w, h  int
	begun time.Time     // wall time of PTS 0
	base  time.Duration // of the present turn of a loop
	last  time.Duration
	step  time.Duration // between the last two pictures
	n     uint64
	gap   bool // the next unit follows a loss
}

// stamp waits for the picture's time and sets PTS, Wall and the unit's.
func (s *stamper) stamp(ctx context.Context, p *Picture, pts time.Duration) error {
	pts += s.base
	if s.n > 0 && pts > s.last {
		s.step = pts - s.last
	}
	s.last = max(pts, s.last)
	s.n++
	if s.begun.IsZero() {
		s.begun = s.o.Start
		if s.begun.IsZero() || s.o.Realtime {
			s.begun = time.Now().Add(-pts)
		}
	}
	p.PTS, p.Wall = pts, s.begun.Add(pts).Round(0)
	p.Unit.PTS, p.Unit.Wall, p.Unit.N = p.PTS, p.Wall, s.n
	p.Unit.Gap, s.gap = p.Unit.Gap || s.gap, false
	if s.o.Realtime {
		return backoff.Sleep(ctx, time.Until(s.begun.Add(pts)))
	}
	return ctx.Err()
}

// again begins another turn of a loop after the last picture.
func (s *stamper) again() {
	s.step = cmp.Or(s.step, 40*time.Millisecond)
	s.base = s.last + s.step
}

func (s *stamper) note(err error) {
	if s.o.Note != nil {
		s.o.Note(err)
	}
}

// encoder is one for pictures of w×h (rounded down to even sides).
func (s *stamper) encoder(w, h int, fps float64) (*av.Encoder, error) {
	w, h = w&^1, h&^1
	if s.enc != nil && s.w == w && s.h == h {
		return s.enc, nil
	}
	s.close()
	e, err := av.NewEncoder(w, h, min(max(int(fps+0.5), 1), 240), av.EncoderOptions{})
	if err != nil {
		return nil, err
	}
	s.enc, s.w, s.h = e, w, h
	return e, nil
}

func (s *stamper) close() {
	if s.enc != nil {
		s.enc.Close()
		s.enc = nil
	}
}
