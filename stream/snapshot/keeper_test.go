package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vision/internal/text"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/stream/record"
)

// inWords is a past in words, to compare.
func inWords(t testing.TB, p *State) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{
		"head": p.Head.String(), "alerts": p.desk.List(nil), "marks": p.Marks, "tables": p.Tables,
		"floor": p.Floor, "seals": fmt.Sprint(p.Seals),
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func openLedger(t testing.TB, dir string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// appendNth writes the nth of a run of entries as a node does: alerts that are
// raised and taken, snapshots, supervision, and what a past has no use for.
func appendNth(l *ledger.Ledger, n int) error {
	table := fmt.Sprintf("T%d", n%3)
	at := time.Date(2026, 11, 21, 20, 0, n, 0, time.UTC)
	a := alert.Alert{
		ID:       fmt.Sprint("a", n/4),
		Table:    table,
		Code:     "payout_under",
		Severity: "major",
		Raised:   at,
		Clip:     &alert.Clip{Camera: "c", From: at, To: at.Add(time.Second)},
	}
	var kind ledger.Kind
	var payload any
	switch n % 4 {
	case 0:
		kind, payload = ledger.Alert, a
	case 1:
		a.Ack = &alert.Ack{By: "ana", At: at, Outcome: alert.Noted}
		kind, payload = ledger.Alert, a
	case 2:
		kind, payload = ledger.Snapshot, map[string]int{"n": n, "heard": n / 2}
	case 3:
		kind = []ledger.Kind{ledger.Supervision, ledger.Round, ledger.Sensor, ledger.Session, ledger.Seal}[n/4%5]
		payload = map[string]any{"n": n, "by": "ana"}
		if kind == ledger.Seal {
			payload = record.SealSpan{Table: table, From: at, To: at.Add(time.Minute), By: "ana"}
		}
	}
	_, err := l.Append(kind, table, payload)
	return err
}

// A past that is kept and gone on from is the one that the whole ledger tells.
func TestAKeptPastIsTheWholePast(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "past")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		defer l.Close()
		p := newPast()
		for n := range rapid.IntRange(1, 12).Draw(rt, "entries") {
			if err := appendNth(l, n); err != nil {
				rt.Fatal(err)
			}
			if rapid.Bool().Draw(rt, "keep") {
				if err := errors.Join(p.follow(l), p.save(dir, l)); err != nil {
					rt.Fatal(err)
				}
				if p, err = load(dir, l); err != nil {
					rt.Fatal(err)
				}
			}
		}
		whole := newPast()
		if err := errors.Join(p.follow(l), whole.follow(l)); err != nil {
			rt.Fatal(err)
		}
		if got, want := inWords(t, p), inWords(t, whole); got != want {
			rt.Fatalf("kept:  %s\nwhole: %s", got, want)
		}
	})
}

