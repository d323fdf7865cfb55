package rtsp

import (
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
