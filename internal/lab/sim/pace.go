package sim

import (
	"bufio"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// pace keeps a table's play from running ahead of those who watch it: on a machine that is
// short of time the table's clock stands still until they have looked, so that nothing
// goes by unseen. Pictures are taken meanwhile, of a table at which nobody moves.
type pace struct {
	looked atomic.Int64 // capture time of the newest picture that was looked at, ns; 0: none was
	waits  bool         // for who watches; otherwise the play goes on by the clock
	unsaid func() bool  // whether something was said that the node has not heard yet; nil: never
	ready  func() bool  // whether the tables that begin together are all looked at; nil: it begins by itself
	begun  bool

	ahead []shown   // pictures in which the play went on and that nobody has looked at yet
	seen  uint64    // the newest picture that was looked at
	since time.Time // since when it stands still; zero: it does not
	alone bool      // nobody has looked for long: until somebody does nobody is waited for
	last  int64     // the look after which none came
}

// shown is a picture that was taken: which of the play's, and when.
type shown struct {
	n  uint64
	at time.Time
}

const (
	// Lead bounds how far the play goes on from one picture that was looked at to the next: less
	// than an act takes, and more than who has time lags behind.
	Lead = 800 * time.Millisecond
	// alike is how far the times of a picture by both clocks may differ.
	alike = 50 * time.Millisecond
	// Unwatched is how long the play stands still before it goes on all the same: readers take
	// a while to come up.
	Unwatched = 5 * time.Minute
)

// took notes that the play went on in picture n, taken at that time.
func (p *pace) took(n uint64, at time.Time) {
	if p.waits {
		p.ahead = append(p.ahead, shown{n, at})
	}
}

// holds reports whether the play stands still now, before picture n of so many a second.
func (p *pace) holds(now time.Time, n uint64, fps float64) bool {
	if !p.waits {
		return false
	}
	looked := p.looked.Load()
	if p.alone && looked == p.last {
		p.ahead, p.seen = nil, n
		return false
	}
	p.alone = false
	until := time.Unix(0, looked).Add(alike)
	for len(p.ahead) > 0 && !p.ahead[0].at.After(until) {
		p.seen, p.ahead = p.ahead[0].n, p.ahead[1:]
	}
	behind := len(p.ahead) > 0 && seconds(float64(n-p.seen)/fps) >= Lead
	switch {
	case looked != 0 && !behind && (p.unsaid == nil || !p.unsaid()) && (p.begun || p.ready == nil || p.ready()):
		p.begun, p.since = true, time.Time{}
		return false
	case p.since.IsZero():
		p.since = now
	case now.Sub(p.since) >= Unwatched:
		p.begun, p.alone, p.last, p.since = true, true, looked, time.Time{}
		return false
	}
	return true
}

// Watched has the table wait for who watches it, and until all that was said at it is heard:
// unsaid reports whether something is not; nil: it is. The table's Serve has not begun.
// Looked tells how far they have come.
func (t *Table) Watched(unsaid func() bool) { t.pace.waits, t.pace.unsaid = true, unsaid }

// together has tables that are watched begin to play when all of them are looked at: readers
// that are still coming up take the machine from those that have to look.
func together(tables []*Table) {
	ready := func() bool {
		return !slices.ContainsFunc(tables, func(t *Table) bool { return t.pace.looked.Load() == 0 })
	}
	for _, t := range tables {
		t.pace.ready = ready
	}
}

// Looked notes that who watches the table has looked at what was there at that time.
func (t *Table) Looked(at time.Time) { t.pace.looked.Store(at.UnixNano()) }

// again has the next picture show the play as the last one did.
func (t *Table) again(last uint64) {
	t.cfg.Start = t.cfg.Start.Add(seconds(float64(t.n-last) / t.cfg.FPS))
	t.n = last
}

// follow reads how far the tables were looked at, lines of a table and a time in
// nanoseconds since 1970, until r ends.
func follow(r io.Reader, tables []*Table) {
	of := map[string]*Table{}
	for _, t := range tables {
		of[t.cfg.Table] = t
	}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		id, at, _ := strings.Cut(lines.Text(), " ")
		ns, err := strconv.ParseInt(at, 10, 64)
		if t := of[id]; t != nil && err == nil {
			t.Looked(time.Unix(0, ns))
			continue
		}
		slog.Warn("simulated tables: no word of who watches: want TABLE NANOSECONDS", "line", lines.Text())
	}
}
