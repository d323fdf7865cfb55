package front

import (
	"net"

	"github.com/bluenviron/gortsplib/v5/pkg/format"
	"github.com/bluenviron/gortsplib/v5/pkg/rtcpunmarshaler"
	"github.com/pion/rtp"
)

// A panic in a goroutine of the library would end the program. So whatever its parsers
// make of a packet is tried here first, where a panic costs the packet alone.

// parse does with a packet what the library does before it hands it on.
type parse func([]byte)

// parseRTP is for packets of RTP (RFC 3550 §5.1).
func parseRTP(b []byte) {
	var p rtp.Packet
	n, err := p.Header.Unmarshal(b)
	if err != nil {
		return
	}
	p.Payload = b[n:]
	(&format.H264{}).PTSEqualsDTS(&p)
	(&format.H265{}).PTSEqualsDTS(&p)
}

// parseRTCP is for packets of RTCP (RFC 3550 §6.1).
func parseRTCP(b []byte) {
	_, _ = rtcpunmarshaler.Unmarshal(b) // the library says what is wrong with it
}

// bears reports whether a packet can be parsed without a panic.
func (p parse) bears(b []byte) (ok bool) {
	defer func() { ok = recover() == nil }()
	p(b)
	return true
}

const (
	// version is that of RTP and RTCP, in the first two bits of a packet.
	version = 2
	// least is how many bytes a packet of RTCP has that says something.
	least = 8
)

// Packets is a socket whose packets can be parsed without a panic.
type Packets struct {
	*net.UDPConn
	try parse
}

// Listen opens one, like net.ListenPacket, for packets of RTP or RTCP.
func Listen(network, address string) (net.PacketConn, error) {
	c, err := net.ListenPacket(network, address)
	if err != nil {
		return nil, err
	}
	u, ok := c.(*net.UDPConn)
	if !ok {
		c.Close()
		return nil, net.UnknownNetworkError(network)
	}
	return &Packets{u, func(b []byte) { parseRTP(b); parseRTCP(b) }}, nil
}

// ReadFrom reads the next packet that can be parsed.
func (p *Packets) ReadFrom(b []byte) (int, net.Addr, error) {
	for {
		n, from, err := p.UDPConn.ReadFrom(b)
		if err != nil || p.try.bears(b[:n]) {
			return n, from, err
		}
	}
}
