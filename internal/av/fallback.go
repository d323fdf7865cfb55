package av

/*
#include <stdlib.h>
#include <libavcodec/avcodec.h>
#include <libavutil/hwcontext.h>
#include <libavutil/pixdesc.h>

// va_wish is what a decoder is to give: pictures in the memory of a device.
typedef struct {
	enum AVPixelFormat want;
	int refused; // libavcodec does not offer it for this stream
} va_wish;

static enum AVPixelFormat va_get_format(AVCodecContext *ctx, const enum AVPixelFormat *offered) {
	va_wish *w = ctx->opaque;
	enum AVPixelFormat plain = AV_PIX_FMT_NONE;
	for (; *offered != AV_PIX_FMT_NONE; offered++) {
		if (*offered == w->want) return *offered;
		const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(*offered);
		if (d && !(d->flags & AV_PIX_FMT_FLAG_HWACCEL)) plain = *offered;
	}
	w->refused = 1;
	return plain;
}

// va_attach has ctx, which is not open yet, decode on a device.
static int va_attach(AVCodecContext *ctx, const AVCodec *codec, AVBufferRef *dev, va_wish *w) {
	enum AVHWDeviceType type = ((AVHWDeviceContext *)dev->data)->type;
	const AVCodecHWConfig *c;
	for (int i = 0; (c = avcodec_get_hw_config(codec, i)); i++)
		if (c->device_type == type && c->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) break;
	if (!c) return AVERROR(ENOSYS);
	if (!(ctx->hw_device_ctx = av_buffer_ref(dev))) return AVERROR(ENOMEM);
	w->want = c->pix_fmt;
	w->refused = 0;
	ctx->opaque = w;
	ctx->get_format = va_get_format;
	return 0;
}

// va_fetch copies f, which is in a device's memory, into this machine's.
static int va_fetch(const AVFrame *f, AVFrame *out) {
	int rc = av_hwframe_transfer_data(out, f, 0);
	return rc < 0 ? rc : av_frame_copy_props(out, f);
}
*/
import "C"

import (
	"errors"
	"unsafe"

	"vision/capture"
	"vision/internal/decoder"
)

// What is kept of a stream that a device decodes, so that the processor can go on in the
// middle: what came since the last key unit, unless that is more than this.
const (
	groupUnits = 600
	groupBytes = 32 << 20
)

// errRefused: the driver, or libavcodec, does not decode such a stream on the device.
var errRefused = errors.New("av: the device does not decode a stream of this profile or size")

// device is a decoder's use of a Device. A nil one is the processor.
type device struct {
	*Device
	wish   *C.va_wish
	fell   error  // why the processor decodes after all
	group  []unit // since the last key unit; none when they were too many
	bytes  int    // of the group
	replay bool   // the group is given again: pictures that had come out do not come anew
}

// unit is an access unit and its ordinal.
type unit struct {
	capture.Unit
	n uint64
}

func using(dev *Device) *device {
	if dev == nil {
		return nil
	}
	return &device{Device: dev, wish: (*C.va_wish)(C.calloc(1, C.sizeof_va_wish))}
}

func (d *device) free() {
	if d != nil {
		C.free(unsafe.Pointer(d.wish))
		d.wish = nil
	}
}

// decodes reports whether the device decodes streams of a codec, as far as is known.
func (d *device) decodes(codec capture.Codec) bool {
	return d != nil && d.fell == nil && d.cannot[codec] == nil && d.wish.refused == 0
}

// attach has ctx, which is not open yet, decode on the device if that can.
func (d *device) attach(ctx *C.AVCodecContext, codec *C.AVCodec, of capture.Codec) {
	if d == nil || d.fell != nil || d.cannot[of] != nil || d.ref == nil {
		return
	}
	if rc := C.va_attach(ctx, codec, d.ref, d.wish); rc < 0 {
		d.fell = fail("decode on "+d.choice.String(), rc)
	}
}

// bring takes f over and returns it in this machine's memory.
func (d *device) bring(f *C.AVFrame) (*C.AVFrame, error) {
	if d == nil {
		return f, nil
	}
	if d.fetch != nil && d.fell == nil {
		if err := d.fetch(); err != nil {
			C.av_frame_free(&f)
			return nil, err
		}
	}
	if f.hw_frames_ctx == nil {
		return f, nil
	}
	defer C.av_frame_free(&f)
	out := C.av_frame_alloc()
	if out == nil {
		return nil, errors.New("av: no memory for a frame")
	}
	if rc := C.va_fetch(f, out); rc < 0 {
		C.av_frame_free(&out)
		return nil, fail("fetch a picture from "+d.choice.String(), rc)
	}
	return out, nil
}

// keep remembers a unit that is about to be decoded.
func (d *device) keep(u capture.Unit, n uint64) {
	if d == nil || d.fell != nil || d.wish.refused != 0 {
		return
	}
	if u.Key {
		d.forget()
	} else if len(d.group) == 0 {
		return // there were too many
	}
	d.group = append(d.group, unit{u, n})
	for _, nal := range u.NALs {
		d.bytes += len(nal)
	}
	if len(d.group) > groupUnits || d.bytes > groupBytes {
		d.forget()
	}
}

func (d *device) forget() {
	if d != nil {
		clear(d.group)
		d.group, d.bytes = d.group[:0], 0
	}
}

// again reports whether units are given again.
func (d *device) again() bool { return d != nil && d.replay }

// By says who decodes at present, and why the processor does where a device was to.
func (d *Decoder) By() (by decoder.Choice, why error) {
	by = decoder.Choice{Kind: decoder.Software}
	switch dev := d.device; {
	case dev == nil || d.ctx == nil:
		return by, nil
	case dev.fell != nil:
		return by, dev.fell
	case dev.cannot[d.codec] != nil:
		return by, dev.cannot[d.codec]
	case dev.wish.refused != 0:
		return by, errRefused
	}
	return d.device.choice, nil
}

// fall has the processor go on where the device failed, from the last key unit: what had
// come out does not come again, and nothing is missing. Where the group is not there any
// more it goes on with the next key unit. Where the processor fails as well it was the
// stream's fault, and the device is given the next key unit.
func (d *Decoder) fall(why error) ([]*Frame, error) {
	dev := d.device
	group := dev.group
	dev.group, dev.bytes, dev.fell = nil, 0, why
	if err := d.reopen(d.codec); err != nil || len(group) == 0 {
		return nil, errors.Join(why, err)
	}
	d.synced, dev.replay = true, true
	defer func() { dev.replay = false }()
	var out []*Frame
	var last error
	for _, u := range group {
		frames, err := d.feed(u.Unit, u.n)
		out, last = append(out, frames...), err
	}
	if last != nil {
		dev.fell, d.taint = nil, true
	}
	return out, last
}
