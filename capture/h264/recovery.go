package h264

import (
	"github.com/bluenviron/mediacommon/v2/pkg/bits"
	codec "github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
)

// TypeSEI is the type of supplemental enhancement information.
const TypeSEI = 6

// recoveryPoint is the payload type of a recovery point (D.2.1; in H.265 as well).
const recoveryPoint = 6

// Recovery finds a recovery point (D.2.8) in a unit: decoding can begin there, and is
// right after so many pictures: 0 for an open group, more for gradual refresh.
func Recovery(nals [][]byte) (pictures int, ok bool) {
	for _, n := range nals {
		if Type(n) != TypeSEI {
			continue
		}
		if p, ok := Message(codec.EmulationPreventionRemove(n)[1:], recoveryPoint); ok {
			pos := 0
			if v, err := bits.ReadGolombUnsigned(p, &pos); err == nil && v < 1<<16 { // less than MaxFrameNum (7.4.2.1.1)
				return int(v), true
			}
		}
	}
	return 0, false
}

// Message finds an SEI message of a type (7.3.2.3.1) in a NAL unit's content.
func Message(b []byte, want int) ([]byte, bool) {
	number := func() (n int) {
		for len(b) > 0 {
			c := b[0]
			b = b[1:]
			if n += int(c); c != 0xff {
				break
			}
		}
		return n
	}
	for len(b) > 1 && b[0] != 0x80 { // rbsp_trailing_bits
		kind, size := number(), number()
		if size > len(b) {
			return nil, false
		}
		if kind == want {
			return b[:size], true
		}
		b = b[size:]
	}
	return nil, false
}
