package rtsp

import (
	"errors"

	"github.com/bluenviron/gortsplib/v5/pkg/description"
	"github.com/bluenviron/gortsplib/v5/pkg/format"
	"github.com/bluenviron/gortsplib/v5/pkg/format/rtph264"
	"github.com/bluenviron/gortsplib/v5/pkg/format/rtph265"
	"github.com/pion/rtp"

	"vision/capture"
)

// decoder puts packets together to the NAL units of an access unit.
type decoder interface {
	Decode(*rtp.Packet) ([][]byte, error)
}

// video is the stream of a camera that is read: its H.264 where it offers several, which
// browsers play as it comes. nil where it offers none.
func video(d *description.Session) (*description.Media, format.Format, decoder, assembler, error) {
	var avc *format.H264
	if m := d.FindFormat(&avc); m != nil {
		dec, err := avc.CreateDecoder()
		return m, avc, dec, assembler{params: capture.Parameters{avc.SPS, avc.PPS}}, err
	}
	var hevc *format.H265
	if m := d.FindFormat(&hevc); m != nil {
		dec, err := hevc.CreateDecoder()
		return m, hevc, dec, assembler{codec: capture.H265, params: capture.Parameters{hevc.VPS, hevc.SPS, hevc.PPS}}, err
	}
	return nil, nil, nil, assembler{}, nil
}

// isPartial: more packets are to come, or the stream was joined in the middle.
func isPartial(err error) bool {
	return errors.Is(err, rtph264.ErrMorePacketsNeeded) || errors.Is(err, rtph264.ErrNonStartingPacketAndNoPrevious) ||
		errors.Is(err, rtph265.ErrMorePacketsNeeded) || errors.Is(err, rtph265.ErrNonStartingPacketAndNoPrevious)
}

// assembler keeps the parameter sets and puts them before key pictures that come
// without.
type assembler struct {
	codec  capture.Codec
	params capture.Parameters
}

// unit is false for a unit without a picture: cameras send parameter sets alone.
func (a *assembler) unit(nals [][]byte) (capture.Unit, bool) {
	var kept [][]byte
	picture := false
	for _, n := range nals {
		if len(n) == 0 {
			continue
		}
		kept = append(kept, n)
		picture = picture || a.codec.Picture(n)
	}
	own := a.codec.Parameters(kept)
	a.params = own.Or(a.params)
	if !picture {
		return capture.Unit{}, false
	}
	u := capture.Unit{NALs: kept, Codec: a.codec, Key: a.codec.Key(kept)}
	if !u.Key || own.Whole() {
		return u, true
	}
	if !a.params.Whole() {
		return capture.Unit{}, false // not decodable
	}
	u.NALs = a.params.Before(a.codec, kept)
	return u, true
}
