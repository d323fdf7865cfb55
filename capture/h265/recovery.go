package h265

import (
	"github.com/bluenviron/mediacommon/v2/pkg/bits"
	h264codec "github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"

	"vision/capture/h264"
)

// TypeSEI is the type of supplemental enhancement information before its picture.
const TypeSEI = 39

// recoveryPoint is the payload type of a recovery point (D.2.1).
const recoveryPoint = 6

// Recovery finds a recovery point (D.3.8) in a unit: decoding can begin there, and is
// right after so many pictures; see h264.Recovery.
func Recovery(nals [][]byte) (pictures int, ok bool) {
	for _, n := range nals {
		if Type(n) != TypeSEI || !base(n) {
			continue
		}
		if p, ok := h264.Message(h264codec.EmulationPreventionRemove(n)[2:], recoveryPoint); ok {
			pos := 0
			if v, err := bits.ReadGolombSigned(p, &pos); err == nil && v >= -1<<15 && v < 1<<15 {
				return max(int(v), 0), true
			}
		}
	}
	return 0, false
}
