package rtsp

import (
	"encoding/binary"

	"vision/capture"
	"vision/capture/h265"
)

// part is what of a picture a packet begins with.
type part int

const (
	noPart    part = iota // parameter sets, messages
	firstPart             // the first slice of a picture
	laterPart             // another slice, or the rest of one
)

// Payloads that are no single NAL unit (RFC 6184 §5.2, RFC 7798 §4.4).
const (
	stapA, fuA = 24, 28 // H.264
	ap, fu     = 48, 49 // H.265
)

// partOf says it of a packet's payload.
func partOf(c capture.Codec, payload []byte) part {
	if c == capture.H265 {
		switch h265.Type(payload) {
		case ap:
			return partOfAll(c, payload[2:])
		case fu:
			if len(payload) < 4 {
				return noPart
			}
			return partOfFragment(c, payload[2], []byte{payload[0]&0x81 | payload[2]&0x3f<<1, payload[1], payload[3]})
		}
		return partOfNAL(c, payload)
	}
	switch {
	case len(payload) == 0:
		return noPart
	case payload[0]&0x1f == stapA:
		return partOfAll(c, payload[1:])
	case payload[0]&0x1f == fuA:
		if len(payload) < 3 {
			return noPart
		}
		return partOfFragment(c, payload[1], []byte{payload[0]&0xe0 | payload[1]&0x1f, payload[2]})
	}
	return partOfNAL(c, payload)
}

// partOfFragment is of a fragment with this header; nal is the NAL unit's beginning, if
// it is the first.
func partOfFragment(c capture.Codec, header byte, nal []byte) part {
	p := partOfNAL(c, nal)
	if header&0x80 == 0 && p == firstPart {
		return laterPart
	}
	return p
}

// partOfAll is of NAL units with their sizes: of the first slice among them.
func partOfAll(c capture.Codec, b []byte) part {
	for len(b) > 2 {
		n := min(int(binary.BigEndian.Uint16(b)), len(b)-2)
		if p := partOfNAL(c, b[2:2+n]); p != noPart {
			return p
		}
		b = b[2+n:]
	}
	return noPart
}

func partOfNAL(c capture.Codec, nal []byte) part {
	switch {
	case len(nal) == 0 || !c.Picture(nal):
		return noPart
	case c.Begins([][]byte{nal}):
		return firstPart
	}
	return laterPart
}
