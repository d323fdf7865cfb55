package verify

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/testvideo"
	"vision/stream/ledger"
	"vision/stream/record"
)

// node makes the data folder of a node that recorded six segments.
func node(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, LedgerDir), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, err := record.Open(filepath.Join(dir, RecordingsDir), l, nil, record.Options{Segment: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Recorder("bj1", "main")
	for _, u := range testvideo.Plain(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) {
		r.Unit(u)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = r.Run(ctx) // writes what is queued and closes the segment
	return dir
}

func TestEvidence(t *testing.T) {
	ledgerFile := func(dir string) string {
		f, _ := filepath.Glob(filepath.Join(dir, LedgerDir, "*.jsonl"))
		return f[0]
	}
	segment := func(dir string, i int) string {
		f, _ := filepath.Glob(filepath.Join(dir, RecordingsDir, "*", "*", "*.mp4"))
		return f[i]
	}
	edit := func(t *testing.T, path string, f func([]byte) []byte) {
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, f(data), 0o640)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		do               func(t *testing.T, dir string)
		ok               bool
		ledger, segments string // what the problems say
	}{
		"untouched": {func(*testing.T, string) {}, true, "", ""},
		"entry changed": {func(t *testing.T, dir string) {
			edit(t, ledgerFile(dir), func(b []byte) []byte {
				return bytes.Replace(b, []byte(`"camera":"main"`), []byte(`"camera":"mine"`), 1)
			})
		}, false, "entry 1 changed", "unlisted"},
		"entry removed": {func(t *testing.T, dir string) {
			edit(t, ledgerFile(dir), func(b []byte) []byte {
				l := bytes.SplitAfter(b, []byte("\n"))
				return bytes.Join(append(l[:2:2], l[3:]...), nil)
			})
		}, false, "entry 3 removed", "unlisted"},
		"entries reordered": {func(t *testing.T, dir string) {
			edit(t, ledgerFile(dir), func(b []byte) []byte {
				l := bytes.SplitAfter(b, []byte("\n"))
				l[1], l[2] = l[2], l[1]
				return bytes.Join(l, nil)
			})
		}, false, "entry 2 reordered", ""},
		"ledger cut off": {func(t *testing.T, dir string) {
			edit(t, ledgerFile(dir), func(b []byte) []byte { l := bytes.SplitAfter(b, []byte("\n")); return bytes.Join(l[:5], nil) })
		}, false, "entry 6 truncated", "unlisted"},
		"segment changed": {func(t *testing.T, dir string) {
			edit(t, segment(dir, 3), func(b []byte) []byte { b[len(b)-1] ^= 1; return b })
		}, false, "", "changed (ledger entry 4)"},
		"segment removed": {func(t *testing.T, dir string) {
			if err := os.Remove(segment(dir, 3)); err != nil {
				t.Fatal(err)
			}
		}, false, "", "removed (ledger entry 4)"},
		"segments exchanged": {func(t *testing.T, dir string) {
			a, _ := os.ReadFile(segment(dir, 0))
			b, _ := os.ReadFile(segment(dir, 1))
			edit(t, segment(dir, 0), func([]byte) []byte { return b })
			edit(t, segment(dir, 1), func([]byte) []byte { return a })
		}, false, "", "changed (ledger entry 1)"},
		"segment slipped in": {func(t *testing.T, dir string) {
			b, _ := os.ReadFile(segment(dir, 0))
			if err := os.WriteFile(filepath.Join(filepath.Dir(segment(dir, 0)), "20250101T000000.000000Z_1000.mp4"), b, 0o640); err != nil {
				t.Fatal(err)
			}
		}, false, "", "unlisted"},
		"torn by a crash": {func(t *testing.T, dir string) {
			edit(t, ledgerFile(dir), func(b []byte) []byte { return append(b, `{"seq":7`...) })
			if err := os.WriteFile(filepath.Join(filepath.Dir(segment(dir, 0)), "20270101T000000.000000Z.open"), nil, 0o640); err != nil {
				t.Fatal(err)
			}
		}, true, "torn", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := node(t)
			c.do(t, dir)
			r, err := Dir(dir, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var led, seg []string
			for _, p := range r.Ledger.Problems {
				led = append(led, p.String())
			}
			for _, p := range r.Recordings {
				seg = append(seg, p.String())
			}
			for _, x := range []struct {
				got  []string
				want string
			}{{led, c.ledger}, {seg, c.segments}} {
				if x.want == "" && len(x.got) > 0 || x.want != "" && !strings.Contains(strings.Join(x.got, "\n"), x.want) {
					t.Errorf("%q, want %q", x.got, x.want)
				}
			}
			if r.OK != c.ok {
				t.Errorf("ok %v", r.OK)
			}
			if c.ok && r.Segments != 6 {
				t.Errorf("%d segments", r.Segments)
			}
		})
	}
}

func TestLedgerAloneAndNothing(t *testing.T) {
	dir := node(t)
	r, err := Dir(filepath.Join(dir, LedgerDir), Options{})
	if err != nil || !r.OK || r.Ledger.Entries != 6 || len(r.Notes) != 1 {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := Dir(t.TempDir(), Options{}); err == nil || !strings.Contains(err.Error(), "vision.yaml") {
		t.Errorf("nothing there: %v", err)
	}
}
