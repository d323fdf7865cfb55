package rtsp

import (
	"strings"
	"testing"
	"time"

	"vision/capture"
	"vision/internal/testkit/testvideo"
)

// H.265 comes through a connection as it was sent, its parameter sets before every key
// picture, also where the camera sends them once.
func TestH265PassesUntouched(t *testing.T) {
	srv := serve(t)
	st, err := srv.StreamH265("cam")
	if err != nil {
		t.Fatal(err)
	}
	us := testvideo.HEVC(t, time.Time{}, false)
	params := capture.H265.Parameters(us[0].NALs)
	e := run(t, &Source{Name: "one", URL: srv.URL("cam")})
	sent := 0
	e.wait(t, "units", func(e *eye) bool { // from a key picture on, as soon as the connection stands
		u := us[sent%len(us)]
		u.PTS = time.Duration(sent) * time.Second / testvideo.FPS
		u.Wall = time.Time{}
		if u.Key && len(e.units) > 0 {
			u.NALs = u.NALs[len(u.NALs)-1:]
		}
		sent++
		if err := st.Write(u); err != nil {
			t.Error(err)
		}
		return len(e.units) >= 3*testvideo.FPS
	})
	e.mu.Lock()
	defer e.mu.Unlock()
	slices := map[string]bool{}
	for _, u := range us {
		slices[string(u.NALs[len(u.NALs)-1])] = true
	}
	keys := 0
	for i, u := range e.units {
		if u.Codec != capture.H265 || !slices[string(u.NALs[len(u.NALs)-1])] {
			t.Fatalf("unit %d of %v was never sent", i, u.Codec)
		}
		if !u.Key {
			continue
		}
		keys++
		if n := len(u.NALs); n < 4 || !capture.H265.Parameters(u.NALs[:n-1]).Equal(params) {
			t.Errorf("unit %d: the parameter sets do not stand before the key picture", i)
		}
	}
	if keys < 2 {
		t.Errorf("%d key pictures", keys)
	}
}

// A camera that is set to another codec while it sends, and ends no connection, is asked
// again what it sends: its packets are no pictures of the codec that it announced.
func TestAnotherCodecInTheMiddle(t *testing.T) {
	for name, hevc := range map[string]bool{"to H.265": true, "to H.264": false} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t)
			pictures := map[bool][]capture.Unit{
				false: testvideo.Plain(time.Time{}), true: testvideo.HEVC(t, time.Time{}, false),
			}
			stream := func(hevc bool) *Stream {
				open := func() (*Stream, error) { return srv.Stream("cam", sps, pps) }
				if hevc {
					open = func() (*Stream, error) { return srv.StreamH265("cam") }
				}
				st, err := open()
				if err != nil {
					t.Fatal(err)
				}
				return st
			}
			st, us := stream(!hevc), pictures[!hevc]
			to := []*Stream{st}
			e := run(t, &Source{Name: "B2", URL: srv.URL("cam"), Stall: 500 * time.Millisecond})
			sent := 0
			write := func() {
				u := us[sent%len(us)]
				u.PTS, u.Wall = time.Duration(sent)*time.Second/testvideo.FPS, time.Time{}
				sent++
				for _, st := range to {
					if err := st.Write(u); err != nil {
						t.Error(err)
					}
				}
			}
			e.wait(t, "units", func(e *eye) bool { write(); return len(e.units) >= 10 })
			srv.mu.Lock()
			delete(srv.streams, "cam") // who is connected stays so
			srv.mu.Unlock()
			t.Cleanup(st.st.Close)
			now := stream(hevc)
			st.enc = now.enc
			to, us, sent = append(to, now), pictures[hevc], 0
			want := capture.H264
			if hevc {
				want = capture.H265
			}
			e.wait(t, "units of the other codec", func(e *eye) bool {
				write()
				u := e.units[len(e.units)-1]
				return u.Codec == want && e.states[len(e.states)-1].Up
			})
			e.mu.Lock()
			defer e.mu.Unlock()
			told := false
			for _, s := range e.states {
				told = told || s.Err != nil && strings.Contains(s.Err.Error(), "B2") &&
					strings.Contains(s.Err.Error(), "no picture of "+(1-want).String())
			}
			if !told {
				t.Errorf("nobody was told: %+v", e.states)
			}
		})
	}
}
