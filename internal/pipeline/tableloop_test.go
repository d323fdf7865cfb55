package pipeline

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vision/internal/config"
	"vision/internal/fact"
	"vision/internal/health"
	"vision/stream/ledger"
)

// book is a ledger that fails as long as fail is set.
type book struct {
	fail atomic.Bool
	kept []ledger.Kind
}

var errFull = errors.New("no space left on device")

func (b *book) Append(kind ledger.Kind, _ string, _ any) (ledger.Entry, error) {
	if b.fail.Load() {
		return ledger.Entry{}, errFull
	}
	b.kept = append(b.kept, kind)
	return ledger.Entry{}, nil
}

// A ledger that takes nothing holds a table up, is named, and nothing is shown
// that it does not have; when it takes entries again all of it follows.
func TestATableWaitsForItsLedger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, board := &book{}, health.NewBoard(nil)
		b.fail.Store(true)
		tbl := &Table{cfg: config.Table{ID: "R1"}, deps: &Deps{Board: board}}
		l := &tableLoop{t: tbl, in: newIntake("R1", b, board), inbox: make(chan any, 10)}
		done := make(chan error, 1)
		go func() {
			done <- l.insist(t.Context(), func() error { _, err := b.Append(ledger.Round, "R1", nil); return err })
		}()
		time.Sleep(time.Minute)
		synctest.Wait()
		p := board.Present()
		if len(p) != 1 || p[0].Code != health.LedgerFailed || !strings.Contains(p[0].Detail, errFull.Error()) {
			t.Fatalf("problems %+v", p)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := l.insist(ctx, func() error { return errFull }); !errors.Is(err, errFull) {
			t.Errorf("at the end of the node: %v", err)
		}
		select {
		case err := <-done:
			t.Fatalf("went on without the ledger: %v", err)
		default:
		}
		b.fail.Store(false)
		began := time.Now()
		if err := <-done; err != nil || !slices.Equal(b.kept, []ledger.Kind{ledger.Round}) {
			t.Errorf("with the ledger again: %v, kept %v", err, b.kept)
		}
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("it was tried again after %v", d)
		}
		if p := board.Present(); len(p) != 0 {
			t.Errorf("problems %+v", p)
		}
	})
}

// What finds no room is missing in its place, once, and makes a round under way not
// verifiable, also where nothing comes after it.
func TestWhatFindsNoRoomIsMissing(t *testing.T) {
	var reported []string
	tbl := wheel(t, &disk{}, health.NewBoard(nil), nil)
	l := tbl.loop
	l.inbox = make(chan any, 2)
	l.t.deps.Passing = func(code, _, _, _ string) { reported = append(reported, code) }
	seen := func(ids ...string) (out []fact.Observation) {
		for _, id := range ids {
			out = append(out, fact.Observation{Table: id, Kind: fact.Gap, Time: time.Now()})
		}
		return out
	}
	order := func() (out []string) {
		for range len(l.inbox) {
			switch m := (<-l.inbox).(type) {
			case fact.Observation:
				out = append(out, m.Table)
			case interruption:
				out = append(out, m.why)
			}
		}
		return out
	}
	l.observe(seen("a", "b"))
	l.interrupted(time.Now(), "the reader was replaced")
	l.interrupted(time.Now(), "and again")
	l.observe(seen("c", "d"))
	if got := order(); !slices.Equal(got, []string{"a", "b"}) || !slices.Equal(reported, []string{health.ReaderBehind}) {
		t.Errorf("%q, problems %q", got, reported)
	}
	l.observe(seen("e", "f"))
	if got := order(); !slices.Equal(got, []string{"the reader was replaced", "e"}) || len(reported) != 2 {
		t.Errorf("%q, problems %q", got, reported)
	}
	at := time.Now()
	for n := range 2 {
		if err := l.foldCall(t.Context(), call{uint64(n + 1), callAt(n, at)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.drain(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	if raw := l.trk.Snapshot(); !strings.Contains(string(raw), "thousands of facts behind") {
		t.Errorf("the tracker does not know that something is missing: %s", raw)
	}
	if l.missing != nil {
		t.Error("it is still missing")
	}
}
