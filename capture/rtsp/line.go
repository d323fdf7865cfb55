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

// packets cuts a unit into packets and takes away what is lost, and reports whether
// something was.
func (l Loser) packets(enc encoder, u capture.Unit) (out []*rtp.Packet, lost bool, err error) {
	if out, err = enc.Encode(u.NALs); err != nil {
		return nil, false, err
	}
	for _, p := range out {
		p.Timestamp = uint32(int64(u.PTS) * 9 / 100_000)
	}
	if l == nil {
		return out, false, nil
	}
	if n := l(len(out)); n >= 0 && n < len(out) {
		return slices.Delete(out, n, n+1), true, nil
	}
	return out, false, nil
}

// Line is the way from a Stream to a Source without the sockets and the time between
// them: the same packets, the same losses, put together again by the same code. It
// begins where a connection stands: nothing is lost before the first unit has come out.
type Line struct {
	lose Loser
	enc  encoder
	dec  decoder
	asm  assembler
	lost bool // since the last unit that came out
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
	return &Line{lose: lose, enc: enc, dec: dec}, nil
}

// Carry sends a unit and returns what arrives by it: mostly that unit. After a loss
// there may be none, or an earlier one with the times of this one, as a Source has it
// that learns only by the next packet that a unit is over.
func (l *Line) Carry(u capture.Unit) ([]capture.Unit, error) {
	lose := l.lose
	if !l.up {
		lose = nil
	}
	packets, lost, err := lose.packets(l.enc, u)
	if err != nil {
		return nil, fmt.Errorf("rtsp: line: %w", err)
	}
	l.lost = l.lost || lost
	var out []capture.Unit
	for _, p := range packets {
		nals, err := l.dec.Decode(p)
		if err != nil {
			l.lost = l.lost || !isPartial(err)
			continue
		}
		got, ok := l.asm.unit(nals)
		if !ok || !l.up && !got.Key {
			continue // nobody can begin with it
		}
		got.PTS, got.Wall, got.N = u.PTS, u.Wall, u.N
		got.Gap, l.lost, l.up = l.up && l.lost, false, true
		out = append(out, got)
	}
	return out, nil
}
