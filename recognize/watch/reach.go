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
	// under is what the reference showed of a cell before a piece that stood still became a part of it.
	under []int32
	// around are the cells around the piece being gathered.
	around []bool
	// lit are the cells of pieces that are no arms but a change of the light.
	lit []int32
	// from is the middle of each piece's part of the border, in pixels.
	from []fact.Point
}

// findForeign marks what differs from the reference and hangs together with the
// picture's border: arms. A piece that has stood still for armAbsorb becomes part
// of the reference, whatever moves elsewhere; the gap that an arm has left does
// so soon, and at once where what it had covered is seen again. A change of the light is none.
func (w *Watcher) findForeign(limit int32, at time.Time) {
	before := w.arm.cells
	w.arm.cells, w.arm.from, w.arm.lit = nil, w.arm.from[:0], w.arm.lit[:0]
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
		ghost, light := w.outline(limit)
		if light {
			w.arm.lit = append(w.arm.lit, w.arm.piece...)
			return
		}
		back := w.uncovered(limit)
		patience := armAbsorb
		if ghost {
			patience = min(patience, armFading)
		}
		if still := at.UnixNano() - w.stillSince(limit, at); back || still >= int64(patience) {
			for _, c := range w.arm.piece {
				w.foreign[c], w.arm.since[c] = 0, 0
				if back && !w.shows(c, limit) {
					continue // something was left there
				}
				if w.arm.under[c] = w.ref[c]; back || ghost {
					w.arm.under[c] = w.now[c]
				}
				w.ref[c] = w.now[c]
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
	for _, c := range w.arm.lit { // until here nothing gathers them twice
		w.foreign[c] = 0
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

// uncovered reports whether most of the gathered piece shows what the reference showed before
// something that stood still became a part of it: that has left. It did before this picture, so
// that its zones have stirred.
func (w *Watcher) uncovered(limit int32) bool {
	same := 0
	for _, c := range w.arm.piece {
		if w.arm.was[c] != 0 && w.shows(c, limit) {
			same++
		}
	}
	return 2*same > len(w.arm.piece)
}

// shows reports whether a cell shows what was there before something became a part of the reference.
func (w *Watcher) shows(c, limit int32) bool { return abs(w.now[c]-w.arm.under[c]) <= limit/2 }

// outline looks at the outline of the gathered piece. It is a ghost, the gap that something left
// which the reference still shows, if it stands out there and not in the picture. It is light, as
// the soft shadow of somebody who leans over the table, if what has changed has no edge.
// Holes do not count: in them shows what has the shade of the thing itself, as print does.
func (w *Watcher) outline(limit int32) (ghost, light bool) {
	w.surround()
	var now, ref int32
	cells, edges := 0, 0
	for _, c := range w.arm.piece {
		for n := range w.grid.beside(c) {
			if !w.arm.around[n] {
				continue
			}
			inNow, inRef := w.now[c]-w.now[n], w.ref[c]-w.ref[n]
			now += abs(inNow) / 16
			ref += abs(inRef) / 16
			cells++
			if abs(inNow-inRef) > armEdge*limit/2 {
				edges++
			}
		}
	}
	return float64(ref) > armGhost*float64(now), float64(edges) < armSharp*float64(cells)
}

// surround marks the cells around the gathered piece, in the rectangle that holds it and one more
// on each side, but for those in its holes.
func (w *Watcher) surround() {
	g, first := w.grid, int(w.arm.piece[0])
	x0, y0, x1, y1 := first%g.w, first/g.w, first%g.w, first/g.w
	for _, c := range w.arm.piece {
		x, y := int(c)%g.w, int(c)/g.w
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	x0, y0, x1, y1 = max(x0-1, 0), max(y0-1, 0), min(x1+1, g.w-1), min(y1+1, g.h-1)
	for y := y0; y <= y1; y++ {
		clear(w.arm.around[y*g.w+x0 : y*g.w+x1+1])
	}
	mark := func(c int32) {
		x, y := int(c)%g.w, int(c)/g.w
		if x0 <= x && x <= x1 && y0 <= y && y <= y1 && !w.arm.around[c] && w.foreign[c] == 0 {
			w.arm.around[c] = true
			w.stack = append(w.stack, c)
		}
	}
	for x := x0; x <= x1; x++ {
		mark(int32(y0*g.w + x))
		mark(int32(y1*g.w + x))
	}
	for y := y0; y <= y1; y++ {
		mark(int32(y*g.w + x0))
		mark(int32(y*g.w + x1))
	}
	w.unstack(func(c int32) {
		for n := range g.beside(c) {
			mark(n)
		}
	})
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
	w.unstack(func(c int32) {
		w.arm.piece = append(w.arm.piece, c)
		for n := range w.grid.beside(c) {
			w.push(n, limit)
		}
	})
}

// unstack takes cells from the stack until there are no more; take may put others on it.
func (w *Watcher) unstack(take func(c int32)) {
	for n := len(w.stack) - 1; n >= 0; n = len(w.stack) - 1 {
		c := w.stack[n]
		w.stack = w.stack[:n]
		take(c)
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
