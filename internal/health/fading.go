package health

import (
	"sync"
	"time"
)

// Fading are problems that come as events, like a line that cannot be read: they
// hold until none has come for a while.
type Fading struct {
	board *Board
	mu    sync.Mutex
	last  map[[2]string]time.Time
}

// fadeAfter is for how long such a problem is shown.
const fadeAfter = time.Minute

// NewFading keeps them on a board.
func NewFading(b *Board) *Fading { return &Fading{board: b, last: map[[2]string]time.Time{}} }

// Set records that such a problem has come.
func (f *Fading) Set(code, table, object, detail string) {
	f.mu.Lock()
	f.last[[2]string{code, object}] = time.Now()
	f.mu.Unlock()
	f.board.Set(code, table, object, detail)
}

// Clear ends those that have not come for long.
func (f *Fading) Clear(now time.Time) {
	f.mu.Lock()
	var gone [][2]string
	for k, at := range f.last {
		if now.Sub(at) >= fadeAfter {
			gone = append(gone, k)
			delete(f.last, k)
		}
	}
	f.mu.Unlock()
	for _, k := range gone {
		f.board.Clear(k[0], k[1])
	}
}
