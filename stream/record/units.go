package record

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"

	"vision/capture"
)

// Units are the clip's pictures from its first key frame up to a time, in the order in which
// they are decoded.
func (c *Clip) Units(until time.Time) ([]capture.Unit, error) {
	raw, err := io.ReadAll(c)
	if err != nil {
		return nil, err
	}
	codec := capture.H264
	if bytes.Contains(raw[:min(len(raw), 4096)], []byte("hvc1")) { // moov comes first
		codec = capture.H265
	}
	var parts fmp4.Parts
	if err := parts.Unmarshal(raw); err != nil {
		return nil, fmt.Errorf("clip: %w", err)
	}
	var out []capture.Unit
	for _, p := range parts {
		for _, t := range p.Tracks {
			at := int64(t.BaseTime)
			for _, s := range t.Samples {
				pts := fromTicks(at + int64(s.PTSOffset))
				u := capture.Unit{Codec: codec, PTS: pts, Wall: c.Start.Add(pts), Key: !s.IsNonSyncSample}
				if c.Start.Add(fromTicks(at)).After(until) {
					return out, nil
				}
				if err := (*h264.AVCC)(&u.NALs).Unmarshal(s.Payload); err != nil { // H.265 is kept alike
					return nil, fmt.Errorf("clip: %w", err)
				}
				out, at = append(out, u), at+int64(s.Duration)
			}
		}
	}
	return out, nil
}
