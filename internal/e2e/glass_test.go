package e2e

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/capture"
	"vision/capture/h264"
	"vision/capture/rtsp"
	"vision/internal/lab/load"
	"vision/internal/testkit/porttest"
)

// reel is a simulated camera's film, whose pictures bear their time, and which is
// served again and again as four RTSP cameras: these encode themselves, and so cost
// the machine nothing that a real camera would not.
type reel struct {
	units []capture.Unit // a whole number of groups, from a key picture on
	code  int64          // time that the first picture bears, ms since 1970
	begun time.Time      // when it was first sent
}

const reelFPS = 25

// film shoots the reel.
func (h *house) film(dir string) *reel {
	h.t.Helper()
	start := time.Now().UTC().Truncate(time.Second)
	mp4, raw := filepath.Join(dir, "reel.mp4"), filepath.Join(dir, "reel.h264")
	for _, cmd := range [][]string{
		{h.lab(), "sim", "--conditions", "ideal", "--games", "blackjack", "--out", mp4, "--rounds", "1", "--fps", fmt.Sprint(reelFPS), "--coded", "--speed", "6", "--start", start.Format(time.RFC3339)},
		{need(h.t, "ffmpeg"), "-v", "error", "-i", mp4, "-c", "copy", "-bsf:v", "h264_metadata=aud=insert", "-f", "h264", raw},
	} {
		if out, err := exec.CommandContext(h.t.Context(), cmd[0], cmd[1:]...).CombinedOutput(); err != nil {
			h.t.Fatalf("%q: %v\n%s", cmd, err, out)
		}
	}
	b, err := os.ReadFile(raw)
	if err != nil {
		h.t.Fatal(err)
	}
	r := &reel{code: start.UnixMilli()}
	for n := range bytes.SplitSeq(b, []byte{0, 0, 1}) {
		n = bytes.TrimRight(n, "\x00")
		switch {
		case len(n) == 0:
		case n[0]&0x1f == 9: // access unit delimiter
			r.units = append(r.units, capture.Unit{})
		case len(r.units) > 0:
			u := &r.units[len(r.units)-1]
			u.NALs, u.Key = append(u.NALs, n), u.Key || h264.Type(n) == h264.TypeIDR
		}
	}
	if len(r.units) < reelFPS || !r.units[0].Key {
		h.t.Fatalf("a film of %d pictures", len(r.units))
	}
	return r
}

// serve sends the reel to four cameras until ctx ends.
func (r *reel) serve(ctx context.Context, out []*rtsp.Stream) error {
	for n := 0; ; n++ {
		at := time.Duration(n) * time.Second / reelFPS
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Until(r.begun.Add(at))):
		}
		u := r.units[n%len(r.units)]
		u.PTS, u.Wall = at, r.begun.Add(at)
		for _, s := range out {
			if err := s.Write(u); err != nil {
				return err
			}
		}
	}
}

// delay is how long a picture took by what the page made of its code: the time
// that it bears is not that at which it was sent, but as much later at each turn of
// the reel.
func (r *reel) delay(told float64) float64 {
	turn := float64(len(r.units)) * 1000 / reelFPS
	d := math.Mod(told-float64(r.begun.UnixMilli()-r.code), turn)
	if d < 0 {
		d += turn
	}
	return d
}

// Four cameras of 1080p at 25 pictures a second, ten viewers of all four and a
// wall in a real browser: how long a picture takes from the camera to the screen,
// by the time that the simulator drew into it. Takes minutes and a quiet machine.
func TestGlassToGlass(t *testing.T) {
	if os.Getenv("VISION_TRIAL") != "all" {
		t.Skip("skipped: VISION_TRIAL=all measures the delay at 1080p")
	}
	viewers := 10
	if v := os.Getenv("VISION_VIEWERS"); v != "" {
		if _, err := fmt.Sscan(v, &viewers); err != nil {
			t.Fatal(err)
		}
	}
	h := newTools(t)
	dir := t.TempDir()
	console := porttest.Address(t)
	h.url = "http://" + console + "/"
	ids := []string{"T1", "T2", "T3", "T4"}
	film := h.film(dir)
	srv, err := rtsp.NewServer("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	var out []*rtsp.Stream
	for _, id := range ids {
		s, err := srv.Stream(id, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	shown := make(chan error, 1)
	film.begun = time.Now()
	go func() { shown <- film.serve(ctx, out) }()
	defer func() {
		cancel()
		if err := <-shown; err != nil {
			t.Error(err)
		}
	}()
	var b strings.Builder
	fmt.Fprintf(&b, "data: data\nlisten: %s\nwebrtc: {udp: '127.0.0.1:0'}\nsign_in: {factor: []}\naccounts: [{user: ana, role: jefe, password: '%s'}]\nbudget: 10\ntables:\n", console, hashed(t))
	for _, id := range ids {
		fmt.Fprintf(&b, "  - {id: %s, game: blackjack, min: 500, cameras: [{name: %s, url: '%s'}]}\n", id, id, srv.URL(id))
	}
	path := filepath.Join(dir, "vision.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h.start("run", "-c", path)
	h.up()
	tok, err := load.Token(ctx, h.url, "ana", password)
	if err != nil {
		t.Fatal(err)
	}
	var all []*load.Viewer
	for range viewers {
		v, err := load.View(ctx, h.url, tok, ids)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		all = append(all, v)
	}
	pictures := func() (n uint64) {
		for _, v := range all {
			n += v.Pictures()
		}
		return n
	}
	before, begun := pictures(), time.Now()
	uses := make(chan []load.Use, 1)
	go func() { u, _ := load.Watch(ctx, 30*time.Second); uses <- u }()
	var s struct {
		Delays []float64
		Bad    int
		Width  int
	}
	h.day(t, "glass", &s, "ana", "20")
	took := time.Since(begun).Seconds()
	if len(s.Delays) < 50 || s.Bad > len(s.Delays)/20 || s.Width != 1920 {
		t.Fatalf("%d pictures read, %d could not be, %d wide", len(s.Delays), s.Bad, s.Width)
	}
	for i, d := range s.Delays {
		s.Delays[i] = film.delay(d)
	}
	slices.Sort(s.Delays)
	at := func(p int) float64 { return s.Delays[(len(s.Delays)-1)*p/100] }
	t.Logf("load %s", loadavg())
	t.Logf("camera to screen, %d viewers of four cameras besides, %d pictures: p50 %.0f, p95 %.0f, max %.0f ms", viewers, len(s.Delays), at(50), at(95), at(100))
	if viewers > 0 {
		t.Logf("each viewer got %.1f pictures a second of each camera", float64(pictures()-before)/took/float64(4*viewers))
	}
	for _, u := range <-uses {
		if u.CPU > 0.02 {
			t.Logf("%-24s %.2f cores %d MB", u.Name, u.CPU, u.RSS/1e6)
		}
	}
	if at(50) > 250 || at(95) > 500 {
		t.Errorf("p50 %.0f and p95 %.0f ms; want 250 and 500", at(50), at(95))
	}
}

func loadavg() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return string(bytes.TrimSpace(b))
}

// newTools finds the product and what browsers need.
func newTools(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, node: need(t, "node"), chromium: need(t, "chromium", "chromium-browser")}
	if _, err := os.Stat("node_modules/playwright-core"); err != nil {
		t.Skip("skipped: needs playwright-core, which `make test` installs")
	}
	var err error
	if h.exe, err = product(); err != nil {
		t.Fatal(err)
	}
	return h
}
