package account

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrBusy is of a log-in that is not tried: too many wait before it.
var ErrBusy = errors.New("too many log-ins at once: try again in a moment")

const (
	hashing    = 2  // passwords at once: each takes 64 MiB
	maxWaiting = 32 // of each kind
)

// turns let a few passwords be checked at a time. Who comes from where nobody has failed of
// late goes first; who has gone meanwhile takes no turn. The zero value is ready.
type turns struct {
	mu      sync.Mutex
	busy    int
	waiting [2][]chan struct{} // first those without failures
}

// take waits for a turn, which done ends.
func (t *turns) take(ctx context.Context, suspect bool) (done func(), err error) {
	kind := 0
	if suspect {
		kind = 1
	}
	t.mu.Lock()
	if t.busy < hashing {
		t.busy++
		t.mu.Unlock()
		return t.done, nil
	}
	if len(t.waiting[kind]) >= maxWaiting {
		t.mu.Unlock()
		return nil, ErrBusy
	}
	mine := make(chan struct{})
	t.waiting[kind] = append(t.waiting[kind], mine)
	t.mu.Unlock()
	select {
	case <-mine:
		return t.done, nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	i := slices.Index(t.waiting[kind], mine)
	if i >= 0 {
		t.waiting[kind] = slices.Delete(t.waiting[kind], i, i+1)
	}
	t.mu.Unlock()
	if i < 0 { // its turn had come
		t.done()
	}
	return nil, ctx.Err()
}

// done gives the turn to the next.
func (t *turns) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for kind, list := range t.waiting {
		if len(list) > 0 {
			close(list[0])
			t.waiting[kind] = list[1:]
			return
		}
	}
	t.busy--
}
