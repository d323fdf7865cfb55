package local

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/capture/h264"
	"vision/internal/av"
)

func noLeak(t *testing.T) {
	t.Helper()
	before := av.Live()
	t.Cleanup(func() {
		if n := av.Live(); n != before {
			t.Errorf("%d objects leaked", n-before)
		}
	})
}

// movie makes 12 frames of a moving picture with ffmpeg.
func movie(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed")
	}
	path := filepath.Join(t.TempDir(), name)
	args = append([]string{"-v", "error", "-f", "lavfi", "-i", "testsrc2=size=322x182:rate=25", "-frames:v", "12"}, append(args, path)...)
	if out, err := exec.Command("ffmpeg", args...).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, out)
	}
	return path
}

// drain reads in to its end.
func drain(t *testing.T, in Input, limit int) []Picture {
	t.Helper()
	var out []Picture
	for len(out) < limit {
		p, err := in.Next(context.Background())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
		t.Cleanup(p.Close)
	}
	return out
}

func TestVideoFiles(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		pass bool // the file's own H.264
	}{
		{"plain.mp4", []string{"-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p"}, true},
		{"plain.ts", []string{"-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p"}, true},
		{"bframes.mkv", []string{"-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv420p"}, false},
		{"mjpeg.avi", []string{"-c:v", "mjpeg", "-q:v", "3"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			noLeak(t)
			start := time.Date(2026, 11, 21, 4, 0, 0, 0, time.UTC)
			in, err := Open(movie(t, c.name, c.args...), Options{Pictures: true, Units: true, Start: start})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			if got := in.(*file).pass; got != c.pass {
				t.Errorf("passed through: %v", got)
			}
			ps := drain(t, in, 100)
			if len(ps) != 12 {
				t.Fatalf("%d pictures, want 12", len(ps))
			}
			for i, p := range ps {
				if p.BGR.Ptr() == nil || p.BGR.Cols() != 322 || p.BGR.Rows() != 182 || len(p.Unit.NALs) == 0 || p.Damaged {
					t.Fatalf("picture %d: %+v", i, p)
				}
				want := time.Duration(i) * 40 * time.Millisecond
				if d := (p.PTS - want).Abs(); d > 2*time.Millisecond || !p.Wall.Equal(start.Add(p.PTS)) || p.Unit.PTS != p.PTS {
					t.Errorf("picture %d at %v, %v", i, p.PTS, p.Wall)
				}
				if h264.HasB(p.Unit.NALs) {
					t.Errorf("picture %d: B-frame", i)
				}
			}
			if !ps[0].Unit.Key {
				t.Error("does not begin with a key unit")
			}
		})
	}
}

func images(t *testing.T, sizes ...int) string {
	t.Helper()
	dir := t.TempDir()
	for i, n := range sizes {
		m := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(float64(40*i), 100, 50, 0), n, n, gocv.MatTypeCV8UC3)
		if !gocv.IMWrite(filepath.Join(dir, string(rune('a'+i))+".png"), m) {
			t.Fatal("image not written")
		}
		m.Close()
	}
	return dir
}

func TestFolder(t *testing.T) {
	noLeak(t)
	dir := images(t, 64, 64, 97) // the last with odd sides
	if err := os.WriteFile(filepath.Join(dir, "aa.jpg"), []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	var notes []string
	in, err := Open(
		dir,
		Options{
			FPS:      10,
			Loop:     true,
			Pictures: true,
			Units:    true,
			Note:     func(err error) { notes = append(notes, err.Error()) },
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	ps := drain(t, in, 6) // two turns
	if len(notes) < 1 || !strings.Contains(notes[0], "aa.jpg") {
		t.Errorf("notes %q", notes)
	}
	for i, p := range ps {
		if i > 0 && p.PTS <= ps[i-1].PTS {
			t.Errorf("picture %d: time stands still", i)
		}
		if want := []int{64, 64, 97}[i%3]; p.BGR.Cols() != want || len(p.Unit.NALs) == 0 {
			t.Errorf("picture %d: %d wide, want %d", i, p.BGR.Cols(), want)
		}
		if gap := i%3 == 1; p.Unit.Gap != gap {
			t.Errorf("picture %d: gap = %v", i, p.Unit.Gap)
		}
	}
	if !ps[2].Unit.Key {
		t.Error("another size without a key unit")
	}
}

func TestRealtime(t *testing.T) {
	in, err := Open(images(t, 32, 32, 32), Options{FPS: 20, Realtime: true, Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	begin := time.Now()
	drain(t, in, 3)
	if d := time.Since(begin); d < 99*time.Millisecond {
		t.Errorf("three pictures at 20 fps within %v", d)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := in.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of ctx: %v", err)
	}
}

func TestBadInputs(t *testing.T) {
	noLeak(t)
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(text, []byte("not a video at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "x.png"), []byte("\x89PNG oops"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ url, want string }{
		{filepath.Join(dir, "absent.mp4"), "want a device, a video file or a folder"},
		{"/dev/video987", "no such device"},
		{dir, "no images in the folder"},
		{text, "video file"},
		{"/dev/null", "camera /dev/null"},
		{broken, "none of its 1 images"},
	} {
		in, err := Open(c.url, Options{Pictures: true})
		if err == nil {
			_, err = in.Next(context.Background())
			in.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.url, err, c.want)
		}
	}
}

func TestCutFile(t *testing.T) {
	noLeak(t)
	path := movie(t, "cut.ts", "-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b[:len(b)*2/3], 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := Open(path, Options{Pictures: true, Units: true})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if n := len(drain(t, in, 100)); n < 3 || n > 11 {
		t.Errorf("%d pictures of two thirds of 12", n)
	}
}
