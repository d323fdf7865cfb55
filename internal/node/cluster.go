package node

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"vision/internal/build"
	"vision/internal/config"
	"vision/internal/health"
	"vision/internal/pipeline"
	"vision/stream/alert"
	"vision/stream/cluster"
	"vision/stream/ledger"
	"vision/validate/room"
)

// openCluster joins the machines of one Redis. Without a bus the node is alone: its tables are opened at once, so that
// a failing one is found before anything runs.
func (n *Node) openCluster() error {
	cfg := cluster.Config{
		Self: cluster.Member{
			Name:     n.cfg.NodeName(),
			Role:     n.cfg.Role,
			Address:  n.cfg.Address(),
			Version:  cmp.Or(build.Read().Commit(), build.Read().Version),
			Capacity: float64(runtime.GOMAXPROCS(0)),
			Since:    n.begun,
		},
		ID:     n.holder(),
		Tables: idsOf(n.inForce()),
		Run:    n.runTable,
		Health: n.board,
		Log:    n.log,
		Quiet: func(table string) time.Duration {
			if t := n.table(table); t != nil {
				return t.Quiet()
			}
			return 0
		},
		Recording: n.recordingHere,
	}
	if n.bus != nil {
		cfg.Bus, cfg.Load, cfg.Path = n.bus, new(load).share, filepath.Join(n.cfg.Data, "fleet.json")
		n.cluster = cluster.New(cfg)
		return nil
	}
	n.cluster = cluster.New(cfg)
	for _, t := range n.inForce().Tables {
		if _, err := n.openTable(t, nil); err != nil {
			return err
		}
	}
	return nil
}

// holder identifies this node's data folder: two machines of one name share no lease, and
// one that restarts has its own at once.
func (n *Node) holder() string { return n.cfg.NodeName() + "@" + ledger.Fingerprint(n.ledger.Public()) }

// openTable makes a table's pipeline and registers it, once it is restored (resume): from then
// on it takes calls.
func (n *Node) openTable(cfg config.Table, resume func(*pipeline.Table)) (*pipeline.Table, error) {
	n.registry.show(cfg)
	t, err := n.newTable(cfg)
	if err != nil {
		return nil, err
	}
	if resume != nil {
		resume(t)
	}
	n.registry.add(t)
	return t, nil
}

// runTable runs a table while it is assigned to this node, and restarts it when it is
// reconfigured. A table whose films have ended stays as it is.
func (n *Node) runTable(ctx context.Context, a cluster.Assignment) {
	t, err := n.table(a.Table), error(nil)
	if t == nil {
		t, err = n.takeTable(ctx, a)
	}
	for {
		own, anew := context.WithCancel(ctx)
		n.registry.begin(a.Table, anew)
		if err != nil {
			n.log.Error("table failed to start", "table", a.Table, "err", err)
			n.board.Set(health.TableFailed, a.Table, a.Table, err.Error())
			if !n.cluster.Alone() { // another machine may
				anew()
				return
			}
		} else {
			n.board.Clear(health.TableFailed, a.Table)
			if now, err := n.inForce().Table(a.Table); err == nil && !now.Same(t.Config()) {
				anew() // it was configured while it was made
			}
			n.noteCalibrations(t)
			t.Run(own)
		}
		<-own.Done()
		anew()
		if ctx.Err() != nil {
			break
		}
		t, err = n.renewTable(ctx, t, a.Table)
	}
	if _, gone := n.inForce().Table(a.Table); t != nil && (gone != nil || !n.cluster.Alone()) {
		n.leaveTable(context.WithoutCancel(ctx), t)
	}
}

// renewTable reopens a table by the present configuration, in place of the last pipeline (nil:
// it could not be opened). It resumes from the last finished round.
func (n *Node) renewTable(ctx context.Context, last *pipeline.Table, id string) (*pipeline.Table, error) {
	if last != nil {
		n.vacate(ctx, last)
	}
	cfg, err := n.inForce().Table(id)
	if err != nil {
		return nil, err
	}
	left := n.resumePoints.of(id)
	if last != nil && (last.Config().Game != cfg.Game || last.Config().Norm != cfg.Norm) {
		left = left.Elsewhere(nil)
	}
	t, err := n.openTable(*cfg, func(t *pipeline.Table) { t.Resume(left, "the table was configured anew") })
	if err != nil {
		return nil, err
	}
	n.resumeMoved(t)
	n.log.Info("table reconfigured", "table", id)
	return t, nil
}

