package hostile

import (
	"time"

	"github.com/pion/rtp"
)

// SDP describes the stream of a camera without a fault.
const SDP = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=live\r\nt=0 0\r\na=control:*\r\n" + video

const video = "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1;profile-level-id=42C028;sprop-parameter-sets=Z0LAKNkAeAIn5YQAAAMABAAAAwDwPGDJIA==,aAECAw==\r\na=control:track1\r\n"

// Slices is how many slices a picture has.
const Slices = 4

// parameters are SPS and PPS of a real camera.
var parameters = [][]byte{
	{
		0x67,
		0x42,
		0xc0,
		0x28,
		0xd9,
		0x00,
		0x78,
		0x02,
		0x27,
		0xe5,
		0x84,
		0x00,
		0x00,
		0x03,
		0x00,
		0x04,
		0x00,
		0x00,
		0x03,
		0x00,
		0xf0,
		0x3c,
		0x60,
		0xc9,
		0x20,
	},
	{0x68, 0x01, 0x02, 0x03},
}

// picture is one as NAL units; every fifth can be begun with: a key picture, or a
// recovery point where groups are open.
func picture(n int, open bool) (out [][]byte) {
	kind := byte(0x41)
	switch {
	case n%5 == 0 && open:
		out = [][]byte{{6, 6, 1, 0xc4, 0x80}}
	case n%5 == 0:
		kind, out = 0x65, append(out, parameters...)
	}
	for i := range Slices {
		first := byte(0x80) // first_mb_in_slice 0
		if i > 0 {
			first = 0x40
		}
		nal := []byte{kind, first | 0x08, byte(n), byte(n >> 8), byte(i)}
		for len(nal) < 400 {
			nal = append(nal, byte(1+(len(nal)+n)%200))
		}
		out = append(out, nal)
	}
	return out
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
		if s.Silent {
			continue
		}
		nals := picture(n, s.Open)
		for i, nal := range nals {
			p := Packet{n, i, len(nals), i == len(nals)-1, uint32(n * 1800)}
			if s.Packet != nil {
				s.Packet(&p)
			}
			seq++
			b, err := (&rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: 96, SequenceNumber: seq, SSRC: 7,
				Timestamp: p.Timestamp, Marker: p.Marker}, Payload: nal}).Marshal()
			if err != nil || s.send(b) != nil {
				return
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
		return s.write(append([]byte{'$', 0, byte(len(b) >> 8), byte(len(b))}, b...))
	}
	from := s.udp[0]
	if s.OtherPort {
		from = s.udp[1]
	}
	_, err := from.WriteToUDP(b, s.to)
	return err
}
