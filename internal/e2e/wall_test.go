// Package e2e tests the whole product as its users meet it.
package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program builds the product once for a test.
func program(t *testing.T) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "vision")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", exe, "vision/cmd/vision").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return exe
}

// need finds a tool, or skips the test and says so.
func need(t *testing.T, names ...string) string {
	t.Helper()
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	t.Skipf("skipped: needs %s, which `make test` installs", names[0])
	return ""
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// demo starts the demonstration and returns where its console is and the first
// password.
func demo(t *testing.T, exe string, args ...string) (url, password string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, exe, append([]string{"demo", "--data", t.TempDir(), "--listen", freePort(t)}, args...)...)
	var log bytes.Buffer
	cmd.Stderr = &log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		cmd.Wait()
		if t.Failed() {
			b := log.Bytes()
			t.Logf("demo said:\n%s", b[max(0, len(b)-6000):])
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "console: "); ok {
			url = rest
		}
		if _, rest, ok := strings.Cut(lines.Text(), "password "); ok {
			password, _, _ = strings.Cut(rest, " ")
			break
		}
	}
	if url == "" || password == "" {
		t.Fatalf("the demonstration did not start: %v", lines.Err())
	}
	go func() { // keep its pipe empty
		for lines.Scan() {
		}
	}()
	return url, password
}

// What wall.mjs saw.
type seen struct {
	SentToLogin bool   `json:"sentToLogin"`
	Tables      int    `json:"tables"`
	Decoded     []int  `json:"decoded"`
	Shown       string `json:"shown"`
	Article     string `json:"article"`
	Alert       struct {
		ID, Code, ES, Rule string
		Delay              float64 // ms from the chips at rest to the alert in the page
	} `json:"alert"`
	Clip struct {
		Seconds float64 `json:"seconds"`
		Width   int     `json:"width"`
	} `json:"clip"`
	Acknowledged struct{ By, Outcome string } `json:"acknowledged"`
	Full         string                       `json:"full"`
	Errors       []string                     `json:"errors"`
	Failed       string                       `json:"failed"`
}

// A jefe de mesa's first minutes: log in, four live tables, a wrong payment
// arrives, its clip plays, it is acknowledged.
func TestTheWallInARealBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: takes minutes; run without -short")
	}
	node := need(t, "node")
	chromium := need(t, "chromium", "chromium-browser")
	if _, err := os.Stat("node_modules/playwright-core"); err != nil {
		t.Skip("skipped: needs playwright-core, which `make test` installs")
	}
	url, password := demo(t, program(t), "--faults", "1", "--only", "pay_under,pay_over", "--speed", "1.5", "--fps", "8", "--seed", "7")
	shot := filepath.Join(t.TempDir(), "wall.png")
	if keep := os.Getenv("VISION_SCREENSHOT"); keep != "" {
		shot = keep
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, node, "wall.mjs", url, "admin", password, shot, chromium).Output()
	var s seen
	if e := json.Unmarshal(out, &s); e != nil {
		t.Fatalf("wall.mjs: %v, %v\n%s", err, e, out)
	}
	t.Logf("%s", out)
	if s.Failed != "" {
		t.Fatal(s.Failed)
	}
	if !s.SentToLogin || s.Tables != 4 || len(s.Decoded) != 4 {
		t.Errorf("log in and four tables: %+v", s)
	}
	if s.Shown != s.Alert.ES || !strings.Contains(s.Shown, "€") || !strings.Contains(s.Article, "cantabria-2010") {
		t.Errorf("the alert says %q, %q; want the sentence with amounts and the article", s.Shown, s.Article)
	}
	if s.Alert.Delay > 2000 {
		t.Errorf("the alert came %.0f ms after the chips were at rest; want at most 2000", s.Alert.Delay)
	}
	if s.Clip.Width != 1920 || s.Clip.Seconds < 2 {
		t.Errorf("clip %+v", s.Clip)
	}
	if s.Acknowledged.By != "admin" || s.Acknowledged.Outcome != "corrected" {
		t.Errorf("acknowledged %+v", s.Acknowledged)
	}
	if s.Full != "punto_banco" {
		t.Errorf("key 2 shows %q alone", s.Full)
	}
	for _, e := range s.Errors {
		t.Errorf("the page complained: %s", e)
	}
}
