package node

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vision/stream/acta"
	"vision/stream/jornada"
	"vision/stream/verify"
)

// stored are data folders as programs of the past wrote them, one a form of what is stored.
// A change of a form keeps those that are there and adds one: VISION_UPDATE=name writes
// NAME.tar.gz as the program of now has it.
const stored = "testdata/stored"

// small is a room of two tables that were opened, played at, and fill one acta.
func small(t *testing.T) *quick {
	q := &quick{t: t}
	q.seat("BJ1", "blackjack").play(t, 3*minute, 7, 2, 500, 50000)
	q.seat("PB1", "punto_banco").play(t, 3*minute, 8, 2, 500, 50000)
	return q
}

// What a program of the past has stored verifies, and a node of now goes on from it: with its
// alerts, its sessions and its duties; and what it adds verifies with the rest.
func TestWhatWasStoredIsStillRead(t *testing.T) {
	if name := os.Getenv("VISION_UPDATE"); name != "" && name != "1" {
		writeStored(t, filepath.Join(stored, name+".tar.gz"))
	}
	files, err := filepath.Glob(filepath.Join(stored, "*.tar.gz"))
	if err != nil || len(files) == 0 {
		t.Fatal("nothing is stored: ", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			q, dir := small(t), t.TempDir()
			cfg := q.configuration(dir)
			data := filepath.Join(dir, "data")
			if err := unpack(file, data); err != nil {
				t.Fatal(err)
			}
			before := sound(t, data)
			synctest.Test(t, func(t *testing.T) {
				q.t = t
				time.Sleep(19 * time.Hour) // the stored jornada began at 18
				for _, p := range q.tables {
					p.bouts = nil
				}
				stop := q.open(cfg)
				q.until(10 * time.Second)
				if alerts := q.n.desk.List(nil); len(alerts) == 0 {
					t.Error("no alert of the past is on the desk")
				}
				if st := q.n.floor.Status(); len(st.Assignments) != 1 || st.Assignments[0].Jefe != "ana" {
					t.Errorf("duties %+v", st.Assignments)
				}
				a, err := acta.Make(q.n.ledger.Since(0), acta.Request{Table: "BJ1", From: q.begun.Add(-2 * time.Hour), To: q.begun})
				if err != nil || a.Tables[0].Rounds.Judged != 2 || len(a.Tables[0].Session) != 2 {
					t.Errorf("%v: %+v", err, a)
				}
				stop()
			})
			if after := sound(t, data); after.Ledger.Entries <= before.Ledger.Entries || after.Segments < before.Segments {
				t.Errorf("before %d entries and %d recordings, after %d and %d", before.Ledger.Entries, before.Segments,
					after.Ledger.Entries, after.Segments)
			}
		})
	}
}

func sound(t *testing.T, data string) verify.Report {
	t.Helper()
	r, err := verify.Dir(data, verify.Options{})
	if err != nil || !r.OK {
		t.Fatalf("%v: %+v", err, r)
	}
	return r
}

func writeStored(t *testing.T, file string) {
	t.Helper()
	q, dir := small(t), t.TempDir()
	cfg := q.configuration(dir)
	synctest.Test(t, func(t *testing.T) {
		q.t = t
		time.Sleep(18 * time.Hour)
		stop := q.open(cfg)
		q.until(minute)
		q.assign("ana", "BJ1", "PB1")
		q.until(2 * minute)
		for _, p := range q.tables {
			q.say(p.id, jornada.Event{"type": "open", "float": 5_000_000, "limits": map[string]any{"min": 500, "max": 50000}}, false)
		}
		q.until(6 * minute)
		q.say("BJ1", jornada.Event{"type": "count", "amount": 4_000_000}, false) // does not agree
		q.until(7 * minute)
		stop()
	})
	if err := pack(filepath.Join(dir, "data"), file); err != nil {
		t.Fatal(err)
	}
}

// pack writes the files of a folder into a new archive.
func pack(dir, file string) (err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	z, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
	w := tar.NewWriter(z)
	defer func() { err = errors.Join(err, w.Close(), z.Close(), f.Close()) }()
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(b))}); err != nil {
			return err
		}
		_, err = w.Write(b)
		return err
	})
}

// unpack writes the files of an archive below a folder.
func unpack(file, dir string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		path := filepath.Join(dir, h.Name)
		if strings.Contains(h.Name, "..") {
			return errors.New(h.Name)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return err
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return err
		}
	}
}
