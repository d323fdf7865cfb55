package rtsp

import (
	"errors"

	"github.com/bluenviron/gortsplib/v5/pkg/format/rtph264"

	"vision/capture"
	"vision/capture/h264"
)

// isPartial: more packets are to come, or the stream was joined in the middle.
func isPartial(err error) bool {
	return errors.Is(err, rtph264.ErrMorePacketsNeeded) || errors.Is(err, rtph264.ErrNonStartingPacketAndNoPrevious)
}

// assembler keeps the parameter sets and puts them before IDR pictures that come
// without.
type assembler struct{ sps, pps []byte }

// unit is false for a unit without a picture: cameras send parameter sets alone.
func (a *assembler) unit(nals [][]byte) (capture.Unit, bool) {
	var kept [][]byte
	picture := false
	for _, n := range nals {
		if len(n) == 0 {
			continue
		}
		kept = append(kept, n)
		t := h264.Type(n)
		picture = picture || t >= h264.TypeSlice && t <= h264.TypeIDR
	}
	sps, pps := h264.Params(kept)
	if sps != nil {
		a.sps = sps
	}
	if pps != nil {
		a.pps = pps
	}
	if !picture {
		return capture.Unit{}, false
	}
	u := capture.Unit{NALs: kept, Key: h264.Key(kept)}
	if !u.Key || sps != nil && pps != nil {
		return u, true
	}
	if a.sps == nil || a.pps == nil {
		return capture.Unit{}, false // not decodable
	}
	head := [][]byte{a.sps, a.pps}
	for _, n := range kept {
		if t := h264.Type(n); t != h264.TypeSPS && t != h264.TypePPS {
			head = append(head, n)
		}
	}
	u.NALs = head
	return u, true
}
