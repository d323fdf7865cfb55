package node

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"vision/internal/backoff"
	"vision/internal/config"
	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/bus"
	"vision/stream/cluster"
	"vision/stream/console"
	"vision/stream/floor"
	"vision/stream/notice"
	"vision/stream/peer"
	"vision/stream/statestore"
)

// Kinds of what the members share, beside those of accounts, sessions and
// thresholds.
const (
	sharedAlert = "alert" // every alert, as its steps have left it
	sharedRound = "round" // rounds of the last minutes, for those who look
	sharedTable = "table" // a table's state for pages, by the node that runs it
	sharedNode  = "node"  // machines that have been there
	sharedFloor = "floor" // who supervises what, by the leader
)

const (
	// ackedFor is how long an acknowledged alert is at hand on all consoles; older ones are
	// found in the ledgers.
	ackedFor = 24 * time.Hour
	// roundFor is how long a round is published again to consoles that were cut off.
	roundFor = 10 * time.Minute
	// nodeFor is how long an absent machine is listed.
	nodeFor = 30 * 24 * time.Hour
	// syncing is how long a start waits for what the others share.
	syncing = 5 * time.Second
)

// members is what this node has of the other machines of its cluster.
type members struct {
	store    *statestore.Store
	peers    *peer.Peers
	election election

	mu       sync.Mutex
	problems map[string][]health.Problem // of other machines, by name

	calibrated chan struct{} // another machine has shared a calibration
	following  sync.Mutex    // held while calibrations here are brought to the newest
}

// openMembers opens what the members share. One without a bus, or
// without their secret, is alone.
func (n *Node) openMembers() (err error) {
	if n.bus == nil || n.cfg.Secret == "" {
		return nil
	}
	h := &members{problems: map[string][]health.Problem{}, calibrated: make(chan struct{}, 1)}
	if h.store, err = statestore.Open(statestore.Config{
		Bus: n.bus, Node: n.cfg.NodeName(), Path: filepath.Join(n.cfg.Data, statestore.File),
		Secret: n.cfg.Secret, Log: n.log,
	}); err != nil {
		return err
	}
	if h.peers, err = peer.New(peer.Config{Members: n, Secret: n.cfg.Secret, TLS: n.trust, Log: n.log}); err != nil {
		return err
	}
	n.took(h.peers.Close)
	n.members = h
	return nil
}

