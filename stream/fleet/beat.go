package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"vision/internal/health"
)

// A node that dies is missed after ttl, and its tables are taken at the next beat or, where
// its heir does not come, after patience: within 10 s by far.
const (
	beat = time.Second
	// ttl is for how long an announcement and a lease hold without being renewed.
	ttl = 4 * time.Second
	// settle is for how long a node takes no table after it has come to others, or the bus has
	// come back: whoever runs one is to announce it first, and who starts at the same time has his
	// part.
	settle = 3 * time.Second
	// patience is for how long a table may be free before any worker takes it: a little less
	// than a beat, so that at the next one all do.
	patience = 900 * time.Millisecond
	// unserved is for how long a table is free before that is reported.
	unserved = 10 * time.Second
	// leaving is for how long the leases of a node that ends hold while its tables end.
	leaving = 15 * time.Second
	// answer is how long the bus may take for one beat.
	answer = 2 * time.Second
)

const kind = "node" // of what is announced on the bus

// errName is of a node whose name another has.
var errName = errors.New("another node has this name")

// Run takes part in the fleet until ctx ends; then it gives its tables back.
func (f *Fleet) Run(ctx context.Context) error {
	defer f.end(context.WithoutCancel(ctx))
	f.mu.Lock()
	f.open = true
	f.mu.Unlock()
	if f.Alone() {
		f.mu.Lock()
		for _, table := range f.cfg.Tables {
			f.begin(ctx, table, 0)
		}
		f.mu.Unlock()
		<-ctx.Done()
		return ctx.Err()
	}
	tick := time.NewTicker(beat)
	defer tick.Stop()
	first, seen, dark := true, false, time.Now().Add(blind)
	for {
		began := time.Now()
		if err := f.beat(ctx); ctx.Err() == nil {
			f.renewed(began)
			f.report(err)
			seen = seen || err == nil || errors.Is(err, errName)
		}
		if !f.settled.IsZero() && first {
			first = false
			if f.lonely() { // there is nobody to wait for
				f.settled = time.Now()
				continue
			}
		}
		if !seen && !time.Now().Before(dark) {
			f.guess(ctx)
			seen = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// lonely reports whether no other worker is there or is remembered.
func (f *Fleet) lonely() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	other := func(m Member) bool { return m.Works() && m.Name != f.cfg.Self.Name }
	for a := range f.all {
		if other(a.Member) {
			return false
		}
	}
	return !slices.ContainsFunc(f.known, other)
}

// report takes note of how a beat went.
func (f *Fleet) report(err error) {
	switch {
	case err == nil && f.settled.IsZero():
		f.settled = time.Now().Add(settle)
		f.cfg.Log.Info("the fleet is seen", "nodes", len(f.Nodes()))
	case err != nil && !f.settled.IsZero():
		f.cfg.Log.Warn("the fleet is not seen; tables go on where they are", "err", err)
	}
	if err != nil {
		f.settled = time.Time{}
	}
	if errors.Is(err, errName) {
		f.cfg.Health.Set(health.NodeName, "", f.cfg.Self.Name, err.Error())
	} else {
		f.cfg.Health.Clear(health.NodeName, f.cfg.Self.Name)
	}
}

// beat is what is done every second: see who is there, keep what this node runs, take what
// nobody runs, announce what it runs by now.
func (f *Fleet) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	if err := f.look(ctx); err != nil {
		return err
	}
	if err := f.keep(ctx); err != nil {
		return err
	}
	if now := time.Now(); !f.settled.IsZero() && !now.Before(f.settled) {
		if err := f.take(ctx, now); err != nil {
			return err
		}
		f.move(ctx, now)
		f.remember()
	}
	return f.announce(ctx)
}

// look sees who is there.
func (f *Fleet) look(ctx context.Context) error {
	list, err := f.cfg.Bus.Present(ctx, kind)
	if err != nil {
		return fmt.Errorf("fleet: %w", err)
	}
	others := map[string]announcement{}
	for name, raw := range list {
		var a announcement
		if err := json.Unmarshal(raw, &a); err != nil || a.Name != name {
			f.cfg.Log.Warn("a node announces itself in a form that this program does not know", "node", name, "err", err)
			continue
		}
		others[name] = a
	}
	if a, same := others[f.cfg.Self.Name]; same && a.ID != f.cfg.ID {
		return fmt.Errorf("fleet: %w: %q, at %s; give each machine its own `node:`", errName, a.Name, a.Address)
	}
	delete(others, f.cfg.Self.Name)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.settled.IsZero() || time.Now().Before(f.settled) { // Redis may have forgotten them, and they announce it anew
		known := maps.Clone(f.others)
		maps.Copy(known, others)
		others = known
	}
	f.others = others
	for _, a := range others {
		for _, table := range a.Tables {
			f.last[table] = a.Name
			delete(f.given, table)
		}
	}
	return nil
}

// announce publishes what this node is and runs.
func (f *Fleet) announce(ctx context.Context) error {
	f.mu.Lock()
	self := f.self()
	f.mu.Unlock()
	raw, err := json.Marshal(self)
	if err == nil {
		err = f.cfg.Bus.Announce(ctx, kind, self.Name, raw, ttl)
	}
	if err != nil {
		return fmt.Errorf("fleet: %w", err)
	}
	return nil
}

// end leaves the fleet: from then on nobody places tables here; each is given back as soon
// as it has ended.
func (f *Fleet) end(ctx context.Context) {
	if !f.Alone() && !f.settled.IsZero() {
		ctx, cancel := context.WithTimeout(ctx, answer)
		defer cancel()
		if err := f.cfg.Bus.Leave(ctx, kind, f.cfg.Self.Name); err != nil {
			f.cfg.Log.Warn("leaving the fleet", "err", err)
		}
	}
	f.mu.Lock()
	f.open = false
	own := maps.Clone(f.own)
	f.mu.Unlock()
	for _, t := range own {
		f.let(ctx, t, true)
	}
	for _, t := range own {
		<-t.done
	}
}
