package record

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"vision/capture"
	"vision/internal/testkit/testvideo"
)

// H.265 is recorded as it comes, with a sample description that Apple's players take too
// (hvc1), and FFmpeg decodes all of it, B-frames or none. A camera that is switched from
// one codec to the other begins another segment.
func TestH265IsRecordedAsItComes(t *testing.T) {
	for _, reordered := range []bool{false, true} {
		s := store(t, t.TempDir(), &book{}, Options{})
		r := s.Recorder(cam.Table, cam.Camera)
		us := testvideo.HEVC(t, start, reordered)
		feed(r, us)
		feed(r, later(testvideo.Plain(start), 2*time.Second, 2*time.Second))
		r.cut()
		if n := s.Usage()[0].Segments; n != 2 {
			t.Errorf("%d segments of two codecs", n)
		}
		if got, want := decoded(t, s, start, start.Add(1990*time.Millisecond)), fmt.Sprintf("hevc,hvc1,%d\n", len(us)); got != want {
			t.Errorf("reordered %v: ffprobe says %q, want %q", reordered, got, want)
		}
	}
}

// decoded is what ffprobe says of a clip: codec, tag, pictures.
func decoded(t *testing.T, s *Store, from, to time.Time) string {
	t.Helper()
	c, err := s.Clip(cam, from, to)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	path := filepath.Join(t.TempDir(), "clip.mp4")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(f, c); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	out, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-show_entries",
		"stream=codec_name,codec_tag_string,nb_read_frames", "-of", "csv=p=0", path).CombinedOutput()
	if err != nil {
		t.Fatalf("ffprobe: %v: %s", err, out)
	}
	return string(out)
}

// A parameter set that only one of two key units brings is kept for the other.
func TestParametersOfH265AreKept(t *testing.T) {
	us := testvideo.HEVC(t, start, false)
	p := capture.H265.Parameters(us[0].NALs)
	if !p.Whole() || len(p) != 3 {
		t.Fatalf("parameters of the first unit: %d", len(p))
	}
	var bare [][]byte
	for _, n := range us[testvideo.FPS].NALs {
		if capture.H265.Picture(n) {
			bare = append(bare, n)
		}
	}
	us[testvideo.FPS].NALs = bare
	s := store(t, t.TempDir(), &book{}, Options{})
	r := s.Recorder(cam.Table, cam.Camera)
	feed(r, us)
	r.cut()
	if n := s.Usage()[0].Segments; n != 1 {
		t.Errorf("%d segments, want one", n)
	}
}
