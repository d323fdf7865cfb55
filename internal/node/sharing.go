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
	"vision/stream/console"
	"vision/stream/fleet"
	"vision/stream/floor"
	"vision/stream/notice"
	"vision/stream/peer"
	"vision/stream/share"
)

// Kinds of what the machines of a house share, beside those of accounts, sessions and
// thresholds.
const (
	sharedAlert = "alert" // every alert, as its steps have left it
	sharedRound = "round" // rounds of the last minutes, for those who look
	sharedTable = "table" // what pages need to know of a table, by who runs it
	sharedNode  = "node"  // machines that have been there
	sharedFloor = "floor" // who supervises what, by the machine that judges it
)

const (
	// ackedFor is how long an acknowledged alert is at hand on all consoles; older ones are
	// found in the ledgers.
	ackedFor = 24 * time.Hour
	// roundFor is how long a round is told again to consoles that were cut off.
	roundFor = 10 * time.Minute
	// nodeFor is how long a machine that is away is known.
	nodeFor = 30 * 24 * time.Hour
	// syncing is how long a start waits for what the others share.
	syncing = 5 * time.Second
)

// sharing is what this node has of a house of several machines.
type sharing struct {
	share *share.Store
	peers *peer.Peers
	judge judge

	mu       sync.Mutex
	problems map[string][]health.Problem // of other machines, by name

	sights    chan struct{} // another machine has shared a calibration
	following sync.Mutex    // held while calibrations here are brought to the newest
}

// openHouse opens what the machines of a house share. One without a bus, or
// without the house's secret, is alone.
func (n *Node) openHouse() (err error) {
	if n.bus == nil || n.cfg.Secret == "" {
		return nil
	}
	h := &sharing{problems: map[string][]health.Problem{}, sights: make(chan struct{}, 1)}
	if h.share, err = share.Open(share.Config{
		Bus: n.bus, Node: n.cfg.NodeName(), Path: filepath.Join(n.cfg.Data, share.File), Secret: n.cfg.Secret, Log: n.log,
	}); err != nil {
		return err
	}
	if h.peers, err = peer.New(peer.Config{House: n, Secret: n.cfg.Secret, TLS: n.trust, Log: n.log}); err != nil {
		return err
	}
	n.house = h
	return nil
}

