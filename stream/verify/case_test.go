package verify

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/testvideo"
	"vision/stream/evidence"
	"vision/stream/ledger"
	"vision/stream/record"
)

// evening is a node's evidence: two tables recorded for half a minute, rounds,
// an alert with its acknowledgement, a third table that is none of the case's.
type evening struct {
	ledger *ledger.Ledger
	store  *record.Store
	begin  time.Time
	x      *evidence.Exporter
	c      evidence.Case
}

func newEvening(t testing.TB) *evening {
	t.Helper()
	dir := t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, LedgerDir), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s, err := record.Open(filepath.Join(dir, RecordingsDir), l, nil, record.Options{Segment: 6 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	e := &evening{
		ledger: l,
		store:  s,
		begin:  time.Now().Add(-time.Minute).UTC().Truncate(time.Second),
		x: &evidence.Exporter{Ledger: l, Store: s,
			Cameras: func() []record.Camera { return []record.Camera{{Table: "BJ2", Camera: "never"}} }},
	}
	for _, table := range []string{"BJ1", "BJ2", "R1"} {
		rec := s.Recorder(table, "top")
		for _, u := range testvideo.Loop(testvideo.Plain(e.begin), 5) {
			rec.Unit(u)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_ = rec.Run(ctx)
		e.put(t, ledger.Round, table, map[string]any{"id": table + "-r1"})
		e.put(t, ledger.Alert, table, map[string]any{"id": table + "/a", "at": e.begin.Add(8 * time.Second), "state": "open"})
		e.put(t, ledger.Alert, table, map[string]any{"id": table + "/old", "at": e.begin.Add(-time.Hour), "state": "open"})
		e.put(t, ledger.Operator, "", map[string]any{"user": "ana", "action": "note", "object": table + "/a", "text": "nota de " + table})
	}
	e.c = evidence.Case{
		ID:     "c1",
		Title:  "Pago dudoso",
		By:     "eva",
		Made:   time.Now().UTC(),
		Tables: []string{"BJ1", "BJ2"},
		From:   e.begin.Add(3 * time.Second),
		To:     e.begin.Add(14 * time.Second),
	}
	return e
}

func (e *evening) put(t testing.TB, kind ledger.Kind, table string, payload any) {
	t.Helper()
	if _, err := e.ledger.Append(kind, table, payload); err != nil {
		t.Fatal(err)
	}
}

func (e *evening) export(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := e.x.Write(t.Context(), e.c, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func check(t testing.TB, raw []byte, opts Options) (CaseReport, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "case.zip")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return Case(path, opts)
}

func TestACaseIsWhole(t *testing.T) {
	e := newEvening(t)
	raw := e.export(t)
	r, err := check(t, raw, Options{Key: e.ledger.Public()})
	if err != nil || !r.OK {
		t.Fatalf("%v %+v", err, r)
	}
	if r.Segments != 6 || r.ID != "c1" || r.By != "eva" || r.OwnKey { // three of six seconds at each of two tables
		t.Errorf("%+v", r)
	}
	files := unzip(t, raw)
	lines := string(files[evidence.EntriesFile])
	for _, want := range []string{"BJ1-r1", "BJ2-r1", "BJ1/a", "nota de BJ1", "nota de BJ2"} {
		if !strings.Contains(lines, want) {
			t.Errorf("the ledger's lines lack %s", want)
		}
	}
	// Whole names: a bare R1 is found in one base64 signature of many.
	for _, none := range []string{`"R1"`, "R1-r1", "R1/a", "nota de R1", "BJ1/old"} {
		if strings.Contains(lines, none) {
			t.Errorf("the ledger's lines hold %s, which is none of the case's", none)
		}
	}
	var m evidence.Manifest
	if err := json.Unmarshal(files[evidence.ManifestFile], &m); err != nil || len(m.Clips) != 3 {
		t.Fatalf("%v %+v", err, m)
	}
	if c := m.Clips[0]; c.From.After(e.c.From) || c.To.Before(e.c.To.Add(-10*time.Millisecond)) || files[c.File] == nil ||
		len(c.Gaps) != 0 {
		t.Errorf("clip %v from %v to %v, gaps %v", c.File, c.From, c.To, c.Gaps)
	}
	if c := m.Clips[2]; c.Camera.Camera != "never" || c.File != "" || len(c.Gaps) != 1 {
		t.Errorf("a camera without recording: %+v", c)
	}
	if own, err := check(t, raw, Options{}); err != nil || !own.OK || !own.OwnKey {
		t.Errorf("with the key inside: %v %+v", err, own)
	}
}

func unzip(t testing.TB, raw []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if out[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func rezip(t testing.TB, files map[string][]byte, twice string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	put := func(name string) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(files[name])
	}
	for name := range files {
		put(name)
	}
	if twice != "" {
		put(twice)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTamperingWithACaseIsFound(t *testing.T) {
	e := newEvening(t)
	raw := e.export(t)
	other := newEvening(t)
	segment := ""
	for name := range unzip(t, raw) {
		if strings.HasPrefix(name, evidence.SegmentsDir) {
			segment = name
		}
	}
	flip := func(name string) func(map[string][]byte) {
		return func(f map[string][]byte) { f[name][len(f[name])/2] ^= 1 }
	}
	for _, c := range []struct {
		name   string
		change func(map[string][]byte)
		twice  string
		says   string
	}{
		{"segment changed", flip(segment), "", segment + " was changed"},
		{"manifest changed", flip(evidence.ManifestFile), "", "not signed"},
		{"signature changed", flip(evidence.SignatureFile), "", "not signed"},
		{"signature removed", func(f map[string][]byte) { delete(f, evidence.SignatureFile) }, "", "is missing"},
		{"line changed", flip(evidence.EntriesFile), "", evidence.EntriesFile + " was changed"},
		{"segment removed", func(f map[string][]byte) { delete(f, segment) }, "", "was removed"},
		{"file slipped in", func(f map[string][]byte) { f["recordings/BJ1/top/new.mp4"] = []byte("x") }, "", "slipped in"},
		{"file twice", func(map[string][]byte) {}, segment, "twice"},
		{"re-zipped only", func(map[string][]byte) {}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := unzip(t, raw)
			c.change(files)
			r, err := check(t, rezip(t, files, c.twice), Options{Key: e.ledger.Public()})
			if err != nil {
				t.Fatal(err)
			}
			if r.OK != (c.says == "") || !strings.Contains(strings.Join(r.Problems, "\n"), c.says) {
				t.Errorf("%+v; want %q", r, c.says)
			}
		})
	}
	t.Run("another node's key", func(t *testing.T) {
		if r, err := check(t, raw, Options{Key: other.ledger.Public()}); err != nil || r.OK {
			t.Errorf("%v %+v", err, r)
		}
	})
	t.Run("manifest signed again by who holds no ledger key", func(t *testing.T) {
		files := unzip(t, raw)
		files[segment][100] ^= 1
		r, err := check(t, rezip(t, files, ""), Options{})
		if err != nil || r.OK {
			t.Errorf("%v %+v", err, r)
		}
	})
	for name, raw := range map[string][]byte{"no zip": []byte("PK nothing"), "broken off": raw[:len(raw)/2], "no case": rezip(t, map[string][]byte{"a": nil}, "")} {
		if _, err := check(t, raw, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestExportsThatMakeNoSense(t *testing.T) {
	e := newEvening(t)
	for _, change := range []func(*evidence.Case){
		func(c *evidence.Case) { c.Title = "" }, func(c *evidence.Case) { c.Tables = nil },
		func(c *evidence.Case) { c.To = c.From },
		func(c *evidence.Case) { c.To = c.From.Add(evidence.MaxSpan + time.Second) },
		func(c *evidence.Case) { c.Note = strings.Repeat("x", 5000) },
	} {
		c := e.c
		change(&c)
		if err := e.x.Write(t.Context(), c, io.Discard); err == nil {
			t.Errorf("%+v was exported", c)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.x.Write(ctx, e.c, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody wants it any more: %v", err)
	}
	if err := e.x.Write(t.Context(), e.c, failing{}); err == nil {
		t.Error("a full disk made a case")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// A foreign zip is judged or refused, and never brings the verifier down.
func FuzzCase(f *testing.F) {
	e := newEvening(f)
	f.Add(e.export(f)[:2000])
	f.Add(
		rezip(
			f,
			map[string][]byte{
				evidence.ManifestFile:  []byte("{}"),
				evidence.SignatureFile: []byte("AA=="),
				ledger.PublicKeyFile:   []byte("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"),
			},
			"",
		),
	)
	f.Fuzz(func(t *testing.T, raw []byte) {
		if r, err := check(t, raw, Options{Key: e.ledger.Public()}); err == nil && r.OK {
			t.Fatal("accepted")
		}
	})
}
