package peers

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"vision/capture"
	"vision/capture/h264"
	"vision/capture/rtsp"
	"vision/internal/backoff"
)

// Rate of all cameras: pictures a second, and pictures from one key picture to the next.
const (
	rate  = 25
	group = 50
)

// film makes ten seconds of noise over a moving pattern, as a camera of 4 Mbit/s sends it:
// baseline, without B-frames. It needs ffmpeg.
func film(ctx context.Context, size string) ([]capture.Unit, error) {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "ffmpeg", "-v", "error", "-f", "lavfi", "-i", fmt.Sprintf("testsrc2=size=%s:rate=%d:duration=10", size, rate),
		"-vf", "noise=alls=6:allf=t,format=yuv420p", "-c:v", "libx264", "-profile:v", "baseline", "-preset", "veryfast", "-g", fmt.Sprint(group),
		"-b:v", "4M", "-maxrate", "4M", "-bufsize", "4M", "-x264-params", "aud=1:scenecut=0:repeat-headers=1", "-f", "h264", "-")
	cmd.Stderr = &said
	raw, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ffmpeg makes the cameras' film: %w: %s", err, said.Bytes())
	}
	return units(raw), nil
}

// units cuts an Annex B stream at its access unit delimiters.
func units(raw []byte) (out []capture.Unit) {
	for n := range bytes.SplitSeq(raw, []byte{0, 0, 1}) {
		if n = bytes.TrimRight(n, "\x00"); len(n) == 0 {
			continue
		}
		if h264.Type(n) == h264.TypeAUD {
			out = append(out, capture.Unit{})
			continue
		}
		if len(out) > 0 {
			u := &out[len(out)-1]
			u.NALs = append(u.NALs, n)
			u.Key = u.Key || h264.Key([][]byte{n})
		}
	}
	return out
}

// tailSize is how many last bytes of a picture tell it: however it is cut into packets,
// the last one ends so.
const tailSize = 24

type tail [tailSize]byte

func tailOf(b []byte) (t tail) {
	copy(t[:], b[max(0, len(b)-tailSize):])
	return t
}

// cameras send the film, each from another place in it, and remember when.
type cameras struct {
	srv  *rtsp.Server
	urls []string

	mu   sync.Mutex
	sent []map[tail]time.Time // by camera, of each picture when it was sent last
}

// shoot has so many cameras send the film until ctx ends.
func shoot(ctx context.Context, run *sync.WaitGroup, film []capture.Unit, n int) (*cameras, error) {
	srv, err := rtsp.NewServer("127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &cameras{srv: srv, sent: make([]map[tail]time.Time, n)}
	for i := range n {
		name := fmt.Sprintf("cam%d", i)
		s, err := srv.Stream(name, nil, nil)
		if err != nil {
			srv.Close()
			return nil, err
		}
		c.urls, c.sent[i] = append(c.urls, srv.URL(name)), map[tail]time.Time{}
		run.Go(func() { c.run(ctx, s, i, film) })
	}
	return c, nil
}

func (c *cameras) run(ctx context.Context, s *rtsp.Stream, i int, film []capture.Unit) {
	begun := time.Now()
	for k := i * group; ; k++ {
		u := film[k%len(film)]
		at := time.Duration(k-i*group) * time.Second / rate
		if backoff.Sleep(ctx, time.Until(begun.Add(at))) != nil {
			return
		}
		u.PTS, u.Wall = at, time.Now()
		c.mu.Lock()
		c.sent[i][tailOf(u.NALs[len(u.NALs)-1])] = u.Wall
		c.mu.Unlock()
		if s.Write(u) != nil {
			return
		}
	}
}

// sentAt is when a camera sent the picture that ends so.
func (c *cameras) sentAt(i int, t tail) (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.sent[i][t]
	return at, ok
}
