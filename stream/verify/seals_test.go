package verify

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vision/internal/testkit/testvideo"
	"vision/stream/ledger"
	"vision/stream/record"
)

// sealed is a node's data folder of which two spans are sealed and a third was released.
func sealed(t *testing.T) string {
	t.Helper()
	dir := node(t)
	l, err := ledger.Open(filepath.Join(dir, LedgerDir), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, err := record.Open(filepath.Join(dir, RecordingsDir), l, nil, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 3 {
		from := at.Add(time.Duration(i) * time.Second)
		if err := s.Seal(
			record.SealSpan{Table: "bj1", From: from, To: from.Add(time.Second), By: "ana", Why: "case 7"},
		); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Release("bj1", at, at.Add(time.Second), "ana"); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Whatever is done to the list of seals is found, and the next start goes by the ledger.
func TestSealsAreThoseOfTheLedger(t *testing.T) {
	for name, do := range map[string]func(string) string{
		"untouched": func(s string) string { return s },
		"emptied":   func(string) string { return "[]" },
		"null":      func(string) string { return "null" },
		"no JSON":   func(s string) string { return s[:len(s)/2] },
		"removed":   func(string) string { return "" },
		"cut short": func(s string) string { return strings.Replace(s, "00:00:03", "00:00:02.5", 1) },
		"table":     func(s string) string { return strings.Replace(s, "bj1", "bj2", 1) },
		"who":       func(s string) string { return strings.Replace(s, "ana", "eva", 1) },
		"added": func(s string) string {
			return strings.Replace(s, "[", `[{"table":"bj9","from":"2026-01-01T00:00:00Z","to":"2027-01-01T00:00:00Z"},`, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := sealed(t)
			path := filepath.Join(dir, RecordingsDir, "seals.json")
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if text := do(string(whole)); text == "" {
				err = os.Remove(path)
			} else {
				err = os.WriteFile(path, []byte(text), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			r, err := Dir(dir, Options{})
			if err != nil || r.OK != (name == "untouched") ||
				!r.OK && !strings.Contains(r.Recordings[0].String(), "seals.json is not what the ledger says") {
				t.Fatalf("ok %v, %v, %v", r.OK, r.Recordings, err)
			}
			l, err := ledger.Open(filepath.Join(dir, LedgerDir), ledger.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			s, err := record.Open(filepath.Join(dir, RecordingsDir), l, nil, record.Options{})
			if err != nil {
				t.Fatal(err)
			}
			told := record.NewVerifier()
			for e := range l.Since(0) {
				told.Entry(e)
			}
			if err := s.Believe(told.Seals()); err != nil || len(s.Seals()) != 2 {
				t.Errorf("%d seals, %v", len(s.Seals()), err)
			}
			if r, err := Dir(dir, Options{}); err != nil || !r.OK {
				t.Errorf("afterwards: %v, %v", r.Recordings, err)
			}
		})
	}
}

// While a node records, seals and removes, nothing is called wrong that is not.
func TestARunningNodeIsAsItIsWritten(t *testing.T) {
	dir := node(t)
	l, err := ledger.Open(filepath.Join(dir, LedgerDir), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, err := record.Open(
		filepath.Join(dir, RecordingsDir),
		l,
		nil,
		record.Options{Segment: time.Second, MaxBytes: 1 << 20, MinFree: -1},
	)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC); ; at = at.Add(time.Minute) {
			select {
			case <-stop:
				return
			default:
			}
			r := s.Recorder("bj1", "main")
			for _, u := range testvideo.Plain(at) {
				r.Unit(u)
			}
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			_ = r.Run(ctx)
			s.Tidy()
			if err := s.Seal(record.SealSpan{Table: "bj2", From: at, To: at.Add(time.Second)}); err != nil {
				t.Error(err)
			}
		}
	})
	for range 6 {
		r, err := Dir(dir, Options{})
		if err != nil || !r.OK {
			t.Errorf("%v, %v, %v", r.Ledger.Problems, r.Recordings, err)
		}
	}
	close(stop)
	wg.Wait()
}

// A recording that no entry knows is named wherever it lies below the recordings.
func TestPlantedRecordingsAreNamed(t *testing.T) {
	for _, name := range []string{"x.mp4", "bj1/x.mp4", "bj1/main/20260101T000000.000000Z_5.mp4", "bj1/main/x.MP4", "bj1/main/more/x.mp4", "new/camera/x.mp4", "x.open"} {
		dir := node(t)
		path := filepath.Join(dir, RecordingsDir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("video"), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := Dir(dir, Options{}); err != nil || r.OK || len(r.Recordings) != 1 || r.Recordings[0].File != name {
			t.Errorf("%s: %v, %v, %v", name, r.OK, r.Recordings, err)
		}
	}
}
