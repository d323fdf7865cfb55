package av

/*
#include <libavcodec/avcodec.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"vision/capture"
)

// maxUnit bounds one access unit (bytes); a 4K IDR stays far below.
const maxUnit = 16 << 20

// maxPixels bounds a decoded picture, so that a mangled SPS asks for no gigabytes.
const maxPixels = 8192 * 8192

// Decoder turns H.264 access units into frames with the least delay: a stream
// without B-frames yields each frame with its own unit.
type Decoder struct {
	ctx    *C.AVCodecContext
	pkt    *C.AVPacket
	sws    *scaler
	next   uint64          // ordinal of the next unit
	known  map[uint64]meta // of units whose frame has not come out yet
	synced bool            // a key unit has been decoded
	taint  bool            // something was lost since the last key unit
}

// meta is what travels beside a unit through the decoder.
type meta struct {
	pts   time.Duration
	wall  time.Time
	n     uint64
	taint bool
}

// NewDecoder opens a decoder of one thread.
func NewDecoder() (*Decoder, error) {
	codec := C.avcodec_find_decoder(C.AV_CODEC_ID_H264)
	if codec == nil {
		return nil, errors.New("av: this FFmpeg has no H.264 decoder: install Debian's libavcodec59")
	}
	ctx := C.avcodec_alloc_context3(codec)
	pkt := C.av_packet_alloc()
	if ctx == nil || pkt == nil {
		C.avcodec_free_context(&ctx)
		C.av_packet_free(&pkt)
		return nil, errors.New("av: no memory for a decoder")
	}
	ctx.flags |= C.AV_CODEC_FLAG_LOW_DELAY
	ctx.thread_count = 1
	ctx.max_pixels = maxPixels
	if rc := C.avcodec_open2(ctx, codec, nil); rc < 0 {
		C.avcodec_free_context(&ctx)
		C.av_packet_free(&pkt)
		return nil, fail("open decoder", rc)
	}
	live.Add(1)
	return &Decoder{ctx: ctx, pkt: pkt, sws: newScaler(), known: map[uint64]meta{}}, nil
}

// Decode decodes one access unit. It returns the frames that are complete, in
// display order; usually one, none before the first key unit. A damaged unit
// gives an error, and frames that may rest on lost data are marked Damaged until
// the next key unit; the decoder goes on either way.
func (d *Decoder) Decode(u capture.Unit) ([]*Frame, error) {
	if d.ctx == nil {
		return nil, ErrClosed
	}
	if !d.synced && !u.Key {
		return nil, nil
	}
	if u.Key {
		d.synced, d.taint = true, false
	} else if u.Gap {
		d.taint = true
	}
	if err := d.fill(u); err != nil {
		d.taint = true
		return nil, err
	}
	rc := C.avcodec_send_packet(d.ctx, d.pkt)
	C.av_packet_unref(d.pkt)
	if rc < 0 {
		d.taint = true
	}
	frames, err := d.receive()
	if rc < 0 && rc != codeEOF {
		err = errors.Join(fail(fmt.Sprintf("decode unit at %v", u.PTS), rc), err)
	}
	return frames, err
}

// Flush returns the frames that the decoder still holds and makes it ready for
// another stream, which begins with its first key unit.
func (d *Decoder) Flush() ([]*Frame, error) {
	if d.ctx == nil {
		return nil, ErrClosed
	}
	C.avcodec_send_packet(d.ctx, nil)
	frames, err := d.receive()
	C.avcodec_flush_buffers(d.ctx)
	d.synced, d.taint = false, false
	clear(d.known)
	return frames, err
}

// Close frees the decoder. Frames that it gave out stay valid.
func (d *Decoder) Close() {
	if d.ctx == nil {
		return
	}
	C.avcodec_free_context(&d.ctx)
	C.av_packet_free(&d.pkt)
	d.sws.release()
	live.Add(-1)
}

// fill puts the unit into the packet as Annex B and remembers its times.
func (d *Decoder) fill(u capture.Unit) error {
	size := 0
	for _, n := range u.NALs {
		size += 4 + len(n)
	}
	if size == 0 || size > maxUnit {
		return fmt.Errorf("av: unit at %v has %d bytes: want 1 to %d", u.PTS, size, maxUnit)
	}
	if rc := C.av_new_packet(d.pkt, C.int(size)); rc < 0 {
		return fail("allocate packet", rc)
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(d.pkt.data)), size)
	for _, n := range u.NALs {
		b = b[copy(b, "\x00\x00\x00\x01"):]
		b = b[copy(b, n):]
	}
	d.next++
	m := meta{pts: u.PTS, wall: u.Wall, n: u.N, taint: d.taint}
	if m.n == 0 {
		m.n = d.next
	}
	d.known[d.next] = m
	delete(d.known, d.next-64) // H.264 reorders over 16 frames at most
	d.pkt.pts, d.pkt.dts = C.int64_t(d.next), C.int64_t(d.next)
	if u.Key {
		d.pkt.flags |= C.AV_PKT_FLAG_KEY
	}
	return nil
}

func (d *Decoder) receive() ([]*Frame, error) {
	var out []*Frame
	for {
		f := C.av_frame_alloc()
		if f == nil {
			return out, errors.New("av: no memory for a frame")
		}
		rc := C.avcodec_receive_frame(d.ctx, f)
		if rc < 0 {
			C.av_frame_free(&f)
			if rc == codeAgain || rc == codeEOF {
				return out, nil
			}
			d.taint = true
			return out, fail("decode", rc)
		}
		fr, err := d.wrap(f)
		if err != nil {
			return out, err
		}
		out = append(out, fr)
	}
}

// wrap takes f over. The times come back by the unit's ordinal, which libavcodec
// carries as pts through its reordering.
func (d *Decoder) wrap(f *C.AVFrame) (*Frame, error) {
	if f.decode_error_flags != 0 || f.flags&C.AV_FRAME_FLAG_CORRUPT != 0 {
		d.taint = true
	}
	n := uint64(f.pts)
	m, ok := d.known[n]
	delete(d.known, n)
	damaged := m.taint || d.taint || !ok
	f, err := d.sws.planar(f)
	if err != nil {
		return nil, err
	}
	fr := newFrame(f, d.sws)
	fr.PTS, fr.Wall, fr.N, fr.Damaged = m.pts, m.wall, m.n, damaged
	return fr, nil
}
