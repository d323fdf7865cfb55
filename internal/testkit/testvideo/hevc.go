package testvideo

import (
	"bytes"
	"os/exec"
	"testing"
	"time"

	"vision/capture"
	"vision/capture/h265"
)

// HEVC is two seconds of H.265, 320×240, as x265 makes it, with one B-frame between two
// others where reordered. It needs ffmpeg, which the tests' packages have.
func HEVC(t testing.TB, start time.Time, reordered bool) []capture.Unit {
	t.Helper()
	params := "log-level=none:aud=1:repeat-headers=1:keyint=15:min-keyint=15:scenecut=0:open-gop=0:b-adapt=0:b-pyramid=0:bframes="
	params += map[bool]string{true: "1", false: "0"}[reordered]
	var said bytes.Buffer
	cmd := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=15:duration=2",
		"-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params", params, "-f", "hevc", "-")
	cmd.Stderr = &said
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, said.Bytes())
	}
	var out []capture.Unit
	for n := range bytes.SplitSeq(raw, []byte{0, 0, 1}) {
		if n = bytes.TrimRight(n, "\x00"); len(n) == 0 {
			continue
		}
		if h265.Type(n) == h265.TypeAUD {
			at := time.Duration(len(out)) * time.Second / FPS
			out = append(out, capture.Unit{Codec: capture.H265, PTS: at, Wall: start.Add(at)})
		}
		u := &out[len(out)-1]
		u.NALs = append(u.NALs, n)
		u.Key = u.Key || h265.Key([][]byte{n})
	}
	if reordered {
		swap(out)
	}
	return out
}

// swap gives pictures in decoding order I P b P b … of each GOP their times.
func swap(us []capture.Unit) {
	for g := 0; g < len(us); g += FPS {
		for i := 1; i+1 < FPS; i += 2 {
			us[g+i].PTS, us[g+i+1].PTS = us[g+i+1].PTS, us[g+i].PTS
			us[g+i].Wall, us[g+i+1].Wall = us[g+i+1].Wall, us[g+i].Wall
		}
	}
}
