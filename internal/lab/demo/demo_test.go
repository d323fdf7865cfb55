package demo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vision/internal/config"
)

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

// A table that somebody added is there at the next start, too, with all that is set for it.
func TestAnAddedTableStays(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "vision.yaml")
	start := func() *Demo {
		t.Helper()
		d, err := New(Options{Data: dir, Listen: "127.0.0.1:8080"})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := start()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	own := config.Table{ID: "BJ9", Game: "blackjack", Name: "Mesa nueve", Min: 500, Max: 10000,
		Cameras: []config.Camera{{Name: "BJ9", URL: "rtsp://192.0.2.9/1", Transport: "tcp"}}}
	if text, err = config.AddTable(text, own); err != nil {
		t.Fatal(err)
	}
	text = append(text, "    token: a-token-of-its-own\n"...) // as somebody writes it by hand
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	added, err := first.Load()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		again := start()
		if n := len(again.Config.Tables); n != len(Games)+1 {
			t.Fatalf("%d tables after another start; want %d", n, len(Games)+1)
		}
		got, want := again.Config.Tables[len(Games)], added.Tables[len(Games)]
		same := func(a, b config.Camera) bool { return a.URL == b.URL && a.Transport == b.Transport }
		if got.ID != want.ID || got.Name != want.Name || got.Min != want.Min || got.Max != want.Max ||
			got.Token != want.Token || got.Token == "" ||
			!slices.EqualFunc(got.Cameras, want.Cameras, same) {
			t.Errorf("the added table is now %+v; want %+v", got, want)
		}
	}
}

// What cannot be read is begun anew, and kept.
func TestAFileThatCannotBeReadIsKept(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "vision.yaml")
	if err := os.WriteFile(file, []byte("tables: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := New(Options{Data: dir, Listen: "127.0.0.1:8080"})
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(file + ".old")
	if len(d.Config.Tables) != len(Games) || err != nil || !strings.HasPrefix(string(old), "tables: [") {
		t.Errorf("%d tables; the old file: %q, %v", len(d.Config.Tables), old, err)
	}
}
