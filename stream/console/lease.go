package console

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Nothing that goes on outlives its right. Whatever is answered for longer than a moment
// (video, events, previews, downloads) holds a lease; when the session, token or account
// that it was begun with has ended or is another, the lease ends it.

// leaseEvery is how often leases are looked at.
const leaseEvery = 500 * time.Millisecond

// leases are those that are held. The zero value is ready.
type leases struct {
	mu    sync.Mutex
	held  map[*lease]struct{}
	timer *time.Timer // nil while nothing is held
}

type lease struct {
	holds func() bool
	end   func()
}

// hold has end called once, within leaseEvery, when holds says no, unless the lease was given
// back before. end must not wait.
func (l *leases) hold(holds func() bool, end func()) (giveBack func()) {
	x := &lease{holds, end}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held == nil {
		l.held = map[*lease]struct{}{}
	}
	l.held[x] = struct{}{}
	if l.timer == nil {
		l.timer = time.AfterFunc(leaseEvery, l.look)
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.held, x)
	}
}

// look ends what has no right any more.
func (l *leases) look() {
	l.mu.Lock()
	all := slices.Collect(maps.Keys(l.held))
	l.mu.Unlock()
	all = slices.DeleteFunc(all, func(x *lease) bool { return x.holds() })
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, x := range all {
		if _, is := l.held[x]; is {
			delete(l.held, x)
			x.end()
		}
	}
	if l.timer = nil; len(l.held) > 0 {
		l.timer = time.AfterFunc(leaseEvery, l.look)
	}
}

// Hold has end called when the sender of a request loses the right that it came with: what
// goes on after the request (WHEP) holds such a lease until it ends by itself.
func Hold(ctx context.Context, end func()) (giveBack func()) {
	c := sender(ctx)
	if c.Account == nil {
		return func() {}
	}
	return c.leases.hold(c.stays, end)
}

// leased answers a request that reads, for as long as its sender has the right. Requests that
// change something are decided when they come; they may end the very session they came by.
func (s *Server) leased(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		next.ServeHTTP(w, r)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	over := make(chan struct{})
	giveBack := Hold(r.Context(), func() {
		close(over)
		cancel()
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now()) // who takes nothing is not waited for
	})
	defer giveBack()
	lw := &leasedWriter{ResponseWriter: w, holds: holds(r.Context())}
	next.ServeHTTP(lw, r.WithContext(ctx))
	select {
	case <-over:
		lw.cut = true
	default:
	}
	if lw.cut {
		panic(http.ErrAbortHandler) // what was cut short must not look whole
	}
}

// holds is whether the sender of a request has the right still that it came with.
func holds(ctx context.Context) func() bool {
	c := sender(ctx)
	if c.Account == nil {
		return func() bool { return true }
	}
	return c.stays
}

// leasedWriter writes nothing more once the right is gone.
type leasedWriter struct {
	http.ResponseWriter
	holds func() bool
	cut   bool
}

// Write implements http.ResponseWriter.
func (w *leasedWriter) Write(b []byte) (int, error) {
	if w.cut = w.cut || !w.holds(); w.cut {
		return 0, http.ErrAbortHandler
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController find the connection.
func (w *leasedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
