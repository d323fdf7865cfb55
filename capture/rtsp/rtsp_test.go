package rtsp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bluenviron/gortsplib/v5/pkg/format"
	"go.uber.org/goleak"

	"vision/capture"
	"vision/internal/backoff"
	"vision/internal/testkit/porttest"
	"vision/internal/testkit/tlstest"
	"vision/internal/trust"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A baseline SPS and PPS of a real camera.
var (
	sps = []byte{
		0x67, 0x42, 0xc0, 0x28, 0xd9, 0x00, 0x78, 0x02, 0x27, 0xe5, 0x84, 0x00, 0x00, 0x03, 0x00, 0x04, 0x00, 0x00,
		0x03, 0x00, 0xf0, 0x3c, 0x60, 0xc9, 0x20,
	}
	pps = []byte{0x68, 0x01, 0x02, 0x03}
)

// camera writes units of random NAL units, every tenth an IDR, until it is stopped.
func camera(t *testing.T, st *Stream, inBand bool) (stop func(), sent func() map[string]bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	var mu sync.Mutex
	all := map[string]bool{}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(done)
		for i := 0; backoff.Sleep(ctx, 5*time.Millisecond) == nil; i++ {
			size := 200 + r.IntN(5000)
			if i%10 == 0 {
				size += 6000 // always several packets, as a real key picture
			}
			nal := make([]byte, size)
			for j := range nal {
				nal[j] = byte(1 + r.IntN(255)) // no start codes
			}
			nal[0] = 0x41
			u := capture.Unit{PTS: time.Since(begin), Wall: time.Now()}
			if i%10 == 0 {
				nal[0], u.Key = 0x65, true
				if inBand {
					u.NALs = [][]byte{sps, pps}
				}
			}
			u.NALs = append(u.NALs, nal)
			mu.Lock()
			all[string(nal)] = true
			mu.Unlock()
			_ = st.Write(u) // fails once the stream is closed
		}
	}()
	return func() { cancel(); <-done }, func() map[string]bool { mu.Lock(); defer mu.Unlock(); return all }
}

// eye is a Sink that remembers.
type eye struct {
	mu     sync.Mutex
	units  []capture.Unit
	states []capture.State
}

func (e *eye) Unit(u capture.Unit)   { e.mu.Lock(); e.units = append(e.units, u); e.mu.Unlock() }
func (e *eye) State(s capture.State) { e.mu.Lock(); e.states = append(e.states, s); e.mu.Unlock() }

func (e *eye) wait(t *testing.T, what string, ok func(*eye) bool) {
	t.Helper()
	const hung = 3 * time.Minute
	for end := time.Now().Add(hung); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		e.mu.Lock()
		done := ok(e)
		e.mu.Unlock()
		if done {
			return
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	t.Fatalf("%s: not within %v; %d units, states %+v", what, hung, len(e.units), e.states)
}

func run(t *testing.T, s *Source) *eye {
	t.Helper()
	e := &eye{}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, e) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
	})
	return e
}

