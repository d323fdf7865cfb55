package av

import (
	"github.com/bluenviron/mediacommon/v2/pkg/bits"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
)

// still repeats pictures without the encoder. Once it has found nothing to change in a picture, all of
// whose macroblocks it skipped, it would find nothing the next time: what it said is said again
// under the next number, and what it encodes afterwards is numbered on from there. To a decoder the
// stream is the one that the encoder would have made, to the bit.
type still struct {
	on       bool   // pictures can be repeated so in the stream
	number   int    // bits of a picture's number
	said     []byte // the last slice, unescaped, if it skipped all macroblocks
	at       int    // where its number is, bits
	last     uint64 // number of the last picture as sent
	inserted uint64 // pictures said since the last IDR that the encoder does not know of
}

// header is what begins a slice.
type header struct {
	at     int // of the number, bits
	number uint64
	after  int // what follows it
}

// begin looks at the stream's parameters, which come with every IDR.
func (s *still) begin(nals [][]byte) {
	for _, n := range nals {
		if h264.NALUType(n[0]&0x1f) != h264.NALUTypeSPS {
			continue
		}
		var sps h264.SPS
		s.on = sps.Unmarshal(n) == nil && sps.PicOrderCntType == 2 && sps.FrameMbsOnlyFlag
		s.number = int(sps.Log2MaxFrameNumMinus4) + 4
	}
	s.said, s.last, s.inserted = nil, 0, 0
}

// pass takes note of what the encoder made of a picture of so many macroblocks, and numbers it on.
func (s *still) pass(nals [][]byte, key bool, blocks uint32) {
	if key {
		s.begin(nals)
		return
	}
	s.said = nil
	if !s.on {
		return
	}
	for i, n := range nals {
		if h264.NALUType(n[0]&0x1f) != h264.NALUTypeNonIDR {
			continue
		}
		rbsp := h264.EmulationPreventionRemove(n)
		h, ok := s.header(rbsp)
		if !ok {
			continue
		}
		s.last = h.number
		if s.inserted > 0 {
			s.last = s.renumber(rbsp, h.at, h.number+s.inserted)
			nals[i] = escape(rbsp)
		}
		if len(nals) == 1 && skipsAll(rbsp, h.after, blocks) {
			s.said, s.at = rbsp, h.at
		}
	}
}

// again is another picture like the last one; nil where the encoder has to say it.
func (s *still) again() [][]byte {
	if s.said == nil {
		return nil
	}
	s.last = s.renumber(s.said, s.at, s.last+1)
	s.inserted++
	return [][]byte{escape(s.said)}
}

// header reads the beginning of a slice, up to its picture's number.
func (s *still) header(rbsp []byte) (h header, ok bool) {
	pos := 8
	for range 3 { // first macroblock, kind of slice, parameters
		if _, err := bits.ReadGolombUnsigned(rbsp, &pos); err != nil {
			return h, false
		}
	}
	h.at = pos
	n, err := bits.ReadBits(rbsp, &pos, s.number)
	return header{h.at, n, pos}, err == nil
}

// renumber writes the number of a slice's picture and gives what was written.
func (s *still) renumber(rbsp []byte, at int, n uint64) uint64 {
	n &= 1<<s.number - 1
	for k := range s.number {
		i, bit := at+k, byte(n>>(s.number-1-k))&1
		mask := byte(0x80) >> (i % 8)
		rbsp[i/8] &^= mask
		if bit == 1 {
			rbsp[i/8] |= mask
		}
	}
	return n
}

// skipsAll reports whether a P slice, from behind its picture's number, says no more than that all
// macroblocks are those of the picture before.
func skipsAll(rbsp []byte, pos int, blocks uint32) bool {
	for range 3 { // other number of references, other order of them, other keeping of them: none of it
		if set, err := bits.ReadFlag(rbsp, &pos); err != nil || set {
			return false
		}
	}
	if _, err := bits.ReadGolombSigned(rbsp, &pos); err != nil { // quantiser
		return false
	}
	if edges, err := bits.ReadGolombUnsigned(rbsp, &pos); err != nil || edges != 1 { // not smoothed
		return false
	}
	run, err := bits.ReadGolombUnsigned(rbsp, &pos)
	if err != nil || run != blocks {
		return false
	}
	end, err := bits.ReadFlag(rbsp, &pos)
	return err == nil && end && (pos+7)/8 == len(rbsp)
}

// escape puts the bytes between that keep a NAL from looking like the start of another.
func escape(rbsp []byte) []byte {
	out, zeros := make([]byte, 0, len(rbsp)+len(rbsp)/64+2), 0
	for _, b := range rbsp {
		if zeros >= 2 && b <= 3 {
			out, zeros = append(out, 3), 0
		}
		out = append(out, b)
		if zeros++; b != 0 {
			zeros = 0
		}
	}
	return out
}
