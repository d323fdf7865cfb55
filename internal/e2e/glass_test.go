package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/load"
)

// Four cameras of 1080p at 25 pictures a second, ten viewers of all four and a
// wall in a real browser: how long a picture takes from the camera to the screen,
// by the time that the simulator draws into it. Takes minutes and a quiet machine.
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
	console, cameras := freePort(t), freePort(t)
	h.url = "http://" + console + "/"
	ids := []string{"T1", "T2", "T3", "T4"}
	h.start("sim", "--games", "T1:blackjack,T2:blackjack,T3:blackjack,T4:blackjack", "--rtsp", cameras, "--fps", "25", "--coded", "--speed", "0.001")
	var b strings.Builder
	fmt.Fprintf(&b, "data: data\nlisten: %s\nwebrtc: {udp: '127.0.0.1:0'}\naccounts: [{user: ana, role: jefe, password: '%s'}]\ntables:\n", console, hashed(t))
	for _, id := range ids {
		fmt.Fprintf(&b, "  - {id: %s, game: blackjack, cameras: [{name: %s, url: 'rtsp://%s/%s'}]}\n", id, id, cameras, id)
	}
	path := filepath.Join(dir, "vision.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h.start("run", "-c", path)
	h.up()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
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

// newTools builds the product and finds what browsers need.
func newTools(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, node: need(t, "node"), chromium: need(t, "chromium", "chromium-browser"), exe: filepath.Join(t.TempDir(), "vision")}
	if _, err := os.Stat("node_modules/playwright-core"); err != nil {
		t.Skip("skipped: needs playwright-core, which `make test` installs")
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", h.exe, "vision/cmd/vision").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return h
}
