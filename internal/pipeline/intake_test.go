package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vision/internal/config"
	"vision/internal/fact"
	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/stream/snapshot"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// disk is a ledger that fails, hangs or is lost with its node at a given entry.
type disk struct {
	mu      sync.Mutex
	entries []ledger.Entry
	fail    error         // of the next entries
	hang    chan struct{} // the next entries wait until it is closed
	dies    int           // entries until the node is killed: later ones are never written; 0 = it is not
}

var errKilled = errors.New("the node was killed")

func (d *disk) Append(kind ledger.Kind, table string, payload any) (ledger.Entry, error) {
	raw, err := json.Marshal(payload)
	if err != nil {
		return ledger.Entry{}, err
	}
	d.mu.Lock()
	hang := d.hang
	d.mu.Unlock()
	if hang != nil {
		<-hang
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.fail != nil:
		return ledger.Entry{}, d.fail
	case d.dies > 0 && len(d.entries) >= d.dies:
		return ledger.Entry{}, errKilled
	}
	e := ledger.Entry{Seq: uint64(len(d.entries) + 1), Kind: kind, Table: table, Payload: raw}
	d.entries = append(d.entries, e)
	return e, nil
}

// deskDisk is the same for alerts.
type deskDisk struct{ d *disk }

func (d deskDisk) Append(_ context.Context, kind, table string, payload any) error {
	_, err := d.d.Append(ledger.Kind(kind), table, payload)
	return err
}

func (d *disk) set(fail error, hang chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail, d.hang = fail, hang
}

// left is what the table goes on from by the ledger.
func (d *disk) left() snapshot.Resume {
	d.mu.Lock()
	defer d.mu.Unlock()
	var l snapshot.Resume
	for _, e := range d.entries {
		l.Add(e)
	}
	return l
}

// count is how often each entry of a kind is there, by what it is about.
func (d *disk) count(kind ledger.Kind) map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := map[string]int{}
	for _, e := range d.entries {
		var v struct{ ID, Round string }
		if e.Kind == kind && json.Unmarshal(e.Payload, &v) == nil {
			out[v.ID+v.Round]++
		}
	}
	return out
}

var norms = sync.OnceValues(func() (*rulebook.Books, error) { return Books("") })

// wheel is a roulette table without a camera that writes to a disk.
func wheel(t testing.TB, d *disk, board *health.Board, published *[]string) *Table {
	t.Helper()
	books, err := norms()
	if err != nil {
		t.Fatal(err)
	}
	cfg := config.Table{ID: "R1", Game: "ruleta_francesa", Norm: "cantabria-2010", Min: 500, Max: 100000,
		Options: map[string]any{"panos": 1}}
	deps := &Deps{
		Ledger:  d,
		Desk:    alert.NewDesk(alert.Config{Ledger: deskDisk{d}, Show: func(alert.Alert) {}}),
		Board:   board,
		Log:     slog.New(slog.DiscardHandler),
		Books:   books,
		Publish: func(string, string, any) {},
		Passing: func(string, string, string, string) {},
		Show:    func(string, string, string, any) {},
		Played: func(_ string, r *track.Round) {
			if published != nil {
				*published = append(*published, r.Record.ID)
			}
		},
	}
	tbl := &Table{cfg: cfg, deps: deps}
	tbl.cameras = []*Camera{{table: tbl, cfg: config.Camera{Name: "one"}}}
	trk, err := newTracker(cfg, books, tbl.cameras, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	tbl.loop = newTableLoop(tbl, trk)
	return tbl
}

// callAt is the nth call of a table at a time.
func callAt(n int, at time.Time) fact.Sensed {
	s := fact.Sensed{Table: "R1", Source: "terminal", ID: fmt.Sprint("c", n), Time: at, Kind: "announce"}
	switch n % 4 {
	case 0:
		s.Args = map[string]any{"call": "hagan_juego"}
	case 1:
		s.Args = map[string]any{"call": "no_va_mas"}
	case 2:
		s.Source, s.Kind, s.Args = "wheel", "ball", map[string]any{"pocket": "17"}
	case 3:
		s.Args = map[string]any{"call": "number", "number": "17"}
	}
	return s
}

// A call is not taken while the ledger fails or hangs: its sender knows within seconds, the ledger
// is named, and when the call comes again it is taken, once, and in time for its round.
func TestACallWaitsForTheLedger(t *testing.T) {
	for name, hangs := range map[string]bool{"it fails": false, "it hangs": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, board, published := &disk{}, health.NewBoard(nil), []string(nil)
				tbl := wheel(t, d, board, &published)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- tbl.loop.run(ctx) }()
				var calls []fact.Sensed
				for n := range 5 {
					calls = append(calls, callAt(n, time.Now()))
					if n == 2 {
						if hangs {
							d.set(nil, make(chan struct{}))
						} else {
							d.set(errFull, nil)
						}
					}
					began := time.Now()
					err := tbl.Accept(calls[n])
					if (err != nil) != (n >= 2) {
						t.Fatalf("call %d: %v", n, err)
					}
					if waited := time.Since(began); waited > acceptWithin {
						t.Errorf("call %d: its sender waited for %v", n, waited)
					}
					time.Sleep(time.Second)
				}
				if p := board.Present(); len(p) != 1 || p[0].Code != health.LedgerFailed {
					t.Errorf("problems %+v", p)
				}
				time.Sleep(20 * time.Second)
				if h := d.hang; h != nil {
					d.set(nil, nil)
					close(h)
				}
				d.set(nil, nil)
				time.Sleep(time.Second)
				for again := range 2 {
					for n, s := range calls {
						if err := tbl.Accept(s); err != nil {
							t.Errorf("call %d, time %d: %v", n, again, err)
						}
					}
				}
				time.Sleep(20 * time.Second)
				synctest.Wait()
				if p := board.Present(); len(p) != 0 {
					t.Errorf("problems %+v", p)
				}
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
				for id, n := range d.count(ledger.Sensor) {
					if n != 1 {
						t.Errorf("call %s is in the ledger %d times", id, n)
					}
				}
				if n := len(d.count(ledger.Sensor)); n != len(calls) {
					t.Errorf("%d calls in the ledger, want %d", n, len(calls))
				}
				if len(published) != 1 || len(d.count("note")) != 0 {
					t.Errorf("rounds %v, notes %v: the calls were not in time", published, d.count("note"))
				}
			})
		})
	}
}

