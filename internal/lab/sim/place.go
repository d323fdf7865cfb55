package sim

import (
	"slices"

	"vision/calibration"
	"vision/calibration/layout"
)

// place prints one motif in a zone or beside them; in a zone of a seat often the same at
// other seats, up to most in all. It gives how many of the motifs wanted are done with:
// at least one, also where the cloth has no room left.
func (a *adorner) place(most int, of maker) int {
	inside := float64(a.inside)-a.share*float64(len(a.marks)) < a.rng.Float64()-0.5
	kind := a.kinds[a.turn%len(a.kinds)]
	if inside {
		a.turn++
	}
	for range 12 {
		if !inside {
			if a.beside(of) {
				return 1
			}
			continue
		}
		z := a.zones[kind][a.rng.IntN(len(a.zones[kind]))]
		if n := a.within(z, most, of); n > 0 {
			return n
		}
	}
	return 1
}

// within prints a motif in a zone.
func (a *adorner) within(z calibration.Zone, most int, of maker) int {
	room := a.room(z)
	w, h := room[2]-room[0], room[3]-room[1]
	m := of(w, h)
	if m == nil || !fits(m, w, h) {
		return 0
	}
	b := m.box()
	for range 20 {
		x := room[0] - b[0] + a.rng.Float64()*(w-b[2]+b[0])
		y := room[1] - b[1] + a.rng.Float64()*(h-b[3]+b[1])
		if m.kind == "card" && z.Wants("cards") {
			x, y = a.cardPlace(z, x, y)
		}
		if !holds(room, moved(b, x, y)) || !a.free(m, x, y) {
			continue
		}
		a.put(m, x, y, z.Name)
		if z.Seat == 0 || a.rng.IntN(3) == 0 {
			return 1
		}
		return 1 + a.repeat(m, z, x-room[0], y-room[1], most-1)
	}
	return 0
}

// cardPlace moves a printed card, as often as not, to where cards are laid.
func (a *adorner) cardPlace(z calibration.Zone, x, y float64) (float64, float64) {
	x0, _, x1, _ := box(z.Polygon)
	n := a.rng.IntN(max(1, int((x1-x0-8)/cardPitch)))
	if at, err := a.stage.cardAt(z.Name, n, false); err == nil && a.rng.IntN(2) == 0 {
		return at[0], at[1]
	}
	return x, y
}

// repeat prints a motif in the same zone of other seats, at most as often as said.
func (a *adorner) repeat(m *motif, of calibration.Zone, dx, dy float64, most int) int {
	n := 0
	for _, z := range a.stage.layout.Zones {
		if n >= most || z.Seat == 0 || z.Seat == of.Seat || z.Spot != of.Spot || !slices.Equal(z.Reads, of.Reads) ||
			len(z.Reads) == 0 {
			continue
		}
		room := a.room(z)
		if x, y := room[0]+dx, room[1]+dy; holds(room, moved(m.box(), x, y)) && a.free(m, x, y) {
			a.put(m, x, y, z.Name)
			n++
		}
	}
	return n
}

// beside prints a motif on the cloth outside the zones.
func (a *adorner) beside(of maker) bool {
	bed := a.bed()
	m := of(min(420, bed[2]-bed[0]), a.span(14, 100))
	if m == nil {
		return false
	}
	b := m.box()
	for range 40 {
		x, y := a.span(bed[0]-b[0], bed[2]-b[2]), a.span(bed[1]-b[1], bed[3]-b[3])
		if a.free(m, x, y) &&
			!slices.ContainsFunc(
				a.stage.layout.Zones,
				func(z calibration.Zone) bool { return overlap(zoneRect(z), moved(b, x, y)) },
			) {
			a.put(m, x, y, "")
			return true
		}
	}
	return false
}

// free reports whether nothing that must stay legible is where a motif would be.
func (a *adorner) free(m *motif, x, y float64) bool {
	return !slices.ContainsFunc(m.parts, func(p layout.Rect) bool {
		return slices.ContainsFunc(a.taken, func(t layout.Rect) bool { return overlap(t, moved(p, x, y)) })
	})
}

// room is where in a zone may be printed: all of it but its outline; of a layout that
// all share, one of its fields, though not of the numbers in red and black.
func (a *adorner) room(z calibration.Zone) layout.Rect {
	r := zoneRect(z)
	var fields []layout.Rect
	for _, c := range a.stage.layout.Cells {
		if z.Name == "layout" && c.Text != z.Name && c.Ink == "" && holds(r, c.Rect) {
			fields = append(fields, c.Rect)
		}
	}
	if len(fields) > 0 {
		r = fields[a.rng.IntN(len(fields))]
	}
	return layout.Rect{r[0] + 3, r[1] + 3, r[2] - 3, r[3] - 3}
}

// zoneAt names the read zone at a point.
func (a *adorner) zoneAt(x, y float64) string {
	for _, z := range a.stage.layout.Zones {
		if r := zoneRect(z); len(z.Reads) > 0 && x > r[0] && x < r[2] && y > r[1] && y < r[3] {
			return z.Name
		}
	}
	return ""
}

// bed is where on the cloth may be printed.
func (a *adorner) bed() layout.Rect {
	return layout.Rect{-60, a.stage.far() + 8, clothW + 60, a.stage.near() - 6}
}

func zoneRect(z calibration.Zone) layout.Rect {
	x0, y0, x1, y1 := box(z.Polygon)
	return layout.Rect{x0, y0, x1, y1}
}

func overlap(a, b layout.Rect) bool {
	return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

// holds reports whether b lies in a.
func holds(a, b layout.Rect) bool {
	return b[0] >= a[0] && b[2] <= a[2] && b[1] >= a[1] && b[3] <= a[3]
}
