package fleet

import (
	"context"
	"errors"
	"slices"
	"time"

	"vision/stream/bus"
)

// again is how long a table that could not be run here is left to others.
const again = 30 * time.Second

// tenure is a table that this node runs. What may change is guarded by the fleet's mutex.
type tenure struct {
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
	t := &tenure{lease: bus.Lease{Name: table, Token: token}, began: time.Now(), cancel: cancel, done: make(chan struct{})}
	f.own[table] = t
	delete(f.free, table)
	from := f.last[table]
	if from == f.cfg.Self.Name {
		from = ""
	}
	f.last[table] = f.cfg.Self.Name
	f.cfg.Log.Info("this node runs a table", "table", table, "token", token, "from", from)
	f.tell()
	go func() {
		defer close(t.done)
		f.cfg.Run(ctx, table, from)
		cancel()
		f.gone(t)
	}()
}

// gone takes note that a table has ended, and gives its lease back.
func (f *Fleet) gone(t *tenure) {
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
	f.tell()
}

// let ends a table; back says whether its lease is this node's to give back. Others wait for
// it to end meanwhile, as long as leaving.
func (f *Fleet) let(ctx context.Context, t *tenure, back bool) {
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
	var own []*tenure
	for _, t := range f.own {
		if !t.ending {
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
		if errors.Is(err, bus.ErrHeld) { // it is not free: its node has not said yet, or ends it
			f.mu.Lock()
			f.free[table] = now
			f.mu.Unlock()
			continue
		}
		if err != nil {
			return err
		}
		f.mu.Lock()
		f.begin(ctx, table, lease.Token)
		f.mu.Unlock()
	}
	return nil
}

// wanted are the tables that this node is to take now, of those that nobody is seen to run.
func (f *Fleet) wanted(now time.Time) (out []string) {
	if f.cfg.Run == nil || !f.cfg.Self.Works() {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	run, heirs := map[string]bool{}, f.heirs()
	var members []Member
	for a := range f.all {
		members = append(members, a.Member)
		for _, table := range a.Tables {
			run[table] = true
		}
	}
	self := slices.IndexFunc(members, func(m Member) bool { return m.Name == f.cfg.Self.Name })
	for _, table := range f.cfg.Tables {
		if _, ending := f.own[table]; run[table] || ending {
			delete(f.free, table)
			continue
		}
		if at, failed := f.failed[table]; failed && now.Sub(at) < again {
			continue
		}
		since, known := f.free[table]
		if !known {
			since = now
			f.free[table] = now
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
