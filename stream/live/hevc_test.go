package live

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"vision/capture"
	"vision/internal/testkit/testvideo"
)

// A viewer that takes H.265 gets the camera's own bytes, and goes to a camera of H.264
// and back in one section.
func TestH265PassesToViewersThatTakeIt(t *testing.T) {
	st := newStudio("a", "b")
	us, other := testvideo.HEVC(t, time.Now(), false), testvideo.Plain(time.Now())
	st.send("a", us[:3]...)
	st.send("b", other[:3]...)
	_, h := serve(t, st, Options{})
	v := newViewer(t, viewerOptions{videos: 1, hevc: true})
	v.play(h.URL, "/whep/a", nil)
	got, _ := v.waitFor("a", 3)
	same265(t, got, us[:3])
	st.send("a", us[3:6]...)
	got, _ = v.waitFor("a", 6)
	same265(t, got, us[:6])
	<-v.opened
	say := func(camera string) {
		b, _ := json.Marshal(Wish{"show", 0, camera})
		if err := v.dc.SendText(string(b)); err != nil {
			t.Fatal(err)
		}
	}
	say("b")
	got, _ = v.waitFor("a", 9)
	sameUnits(t, got[6:], other[:3])
	say("a")
	got, ts := v.waitFor("a", 15)
	same265(t, got[9:], us[:6])
	for i := 1; i < len(ts); i++ {
		if int32(ts[i]-ts[i-1]) <= 0 {
			t.Fatalf("timestamp %d follows %d", ts[i], ts[i-1])
		}
	}
}

// same265 compares but for access unit delimiters, which packets do not carry.
func same265(t *testing.T, got [][][]byte, want []capture.Unit) {
	t.Helper()
	for i, u := range want {
		var a, b []string
		for _, n := range got[i] {
			a = append(a, string(n))
		}
		for _, n := range u.NALs {
			b = append(b, string(n))
		}
		if x, y := strings.Join(a, "|"), strings.Join(b, "|"); x != y {
			t.Fatalf("unit %d: %d NAL units of %d bytes, sent %d of %d", i, len(a), len(x), len(b), len(y))
		}
	}
}

// A viewer that does not take what the camera sends is shown the copy in H.264: one that
// has no H.265, one of B-frames of either codec, and one that sees B-frames only later.
func TestViewersGetTheCopyTheyCanPlay(t *testing.T) {
	now := time.Now()
	late := testvideo.Plain(now)[:4]
	late[3].PTS -= 2 * time.Second / testvideo.FPS
	for name, c := range map[string]struct {
		own  []capture.Unit
		hevc bool
		more []capture.Unit
	}{
		"no H.265":               {own: testvideo.HEVC(t, now, false)[:6]},
		"H.265 with B-frames":    {own: testvideo.HEVC(t, now, true)[:6], hevc: true},
		"H.264 with B-frames":    {own: testvideo.Reordered(now)[:6], hevc: true},
		"B-frames after a while": {own: late[:3], more: late[3:]},
	} {
		t.Run(name, func(t *testing.T) {
			st := newStudio("a", "a"+Plain)
			st.send("a", c.own...)
			copied := testvideo.Other(now)
			st.send("a"+Plain, copied[:2]...)
			_, h := serve(t, st, Options{})
			v := newViewer(t, viewerOptions{videos: 1, hevc: c.hevc})
			v.play(h.URL, "/whep/a", nil)
			before := 0
			if c.more != nil {
				v.waitFor("a", len(c.own))
				before = len(c.own)
				st.send("a", c.more...)
			}
			v.waitFor("a", before+2)
			st.send("a"+Plain, copied[2:5]...)
			got, _ := v.waitFor("a", before+5)
			sameUnits(t, got[before:], copied[:5])
			if n := st.viewers("a"); n != 0 {
				t.Errorf("%d take the camera's own stream too", n)
			}
		})
	}
}
