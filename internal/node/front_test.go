package node

import (
	"testing"

	"vision/internal/config"
)

// A console that listens everywhere is opened on this machine by its name for itself.
func TestTheConsolesAddress(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:8080":  "http://127.0.0.1:8080/",
		"0.0.0.0:8080":    "http://localhost:8080/",
		"[::]:8080":       "http://localhost:8080/",
		":8080":           "http://localhost:8080/",
		"sala.casa:8443":  "http://sala.casa:8443/",
		"[fe80::1]:8080":  "http://[fe80::1]:8080/",
		"192.0.2.7:44021": "http://192.0.2.7:44021/",
	} {
		n := &Node{cfg: &config.Config{Listen: listen}}
		if got := n.URL(); got != want {
			t.Errorf("%s: %s, want %s", listen, got, want)
		}
	}
}
