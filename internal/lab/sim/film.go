package sim

import (
	"errors"
	"fmt"
	"io"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4/seekablebuffer"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"vision/capture"
)

// Film writes encoded pictures as a fragmented MP4, one fragment per group of
// pictures.
type Film struct {
	w    io.Writer
	fps  float64
	seq  uint32
	time uint64
	part []*fmp4.Sample
	open bool
}

// filmScale is the film's time scale, ticks a second.
const filmScale = 90000

// NewFilm writes to w at a fixed frame rate. Close ends the film, not w.
func NewFilm(w io.Writer, fps float64) *Film { return &Film{w: w, fps: fps} }

// Write adds a picture; the first must be a key picture with SPS and PPS.
func (f *Film) Write(u capture.Unit) error {
	if u.Key {
		if err := f.flush(); err != nil {
			return err
		}
	}
	if !f.open {
		if err := f.begin(u); err != nil {
			return err
		}
	}
	s := &fmp4.Sample{}
	if err := s.FillH264(0, u.NALs); err != nil {
		return fmt.Errorf("film: %w", err)
	}
	s.Duration = uint32(filmScale / f.fps)
	f.part = append(f.part, s)
	return nil
}

func (f *Film) begin(u capture.Unit) error {
	var sps, pps []byte
	for _, n := range u.NALs {
		switch n[0] & 0x1f {
		case 7:
			sps = n
		case 8:
			pps = n
		}
	}
	if !u.Key || sps == nil || pps == nil {
		return errors.New("film: the first picture is no key picture with SPS and PPS")
	}
	f.open = true
	init := fmp4.Init{Tracks: []*fmp4.InitTrack{{ID: 1, TimeScale: filmScale, Codec: &codecs.H264{SPS: sps, PPS: pps}}}}
	return f.put(init.Marshal)
}

// flush writes the pictures gathered since the last key picture.
func (f *Film) flush() error {
	if len(f.part) == 0 {
		return nil
	}
	p := fmp4.Part{SequenceNumber: f.seq, Tracks: []*fmp4.PartTrack{{ID: 1, BaseTime: f.time, Samples: f.part}}}
	for _, s := range f.part {
		f.time += uint64(s.Duration)
	}
	f.seq, f.part = f.seq+1, nil
	return f.put(p.Marshal)
}

func (f *Film) put(marshal func(io.WriteSeeker) error) error {
	var buf seekablebuffer.Buffer
	if err := marshal(&buf); err != nil {
		return fmt.Errorf("film: %w", err)
	}
	if _, err := f.w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("film: %w", err)
	}
	return nil
}

// Close writes what is left.
func (f *Film) Close() error { return f.flush() }
