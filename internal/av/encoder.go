package av

/*
#include <stdlib.h>
#include <string.h>
#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>

typedef struct {
	int w, h, fps, gop, threads;
	const char *rate, *quality; // "crf" or "qp" and its value; NULL with a bitrate
	int64_t bitrate;            // bit/s; 0 with a quality
} va_config;

static int va_encoder_open(AVCodecContext **out, const AVCodec *codec, va_config c) {
	AVCodecContext *ctx = avcodec_alloc_context3(codec);
	if (!ctx) return AVERROR(ENOMEM);
	ctx->width = c.w;
	ctx->height = c.h;
	ctx->pix_fmt = AV_PIX_FMT_YUV420P;
	ctx->time_base = (AVRational){1, 90000};
	ctx->framerate = (AVRational){c.fps, 1};
	ctx->gop_size = c.gop;
	ctx->max_b_frames = 0;
	ctx->thread_count = c.threads;
	// OpenCV's BGR to YUV is BT.601 of limited range: the stream says so.
	ctx->color_range = AVCOL_RANGE_MPEG;
	ctx->colorspace = AVCOL_SPC_SMPTE170M;
	ctx->color_primaries = AVCOL_PRI_SMPTE170M;
	ctx->color_trc = AVCOL_TRC_SMPTE170M;
	// A bitrate is held over every second, as cameras do.
	ctx->bit_rate = ctx->rc_max_rate = c.bitrate;
	ctx->rc_buffer_size = c.bitrate;
	void *o = ctx->priv_data;
	int rc;
	if ((rc = av_opt_set(o, "preset", "ultrafast", 0)) < 0 ||
	    (rc = av_opt_set(o, "tune", "zerolatency", 0)) < 0 ||
	    (rc = av_opt_set(o, "profile", "baseline", 0)) < 0 ||
	    (c.rate && (rc = av_opt_set(o, c.rate, c.quality, 0)) < 0) ||
	    (rc = av_opt_set(o, "forced-idr", "1", 0)) < 0 ||
	    (rc = av_opt_set(o, "x264-params", "repeat-headers=1:annexb=1:scenecut=0:open-gop=0", 0)) < 0 ||
	    (rc = avcodec_open2(ctx, codec, NULL)) < 0) {
		avcodec_free_context(&ctx);
		return rc;
	}
	*out = ctx;
	return 0;
}

// va_picture gives f a fresh buffer without padding: three planes one after
// another, as OpenCV lays I420 out.
static int va_picture(AVFrame *f, int w, int h) {
	av_frame_unref(f);
	int size = av_image_get_buffer_size(AV_PIX_FMT_YUV420P, w, h, 1);
	if (size < 0) return size;
	// The encoder's SIMD may read past the end.
	f->buf[0] = av_buffer_alloc(size + AV_INPUT_BUFFER_PADDING_SIZE);
	if (!f->buf[0]) return AVERROR(ENOMEM);
	f->width = w;
	f->height = h;
	f->format = AV_PIX_FMT_YUV420P;
	int rc = av_image_fill_arrays(f->data, f->linesize, f->buf[0]->data, AV_PIX_FMT_YUV420P, w, h, 1);
	return rc < 0 ? rc : size;
}
*/
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"strconv"
	"time"
	"unsafe"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"gocv.io/x/gocv"

	"vision/capture"
)

// EncoderOptions tune an Encoder; zero values take the defaults.
type EncoderOptions struct {
	GOP     int     // frames from one IDR to the next; default 2 seconds' worth
	CRF     float64 // x264's constant rate factor, 1 (best) to 51; default 23
	QP      int     // in place of CRF: one quantiser for all pictures, 1 to 51
	Bitrate int     // in place of either: bit/s that no second exceeds by much, 64,000 to 50,000,000
	Threads int     // default 1: a table is one of many
}

