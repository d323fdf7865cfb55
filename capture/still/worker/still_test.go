package worker

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"vision/capture"
	"vision/capture/still"
	"vision/internal/testkit/children"
	"vision/internal/testkit/testvideo"
)

// The test program is its own process that decodes.
func TestMain(m *testing.M) {
	children.Main(m, map[string]func(context.Context) error{
		still.Subcommand: func(context.Context) error { return Serve(os.Stdin, os.Stdout) },
	})
}

func tool(t *testing.T) still.Tool {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return still.Tool{Command: []string{exe, still.Subcommand}}
}

// A camera's stream gives a whole picture of its size; one that has ended before, too.
func TestAPictureIsTakenOfAStream(t *testing.T) {
	feed := capture.NewFeed("one", nil, nil)
	for _, u := range testvideo.Plain(time.Now()) {
		feed.Unit(u)
	}
	video, _ := feed.Video()
	feed.Finish()
	sub := feed.Subscribe(8)
	defer sub.Close()
	b, err := tool(t).Take(t.Context(), sub)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil || img.Width != video.Width || img.Height != video.Height || img.Width == 0 {
		t.Errorf("%d×%d, %v; the stream is %d×%d", img.Width, img.Height, err, video.Width, video.Height)
	}
}

// Where no picture comes, or what comes is none, that is said.
func TestNoPictureIsTaken(t *testing.T) {
	silent := capture.NewFeed("none", nil, nil)
	silent.Finish()
	sub := silent.Subscribe(8)
	defer sub.Close()
	if _, err := tool(t).Take(t.Context(), sub); !errors.Is(err, still.ErrNone) {
		t.Errorf("a camera that sends nothing: %v", err)
	}
	var out strings.Builder
	for what, in := range map[string]string{"no JSON": "{", "no unit": `{"units":["AAAA"]}`, "nothing": `{}`} {
		out.Reset()
		if err := Serve(strings.NewReader(in), &out); err != nil || !strings.Contains(out.String(), `"error"`) {
			t.Errorf("%s: %q, %v", what, &out, err)
		}
	}
}
