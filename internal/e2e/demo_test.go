package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vision/internal/testkit/porttest"
)

// Who tries the product out may change the demonstration's file and have it read again from
// the page of the configuration, as at a house's own node.
func TestTheDemonstrationsFileIsReadAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: starts the demonstration; run without -short")
	}
	t.Parallel()
	exe, err := product()
	if err != nil {
		t.Fatal(err)
	}
	console, dir := porttest.Address(t), t.TempDir()
	h := &house{t: t, exe: exe, url: "http://" + console + "/"}
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, h.lab(), "demo", "--data", dir, "--listen", console, "--size", "640x360", "--fps", "4")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); _ = cmd.Wait() })
	secret := ""
	for lines := bufio.NewScanner(out); secret == "" && lines.Scan(); {
		_, secret, _ = strings.Cut(lines.Text(), "first account: admin, password ")
	}
	secret, _, _ = strings.Cut(secret, " ")
	h.up()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar}
	res, err := c.PostForm(h.url+"login", url.Values{"user": {"admin"}, "password": {secret}})
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	var now struct {
		Rereads, Changed bool
		Problems         []string
	}
	if h.get(t, c, "api/v1/configuration", &now); !now.Rereads || now.Changed {
		t.Fatalf("the file of the demonstration: %+v; want one that can be read again", now)
	}
	path := filepath.Join(dir, "vision.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte("Ruleta 1"), []byte("Ruleta del fondo")), 0o600); err != nil {
		t.Fatal(err)
	}
	if h.get(t, c, "api/v1/configuration", &now); !now.Changed || len(now.Problems) > 0 {
		t.Fatalf("a file that was changed: %+v", now)
	}
	res, err = c.Post(h.url+"api/v1/configuration", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	h.await("the table's new name", func() bool {
		res, err := c.Get(h.url + "api/v1/tables")
		if err != nil {
			return false
		}
		defer res.Body.Close()
		var tables []struct{ ID, Name string }
		if json.NewDecoder(res.Body).Decode(&tables) != nil {
			return false
		}
		for _, x := range tables {
			if x.ID == "RU1" {
				return x.Name == "Ruleta del fondo"
			}
		}
		return false
	})
}
