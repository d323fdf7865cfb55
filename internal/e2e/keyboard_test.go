package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vision/internal/testkit/porttest"
)

// Every page can be used by keyboard alone: all that can be used is reached, in the
// order of the page, one sees where one is, and gets out again.
func TestKeyboardAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: starts a node and a browser; run without -short")
	}
	t.Parallel()
	h := newTools(t)
	console := porttest.Address(t)
	h.url = "http://" + console + "/"
	path := filepath.Join(t.TempDir(), "vision.yaml")
	// The camera is not there: its alerts and problems are something to go through.
	text := fmt.Sprintf("data: data\nlisten: %s\nwebrtc: {udp: '127.0.0.1:0'}\nsign_in: {factor: []}\naccounts: [{user: adela, role: admin, password: '%s'}]\n"+
		"tables: [{id: BJ1, game: blackjack, min: 500, token: %s, cameras: [{name: BJ1, url: 'rtsp://%s/none'}]}]\n", console, hashed(t), token, porttest.Address(t))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h.start("run", "-c", path)
	h.up()
	var s struct {
		Pages map[string]struct {
			N             int
			Missed, Dim   []string
			Ordered, Back bool
		}
		Stays string
	}
	h.day(t, "keyboard", &s, "adela", token)
	if len(s.Pages) != 13 || s.Stays != "language" {
		t.Errorf("%d pages; after its button was pressed the focus was at %q", len(s.Pages), s.Stays)
	}
	for page, p := range s.Pages {
		if p.N < 2 || len(p.Missed) > 0 || len(p.Dim) > 0 || !p.Ordered || !p.Back {
			t.Errorf("%s: %+v", page, p)
		}
	}
}
