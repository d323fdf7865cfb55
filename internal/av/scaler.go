package av

/*
#include <libavutil/frame.h>
#include <libavutil/mem.h>
#include <libswscale/swscale.h>
#include <string.h>

// va_cspace is the matrix of swscale for a frame; an unmarked picture of 720
// lines or more is BT.709, as players take it.
static int va_cspace(const AVFrame *f) {
	switch (f->colorspace) {
	case AVCOL_SPC_BT709: return SWS_CS_ITU709;
	case AVCOL_SPC_BT470BG:
	case AVCOL_SPC_SMPTE170M: return SWS_CS_ITU601;
	case AVCOL_SPC_SMPTE240M: return SWS_CS_SMPTE240M;
	case AVCOL_SPC_BT2020_NCL:
	case AVCOL_SPC_BT2020_CL: return SWS_CS_BT2020;
	default: return f->height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
	}
}

static int va_full(const AVFrame *f) {
	return f->color_range == AVCOL_RANGE_JPEG || f->format == AV_PIX_FMT_YUVJ420P;
}

// va_bgr writes f into dst, 3·w·h bytes. swscale's SIMD may write past the end of
// a row: where the width is not a round one it goes through *pad.
static int va_bgr(struct SwsContext **ctx, uint8_t **pad, unsigned *padsize, const AVFrame *f, uint8_t *dst) {
	// The J formats are the plain ones with full range, which is set below.
	int fmt = f->format == AV_PIX_FMT_YUVJ420P ? AV_PIX_FMT_YUV420P : f->format;
	*ctx = sws_getCachedContext(*ctx, f->width, f->height, fmt,
		f->width, f->height, AV_PIX_FMT_BGR24, SWS_POINT, NULL, NULL, NULL);
	if (!*ctx) return AVERROR(EINVAL);
	const int *in = sws_getCoefficients(va_cspace(f));
	int *a, *b, r0, r1, br, co, sa;
	sws_getColorspaceDetails(*ctx, &a, &r0, &b, &r1, &br, &co, &sa);
	if (r0 != va_full(f) || r1 != 1 || memcmp(a, in, 4 * sizeof(int)))
		sws_setColorspaceDetails(*ctx, in, va_full(f), b, 1, 0, 1 << 16, 1 << 16);
	int row = 3 * f->width, direct = f->width % 32 == 0 && f->height % 2 == 0;
	int step = direct ? row : (row + 63) / 64 * 64 + 64;
	if (!direct) {
		av_fast_malloc(pad, padsize, (size_t)step * (f->height + 1));
		if (!*pad) return AVERROR(ENOMEM);
	}
	uint8_t *out[4] = {direct ? dst : *pad, NULL, NULL, NULL};
	int stride[4] = {step, 0, 0, 0};
	int rc = sws_scale(*ctx, (const uint8_t *const *)f->data, f->linesize, 0, f->height, out, stride);
	if (rc != f->height) return rc < 0 ? rc : AVERROR(EINVAL);
	if (!direct)
		for (int y = 0; y < f->height; y++) memcpy(dst + (size_t)y * row, *pad + (size_t)y * step, row);
	return 0;
}

static int va_planar(struct SwsContext **ctx, const AVFrame *f, AVFrame *out) {
	out->width = f->width;
	out->height = f->height;
	out->format = AV_PIX_FMT_YUV420P;
	int rc = av_frame_get_buffer(out, 0);
	if (rc < 0) return rc;
	if ((rc = av_frame_copy_props(out, f)) < 0) return rc;
	*ctx = sws_getCachedContext(*ctx, f->width, f->height, f->format,
		f->width, f->height, AV_PIX_FMT_YUV420P, SWS_BILINEAR, NULL, NULL, NULL);
	if (!*ctx) return AVERROR(EINVAL);
	rc = sws_scale(*ctx, (const uint8_t *const *)f->data, f->linesize, 0, f->height, out->data, out->linesize);
	return rc < 0 ? rc : 0;
}
*/
import "C"

import (
	"errors"
	"sync"
	"unsafe"
)

// scaler converts pixels. It is shared by a decoder and its frames, and goes
// with the last of them.
type scaler struct {
	mu      sync.Mutex
	refs    int
	toBGR   *C.struct_SwsContext
	toPlane *C.struct_SwsContext
	pad     *C.uint8_t
	padSize C.uint
}

func newScaler() *scaler { return &scaler{refs: 1} }

func (s *scaler) retain() {
	s.mu.Lock()
	s.refs++
	s.mu.Unlock()
}

func (s *scaler) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refs--; s.refs == 0 {
		C.sws_freeContext(s.toBGR)
		C.sws_freeContext(s.toPlane)
		C.av_free(unsafe.Pointer(s.pad))
		s.toBGR, s.toPlane, s.pad = nil, nil, nil
	}
}

// full reports whether black is 0 and white 255, not 16 and 235.
func (f *Frame) full() bool { return C.va_full(f.f) != 0 }

// bgr writes f into b, 3·W·H bytes.
func (s *scaler) bgr(f *C.AVFrame, b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rc := C.va_bgr(&s.toBGR, &s.pad, &s.padSize, f, (*C.uint8_t)(unsafe.Pointer(&b[0]))); rc < 0 {
		return fail("convert to BGR", rc)
	}
	return nil
}

// planar takes f over and returns it as 8-bit 4:2:0, converted where it is not.
func (s *scaler) planar(f *C.AVFrame) (*C.AVFrame, error) {
	if f.format == C.AV_PIX_FMT_YUV420P || f.format == C.AV_PIX_FMT_YUVJ420P {
		return f, nil
	}
	defer C.av_frame_free(&f)
	out := C.av_frame_alloc()
	if out == nil {
		return nil, errors.New("av: no memory for a frame")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if rc := C.va_planar(&s.toPlane, f, out); rc < 0 {
		C.av_frame_free(&out)
		return nil, fail("convert to 4:2:0", rc)
	}
	return out, nil
}
