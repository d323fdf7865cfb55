package child

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Link is the child's side: the connection and the account of its work.
type Link struct {
	*Conn

	mu   sync.Mutex
	busy map[int]time.Time
	next int
}

// Work notes that a piece of work begins, which may hang in foreign code; the
// function returned notes its end.
func (l *Link) Work() (done func()) {
	l.mu.Lock()
	id := l.next
	l.next++
	l.busy[id] = time.Now()
	l.mu.Unlock()
	return func() {
		l.mu.Lock()
		delete(l.busy, id)
		l.mu.Unlock()
	}
}

// longest is for how long the oldest piece of unfinished work has been going on.
func (l *Link) longest(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	var d time.Duration
	for _, t := range l.busy {
		d = max(d, now.Sub(t))
	}
	return d
}

// Serve is the child's main: it calls handle for every frame of the parent, in
// order, until the parent closes (then it returns nil) or handle fails. Pings
// are answered meanwhile, whatever handle does. The child yields to its parent.
func Serve(ctx context.Context, handle func(ctx context.Context, l *Link, k Kind, payload []byte) error) error {
	in, out := os.NewFile(3, "parent-in"), os.NewFile(4, "parent-out")
	if in == nil || out == nil {
		return errors.New("this command is started by vision itself: descriptors 3 and 4 are missing")
	}
	if err := yield(); err != nil {
		return err
	}
	l := &Link{Conn: newConn(in, out), busy: map[int]time.Time{}}
	type frame struct {
		k Kind
		p []byte
	}
	frames := make(chan frame, 64)
	read := make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer close(frames)
		for {
			k, p, err := l.Read()
			if err != nil {
				read <- err
				cancel()
				return
			}
			if k == kindPing {
				var b [8]byte
				binary.BigEndian.PutUint64(b[:], uint64(l.longest(time.Now())))
				if err := l.Write(kindPong, p, b[:]); err != nil {
					read <- err
					cancel()
					return
				}
				continue
			}
			select {
			case frames <- frame{k, p}:
			case <-ctx.Done():
				read <- ctx.Err()
				return
			}
		}
	}()
	for f := range frames {
		if err := handle(ctx, l, f.k, f.p); err != nil {
			return err
		}
	}
	if err := <-read; !errors.Is(err, io.EOF) {
		return fmt.Errorf("parent: %w", err)
	}
	return nil
}
