package live

import (
	"strconv"
	"strings"
	"sync"

	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"vision/capture"
)

// track is one video section towards the viewer. Each packet goes in the codec that the
// camera has, as long as the viewer takes it: both were negotiated, and the payload type
// says which it is (RFC 3550 §5.1), so a section may go from one camera to another.
type track struct {
	id   string // of the camera
	slot int

	mu    sync.Mutex
	out   webrtc.TrackLocalWriter // nil: not bound
	ssrc  uint32
	seq   uint16 // of the newest packet: both codecs count on, or SRTP takes a step back for a replay
	types map[capture.Codec]uint8
}

// Bind implements webrtc.TrackLocal.
func (t *track) Bind(c webrtc.TrackLocalContext) (webrtc.RTPCodecParameters, error) {
	types := map[capture.Codec]uint8{}
	var first webrtc.RTPCodecParameters
	for _, p := range c.CodecParameters() {
		codec := capture.H264
		switch {
		case strings.EqualFold(p.MimeType, webrtc.MimeTypeH265):
			codec = capture.H265
		case !strings.EqualFold(p.MimeType, webrtc.MimeTypeH264):
			continue
		}
		if _, ok := types[codec]; ok {
			continue
		}
		types[codec] = uint8(p.PayloadType)
		if first.MimeType == "" || codec == capture.H264 && strings.EqualFold(first.MimeType, webrtc.MimeTypeH265) {
			first = p
		}
	}
	if len(types) == 0 {
		return first, webrtc.ErrUnsupportedCodec
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out, t.ssrc, t.types = c.WriteStream(), uint32(c.SSRC()), types
	return first, nil
}

// Unbind implements webrtc.TrackLocal.
func (t *track) Unbind(webrtc.TrackLocalContext) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out = nil
	return nil
}

// ID implements webrtc.TrackLocal. The same camera may be in several sections, and of two that
// name themselves alike (a=msid, RFC 8830) browsers take neither.
func (t *track) ID() string { return "video-" + strconv.Itoa(t.slot) }

// RID implements webrtc.TrackLocal.
func (t *track) RID() string { return "" }

// StreamID implements webrtc.TrackLocal.
func (t *track) StreamID() string { return t.id }

// Kind implements webrtc.TrackLocal.
func (t *track) Kind() webrtc.RTPCodecType { return webrtc.RTPCodecTypeVideo }

// write sends one packet and reports whether it could. Header and payload are kept for who
// asks for them again: they must not be written to afterwards.
func (t *track) write(codec capture.Codec, h *rtp.Header, payload []byte) bool {
	t.mu.Lock()
	out := t.out
	pt, ok := t.types[codec]
	if out == nil || !ok {
		t.mu.Unlock()
		return false
	}
	t.seq++
	h.SSRC, h.PayloadType, h.SequenceNumber = t.ssrc, pt, t.seq
	t.mu.Unlock()
	_, err := out.WriteRTP(h, payload)
	return err == nil
}
