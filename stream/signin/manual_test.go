package signin

import (
	"os"
	"strings"
	"testing"
	"vision/internal/config"
)

// What the manual of the configuration says of keys that are left out is what holds.
func TestTheManualsDefaults(t *testing.T) {
	manual, err := os.ReadFile("../../docs/vision.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(config.OIDC{Issuer: "https://login.casa.example"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"name; without it: " + p.cfg.User, "role; without it: " + p.cfg.Claim, "Without it: [" + strings.Join(p.cfg.Strong, ", ") + "]"} {
		if !strings.Contains(string(manual), want) {
			t.Errorf("the manual does not say %q", want)
		}
	}
}
