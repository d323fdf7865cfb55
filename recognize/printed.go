package recognize

import (
	"cmp"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/fact"
)

// Print is what shows as it does with nothing on the table, in whatever light: as much
// lighter or darker, and as tinted, as the felt about it, a shadow allowed; a pixel or
// two aside, as a camera trembles; and where something lies on it, in what is not hidden.

const (
	// printSteps are the points each way at which a thing is compared with the empty felt.
	printSteps = 20
)

// printLeast are the points of a thing that must be visible to know that it is print.
func printLeast() int { return printSteps * printSteps * printVisible / 100 }

// backgroundView compares a picture with the same camera's of the empty felt.
type backgroundView struct {
	now, background []byte
	w, h            int
}

// viewBackground is false where it is not known how the felt looks.
func viewBackground(img, background gocv.Mat) (v backgroundView, ok bool) {
	if background.Ptr() == nil || background.Cols() != img.Cols() || background.Rows() != img.Rows() {
		return v, false
	}
	a, err := img.DataPtrUint8()
	if err != nil {
		return v, false
	}
	b, err := background.DataPtrUint8()
	return backgroundView{a, b, img.Cols(), img.Rows()}, err == nil
}

// printed returns for each quad whether the picture shows in it what it shows with nothing
// on the table; of none where that is not known. Things that are no print hide what is
// under them.
func printed(img, background gocv.Mat, quads []fact.Quad) []bool {
	out := make([]bool, len(quads))
	v, ok := viewBackground(img, background)
	if !ok {
		return out
	}
	for i, q := range quads {
		out[i] = v.unchanged(q, nil)
	}
	first := slices.Clone(out)
	for i, q := range quads {
		if first[i] {
			continue
		}
		var over []calibration.Zone
		for k, o := range quads {
			if k != i && !first[k] {
				over = append(over, calibration.Zone{Polygon: o[:]})
			}
		}
		out[i] = len(over) > 0 && (v.unchanged(q, over) || !v.seen(q, over) && v.beneath(q, over))
	}
	return out
}

// unchanged reports whether what is visible of a quad shows as on the empty felt.
func (v backgroundView) unchanged(q fact.Quad, over []calibration.Zone) bool {
	hidden := hiddenBy(over)
	in := v.visible(q, over)
	if len(in) < printLeast() {
		return false
	}
	light := v.light(q, hidden)
	for dy := -printAside; dy <= printAside; dy += 2 {
		for dx := -printAside; dx <= printAside; dx += 2 {
			if v.matches(in, dx, dy, light) {
				return true
			}
		}
	}
	return false
}

// beneath reports whether a quad is print of which something hides one side, though it is not
// known well where that lies: a card beside print has one outline with it, which hides both. What
// shows otherwise lies all together then, and most of the quad is as on the empty felt; of a card
// on print marks show otherwise here and there.
func (v backgroundView) beneath(q fact.Quad, over []calibration.Zone) bool {
	in := v.visible(q, nil)
	if 2*len(in) < printSteps*printSteps {
		return false
	}
	light := v.light(q, hiddenBy(over))
	for dy := -printAside; dy <= printAside; dy += 2 {
		for dx := -printAside; dx <= printAside; dx += 2 {
			as := v.asBackground(in, dx, dy, light)
			for k := range printWays {
				sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(printWays))
				if halved(in, as, fact.Point{cos, sin}) {
					return true
				}
			}
		}
	}
	return false
}

// halved reports whether of points most, and those together that lie on in a direction, look as
// on the empty felt, and the others not.
func halved(points []fact.Point, as []bool, way fact.Point) bool {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	along := func(i int) float64 { return points[i][0]*way[0] + points[i][1]*way[1] }
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(along(a), along(b)) })
	all, other := 0, 0 // that look otherwise, and those of them before
	for _, same := range as {
		if !same {
			all++
		}
	}
	for n, i := range order {
		if 2*n >= len(order) {
			return false
		}
		if n > 0 && float64(n-other) <= printDiffer*float64(n) &&
			float64(all-other) <= printDiffer*float64(len(order)-n) {
			return true
		}
		if !as[i] {
			other++
		}
	}
	return false
}

// asBackground returns for each point whether it looks as on the empty felt, as alike does of all.
func (v backgroundView) asBackground(points []fact.Point, dx, dy int, light [3]float64) []bool {
	out := make([]bool, len(points))
	for i, p := range points {
		out[i] = v.sameAt(p, dx, dy, light)
	}
	return out
}

// sameAt reports whether a point looks as on the empty felt, which shows so many pixels aside.
func (v backgroundView) sameAt(p fact.Point, dx, dy int, light [3]float64) bool {
	x, y := int(p[0]), int(p[1])
	bx, by := x+dx, y+dy
	return bx > 0 && by > 0 && bx < v.w-1 && by < v.h-1 && v.same(3*(y*v.w+x), 3*(by*v.w+bx), light)
}

