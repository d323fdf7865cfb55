package acta

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"vision/internal/health"
	"vision/stream/index"
	"vision/stream/ledger"
)

// Unread is a stretch in which a camera saw something of its table too small, or from an
// angle at which nothing can be read, however long one looks.
type Unread struct {
	Span
	Camera string `json:"camera"`
	Detail string `json:"detail"` // what is not read, where and why
}

// coarse notes when a camera saw too little.
func (b *book) coarse(e ledger.Entry) bool {
	return read(e, func(p struct {
		Code, Object, Detail string
		On                   bool
	}) {
		if p.Code != health.CameraCoarse || e.Table == "" {
			return
		}
		g := b.of(e.Table)
		if i := g.sees(p.Object); i >= 0 {
			g.unread[i].To = e.Time
		}
		if p.On {
			g.unread = append(g.unread, Unread{Span{From: e.Time}, p.Object, p.Detail})
		}
	})
}

// sees is the stretch of a camera that has not ended; -1 where there is none.
func (g *gathered) sees(camera string) int {
	return slices.IndexFunc(g.unread, func(u Unread) bool { return u.Camera == camera && u.To.IsZero() })
}

// stopped ends what holds only while a node runs.
func (b *book) stopped(at time.Time) {
	for _, g := range b.tables {
		for i := range g.unread {
			if g.unread[i].To.IsZero() {
				g.unread[i].To = at
			}
		}
	}
}

// unreadIn are a table's stretches within others.
func (g *gathered) unreadIn(within []Span, to time.Time) []Unread {
	out := []Unread{}
	for _, u := range g.unread {
		if u.To.IsZero() {
			u.To = to
		}
		for _, s := range both([]Span{u.Span}, within) {
			out = append(out, Unread{s, u.Camera, u.Detail})
		}
	}
	return out
}

// before are the entries on what cameras do not see that still hold after an entry: those since
// the node began that ran then. They are in the order of the ledger.
func (o *Office) before(ctx context.Context, after uint64, to time.Time) ([]ledger.Entry, error) {
	nodes, err := o.Index.Entries(ctx, index.Query{Kind: ledger.Node, To: to, Limit: 100})
	if err != nil {
		return nil, fmt.Errorf("acta: %w", err)
	}
	var since time.Time
	for _, e := range nodes { // newest first
		var p struct{ Action string }
		if json.Unmarshal(e.Payload, &p) == nil && p.Action == ledger.Started {
			since = e.Time
			break
		}
	}
	all, err := o.Index.Entries(ctx, index.Query{Kind: ledger.Health, From: since, To: to, Limit: 10000})
	if err != nil {
		return nil, fmt.Errorf("acta: %w", err)
	}
	last := map[[2]string]ledger.Entry{} // by table and camera
	for _, e := range slices.Backward(all) {
		var p struct{ Code, Object string }
		if e.Seq <= after && json.Unmarshal(e.Payload, &p) == nil && p.Code == health.CameraCoarse {
			last[[2]string{e.Table, p.Object}] = ledger.Entry{Seq: e.Seq, Time: e.Time, Kind: e.Kind,
				Table: e.Table, Payload: e.Payload}
		}
	}
	return slices.SortedFunc(maps.Values(last), func(a, b ledger.Entry) int { return cmp.Compare(a.Seq, b.Seq) }), nil
}

// following is some entries, then those of a ledger.
func following(first []ledger.Entry, then iter.Seq2[ledger.Entry, error]) iter.Seq2[ledger.Entry, error] {
	return func(yield func(ledger.Entry, error) bool) {
		for _, e := range first {
			if !yield(e, nil) {
				return
			}
		}
		then(yield)
	}
}
