package node

import (
	"os"
	"slices"
	"strings"
	"testing"

	"vision/internal/config"
)

// An administrator sees what is in force, that the file says something else by now,
// and why it cannot be used; no secret.
func TestTheConfigurationInForce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	h.seat("R1", "cam1", "")
	cfg, path := h.config()
	n := newNode(cfg, Options{})
	got := n.configuration()
	if got.File != path || got.Changed || len(got.Problems) > 0 {
		t.Errorf("%+v", got)
	}
	if i := slices.IndexFunc(got.Settings, func(s config.Setting) bool { return s.Key == "tables[0].token" }); i < 0 ||
		got.Settings[i].Value != config.Hidden {
		t.Errorf("the table's token: %+v", got.Settings)
	}
	for text, want := range map[string]struct {
		problem string
		changed bool
	}{
		strings.Replace(h.yaml.String(), "min: 500", "min: 600", 1):            {"", true},
		strings.Replace(h.yaml.String(), "ruleta_francesa", "no_such_game", 1): {"no_such_game", true},
		"tables: [": {"1:", false},
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got := n.configuration()
		all := strings.Join(got.Problems, "\n")
		if got.Changed != want.changed || (want.problem == "") != (all == "") || !strings.Contains(all, want.problem) ||
			strings.Contains(all, token) {
			t.Errorf("%q: changed %v, %q; want %+v", text[:20], got.Changed, all, want)
		}
	}
}
