package local

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gocv.io/x/gocv"

	"vision/internal/av"
)

// file is a video file. H.264 without B-frames passes through; all else is
// decoded, and encoded again where units are wanted.
type file struct {
	*stamper
	path string
	f    *av.File
	pass bool
	dec  *av.Decoder // with pass, for pictures
	wait []*av.Frame
	got  bool // a picture in this turn
}

func openFile(path string, s *stamper) (Input, error) {
	f, err := av.OpenFile(path)
	if err != nil {
		return nil, err
	}
	in := &file{stamper: s, path: path, f: f}
	in.pass = f.Info.Codec == "h264" && !f.Info.Reorders && s.o.Units
	if in.pass && s.o.Pictures {
		if in.dec, err = av.NewDecoder(); err != nil {
			f.Close()
			return nil, err
		}
	}
	return in, nil
}

// Next is the next picture; with Loop there is always one.
func (f *file) Next(ctx context.Context) (Picture, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Picture{}, err
		}
		next := f.decoded
		if f.pass {
			next = f.passed
		}
		p, err := next(ctx)
		if errors.Is(err, io.EOF) && f.o.Loop && f.got {
			if err = f.reopen(); err == nil {
				continue
			}
		}
		if err != nil {
			p.Close()
			return Picture{}, err
		}
		f.got = true
		return p, nil
	}
}

func (f *file) reopen() error {
	again, err := av.OpenFile(f.path)
	if err != nil {
		return err
	}
	f.f.Close()
	f.f, f.got = again, false
	f.again()
	return nil
}

func (f *file) passed(ctx context.Context) (Picture, error) {
	u, err := f.f.Unit()
	if err != nil {
		return Picture{}, err
	}
	p := Picture{Unit: u}
	pts := u.PTS
	if err := f.stamp(ctx, &p, pts); err != nil || f.dec == nil {
		return p, err
	}
	frames, err := f.dec.Decode(p.Unit)
	if err != nil {
		f.note(fmt.Errorf("video file %s: %w", f.path, err))
	}
	p.Damaged = err != nil
	for i, fr := range frames {
		if i == len(frames)-1 {
			p.Damaged = p.Damaged || fr.Damaged
			p.BGR = gocv.NewMat()
			err = fr.BGR(&p.BGR)
		}
		fr.Close()
	}
	if len(frames) > 0 && err != nil && p.BGR.Empty() {
		return p, err
	}
	return p, nil
}

func (f *file) decoded(ctx context.Context) (Picture, error) {
	for len(f.wait) == 0 {
		var err error
		if f.wait, err = f.f.Frames(); err != nil {
			return Picture{}, err
		}
	}
	fr := f.wait[0]
	f.wait = f.wait[1:]
	defer fr.Close()
	p := Picture{Damaged: fr.Damaged}
	if f.o.Pictures {
		p.BGR = gocv.NewMat()
		if err := fr.BGR(&p.BGR); err != nil {
			return p, err
		}
	}
	if f.o.Units {
		if err := f.encode(&p, fr); err != nil {
			return p, err
		}
	}
	err := f.stamp(ctx, &p, fr.PTS)
	return p, err
}

func (f *file) encode(p *Picture, fr *av.Frame) error {
	e, err := f.encoder(fr.W, fr.H, f.f.Info.FPS)
	if err != nil {
		return fmt.Errorf("video file %s: %w", f.path, err)
	}
	planes := fr.I420()
	planes.W, planes.H = fr.W&^1, fr.H&^1
	p.Unit, err = e.EncodeI420(planes, f.base+fr.PTS)
	return err
}

// Close frees everything.
func (f *file) Close() {
	for _, fr := range f.wait {
		fr.Close()
	}
	f.wait = nil
	f.f.Close()
	if f.dec != nil {
		f.dec.Close()
	}
	f.stamper.close()
}
