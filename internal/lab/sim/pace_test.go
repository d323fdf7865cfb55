package sim

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"vision/internal/fact"
)

// The play never runs ahead of who watches by as much as an act takes, however late they
// are, and loses no time where they are prompt.
func TestThePlayWaitsForWhoWatches(t *testing.T) {
	const fps = 8
	for name, c := range map[string]struct {
		lag    time.Duration // from a picture to the word that it was looked at
		every  time.Duration // between two such words
		played [2]float64    // seconds of play in a minute: least, most
	}{
		"prompt":                 {200 * time.Millisecond, 250 * time.Millisecond, [2]float64{59.5, 60}},
		"a second late":          {time.Second, 250 * time.Millisecond, [2]float64{30, 50}},
		"a word in five seconds": {time.Second, 5 * time.Second, [2]float64{6, 15}},
	} {
		t.Run(name, func(t *testing.T) {
			p := pace{waits: true}
			now, n := time.Unix(1000, 0), uint64(0)
			begun, told := now, now
			seen := map[int64]uint64{} // newest picture of the play at each moment
			for now.Sub(begun) < time.Minute {
				if now.Sub(told) >= c.every {
					told = now
					p.looked.Store(now.Add(-c.lag).UnixNano())
				}
				if !p.holds(now, n, fps) {
					p.took(n, now)
					n++
				}
				seen[now.UnixNano()] = n
				now = now.Add(time.Second / fps)
				ahead := 0.0
				if at, ok := seen[p.looked.Load()]; ok {
					ahead = float64(n-at) / fps
				}
				if ahead > Lead.Seconds()+1.0/fps {
					t.Fatalf("after %v the play is %.2f s ahead", now.Sub(begun), ahead)
				}
			}
			if played := float64(n) / fps; played < c.played[0] || played > c.played[1] {
				t.Errorf("%.1f s of play in a minute; want %v", played, c.played)
			}
		})
	}
}

// A table that nobody looks at is played all the same, after a while; who comes is waited
// for again.
func TestAnUnwatchedTableIsPlayed(t *testing.T) {
	p := pace{waits: true}
	now := time.Unix(1000, 0)
	if !p.holds(now, 0, 8) {
		t.Fatal("it begins before anybody looks")
	}
	if now = now.Add(Unwatched); p.holds(now, 0, 8) {
		t.Fatal("it waits for ever")
	}
	for n := range uint64(100) {
		now = now.Add(125 * time.Millisecond)
		p.took(n, now)
		if p.holds(now, n+1, 8) {
			t.Fatalf("nobody looks, and it waits at picture %d", n)
		}
	}
	p.looked.Store(now.UnixNano())
	for n := uint64(100); n < 110; n++ {
		now = now.Add(125 * time.Millisecond)
		if want := n >= 107; p.holds(now, n, 8) != want {
			t.Fatalf("picture %d: it waits: %t; want %t", n, !want, want)
		}
		p.took(n, now)
	}
	p.looked.Store(now.UnixNano())
	p.unsaid = func() bool { return true }
	if !p.holds(now, 110, 8) {
		t.Error("it goes on although something that was said is not heard yet")
	}
	if (&pace{}).holds(now, 9, 8) {
		t.Error("a table that is played by the clock waits")
	}
}

// The play begins when all tables are looked at: no reader that comes up takes the machine from
// one that has to look. One that never does is not waited for without end, nor is one that is
// lost later.
func TestTablesBeginTogether(t *testing.T) {
	tables := []*Table{{}, {}}
	for _, tbl := range tables {
		tbl.Watched(nil)
	}
	together(tables)
	p, q := &tables[0].pace, &tables[1].pace
	now := time.Unix(1000, 0)
	p.looked.Store(now.UnixNano())
	if !p.holds(now, 0, 8) {
		t.Error("it begins while the other's reader comes up")
	}
	q.looked.Store(now.UnixNano())
	if p.holds(now, 0, 8) || q.holds(now, 0, 8) {
		t.Error("all are looked at, and they wait")
	}
	q.looked.Store(0)
	if p.holds(now, 1, 8) {
		t.Error("once begun it waits for the other")
	}
	r := &pace{waits: true, ready: func() bool { return false }}
	for range 2 { // the second time it is looked at, too
		r.looked.Store(now.UnixNano())
		r.holds(now, 0, 8)
		now = now.Add(Unwatched)
		if r.holds(now, 0, 8) {
			t.Error("it waits for ever for a table that never comes up")
		}
	}
	r.looked.Store(now.UnixNano())
	if r.holds(now, 0, 8) {
		t.Error("it has begun, and waits for the other again")
	}
}

// While the play stands still pictures go on, of the same moment, and no call is made twice.
func TestATableThatWaitsShowsTheSameMoment(t *testing.T) {
	tbl, err := New(Config{Game: "punto_banco", Seed: 3, Size: small, FPS: 8})
	if err != nil {
		t.Fatal(err)
	}
	defer tbl.Close()
	calls := func(n int, again bool) (out []fact.Sensed) {
		for range n {
			last := tbl.n - 1
			if again {
				tbl.again(last)
			}
			f, err := tbl.Step()
			if err != nil {
				t.Fatal(err)
			}
			if again && f.N != last {
				t.Fatalf("picture %d of the play, want %d again", f.N, last)
			}
			out = append(out, f.Calls...)
		}
		return out
	}
	calls(40, false)
	before := tbl.due()
	if got := calls(20, true); len(got) != 0 {
		t.Errorf("calls while it stands still: %+v", got)
	}
	if took := tbl.due().Sub(before).Round(time.Millisecond); took != 2500*time.Millisecond {
		t.Errorf("20 pictures took %v of the clock", took)
	}
}

// How far the tables were looked at is read line by line; what is none is passed over.
func TestFollowReadsWhoWatches(t *testing.T) {
	a, b := &Table{cfg: Config{Table: "A"}}, &Table{cfg: Config{Table: "B"}}
	at := time.Unix(1_764_000_000, 5)
	follow(strings.NewReader(fmt.Sprintf("A %d\nnothing\nC 7\nA x\nB 12\n", at.UnixNano())), []*Table{a, b})
	if got := a.pace.looked.Load(); got != at.UnixNano() {
		t.Errorf("A: %d", got)
	}
	if got := b.pace.looked.Load(); got != 12 {
		t.Errorf("B: %d", got)
	}
}
