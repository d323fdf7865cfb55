package watch

import (
	"time"

	"vision/internal/fact"
)

// reach is everything that reaches in from the border.
type reach struct {
	cells []int32 // of all pieces
	piece []int32 // of the piece being gathered
	// was is the piece of the picture before to which a cell belonged, and moved how many cells
	// of each have moved since.
	was   []uint8
	moved [256]int
	// since is, for each cell of a piece, when the piece last moved or grew;
	// zero elsewhere.
	since []int64
	// from is the middle of each piece's part of the border, in pixels.
	from []fact.Point
}

// findForeign marks what differs from the reference and hangs together with the
// picture's border: arms. A piece that has stood still for Absorb becomes part
// of the reference, whatever moves elsewhere; the gap that an arm has left does
// so soon.
func (w *Watcher) findForeign(limit int32, at time.Time) {
	before := w.arm.cells
	w.arm.cells, w.arm.from = nil, w.arm.from[:0]
	w.foreign, w.arm.was = w.arm.was, w.foreign
	clear(w.foreign)
	w.haveMoved(before, limit)
	g := w.grid
	edge := func(c int32) {
		if !w.push(c, limit) {
			return
		}
		w.arm.piece = w.arm.piece[:0]
		w.gather(limit)
		w.regain(before, limit)
		patience := w.opts.Absorb
		if w.ghost() {
			patience = min(patience, armFading)
		}
		if at.UnixNano()-w.stillSince(limit, at) >= int64(patience) {
			for _, c := range w.arm.piece {
				w.ref[c], w.foreign[c], w.arm.since[c] = w.now[c], 0, 0
			}
			return
		}
		w.arm.cells = append(w.arm.cells, w.arm.piece...)
		w.arm.from = append(w.arm.from, w.entry())
	}
	for x := range g.w {
		edge(int32(x))
		edge(int32((g.h-1)*g.w + x))
	}
	for y := range g.h {
		edge(int32(y * g.w))
		edge(int32((y+1)*g.w - 1))
	}
	for _, c := range before {
		if w.foreign[c] == 0 {
			w.arm.since[c] = 0
		}
	}
	w.absorbOutside(limit)
}

// haveMoved counts how many cells of each piece of the picture before have moved since.
func (w *Watcher) haveMoved(before []int32, limit int32) {
	clear(w.arm.moved[:])
	for _, c := range before {
		if abs(w.now[c]-w.last[c]) > limit {
			w.arm.moved[w.arm.was[c]]++
		}
	}
}

// regain adds to the gathered piece what hung together with it in the picture before, while
// none of that moves: where what is beneath has the shade of a sleeve, a hand seems cut off.
func (w *Watcher) regain(before []int32, limit int32) {
	var of [256]bool
	lost := false
	for _, c := range w.arm.piece {
		if k := w.arm.was[c]; k != 0 && w.arm.moved[k] < changeCells {
			of[k], lost = true, true
		}
	}
	if !lost {
		return
	}
	for _, c := range before {
		if of[w.arm.was[c]] && w.push(c, limit) {
			w.gather(limit)
		}
	}
}

// ghost reports whether the gathered piece is the gap that something left which the
// reference still shows: its outline stands out there and not in the picture.
func (w *Watcher) ghost() bool {
	var now, ref int32
	g := w.grid
	for _, c := range w.arm.piece {
		x := int(c) % g.w
		for _, d := range [4]int{-1, 1, -g.w, g.w} {
			n := int(c) + d
			if n < 0 || n >= len(w.now) || d == -1 && x == 0 || d == 1 && x == g.w-1 || w.foreign[n] != 0 {
				continue
			}
			now += abs(w.now[c]-w.now[n]) / 16
			ref += abs(w.ref[c]-w.ref[n]) / 16
		}
	}
	return float64(ref) > armGhost*float64(now)
}

// entry is the middle of the gathered piece's part of the border, in pixels.
func (w *Watcher) entry() (p fact.Point) {
	g, n := w.grid, 0.0
	for _, c := range w.arm.piece {
		x, y := int(c)%g.w, int(c)/g.w
		if x == 0 || y == 0 || x == g.w-1 || y == g.h-1 {
			p[0] += (float64(x) + 0.5) * float64(g.step)
			p[1] += (float64(y) + 0.5) * float64(g.step)
			n++
		}
	}
	return fact.Point{p[0] / n, p[1] / n}
}

// gather adds what hangs together with what is on the stack to the piece.
func (w *Watcher) gather(limit int32) {
	g := w.grid
	for len(w.stack) > 0 {
		c := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		w.arm.piece = append(w.arm.piece, c)
		x, y := int(c)%g.w, int(c)/g.w
		if x > 0 {
			w.push(c-1, limit)
		}
		if x < g.w-1 {
			w.push(c+1, limit)
		}
		if y > 0 {
			w.push(c-int32(g.w), limit)
		}
		if y < g.h-1 {
			w.push(c+int32(g.w), limit)
		}
	}
}

// stillSince is since when the gathered piece has neither moved nor grown.
func (w *Watcher) stillSince(limit int32, at time.Time) int64 {
	stirred, since := 0, int64(0)
	for _, c := range w.arm.piece {
		if w.arm.since[c] == 0 || abs(w.now[c]-w.last[c]) > limit {
			stirred++
		}
		since = max(since, w.arm.since[c])
	}
	if stirred >= changeCells || since == 0 {
		since = at.UnixNano()
	}
	for _, c := range w.arm.piece {
		w.arm.since[c] = since
	}
	return since
}

// push takes a cell on the stack if it differs; false where it does not or is
// taken already.
func (w *Watcher) push(c, limit int32) bool {
	if w.foreign[c] != 0 || abs(w.now[c]-w.ref[c]) <= limit/2 {
		return false
	}
	w.foreign[c] = uint8(min(len(w.arm.from)+1, 255))
	w.stack = append(w.stack, c)
	return true
}

// absorbOutside takes what was left lying outside the zones, still and not
// reaching in from the border, for a part of the table.
func (w *Watcher) absorbOutside(limit int32) {
	for i, s := range w.still {
		if s == zoneCell {
			continue
		}
		switch {
		case w.foreign[i] != 0 || abs(w.now[i]-w.ref[i]) <= limit || abs(w.now[i]-w.last[i]) > limit:
			w.still[i] = 0
		case s >= armFrames:
			w.ref[i], w.still[i] = w.now[i], 0
		default:
			w.still[i]++
		}
	}
}
