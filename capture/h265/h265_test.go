package h265_test

import (
	"testing"
	"time"

	"vision/capture"
	"vision/capture/h265"
	"vision/internal/testkit/testvideo"
)

// What x265 makes is understood: where it can be begun, its size, its B-frames.
func TestInspectOfARealStream(t *testing.T) {
	for _, reordered := range []bool{false, true} {
		us := testvideo.HEVC(t, time.Time{}, reordered)
		for i, u := range us {
			if want := i%testvideo.FPS == 0; u.Key != want {
				t.Errorf("unit %d: key %v", i, u.Key)
			}
		}
		p := capture.H265.Parameters(us[0].NALs)
		i, err := h265.Inspect(p.SPS())
		if err != nil {
			t.Fatal(err)
		}
		if i.Width != 320 || i.Height != 240 || i.FPS != testvideo.FPS || i.Reorders != reordered {
			t.Errorf("reordered %v: %+v", reordered, i)
		}
		if v, err := capture.H265.Inspect(p.SPS()); err != nil || v.Reorders != reordered ||
			(v.Problem != nil) != reordered || v.Codec != capture.H265 {
			t.Errorf("reordered %v: %+v, %v", reordered, v, err)
		}
	}
}

func FuzzInspect(f *testing.F) {
	f.Add([]byte{0x42, 1, 1, 1, 0x60, 0, 0, 3, 0, 0x90, 0, 0, 3, 0, 0, 3, 0, 0x3c,
		0xa0, 0x0a, 8, 0xf, 0x16, 0x59, 0x59, 0xa4, 0x93, 0x2b})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, sps []byte) {
		i, err := h265.Inspect(sps)
		if err == nil && (i.Width <= 0 || i.Height <= 0 || i.Width > 16384 || i.Height > 16384) {
			t.Errorf("%+v", i)
		}
		_ = h265.Key([][]byte{sps})
		_ = capture.H265.Parameters([][]byte{sps})
	})
}