// Encoder makes H.264 of constrained baseline profile with libx264: no
// B-frames, no delay, SPS and PPS before every IDR, so that every browser plays it.
type Encoder struct {
	ctx   *C.AVCodecContext
	pkt   *C.AVPacket
	f     *C.AVFrame
	size  int // bytes of a picture
	w, h  int
	last  int64 // pts of the last picture in 1/90000 s
	count uint64
	force bool
	even  bool // one quantiser for all pictures: it does not matter which the encoder is shown
	gop   int
	since int // pictures since the last IDR, with it
	still still
}

// NewEncoder opens an encoder for pictures of w×h pixels (even, up to 8192) at
// about fps pictures a second.
func NewEncoder(w, h, fps int, o EncoderOptions) (*Encoder, error) {
	if w < 16 || h < 16 || w > 8192 || h > 8192 || w%2 != 0 || h%2 != 0 {
		return nil, fmt.Errorf("av: encode %d×%d: want even sides from 16 to 8192", w, h)
	}
	if fps < 1 || fps > 240 {
		return nil, fmt.Errorf("av: encode at %d fps: want 1 to 240", fps)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	name := C.CString("libx264")
	defer C.free(unsafe.Pointer(name))
	codec := C.avcodec_find_encoder_by_name(name)
	if codec == nil {
		return nil, errors.New("av: this FFmpeg has no libx264: install Debian's libavcodec-extra")
	}
	e := &Encoder{w: w, h: h, last: -1, even: o.QP > 0, gop: cmp.Or(o.GOP, 2*fps)}
	if err := e.open(codec, fps, o); err != nil {
		return nil, err
	}
	live.Add(1)
	return e, nil
}

// The bitrates that an encoder takes, bit/s.
const (
	minBitrate = 64_000
	maxBitrate = 50_000_000
)

// check tells what is wrong with the options.
func (o EncoderOptions) check() error {
	ways := 0
	for _, given := range []bool{o.CRF != 0, o.QP != 0, o.Bitrate != 0} {
		if given {
			ways++
		}
	}
	switch {
	case ways > 1:
		return fmt.Errorf("av: encoder options %+v: want CRF, QP or Bitrate, one of them", o)
	case o.CRF < 0 || o.CRF > 51 || o.QP < 0 || o.QP > 51:
		return fmt.Errorf("av: encoder options %+v: want CRF or QP from 1 to 51", o)
	case o.Bitrate != 0 && (o.Bitrate < minBitrate || o.Bitrate > maxBitrate):
		return fmt.Errorf("av: encoder options %+v: want a Bitrate from %d to %d bit/s", o, minBitrate, maxBitrate)
	case o.GOP < 0 || o.Threads < 0:
		return fmt.Errorf("av: encoder options %+v: want GOP and Threads not negative", o)
	}
	return nil
}

// rate is x264's option for a quality and its value; "" with a bitrate.
func (o EncoderOptions) rate() (option, value string) {
	switch {
	case o.Bitrate > 0:
		return "", ""
	case o.QP > 0:
		return "qp", strconv.Itoa(o.QP)
	}
	return "crf", strconv.FormatFloat(cmp.Or(o.CRF, 23), 'f', 2, 64)
}

func (e *Encoder) open(codec *C.AVCodec, fps int, o EncoderOptions) error {
	c := C.va_config{w: C.int(e.w), h: C.int(e.h), fps: C.int(fps), gop: C.int(e.gop),
		threads: C.int(max(o.Threads, 1)), bitrate: C.int64_t(o.Bitrate)}
	if option, value := o.rate(); option != "" {
		c.rate, c.quality = C.CString(option), C.CString(value)
		defer C.free(unsafe.Pointer(c.rate))
		defer C.free(unsafe.Pointer(c.quality))
	}
	if rc := C.va_encoder_open(&e.ctx, codec, c); rc < 0 {
		return fail(fmt.Sprintf("open encoder for %d×%d", e.w, e.h), rc)
	}
	e.pkt, e.f = C.av_packet_alloc(), C.av_frame_alloc()
	if e.pkt == nil || e.f == nil {
		e.free()
		return errors.New("av: no memory for an encoder")
	}
	return nil
}

// ForceKey makes the next picture an IDR.
func (e *Encoder) ForceKey() { e.force = true }

// Encode encodes one BGR picture (8UC3, the encoder's size) taken at pts. Times
// must rise; one that does not is moved 1/90000 s past the last one. Wall is left
// to the caller, who may say where the picture differs from the last one: the rest
// need not be converted.
func (e *Encoder) Encode(bgr gocv.Mat, pts time.Duration, changed ...image.Rectangle) (capture.Unit, error) {
	if e.ctx == nil {
		return capture.Unit{}, ErrClosed
	}
	if bgr.Ptr() == nil || bgr.Empty() || bgr.Type() != gocv.MatTypeCV8UC3 ||
		bgr.Cols() != e.w || bgr.Rows() != e.h {
		return capture.Unit{}, fmt.Errorf("av: encode: picture is %s, want %d×%d 8UC3", describe(bgr), e.w, e.h)
	}
	last := e.f.data[0]
	b, err := e.picture()
	if err != nil {
		return capture.Unit{}, err
	}
	if len(changed) > 0 && e.f.data[0] == last {
		for _, r := range changed {
			if err := e.patch(b, bgr, r); err != nil {
				return capture.Unit{}, err
			}
		}
		return e.encode(pts)
	}
	dst, err := gocv.NewMatFromBytes(e.h*3/2, e.w, gocv.MatTypeCV8UC1, b)
	if err != nil {
		return capture.Unit{}, fmt.Errorf("av: encode: %w", err)
	}
	defer dst.Close()
	gocv.CvtColor(bgr, &dst, gocv.ColorBGRToYUVI420) // dst already has the result's shape: written in place
	return e.encode(pts)
}

// patch converts a rectangle of the picture, grown to whole 2×2 blocks, into the last one, b.
func (e *Encoder) patch(b []byte, bgr gocv.Mat, r image.Rectangle) error {
	r = image.Rect(r.Min.X&^1, r.Min.Y&^1, (r.Max.X+1)&^1, (r.Max.Y+1)&^1).Intersect(image.Rect(0, 0, e.w, e.h))
	if r.Empty() {
		return nil
	}
	part, yuv := bgr.Region(r), gocv.NewMat()
	defer part.Close()
	defer yuv.Close()
	gocv.CvtColor(part, &yuv, gocv.ColorBGRToYUVI420)
	src, err := yuv.DataPtrUint8()
	if err != nil {
		return fmt.Errorf("av: encode: %w", err)
	}
	for _, k := range [3]int{1, 2, 2} { // brightness, and the colours at half the size
		w, stride := r.Dx()/k, e.w/k
		for row := range r.Dy() / k {
			copy(b[(r.Min.Y/k+row)*stride+r.Min.X/k:], src[row*w:(row+1)*w])
		}
		b, src = b[stride*e.h/k:], src[w*r.Dy()/k:]
	}
	return nil
}

// Again encodes the picture encoded last once more, as taken at pts, without converting it: for
// cameras at which nothing moves.
func (e *Encoder) Again(pts time.Duration) (capture.Unit, error) {
	if e.ctx == nil {
		return capture.Unit{}, ErrClosed
	}
	if e.f.buf[0] == nil {
		return capture.Unit{}, errors.New("av: encode again: no picture was encoded yet")
	}
	if !e.force && e.even && e.since < e.gop {
		if nals := e.still.again(); nals != nil {
			return e.unit(nals, e.time(pts), false), nil
		}
	}
	return e.encode(pts)
}

// EncodeI420 is Encode for planes.
func (e *Encoder) EncodeI420(p I420, pts time.Duration) (capture.Unit, error) {
	if e.ctx == nil {
		return capture.Unit{}, ErrClosed
	}
	if p.W != e.w || p.H != e.h || !holds(p.Y, p.StrideY, e.w, e.h) ||
		!holds(p.U, p.StrideU, e.w/2, e.h/2) || !holds(p.V, p.StrideV, e.w/2, e.h/2) {
		return capture.Unit{}, fmt.Errorf("av: encode: planes of %d×%d, want %d×%d", p.W, p.H, e.w, e.h)
	}
	b, err := e.picture()
	if err != nil {
		return capture.Unit{}, err
	}
	b = b[pack(b, p.Y, p.StrideY, e.w, e.h):]
	b = b[pack(b, p.U, p.StrideU, e.w/2, e.h/2):]
	pack(b, p.V, p.StrideV, e.w/2, e.h/2)
	return e.encode(pts)
}

// Close frees the encoder. It holds no pictures back, so none is lost.
func (e *Encoder) Close() {
	if e.ctx == nil {
		return
	}
	e.free()
	live.Add(-1)
}

func (e *Encoder) free() {
	C.avcodec_free_context(&e.ctx)
	C.av_packet_free(&e.pkt)
	C.av_frame_free(&e.f)
}

// picture is the memory of the next picture, I420 without padding.
func (e *Encoder) picture() ([]byte, error) {
	if e.f.buf[0] == nil || C.av_frame_is_writable(e.f) == 0 {
		rc := C.va_picture(e.f, C.int(e.w), C.int(e.h))
		if rc < 0 {
			return nil, fail("allocate picture", rc)
		}
		e.size = int(rc)
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(e.f.data[0])), e.size), nil
}

