package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vision/calibration"

	"vision/capture"
	"vision/internal/config"
	"vision/internal/fact"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/script"
	"vision/internal/money"
	"vision/internal/pipeline"
	"vision/internal/testkit/testvideo"
	"vision/recognize/host"
	"vision/stream/acta"
	"vision/stream/jornada"
	"vision/validate"
	"vision/validate/round"
	"vision/validate/track/tracktest"
)

// bout is some rounds at a table, and what the tracker gets to see of them.
type bout struct {
	at     time.Duration // from the node's start
	inputs []tracktest.Input
	rounds []script.Truth
}

// playing is a table of the quick room: its camera and its reader are of the test.
type playing struct {
	id, game string
	cal      calibration.Table
	bouts    []bout
	from, to time.Duration // in which its cable is cut
	begun    time.Time
	hear     func(fact.Sensed) error
	pictures []capture.Unit
}

// rounds plays n rounds from a time on, at limits in cents.
func (p *playing) play(t *testing.T, at time.Duration, seed uint64, n int, low, high money.Cents) {
	t.Helper()
	seats := 0
	for _, z := range p.cal.Zones {
		seats = max(seats, z.Seat)
	}
	s, err := tracktest.Play(script.Config{
		Game: p.game, Table: p.id, Seed: seed, Seats: seats, Palette: p.cal.Palette, Min: low, Max: high,
		Faults: 0.4, Only: []script.Fault{"pay_under", "pay_over"},
	}, p.cal.Zones, n, tracktest.Disorder{Jitter: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Rounds {
		tb := &s.Rounds[i].Record.Table
		tb.Min, tb.Max = low, high
	}
	p.bouts = append(p.bouts, bout{at, s.Inputs, s.Rounds})
}

// Run is the camera: a key picture each second, none while the cable is cut.
func (p *playing) Run(ctx context.Context, sink capture.Sink) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	up := false
	for n := 0; ; n++ {
		since := time.Since(p.begun)
		if cut := p.from <= since && since < p.to; !cut {
			if !up {
				sink.State(capture.State{Up: true, Since: time.Now()})
			}
			u := p.pictures[0]
			u.Wall, u.PTS, u.Gap = time.Now(), since, !up
			sink.Unit(u)
			up = true
		} else if up {
			up = false
			sink.State(capture.State{Since: time.Now(), Err: os.ErrDeadlineExceeded})
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// eyes read a table without pictures.
type eyes struct {
	table *playing
	seen  func([]fact.Observation)
}

func (e *eyes) Preview(string, bool) {}

func (e *eyes) Again(string) {}

func (e *eyes) Run(ctx context.Context) error {
	for _, b := range e.table.bouts {
		shift := e.table.begun.Add(b.at).Sub(tracktest.Start)
		for _, in := range b.inputs {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Until(in.Arrives.Add(shift))):
			}
			if in.Heard != nil {
				s := *in.Heard
				s.Time, s.Received = s.Time.Add(shift), s.Received.Add(shift)
				e.table.hear(s)
				continue
			}
			o := *in.Seen
			o.Table, o.Camera, o.Time = e.table.id, e.table.id, o.Time.Add(shift)
			if !o.Since.IsZero() {
				o.Since = o.Since.Add(shift)
			}
			e.seen([]fact.Observation{o})
		}
	}
	<-ctx.Done()
	return ctx.Err()
}

// quick is a room of four tables whose time passes at once.
type quick struct {
	t      *testing.T
	n      *Node
	begun  time.Time
	tables []*playing
}

// seat adds a table of the simulator's.
func (q *quick) seat(id, game string) *playing {
	q.t.Helper()
	st, err := sim.New(sim.Config{Game: game, Size: [2]int{320, 180}})
	if err != nil {
		q.t.Fatal(err)
	}
	defer st.Close()
	p := &playing{id: id, game: game, cal: st.Calibration()}
	p.cal.Camera = id
	q.tables = append(q.tables, p)
	return p
}

// configuration of the room: the tables lie side by side, as cantabria-2010 A.4 asks.
func (q *quick) configuration(dir string) *config.Config {
	q.t.Helper()
	var y strings.Builder
	fmt.Fprintf(&y, "data: %s\nnorm: cantabria-2010\nbudget: 10\ntables:\n", filepath.Join(dir, "data"))
	for i, p := range q.tables {
		path := filepath.Join(dir, p.id+".yaml")
		if err := p.cal.Save(path); err != nil {
			q.t.Fatal(err)
		}
		options, _ := json.Marshal(script.House(p.game))
		fmt.Fprintf(&y, "  - {id: %s, game: %s, position: %d, min: 500, max: 50000, options: %s, cameras: [{name: %s, url: 'rtsp://127.0.0.1:1/', calibration: %s}]}\n",
			p.id, p.game, i+1, options, p.id, path)
	}
	cfg, err := config.Parse([]byte(y.String()))
	if err != nil {
		q.t.Fatal(err)
	}
	return cfg
}

// open runs the room's node, without what people reach, until stop.
func (q *quick) open(cfg *config.Config) (stop func()) {
	q.t.Helper()
	q.begun = time.Now()
	table := func(id string) *playing {
		return q.tables[slices.IndexFunc(q.tables, func(p *playing) bool { return p.id == id })]
	}
	q.n = newNode(cfg, Options{Log: slog.New(slog.DiscardHandler),
		Source: func(c config.Camera) capture.Source { return table(c.Name) },
		Reader: func(c host.Config) (pipeline.Reader, error) { return &eyes{table(c.Table), c.Seen}, nil }})
	if err := q.n.openRoom(); err != nil {
		q.t.Fatal(err)
	}
	for _, p := range q.tables {
		p.begun, p.hear, p.pictures = q.begun, q.n.table(p.id).Accept, testvideo.Plain(q.begun)
	}
	ctx, cancel := context.WithCancel(q.t.Context())
	var running sync.WaitGroup
	for _, run := range []func(context.Context) error{q.n.work, q.n.store.Run, q.n.desk.Run, q.n.floor.Run} {
		running.Go(func() { _ = run(ctx) })
	}
	for _, x := range q.n.registry.all() {
		running.Go(func() { x.Run(ctx) })
	}
	return func() {
		cancel()
		running.Wait()
		if err := q.n.Close(); err != nil {
			q.t.Error(err)
		}
	}
}

// until lets time pass to a moment of the jornada.
func (q *quick) until(at time.Duration) { time.Sleep(time.Until(q.begun.Add(at))) }

// say puts a step on record that two persons say; refused says whether the norm forbids it.
func (q *quick) say(table string, e jornada.Event, refused bool) {
	q.t.Helper()
	var no *jornada.Forbidden
	_, err := q.n.sessions.Add(q.t.Context(), table, "ana", "luis", e)
	if refused != errors.As(err, &no) || !refused && err != nil {
		q.t.Errorf("%s: %v: %v", table, e, err)
	}
}

func (q *quick) assign(jefe string, tables ...string) {
	q.t.Helper()
	if _, err := q.n.floor.Assign(q.t.Context(), jefe, jefe, tables, true); err != nil {
		q.t.Errorf("%s takes %v: %v", jefe, tables, err)
	}
}

// truth is what a table's rounds were, judged by the norm in their true records.
type truth struct {
	rounds, wrong int
	money         acta.Money
	tray          int64 // by how much the float has grown, cents
	found         []string
}

func (q *quick) truth(p *playing) (x truth) {
	q.t.Helper()
	for _, b := range p.bouts {
		for i := range b.rounds {
			v, err := validate.Check(q.n.books, &b.rounds[i].Record)
			if err != nil {
				q.t.Fatal(err)
			}
			x.rounds++
			if len(v.Findings) > 0 {
				x.wrong++
			}
			for _, e := range b.rounds[i].Record.Events {
				switch e.Type {
				case round.Collect:
					x.money.Collected += e.Amount
				case round.Pay:
					x.money.Paid += e.Amount
				case round.Commission:
					x.money.Commission += e.Amount
				}
			}
			for _, f := range v.Findings {
				x.found = append(x.found, string(f.Code))
				x.money.ForHouse += max(0, -*f.Delta)
				x.money.AgainstHouse += max(0, *f.Delta)
			}
		}
	}
	x.tray = int64(x.money.Collected - x.money.Paid)
	slices.Sort(x.found)
	return x
}

const minute = time.Minute
