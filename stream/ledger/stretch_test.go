package ledger

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// filled is a ledger of n entries over some days, and its entries.
func filled(t *testing.T, n int) (*Ledger, []Entry) {
	t.Helper()
	now := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(7 * time.Hour); return now }
	l, err := Open(filepath.Join(t.TempDir(), "ledger"), Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	for i := range n {
		if _, err := l.Append(Sensor, "R1", map[string]string{"line": fmt.Sprint("<", i, ">\n{\"head\":")}); err != nil {
			t.Fatal(err)
		}
	}
	var out []Entry
	for e, err := range l.Since(0) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return l, out
}

// A ledger that is made of its stretches is the one they are of, word for word.
func TestARebuiltLedgerIsTheSame(t *testing.T) {
	l, all := filled(t, 20)
	dir := filepath.Join(t.TempDir(), "ledger")
	r, err := NewRebuild(dir, l.Public())
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range [][2]int{{0, 3}, {3, 12}, {8, 15}, {15, 20}} { // some twice
		data, err := l.Stretch(all[cut[0]:cut[1]]).Encode()
		if err != nil {
			t.Fatal(err)
		}
		s, err := ParseStretch(data, l.Public())
		if err != nil || s.From != uint64(cut[0]+1) || s.To != uint64(cut[1]) {
			t.Fatalf("%v: %d to %d, %v", cut, s.From, s.To, err)
		}
		if err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if head, err := r.Close(); err != nil || head != l.Head() {
		t.Fatalf("head %v, %v; want %v", head, err, l.Head())
	}
	report, err := Verify(dir, VerifyOptions{Key: l.Public(), Known: []Head{l.Head()}})
	if err != nil || len(report.Problems) > 0 || report.Entries != 20 {
		t.Errorf("%+v, %v", report, err)
	}
	var again []Entry
	for e := range Read(dir, 0) {
		again = append(again, e)
	}
	if !slices.EqualFunc(again, all, func(a, b Entry) bool { return a.Hash == b.Hash }) {
		t.Error("the entries are others")
	}
	if _, err := NewRebuild(dir, l.Public()); err == nil {
		t.Error("a ledger was written over")
	}
}

// A stretch of which anything was changed is refused.
func TestAChangedStretchIsRefused(t *testing.T) {
	l, all := filled(t, 5)
	other, _ := filled(t, 1)
	data, err := l.Stretch(all).Encode()
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	for name, bad := range map[string][]byte{
		"empty":        nil,
		"no head":      bytes.Join(lines[:5], nil),
		"another head": bytes.Join(slices.Concat(lines[:3], lines[5:]), nil),
		"one missing":  bytes.Replace(data, []byte(`"seq":3`), []byte(`"seq":4`), 1),
		"order":        bytes.Join([][]byte{lines[1], lines[0], lines[2], lines[3], lines[4], lines[5]}, nil),
		"a letter":     bytes.Replace(data, []byte("R1"), []byte("R2"), 1),
	} {
		if _, err := ParseStretch(bad, l.Public()); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := ParseStretch(data, other.Public()); err == nil {
		t.Error("another key's is taken")
	}
}

// Two pasts that were both signed are not made one.
func TestTwoPastsAreNoLedger(t *testing.T) {
	l, all := filled(t, 4)
	forged := all[3]
	forged.Prev, forged.Payload = all[2].Hash, []byte(`{"line":"other"}`)
	if _, err := forged.seal(l.key); err != nil {
		t.Fatal(err)
	}
	r, err := NewRebuild(filepath.Join(t.TempDir(), "ledger"), l.Public())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Add(l.Stretch(all)); err != nil {
		t.Fatal(err)
	}
	if err := r.Add(l.Stretch([]Entry{forged})); err == nil {
		t.Error("another past was taken in")
	}
	if _, err := r.Close(); err != nil {
		t.Error(err)
	}
}

func FuzzParseStretch(f *testing.F) {
	dir := f.TempDir()
	l, err := Open(filepath.Join(dir, "ledger"), Options{})
	if err != nil {
		f.Fatal(err)
	}
	defer l.Close()
	e, err := l.Append(Node, "", nil)
	if err != nil {
		f.Fatal(err)
	}
	data, err := l.Stretch([]Entry{e}).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("\n{\"head\":}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseStretch(b, l.Public())
		if err != nil {
			return
		}
		again, err := s.Encode()
		if err != nil || !bytes.Equal(again, b) {
			t.Errorf("%q is written as %q, %v", b, again, err)
		}
	})
}