func serve(t *testing.T) *Server {
	t.Helper()
	s, err := NewServer("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestUnitsPassUntouched(t *testing.T) {
	for _, inBand := range []bool{true, false} {
		srv := serve(t)
		var a, b []byte
		if !inBand {
			a, b = sps, pps // in the description only
		}
		st, err := srv.Stream("table/1", a, b)
		if err != nil {
			t.Fatal(err)
		}
		stop, sent := camera(t, st, inBand)
		e := run(t, &Source{Name: "R1", URL: srv.URL("table/1")})
		e.wait(t, "units", func(e *eye) bool { return len(e.units) >= 60 })
		stop()
		check(t, e, sent())
	}
}

// A camera by TLS is believed when the house's authority says that it is the one.
func TestUnitsPassByTLS(t *testing.T) {
	house := tlstest.New(t)
	own, err := trust.Server(house.Issue("camera"))
	if err != nil {
		t.Fatal(err)
	}
	srv, err := newServer("127.0.0.1:0", "", "", own)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	st, err := srv.Stream("table/1", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	stop, sent := camera(t, st, true)
	known, err := trust.Client(house.File, "", "")
	if err != nil {
		t.Fatal(err)
	}
	safe := strings.Replace(srv.URL("table/1"), "rtsp://", "rtsps://", 1)
	strange := run(t, &Source{Name: "R2", URL: safe})
	e := run(t, &Source{Name: "R1", URL: safe, TLS: known})
	e.wait(t, "units", func(e *eye) bool { return len(e.units) >= 30 })
	stop()
	check(t, e, sent())
	strange.mu.Lock()
	defer strange.mu.Unlock()
	if len(strange.units) > 0 {
		t.Error("a camera was believed without knowing it")
	}
}

func check(t *testing.T, e *eye, sent map[string]bool) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.units[0].Key {
		t.Error("does not begin with a key unit")
	}
	for i, u := range e.units {
		if nal := u.NALs[len(u.NALs)-1]; !sent[string(nal)] {
			t.Fatalf("unit %d was never sent", i)
		}
		if u.Key && (len(u.NALs) != 3 || !bytes.Equal(u.NALs[0], sps) || !bytes.Equal(u.NALs[1], pps)) {
			t.Errorf("unit %d: SPS and PPS do not stand before the IDR", i)
		}
		if i > 0 && (u.PTS <= e.units[i-1].PTS || u.Wall.Before(e.units[i-1].Wall)) {
			t.Errorf("unit %d: time goes back", i)
		}
		if u.Gap {
			t.Errorf("unit %d: a gap over loopback", i)
		}
		if d := time.Since(u.Wall); d < 0 || d > 10*time.Second {
			t.Errorf("unit %d: wall time off by %v", i, d)
		}
	}
}

func TestCameraIsCutAndComesBack(t *testing.T) {
	srv := serve(t)
	st, _ := srv.Stream("cam", sps, pps)
	stop, _ := camera(t, st, true)
	e := run(t, &Source{Name: "B2", URL: srv.URL("cam")})
	e.wait(t, "units", func(e *eye) bool { return len(e.units) >= 10 })
	st.Close()
	stop()
	var before int
	e.wait(t, "down", func(e *eye) bool {
		s := e.states[len(e.states)-1]
		before = len(e.units)
		return !s.Up && s.Err != nil && strings.Contains(s.Err.Error(), "B2") && s.Next.After(s.Since)
	})
	st, err := srv.Stream("cam", sps, pps)
	if err != nil {
		t.Fatal(err)
	}
	stop, _ = camera(t, st, true)
	defer stop()
	e.wait(t, "back", func(e *eye) bool { return len(e.units) > before+5 && e.states[len(e.states)-1].Up })
	e.mu.Lock()
	defer e.mu.Unlock()
	if u := e.units[before]; !u.Key || !u.Gap || u.PTS <= e.units[before-1].PTS {
		t.Errorf("first unit after the cut: key %v, gap %v, PTS %v after %v", u.Key, u.Gap, u.PTS, e.units[before-1].PTS)
	}
}

func TestSilenceCountsAsDown(t *testing.T) {
	srv := serve(t)
	st, _ := srv.Stream("cam", sps, pps)
	stop, _ := camera(t, st, true)
	e := run(t, &Source{Name: "B2", URL: srv.URL("cam"), Stall: 200 * time.Millisecond})
	e.wait(t, "units", func(e *eye) bool { return len(e.units) >= 10 })
	stop() // connected, but silent
	e.wait(t, "down", func(e *eye) bool {
		s := e.states[len(e.states)-1]
		return !s.Up && strings.Contains(s.Err.Error(), "no packet")
	})
}

// A connection that ends was to a camera: what is said of it fits, also while it cannot be
// had again.
func TestAConnectionThatEndsWasToACamera(t *testing.T) {
	srv := serve(t)
	st, err := srv.Stream("cam", sps, pps)
	if err != nil {
		t.Fatal(err)
	}
	stop, _ := camera(t, st, true)
	defer stop()
	through := newRelay(t, srv.Addr().String())
	e := run(t, &Source{Name: "B2", URL: "rtsp://" + through.addr + "/cam"})
	e.wait(t, "units", func(e *eye) bool { return len(e.units) >= 10 })
	through.cut()
	e.wait(t, "two attempts", func(e *eye) bool { return len(e.states) >= 3 })
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.states[1:3] {
		if s.Up || s.Err == nil || !strings.Contains(s.Err.Error(), errCut.Error()) || !strings.Contains(s.Err.Error(), "B2") {
			t.Errorf("%+v", s)
		}
	}
}

// relay passes connections on to a camera until it is cut; then it takes them and ends them
// at once, as one does that is starting.
type relay struct {
	addr string
	off  atomic.Bool
	mu   sync.Mutex
	open []net.Conn
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{addr: l.Addr().String()}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			if r.off.Load() {
				in.Close()
				continue
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			r.mu.Lock()
			r.open = append(r.open, in, out)
			r.mu.Unlock()
			all.Go(func() { _, _ = io.Copy(out, in); out.Close() })
			all.Go(func() { _, _ = io.Copy(in, out); in.Close() })
		}
	})
	t.Cleanup(func() { l.Close(); r.cut(); all.Wait() })
	return r
}

