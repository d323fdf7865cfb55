package node

import (
	"context"
	"fmt"
	"sync"
	"time"

	"vision/internal/health"
	"vision/stream/ledger"
)

// problem is told of every problem that comes or goes.
func (n *Node) problem(p health.Problem, on bool) {
	n.log.Warn("health", "code", p.Code, "table", p.Table, "object", p.Object, "on", on, "detail", p.Detail)
	change := problemChange{p, on}
	n.later(func(context.Context) error {
		n.publish(busHealth, p.Table, change)
		if err := n.hub.Retain("health", "", "", n.board.Present()); err != nil {
			return err
		}
		_, err := n.ledger.Append(ledger.Health, p.Table, change)
		return err
	})
}

// problemChange is the payload of the ledger's health entries.
type problemChange struct {
	health.Problem
	On bool `json:"on"`
}

// fading are problems that come as events, like a line that cannot be read: they
// hold until none has come for a while.
type fading struct {
	board *health.Board
	mu    sync.Mutex
	last  map[[2]string]time.Time
}

// fadeAfter is for how long such a problem is shown.
const fadeAfter = time.Minute

func (f *fading) set(code, table, object, detail string) {
	f.mu.Lock()
	if f.last == nil {
		f.last = map[[2]string]time.Time{}
	}
	f.last[[2]string{code, object}] = time.Now()
	f.mu.Unlock()
	f.board.Set(code, table, object, detail)
}

// clear ends those that have not come for long.
func (f *fading) clear(now time.Time) {
	f.mu.Lock()
	var gone [][2]string
	for k, at := range f.last {
		if now.Sub(at) >= fadeAfter {
			gone = append(gone, k)
			delete(f.last, k)
		}
	}
	f.mu.Unlock()
	for _, k := range gone {
		f.board.Clear(k[0], k[1])
	}
}

// watchHealth looks once a second at what does not speak for itself.
func (n *Node) watchHealth(ctx context.Context) error {
	ailing := newAiling(n)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case now := <-tick.C:
			n.fading.clear(now)
			n.watchLedger()
			ailing.look(ctx, now)
			n.showAges()
		}
	}
}

// showAges tells viewers how old the cameras' newest pictures are, in ms; -1 where
// there is none yet.
func (n *Node) showAges() {
	for _, c := range n.cameraHealth() {
		if err := n.hub.Retain("age", c.Table, c.Camera, c.AgeMS); err != nil {
			n.log.Error("show", "camera", c.Camera, "err", err)
		}
	}
}

// watchLedger names a ledger that fails, whoever wrote to it last, and tries
// whether it takes entries again.
func (n *Node) watchLedger() {
	const object = "ledger"
	fault := n.ledger.Fault()
	if fault == nil {
		n.board.Clear(health.LedgerFailed, object)
		return
	}
	n.board.Set(health.LedgerFailed, "", object, fault.Error())
	if _, err := n.ledger.Append(ledger.Health, "", problemChange{On: true, Problem: health.Problem{
		Kind: health.Kind{Code: health.LedgerFailed}, Object: object, Detail: fault.Error(), Since: time.Now()}}); err == nil {
		n.board.Clear(health.LedgerFailed, object)
	}
}

// damaged names lines of the ledger that could not be read.
type damaged struct {
	Count int    `json:"count"`
	First string `json:"first,omitempty"`
}

func (d *damaged) add(err error) {
	if d.Count++; d.First == "" {
		d.First = err.Error()
	}
}

func (d *damaged) show(b *health.Board) {
	if d.Count > 0 {
		b.Set(health.LedgerRepaired, "", "ledger", fmt.Sprintf("%d entries cannot be read and were passed over, the first: %s; `vision verify` says more", d.Count, d.First))
	}
}
