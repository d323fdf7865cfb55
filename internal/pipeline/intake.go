package pipeline

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"vision/internal/fact"
	"vision/internal/health"
	"vision/stream/ledger"
)

// intake takes the calls of one table. A call is in the ledger before its sender is answered, and
// goes on to the table loop in the ledger's order; a refused one stays with its sender. Calls of one
// table are taken one after the other.
type intake struct {
	table string
	book  Book
	board *health.Board
	turn  chan struct{} // full while a call is taken
	calls chan call     // in the ledger, for the table loop
	shut  atomic.Bool   // the table loop has ended
	// failed is set when the ledger did not take a call; the table loop resets it.
	failed atomic.Bool
	names  names
}

// call is a sensor entry of the ledger.
type call struct {
	seq uint64
	fact.Sensed
}

const (
	// mostCalls is how many calls may wait for the table loop: some minutes of a busy table.
	mostCalls = 1024
	// acceptWithin is how long a sender waits for the ledger.
	acceptWithin = 5 * time.Second
)

// Why a call is not taken for now.
var (
	errEnded  = errors.New("the table begins anew or ends")
	errBehind = fmt.Errorf("the table loop is %d calls behind", mostCalls)
	errSlow   = fmt.Errorf("the ledger does not answer within %v", acceptWithin)
)

func newIntake(table string, book Book, board *health.Board) *intake {
	return &intake{table: table, book: book, board: board, turn: make(chan struct{}, 1), calls: make(chan call, mostCalls)}
}

// accept takes a call: when it returns nil the ledger has it. After errSlow the ledger may
// still take it: retried with its id, it counts once.
func (in *intake) accept(s fact.Sensed) error {
	late := time.NewTimer(acceptWithin)
	defer late.Stop()
	select {
	case in.turn <- struct{}{}:
	case <-late.C:
		return errSlow
	}
	done := make(chan error, 1)
	go func() { // an append that hangs holds up no sender
		defer func() { <-in.turn }()
		done <- in.append(s)
	}()
	select {
	case err := <-done:
		return err
	case <-late.C:
		return in.fail(errSlow)
	}
}

// fail records that the ledger did not take a call.
func (in *intake) fail(err error) error {
	in.failed.Store(true)
	in.board.Set(health.LedgerFailed, in.table, in.object(), err.Error())
	return err
}

// append takes a call in its turn.
func (in *intake) append(s fact.Sensed) error {
	switch {
	case in.names.have(s):
		return nil
	case in.shut.Load():
		return errEnded
	case len(in.calls) == cap(in.calls):
		return errBehind
	}
	e, err := in.book.Append(ledger.Sensor, in.table, s)
	if err != nil {
		return in.fail(err)
	}
	in.board.Clear(health.LedgerFailed, in.object())
	in.names.add(s)
	in.calls <- call{e.Seq, s} // there is room: only whose turn it is sends
	return nil
}

// object is the ledger as a problem of the table's names it.
func (in *intake) object() string { return "ledger " + in.table }

// wait waits until the calls that came before are in the ledger or refused.
func (in *intake) wait(ctx context.Context) error {
	select {
	case in.turn <- struct{}{}:
		<-in.turn
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close takes no more calls; those that are being taken have their time.
func (in *intake) close() {
	in.shut.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), acceptWithin)
	defer cancel()
	_ = in.wait(ctx) // a hanging one is replayed at the next start, if the ledger has it
}

// name identifies a call by its source and its sender's id.
type name [8]byte

const (
	// mostNames is how many calls are remembered, and savedNames how many of them over a restart:
	// more than one request has.
	mostNames  = 4096
	savedNames = 512
)

// names are those of the newest accepted calls, to drop duplicates.
type names struct {
	mu   sync.Mutex
	m    map[name]bool
	list []name // oldest first
}

// nameOf is the name of a call; false where its sender gave it none.
func nameOf(s fact.Sensed) (n name, ok bool) {
	sum := sha256.Sum256([]byte(s.Source + "\x00" + s.ID))
	copy(n[:], sum[:])
	return n, s.ID != ""
}

func (k *names) have(s fact.Sensed) bool {
	n, ok := nameOf(s)
	k.mu.Lock()
	defer k.mu.Unlock()
	return ok && k.m[n]
}

func (k *names) add(s fact.Sensed) {
	if n, ok := nameOf(s); ok {
		k.put(n)
	}
}

func (k *names) put(n name) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.m == nil {
		k.m = map[name]bool{}
	}
	if k.m[n] {
		return
	}
	k.m[n], k.list = true, append(k.list, n)
	if over := len(k.list) - mostNames; over > 0 {
		for _, old := range k.list[:over] {
			delete(k.m, old)
		}
		k.list = append(k.list[:0], k.list[over:]...)
	}
}

// save is the newest of them, for load.
func (k *names) save() (out []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, n := range k.list[max(0, len(k.list)-savedNames):] {
		out = append(out, n[:]...)
	}
	return out
}

func (k *names) load(saved []byte) {
	for ; len(saved) >= len(name{}); saved = saved[len(name{}):] {
		k.put(name(saved))
	}
}
