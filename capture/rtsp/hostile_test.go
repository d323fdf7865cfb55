package rtsp

import (
	"strings"
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
			whole(t, e.units)
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
			if capture.H264.Picture(n) {
				slices++
				firsts += int(n[1] >> 7)
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

// A keep-alive that is asked for a new proof gives it, also where every request is.
func TestKeepAlivesLogInAgain(t *testing.T) {
	for _, uses := range []int{1, 3} {
		cam := hostile.New(t, hostile.Quirk{User: "a:right", Account: "a:right", Login: `Digest realm="x", nonce="NONCE", qop="auth"`, NonceUses: uses})
		e := run(t, &Source{Name: "R1", URL: cam.URL()})
		e.wait(t, "two keep-alives", func(e *eye) bool { return cam.KeptAlive() >= 2 })
		if cam.Refused() > 0 || cam.Connections() != 1 {
			t.Errorf("%d wrong passwords, %d connections", cam.Refused(), cam.Connections())
		}
	}
}
