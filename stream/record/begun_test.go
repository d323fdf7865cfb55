package record

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
)

// left is a folder as a kill leaves it: two finished segments, and a third that is being written.
func left(t testing.TB, b *book) (dir, open string) {
	t.Helper()
	dir = t.TempDir()
	s := store(t, dir, b, Options{Segment: 2 * time.Second, Fragment: 200 * time.Millisecond})
	r := s.Recorder(cam.Table, cam.Camera)
	for _, u := range testvideo.Plain(start) {
		r.unit(u)
	}
	r.flush()
	if r.seg == nil {
		t.Fatal("no segment is open")
	}
	path := r.seg.path
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r.cut()
	// back to before it was finished
	b.entries = b.entries[:len(b.entries)-1]
	all, _ := filepath.Glob(filepath.Join(filepath.Dir(path), Unfinished(filepath.Base(path))[:22]+"*"))
	for _, f := range all {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, path
}

// What a kill left is finished by the next start; what somebody else put there, or changed, is
// named by the verifier, set aside with an entry, and never removed or shown as a recording.
func TestOnlyWhatThisNodeBeganIsTakenUp(t *testing.T) {
	finished := func(t *testing.T, dir string) string {
		all, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*.mp4"))
		if len(all) == 0 {
			t.Fatal("no finished segment")
		}
		return all[0]
	}
	read := func(t *testing.T, path string) []byte {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, c := range map[string]struct {
		// do returns the file and what is put there; nil: it stays as it is
		do      func(t *testing.T, dir, open string) (string, []byte)
		planted bool
	}{
		"as it was left": {func(_ *testing.T, _, open string) (string, []byte) { return open, nil }, false},
		"torn": {func(t *testing.T, _, open string) (string, []byte) {
			b := read(t, open)
			return open, b[:len(b)-markLen-5]
		}, false},
		"torn within its first box": {func(t *testing.T, _, open string) (string, []byte) { return open, read(t, open)[:20] }, true},
		"of another table": {func(t *testing.T, dir, open string) (string, []byte) {
			return filepath.Join(dir, "other", "main", filepath.Base(open)), read(t, open)
		}, true},
		"of another camera": {func(t *testing.T, dir, open string) (string, []byte) {
			return filepath.Join(dir, cam.Table, "second", filepath.Base(open)), read(t, open)
		}, true},
		"of another time": {func(t *testing.T, _, open string) (string, []byte) {
			return filepath.Join(filepath.Dir(open), "20200101T000000.000000Z.open"), read(t, open)
		}, true},
		"a finished one again": {func(t *testing.T, dir, _ string) (string, []byte) {
			f := finished(t, dir)
			return filepath.Join(dir, Unfinished(f[len(dir)+1:])), read(t, f)
		}, true},
		"a part of a finished one": {func(t *testing.T, dir, _ string) (string, []byte) {
			f := finished(t, dir)
			b := read(t, f)
			return filepath.Join(dir, Unfinished(f[len(dir)+1:])), b[:len(b)/2]
		}, true},
		"a picture changed": {func(t *testing.T, _, open string) (string, []byte) {
			b := read(t, open)
			b[len(b)/2] ^= 1
			return open, b
		}, true},
		"a box's length changed": {func(t *testing.T, _, open string) (string, []byte) {
			b := read(t, open)
			i := bytes.Index(b, []byte("moof"))
			b[i-4] = 0xff
			return open, b
		}, true},
		"a fragment cut out": {func(t *testing.T, _, open string) (string, []byte) {
			b := read(t, open)
			from := bytes.Index(b, []byte(markMagic)) - 8 + markLen
			to := from + bytes.Index(b[from:], []byte(markMagic)) - 8 + markLen
			return open, append(b[:from:from], b[to:]...)
		}, true},
		"without marks": {func(t *testing.T, _, open string) (string, []byte) {
			return open, bytes.ReplaceAll(read(t, open), []byte(markMagic), []byte("visnmark"))
		}, true},
		"no video": {func(_ *testing.T, dir, _ string) (string, []byte) {
			return filepath.Join(dir, "new", "main", "20200101T000000.000000Z.open"), []byte("hello")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := &book{}
			dir, open := left(t, b)
			path, raw := c.do(t, dir, open)
			if raw != nil {
				if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, raw, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			named := func() (what, all string) {
				v := NewVerifier()
				v.Signed = b.Signed
				for _, e := range b.entries {
					v.Entry(e)
				}
				_, problems, err := v.Check(dir, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range problems {
					all += p.String() + "\n"
					if filepath.Join(dir, filepath.FromSlash(strings.TrimSuffix(p.File, asideSuffix))) == path {
						what = p.What
					}
				}
				return what, all
			}
			if got, all := named(); (got == FileForeign) != c.planted {
				t.Errorf("the verifier says %q, of all %s", got, all)
			}
			s := store(t, dir, b, Options{})
			raw, err := os.ReadFile(path + asideSuffix)
			if c.planted != (err == nil) {
				t.Fatalf("set aside: %v", err)
			}
			_, err = os.Stat(path)
			if err == nil {
				t.Error("it has its old name")
			}
			got, all := named()
			if (got == FileAside) != c.planted || strings.Contains(all, FileForeign) || strings.Contains(all, FileUnlisted) {
				t.Errorf("after the start the verifier says %q, of all %s", got, all)
			}
			noted := 0
			for _, e := range b.entries {
				if e.Kind == ledger.Repair && strings.Contains(string(e.Payload), filepath.Base(path)+asideSuffix) {
					noted++
				}
			}
			if (noted == 1) != c.planted {
				t.Errorf("%d entries of what was set aside", noted)
			}
			if c.planted && len(raw) == 0 {
				t.Error("what was set aside is empty")
			}
			if _, there := s.shelf[Camera{"other", "main"}]; there {
				t.Error("the other table has a recording")
			}
		})
	}
}

// A kill between the ledger's entry and the final name leaves one recording, listed once.
func TestAListedFileGetsItsName(t *testing.T) {
	b := &book{}
	dir := t.TempDir()
	s := store(t, dir, b, Options{Segment: time.Second})
	r := s.Recorder(cam.Table, cam.Camera)
	for _, u := range testvideo.Plain(start) {
		r.Unit(u)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = r.Run(ctx)
	all, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*.mp4"))
	if err := os.Rename(all[2], filepath.Join(dir, Unfinished(all[2][len(dir)+1:]))); err != nil {
		t.Fatal(err)
	}
	before := len(b.entries)
	store(t, dir, b, Options{})
	if good, problems := b.check(t, dir); good != len(all) || len(problems) > 0 || len(b.entries) != before {
		t.Errorf("%d of %d good, %v, %d entries more", good, len(all), problems, len(b.entries)-before)
	}
}

// No foreign file ends the program, and none passes for one that is signed.
func FuzzReadMarks(f *testing.F) {
	b := &book{}
	dir, open := left(f, b)
	raw, err := os.ReadFile(open)
	if err != nil {
		f.Fatal(err)
	}
	name := filepath.ToSlash(open[len(dir)+1:])
	f.Add(raw[:2000])
	f.Add(raw[:len(raw)/3])
	f.Add([]byte("\x00\x00\x00\x60free" + markMagic))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := readMarks(bytes.NewReader(in), int64(len(in)), name, b.Signed)
		if err == nil && !bytes.Equal(in[:got.good], raw[:got.good]) {
			t.Errorf("%d bytes are called signed that are not", got.good)
		}
	})
}
