package cluster

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math"
	"time"
)

// Placement. A table that nobody runs goes to the worker with the highest random weight
// (Thaler and Ravishankar, "Using name-based mappings to increase hit rates", 1998), weighted
// by the room that each has left (Schindelhauer and Schomaker, "Weighted distributed hash
// tables", 2005): all nodes come to the same answer without asking each other, and a node
// more or less changes the places of few tables.
//
// A table that is run stays where it is, also when a node comes back: every move is a gap in
// what was seen. When it moves all the same: see move.

const (
	// full is the load from which a worker takes no more while another has room.
	full = 0.85
	// tableCost is what a table takes of a processor until that is measured, in processors: a
	// quarter, by docs/performance.md (four tables and four viewers take about one core).
	tableCost = 0.25
	// young is for how long what a table takes is not in the measured load yet.
	young = 15 * time.Second
)

// place is what a node needs for the placing of tables.
type place struct {
	free    map[string]time.Time // since when nobody is seen to run a table
	failed  map[string]time.Time // when a table could not be run here
	dark    map[string]bool      // tables of which it is reported that nobody runs them
	given   map[string]string    // to whom this node hands a table over, until somebody runs it
	settled time.Time            // from when on tables are taken; zero while the bus does not answer
	over    time.Time            // since when the load is over full; zero: it is not
	moved   time.Time            // when a table was handed over last
}

// weight is the room that a worker has left, in processors; a little where it has none, so
// that tables are placed somewhere when nobody has.
func weight(m Member) float64 { return m.Capacity * max(full-m.Load, 0.01) }

// hasRoom reports whether a worker takes one table more while it may refuse.
func hasRoom(m Member) bool { return m.Load+tableCost/m.Capacity <= full }

// score is the random weight of a worker for a table: the greatest has it. For weights w the
// share of tables of each worker is w over the sum of all.
func score(table string, m Member) float64 {
	sum := sha256.Sum256([]byte(table + "\x00" + m.Name))
	u := (float64(binary.BigEndian.Uint64(sum[:])>>11) + 0.5) / (1 << 53) // in (0, 1)
	return -weight(m) / math.Log(u)
}

// best is who is to run a table, of these; false where none of them may. Workers without
// room are asked only where all are.
func best(table string, members []Member) (Member, bool) {
	var out Member
	found, top, roomy := false, 0.0, false
	for _, m := range members {
		if !m.Works() {
			continue
		}
		s, has := score(table, m), hasRoom(m)
		if !found || has && !roomy || has == roomy && s > top {
			out, found, top, roomy = m, true, s, has
		}
	}
	return out, found
}

// heirs are those to whom tables are handed over.
func (c *Cluster) heirs() map[string]string {
	out := map[string]string{}
	for a := range c.all {
		maps.Copy(out, a.Gives)
	}
	return out
}

// load is the share of this node's processors in use, as measured, with what the tables
// will take that it has only just taken.
func (c *Cluster) load(now time.Time) (share float64) {
	if c.cfg.Load != nil {
		share = c.cfg.Load()
	}
	for _, t := range c.own {
		if now.Sub(t.began) < young {
			share += tableCost / c.cfg.Self.Capacity
		}
	}
	return share
}
