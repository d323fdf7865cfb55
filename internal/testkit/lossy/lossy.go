// Package lossy is a network on which UDP packets get lost.
package lossy

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
)

// Line carries packets between one address and all who send to the line's own, and loses some
// both ways.
type Line struct {
	t    testing.TB
	to   *net.UDPAddr
	here *net.UDPConn
	lose atomic.Uint64 // bits of the share
	run  sync.WaitGroup

	mu  sync.Mutex
	rng *rand.Rand
	way map[string]*net.UDPConn // by sender
}

// New is a line to an address, until the end of the test; at first nothing is lost.
func New(t testing.TB, to *net.UDPAddr) *Line {
	t.Helper()
	here, err := net.ListenUDP("udp", &net.UDPAddr{IP: to.IP})
	if err != nil {
		t.Fatal(err)
	}
	l := &Line{t: t, to: to, here: here, rng: rand.New(rand.NewPCG(7, 30)), way: map[string]*net.UDPConn{}}
	l.run.Go(l.forth)
	t.Cleanup(l.close)
	return l
}

// Lose sets which share of the packets is lost from now on, 0 to 1.
func (l *Line) Lose(share float64) { l.lose.Store(math.Float64bits(share)) }

// Addr is where packets are sent to instead.
func (l *Line) Addr() *net.UDPAddr { return l.here.LocalAddr().(*net.UDPAddr) }

func (l *Line) lost() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rng.Float64() < math.Float64frombits(l.lose.Load())
}

func (l *Line) close() {
	l.here.Close()
	l.mu.Lock()
	for _, c := range l.way {
		c.Close()
	}
	l.mu.Unlock()
	l.run.Wait()
}

func (l *Line) forth() {
	buf := make([]byte, 2048)
	for {
		n, from, err := l.here.ReadFromUDP(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil || l.lost() {
			continue
		}
		if c := l.wayOf(from); c != nil {
			_, _ = c.Write(buf[:n]) // who has gone has gone
		}
	}
}

// wayOf is the socket by which what comes from a sender goes on, and answers come back.
func (l *Line) wayOf(from *net.UDPAddr) *net.UDPConn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.way[from.String()]; c != nil {
		return c
	}
	c, err := net.DialUDP("udp", nil, l.to)
	if err != nil {
		return nil
	}
	l.way[from.String()] = c
	l.run.Go(func() {
		buf := make([]byte, 2048)
		for {
			n, err := c.Read(buf)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil && !l.lost() {
				_, _ = l.here.WriteToUDP(buf[:n], from)
			}
		}
	})
	return c
}

// Lines are several at once.
type Lines []*Line

// Lose sets the share for all.
func (ls Lines) Lose(share float64) {
	for _, l := range ls {
		l.Lose(share)
	}
}

var candidate = regexp.MustCompile(`(a=candidate:\S+ \d udp \d+ )(\S+) (\d+)( typ host)`)

// Through puts a line in the way of each UDP candidate of an SDP (RFC 8839 §5.1).
func Through(t testing.TB, sdp string) (string, Lines) {
	t.Helper()
	var all Lines
	seen := map[string]*Line{}
	out := candidate.ReplaceAllStringFunc(sdp, func(s string) string {
		m := candidate.FindStringSubmatch(s)
		at := net.JoinHostPort(m[2], m[3])
		if seen[at] == nil {
			to, err := net.ResolveUDPAddr("udp", at)
			if err != nil {
				t.Fatal(err)
			}
			seen[at] = New(t, to)
			all = append(all, seen[at])
		}
		return fmt.Sprint(m[1], m[2], " ", seen[at].Addr().Port, m[4])
	})
	if len(all) == 0 {
		t.Fatalf("no UDP candidate in\n%s", sdp)
	}
	return out, all
}