// A past that somebody has touched, or that is of another ledger, does not count.
func TestAFalseCheckpointDoesNotCount(t *testing.T) {
	dir := t.TempDir()
	l := openLedger(t, dir)
	for n := range 10 {
		if err := appendNth(l, n); err != nil {
			t.Fatal(err)
		}
	}
	p := newPast()
	if err := errors.Join(p.follow(l), p.save(dir, l)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, pastFile)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := load(dir, l); err != nil {
		t.Fatalf("the true one: %v", err)
	}
	for name, text := range map[string]string{
		"an alert taken out": strings.Replace(string(good), `"id":"a1"`, `"id":"b1"`, 1),
		"cut off":            string(good[:len(good)/2]),
		"empty":              "",
		"no signature":       strings.SplitAfter(string(good), "\n")[0],
		"another's":          strings.SplitAfter(string(good), "\n")[0] + strings.Repeat("A", 86) + "==\n",
	} {
		if text == string(good) {
			t.Fatalf("%s: nothing was changed", name)
		}
		if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		if _, err := load(dir, l); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(path, good, 0o640); err != nil {
		t.Fatal(err)
	}
	other := openLedger(t, t.TempDir())
	for n := range 10 {
		if err := appendNth(other, n); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := load(dir, other); !errors.Is(err, ErrRefused) {
		t.Errorf("beside another ledger: %v", err)
	}
	// A ledger put back to an earlier day, with the same key.
	early := t.TempDir()
	key, err := os.ReadFile(filepath.Join(dir, "ledger.key"))
	if err == nil {
		err = os.WriteFile(filepath.Join(early, "ledger.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	short := openLedger(t, early)
	for n := range 12 {
		if n >= 5 {
			n += 100
		}
		if err := appendNth(short, n); err != nil {
			t.Fatal(err)
		}
		if _, err := load(dir, short); !errors.Is(err, ErrRefused) {
			t.Errorf("a ledger that went another way, at %d: %v", n, err)
		}
	}
}

// A broken line that was passed over once is told at every start, until somebody
// has seen to it.
func TestABrokenLineIsToldAtEveryStart(t *testing.T) {
	dir := t.TempDir()
	l := openLedger(t, dir)
	for n := range 6 {
		if err := appendNth(l, n); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "ledger", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err == nil {
		err = os.WriteFile(files[0], []byte(strings.Replace(string(raw), `"id":"a0"`, `"id":"b0"`, 1)), 0o640)
	}
	p := newPast()
	if err := errors.Join(err, p.follow(l)); err != nil {
		t.Fatal(err)
	}
	if p.Bad.Count != 1 || !strings.Contains(p.Bad.First, "line 1") {
		t.Fatalf("read whole: %+v", p.Bad)
	}
	if err := p.save(dir, l); err != nil {
		t.Fatal(err)
	}
	again, err := load(dir, l)
	if err != nil || again.Bad != p.Bad {
		t.Errorf("from what was kept: %+v, %v; want %+v", again, err, p.Bad)
	}
}

// BenchmarkStart is reading the past of a large ledger: all of it, and from a
// past that a killed node left keepEvery entries ago.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	l := openLedger(b, dir)
	fill(b, l, 200_000)
	read := func(b *testing.B) {
		for b.Loop() {
			p, err := load(dir, l)
			if err != nil {
				p = newPast()
			}
			if err := p.follow(l); err != nil {
				b.Fatal(err)
			}
			if p.Head != l.Head() {
				b.Fatal("not all was read")
			}
		}
		b.ReportMetric(float64(l.Head().Seq), "entries")
	}
	b.Run("whole", read)
	p := newPast()
	if err := errors.Join(p.follow(l), p.save(dir, l)); err != nil {
		b.Fatal(err)
	}
	fill(b, l, keepEvery)
	b.Run("kept", read)
}

// fill writes entries of the sizes that four tables make.
func fill(b *testing.B, l *ledger.Ledger, count int) {
	b.Helper()
	sizes := map[ledger.Kind]int{
		ledger.Round:    1500,
		ledger.Verdict:  600,
		ledger.Judged:   400,
		ledger.Snapshot: 4000,
		ledger.Segment:  300,
	}
	kinds := []ledger.Kind{ledger.Round, ledger.Verdict, ledger.Judged, ledger.Snapshot, ledger.Segment}
	done := make(chan error, 64)
	for w := range cap(done) {
		go func() {
			var err error
			for n := w; n < count && err == nil; n += cap(done) {
				table := fmt.Sprintf("T%d", n%4)
				if n%40 == 0 {
					at := time.Now()
					_, err = l.Append(
						ledger.Alert,
						table,
						alert.Alert{ID: fmt.Sprint("a", n), Table: table, Code: "payout_under", Severity: "major", Raised: at,
							Localized: text.Localized{ES: strings.Repeat("x", 300)},
							Ack:       &alert.Ack{By: "ana", At: at, Outcome: alert.Noted},
							Clip:      &alert.Clip{Camera: "c", From: at, To: at}},
					)
					continue
				}
				k := kinds[n%len(kinds)]
				_, err = l.Append(k, table, map[string]string{"id": fmt.Sprint(n), "x": strings.Repeat("y", sizes[k])})
			}
			done <- err
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
}

// What a person says of a table's session is kept as long as what shows an alert; what comes
// by itself is not.
func TestStepsOfASessionAreMarked(t *testing.T) {
	p := newPast()
	at := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	p.add(ledger.Entry{Seq: 7, Kind: ledger.Session, Table: "R1", Time: at, Payload: json.RawMessage(`{"event":{"type":"fill"},"by":"ana + luis"}`)})
	p.add(ledger.Entry{Seq: 8, Kind: ledger.Session, Table: "R1", Time: at, Payload: json.RawMessage(`{"event":{"type":"round"}}`)})
	m, ok := p.Marks["session/7"]
	if len(p.Marks) != 1 || !ok || m.Table != "R1" || !m.From.Before(at) || !m.To.After(at) {
		t.Errorf("%+v", p.Marks)
	}
}
