package rtsp

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vision/capture"
	"vision/internal/testkit/hostile"
)

// Cameras as they are: pictures come whole, or the fault is named; and however they
// behave, they are not called without end, and nobody else gets their password.
func TestHostileCameras(t *testing.T) {
	for _, q := range hostile.Quirks {
		t.Run(q.Name, func(t *testing.T) {
			t.Parallel()
			cam := hostile.New(t, q)
			e := run(t, &Source{Name: "R1", URL: cam.URL(), UDP: q.UDP, Stall: 3 * time.Second})
			e.wait(t, "pictures or an error", func(e *eye) bool {
				return q.Want == "" && len(e.units) >= 12 || q.Want != "" && e.failed()
			})
			e.mu.Lock()
			defer e.mu.Unlock()
			if text := e.fault(); q.Want != "" && !strings.Contains(text, q.Want) || q.Want == "" && text != "" {
				t.Errorf("the error is %q, want %q", text, q.Want)
			}
			if !q.Loses {
				whole(t, e.units)
			}
			if n := cam.Connections(); n > (maxRedirects+1)*(len(e.states)+1) {
				t.Errorf("%d connections for %d tries", n, len(e.states))
			}
			if cam.Leaked() {
				t.Error("somebody else was called")
			}
			if n := cam.Refused(); n > len(e.states)+1 || q.Want == "" && n > 0 {
				t.Errorf("a wrong password was sent %d times in %d tries", n, len(e.states))
			}
		})
	}
}

// failed reports whether a try has failed; e.mu is held.
func (e *eye) failed() bool { return e.fault() != "" }

// fault is the first error.
func (e *eye) fault() string {
	for _, s := range e.states {
		if s.Err != nil {
			return s.Err.Error()
		}
	}
	return ""
}

// whole checks that pictures are not in parts, and not two in one.
func whole(t *testing.T, units []capture.Unit) {
	t.Helper()
	for i, u := range units {
		slices, firsts := 0, 0
		for _, n := range u.NALs {
			if u.Codec.Picture(n) {
				slices++
				if u.Codec.Begins([][]byte{n}) {
					firsts++
				}
			}
		}
		if slices != hostile.Slices || firsts != 1 || u.Gap || u.Partial {
			t.Fatalf("unit %d has %d slices, %d of them the first of a picture; gap %v, partial %v", i, slices, firsts, u.Gap, u.Partial)
		}
	}
}

// Between tries with a password that was refused are minutes, ever more.
func TestARefusedPasswordIsNotTriedAgainAtOnce(t *testing.T) {
	cam := hostile.New(t, hostile.Quirk{User: "a:wr0ng", Account: "a:right", Login: `Digest realm="x", nonce="NONCE"`})
	e := run(t, &Source{Name: "R1", URL: cam.URL()})
	e.wait(t, "a refusal", func(e *eye) bool { return len(e.states) > 0 })
	e.mu.Lock()
	defer e.mu.Unlock()
	if s := e.states[0]; s.Next.Sub(s.Since) < time.Minute || cam.Refused() != 1 || cam.Connections() != 1 {
		t.Errorf("tried again after %v; %d wrong passwords in %d connections", s.Next.Sub(s.Since), cam.Refused(), cam.Connections())
	}
}

// A camera that ends the connection, or says nothing, where it should refuse a password is not
// given it every few seconds either.
func TestAPasswordThatIsNotAnswered(t *testing.T) {
	for name, end := range map[string]bool{"ends the connection": true, "says nothing": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cam := hostile.New(t, hostile.Quirk{User: "a:wr0ng", Account: "a:right", Login: `Digest realm="x", nonce="NONCE"`,
				Change: func(_ *hostile.Camera, r hostile.Request, a *hostile.Answer) {
					if r.Header.Get("Authorization") != "" {
						a.Raw, a.End = "\r\n", end
					}
				}})
			e := run(t, &Source{Name: "R1", URL: cam.URL()})
			e.wait(t, "a long pause", func(e *eye) bool {
				return len(e.states) > 0 && e.states[len(e.states)-1].Next.Sub(e.states[len(e.states)-1].Since) > time.Minute
			})
			e.mu.Lock()
			defer e.mu.Unlock()
			if err := e.states[len(e.states)-1].Err; len(e.states) > maxUnheard || !errors.Is(err, errCredentials) {
				t.Errorf("after %d tries: %v", len(e.states), err)
			}
		})
	}
}

// A keep-alive that is asked for a new proof gives it, also where every request is; one
// that is refused goes another way; and all come in time.
func TestKeepAlives(t *testing.T) {
	const login = `Digest realm="x", nonce="NONCE", qop="auth"`
	refuse := func(method, status string) func(*hostile.Camera, hostile.Request, *hostile.Answer) {
		return func(_ *hostile.Camera, r hostile.Request, a *hostile.Answer) {
			if r.Method == method {
				a.Status = status
			}
		}
	}
	for _, q := range []hostile.Quirk{
		{Name: "a nonce for one request", User: "a:right", Account: "a:right", Login: login, NonceUses: 1},
		{Name: "a nonce for three", User: "a:right", Account: "a:right", Login: login, NonceUses: 3},
		{Name: "GET_PARAMETER is not implemented", Timeout: 3, Expires: true, Change: refuse("GET_PARAMETER", "501 Not Implemented")},
		{Name: "GET_PARAMETER is forbidden, and the log-in is new each time", User: "a:right", Account: "a:right", Login: login,
			NonceUses: 1, Timeout: 4, Expires: true, Change: refuse("GET_PARAMETER", "405 Method Not Allowed")},
		{Name: "a session of three seconds, over UDP", UDP: true, Timeout: 3, Expires: true},
	} {
		t.Run(q.Name, func(t *testing.T) {
			t.Parallel()
			cam := hostile.New(t, q)
			e := run(t, &Source{Name: "R1", URL: cam.URL(), UDP: q.UDP})
			e.wait(t, "keep-alives", func(*eye) bool { return cam.KeptAlive() >= 4 })
			if cam.Refused() > 0 || cam.Connections() != 1 {
				t.Errorf("%d wrong passwords, %d connections", cam.Refused(), cam.Connections())
			}
		})
	}
}

