package av

/*
#include <libavutil/frame.h>
*/
import "C"

import (
	"fmt"
	"time"
	"unsafe"

	"gocv.io/x/gocv"

	"vision/internal/luma"
)

// I420 is a planar 4:2:0 picture: Y of W×H, U and V of half that, rounded up.
type I420 struct {
	Y, U, V                   []byte
	StrideY, StrideU, StrideV int // bytes from row to row
	W, H                      int // pixels
}

// Frame is one decoded picture. It owns memory of FFmpeg's: Close it.
type Frame struct {
	W, H int // pixels
	PTS  time.Duration
	Wall time.Time
	// N is the unit's ordinal (capture.Unit.N, or counted by the decoder).
	N uint64
	// Damaged: the picture may rest on lost or broken data.
	Damaged bool
	Key     bool // of a key unit: it rests on no other picture
	Bytes   int  // of its unit

	f   *C.AVFrame
	sws *scaler
}

func newFrame(f *C.AVFrame, s *scaler) *Frame {
	live.Add(1)
	s.retain()
	return &Frame{W: int(f.width), H: int(f.height), f: f, sws: s}
}

// I420 is a view of the planes, valid until Close.
func (f *Frame) I420() I420 {
	if f.f == nil {
		return I420{}
	}
	plane := func(i, rows int) ([]byte, int) {
		stride := int(f.f.linesize[i])
		return unsafe.Slice((*byte)(unsafe.Pointer(f.f.data[i])), stride*rows), stride
	}
	p := I420{W: f.W, H: f.H}
	p.Y, p.StrideY = plane(0, f.H)
	p.U, p.StrideU = plane(1, (f.H+1)/2)
	p.V, p.StrideV = plane(2, (f.H+1)/2)
	return p
}

// BGR converts the frame into dst, which becomes H×W 8UC3; its memory is used
// again when it already is. Frames of one decoder may be converted by several
// goroutines; they take turns.
func (f *Frame) BGR(dst *gocv.Mat) error {
	if f.f == nil {
		return ErrClosed
	}
	if dst.Ptr() == nil || dst.Rows() != f.H || dst.Cols() != f.W ||
		dst.Type() != gocv.MatTypeCV8UC3 || !dst.IsContinuous() {
		m := gocv.NewMatWithSize(f.H, f.W, gocv.MatTypeCV8UC3)
		if dst.Ptr() != nil {
			dst.Close()
		}
		*dst = m
	}
	b, err := dst.DataPtrUint8()
	if err != nil || len(b) != f.W*f.H*3 {
		return fmt.Errorf("av: no memory for a picture of %d×%d: %v", f.W, f.H, err)
	}
	return f.sws.bgr(f.f, b)
}

// Luma is a view of the frame's brightness, valid until Close.
func (f *Frame) Luma() luma.Plane {
	p := f.I420()
	return luma.Plane{Pix: p.Y, Width: p.W, Height: p.H, Stride: p.StrideY, Limited: f.f != nil && !f.full()}
}

// In is the frame as a cv.Picture: its colours, once they are asked for, are written into dst,
// as BGR writes them. It is valid until Close.
func (f *Frame) In(dst *gocv.Mat) *Picture { return &Picture{Frame: f, dst: dst} }

// Picture is a frame that is converted when its colours are first asked for. One goroutine owns it.
type Picture struct {
	*Frame
	dst       *gocv.Mat
	converted bool
}

// BGR is H×W 8UC3: Frame.In's Mat.
func (p *Picture) BGR() (gocv.Mat, error) {
	if !p.converted {
		if err := p.Frame.BGR(p.dst); err != nil {
			return gocv.Mat{}, err
		}
		p.converted = true
	}
	return *p.dst, nil
}

// Close gives the picture's memory back. A second call does nothing.
func (f *Frame) Close() {
	if f.f == nil {
		return
	}
	C.av_frame_free(&f.f)
	f.sws.release()
	live.Add(-1)
}
