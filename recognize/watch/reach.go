package watch

import "time"

// reach is what reaches in from the border.
type reach struct {
	size   int // cells
	moving int
	since  time.Time // when it last moved
}

// findForeign marks what differs from the reference and hangs together with the
// picture's border: arms. What has stood still there for Absorb, or outside the
// zones for a few seconds, becomes part of the reference.
func (w *Watcher) findForeign(limit int32, at time.Time) {
	clear(w.foreign)
	w.stack = w.stack[:0]
	g := w.grid
	for x := range g.w {
		w.push(int32(x), limit)
		w.push(int32((g.h-1)*g.w+x), limit)
	}
	for y := range g.h {
		w.push(int32(y*g.w), limit)
		w.push(int32((y+1)*g.w-1), limit)
	}
	size, moving := 0, 0
	for len(w.stack) > 0 {
		c := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		size++
		if abs(w.now[c]-w.last[c]) > limit {
			moving++
		}
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
	if moving >= leastCells || size == 0 || w.arm.size == 0 {
		w.arm.since = at
	}
	w.arm.size, w.arm.moving = size, moving
	if size > 0 && at.Sub(w.arm.since) >= w.opts.Absorb {
		for i, f := range w.foreign {
			if f {
				w.ref[i] = w.now[i]
			}
		}
		clear(w.foreign)
	}
	w.absorbOutside(limit)
}

func (w *Watcher) push(c, limit int32) {
	if !w.foreign[c] && abs(w.now[c]-w.ref[c]) > limit/2 {
		w.foreign[c] = true
		w.stack = append(w.stack, c)
	}
}

// absorbOutside takes what was left lying outside the zones, still and not
// reaching in from the border, for a part of the table.
func (w *Watcher) absorbOutside(limit int32) {
	const frames = 50
	for i, s := range w.still {
		if s == zoneCell {
			continue
		}
		switch {
		case w.foreign[i] || abs(w.now[i]-w.ref[i]) <= limit || abs(w.now[i]-w.last[i]) > limit:
			w.still[i] = 0
		case s >= frames:
			w.ref[i], w.still[i] = w.now[i], 0
		default:
			w.still[i]++
		}
	}
}
