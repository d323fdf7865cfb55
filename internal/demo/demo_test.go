package demo

import "testing"

// Whoever has the console from another machine has its video from there, too.
func TestVideoIsWhereTheConsoleIs(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:8080": "127.0.0.1:0", "localhost:8080": "localhost:0", "192.0.2.5:80": "192.0.2.5:0", "[fd00::2]:80": "[fd00::2]:0",
		":8080": ":0", "0.0.0.0:8080": ":0", "[::]:8080": ":0",
	} {
		d, err := New(Options{Data: t.TempDir(), Listen: listen})
		if err != nil {
			t.Errorf("%s: %v", listen, err)
			continue
		}
		if got := d.Config.WebRTC.UDP; got != want {
			t.Errorf("the console at %s: video at %q; want %q", listen, got, want)
		}
	}
}
