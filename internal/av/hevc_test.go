package av

import (
	"testing"
	"time"

	"vision/capture"
	"vision/internal/testkit/testvideo"
)

// H.265 is decoded like H.264, in the order of showing, and one decoder goes from one
// camera's codec to another's.
func TestDecodeHEVC(t *testing.T) {
	start := time.Unix(1000, 0)
	for _, reordered := range []bool{false, true} {
		d, err := NewDecoder()
		if err != nil {
			t.Fatal(err)
		}
		var all []capture.Unit
		all = append(all, testvideo.HEVC(t, start, reordered)...)
		hevc := len(all)
		all = append(all, testvideo.Plain(start.Add(time.Minute))[:testvideo.FPS]...)
		var times []time.Time
		for _, u := range all {
			frames, err := d.Decode(u)
			if err != nil {
				t.Fatal(err)
			}
			times = append(times, taken(t, frames)...)
		}
		frames, err := d.Flush()
		if err != nil {
			t.Fatal(err)
		}
		times = append(times, taken(t, frames)...)
		d.Close()
		if len(times) != len(all) {
			t.Fatalf("reordered %v: %d pictures of %d units", reordered, len(times), len(all))
		}
		for i, at := range times[:hevc] {
			if want := start.Add(time.Duration(i) * time.Second / testvideo.FPS); at.Sub(want).Abs() > time.Microsecond {
				t.Fatalf("reordered %v: picture %d is of %v, want %v", reordered, i, at, want)
			}
		}
	}
}

// taken closes frames and returns their capture times.
func taken(t *testing.T, frames []*Frame) (out []time.Time) {
	t.Helper()
	for _, f := range frames {
		if f.W != 320 || f.H != 240 || f.Damaged {
			t.Errorf("picture of %d×%d, damaged %v", f.W, f.H, f.Damaged)
		}
		out = append(out, f.Wall)
		f.Close()
	}
	return out
}
