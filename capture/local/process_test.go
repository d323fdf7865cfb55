package local

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/capture"
	"vision/capture/camera"
	"vision/internal/testkit/children"
)

// makeFolder makes a folder of n pictures, and a file among them that is none.
func makeFolder(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	img := gocv.NewMatWithSize(120, 160, gocv.MatTypeCV8UC3)
	defer img.Close()
	for i := range n {
		gocv.Rectangle(&img, image.Rect(0, 0, 160, 120), color.RGBA{uint8(i * 20), 80, 40, 0}, -1)
		if !gocv.IMWrite(filepath.Join(dir, fmt.Sprintf("%03d.png", i)), img) {
			t.Fatal("cannot write a picture")
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "002b.png"), []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestACameraProcessDeliversAFolder(t *testing.T) {
	var notes []string
	start := time.Unix(1000, 0)
	src := camera.New(camera.Config{Name: "files", URL: makeFolder(t, 8), FPS: 10, Every: true, Start: start,
		Note: func(err error) { notes = append(notes, err.Error()) }})
	u := src.Units(t.Context())
	defer u.Close()
	n := 0
	for {
		x, err := u.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 && (!x.Key || !x.Wall.Equal(start)) {
			t.Errorf("first unit: key %v, at %v", x.Key, x.Wall)
		}
		n++
	}
	if n != 8 || len(notes) != 1 || !strings.Contains(notes[0], "002b.png") {
		t.Errorf("%d units, notes %q", n, notes)
	}
}

type sink struct {
	mu     sync.Mutex
	units  int
	states []capture.State
	cancel func()
}

func (s *sink) Unit(capture.Unit) { s.mu.Lock(); s.units++; s.mu.Unlock() }

func (s *sink) State(st capture.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.states = append(s.states, st); st.Err != nil {
		s.cancel()
	}
}

func TestACameraThatIsNotThereIsNamed(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	s := &sink{cancel: cancel}
	err := camera.New(camera.Config{Name: "usb1", URL: "/dev/video77"}).Run(ctx, s)
	if !errors.Is(err, context.Canceled) || len(s.states) == 0 {
		t.Fatalf("run: %v, states %v", err, s.states)
	}
	if got := s.states[0].Err.Error(); !strings.Contains(got, "usb1") || !strings.Contains(got, "/dev/video77") {
		t.Errorf("said %q", got)
	}
	u := camera.New(camera.Config{Name: "usb1", URL: "/no/such/file.mp4", Every: true}).Units(t.Context())
	defer u.Close()
	if _, err := u.Next(t.Context()); err == nil || !strings.Contains(err.Error(), "/no/such/file.mp4") {
		t.Errorf("missing file: %v", err)
	}
}

// The test program is its own camera process.
func TestMain(m *testing.M) {
	children.Main(m, map[string]func(context.Context) error{camera.Subcommand: Main})
}
