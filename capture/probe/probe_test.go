package probe

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vision/capture"
	"vision/internal/testkit/testvideo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tape is a camera that sends these units and then waits, or ends with an error.
type tape struct {
	units []capture.Unit
	state *capture.State
	err   error
}

func (c tape) Run(ctx context.Context, sink capture.Sink) error {
	if c.state != nil {
		sink.State(*c.state)
	}
	for _, u := range c.units {
		sink.Unit(u)
	}
	if c.err != nil {
		return c.err
	}
	<-ctx.Done()
	return ctx.Err()
}

func TestCamerasAreDescribed(t *testing.T) {
	start := time.Unix(0, 0)
	gap := testvideo.Plain(start)
	gap[20].Gap = true
	for name, c := range map[string]struct {
		src    tape
		codec  string
		b      bool
		gop    int
		advice []string // what is said, in this order; the plain test stream is 4:4:4
	}{
		"small, plain":    {tape{units: testvideo.Plain(start)}, "H.264", false, testvideo.FPS, []string{"progressive", "25 pictures", "1920×1080"}},
		"H.264, B-frames": {tape{units: testvideo.Reordered(start)}, "H.264", true, testvideo.FPS, []string{"B-frames", "25 pictures", "1920×1080"}},
		"H.265":           {tape{units: testvideo.HEVC(t, start, false)}, "H.265", false, testvideo.FPS, []string{"H.265", "25 pictures", "1920×1080"}},
		"losses":          {tape{units: gap}, "H.264", false, testvideo.FPS, []string{"progressive", "25 pictures", "1920×1080", "Data are lost"}},
		"bad clock": {tape{units: testvideo.Plain(start), state: &capture.State{Up: true, Clock: errors.New("stand still")}}, "H.264", false, testvideo.FPS,
			[]string{"progressive", "25 pictures", "1920×1080", "NTP"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Camera(t.Context(), c.src, 50*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			if r.Codec != c.codec || r.Width != 320 || r.Height != 240 || r.BFrames != c.b || r.GOP != c.gop {
				t.Errorf("%+v", r)
			}
			if len(r.Advice) != len(c.advice) {
				t.Fatalf("advice %+v, want %q", r.Advice, c.advice)
			}
			for i, a := range r.Advice {
				if !strings.Contains(a.EN, c.advice[i]) || a.ES == "" {
					t.Errorf("advice %d: %+v, want %q", i, a, c.advice[i])
				}
			}
		})
	}
}

// Few pictures and rare key pictures are told.
func TestSlowCamerasAreTold(t *testing.T) {
	r := Report{Codec: "H.264", Width: 1920, Height: 1080, FPS: 1}
	r.advise(capture.Video{}, 30)
	if len(r.Advice) != 2 || !strings.Contains(r.Advice[0].EN, "6 pictures") || !strings.Contains(r.Advice[1].EN, "key picture") {
		t.Errorf("%+v", r.Advice)
	}
	good := Report{Codec: "H.264", Width: 1920, Height: 1080, FPS: 25, GOP: 50}
	if good.advise(capture.Video{}, 10); len(good.Advice) != 0 {
		t.Errorf("a good camera: %+v", good.Advice)
	}
}

func TestACameraThatFailsSaysWhy(t *testing.T) {
	_, err := Camera(t.Context(), tape{state: &capture.State{Err: errors.New("the camera refuses user or password")}, err: errors.New("over")}, time.Second)
	if err == nil || !strings.Contains(err.Error(), "refuses user or password") {
		t.Errorf("%v", err)
	}
}

// cuts is a camera whose connection ends twice.
type cuts struct{ tape }

func (c cuts) Run(ctx context.Context, sink capture.Sink) error {
	for i, u := range c.units {
		if i == 20 || i == 40 {
			sink.State(capture.State{Err: errors.New("cut")})
			sink.State(capture.State{Err: errors.New("nobody there")})
			u.Gap = true
		}
		sink.Unit(u)
	}
	<-ctx.Done()
	return ctx.Err()
}

func TestCutsAreCalledCuts(t *testing.T) {
	r, err := Camera(t.Context(), cuts{tape{units: testvideo.Plain(time.Unix(0, 0))}}, 50*time.Millisecond)
	if err != nil || r.Cuts != 2 || r.Losses != 0 || len(r.Advice) == 0 ||
		!strings.Contains(r.Advice[len(r.Advice)-1].EN, "was cut 2 times") {
		t.Errorf("%+v, %v", r, err)
	}
}
