package av

/*
#include <stdlib.h>
#include <libavutil/hwcontext.h>
*/
import "C"

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"vision/capture"
	"vision/capture/h264"
	"vision/capture/h265"
	"vision/internal/decoder"
)

// Device is a decoder in hardware that libavcodec reaches: VA-API's or NVIDIA's. Several
// decoders may use it at once. A nil Device is the processor.
type Device struct {
	choice decoder.Choice
	ref    *C.AVBufferRef          // nil: a stand-in of tests, whose pictures the processor decodes
	cannot map[capture.Codec]error // codecs that it does not decode, and why
	fetch  func() error            // before a picture is fetched; nil but in tests
}

// OpenDevice opens what c asks for, which is of a kind in hardware, and has it decode a
// few pictures of both codecs: they have to be the processor's to the bit, as both
// standards want it (ITU-T H.264 and H.265, conformance of decoders). It fails where it
// decodes neither codec so. It asks the devices one after the other where c names none.
func OpenDevice(c decoder.Choice) (*Device, error) {
	if !c.InHardware() {
		return nil, fmt.Errorf("av: %v is no decoder in hardware", c)
	}
	tries := []string{c.Device}
	if c.Kind == decoder.VAAPI {
		if tries = c.Files(); len(tries) == 0 {
			return nil, fmt.Errorf("av: %v: this machine has no such device file", c)
		}
	}
	var errs []error
	for _, device := range tries {
		d, err := open(decoder.Choice{Kind: c.Kind, Device: device})
		if err == nil {
			err = d.try()
		}
		if err == nil {
			return d, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// open opens one device.
func open(c decoder.Choice) (*Device, error) {
	kind := C.enum_AVHWDeviceType(C.AV_HWDEVICE_TYPE_VAAPI)
	if c.Kind == decoder.CUDA {
		kind = C.AV_HWDEVICE_TYPE_CUDA
	}
	var name *C.char
	if c.Device != "" {
		name = C.CString(c.Device)
		defer C.free(unsafe.Pointer(name))
	}
	d := &Device{choice: c, cannot: map[capture.Codec]error{}}
	if rc := C.av_hwdevice_ctx_create(&d.ref, kind, name, nil, 0); rc < 0 {
		return nil, fail("open "+c.String(), rc)
	}
	live.Add(1)
	return d, nil
}

// Failed stands for a device that could not be opened: the processor decodes, and By says why.
func Failed(c decoder.Choice, why error) *Device {
	return &Device{choice: c, cannot: map[capture.Codec]error{capture.H264: why, capture.H265: why}}
}

// Decodes reports whether the device decodes one of the codecs.
func (d *Device) Decodes() bool { return len(d.cannot) < 2 }

// Cannot says why the processor decodes a codec nonetheless.
func (d *Device) Cannot() (out []string) {
	for _, codec := range []capture.Codec{capture.H264, capture.H265} {
		if err := d.cannot[codec]; err != nil && !slices.Contains(out, err.Error()) {
			out = append(out, err.Error())
		}
	}
	return out
}

// Choice names the device.
func (d *Device) Choice() decoder.Choice { return d.choice }

// Close lets the device go; decoders that use it still do.
func (d *Device) Close() {
	if d == nil || d.ref == nil {
		return
	}
	C.av_buffer_unref(&d.ref)
	live.Add(-1)
}

// NewDecoder opens a decoder of one thread on the device, or of the processor where the
// device does not decode a stream, or no longer: By says which.
func (d *Device) NewDecoder() (*Decoder, error) { return newDecoder(d) }

// A few pictures of 320×256: ffmpeg's testsrc2, a key picture and four that rest on others.
var (
	//go:embed trial.h264
	trialH264 []byte
	//go:embed trial.h265
	trialH265 []byte
)

// try decodes the trials. It closes d where none of them comes out right.
func (d *Device) try() error {
	for codec, stream := range map[capture.Codec][]byte{capture.H264: trialH264, capture.H265: trialH265} {
		if err := d.same(trial(codec, stream)); err != nil {
			d.cannot[codec] = fmt.Errorf("av: %v does not decode %v: %w", d.choice, codec, err)
		}
	}
	if d.Decodes() {
		return nil
	}
	d.Close()
	return errors.Join(d.cannot[capture.H264], d.cannot[capture.H265])
}

// trial cuts a stream into units at its access unit delimiters.
func trial(codec capture.Codec, stream []byte) (out []capture.Unit) {
	nals, _ := h264.Split(stream) // of both codecs; ours is whole
	for _, n := range nals {
		if codec == capture.H264 && h264.Type(n) == h264.TypeAUD || codec == capture.H265 && h265.Type(n) == h265.TypeAUD {
			out = append(out, capture.Unit{Codec: codec})
			continue
		}
		u := &out[len(out)-1]
		u.NALs = append(u.NALs, n)
		u.Key = codec.Key(u.NALs)
	}
	return out
}

// errDiffers: pictures are not those of the standard.
var errDiffers = errors.New("its pictures are not right")

// same reports whether the device decodes the units as the processor does.
func (d *Device) same(units []capture.Unit) error {
	soft, _, err := pictures(nil, units)
	if err != nil {
		return err
	}
	hard, why, err := pictures(d, units)
	switch {
	case err != nil:
		return err
	case why != nil:
		return why
	case !bytes.Equal(soft, hard):
		return errDiffers
	}
	return nil
}

// pictures are all planes of all pictures one after the other, and why the processor made
// them if it was to be the device.
func pictures(d *Device, units []capture.Unit) (out []byte, why error, err error) {
	dec, err := newDecoder(d)
	if err != nil {
		return nil, nil, err
	}
	defer dec.Close()
	var frames []*Frame
	defer func() {
		for _, f := range frames {
			f.Close()
		}
	}()
	for _, u := range units {
		more, err := dec.Decode(u)
		frames = append(frames, more...)
		if err != nil {
			return nil, nil, err
		}
	}
	_, why = dec.By()
	more, err := dec.Flush()
	frames = append(frames, more...)
	if err == nil && len(frames) != len(units) {
		err = fmt.Errorf("av: %d pictures of %d units", len(frames), len(units))
	}
	for _, f := range frames {
		out = f.I420().appendTo(out)
	}
	return out, why, err
}

// appendTo appends the planes without what lies between their rows.
func (p I420) appendTo(b []byte) []byte {
	rows := func(plane []byte, stride, w, h int) {
		for y := range h {
			b = append(b, plane[y*stride:y*stride+w]...)
		}
	}
	rows(p.Y, p.StrideY, p.W, p.H)
	rows(p.U, p.StrideU, (p.W+1)/2, (p.H+1)/2)
	rows(p.V, p.StrideV, (p.W+1)/2, (p.H+1)/2)
	return b
}