// joinHouse takes up what the machines share, once this node's own past is here.
func (n *Node) joinHouse() error {
	h := n.house
	if h == nil {
		return nil
	}
	self, err := json.Marshal(n.Self())
	if err != nil {
		return err
	}
	err = errors.Join(
		h.share.Register(sharedAlert, share.Kind{Apply: n.hearAlert, Merge: alert.JoinRaw, Passing: true}),
		h.share.Register(sharedRound, share.Kind{Apply: n.hearRound, Passing: true}),
		h.share.Register(sharedTable, share.Kind{Passing: true, Apply: func(share.Record) error { return nil }}),
		h.share.Register(sharedNode, share.Kind{Apply: func(share.Record) error { return nil }}),
		h.share.Register(sharedCalibration, share.Kind{Apply: n.hearSight}),
		h.share.Register(sharedFloor, share.Kind{Apply: n.hearFloor}))
	if err != nil {
		return fmt.Errorf("what the machines share: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), syncing)
	defer cancel()
	if err := h.share.Sync(ctx); err != nil {
		n.log.Warn("what the other machines share is not known yet", "err", err)
	}
	if _, err := h.share.Tell("", sharedNode+"/"+n.cfg.NodeName(), self, time.Now().Add(nodeFor)); err != nil {
		return err
	}
	return n.limits.Share(h.share)
}

// tell shares a value with the other machines.
func (n *Node) tell(by, key string, body any, ends time.Time) {
	if n.house == nil {
		return
	}
	raw, err := json.Marshal(body)
	if err == nil {
		_, err = n.house.share.Tell(by, key, raw, ends)
	}
	if err != nil {
		n.log.Error("the other machines are not told", "key", key, "err", err)
	}
}

// tellAlert shares an alert with the other machines.
func (n *Node) tellAlert(a alert.Alert) {
	var ends time.Time
	by := ""
	if a.Ack != nil {
		if ends, by = a.Ack.At.Add(ackedFor), a.Ack.By; time.Now().After(ends) {
			return
		}
	}
	n.tell(by, sharedAlert+"/"+a.ID, a, ends)
}

// hearAlert takes an alert of another machine.
func (n *Node) hearAlert(r share.Record) error {
	a, ok, err := share.Value[alert.Alert](r)
	if err != nil || !ok {
		return err
	}
	return n.desk.Hear(context.Background(), a)
}

// hearRound shows a round of another machine's table.
func (n *Node) hearRound(r share.Record) error {
	x, ok, err := share.Value[notice.Message](r)
	if err != nil || !ok {
		return err
	}
	return n.hub.Publish("round", x.Table, x.Key, x.Body)
}

// tellRound shares a round that was judged here.
func (n *Node) tellRound(table, key string, body any) {
	if n.house == nil {
		return
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return // the hub says so
	}
	n.tell("", sharedRound+"/"+table+"/"+key, notice.Message{Type: "round", Table: table, Key: key, Body: raw},
		time.Now().Add(roundFor))
}

// shared and others are what the house's machines share, and the machines; nil where this
// one is alone.
func (n *Node) shared() *share.Store {
	if n.house == nil {
		return nil
	}
	return n.house.share
}

func (n *Node) others() *peer.Peers {
	if n.house == nil {
		return nil
	}
	return n.house.peers
}

// Self implements peer.House.
func (n *Node) Self() peer.Node {
	if n.fleet == nil {
		return peer.Node{Name: n.cfg.NodeName(), Address: n.cfg.Address()}
	}
	return nodeOf(n.fleet.Self())
}

func nodeOf(m fleet.Member) peer.Node {
	return peer.Node{Name: m.Name, Role: m.Role, Address: m.Address, Version: m.Version, Tables: m.Tables, Load: m.Load,
		Since: m.Since}
}

// Nodes implements peer.House: the machines that are there, and those that have been.
func (n *Node) Nodes() (out []peer.Node) {
	self := n.cfg.NodeName()
	for _, m := range n.fleet.Nodes() {
		if m.Name != self {
			out = append(out, nodeOf(m))
		}
	}
	for _, r := range n.house.share.List(sharedNode) {
		there := func(x peer.Node) bool { return x.Name == r.Name() }
		if x, ok, err := share.Value[peer.Node](r); err == nil && ok && r.Name() != self && !slices.ContainsFunc(out, there) {
			x.Name, x.Away, x.Tables = r.Name(), true, nil
			out = append(out, x)
		}
	}
	return out
}

// Owner implements peer.House.
func (n *Node) Owner(table string) (peer.Node, bool) {
	m, ok := n.fleet.Owner(table)
	return nodeOf(m), ok
}

// minds reports whether this node escalates the alerts of another: that is away, and this
// one judges what the room does.
func (n *Node) minds(name string) bool {
	return n.house != nil && n.house.judge.here() &&
		!slices.ContainsFunc(n.fleet.Nodes(), func(m fleet.Member) bool { return m.Name == name })
}

// runHouse keeps up with the other machines until ctx ends.
func (n *Node) runHouse(ctx context.Context) error {
	if n.house == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { _ = n.house.share.Run(ctx) })
	wg.Go(func() { n.keepJudge(ctx) })
	wg.Go(func() { n.tellTables(ctx) })
	wg.Go(func() { n.keepSights(ctx) })
	if n.cfg.Role == "worker" { // nobody looks here
		<-ctx.Done()
		return ctx.Err()
	}
	return n.house.peers.Listen(ctx, "/api/v1/events", n.hear)
}

// hear shows what another machine shows. Alerts, rounds and supervision come over Redis,
// and alerts here too, so that they come without it.
func (n *Node) hear(name string, m notice.Message) {
	var err error
	switch m.Type {
	case "overlay", "state", "age":
		if n.table(m.Table) == nil {
			err = n.hub.Relay(m.Type, m.Table, m.Key, m.Body)
		}
	case "alert":
		var a alert.Alert
		if err = json.Unmarshal(m.Body, &a); err == nil {
			err = n.desk.Hear(context.Background(), a)
		}
	case "health":
		var list []health.Problem
		if err = json.Unmarshal(m.Body, &list); err == nil {
			err = n.hearHealth(name, list)
		}
	}
	if err != nil {
		n.log.Error("a notice of another machine", "node", name, "type", m.Type, "err", err)
	}
}

// hearHealth takes the problems of another machine. What that tells of others they tell
// themselves.
func (n *Node) hearHealth(name string, list []health.Problem) error {
	list = slices.DeleteFunc(list, func(p health.Problem) bool { return p.Node != "" && p.Node != name })
	for i := range list {
		list[i].Node = name
	}
	n.house.mu.Lock()
	n.house.problems[name] = list
	n.house.mu.Unlock()
	return n.tellHealth()
}

// tellHealth shows the problems of all machines, where they are others than was told last:
// machines that hear one another would else tell the same for ever.
func (n *Node) tellHealth() error {
	n.telling.Lock()
	defer n.telling.Unlock()
	list := n.problems()
	raw, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("problems of all machines: %w", err)
	}
	if bytes.Equal(raw, n.told) {
		return nil
	}
	n.told = raw
	return n.hub.Retain("health", "", "", list)
}

