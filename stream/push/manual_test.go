package push

import (
	"os"
	"strings"
	"testing"
	"vision/internal/config"
)

// The manual of the configuration says what a receiver is told that names no severity.
func TestTheManualsDefault(t *testing.T) {
	manual, err := os.ReadFile("../../docs/vision.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := New(Config{Webhooks: []config.Webhook{{URL: "https://hooks.casa.example"}}})
	if want := "without it: " + p.outs[0].severity; !strings.Contains(string(manual), want) {
		t.Errorf("the manual does not say %q", want)
	}
}