// nobody takes units and forgets them.
type nobody struct{ units, states atomic.Int64 }

func (n *nobody) Unit(capture.Unit)   { n.units.Add(1) }
func (n *nobody) State(capture.State) { n.states.Add(1) }

// All of them at once, for as long as VISION_HOSTILE says (10m): memory and goroutines
// stay as they are, and so does the number of connections.
func TestHostileCamerasForLong(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("VISION_HOSTILE"))
	if err != nil {
		t.Skip("SKIPPED: VISION_HOSTILE is no duration")
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	cams, sinks := make([]*hostile.Camera, len(hostile.Quirks)), make([]nobody, len(hostile.Quirks))
	for i, q := range hostile.Quirks {
		cams[i] = hostile.New(t, q)
		all.Go(func() { _ = (&Source{Name: q.Name, URL: cams[i].URL(), UDP: q.UDP}).Run(ctx, &sinks[i]) }) // ctx's error
	}
	measure := func() (heap uint64, goroutines int) {
		var m runtime.MemStats
		debug.FreeOSMemory() // collects first
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	time.Sleep(length / 4)
	heap, goroutines := measure()
	t.Logf("after %v: %d kB, %d goroutines", length/4, heap>>10, goroutines)
	for i := range 3 {
		time.Sleep(length / 4)
		h, g := measure()
		t.Logf("after %v: %d kB, %d goroutines", length*time.Duration(i+2)/4, h>>10, g)
		if h > heap+heap/2+8<<20 || g > goroutines+goroutines/4 {
			t.Errorf("memory or goroutines grow")
		}
	}
	cancel()
	all.Wait()
	for i, c := range cams {
		tries := int(sinks[i].states.Load()) + 1
		if n := c.Connections(); n > (maxRedirects+1)*tries || n > 20+3*int(length/time.Second) {
			t.Errorf("%s: %d connections in %d tries", c.Name, n, tries)
		}
		if c.Want == "" && sinks[i].units.Load() == 0 || c.Leaked() {
			t.Errorf("%s: %d units, leaked %v", c.Name, sinks[i].units.Load(), c.Leaked())
		}
		if n := c.Refused(); n > 2+int(length/firstRefused) {
			t.Errorf("%s: a wrong password was sent %d times", c.Name, n)
		}
	}
}

// FuzzSession: whatever a camera answers and sends, no goroutine of the library ends the
// program, and the try is over when the connection is.
func FuzzSession(f *testing.F) {
	const head = "RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: GET_PARAMETER\r\n\r\nRTSP/1.0 200 OK\r\nCSeq: 2\r\nContent-Type: application/sdp\r\nContent-Length: "
	all := func(sdp, rest string) []byte {
		return []byte(head + strconv.Itoa(len(sdp)) + "\r\n\r\n" + sdp +
			"RTSP/1.0 200 OK\r\nCSeq: 3\r\nSession: 1;timeout=6\r\nTransport: RTP/AVP/TCP;interleaved=0-1\r\n\r\nRTSP/1.0 200 OK\r\nCSeq: 4\r\n\r\n" + rest)
	}
	f.Add(all(hostile.SDP, "$\x00\x00\x10\x80\x60\x00\x01\x00\x00\x00\x00\x00\x00\x00\x07\x65\x88\x01\x02$\x01\x00\x1c\x80\xc8\x00\x06aaaabbbbccccddddeeeeffff"))
	f.Add(all("v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H265/90000\r\n", "$\x00\x00\x14\x90\x60\x00\x01\x00\x00\x00\x00\x00\x00\x00\x07\xbe\xde\x00\x00\x62\x01\x93\xaa"))
	f.Add([]byte("RTSP/1.0 401 No\r\nCSeq: 1\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"y\"\r\n\r\nTEARDOWN * RTSP/1.0\r\n\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		var camera sync.WaitGroup
		camera.Go(func() {
			for first := true; ; first = false {
				c, err := l.Accept()
				if err != nil {
					return
				}
				if first {
					answerAll(c, raw)
				}
				c.Close()
			}
		})
		s := &Source{Name: "R1", URL: "rtsp://a:b@" + l.Addr().String() + "/live", Stall: time.Second}
		if _, err := s.connect(t.Context(), &nobody{}); err == nil {
			t.Error("it ended without an error")
		}
		l.Close()
		camera.Wait()
	})
}

// answerAll answers a request after the other with what raw has, and ends.
func answerAll(c net.Conn, raw []byte) {
	_ = c.SetWriteDeadline(time.Now().Add(2 * time.Second))
	b := make([]byte, 4096)
	for i, m := range bytes.Split(raw, []byte("RTSP/1.0 ")) {
		if i > 0 {
			_ = c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
			_, _ = c.Read(b) // it may have asked for nothing more
			m = append([]byte("RTSP/1.0 "), m...)
		}
		if _, err := c.Write(m); err != nil {
			return
		}
	}
}
