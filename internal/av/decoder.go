package av

/*
#include <libavcodec/avcodec.h>
*/
import "C"

import (
	"bytes"
	"cmp"
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

// Decoder turns access units of H.264 and H.265 into frames with the least delay: a
// stream without B-frames yields each frame with its own unit.
type Decoder struct {
	codec  capture.Codec // that ctx decodes
	ctx    *C.AVCodecContext
	pkt    *C.AVPacket
	sws    *scaler
	next   uint64          // ordinal of the next unit
	known  map[uint64]meta // of units whose frame has not come out yet
	sps    []byte          // of the last key unit
	synced bool            // a key unit has been decoded
	taint  bool            // something was lost since the last key unit

	device *device // nil: nobody but the processor decodes
}

// meta is what travels beside a unit through the decoder.
type meta struct {
	pts   time.Duration
	wall  time.Time
	n     uint64
	taint bool
	key   bool
	bytes int
}

// NewDecoder opens a decoder of one thread, the processor's.
func NewDecoder() (*Decoder, error) { return newDecoder(nil) }

func newDecoder(dev *Device) (*Decoder, error) {
	d := &Decoder{sws: newScaler(), known: map[uint64]meta{}, device: using(dev)}
	if err := d.open(); err != nil {
		d.device.free()
		return nil, err
	}
	live.Add(1)
	return d, nil
}

func (d *Decoder) open() error {
	id := C.enum_AVCodecID(C.AV_CODEC_ID_H264)
	if d.codec == capture.H265 {
		id = C.AV_CODEC_ID_HEVC
	}
	codec := C.avcodec_find_decoder(id)
	if codec == nil {
		return fmt.Errorf("av: this FFmpeg has no decoder of %v: install Debian's libavcodec-extra", d.codec)
	}
	d.ctx, d.pkt = C.avcodec_alloc_context3(codec), C.av_packet_alloc()
	if d.ctx == nil || d.pkt == nil {
		d.free()
		return errors.New("av: no memory for a decoder")
	}
	d.ctx.flags |= C.AV_CODEC_FLAG_LOW_DELAY
	d.ctx.thread_count = 1
	d.ctx.max_pixels = maxPixels
	d.device.attach(d.ctx, codec, d.codec)
	if rc := C.avcodec_open2(d.ctx, codec, nil); rc < 0 {
		d.free()
		return fail("open decoder", rc)
	}
	return nil
}

func (d *Decoder) free() {
	C.avcodec_free_context(&d.ctx)
	C.av_packet_free(&d.pkt)
}

// Decode decodes one access unit. It returns the frames that are complete, in
// display order; usually one, none before the first key unit. A damaged unit
// gives an error, and frames that may rest on lost data are marked Damaged until
// the next key unit that is whole; the decoder goes on either way.
func (d *Decoder) Decode(u capture.Unit) ([]*Frame, error) {
	if d.ctx == nil {
		return nil, ErrClosed
	}
	if !d.synced && !u.Key {
		return nil, nil
	}
	var old []*Frame
	if u.Key {
		// libavcodec never shortens its delay again: another SPS, or a broken
		// one before, gets a fresh decoder.
		sps := u.Codec.Parameters(u.NALs).SPS()
		if d.codec != u.Codec || d.synced && (d.taint || !bytes.Equal(sps, d.sps)) {
			old, _ = d.renew(u.Codec)
			if d.ctx == nil {
				return old, errors.New("av: decoder could not be opened again")
			}
		}
		d.synced, d.taint, d.sps = true, u.Partial, bytes.Clone(sps)
	} else if u.Gap {
		d.taint = true
	}
	whole := !d.taint
	d.next++
	d.device.keep(u, d.next)
	frames, err := d.feed(u, d.next)
	if err != nil && whole && d.device.decodes(d.codec) {
		var more []*Frame
		more, err = d.fall(err)
		frames = append(frames, more...)
	}
	return append(old, frames...), err
}

// feed has the unit decoded under its ordinal.
func (d *Decoder) feed(u capture.Unit, n uint64) ([]*Frame, error) {
	if err := d.fill(u, n); err != nil {
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
	return d.renew(d.codec)
}

// renew empties the decoder and opens one of a codec.
func (d *Decoder) renew(codec capture.Codec) ([]*Frame, error) {
	whole := !d.taint
	frames, err := d.drain()
	if err != nil && whole && d.device.decodes(d.codec) {
		var more, rest []*Frame
		if more, err = d.fall(err); err == nil {
			rest, err = d.drain()
		}
		frames = append(append(frames, more...), rest...)
	}
	if d.ctx == nil {
		return frames, err
	}
	d.device.forget()
	clear(d.known)
	return frames, errors.Join(err, d.reopen(codec))
}

// drain gets what the decoder still holds.
func (d *Decoder) drain() ([]*Frame, error) {
	C.avcodec_send_packet(d.ctx, nil)
	return d.receive()
}

// reopen has a new decoder of libavcodec's take the place of the one before. Where that
// fails d is closed.
func (d *Decoder) reopen(codec capture.Codec) error {
	d.free()
	d.codec, d.synced, d.taint = codec, false, false
	err := d.open()
	if err != nil {
		d.gone()
	}
	return err
}

// Close frees the decoder. Frames that it gave out stay valid.
func (d *Decoder) Close() {
	if d.ctx == nil {
		return
	}
	d.free()
	d.gone()
}

// gone gives back what a decoder has besides libavcodec's.
func (d *Decoder) gone() {
	d.device.free()
	d.sws.release()
	live.Add(-1)
}

// fill puts the unit into the packet as Annex B and remembers its times, unless it is given
// again.
func (d *Decoder) fill(u capture.Unit, n uint64) error {
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
	if !d.device.again() {
		m := meta{pts: u.PTS, wall: u.Wall, n: u.N, taint: d.taint, key: u.Key, bytes: size}
		m.n = cmp.Or(m.n, n)
		d.known[n] = m
		delete(d.known, n-64) // both codecs reorder over 16 frames at most
	}
	d.pkt.pts, d.pkt.dts = C.int64_t(n), C.int64_t(n)
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
		if d.device.again() && !d.waits(f) {
			C.av_frame_free(&f)
			continue
		}
		fr, err := d.wrap(f)
		if err != nil {
			return out, err
		}
		out = append(out, fr)
	}
}

// waits reports whether nobody has got the frame yet.
func (d *Decoder) waits(f *C.AVFrame) bool {
	_, ok := d.known[uint64(f.pts)]
	return ok
}

// wrap takes f over. The times come back by the unit's ordinal, which libavcodec
// carries as pts through its reordering.
func (d *Decoder) wrap(f *C.AVFrame) (*Frame, error) {
	if f.decode_error_flags != 0 || f.flags&C.AV_FRAME_FLAG_CORRUPT != 0 {
		d.taint = true
	}
	f, err := d.device.bring(f)
	if err != nil {
		return nil, err
	}
	n := uint64(f.pts)
	m, ok := d.known[n]
	delete(d.known, n)
	damaged := m.taint || d.taint || !ok
	if f, err = d.sws.planar(f); err != nil {
		return nil, err
	}
	fr := newFrame(f, d.sws)
	fr.PTS, fr.Wall, fr.N, fr.Damaged, fr.Key, fr.Bytes = m.pts, m.wall, m.n, damaged, m.key, m.bytes
	return fr, nil
}
