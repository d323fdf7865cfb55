package worker

import (
	"context"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/capture"
	"vision/capture/h264"
	"vision/capture/transcode"
	"vision/internal/av"
	"vision/internal/testkit/children"
	"vision/internal/testkit/testvideo"
)

// The test program is its own transcoder.
func TestMain(m *testing.M) {
	children.Main(m, map[string]func(context.Context) error{
		transcode.Subcommand: func(ctx context.Context) error { return Main(ctx, nil) },
	})
}

// tape is a subscription that holds some units and then nothing more.
type tape struct{ units chan capture.Unit }

func (t *tape) Next(ctx context.Context) (capture.Unit, error) {
	select {
	case u := <-t.units:
		return u, nil
	case <-ctx.Done():
		return capture.Unit{}, ctx.Err()
	}
}

func (*tape) Close() {}

// sink takes what the process makes.
type sink struct{ units chan capture.Unit }

func (s sink) Unit(u capture.Unit) { s.units <- u }
func (s sink) State(capture.State) {}

// Both codecs, with B-frames and without, come out as H.264 that every browser plays:
// every picture, in the order of showing, with the time at which it was taken.
func TestAllPicturesComeOutPlain(t *testing.T) {
	start := time.Unix(5000, 0)
	for name, us := range map[string][]capture.Unit{
		"H.265": testvideo.HEVC(t, start, false), "H.265 with B-frames": testvideo.HEVC(t, start, true),
		"H.264 with B-frames": testvideo.Reordered(start)[:2*testvideo.FPS],
	} {
		t.Run(name, func(t *testing.T) {
			in, out := &tape{make(chan capture.Unit, len(us))}, sink{make(chan capture.Unit, 2*len(us))}
			for _, u := range us {
				in.units <- u
			}
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() {
				done <- transcode.Run(ctx, transcode.Config{Name: "one", Open: func() capture.Units { return in }}, out)
			}()
			defer func() { cancel(); <-done }()
			// The decoder holds back what may have to be reordered.
			for i := range len(us) - 3 {
				var u capture.Unit
				select {
				case u = <-out.units:
				case <-time.After(3 * time.Minute):
					t.Fatalf("%d pictures of %d", i, len(us))
				}
				want := time.Duration(i) * time.Second / testvideo.FPS
				if u.Codec != capture.H264 || h264.HasB(u.NALs) || u.PTS.Round(time.Millisecond) != want.Round(time.Millisecond) {
					t.Fatalf("picture %d: %v at %v, want %v", i, u.Codec, u.PTS, want)
				}
				if i == 0 {
					v, err := capture.H264.Inspect(capture.H264.Parameters(u.NALs).SPS())
					if err != nil || !u.Key || v.Problem != nil || v.Width != 320 || v.Height != 240 {
						t.Fatalf("the first: key %v, %+v, %v", u.Key, v, err)
					}
				}
			}
		})
	}
}

// Pictures wider than a screen of a wall are made smaller, and nothing leaks.
func TestWidePicturesAreMadeSmaller(t *testing.T) {
	before := av.Live()
	enc, err := av.NewEncoder(2560, 1440, 25, av.EncoderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(40, 90, 30, 0), 1440, 2560, gocv.MatTypeCV8UC3)
	u, err := enc.Encode(img, 0)
	enc.Close()
	img.Close()
	if err != nil {
		t.Fatal(err)
	}
	u.Key = true
	dec, err := av.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{dec: dec, full: gocv.NewMat(), small: gocv.NewMat()}
	frames, err := dec.Decode(u)
	if err != nil || len(frames) != 1 {
		t.Fatalf("%d pictures, %v", len(frames), err)
	}
	if err := w.encoder(frames[0]); err != nil {
		t.Fatal(err)
	}
	out, err := w.encode(frames[0])
	frames[0].Close()
	w.close()
	if err != nil {
		t.Fatal(err)
	}
	v, err := capture.H264.Inspect(capture.H264.Parameters(out.NALs).SPS())
	if err != nil || v.Width != 1920 || v.Height != 1080 {
		t.Errorf("%+v, %v", v, err)
	}
	if n := av.Live(); n != before {
		t.Errorf("%d coders and pictures are still open", n-before)
	}
}
