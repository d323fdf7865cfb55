package capture

import (
	"bytes"
	"slices"

	"vision/capture/h264"
	"vision/capture/h265"
)

// Codec is how a camera encodes.
type Codec uint8

// The codecs that are read, recorded and shown.
const (
	H264 Codec = iota
	H265
)

// coding is what a codec makes of NAL units.
type coding struct {
	name       string
	key        func(nals [][]byte) bool
	recovery   func(nals [][]byte) (pictures int, ok bool)
	slice      func(nal []byte) bool
	kind       func(nal []byte) int
	head       int   // bytes of a NAL unit before what is in it
	parameters []int // types of parameter set, in the order in which decoders want them
}

var codings = [...]coding{
	H264: {"H.264", h264.Key, h264.Recovery, h264.Slice, h264.Type, 1, []int{h264.TypeSPS, h264.TypePPS}},
	H265: {"H.265", h265.Key, h265.Recovery, h265.Slice, h265.Type, 2, []int{h265.TypeVPS, h265.TypeSPS, h265.TypePPS}},
}

func (c Codec) String() string { return codings[c].name }

// Key reports whether decoding can begin with these NAL units.
func (c Codec) Key(nals [][]byte) bool { return codings[c].key(nals) }

// Recovery finds a recovery point among NAL units: decoding can begin there too, and is
// right after so many pictures.
func (c Codec) Recovery(nals [][]byte) (pictures int, ok bool) { return codings[c].recovery(nals) }

// Picture reports whether a NAL unit is a part of a picture. Data partitions of H.264 are
// not: no decoder takes them, and the units of H.265 would pass for them.
func (c Codec) Picture(nal []byte) bool { return codings[c].slice(nal) }

// Begins reports whether the first part of a picture is among these NAL units:
// first_mb_in_slice is 0 (H.264 §7.4.3), first_slice_segment_in_pic_flag is set (H.265
// §7.4.7.1).
func (c Codec) Begins(nals [][]byte) bool {
	head := codings[c].head
	for _, n := range nals {
		if len(n) > head && c.Picture(n) {
			return n[head]&0x80 != 0
		}
	}
	return false
}

// Video is what a stream's parameter sets say about it.
type Video struct {
	Codec         Codec
	Width, Height int     // pixels
	FPS           float64 // 0 where it is not said
	Reorders      bool    // pictures may come in another order than they are shown (B-frames)
	Problem       error   // why browsers' WebRTC cannot play it as it comes; nil where nothing is known
}

// Inspect reads a sequence parameter set.
func (c Codec) Inspect(sps []byte) (Video, error) {
	if c == H265 {
		i, err := h265.Inspect(sps)
		v := Video{Codec: c, Width: i.Width, Height: i.Height, FPS: i.FPS, Reorders: i.Reorders}
		if i.Reorders {
			v.Problem = h264.ErrBFrames
		}
		return v, err
	}
	i, err := h264.Inspect(sps)
	return Video{c, i.Width, i.Height, i.FPS, i.Reorder == h264.ReorderYes, i.Unplayable()}, err
}

// Parameters are a stream's parameter sets: SPS and PPS of H.264; VPS, SPS and PPS of
// H.265. One that is not known is nil.
type Parameters [][]byte

// Parameters finds those of NAL units; the newest of each counts.
func (c Codec) Parameters(nals [][]byte) Parameters {
	of := &codings[c]
	out := make(Parameters, len(of.parameters))
	for _, n := range nals {
		if i := slices.Index(of.parameters, of.kind(n)); i >= 0 {
			out[i] = n
		}
	}
	return out
}

// SPS is the sequence parameter set, nil where it is not known.
func (p Parameters) SPS() []byte {
	if len(p) < 2 {
		return nil
	}
	return p[len(p)-2]
}

// Whole reports whether all are known.
func (p Parameters) Whole() bool {
	return len(p) > 0 && !slices.ContainsFunc(p, func(n []byte) bool { return n == nil })
}

// Or is p, with what q knows where p knows nothing.
func (p Parameters) Or(q Parameters) Parameters {
	out := make(Parameters, max(len(p), len(q)))
	copy(out, p)
	for i, n := range out {
		if n == nil && i < len(q) {
			out[i] = q[i]
		}
	}
	return out
}

// Equal reports whether both are the same.
func (p Parameters) Equal(q Parameters) bool { return slices.EqualFunc(p, q, bytes.Equal) }

// Before puts the parameter sets before NAL units, in the place of those among them.
func (p Parameters) Before(c Codec, nals [][]byte) [][]byte {
	of := &codings[c]
	own := func(n []byte) bool { return slices.Contains(of.parameters, of.kind(n)) }
	return append(slices.Clone([][]byte(p)), slices.DeleteFunc(slices.Clone(nals), own)...)
}