// visible are points all over a quad that nothing hides.
func (v backgroundView) visible(q fact.Quad, over []calibration.Zone) []fact.Point {
	hidden := hiddenBy(over)
	return slices.DeleteFunc(spread(q, 1), func(p fact.Point) bool { return !v.inside(p, 1) || hidden(p) })
}

// seen reports whether enough of a quad is visible to decide whether it is print.
func (v backgroundView) seen(q fact.Quad, over []calibration.Zone) bool {
	return len(v.visible(q, over)) >= printLeast()
}

func hiddenBy(over []calibration.Zone) func(fact.Point) bool {
	return func(p fact.Point) bool {
		return slices.ContainsFunc(over, func(z calibration.Zone) bool { return z.Contains(p) })
	}
}

// inside reports whether a point lies in the picture, so many pixels from its border.
func (v backgroundView) inside(p fact.Point, far float64) bool {
	return p[0] >= far && p[1] >= far && p[0] < float64(v.w)-far && p[1] < float64(v.h)-far
}

// light is how much lighter the felt about a quad is than it was, by channel, in the
// median; where hardly any of it can be seen that of the quad itself.
func (v backgroundView) light(q fact.Quad, hidden func(fact.Point) bool) (gain [3]float64) {
	var ratios [3][]float64
	take := func(points []fact.Point) {
		for _, p := range points {
			if !v.inside(p, 0) || hidden(p) {
				continue
			}
			i := 3 * (int(p[1])*v.w + int(p[0]))
			for k := range ratios {
				ratios[k] = append(ratios[k], (float64(v.now[i+k])+1)/(float64(v.background[i+k])+1))
			}
		}
	}
	for _, k := range []float64{printRingFrom, (printRingFrom + printRingTo) / 2, printRingTo} {
		take(border(q, k))
	}
	if len(ratios[0]) < printSteps {
		take(spread(q, 1))
	}
	for k, r := range ratios {
		slices.Sort(r)
		gain[k] = min(max(r[len(r)/2], printDarker), printLighter)
	}
	return gain
}

// matches reports whether so many points as of print look as on the empty felt, which shows so
// many pixels aside, in a light.
func (v backgroundView) matches(points []fact.Point, dx, dy int, light [3]float64) bool {
	left := int(printDiffer * float64(len(points))) // that may look otherwise
	for _, p := range points {
		if v.sameAt(p, dx, dy, light) {
			continue
		}
		if left--; left < 0 {
			return false
		}
	}
	return true
}

// same reports whether a pixel looks as one of the empty felt or between it and its
// neighbours: print shows a part of a pixel aside.
func (v backgroundView) same(now, background int, light [3]float64) bool {
	var low, high, seen [3]float64
	for k := range 3 {
		a, b := uint8(255), uint8(0)
		for _, row := range [3]int{-3 * v.w, 0, 3 * v.w} {
			for _, at := range [3]int{background + row - 3, background + row, background + row + 3} {
				a, b = min(a, v.background[at+k]), max(b, v.background[at+k])
			}
		}
		low[k], high[k], seen[k] = light[k]*float64(a), light[k]*float64(b), float64(v.now[now+k])
	}
	// The shade that fits best lies at an end, or where one channel is met: as the light
	// is, where that will do.
	for _, shade := range printShades {
		d := 0.0
		for k := range 3 {
			d += max(0, shade*low[k]-seen[k], seen[k]-min(255, shade*high[k]))
		}
		if d < printAlike {
			return true
		}
	}
	return false
}

// spread are points all over a quad that is drawn larger about its middle.
func spread(q fact.Quad, larger float64) (out []fact.Point) {
	for i := range printSteps {
		for j := range printSteps {
			out = append(out, on(q, larger, (float64(i)+0.5)/printSteps, (float64(j)+0.5)/printSteps))
		}
	}
	return out
}

// border are points along the border of a quad that is drawn larger about its middle.
func border(q fact.Quad, larger float64) (out []fact.Point) {
	for i := range printSteps {
		u := (float64(i) + 0.5) / printSteps
		out = append(out, on(q, larger, u, 0), on(q, larger, u, 1), on(q, larger, 0, u), on(q, larger, 1, u))
	}
	return out
}

// on is the point of a quad at shares of its width and height, the quad drawn larger
// about its middle.
func on(q fact.Quad, larger, u, v float64) (p fact.Point) {
	for k := range 2 {
		middle := (q[0][k] + q[1][k] + q[2][k] + q[3][k]) / 4
		p[k] = middle + larger*((1-v)*((1-u)*q[0][k]+u*q[1][k])+v*((1-u)*q[3][k]+u*q[2][k])-middle)
	}
	return p
}

func quadOfCard(c fact.Card) fact.Quad   { return c.Quad }
func quadOfStack(s fact.Stack) fact.Quad { return s.Quad }
func quadOfDie(d fact.Die) fact.Quad     { return d.Quad }
