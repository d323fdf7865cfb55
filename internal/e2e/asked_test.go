package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vision/internal/testkit/porttest"
)

// At the opening and the closing of a table nobody is asked for what its game is not played with.
func TestAskedForWhatTheTableHas(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: starts a node and a browser; run without -short")
	}
	t.Parallel()
	h := newTools(t)
	console := porttest.Address(t)
	h.url = "http://" + console + "/"
	all := map[string]string{"packs": "cards", "deck_changed": "cards", "shuffle": "cards", "talla_begin": "shoe",
		"shoe_changed": "shoe", "shoe_left": "shoe", "dice": "dice", "dice_changed": "dice", "cover": "wheel"}
	tables := []struct{ id, game, has string }{
		{"BJ1", "blackjack", "cards shoe"}, {"CR1", "dados_craps", "dice"}, {"RU1", "ruleta_francesa", "wheel"},
		{"PO1", "holdem_circulo", "cards"},
	}
	var text strings.Builder
	fmt.Fprintf(&text, "data: data\nnorm: cantabria-2010\nlisten: %s\nwebrtc: {udp: '127.0.0.1:0'}\nsign_in: {factor: []}\n", console)
	fmt.Fprintf(&text, "accounts: [{user: ana, role: jefe, password: '%s'}]\nbudget: 10\ntables:\n", hashed(t))
	args := []string{}
	for _, x := range tables { // no camera is needed for what is said
		fmt.Fprintf(&text, "  - {id: %s, game: %s, min: 500, token: %s, cameras: [{name: %s, url: 'rtsp://%s/none'}]}\n", x.id, x.game, token, x.id, porttest.Address(t))
		args = append(args, x.id)
	}
	path := filepath.Join(t.TempDir(), "vision.yaml")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h.start("run", "-c", path)
	h.up()
	var s struct {
		Asked map[string]struct{ Opening, Steps, Closing []string }
	}
	h.day(t, "asked", &s, args...)
	for _, x := range tables {
		got := s.Asked[x.id]
		asked := slices.Concat(got.Opening, got.Steps, got.Closing)
		for _, what := range []string{"float", "fill", "close"} {
			if !slices.Contains(asked, what) {
				t.Errorf("%s: %q lacks", x.game, what)
			}
		}
		for what, of := range all {
			if want := slices.Contains(strings.Fields(x.has), of); slices.Contains(asked, what) != want {
				t.Errorf("%s: %s is asked for: %v, want %v; all that is asked: %q", x.game, what, !want, want, asked)
			}
		}
	}
}
