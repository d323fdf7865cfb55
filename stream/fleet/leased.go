package fleet

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"vision/internal/health"
	"vision/stream/bus"
)

// again is how long a table that could not be run here is left to others.
const again = 30 * time.Second

// leasedTable is a table that this node runs. What may change is guarded by the fleet's mutex.
type leasedTable struct {
	lease  bus.Lease
	began  time.Time
	ending bool // it is being ended
	back   bool // its lease is to be given back then
	cancel context.CancelFunc
	done   chan struct{} // closed when its cameras are free and its lease is given back
}

// begin runs a table. The caller holds the mutex.
func (f *Fleet) begin(ctx context.Context, table string, token int64) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // end ends it, in its order
	t := &leasedTable{
		lease: bus.Lease{Name: table, Token: token}, began: time.Now(), cancel: cancel, done: make(chan struct{}),
	}
	f.own[table] = t
	delete(f.free, table)
	from := f.last[table]
	if from == f.cfg.Self.Name {
		from = ""
	}
	f.last[table] = f.cfg.Self.Name
	f.cfg.Log.Info("this node runs a table", "table", table, "token", token, "from", from)
	go func() {
		defer close(t.done)
		f.cfg.Run(ctx, Assignment{table, from, token})
		cancel()
		f.gone(t)
	}()
}

// gone takes note that a table has ended, and gives its lease back.
func (f *Fleet) gone(t *leasedTable) {
	f.mu.Lock()
	lease, back := t.lease, t.back || !t.ending
	if !t.ending {
		f.failed[lease.Name] = time.Now()
		t.ending = true
	}
	f.mu.Unlock()
	if back && !f.Alone() {
		ctx, cancel := context.WithTimeout(context.Background(), answer)
		defer cancel()
		if err := f.cfg.Bus.Release(ctx, lease); err != nil {
			f.cfg.Log.Warn("giving a table back; others wait until its lease has run out", "table", lease.Name, "err", err)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.own, lease.Name)
}

// let ends a table; back: whether its lease is this node's to give back. Others wait for
// it to end meanwhile, as long as leaving.
func (f *Fleet) let(ctx context.Context, t *leasedTable, back bool) {
	f.mu.Lock()
	lease, already := t.lease, t.ending
	t.ending, t.back = true, back
	f.mu.Unlock()
	if already {
		return
	}
	if back && !f.Alone() {
		if _, err := f.cfg.Bus.Hold(ctx, lease, leaving); err != nil {
			f.cfg.Log.Warn("holding a table while it ends", "table", lease.Name, "err", err)
		}
	}
	t.cancel()
}

// keep renews the leases of what this node runs, and lets go what another has by a newer
// token.
func (f *Fleet) keep(ctx context.Context) error {
	f.mu.Lock()
	var own []*leasedTable
	sure := !f.settled.IsZero() && !time.Now().Before(f.settled)
	for _, t := range f.own {
		if !t.ending && (t.lease.Token > 0 || sure) { // who has a lease comes before who never had one
			own = append(own, t)
		}
	}
	f.mu.Unlock()
	for _, t := range own {
		lease, err := f.cfg.Bus.Hold(ctx, t.lease, ttl)
		switch {
		case errors.Is(err, bus.ErrLost):
			f.cfg.Log.Warn("another node runs a table, by a newer token; this one lets go of it", "table", t.lease.Name)
			f.let(ctx, t, false)
		case err != nil:
			return err
		default:
			f.mu.Lock()
			t.lease = lease
			f.mu.Unlock()
		}
	}
	return nil
}

// take runs what nobody runs and this node is to run.
func (f *Fleet) take(ctx context.Context, now time.Time) error {
	for _, table := range f.wanted(now) {
		lease, err := f.cfg.Bus.Acquire(ctx, table, ttl)
		if errors.Is(err, bus.ErrHeld) { // it is not free: its node has not announced it yet, or ends it
			f.mu.Lock()
			f.free[table] = now
			f.mu.Unlock()
			continue
		}
		if err != nil {
			return err
		}
		f.mu.Lock()
		gone := !slices.Contains(f.cfg.Tables, table) // meanwhile
		if !gone {
			f.begin(ctx, table, lease.Token)
		}
		f.mu.Unlock()
		if gone {
			if err := f.cfg.Bus.Release(ctx, lease); err != nil {
				return err
			}
		}
	}
	return nil
}

// wanted are the tables that this node is to take now, of those that nobody is seen to run.
func (f *Fleet) wanted(now time.Time) (out []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seeFree(now)
	if !f.cfg.Self.Works() {
		return nil
	}
	var members []Member
	for a := range f.all {
		members = append(members, a.Member)
	}
	heirs, self := f.heirs(), 0 // all begins with this node
	for _, table := range f.cfg.Tables {
		since, free := f.free[table]
		if at, failed := f.failed[table]; !free || failed && now.Sub(at) < again {
			continue
		}
		heir, there := heirs[table]
		if !there {
			m, _ := best(table, members)
			heir = m.Name
		}
		if heir == f.cfg.Self.Name || now.Sub(since) >= patience {
			out = append(out, table)
			members[self].Load += tableCost / members[self].Capacity
		}
	}
	return out
}

// seeFree notes since when nobody is seen to run which tables, and reports those that
// nobody takes. The caller holds the mutex.
func (f *Fleet) seeFree(now time.Time) {
	run := map[string]bool{}
	for a := range f.all {
		for _, table := range a.Tables {
			run[table] = true
		}
	}
	for _, table := range f.cfg.Tables {
		_, ending := f.own[table]
		since, known := f.free[table]
		switch {
		case run[table] || ending:
			delete(f.free, table)
			if f.dark[table] {
				f.cfg.Health.Clear(health.TableUnserved, table)
			}
			delete(f.dark, table)
		case !known:
			f.free[table] = now
		case now.Sub(since) >= unserved && !f.dark[table]:
			f.dark[table] = true
			f.cfg.Health.Set(health.TableUnserved, table, table, "no machine runs it; machines that are there: "+f.names())
		}
	}
}

// names are the nodes that are there, with what they are.
func (f *Fleet) names() string {
	var out []string
	for a := range f.all {
		out = append(out, a.Name+" ("+a.Role+")")
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