func (e *Encoder) encode(pts time.Duration) (capture.Unit, error) {
	e.f.pts = C.int64_t(e.time(pts))
	e.f.pict_type = C.AV_PICTURE_TYPE_NONE
	if e.force || e.still.inserted > 0 && e.since >= e.gop { // it does not know of all pictures
		e.f.pict_type, e.force = C.AV_PICTURE_TYPE_I, false
	}
	if rc := C.avcodec_send_frame(e.ctx, e.f); rc < 0 {
		return capture.Unit{}, fail("encode", rc)
	}
	if rc := C.avcodec_receive_packet(e.ctx, e.pkt); rc < 0 {
		return capture.Unit{}, fail("encode: no unit for a picture", rc)
	}
	defer C.av_packet_unref(e.pkt)
	var nals h264.AnnexB
	if err := nals.Unmarshal(C.GoBytes(unsafe.Pointer(e.pkt.data), e.pkt.size)); err != nil {
		return capture.Unit{}, fmt.Errorf("av: encode: %w", err)
	}
	key := e.pkt.flags&C.AV_PKT_FLAG_KEY != 0
	if e.even {
		e.still.pass(nals, key, uint32((e.w+15)/16*((e.h+15)/16)))
	}
	return e.unit(nals, e.last, key), nil
}

// time is the time of the next picture, 1/90000 s: x264 wants rising ones.
func (e *Encoder) time(pts time.Duration) int64 {
	e.last = max(e.last+1, int64(pts)*9/100_000)
	return e.last
}

func (e *Encoder) unit(nals [][]byte, at int64, key bool) capture.Unit {
	if e.count++; key {
		e.since = 0
	}
	e.since++
	return capture.Unit{NALs: nals, PTS: time.Duration(at) * 100_000 / 9, Key: key, N: e.count}
}

func holds(b []byte, stride, w, h int) bool { return stride >= w && len(b) >= stride*(h-1)+w }

func pack(dst, src []byte, stride, w, h int) int {
	for y := range h {
		copy(dst[y*w:(y+1)*w], src[y*stride:])
	}
	return w * h
}

func describe(m gocv.Mat) string {
	if m.Ptr() == nil || m.Empty() {
		return "empty"
	}
	return fmt.Sprintf("%d×%d type %d", m.Cols(), m.Rows(), m.Type())
}