// resumeMoved reports to a table its cameras that are known to have been moved.
func (n *Node) resumeMoved(t *pipeline.Table) {
	for _, a := range n.desk.List(func(a *alert.Alert) bool {
		return a.Table == t.Config().ID && a.Code == health.CameraMoved && a.Resolved.IsZero()
	}) {
		t.ResumeMoved(a)
	}
}

// takeTable opens a table that another node may have run, from what that left on the bus.
func (n *Node) takeTable(ctx context.Context, a cluster.Assignment) (*pipeline.Table, error) {
	cfg, err := n.inForce().Table(a.Table)
	if err != nil {
		return nil, err
	}
	if n.cluster.Alone() { // it was configured while the node ran
		return n.openTable(*cfg, func(t *pipeline.Table) { t.Resume(n.resumePoints.of(a.Table), "the table was configured") })
	}
	follow, cancel := context.WithTimeout(ctx, busPatience)
	defer cancel()
	if err := n.followTable(follow, *cfg); err != nil {
		n.log.Error("shared calibration unavailable, local one used", "table", a.Table, "err", err)
	}
	if err := n.moved(ledger.Taken, a.Table, a.From, a.Token); err != nil {
		return nil, err
	}
	var outcome string
	t, err := n.openTable(*cfg, func(t *pipeline.Table) { outcome = n.resume(ctx, t, a) })
	if err != nil {
		return nil, err
	}
	n.resumeMoved(t)
	if a.From != "" {
		n.fading.Set(health.TableTaken, a.Table, a.Table, fmt.Sprintf("from %s: %s", a.From, outcome))
	}
	return t, nil
}

// leaveTable releases a table that has ended, once all is published that its next node
// resumes from.
func (n *Node) leaveTable(ctx context.Context, t *pipeline.Table) {
	id := t.Config().ID
	n.vacate(ctx, t)
	last, cancel := context.WithTimeout(ctx, farewell)
	defer cancel()
	if err := n.moved(ledger.Left, id, "", 0); err != nil {
		n.log.Error("release of a table not recorded", "table", id, "err", err)
	}
	if n.bus != nil {
		n.bus.Flush(last)
		n.snapshots.flush(last, id)
	}
}

// vacate removes a table that has ended from the registry, once its tasks are done.
func (n *Node) vacate(ctx context.Context, t *pipeline.Table) {
	id := t.Config().ID
	last, cancel := context.WithTimeout(ctx, farewell)
	defer cancel()
	n.drainTasks(last)
	n.registry.remove(t)
	n.board.ClearTable(id)
	for _, a := range n.desk.List(func(a *alert.Alert) bool {
		return a.Table == id && a.Kind == "health" && a.Code != health.CameraMoved && a.Resolved.IsZero()
	}) {
		if err := n.desk.Resolve(ctx, a.ID); err != nil {
			n.log.Error("alert of a released table not resolved", "alert", a.ID, "err", err)
		}
	}
}

// farewell bounds how long a released table publishes.
const farewell = 2 * time.Second

// moved records that a table has come to this node, or has left it.
func (n *Node) moved(action, table, from string, token int64) error {
	_, err := n.ledger.Append(ledger.Node, table, ran{Action: action, Node: n.cfg.NodeName(), From: from, Token: token})
	return err
}

// drainTasks waits until the queued tasks are done.
func (n *Node) drainTasks(ctx context.Context) {
	done := make(chan struct{})
	n.later(func(context.Context) error { close(done); return nil })
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// recordingHere is how a table is recorded that runs here.
func (n *Node) recordingHere(id string) room.Recording {
	if t := n.table(id); t != nil {
		return t.Recording(time.Now())
	}
	return room.RecordingDown
}

// recording is how a table is recorded, wherever it runs.
func (n *Node) recording(id string) room.Recording {
	if t := n.table(id); t != nil {
		return t.Recording(time.Now())
	}
	if m, ok := n.cluster.Owner(id); ok && m.Recording[id] != "" {
		return m.Recording[id]
	}
	return room.RecordingDown
}
