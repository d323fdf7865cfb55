package live

import (
	"errors"
	"sync"

	"github.com/bluenviron/gortsplib/v5/pkg/format/rtph264"
	"github.com/bluenviron/gortsplib/v5/pkg/format/rtph265"

	"vision/capture"
)

// packer cuts access units into RTP payloads (RFC 6184, RFC 7798), each once for all who
// watch: what a viewer adds is a header. Payloads are shared and never written to.
type packer struct {
	mu   sync.Mutex
	h264 rtph264.Encoder
	h265 rtph265.Encoder
	done [packed]cut // the newest units, over the oldest
	next int
}

// packed is how many units are remembered: a camera's viewers come to a unit within
// milliseconds of one another, and so do some who have just come and catch up.
const packed = 64

// cut is a unit in payloads. A unit is identified by its first byte's address, which cannot be
// reused while the cut is kept.
type cut struct {
	of       *byte
	payloads [][]byte
}

func newPacker() (*packer, error) {
	p := &packer{
		h264: rtph264.Encoder{PayloadMaxSize: mtu, PacketizationMode: 1},
		h265: rtph265.Encoder{PayloadMaxSize: mtu},
	}
	return p, errors.Join(p.h264.Init(), p.h265.Init())
}

// cut returns a unit's payloads, of which the last ends the picture; none of an empty unit.
func (p *packer) cut(u capture.Unit) [][]byte {
	of := firstByte(u.NALs)
	if of == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.done {
		if c := &p.done[i]; c.of == of {
			return c.payloads
		}
	}
	encode := p.h264.Encode
	if u.Codec == capture.H265 {
		encode = p.h265.Encode
	}
	packets, err := encode(u.NALs)
	if err != nil {
		return nil
	}
	c := cut{of, make([][]byte, len(packets))}
	for i, pkt := range packets {
		c.payloads[i] = pkt.Payload
	}
	p.done[p.next] = c
	p.next = (p.next + 1) % packed
	return c.payloads
}

func firstByte(nals [][]byte) *byte {
	for _, n := range nals {
		if len(n) > 0 {
			return &n[0]
		}
	}
	return nil
}
