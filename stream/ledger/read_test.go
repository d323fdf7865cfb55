package ledger

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Whoever comes back reads what somebody reads who begins anew, over new files
// and whatever order readers come in.
func TestComingBackReadsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "ledger")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		l, err := Open(filepath.Join(dir, "l"), Options{MaxFile: 2000})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		readers := make([]uint64, 3)
		for i := range rapid.IntRange(1, 10).Draw(t, "steps") {
			if _, err := l.Append(Sensor, "t", fmt.Sprint(i)); err != nil {
				t.Fatal(err)
			}
			r := rapid.IntRange(0, 5).Draw(t, "reader")
			if r >= len(readers) {
				continue
			}
			want := readers[r] + 1
			for e, err := range l.Since(readers[r]) {
				if err != nil || e.Seq != want {
					t.Fatalf("reader %d: entry %d, %v; want %d", r, e.Seq, err, want)
				}
				want++
			}
			if want != l.Head().Seq+1 {
				t.Fatalf("reader %d ended before %d; the head is %d", r, want, l.Head().Seq)
			}
			readers[r] = want - 1
		}
	})
}

// A line that is no entry is told once, and not again by who comes back.
func TestABrokenLineIsToldOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "l")
	l, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	add := func() {
		t.Helper()
		if _, err := l.Append(Sensor, "t", "x"); err != nil {
			t.Fatal(err)
		}
	}
	add()
	add()
	files, err := list(dir)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(files[0].path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0].path, []byte(strings.Replace(string(raw), `"payload":"x"`, `"payload":"y"`, 1)), 0o640); err != nil {
		t.Fatal(err)
	}
	count := func(seq uint64) (good, bad int) {
		for _, err := range l.Since(seq) {
			if err != nil {
				bad++
			} else {
				good++
			}
		}
		return good, bad
	}
	if good, bad := count(0); good != 1 || bad != 1 {
		t.Errorf("%d entries and %d broken lines", good, bad)
	}
	add()
	if good, bad := count(2); good != 1 || bad != 0 {
		t.Errorf("afterwards %d entries and %d broken lines", good, bad)
	}
}

func TestClaimed(t *testing.T) {
	for line, want := range map[string]uint64{`{"seq":7,"time"`: 7, `{"seq":12}`: 12, `{"seq":}`: 0, `{"seq":x`: 0, `{"sex":7`: 0, ``: 0, `{"seq":99999999999999999999999`: 0} {
		got, ok := claimed([]byte(line))
		if ok != (want > 0) || ok && got != want {
			t.Errorf("%s: %d %v", line, got, ok)
		}
	}
}

// BenchmarkComingBack is one new entry behind a day's file.
func BenchmarkComingBack(b *testing.B) {
	l, err := Open(filepath.Join(b.TempDir(), "l"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	done := make(chan error, 64)
	for range cap(done) {
		go func() {
			var err error
			for range 300 {
				if err == nil {
					_, err = l.Append(Round, "t", strings.Repeat("x", 1500))
				}
			}
			done <- err
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
	run := func(b *testing.B, forget bool) {
		seq := l.Head().Seq
		var spent time.Duration
		for b.Loop() {
			if _, err := l.Append(Round, "t", "y"); err != nil {
				b.Fatal(err)
			}
			if forget {
				l.marks.forget()
			}
			begun := time.Now()
			for e, err := range l.Since(seq) {
				if err != nil {
					b.Fatal(err)
				}
				seq = e.Seq
			}
			spent += time.Since(begun)
		}
		b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "µs/read")
	}
	b.Run("remembered", func(b *testing.B) { run(b, false) })
	b.Run("anew", func(b *testing.B) { run(b, true) })
}
