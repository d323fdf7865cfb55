package replica

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/stream/ledger"
	"vision/stream/past"
	"vision/stream/record"
)

// entries compares the ledger in the store with the one here, entry by entry.
func (c *checker) entries(ctx context.Context) error {
	c.rewritten(c.stretches)
	for _, o := range oldest(c.stretches) {
		b, err := c.v.whole(ctx, o.name, o.id)
		if err != nil {
			return err
		}
		s, err := ledger.ParseStretch(b, c.pub)
		if err != nil {
			c.bad("%s: %v", o.name, err)
			continue
		}
		c.stretch(o, s)
	}
	c.covered()
	return nil
}

// stretch compares one stretch; only its first difference is named.
func (c *checker) stretch(o version, s ledger.Stretch) {
	for _, e := range s.Entries {
		switch {
		case e.Seq >= uint64(len(c.hashes)) || c.hashes[e.Seq] == (ledger.Digest{}):
			c.bad("ledger entry %d, of %s, is in the store (%s) and not here: the ledger was cut, or an old copy was put in its place", e.Seq, e.Time.Format(time.RFC3339), o.name)
			return
		case c.hashes[e.Seq] != e.Hash:
			c.bad("ledger entry %d is another here than in the store (%s), where it is of %s and about %s: the past was rewritten from there on", e.Seq, o.name, e.Time.Format(time.RFC3339), e.Kind)
			return
		}
		c.there[e.Seq] = true
	}
	c.owing = append(c.owing, owing{o, s.Entries[len(s.Entries)-1].Time.Add(c.terms.Ledger)})
}

// covered names entries that are not in the store. Those at the end were not sent yet.
func (c *checker) covered() {
	last := len(c.hashes) - 1
	for last > 0 && !c.there[last] {
		last--
	}
	c.report.Entry = uint64(last)
	if n := len(c.hashes) - 1 - last; n > 0 {
		c.note("%d entries, from %d on, are not in the store yet", n, last+1)
	}
	for seq := 1; seq < last; seq++ {
		if !c.there[seq] && c.hashes[seq] != (ledger.Digest{}) {
			c.bad("ledger entry %d is not in the store, although later ones are", seq)
			return
		}
	}
}

// rewritten names objects that were written again with something else. The oldest version
// of each is what counts.
func (c *checker) rewritten(versions []version) {
	for i, o := range versions {
		if i > 0 && versions[i-1].name == o.name && versions[i-1].size != o.size {
			c.bad("%s was written again on %s with something else; its first version is still there", o.name, o.at.Format(time.RFC3339))
		}
	}
}

// segments compares the recordings that the ledger lists with those in the store.
func (c *checker) segments(ctx context.Context) error {
	var missing []heldNote
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sideBySide)
	for i, n := range c.listed {
		o := c.files[recordingsDir+"/"+n.File]
		until := n.To.Add(c.term(n.Segment))
		switch {
		case len(o) == 0 && (n.unsafe || until.Before(c.now)):
			// Never sent, which the ledger says, or gone when its time was over.
		case len(o) == 0:
			missing = append(missing, n)
		default:
			c.unsent(missing, n)
			missing = nil
			g.Go(func() error { return c.segment(ctx, n, o, until) })
		}
		c.progress(i+1, len(c.listed))
	}
	if n := len(missing); n > 0 {
		c.note("%d recordings, from %s on, are not in the store yet", n, missing[0].File)
	}
	return g.Wait()
}

// sideBySide is how many objects are looked at at a time.
const sideBySide = 8

// unsent names recordings that are not in the store although one that came later is: they
// are sent in their order.
func (c *checker) unsent(missing []heldNote, later heldNote) {
	for _, n := range missing {
		c.bad("%s is not in the store, although %s, which came later, is", n.File, later.File)
	}
}

func (c *checker) term(seg record.Segment) time.Duration {
	return term(c.terms, slices.ContainsFunc(c.marks, func(m past.Mark) bool {
		return m.Table == seg.Table && seg.Within(m.From, m.To)
	}))
}

// segment looks at a recording's versions: one has to be what the ledger lists, locked.
func (c *checker) segment(ctx context.Context, n heldNote, versions []version, until time.Time) error {
	sum, err := ledger.ParseDigest(n.SHA256)
	if err != nil {
		c.bad("%s: %v", n.File, err)
		return nil
	}
	why := error(nil)
	for _, o := range versions {
		s, err := c.v.state(ctx, o.name, o.id)
		if err != nil {
			return err
		}
		if err = s.fits(n.Bytes, sum); err == nil && until.After(c.now) {
			err = s.locked(c.v.mode, until)
		}
		if err == nil && c.sealed(n.Segment) && !s.held {
			err = fmt.Errorf("%w: it is sealed, and not held", ErrUnsafe)
		}
		if err == nil {
			c.mu.Lock()
			c.report.Segments++
			c.mu.Unlock()
			return nil
		}
		why = errors.Join(why, err)
	}
	c.bad("%s: %v", n.File, why)
	return nil
}

func (c *checker) sealed(seg record.Segment) bool {
	return slices.ContainsFunc(c.seals, func(s record.SealSpan) bool {
		return s.Table == seg.Table && seg.Within(s.From, s.To)
	})
}

// locks looks whether the stretches of the ledger are locked as they have to be.
func (c *checker) locks(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sideBySide)
	for _, w := range c.owing {
		if w.until.Before(c.now) {
			continue
		}
		g.Go(func() error {
			s, err := c.v.state(ctx, w.o.name, w.o.id)
			if err != nil {
				return err
			}
			if err := s.locked(c.v.mode, w.until); err != nil {
				c.bad("%s: %v", w.o.name, err)
			}
			return nil
		})
	}
	return g.Wait()
}
