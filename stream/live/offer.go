package live

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pion/sdp/v3"
	"github.com/pion/webrtc/v4"
)

// ErrOffer is wrapped by every error about a viewer's SDP.
var ErrOffer = errors.New("SDP offer")

// maxVideo bounds the cameras of one connection.
const maxVideo = 16

// offer is what matters of a viewer's SDP.
type offer struct {
	videos int                         // video sections that want to receive
	codecs []webrtc.RTPCodecParameters // H.264 with packetization-mode=1, in the viewer's order
	hevc   []webrtc.RTPCodecParameters // H.265, where every section has it
	sounds []webrtc.RTPCodecParameters // a format of each audio section
	raw    string                      // with a group in which all sections are
	lone   bool                        // the group is ours: the viewer offered one section and no group
}

// parseOffer reads a WHEP offer: recvonly video sections that understand H.264
// in packetization mode 1 (RFC 6184 §5.4), and perhaps a data channel and sound.
func parseOffer(raw string) (offer, error) {
	var d sdp.SessionDescription
	if err := d.UnmarshalString(raw); err != nil {
		return offer{}, fmt.Errorf("%w: %w", ErrOffer, err)
	}
	o := offer{raw: raw}
	for _, m := range d.MediaDescriptions {
		if m.MediaName.Media == "audio" {
			o.sounds = append(o.sounds, soundOf(m)...)
		}
		if m.MediaName.Media != "video" {
			continue
		}
		if _, sends := m.Attribute("sendonly"); sends {
			return offer{}, fmt.Errorf("%w: a video section is sendonly; a viewer offers recvonly", ErrOffer)
		}
		o.videos++
		codecs, hevc := videoOf(m)
		if len(codecs) == 0 {
			return offer{}, fmt.Errorf("%w: video section %d offers no H.264 with packetization-mode=1", ErrOffer, o.videos)
		}
		if o.codecs == nil {
			o.codecs, o.hevc = codecs, hevc
		}
		if len(hevc) == 0 {
			o.hevc = nil
		}
	}
	if o.videos == 0 || o.videos > maxVideo {
		return offer{}, fmt.Errorf("%w: %d video sections, want 1 to %d", ErrOffer, o.videos, maxVideo)
	}
	if err := o.bundle(&d); err != nil {
		return offer{}, err
	}
	return o, nil
}

// bundle puts all sections on one transport (RFC 9143), as they are here. A player with one
// section may omit the group (webrtcbin, unless its bundle-policy is max-bundle), but pion
// refuses sections without one.
func (o *offer) bundle(d *sdp.SessionDescription) error {
	var grouped []string
	for _, a := range d.Attributes {
		if tags, ok := strings.CutPrefix(a.Value, "BUNDLE "); ok && a.Key == sdp.AttrKeyGroup {
			grouped = strings.Fields(tags)
			break
		}
	}
	if len(grouped) == 0 && len(d.MediaDescriptions) == 1 {
		mid, _ := d.MediaDescriptions[0].Attribute(sdp.AttrKeyMID)
		raw, err := d.WithValueAttribute(sdp.AttrKeyGroup, "BUNDLE "+mid).Marshal()
		o.raw, o.lone = string(raw), true
		return err
	}
	for i, m := range d.MediaDescriptions {
		if mid, _ := m.Attribute(sdp.AttrKeyMID); !slices.Contains(grouped, mid) {
			return fmt.Errorf("%w: section %d is not in a=group:BUNDLE; all go over one transport: "+
				"set the bundle policy max-bundle", ErrOffer, i+1)
		}
	}
	return nil
}

// formatsOf are the codecs of a section, in the viewer's order.
func formatsOf(m *sdp.MediaDescription) (out []sdp.Codec) {
	alone := sdp.SessionDescription{MediaDescriptions: []*sdp.MediaDescription{m}} // others may number theirs alike
	codecs := alone.GetCodecMap()
	for _, f := range m.MediaName.Formats {
		pt, err := strconv.ParseUint(f, 10, 7)
		if c, ok := codecs[uint8(pt)]; ok && err == nil {
			out = append(out, c)
		}
	}
	return out
}

// soundOf is the first format of an audio section, or none. Cameras here have no sound: the
// section is answered as inactive and not refused, because it may be the one whose transport
// all sections share.
func soundOf(m *sdp.MediaDescription) []webrtc.RTPCodecParameters {
	formats := formatsOf(m)
	if len(formats) == 0 {
		return nil
	}
	f := formats[0]
	c := webrtc.RTPCodecParameters{PayloadType: webrtc.PayloadType(f.PayloadType)}
	c.MimeType, c.ClockRate = "audio/"+f.Name, f.ClockRate
	if n, err := strconv.ParseUint(f.EncodingParameters, 10, 16); err == nil {
		c.Channels = uint16(n)
	}
	return []webrtc.RTPCodecParameters{c}
}

