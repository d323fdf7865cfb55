// Package health keeps the problems of the node. Every problem that can be had
// is in one catalogue with its code, severity, words and advice; the
// console, the metrics and the log all speak from it.
package health

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"vision/internal/redact"
	"vision/internal/text"
)

// Problem is a kind that holds now for an object.
type Problem struct {
	Kind
	Table  string    `json:"table,omitempty"`
	Node   string    `json:"node,omitempty"` // the machine, where it is another than the one that tells of it
	Object string    `json:"object"`         // the camera, sensor, disk …
	Detail string    `json:"detail"`         // what, where, how to put it right
	Since  time.Time `json:"since"`
	Count  int       `json:"count"` // how often it was reported since then
}

// Reporter is notified of problems by their code in the catalogue.
type Reporter interface {
	Set(code, table, object, detail string)
	Clear(code, object string)
}

// Board holds the present problems. All methods may be called by many.
type Board struct {
	mu      sync.Mutex
	now     func() time.Time
	present map[[2]string]*Problem
	watch   func(p Problem, on bool)
}

// NewBoard makes an empty board. watch, if not nil, is notified of every problem that
// begins or ends, outside the board's lock.
func NewBoard(watch func(p Problem, on bool)) *Board {
	if watch == nil {
		watch = func(Problem, bool) {}
	}
	return &Board{now: time.Now, present: map[[2]string]*Problem{}, watch: watch}
}

// Set notes that code holds for object. A code outside the catalogue is a
// programming error and is shown as a critical problem under its own name.
func (b *Board) Set(code, table, object, detail string) {
	k, ok := Find(code)
	if !ok {
		k = Kind{Code: code, Severity: Critical, Words: WordsOf(text.Text{ES: code, EN: code}, text.Text{})}
	}
	key := [2]string{code, object}
	b.mu.Lock()
	p, old := b.present[key]
	if !old {
		p = &Problem{Kind: k, Table: table, Object: object, Since: b.now()}
		b.present[key] = p
	}
	p.Detail = redact.Text(detail)
	p.Count++
	out := *p
	b.mu.Unlock()
	if !old {
		b.watch(out, true)
	}
}

// Clear notes that code no longer holds for object.
func (b *Board) Clear(code, object string) {
	key := [2]string{code, object}
	b.mu.Lock()
	p, ok := b.present[key]
	delete(b.present, key)
	b.mu.Unlock()
	if ok {
		b.watch(*p, false)
	}
}

// ClearTable notes that nothing holds any longer for what belongs to a table: another node
// has it.
func (b *Board) ClearTable(table string) {
	for _, p := range b.Present() {
		if p.Table == table {
			b.Clear(p.Code, p.Object)
		}
	}
}

// Present lists what holds now, critical ones first, then oldest first.
func (b *Board) Present() []Problem {
	b.mu.Lock()
	out := make([]Problem, 0, len(b.present))
	for _, p := range b.present {
		out = append(out, *p)
	}
	b.mu.Unlock()
	rank := map[Severity]int{Critical: 0, Warning: 1, Info: 2}
	slices.SortFunc(out, func(x, y Problem) int {
		return cmp.Or(cmp.Compare(rank[x.Severity], rank[y.Severity]), x.Since.Compare(y.Since),
			cmp.Compare(x.Code, y.Code), cmp.Compare(x.Object, y.Object))
	})
	return out
}