// joinMembers reads the shared state, once this node's own is restored.
func (n *Node) joinMembers() error {
	h := n.members
	if h == nil {
		return nil
	}
	self, err := json.Marshal(n.Self())
	if err != nil {
		return err
	}
	err = errors.Join(
		h.store.Register(sharedAlert, statestore.Kind{Apply: applying(n.onAlert), Merge: alert.JoinRaw, Passing: true}),
		h.store.Register(sharedRound, statestore.Kind{Apply: applying(n.onRound), Passing: true}),
		h.store.Register(sharedTable, statestore.Kind{Passing: true, Apply: func(statestore.Record) error { return nil }}),
		h.store.Register(sharedNode, statestore.Kind{Apply: func(statestore.Record) error { return nil }}),
		h.store.Register(sharedCalibration, statestore.Kind{Apply: n.onCalibration}),
		h.store.Register(sharedFloor, statestore.Kind{Apply: n.onFloor}))
	if err != nil {
		return fmt.Errorf("what the machines share: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), syncing)
	defer cancel()
	if err := h.store.Sync(ctx); err != nil {
		n.log.Warn("cluster state not read yet", "err", err)
	}
	if _, err := h.store.Set("", sharedNode+"/"+n.cfg.NodeName(), self, time.Now().Add(nodeFor)); err != nil {
		return err
	}
	return n.limits.Share(h.store)
}

// publishRecord shares a value with the other machines.
func (n *Node) publishRecord(by, key string, body any, ends time.Time) {
	if n.members == nil {
		return
	}
	raw, err := json.Marshal(body)
	if err == nil {
		_, err = n.members.store.Set(by, key, raw, ends)
	}
	if err != nil {
		n.log.Error("cluster state not published", "key", key, "err", err)
	}
}

// publishAlert shares an alert with the other machines.
func (n *Node) publishAlert(a alert.Alert) {
	var ends time.Time
	by := ""
	if a.Ack != nil {
		if ends, by = a.Ack.At.Add(ackedFor), a.Ack.By; time.Now().After(ends) {
			return
		}
	}
	n.publishRecord(by, sharedAlert+"/"+a.ID, a, ends)
}

// applying applies what another machine shares, where it is there.
func applying[T any](take func(T) error) func(statestore.Record) error {
	return func(r statestore.Record) error {
		x, ok, err := statestore.Value[T](r)
		if err != nil || !ok {
			return err
		}
		return take(x)
	}
}

// onAlert receives an alert of another machine.
func (n *Node) onAlert(a alert.Alert) error { return n.desk.Merge(context.Background(), a) }

// onRound shows a round of another machine's table.
func (n *Node) onRound(m notice.Message) error { return n.hub.Publish("round", m.Table, m.Key, m.Body) }

// publishRound shares a round that was judged here.
func (n *Node) publishRound(table, key string, body any) {
	if n.members == nil {
		return
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return // the hub reports it
	}
	n.publishRecord("", sharedRound+"/"+table+"/"+key, notice.Message{Type: "round", Table: table, Key: key, Body: raw},
		time.Now().Add(roundFor))
}

// stateStore and peers are what the members share, and the members; nil where this
// one is alone.
func (n *Node) stateStore() *statestore.Store {
	if n.members == nil {
		return nil
	}
	return n.members.store
}

func (n *Node) peers() *peer.Peers {
	if n.members == nil {
		return nil
	}
	return n.members.peers
}

// Self implements peer.House.
func (n *Node) Self() peer.Node {
	if n.cluster == nil {
		return peer.Node{Name: n.cfg.NodeName(), Address: n.cfg.Address()}
	}
	return nodeOf(n.cluster.Self())
}

func nodeOf(m cluster.Member) peer.Node {
	return peer.Node{Name: m.Name, Role: m.Role, Address: m.Address, Version: m.Version, Tables: m.Tables, Load: m.Load,
		Since: m.Since}
}

// Nodes implements peer.House: the machines that are there, and those that have been.
func (n *Node) Nodes() (out []peer.Node) {
	self := n.cfg.NodeName()
	for _, m := range n.cluster.Nodes() {
		if m.Name != self {
			out = append(out, nodeOf(m))
		}
	}
	for _, r := range n.members.store.List(sharedNode) {
		there := func(x peer.Node) bool { return x.Name == r.Name() }
		x, ok, err := statestore.Value[peer.Node](r)
		if err == nil && ok && r.Name() != self && !slices.ContainsFunc(out, there) {
			x.Name, x.Away, x.Tables = r.Name(), true, nil
			out = append(out, x)
		}
	}
	return out
}

// Owner implements peer.House.
func (n *Node) Owner(table string) (peer.Node, bool) {
	m, ok := n.cluster.Owner(table)
	return nodeOf(m), ok
}

// escalatesFor reports whether this node escalates the alerts of another: that is away, and this
// one is the leader.
func (n *Node) escalatesFor(name string) bool {
	return n.members != nil && n.members.election.isLeader() &&
		!slices.ContainsFunc(n.cluster.Nodes(), func(m cluster.Member) bool { return m.Name == name })
}

// runMembers follows the other machines until ctx ends.
func (n *Node) runMembers(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { _ = n.members.store.Run(ctx) })
	wg.Go(func() { n.runElection(ctx) })
	wg.Go(func() { n.publishTables(ctx) })
	wg.Go(func() { n.keepCalibrations(ctx) })
	if n.cfg.Role == "worker" { // nobody looks here
		<-ctx.Done()
		return ctx.Err()
	}
	return n.members.peers.Listen(ctx, "/api/v1/events", n.onNotice)
}

// onNotice shows what another machine shows. Alerts, rounds and supervision come over Redis,
// and alerts here too, so that they come without it.
func (n *Node) onNotice(name string, m notice.Message) {
	var err error
	switch m.Type {
	case "overlay", "state", "age":
		if n.table(m.Table) == nil {
			err = n.hub.Relay(m.Type, m.Table, m.Key, m.Body)
		}
	case "alert":
		var a alert.Alert
		if err = json.Unmarshal(m.Body, &a); err == nil {
			err = n.onAlert(a)
		}
	case "health":
		var list []health.Problem
		if err = json.Unmarshal(m.Body, &list); err == nil {
			err = n.onHealth(name, list)
		}
	}
	if err != nil {
		n.log.Error("invalid notice from another machine", "node", name, "type", m.Type, "err", err)
	}
}

// onHealth takes the problems of another machine. What it reports of others they report
// themselves.
func (n *Node) onHealth(name string, list []health.Problem) error {
	list = slices.DeleteFunc(list, func(p health.Problem) bool { return p.Node != "" && p.Node != name })
	for i := range list {
		list[i].Node = name
	}
	n.members.mu.Lock()
	n.members.problems[name] = list
	n.members.mu.Unlock()
	return n.publishHealth()
}

// publishHealth publishes the problems of all machines if they changed: members that follow
// one another would else publish the same for ever.
func (n *Node) publishHealth() error {
	n.publishing.Lock()
	defer n.publishing.Unlock()
	list := n.problems()
	raw, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("problems of all machines: %w", err)
	}
	if bytes.Equal(raw, n.published) {
		return nil
	}
	n.published = raw
	return n.hub.Retain("health", "", "", list)
}

