package card

import (
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// unframe puts in the place of every printed frame of a court the card round it.
// The outline of a frame stands out more than a white card's own does on a pale
// ground, and its picture is the court's. A pack without indices has no such frames,
// and the corner of a neighbour is none of the card's.
func (r *Reader) unframe(img gocv.Mat, kept []view, marks []mark) ([]view, error) {
	if r.deck == noIndexDeck {
		return kept, nil
	}
	var out, frames []view
	var grown []outline
	for i, v := range kept {
		others := slices.DeleteFunc(slices.Clone(marks), func(m mark) bool {
			return slices.ContainsFunc(kept, func(o view) bool {
				return o.quad != kept[i].quad && r.certain(o) && o.explains(m)
			})
		})
		if q, ok := v.whole(others); ok {
			frames, grown = append(frames, v), append(grown, outline{quad: q})
		} else {
			out = append(out, v)
		}
	}
	if len(grown) == 0 {
		return kept, nil
	}
	views, err := r.look(img, grown)
	if err != nil {
		return nil, err
	}
	for i, f := range frames {
		k := slices.IndexFunc(views, func(v view) bool { return sameOutline(v.quad, grown[i].quad) })
		switch {
		case k >= 0 && !views[k].noIndex && r.certain(views[k]):
			out = append(out, views[k])
		case !f.noIndex: // it has an index of its own: better than nothing
			out = append(out, f)
		}
	}
	return out, nil
}

// sameOutline reports whether two quadrilaterals are one, perhaps turned.
func sameOutline(a, b fact.Quad) bool { return iou(a, b) > findTurned }

// whole is the card of which v is only the printed frame; ok is false where it is
// not. A little outside a frame's corner lies the card's own, with its index. Where
// an index is seen in v too, one such corner may be that of a card below: then two are needed.
func (v *view) whole(marks []mark) (whole fact.Quad, ok bool) {
	a, b, n, corners := 0.0, 0.0, 0.0, 0
	for k, p := range v.quad {
		side, up := sub(v.quad[k^1], p), sub(v.quad[3-k], p) // along the short and the long side, inwards
		det := cross(side, up)
		if det == 0 {
			return v.quad, false
		}
		before := n
		for _, m := range marks {
			d := sub(p, m.apex)
			s, l := cross(d, up)/det, cross(side, d)/det
			if !m.plain && s > frameNear && s < frameFar && l > frameNear/2 && l < frameFar &&
				dot(unit(m.long), unit(up)) > frameAlong {
				a, b, n = a+s, b+l, n+1
			}
		}
		if n > before {
			corners++
		}
	}
	if corners == 0 || corners == 1 && !v.noIndex {
		return v.quad, false
	}
	return widened(v.quad, a/n, b/n), true
}

// widened is q with a margin of a times its short and b times its long side round
// it, in its own plane.
func widened(q fact.Quad, a, b float64) fact.Quad {
	corners := func(x0, y0, x1, y1 float32) gocv.Point2fVector {
		return gocv.NewPoint2fVectorFromPoints([]gocv.Point2f{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
	}
	unit := corners(0, 0, 1, 1)
	defer unit.Close()
	seen := gocv.NewPoint2fVectorFromPoints([]gocv.Point2f{point2f(q[0]), point2f(q[1]), point2f(q[2]), point2f(q[3])})
	defer seen.Close()
	h := gocv.GetPerspectiveTransform2f(unit, seen)
	defer h.Close()
	at := func(r, c int) float64 { return h.GetDoubleAt(r, c) }
	var out fact.Quad
	for k, p := range [4]fact.Point{{-a, -b}, {1 + a, -b}, {1 + a, 1 + b}, {-a, 1 + b}} {
		w := at(2, 0)*p[0] + at(2, 1)*p[1] + at(2, 2)
		out[k] = fact.Point{(at(0, 0)*p[0] + at(0, 1)*p[1] + at(0, 2)) / w, (at(1, 0)*p[0] + at(1, 1)*p[1] + at(1, 2)) / w}
	}
	return out
}

func point2f(p fact.Point) gocv.Point2f { return gocv.Point2f{X: float32(p[0]), Y: float32(p[1])} }
