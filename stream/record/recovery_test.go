package record

import (
	"slices"
	"testing"
	"time"

	"vision/capture"
	"vision/internal/testkit/testvideo"
)

// refreshed is a stream that has one key picture, and a recovery point every second with
// this SEI message.
func refreshed(seconds int, sei []byte) []capture.Unit {
	plain := testvideo.Plain(start)
	var out []capture.Unit
	for i := range seconds * testvideo.FPS {
		u := plain[1+i%(testvideo.FPS-1)]
		u.Key = false
		if i == 0 {
			u = plain[0]
		} else if i%testvideo.FPS == 0 {
			u.NALs = slices.Concat([][]byte{{9, 0xf0}, sei}, u.NALs)
		}
		u.PTS = time.Duration(i) * time.Second / testvideo.FPS
		u.Wall = start.Add(u.PTS)
		out = append(out, u)
	}
	return out
}

// Where key pictures are rare, segments and clips begin at recovery points: an open group
// at once, gradual refresh where its pictures are right.
func TestRecoveryPointsAreEntries(t *testing.T) {
	for name, c := range map[string]struct {
		sei    []byte
		before time.Duration // how long before what was asked a clip begins at most
	}{
		"open group":            {[]byte{6, 6, 1, 0xc4, 0x80}, time.Second},     // recovery_frame_cnt 0
		"gradual refresh":       {[]byte{6, 6, 1, 0x2c, 0x80}, 2 * time.Second}, // 4 pictures
		"after another message": {[]byte{6, 5, 3, 1, 2, 3, 6, 1, 0xc4, 0x80}, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			b := &book{}
			s := store(t, t.TempDir(), b, Options{Segment: 4 * time.Second, Fragment: 500 * time.Millisecond})
			r := s.Recorder(cam.Table, cam.Camera)
			feed(r, refreshed(30, c.sei))
			r.cut()
			all := s.files(cam, start, start.Add(time.Hour))
			if len(all) < 6 || len(all) > 8 {
				t.Errorf("30 s in %d segments of 4 s", len(all))
			}
			for _, ms := range []int{5000, 9300, 14990, 21050} {
				from := start.Add(time.Duration(ms) * time.Millisecond)
				clip, err := s.Clip(cam, from, from.Add(3*time.Second))
				if err != nil {
					t.Fatal(err)
				}
				if d := from.Sub(clip.Start); d < 0 || d > c.before {
					t.Errorf("a clip from %d ms begins %v before", ms, d)
				}
				if d := clip.End.Sub(clip.Start); d > 6*time.Second {
					t.Errorf("a clip of 3 s is %v long", d)
				}
				_ = clip.Close()
			}
			if good, problems := b.check(t, s.dir); len(problems) > 0 || good != len(all) {
				t.Errorf("%d good, %v", good, problems)
			}
		})
	}
}
