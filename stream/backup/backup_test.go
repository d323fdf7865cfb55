package backup

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vision/internal/testkit/testvideo"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/stream/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a node's data folder that is written.
type house struct {
	dir    string
	ledger *ledger.Ledger
	store  *record.Store
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{dir: t.TempDir()}
	var err error
	if h.ledger, err = ledger.Open(filepath.Join(h.dir, verify.LedgerDir), ledger.Options{MaxFile: 64 << 10}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.ledger.Close() })
	h.store, err = record.Open(filepath.Join(h.dir, verify.RecordingsDir), h.ledger, nil,
		record.Options{Segment: time.Second, MaxBytes: 200_000})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"accounts.json": "{}", "sessions.json": "[]", "index.sqlite": "x"} {
		if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(h.dir, "calibrations", "c1"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.dir, "calibrations", "c1", "1.yaml"), []byte("a: 1"), 0o640); err != nil {
		t.Fatal(err)
	}
	return h
}

// record records six seconds, in as many segments.
func (h *house) record(camera string, at time.Time) {
	r := h.store.Recorder("bj1", camera)
	for _, u := range testvideo.Plain(at) {
		r.Unit(u)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = r.Run(ctx) // writes what is queued and closes the segment
}

// sound verifies a copy.
func sound(t *testing.T, dir string) verify.Report {
	t.Helper()
	r, err := verify.Dir(dir, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK {
		t.Fatalf("%s: %+v", dir, r)
	}
	return r
}

// A copy that is made while the node writes and removes is sound each time, has what was
// acknowledged before, and a node can go on from it.
func TestCopiesOfARunningNode(t *testing.T) {
	h, dest := newHouse(t), filepath.Join(t.TempDir(), "copy")
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	h.record("main", start)
	var writing sync.WaitGroup
	stop := make(chan struct{})
	end := sync.OnceFunc(func() { close(stop); writing.Wait() })
	defer end()
	writing.Go(func() {
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			h.record("main", start.Add(time.Duration(i)*time.Minute))
			h.store.Tidy()
		}
	})
	writing.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := h.ledger.Append(ledger.Node, "bj1", map[string]string{"filler": strings.Repeat("x", 500)}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	if err := h.store.Seal(record.SealSpan{Table: "bj2", From: start, To: start.Add(time.Hour), By: "ana"}); err != nil {
		t.Fatal(err) // without its list the copy is not sound
	}
	for range 6 {
		before := h.ledger.Head()
		did, err := Copy(t.Context(), h.dir, dest, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := sound(t, dest)
		if did.Head.Seq < before.Seq || r.Ledger.Last < before.Seq {
			t.Errorf("the copy ends at %d, %d was acknowledged before", r.Ledger.Last, before.Seq)
		}
		if did.Segments != r.Segments {
			t.Errorf("%d segments, verified %d", did.Segments, r.Segments)
		}
	}
	end()
	for name, there := range map[string]bool{
		"ledger.key": true, "accounts.json": true, "calibrations/c1/1.yaml": true, "sessions.json": false, "index.sqlite": false,
		"ledger/lock": false,
	} {
		if _, err := os.Stat(filepath.Join(dest, name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
	if st, err := os.Stat(filepath.Join(dest, "ledger.key")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the key may be read by others: %v %v", st.Mode(), err)
	}
	goOn(t, dest)
}

// goOn starts a node from a copy.
func goOn(t *testing.T, dest string) {
	t.Helper()
	l, err := ledger.Open(filepath.Join(dest, verify.LedgerDir), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append(ledger.Node, "", map[string]string{"action": "started"}); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	sound(t, dest)
}

// Only what is new is copied again.
func TestACopyIsBroughtUpToDate(t *testing.T) {
	h, dest := newHouse(t), filepath.Join(t.TempDir(), "copy")
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	h.record("main", start)
	first, err := Copy(t.Context(), h.dir, dest, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Copy(t.Context(), h.dir, dest, nil)
	if err != nil || again.New != 0 || again.Segments != first.New || first.New == 0 {
		t.Errorf("first %+v, again %+v, %v", first, again, err)
	}
	h.record("side", start)
	third, err := Copy(t.Context(), h.dir, dest, nil)
	if err != nil || third.New == 0 || third.New == third.Segments {
		t.Errorf("third %+v, %v", third, err)
	}
	sound(t, dest)
}

// What would spoil something is refused, and says why.
func TestRefusedCopies(t *testing.T) {
	h, other := newHouse(t), newHouse(t)
	if _, err := h.ledger.Append(ledger.Node, "", nil); err != nil {
		t.Fatal(err)
	}
	dest := filepath.Join(t.TempDir(), "copy")
	if _, err := Copy(t.Context(), h.dir, dest, nil); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	h.record("main", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		ctx              context.Context
		data, dest, says string
	}{
		{t.Context(), t.TempDir(), dest, "holds no ledger"},
		{t.Context(), h.dir, filepath.Join(h.dir, "copy"), "lies in the data folder"},
		{t.Context(), h.dir, h.dir, "lies in the data folder"},
		{t.Context(), other.dir, dest, "another ledger"},
		{gone, h.dir, dest, "canceled"},
	} {
		if _, err := Copy(c.ctx, c.data, c.dest, nil); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s to %s: %v; want …%s…", c.data, c.dest, err, c.says)
		}
	}
	sound(t, dest)
}
