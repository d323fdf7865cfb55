package acta

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"vision/stream/ledger"
)

// ErrNothing means that the ledger has nothing about what was asked for.
var ErrNothing = errors.New("the ledger has nothing about it in that time")

// Make makes the acta of a request from the entries of a ledger, oldest first: all that came
// after its last word on supervision before r.From, or all. ID, Made and By are the
// caller's to fill in. The same entries make the same acta.
func Make(entries iter.Seq2[ledger.Entry, error], r Request) (*Acta, error) {
	b := book{tables: map[string]*gathered{}}
	a := &Acta{Schema: Schema, Request: r, Tables: []Table{}}
	for e, err := range entries {
		if errors.Is(err, ledger.ErrLine) {
			a.Source.Unread++
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("acta: %w", err)
		}
		a.Source.First = cmp.Or(a.Source.First, e.Seq)
		if !b.take(e) {
			a.Source.Unread++
		}
		a.Source.Last, a.Source.Hash = e.Seq, e.Hash.String()
	}
	for _, id := range b.about(r) {
		a.Tables = append(a.Tables, b.table(id, r))
	}
	if len(a.Tables) == 0 {
		return nil, fmt.Errorf("acta: %w", ErrNothing)
	}
	a.total()
	return a, nil
}

// about are the tables that an acta is about, by name.
func (b *book) about(r Request) (ids []string) {
	if r.Table != "" {
		if _, ok := b.tables[r.Table]; ok || slices.ContainsFunc(b.steps, func(s step) bool {
			_, has := s.tables[r.Table]
			return has
		}) {
			return []string{r.Table}
		}
		return nil
	}
	had := map[string]bool{}
	for i, s := range b.steps {
		if span := b.during(i, r); span.From.Before(span.To) {
			for id, jefe := range s.jefes {
				had[id] = had[id] || jefe == r.Jefe
			}
		}
	}
	maps.DeleteFunc(had, func(_ string, has bool) bool { return !has })
	return slices.Sorted(maps.Keys(had))
}

// during is the part of a request's time in which a step held.
func (b *book) during(i int, r Request) Span {
	to := r.To
	if i+1 < len(b.steps) {
		to = earliest(to, b.steps[i+1].at)
	}
	return Span{latest(b.steps[i].at, r.From), to}
}

func latest(a, b time.Time) time.Time { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }

func earliest(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }

// table states what held at one table.
func (b *book) table(id string, r Request) Table {
	t := Table{ID: id, Supervision: b.supervised(id, r)}
	for _, s := range b.steps {
		if has, ok := s.tables[id]; ok && s.at.Before(r.To) {
			t.Game, t.Norm = has.Game, s.norms[id]
		}
	}
	within, open := scope(t.Supervision, r)
	g := b.of(id)
	t.Cameras = g.cameras(r, open, b.before)
	t.Unread = g.unreadIn(open, r.To)
	recorded := g.recorded()
	for _, c := range t.Cameras {
		recorded = join(append(recorded, c.Pending...))
	}
	t.Condition = b.condition(id, r, open, recorded)
	t.Seals = slices.DeleteFunc(append([]Seal{}, g.seals...), func(s Seal) bool {
		return !s.From.Before(r.To) || !r.From.Before(s.To)
	})
	t.Findings = g.findings(within)
	t.Session = []Step{}
	for _, s := range g.session {
		if covers(within, s.At) {
			t.Session = append(t.Session, s)
		}
	}
	t.Rounds, t.Money, t.Limits = g.play(within)
	return t
}

// total sums the tables up.
func (a *Acta) total() {
	t := &a.Totals
	t.Rounds.Reasons = map[string]int{}
	for i := range a.Tables {
		x := &a.Tables[i]
		for _, c := range x.Condition {
			sec := int64(c.To.Sub(c.From).Round(time.Second) / time.Second)
			t.Open += sec
			switch c.State {
			case Held:
				t.Held += sec
			case Broken:
				t.Broken += sec
			default:
				t.Unproven += sec
			}
		}
		t.Rounds.Judged += x.Rounds.Judged
		t.Rounds.InOrder += x.Rounds.InOrder
		t.Rounds.WithFindings += x.Rounds.WithFindings
		t.Rounds.NotVerifiable += x.Rounds.NotVerifiable
		for why, n := range x.Rounds.Reasons {
			t.Rounds.Reasons[why] += n
		}
		t.Findings += len(x.Findings)
		for _, f := range x.Findings {
			if f.Outcome == "" {
				t.Waiting++
			}
		}
		t.Money.Collected += x.Money.Collected
		t.Money.Paid += x.Money.Paid
		t.Money.Commission += x.Money.Commission
		t.Money.ForHouse += x.Money.ForHouse
		t.Money.AgainstHouse += x.Money.AgainstHouse
	}
}