// A table loop that is far behind, and one that has ended, take nothing; nothing of it is in the ledger.
func TestACallIsRefusedByABusyTable(t *testing.T) {
	d := &disk{}
	tbl := wheel(t, d, health.NewBoard(nil), nil)
	at := time.Now()
	for n := range mostCalls {
		if err := tbl.Accept(callAt(n, at)); err != nil {
			t.Fatal(n, err)
		}
	}
	if err := tbl.Accept(callAt(mostCalls, at)); !errors.Is(err, errBehind) {
		t.Errorf("a call more: %v", err)
	}
	if err := tbl.Accept(callAt(7, at)); err != nil {
		t.Errorf("one that was taken comes again: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tbl.loop.run(ctx); err != nil {
		t.Fatal(err)
	}
	if err := tbl.Accept(callAt(mostCalls, at)); !errors.Is(err, errEnded) {
		t.Errorf("at the end: %v", err)
	}
	if n := len(d.count(ledger.Sensor)); n != mostCalls {
		t.Errorf("%d calls in the ledger, want %d", n, mostCalls)
	}
	if l := d.left(); len(l.Calls) != 0 {
		t.Errorf("%d calls are not in the last snapshot", len(l.Calls))
	}
}

// A node is killed after each entry of its ledger in turn and started again; senders send again
// what was not acknowledged, and the last that was. In the end the ledger has every call once and
// every part of a round once, every round was published, and no call was late.
func TestACallOutlivesAKill(t *testing.T) {
	const calls = 13 // three rounds, and the first call of a fourth
	for dies := 1; ; dies++ {
		whole := false
		synctest.Test(t, func(t *testing.T) {
			d, published := &disk{dies: dies}, []string(nil)
			ctx, kill := context.WithCancel(t.Context())
			var tbl *Table
			var running sync.WaitGroup
			start := func() {
				tbl = wheel(t, d, health.NewBoard(nil), &published)
				if left := d.left(); left.Any() {
					tbl.Resume(left, "restart")
				}
				own := tbl
				running.Go(func() { _ = own.loop.run(ctx) })
			}
			start()
			again := func() { // what the table loop holds in memory is gone
				kill()
				running.Wait()
				d.dies = 0
				ctx, kill = context.WithCancel(t.Context())
				start()
			}
			killed := func() bool { d.mu.Lock(); defer d.mu.Unlock(); return d.dies > 0 && len(d.entries) >= d.dies }
			var last fact.Sensed
			for n := range calls {
				s := callAt(n, time.Now())
				for tries := 0; tbl.Accept(s) != nil; tries++ {
					if tries > 2 {
						t.Fatalf("killed at %d: call %d is not taken", dies, n)
					}
					again()
					if last.ID != "" && tbl.Accept(last) != nil {
						t.Fatalf("killed at %d: call %d does not count as taken", dies, n-1)
					}
				}
				last = s
				time.Sleep(2 * time.Second)
				if synctest.Wait(); killed() {
					again()
				}
			}
			time.Sleep(time.Minute)
			if synctest.Wait(); killed() {
				again()
				time.Sleep(time.Minute)
			}
			whole = d.dies > 0
			kill()
			running.Wait()
			if n := len(d.count(ledger.Sensor)); n != calls {
				t.Errorf("killed at %d: %d calls in the ledger, want %d", dies, n, calls)
			}
			for _, kind := range []ledger.Kind{ledger.Sensor, ledger.Round, ledger.Verdict, ledger.Judged} {
				for id, n := range d.count(kind) {
					if n != 1 {
						t.Errorf("killed at %d: %s %s is in the ledger %d times", dies, kind, id, n)
					}
				}
			}
			rounds, verdicts := len(d.count(ledger.Round)), len(d.count(ledger.Verdict))
			if rounds != 3 || verdicts != 3 || len(d.count(ledger.Judged)) != 3 {
				t.Errorf(
					"killed at %d: %d rounds, %d verdicts, want 3: %v",
					dies,
					rounds,
					verdicts,
					d.count(ledger.Round),
				)
			}
			if n := len(d.count("note")); n != 0 {
				t.Errorf("killed at %d: %d notes", dies, n)
			}
		})
		if whole {
			t.Logf("killed after each of %d entries", dies-1)
			return
		}
	}
}