// problems are those of all machines that are there.
func (n *Node) problems() []health.Problem {
	out := n.board.Present()
	if n.house == nil {
		return out
	}
	there := n.fleet.Nodes()
	n.house.mu.Lock()
	defer n.house.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(n.house.problems)) {
		if slices.ContainsFunc(there, func(m fleet.Member) bool { return m.Name == name }) {
			out = append(out, n.house.problems[name]...)
		}
	}
	return out
}

// tablesAgain is how often it is looked whether what is told of tables is still so.
const tablesAgain = time.Second

// tellTables shares what pages need to know of the tables that run here.
func (n *Node) tellTables(ctx context.Context) {
	said := map[string]string{}
	for ctx.Err() == nil {
		for _, t := range n.registry.all() {
			told := n.tableHere(t.Config())
			raw, err := json.Marshal(told)
			if err == nil && said[told.ID] != string(raw) {
				said[told.ID] = string(raw)
				n.tell("", sharedTable+"/"+told.ID, told, time.Time{})
			}
		}
		_ = backoff.Sleep(ctx, tablesAgain)
	}
}

// tableElsewhere is a table that does not run here, as who runs it tells of it.
func (n *Node) tableElsewhere(t config.Table) console.Table {
	if n.house != nil {
		if r, ok := n.house.share.Get(sharedTable + "/" + t.ID); ok {
			if x, ok, err := share.Value[console.Table](r); err == nil && ok {
				x.Node = ""
				if m, ok := n.fleet.Owner(t.ID); ok {
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

// judge is whether this node judges who supervises what.
type judge struct {
	mu    sync.Mutex
	lease bus.Lease
	held  bool
}

func (j *judge) here() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.held
}

func (j *judge) set(l bus.Lease, held bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lease, j.held = l, held
}

const (
	floorLease = "floor"
	floorTTL   = 6 * time.Second
	floorEvery = 2 * time.Second
)

// judges reports whether this node judges who supervises what; one that is alone does.
func (n *Node) judges() bool { return n.house == nil || n.house.judge.here() }

// judgeName is the machine that judges it, as far as it is known here.
func (n *Node) judgeName() string {
	if n.judges() {
		return n.cfg.NodeName()
	}
	r, _ := n.house.share.Get(sharedFloor + "/judge")
	return r.Node
}

// keepJudge takes the right to judge when nobody has it, and keeps it. While Redis is away
// whoever had it goes on: nobody can take it then.
func (n *Node) keepJudge(ctx context.Context) {
	j := &n.house.judge
	for ctx.Err() == nil {
		j.mu.Lock()
		lease, held := j.lease, j.held
		j.mu.Unlock()
		try, cancel := context.WithTimeout(ctx, floorEvery)
		var err error
		if held {
			lease, err = n.bus.Hold(try, lease, floorTTL)
		} else {
			lease, err = n.bus.Acquire(try, floorLease, floorTTL)
		}
		cancel()
		switch {
		case err == nil && !held:
			j.set(lease, true)
			n.log.Info("this machine judges who supervises what")
			n.tell("", sharedFloor+"/judge", true, time.Time{})
			n.floor.Lead()
		case err == nil:
			j.set(lease, true)
		case errors.Is(err, bus.ErrLost):
			j.set(bus.Lease{}, false)
			n.log.Warn("another machine judges who supervises what")
		}
		_ = backoff.Sleep(ctx, floorEvery)
	}
	if j.here() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = n.bus.Release(last, j.lease) // it ends by itself
		j.set(bus.Lease{}, false)
	}
}

// tellFloor shares who supervises what, and hearFloor takes it.
func (n *Node) tellFloor(s floor.Status) {
	if n.house != nil && n.judges() {
		n.tell("", sharedFloor+"/room", s.Carried(), time.Time{})
	}
}

func (n *Node) hearFloor(r share.Record) error {
	if r.Name() != "room" || n.judges() {
		return nil
	}
	x, ok, err := share.Value[floor.Carried](r)
	if err != nil || !ok {
		return err
	}
	n.floor.Follow(x)
	return nil
}
