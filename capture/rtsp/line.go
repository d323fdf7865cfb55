package rtsp

import (
	"fmt"
	"slices"

	"github.com/bluenviron/gortsplib/v5/pkg/format"
	"github.com/pion/rtp"

	"vision/capture"
)

// Loser says which of a unit's packets the network loses, from 0; -1: none.
type Loser func(packets int) int

// encoder cuts the NAL units of an access unit into packets.
type encoder interface {
	Encode(nals [][]byte) ([]*rtp.Packet, error)
}

// packets cuts a unit into packets and takes away what is lost.
func (l Loser) packets(enc encoder, u capture.Unit) ([]*rtp.Packet, error) {
	out, err := enc.Encode(u.NALs)
	if err != nil {
		return nil, err
	}
	for _, p := range out {
		p.Timestamp = uint32(int64(u.PTS) * 9 / 100_000)
	}
	if l == nil {
		return out, nil
	}
	if n := l(len(out)); n >= 0 && n < len(out) {
		return slices.Delete(out, n, n+1), nil
	}
	return out, nil
}

// Line is the way from a Stream to a Source without the sockets and the time between
// them: the same packets, the same losses, put together again by the same code. It
// begins where a connection stands: nothing is lost before the first unit has come out.
type Line struct {
	lose Loser
	enc  encoder
	asm  assembler
	up   bool
}

// NewLine makes a line that loses what lose says; nil: nothing.
func NewLine(lose Loser) (*Line, error) {
	f := &format.H264{PayloadTyp: 96, PacketizationMode: 1}
	enc, err := f.CreateEncoder()
	if err != nil {
		return nil, fmt.Errorf("rtsp: line: %w", err)
	}
	dec, err := f.CreateDecoder()
	if err != nil {
		return nil, fmt.Errorf("rtsp: line: %w", err)
	}
	return &Line{lose: lose, enc: enc, asm: assembler{dec: dec, proven: provenAfter}}, nil
}

// Carry sends a unit and returns what arrives by it: mostly that unit. After a loss
// there may be none, or an earlier one besides: only the next packet tells that a unit is
// over whose last one was lost.
func (l *Line) Carry(u capture.Unit) ([]capture.Unit, error) {
	lose := l.lose
	if !l.up {
		lose = nil
	}
	packets, err := lose.packets(l.enc, u)
	if err != nil {
		return nil, fmt.Errorf("rtsp: line: %w", err)
	}
	var out []capture.Unit
	for _, p := range packets {
		for _, got := range l.asm.packet(p, stamp{pts: u.PTS, wall: u.Wall, n: u.N}) {
			if !l.up && !got.Key {
				continue // nobody can begin with it
			}
			got.PTS, got.Wall, got.N = got.at.pts, got.at.wall, got.at.n
			got.Gap, l.up = l.up && got.Gap, true
			out = append(out, got.Unit)
		}
	}
	return out, nil
}
