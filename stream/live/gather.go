package live

import (
	"encoding/binary"
	"errors"
	"hash/maphash"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/pion/transport/v4"
	"github.com/pion/transport/v4/stdnet"
	"golang.org/x/sys/unix"
)

// gather is a UDP socket that gives the kernel a picture's packets for a viewer together, to
// be cut apart there (generic segmentation offload; udp(7), UDP_SEGMENT): one system call
// instead of one a packet, which is most of what a viewer costs. Packets of media wait until
// the one that ends a picture, or flush; all others go at once.
type gather struct {
	*net.UDPConn
	single atomic.Bool // the kernel cannot: each goes by itself
	seed   maphash.Seed
	shards [16]shard
}

// shard holds what waits for some of the viewers. Sending under its lock keeps their order.
type shard struct {
	mu   sync.Mutex
	wait map[netip.AddrPort]*batch
}

// batch is packets of one length, one after the other; only the last may be shorter.
type batch struct {
	buf   []byte
	size  int
	count int
	oob   [32]byte // the control message with size
}

const (
	maxSegments = 44       // the kernel takes 64
	maxBatch    = 60 << 10 // a datagram's 65,507 and some room
)

var batches = sync.Pool{New: func() any { return &batch{buf: make([]byte, 0, maxBatch)} }}

func newGather(c *net.UDPConn) *gather {
	g := &gather{UDPConn: c, seed: maphash.MakeSeed()}
	for i := range g.shards {
		g.shards[i].wait = map[netip.AddrPort]*batch{}
	}
	return g
}

// ReadFromAddrPort implements ice.AddrPortReaderWriter.
func (g *gather) ReadFromAddrPort(b []byte) (int, netip.AddrPort, error) {
	return g.ReadFromUDPAddrPort(b)
}

// WriteToAddrPort implements ice.AddrPortReaderWriter.
func (g *gather) WriteToAddrPort(b []byte, to netip.AddrPort) (int, error) {
	if !media(b) || g.single.Load() {
		return g.WriteToUDPAddrPort(b, to)
	}
	s := &g.shards[maphash.Comparable(g.seed, to)%uint64(len(g.shards))]
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	x := s.wait[to]
	if x != nil && !x.takes(b) {
		err = g.send(x, to)
		x = nil
	}
	if x == nil {
		x = batches.Get().(*batch)
		s.wait[to] = x
	}
	if x.add(b) {
		delete(s.wait, to)
		err = errors.Join(err, g.send(x, to))
	}
	return len(b), err
}

// media reports whether b is a packet of SRTP and not of STUN, DTLS (RFC 7983 §7) or SRTCP
// (RFC 5761 §4).
func media(b []byte) bool {
	const header = 12
	return len(b) > header && b[0]>>6 == 2 && (b[1]&0x7f < 64 || b[1]&0x7f > 95)
}

// takes reports whether b can be one more.
func (x *batch) takes(b []byte) bool { return len(b) <= x.size && len(x.buf)+len(b) <= maxBatch }

// add puts b behind the others and reports whether it has to be the last.
func (x *batch) add(b []byte) bool {
	if x.count == 0 {
		x.size = len(b)
	}
	x.buf = append(x.buf, b...)
	x.count++
	marker := b[1]&0x80 != 0
	return marker || len(b) < x.size || x.count == maxSegments
}

// send sends a batch and returns it to the pool, empty.
func (g *gather) send(x *batch, to netip.AddrPort) error {
	defer func() {
		x.buf, x.count = x.buf[:0], 0
		batches.Put(x)
	}()
	if x.count > 1 && !g.single.Load() {
		_, _, err := g.WriteMsgUDPAddrPort(x.buf, x.control(), to)
		if err == nil {
			return nil
		}
		for _, cannot := range []error{unix.EIO, unix.EINVAL, unix.EOPNOTSUPP, unix.ENOPROTOOPT} {
			if errors.Is(err, cannot) {
				g.single.Store(true)
			}
		}
	}
	var errs []error
	for b := x.buf; len(b) > 0; {
		n := min(x.size, len(b))
		_, err := g.WriteToUDPAddrPort(b[:n], to)
		errs, b = append(errs, err), b[n:]
	}
	return errors.Join(errs...)
}

// control is the control message with the packets' length.
func (x *batch) control() []byte {
	oob := x.oob[:unix.CmsgSpace(2)]
	h := (*unix.Cmsghdr)(unsafe.Pointer(&oob[0]))
	h.Level, h.Type = unix.IPPROTO_UDP, unix.UDP_SEGMENT
	h.SetLen(unix.CmsgLen(2))
	binary.NativeEndian.PutUint16(oob[unix.CmsgLen(0):], uint16(x.size))
	return oob
}

// flush sends what waits.
func (g *gather) flush() {
	for i := range g.shards {
		s := &g.shards[i]
		s.mu.Lock()
		for to, x := range s.wait {
			delete(s.wait, to)
			_ = g.send(x, to) // a NACK brings it again
		}
		s.mu.Unlock()
	}
}

// sockets is the machine's network, whose UDP sockets gather.
type sockets struct {
	*stdnet.Net
	all []*gather
}

// ListenUDP implements transport.Net.
func (n *sockets) ListenUDP(network string, at *net.UDPAddr) (transport.UDPConn, error) {
	c, err := net.ListenUDP(network, at)
	if err != nil {
		return nil, err
	}
	g := newGather(c)
	n.all = append(n.all, g)
	return g, nil
}

// flush sends what waits in any of them.
func (n *sockets) flush() {
	for _, g := range n.all {
		g.flush()
	}
}
