package record

import (
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h265"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"vision/capture"
)

// described is a stream as moov describes it: avc1, or hvc1 with its parameter sets
// (ISO/IEC 14496-15).
func described(c capture.Codec, p capture.Parameters) codecs.Codec {
	if c == capture.H265 {
		return &codecs.H265{VPS: p[0], SPS: p[1], PPS: p[2]}
	}
	return &codecs.H264{SPS: p[0], PPS: p[1]}
}

// decodeTimes works out when a unit is to be decoded from when it is shown: B-frames
// come later than pictures that are shown after them.
type decodeTimes interface {
	Extract(nals [][]byte, pts int64) (int64, error)
}

func newDecodeTimes(c capture.Codec) decodeTimes {
	if c == capture.H265 {
		var e h265.DTSExtractor
		e.Initialize()
		return &e
	}
	var e h264.DTSExtractor
	e.Initialize()
	return &e
}