// problems are those of all machines that are there.
func (n *Node) problems() []health.Problem {
	out := n.board.Present()
	if n.members == nil {
		return out
	}
	there := n.cluster.Nodes()
	n.members.mu.Lock()
	defer n.members.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(n.members.problems)) {
		if slices.ContainsFunc(there, func(m cluster.Member) bool { return m.Name == name }) {
			out = append(out, n.members.problems[name]...)
		}
	}
	return out
}

// tablesAgain is how often the published state of tables is checked.
const tablesAgain = time.Second

// publishTables shares the state of the tables that run here, for pages.
func (n *Node) publishTables(ctx context.Context) {
	published := map[string]string{}
	for ctx.Err() == nil {
		for _, t := range n.registry.all() {
			table := n.tableHere(t.Config())
			raw, err := json.Marshal(table)
			if err == nil && published[table.ID] != string(raw) {
				published[table.ID] = string(raw)
				n.publishRecord("", sharedTable+"/"+table.ID, table, time.Time{})
			}
		}
		_ = backoff.Sleep(ctx, tablesAgain)
	}
}

// tableElsewhere is a table that does not run here, as the member that runs it publishes it.
func (n *Node) tableElsewhere(t config.Table) console.Table {
	if n.members != nil {
		if r, ok := n.members.store.Get(sharedTable + "/" + t.ID); ok {
			if x, ok, err := statestore.Value[console.Table](r); err == nil && ok {
				x.Node = ""
				if m, ok := n.cluster.Owner(t.ID); ok {
					x.Node = m.Name
				}
				return x
			}
		}
	}
	out := n.tableOf(t)
	for _, c := range t.Cameras {
		out.Cameras = append(out.Cameras, console.Camera{Name: c.Name, Low: c.Substream != ""})
	}
	return out
}

// election is the leader election of the members: the leader owns who supervises what.
type election struct {
	mu    sync.Mutex
	lease bus.Lease
	held  bool
}

func (e *election) isLeader() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.held
}

func (e *election) set(l bus.Lease, held bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lease, e.held = l, held
}

const (
	floorLease    = "floor"
	electionTTL   = 6 * time.Second
	electionEvery = 2 * time.Second
)

// leads reports whether this node is the leader; one that is alone is.
func (n *Node) leads() bool { return n.members == nil || n.members.election.isLeader() }

// leaderName is the name of the leader, as far as it is known here.
func (n *Node) leaderName() string {
	if n.leads() {
		return n.cfg.NodeName()
	}
	r, _ := n.members.store.Get(sharedFloor + "/judge")
	return r.Node
}

// runElection takes the leader's lease when it is free, and renews it. While Redis is away the
// last leader goes on: nobody else can take it then.
func (n *Node) runElection(ctx context.Context) {
	e := &n.members.election
	for ctx.Err() == nil {
		e.mu.Lock()
		lease, held := e.lease, e.held
		e.mu.Unlock()
		try, cancel := context.WithTimeout(ctx, electionEvery)
		var err error
		if held {
			lease, err = n.bus.Hold(try, lease, electionTTL)
		} else {
			lease, err = n.bus.Acquire(try, floorLease, electionTTL)
		}
		cancel()
		switch {
		case err == nil && !held:
			e.set(lease, true)
			n.log.Info("elected leader for supervision")
			n.publishRecord("", sharedFloor+"/judge", true, time.Time{})
			n.floor.Lead()
		case err == nil:
			e.set(lease, true)
		case errors.Is(err, bus.ErrLost):
			e.set(bus.Lease{}, false)
			n.log.Warn("leadership for supervision lost")
		}
		_ = backoff.Sleep(ctx, electionEvery)
	}
	if e.isLeader() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = n.bus.Release(last, e.lease) // it ends by itself
		e.set(bus.Lease{}, false)
	}
}

// publishFloor shares who supervises what, and onFloor takes it.
func (n *Node) publishFloor(s floor.Status) {
	if n.members != nil && n.leads() {
		n.publishRecord("", sharedFloor+"/room", s.Carried(), time.Time{})
	}
}

func (n *Node) onFloor(r statestore.Record) error {
	if r.Name() != "room" || n.leads() {
		return nil
	}
	return applying(func(c floor.Carried) error { n.floor.Follow(c); return nil })(r)
}
