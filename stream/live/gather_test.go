package live

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Whatever is sent comes as it was sent, to whom it was sent and in its order, with the kernel
// cutting and without; what is no end of a picture waits for flush, what is no media for nothing.
func TestGatheredPacketsComeAsTheyWere(t *testing.T) {
	for _, single := range []bool{false, true} {
		open := func() *net.UDPConn {
			c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
			if err == nil {
				err = c.SetReadBuffer(4 << 20)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			return c
		}
		g := newGather(open())
		g.single.Store(single)
		viewers := []*net.UDPConn{open(), open(), open()}
		r := rand.New(rand.NewPCG(11, 12))
		want := make([][][]byte, len(viewers))
		send := func(i int, b []byte) {
			t.Helper()
			want[i] = append(want[i], b)
			if n, err := g.WriteToAddrPort(b, viewers[i].LocalAddr().(*net.UDPAddr).AddrPort()); n != len(b) || err != nil {
				t.Fatalf("%d of %d bytes: %v", n, len(b), err)
			}
		}
		read := func(i int) []byte {
			t.Helper()
			buf := make([]byte, 2000)
			if err := viewers[i].SetReadDeadline(time.Now().Add(3 * time.Minute)); err != nil {
				t.Fatal(err)
			}
			n, err := viewers[i].Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			return buf[:n]
		}
		packet := func(size int, last bool) []byte {
			b := make([]byte, size)
			for i := range b {
				b[i] = byte(r.UintN(256))
			}
			b[0], b[1] = 0x80, 102
			if last {
				b[1] |= 0x80
			}
			return b
		}
		for range 40 { // pictures of one to a hundred packets, of which some are of another length
			i, n := r.IntN(len(viewers)), 1+r.IntN(100)
			for k := range n {
				size := 1208
				if r.IntN(8) == 0 || k == n-1 {
					size = 20 + r.IntN(1188)
				}
				send(i, packet(size, k == n-1))
			}
			for range n {
				if got := read(i); !bytes.Equal(got, want[i][0]) {
					t.Fatalf("single %v: %d bytes came, %d were sent", single, len(got), len(want[i][0]))
				}
				want[i] = want[i][1:]
			}
		}
		half := packet(900, false)
		send(0, half)
		g.flush()
		if got := read(0); !bytes.Equal(got, half) {
			t.Error("flushed: not what was sent")
		}
		send(0, half)
		for _, other := range [][]byte{
			{0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42},              // STUN
			append([]byte{22, 254, 253}, make([]byte, 60)...), // DTLS
			append([]byte{0x80, 200}, make([]byte, 40)...),    // RTCP
		} {
			send(0, other) // before the packet that waits, where it does
			got := read(0)
			if single && bytes.Equal(got, half) {
				got = read(0)
			}
			if !bytes.Equal(got, other) {
				t.Errorf("single %v: % x waited for media", single, other[:2])
			}
		}
	}
}

// A kernel that cannot cut is found out at the first picture, which comes all the same.
func TestAKernelThatCannotCut(t *testing.T) {
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	// Sockets without checksums are refused to cut for (net/ipv4/udp.c, udp_send_skb).
	raw, err := c.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(raw.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_NO_CHECK, 1)
	}), err)
	if err != nil {
		t.Fatal(err)
	}
	to, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	g := newGather(c)
	for k := range 3 {
		b := make([]byte, 500)
		b[0], b[1], b[2] = 0x80, 102|byte(k/2)<<7, byte(k)
		if _, err := g.WriteToAddrPort(b, to.LocalAddr().(*net.UDPAddr).AddrPort()); err != nil {
			t.Fatal(err)
		}
	}
	buf := make([]byte, 2000)
	for k := range 3 {
		if n, err := to.Read(buf); err != nil || n != 500 || buf[2] != byte(k) {
			t.Errorf("packet %d: %d bytes, number %d, %v", k, n, buf[2], err)
		}
	}
	if !g.single.Load() {
		t.Error("the kernel has cut; it was to refuse")
	}
}

// BenchmarkAPictureToAViewer sends a picture of 17 packets, as a camera of 4 Mbit/s has them,
// each by a call of its own and together; receiving them is counted too.
func BenchmarkAPictureToAViewer(b *testing.B) {
	for name, single := range map[string]bool{"one by one": true, "together": false} {
		b.Run(name, func(b *testing.B) {
			var conns [2]*net.UDPConn
			for i := range conns {
				c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
				if err != nil {
					b.Fatal(err)
				}
				defer c.Close()
				conns[i] = c
			}
			go func() {
				for buf := make([]byte, 2000); ; {
					if _, err := conns[1].Read(buf); err != nil {
						return
					}
				}
			}()
			g, to := newGather(conns[0]), conns[1].LocalAddr().(*net.UDPAddr).AddrPort()
			g.single.Store(single)
			packet := make([]byte, 1208)
			packet[0] = 0x80
			before := processor(b)
			for b.Loop() {
				for k := range 17 {
					packet[1] = 102 | byte(k/16)<<7
					if _, err := g.WriteToAddrPort(packet, to); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64((processor(b)-before).Microseconds())/float64(b.N), "processor-µs/op")
		})
	}
}

// processor is what this process has taken of it.
func processor(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
