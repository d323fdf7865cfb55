package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	if os.Getenv("LEDGER_CHILD") != "" {
		appendUntilKilled()
		return
	}
	goleak.VerifyTestMain(m)
}

func open(t testing.TB, dir string, opts Options) *Ledger {
	t.Helper()
	l, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func fill(t testing.TB, l *Ledger, n int) {
	t.Helper()
	for i := range n {
		if _, err := l.Append(Round, "bj1", map[string]int{"n": i}); err != nil {
			t.Fatal(err)
		}
	}
}

func clean(t testing.TB, dir string) Report {
	t.Helper()
	r, err := Verify(dir, VerifyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Problems) > 0 {
		t.Fatalf("problems: %v", r.Problems)
	}
	return r
}

func TestAppendAndRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	l := open(t, dir, Options{})
	fill(t, l, 3)
	e, err := l.Append(Verdict, "bj1", json.RawMessage(`{"a": "<b>&",  "n":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if e.Seq != 4 || l.Head() != (Head{4, e.Hash}) {
		t.Fatalf("seq %d, head %v", e.Seq, l.Head())
	}
	var got []Entry
	for e, err := range l.Since(2) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	if len(got) != 2 || got[0].Seq != 3 || got[1].Kind != Verdict || got[1].Prev != got[0].Hash || got[1].Table != "bj1" {
		t.Fatalf("got %+v", got)
	}
	var p struct{ A string }
	if err := json.Unmarshal(got[1].Payload, &p); err != nil || p.A != "<b>&" {
		t.Fatalf("payload %s: %v", got[1].Payload, err)
	}
	if r := clean(t, dir); r.Entries != 4 || r.Head != l.Head().String() {
		t.Fatalf("report %+v", r)
	}
	if st, err := os.Stat(dir + ".key"); err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("key file: %v %v", st.Mode(), err)
	}
}

func TestReopenContinues(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	for i := range 5 {
		l := open(t, dir, Options{})
		if l.Head().Seq != uint64(2*i) {
			t.Fatalf("run %d begins at %d", i, l.Head().Seq)
		}
		fill(t, l, 2)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if r := clean(t, dir); r.Last != 10 {
		t.Fatalf("last %d", r.Last)
	}
}

func TestOnlyOneWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	open(t, dir, Options{})
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Fatalf("second open: %v", err)
	}
}

func TestAppendAfterCloseAndBadPayload(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "ledger"), Options{})
	if _, err := l.Append(Round, "", func() {}); err == nil {
		t.Error("a function was accepted as payload")
	}
	if _, err := l.Append(Round, "", json.RawMessage(`{`)); err == nil {
		t.Error("half an object was accepted as payload")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append(Round, "", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after close: %v", err)
	}
}

func TestFilesTurnBySizeAndDay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	now := time.Date(2026, 3, 1, 23, 59, 0, 0, time.UTC)
	l := open(t, dir, Options{MaxFile: 2000, Now: func() time.Time { return now }})
	fill(t, l, 10)
	now = now.Add(2 * time.Minute)
	fill(t, l, 1)
	now = now.Add(-time.Hour) // a clock set back begins no new file
	fill(t, l, 1)
	files, err := list(dir)
	if err != nil || len(files) < 3 {
		t.Fatalf("files %v, %v", files, err)
	}
	if last := files[len(files)-1]; last.first != 11 || !strings.HasSuffix(last.path, "-20260302.jsonl") {
		t.Fatalf("last file %+v", last)
	}
	clean(t, dir)
	n := 0
	for e, err := range l.Since(7) {
		if n++; err != nil || e.Seq != uint64(7+n) {
			t.Fatalf("%d %v", e.Seq, err)
		}
	}
	if n != 5 {
		t.Fatalf("read %d entries after 7", n)
	}
}

func TestConcurrentAppendsFormOneChain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	l := open(t, dir, Options{MaxFile: 20_000})
	const writers, each = 16, 20
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[uint64]bool{}
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				e, err := l.Append(Round, fmt.Sprint(w), i)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if seen[e.Seq] {
					t.Errorf("seq %d acknowledged twice", e.Seq)
				}
				seen[e.Seq] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if r := clean(t, dir); r.Entries != writers*each || len(seen) != writers*each {
		t.Fatalf("%d entries, %d acknowledged", r.Entries, len(seen))
	}
}

func TestChangedWakesFollowers(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "ledger"), Options{})
	c := l.Changed()
	select {
	case <-c:
		t.Fatal("woken without an entry")
	default:
	}
	fill(t, l, 1)
	select {
	case <-c:
	default:
		t.Fatal("not woken")
	}
}

// fullDisk lets budget bytes through and then says that the disk is full, after
// writing what still fits, as a real one does.
type fullDisk struct {
	file
	budget *int64
	noCut  *bool
}

func (f fullDisk) Write(b []byte) (int, error) {
	if *f.budget >= int64(len(b)) {
		*f.budget -= int64(len(b))
		return f.file.Write(b)
	}
	n, _ := f.file.Write(b[:*f.budget])
	*f.budget = 0
	return n, syscall.ENOSPC
}

func (f fullDisk) Truncate(n int64) error {
	if *f.noCut {
		return syscall.EIO
	}
	return f.file.Truncate(n)
}

func TestFullDisk(t *testing.T) {
	for _, noCut := range []bool{false, true} {
		t.Run(fmt.Sprintf("truncate fails %v", noCut), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "ledger")
			budget, fails := int64(1500), noCut
			l := open(t, dir, Options{open: func(path string, flag int) (file, error) {
				f, err := openFile(path, flag)
				if strings.HasSuffix(path, suffix) {
					f = fullDisk{f, &budget, &fails}
				}
				return f, err
			}})
			acked := 0
			for {
				if _, err := l.Append(Round, "t", acked); err != nil {
					if !errors.Is(err, syscall.ENOSPC) {
						t.Fatal(err)
					}
					break
				}
				acked++
			}
			if !errors.Is(l.Fault(), syscall.ENOSPC) {
				t.Errorf("fault is %v", l.Fault())
			}
			budget, fails = 1<<20, false
			fill(t, l, 2)
			if l.Fault() != nil {
				t.Errorf("fault stays: %v", l.Fault())
			}
			r, err := Verify(dir, VerifyOptions{})
			if err != nil || len(r.Problems) > 0 || r.Entries != uint64(acked+2) {
				t.Fatalf("acked %d+2, report %+v, %v", acked, r, err)
			}
		})
	}
}

func TestKeyProblemsAreNamed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	fillAndClose(t, dir, 1)
	for name, c := range map[string]struct {
		spoil func() error
		want  string
	}{
		"readable by others": {func() error { return os.Chmod(dir+".key", 0o644) }, "chmod 600"},
		"not a key":          {func() error { return os.WriteFile(dir+".key", []byte("x"), 0o600) }, "no PEM"},
		"another key":        {func() error { return os.Remove(dir + ".key") }, "fingerprint"},
	} {
		t.Run(name, func(t *testing.T) {
			keep, _ := os.ReadFile(dir + ".key")
			defer func() {
				_ = os.WriteFile(dir+".key", keep, 0o600)
				_ = os.Chmod(dir+".key", 0o600)
			}()
			if err := c.spoil(); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
	open(t, dir, Options{})
}

func fillAndClose(t testing.TB, dir string, n int) {
	t.Helper()
	l := open(t, dir, Options{MaxFile: 1500})
	fill(t, l, n)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTornEndIsSetAside(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(rapid.Uint64().Draw(rt, "dir")), "ledger")
		l, err := Open(dir, Options{})
		if err != nil {
			rt.Fatal(err)
		}
		for i := range 3 {
			if _, err := l.Append(Round, "t", i); err != nil {
				rt.Fatal(err)
			}
		}
		_ = l.Close()
		torn := rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(rt, "torn")
		files, _ := list(dir)
		f, err := os.OpenFile(files[0].path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			rt.Fatal(err)
		}
		_, _ = f.Write(torn)
		_ = f.Close()

		l, err = Open(dir, Options{})
		if err != nil {
			rt.Fatal(err)
		}
		defer l.Close()
		var note RepairNote
		for e := range l.Since(3) {
			if e.Kind != Repair || json.Unmarshal(e.Payload, &note) != nil {
				rt.Fatalf("entry %+v", e)
			}
		}
		kept, err := os.ReadFile(filepath.Join(dir, note.Aside))
		if note.What != "torn" || err != nil || string(kept) != string(torn) {
			rt.Fatalf("note %+v keeps %q of %q: %v", note, kept, torn, err)
		}
		r, err := Verify(dir, VerifyOptions{})
		if err != nil || len(r.Problems) > 0 || r.Last != 4 {
			rt.Fatalf("%+v %v", r, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "ledger")
	l := open(f, dir, Options{})
	fill(f, l, 2)
	files, _ := list(dir)
	data, _ := os.ReadFile(files[0].path)
	for line := range strings.Lines(string(data)) {
		f.Add([]byte(strings.TrimSuffix(line, "\n")))
	}
	f.Add([]byte(strings.Repeat("a", tailLen+1)))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := Parse(line)
		if err != nil {
			if !errors.Is(err, ErrLine) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if e.Verified(l.Public()) && !strings.Contains(string(data), string(line)) {
			t.Fatalf("a line nobody wrote is verified: %q", line)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	payload := json.RawMessage(`{"schema":"round/1","id":"x","events":[` + strings.Repeat(`{"t":1.5,"type":"card","zone":"bank","card":"As"},`, 30) + `{}]}`)
	for _, writers := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("writers-%d", writers), func(b *testing.B) {
			l := open(b, filepath.Join(b.TempDir(), "ledger"), Options{})
			b.SetParallelism(writers / 2)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := l.Append(Round, "t", payload); err != nil {
						b.Error(err)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "ledger")
	l := open(b, dir, Options{})
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { fill(b, l, 20) })
	}
	wg.Wait()
	for b.Loop() {
		clean(b, dir)
	}
	b.ReportMetric(1000*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}
