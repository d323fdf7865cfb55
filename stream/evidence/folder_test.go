package evidence_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/testvideo"
	"vision/stream/evidence"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/stream/verify"
)

// data is a node's data folder with a minute of two tables, left by a node that
// has ended; the first picture's time is returned.
func data(t *testing.T) (dir string, begin time.Time) {
	t.Helper()
	dir, begin = t.TempDir(), time.Now().Add(-2*time.Minute).UTC().Truncate(time.Second)
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := record.Open(filepath.Join(dir, "recordings"), l, nil, record.Options{Segment: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"BJ1", "R1"} {
		r := s.Recorder(id, "cam-"+id)
		for _, u := range testvideo.Loop(testvideo.Plain(begin), 10) {
			r.Unit(u)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_ = r.Run(ctx) // writes what waits, and ends
		if _, err := l.Append(ledger.Round, id, map[string]string{"id": id + "-1"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, begin
}

// A case made from the folder is sealed, in the ledger, and its zip checks against
// the key that was kept; it can be written again, byte for byte the same records.
func TestACaseFromTheFolder(t *testing.T) {
	dir, begin := data(t)
	f, err := evidence.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Tables(); !slices.Equal(got, []string{"BJ1", "R1"}) {
		t.Errorf("tables %v", got)
	}
	c := evidence.New("Pago dudoso", "ana", []string{"R1", "BJ1", "R1"}, begin.Add(20*time.Second), begin.Add(45*time.Second), "")
	if err := f.Make(c); err != nil {
		t.Fatal(err)
	}
	if _, err := evidence.OpenFolder(dir); err == nil {
		t.Error("opened twice")
	}
	zip := filepath.Join(t.TempDir(), "case.zip")
	write := func(c evidence.Case) {
		t.Helper()
		out, err := os.Create(zip)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Write(t.Context(), c, "ana", out), out.Close()); err != nil {
			t.Fatal(err)
		}
		key, err := ledger.ReadPublicKey(filepath.Join(dir, "ledger", ledger.PublicKeyFile))
		if err != nil {
			t.Fatal(err)
		}
		r, err := verify.Case(zip, verify.Options{Key: key})
		if err != nil || !r.OK || r.ID != c.ID || r.By != "ana" || r.Segments < 6 || r.Entries < 8 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	write(c)
	again, err := f.Find(c.ID)
	if err != nil || again.Title != c.Title || !again.From.Equal(c.From) {
		t.Fatalf("%+v, %v", again, err)
	}
	write(again)
	if _, err := f.Find("none"); err == nil {
		t.Error("found a case that was never made")
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := verify.Dir(dir, verify.Options{})
	if err != nil || !r.OK {
		t.Errorf("the folder afterwards: %+v, %v", r, err)
	}
	seals, err := os.ReadFile(filepath.Join(dir, "recordings", "seals.json"))
	if err != nil || strings.Count(string(seals), c.ID) != 2 {
		t.Errorf("seals %s, %v", seals, err)
	}
}

func TestWhatCannotBeACase(t *testing.T) {
	dir, begin := data(t)
	f, err := evidence.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for name, c := range map[string]evidence.Case{
		"a table nobody knows": evidence.New("x", "ana", []string{"X9"}, begin, begin.Add(time.Minute), ""),
		"no table":             evidence.New("x", "ana", nil, begin, begin.Add(time.Minute), ""),
		"no title":             evidence.New("", "ana", []string{"BJ1"}, begin, begin.Add(time.Minute), ""),
		"the end first":        evidence.New("x", "ana", []string{"BJ1"}, begin, begin.Add(-time.Minute), ""),
		"a day":                evidence.New("x", "ana", []string{"BJ1"}, begin, begin.Add(24*time.Hour), ""),
	} {
		if err := f.Make(c); err == nil {
			t.Errorf("%s: was made", name)
		}
	}
	empty := t.TempDir()
	if _, err := evidence.OpenFolder(empty); !errors.Is(err, evidence.ErrNoFolder) {
		t.Errorf("an empty folder: %v", err)
	}
	if left, err := os.ReadDir(empty); err != nil || len(left) != 0 {
		t.Errorf("left %v in it, %v", left, err)
	}
}
