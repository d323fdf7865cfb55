package acta

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"vision/stream/index"
	"vision/stream/ledger"
)

// ErrUnknown means that there is no acta of that name.
var ErrUnknown = errors.New("no such acta")

// Ledger is what actas are made of and kept in.
type Ledger interface {
	Since(seq uint64) iter.Seq2[ledger.Entry, error]
	Append(kind ledger.Kind, table string, payload any) (ledger.Entry, error)
}

// Office makes actas and finds them again. Its methods may be called by many.
type Office struct {
	Ledger Ledger
	Index  *index.Index
	Now    func() time.Time // nil = time.Now
}

// Make makes an acta of what the ledger has by now and keeps it there. Nothing is kept where
// may has an error for the tables that it would be about; it is the answer then.
func (o *Office) Make(ctx context.Context, r Request, by string, may func(tables []string) error) (*Acta, error) {
	now := time.Now()
	if o.Now != nil {
		now = o.Now()
	}
	r.From, r.To = r.From.UTC(), r.To.UTC()
	if err := r.Check(now); err != nil {
		return nil, err
	}
	// The last word on supervision before it holds at its beginning.
	last, err := o.Index.Entries(ctx, index.Query{Kind: ledger.Supervision, To: r.From, Limit: 1})
	if err != nil {
		return nil, fmt.Errorf("acta: %w", err)
	}
	var after uint64
	if len(last) > 0 {
		after = last[0].Seq - 1
	}
	held, err := o.before(ctx, after, r.From)
	if err != nil {
		return nil, err
	}
	a, err := Make(following(held, o.Ledger.Since(after)), r)
	if err != nil {
		return nil, err
	}
	if err := may(a.Names()); err != nil {
		return nil, err
	}
	a.ID = fmt.Sprintf("%s-%s-%d", r.From.Format("20060102T1504"), cmp.Or(r.Table, r.Jefe), a.Source.Last)
	a.Made, a.By = now.UTC(), by
	if _, err := o.Ledger.Append(ledger.Acta, r.Table, a); err != nil {
		return nil, fmt.Errorf("acta: %w", err)
	}
	return a, o.Index.CatchUp(ctx) // who made it finds it in the list
}

// Item is an acta in a list.
type Item struct {
	ID   string    `json:"id"`
	Made time.Time `json:"made"`
	By   string    `json:"by"`
	Request
	Tables []string `json:"tables"`
	Totals Totals   `json:"totals"`
	Entry  uint64   `json:"entry"` // of the ledger
}

// List are the actas that the ledger has, newest first.
func (o *Office) List(ctx context.Context) ([]Item, error) {
	entries, err := o.Index.Entries(ctx, index.Query{Kind: ledger.Acta, Limit: 10000})
	if err != nil {
		return nil, fmt.Errorf("acta: %w", err)
	}
	out := make([]Item, 0, len(entries))
	for _, e := range entries {
		var a Acta
		if json.Unmarshal(e.Payload, &a) != nil {
			continue // of another form
		}
		out = append(out, Item{ID: a.ID, Made: a.Made, By: a.By, Request: a.Request, Tables: a.Names(), Totals: a.Totals,
			Entry: e.Seq})
	}
	return out, nil
}

// Get gives an acta, and the line of the ledger that holds and signs it.
func (o *Office) Get(ctx context.Context, id string) (*Acta, []byte, error) {
	list, err := o.List(ctx)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(list, func(x Item) bool { return x.ID == id })
	if i < 0 {
		return nil, nil, fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	for e, err := range o.Ledger.Since(list[i].Entry - 1) {
		if err != nil {
			return nil, nil, fmt.Errorf("acta %s: %w", id, err)
		}
		var a Acta
		if err := json.Unmarshal(e.Payload, &a); err != nil {
			return nil, nil, fmt.Errorf("acta %s: %w", id, err)
		}
		line, err := e.Line()
		return &a, line, err
	}
	return nil, nil, fmt.Errorf("%w: %q", ErrUnknown, id)
}

// Again makes an acta again from the entries of its source and says in what it differs
// from what it states; nil where it states what the ledger says. entries yields those
// after a number.
func (a *Acta) Again(entries func(after uint64) iter.Seq2[ledger.Entry, error]) error {
	if a.Source.First == 0 {
		return errors.New("it names no entries that it was made of")
	}
	again, err := Make(func(yield func(ledger.Entry, error) bool) {
		for e, err := range entries(a.Source.First - 1) {
			if err == nil && e.Seq > a.Source.Last || !yield(e, err) {
				return
			}
		}
	}, a.Request)
	if err != nil {
		return err
	}
	again.ID, again.Made, again.By = a.ID, a.Made, a.By
	is, err := json.Marshal(a)
	if err != nil {
		return err
	}
	want, err := json.Marshal(again)
	if err != nil {
		return err
	}
	if !bytes.Equal(is, want) {
		return fmt.Errorf("it states something else than entries %d to %d", a.Source.First, a.Source.Last)
	}
	return nil
}
