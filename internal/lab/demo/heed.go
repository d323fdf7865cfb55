package demo

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// heed has the simulated tables wait for their readers: what a busy machine has not looked
// at yet is not played past.
type heed struct {
	mu     sync.Mutex
	looked map[string]time.Time // by table, what the simulator has not been told yet
	more   chan struct{}
}

func newHeed() *heed { return &heed{looked: map[string]time.Time{}, more: make(chan struct{}, 1)} }

// Looked notes how far the pictures of a table were looked at. It never waits. Tables that
// somebody added to the file are not the simulator's.
func (d *Demo) Looked(table string, at time.Time) {
	if !simulated(table) {
		return
	}
	h := d.heed
	h.mu.Lock()
	h.looked[table] = at
	h.mu.Unlock()
	select {
	case h.more <- struct{}{}:
	default:
	}
}

func simulated(table string) bool {
	return slices.ContainsFunc(Games, func(g Game) bool { return g.ID == table })
}

// tell hands it to the simulator until ctx ends, or the simulator does.
func (h *heed) tell(ctx context.Context, to io.WriteCloser) {
	defer to.Close()
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.more:
		}
		h.mu.Lock()
		news := maps.Clone(h.looked)
		clear(h.looked)
		h.mu.Unlock()
		for table, at := range news {
			if _, err := fmt.Fprintf(to, "%s %d\n", table, at.UnixNano()); err != nil {
				return
			}
		}
	}
}