func (r *relay) cut() {
	r.off.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.open {
		c.Close()
	}
}

func TestErrorsSayHowToMendAndKeepTheSecret(t *testing.T) {
	srv := serve(t)
	srv.SetCredentials("vision", "r1ght")
	if _, err := srv.Stream("cam", sps, pps); err != nil {
		t.Fatal(err)
	}
	if _, err := srv.stream("vp8", &format.VP8{PayloadTyp: 96}); err != nil {
		t.Fatal(err)
	}
	host := srv.Addr().String()
	deadHost := porttest.Address(t)
	web := notRTSP(t)
	for _, c := range []struct{ name, url, want string }{
		{"wrong path", "rtsp://vision:r1ght@" + host + "/nowhere", "check the URL's path"},
		{"wrong password", "rtsp://vision:s3cr3t%21@" + host + "/cam", "refuses user or password"},
		{"no password", "rtsp://" + host + "/cam", "refuses user or password"},
		{"VP8", "rtsp://vision:r1ght@" + host + "/vp8", "offers VP8, but only H.264 and H.265"},
		{"nobody there", "rtsp://a:s3cr3t%21@" + deadHost + "/cam", "check address, port and cable"},
		{"not RTSP", "rtsp://a:s3cr3t%21@" + web + "/cam", "is this an RTSP server?"},
		{"no URL", "rtsp://a:s3cr3t!@[oops/cam", "the URL cannot be read"},
		{"another scheme", "http://a:s3cr3t!@" + host + "/cam", "URL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := run(t, &Source{Name: "BJ-3", URL: c.url})
			e.wait(t, "an error", func(e *eye) bool { return len(e.states) > 0 })
			e.mu.Lock()
			defer e.mu.Unlock()
			s := e.states[0]
			if s.Up || s.Err == nil || s.Next.IsZero() {
				t.Fatalf("state %+v", s)
			}
			text := s.Err.Error()
			if !strings.Contains(text, c.want) || !strings.Contains(text, "BJ-3") {
				t.Errorf("%q does not say %q", text, c.want)
			}
			for _, secret := range []string{"s3cr3t", "r1ght"} {
				if strings.Contains(text, secret) {
					t.Errorf("%q tells the password", text)
				}
			}
		})
	}
}

// notRTSP answers everything like a web server.
func notRTSP(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}
