package hostile

import (
	"bytes"
	"encoding/base64"
	"time"

	"github.com/pion/rtp"
)

// SDP describes the stream of a camera without a fault.
const SDP = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=live\r\nt=0 0\r\na=control:*\r\n" + video

// Parameter sets of a real camera, and of an encoder of H.265.
const (
	avcSPS, avcPPS = "Z0LAKNkAeAIn5YQAAAMABAAAAwDwPGDJIA==", "aAECAw=="
	vps, sps, pps  = "QAEMAf//AWAAAAMAkAAAAwAAAwA8lZgJ", "QgEBAWAAAAMAkAAAAwAAAwA8oAoIDBZZWaSTK8BaAgAAAwACAAADADIQ", "RAHBcrRiQA=="
)

// sdp265 describes a stream of H.265.
const sdp265 = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=live\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H265/90000\r\n" +
	"a=fmtp:96 sprop-vps=" + vps + "; sprop-sps=" + sps + "; sprop-pps=" + pps + "\r\na=control:track1\r\n"

const video = "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1;profile-level-id=42C028;sprop-parameter-sets=" + avcSPS + "," + avcPPS + "\r\na=control:track1\r\n"

// Slices is how many slices a picture has.
const Slices = 4

// sets are parameter sets as NAL units.
func sets(all ...string) (out [][]byte) {
	for _, s := range all {
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			panic(err)
		}
		out = append(out, b)
	}
	return out
}

// picture is one as NAL units; every fifth can be begun with: a key picture, or a
// recovery point where groups are open.
func (q Quirk) picture(n int) (out [][]byte) {
	head := []byte{0x41}
	switch begin := n%5 == 0 && !q.Keyless; {
	case q.HEVC > 0 && begin && q.Open:
		head, out = []byte{1 << 1, 1}, [][]byte{{39 << 1, 1, 6, 1, 0xd0, 0x80}}
	case q.HEVC > 0 && begin:
		head, out = []byte{byte(q.HEVC) << 1, 1}, sets(vps, sps, pps)
	case q.HEVC > 0:
		head = []byte{1 << 1, 1}
	case begin && q.Open:
		out = [][]byte{{6, 6, 1, 0xc4, 0x80}}
	case begin:
		head, out = []byte{0x65}, sets(avcSPS, avcPPS)
	}
	for i := range Slices {
		first := byte(0x80) // of the picture (first_mb_in_slice 0, first_slice_segment_in_pic_flag)
		if i > 0 {
			first = 0x40
		}
		nal := append(bytes.Clone(head), first|0x08, byte(n), byte(n>>8), byte(i))
		for len(nal) < 400 {
			nal = append(nal, byte(1+(len(nal)+n)%200))
		}
		out = append(out, nal)
	}
	return out
}

// payloads are of the packets of a NAL unit: itself, or its fragments (FU-A, RFC 6184
// §5.8) of so many bytes.
func (q Quirk) payloads(nal []byte) (out [][]byte) {
	if q.Fragment == 0 {
		return [][]byte{nal}
	}
	for rest, head := nal[1:], byte(0x80); ; head = 0 {
		n := min(q.Fragment, len(rest))
		if n == len(rest) {
			head |= 0x40
		}
		out = append(out, append([]byte{nal[0]&0xe0 | 28, head | nal[0]&0x1f}, rest[:n]...))
		if rest = rest[n:]; len(rest) == 0 {
			return out
		}
	}
}

// Packet is what is sent of a NAL unit.
type Packet struct {
	Picture, NAL, NALs int
	Marker             bool
	Timestamp          uint32
}

// play sends pictures until stop is closed or the connection ends.
func (s *session) play(stop chan struct{}) {
	t := time.NewTicker(20 * time.Millisecond)
	defer t.Stop()
	var seq uint16
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-t.C:
		}
		if s.Expires && time.Since(time.Unix(0, s.heard.Load())) > time.Duration(s.Timeout)*time.Second {
			s.conn.Close()
			return
		}
		if s.Silent {
			continue
		}
		if s.Between != nil && s.write(s.Between(s.Camera, n)) != nil {
			return
		}
		nals := s.picture(n)
		for i, nal := range nals {
			payloads := s.payloads(nal)
			for j, payload := range payloads {
				p := Packet{n, i, len(nals), i == len(nals)-1 && j == len(payloads)-1, uint32(n * 1800)}
				if s.Packet != nil {
					s.Packet(&p)
				}
				seq++
				b, err := (&rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: 96, SequenceNumber: seq, SSRC: 7,
					Timestamp: p.Timestamp, Marker: p.Marker}, Payload: payload}).Marshal()
				if err != nil || s.send(b) != nil {
					return
				}
			}
		}
		if s.Cut > 0 && n >= s.Cut {
			s.conn.Close()
			return
		}
	}
}

func (s *session) send(b []byte) error {
	if s.to == nil {
		return s.write(append([]byte{'$', byte(s.Channel), byte(len(b) >> 8), byte(len(b))}, b...))
	}
	from := s.udp[0]
	if s.OtherPort {
		from = s.udp[1]
	}
	_, err := from.WriteToUDP(b, s.to)
	return err
}
