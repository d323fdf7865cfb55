package account

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// A flood of log-ins waits within bounds; who has gone takes no turn; who comes from where
// nobody fails goes before all of them.
func TestTurns(t *testing.T) {
	var q turns
	var running []func()
	for range hashing {
		done, err := q.take(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		running = append(running, done)
	}
	gone, leave := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	errs := make(chan error, maxWaiting)
	for range maxWaiting {
		wg.Go(func() { _, err := q.take(gone, true); errs <- err })
	}
	for waits(&q, 1) < maxWaiting {
	}
	if _, err := q.take(t.Context(), true); !errors.Is(err, ErrBusy) {
		t.Fatalf("one more than may wait: %v", err)
	}
	right := make(chan error, 1)
	go func() {
		done, err := q.take(t.Context(), false)
		if err == nil {
			done()
		}
		right <- err
	}()
	for waits(&q, 0) == 0 {
	}
	leave()
	wg.Wait()
	for range maxWaiting {
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Errorf("who has gone: %v", err)
		}
	}
	if n := waits(&q, 1); n != 0 {
		t.Errorf("%d who have gone still wait", n)
	}
	running[0]()
	if err := <-right; err != nil {
		t.Error(err)
	}
	running[1]()
	if q.busy != 0 {
		t.Errorf("%d turns are lost", q.busy)
	}
}

func waits(q *turns, kind int) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting[kind])
}

// Of those that wait, the one without failures has the next turn, though it came last.
func TestWhoDoesNotFailGoesFirst(t *testing.T) {
	var q turns
	var running []func()
	for range hashing {
		done, _ := q.take(t.Context(), true)
		running = append(running, done)
	}
	order := make(chan string, 2)
	enter := func(name string, suspect bool) {
		kind := 0
		if suspect {
			kind = 1
		}
		go func() {
			done, err := q.take(t.Context(), suspect)
			if err != nil {
				t.Error(err)
				return
			}
			order <- name
			done()
		}()
		for waits(&q, kind) == 0 {
		}
	}
	enter("guesser", true)
	enter("owner", false)
	running[0]()
	if got := <-order; got != "owner" {
		t.Errorf("the %s went first", got)
	}
	<-order
	running[1]()
}
