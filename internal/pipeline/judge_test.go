package pipeline

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"vision/internal/health"
	"vision/stream/ledger"
)

// book is a ledger that fails when it is told to.
type book struct {
	fail bool
	kept []ledger.Kind
}

var errFull = errors.New("no space left on device")

func (b *book) Append(kind ledger.Kind, _ string, _ any) (ledger.Entry, error) {
	if b.fail {
		return ledger.Entry{}, errFull
	}
	b.kept = append(b.kept, kind)
	return ledger.Entry{}, nil
}

// A ledger that takes nothing holds a table up, is named, and nothing is shown
// that it does not have; when it takes entries again all of it follows.
func TestATableWaitsForItsLedger(t *testing.T) {
	b, board := &book{fail: true}, health.NewBoard(nil)
	j := &judge{table: "R1", book: b, board: board, inbox: make(chan any, 10)}
	done := make(chan error, 1)
	go func() {
		done <- j.insist(t.Context(), func() error { _, err := b.Append(ledger.Round, "R1", nil); return err })
	}()
	deadline := time.Now().Add(10 * time.Second)
	for len(board.Present()) == 0 && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
	}
	p := board.Present()
	if len(p) != 1 || p[0].Code != health.LedgerFailed || !strings.Contains(p[0].Detail, errFull.Error()) {
		t.Fatalf("problems %+v", p)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.insist(ctx, func() error { return errFull }); !errors.Is(err, errFull) {
		t.Errorf("at the end of the node: %v", err)
	}
	select {
	case err := <-done:
		t.Fatalf("went on without the ledger: %v", err)
	default:
	}
}