// videoOf lists the usable formats of a section: H.264, and H.265 in one stream
// (RFC 7798 §7.1).
func videoOf(m *sdp.MediaDescription) (avc, hevc []webrtc.RTPCodecParameters) {
	for _, f := range formatsOf(m) {
		c := webrtc.RTPCodecParameters{
			PayloadType: webrtc.PayloadType(f.PayloadType),
			RTPCodecCapability: webrtc.RTPCodecCapability{
				ClockRate: f.ClockRate, SDPFmtpLine: f.Fmtp,
				RTCPFeedback: []webrtc.RTCPFeedback{{Type: "nack"}, {Type: "nack", Parameter: "pli"}, {Type: "ccm", Parameter: "fir"}},
			},
		}
		switch {
		case f.ClockRate != clock:
		case strings.EqualFold(f.Name, "H264") && parameter(f.Fmtp, "packetization-mode") == "1":
			c.MimeType = webrtc.MimeTypeH264
			avc = append(avc, c)
		case strings.EqualFold(f.Name, "H265") && !strings.Contains(f.Fmtp, "tx-mode=MR"):
			c.MimeType = webrtc.MimeTypeH265
			hevc = append(hevc, c)
		}
	}
	return avc, hevc
}

// parameter finds one value of a fmtp line.
func parameter(fmtp, name string) string {
	for p := range strings.SplitSeq(fmtp, ";") {
		if k, v, ok := strings.Cut(strings.TrimSpace(p), "="); ok && strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// order puts the formats first whose profile (RFC 6184 §8.1) is that of the
// stream, given by the three bytes after the SPS's first: browsers then choose a
// decoder that can. Others remain as a fallback: decoders read more than they announce.
func (o offer) order(sps []byte) []webrtc.RTPCodecParameters {
	if len(sps) < 4 {
		return slices.Concat(o.codecs, o.hevc)
	}
	var best, good, rest []webrtc.RTPCodecParameters
	for _, c := range o.codecs {
		id, err := strconv.ParseUint(parameter(c.SDPFmtpLine, "profile-level-id"), 16, 24)
		profile, constraints := byte(id>>16), byte(id>>8)
		switch {
		case err != nil:
			rest = append(rest, c)
		case sameProfile(profile, constraints, sps[1], sps[2]):
			best = append(best, c)
		case profile >= sps[1]:
			good = append(good, c)
		default:
			rest = append(rest, c)
		}
	}
	return slices.Concat(best, good, rest, o.hevc)
}

// sameProfile compares profile_idc and, for Baseline, whether it is constrained.
func sameProfile(p, pc, q, qc byte) bool {
	const baseline, constrained = 66, 0x40
	return p == q && (p != baseline || pc&constrained == qc&constrained)
}

// fragment is a trickle-ice SDP fragment (RFC 8840).
type fragment struct {
	ufrag      string
	candidates []webrtc.ICECandidateInit
}

// maxCandidates bounds what one PATCH may bring.
const maxCandidates = 64

// parseFragment reads the body of a PATCH request.
func parseFragment(raw string) (fragment, error) {
	var f fragment
	var mid *string
	var line *uint16
	for l := range strings.Lines(raw) {
		l = strings.TrimRight(l, "\r\n")
		key, value, _ := strings.Cut(l, ":")
		switch {
		case l == "" || key == "a=ice-pwd" || l == "a=end-of-candidates" || strings.HasPrefix(l, "a=ice-options") || strings.HasPrefix(l, "a=group"):
		case key == "a=ice-ufrag":
			f.ufrag = value
		case strings.HasPrefix(l, "m="):
			n := uint16(0)
			if line != nil {
				n = *line + 1
			}
			mid, line = nil, &n
		case key == "a=mid":
			mid = &value
		case key == "a=candidate":
			if len(f.candidates) == maxCandidates {
				return fragment{}, fmt.Errorf("%w: more than %d candidates", ErrOffer, maxCandidates)
			}
			f.candidates = append(f.candidates, webrtc.ICECandidateInit{Candidate: "candidate:" + value, SDPMid: mid, SDPMLineIndex: line})
		case len(l) < 2 || l[1] != '=':
			return fragment{}, fmt.Errorf("%w fragment: %q is no SDP line", ErrOffer, l)
		}
	}
	return f, nil
}
