package card

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// shown gives every card the box of what is seen of it in the picture.
func shown(img gocv.Mat, cards []fact.Card, marks []mark) {
	l := lap{bitmapOf(img), cornerScores(cards, marks)}
	laid, over := lapping(cards), make([][]fact.Quad, len(cards))
	for i := range cards {
		for _, k := range laid[i] {
			if k > i {
				continue // seen from the other
			}
			if up := l.upper(cards, i, k); up > 0 {
				over[k] = append(over[k], cards[i].Quad)
			} else if up < 0 {
				over[i] = append(over[i], cards[k].Quad)
			}
		}
	}
	for i := range cards {
		if len(pile(laid, i)) >= seenFan {
			over[i] = nil
		}
		b := left(cards[i].Quad, over[i])
		x0, y0 := max(b[0], 0), max(b[1], 0)
		cards[i].Seen = fact.Box{x0, y0, min(b[0]+b[2], float64(l.cols)) - x0, min(b[1]+b[3], float64(l.rows)) - y0}
	}
}

// lapping are for each card the others, of those read, that lie over or under it.
func lapping(cards []fact.Card) [][]int {
	out := make([][]int, len(cards))
	for i := range cards {
		for k := range i {
			a, b := cards[i].Quad, cards[k].Quad
			if cards[i].Abstain == "" && cards[k].Abstain == "" && overlap(a, b) >= seenLaps*min(area(a[:]), area(b[:])) {
				out[i], out[k] = append(out[i], k), append(out[k], i)
			}
		}
	}
	return out
}

// pile are the cards that lie in one heap with card i, itself among them.
func pile(laid [][]int, i int) []int {
	all := []int{i}
	for n := 0; n < len(all); n++ {
		for _, k := range laid[all[n]] {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all
}

// cornerScores is how surely each corner of the cards is seen, 0: not. A corner that is seen is
// that of the card it fits best.
func cornerScores(cards []fact.Card, marks []mark) [][4]float64 {
	out := make([][4]float64, len(cards))
	for _, m := range marks {
		card, at, near := -1, 0, seenCorner
		for i := range cards {
			q := cards[i].Quad
			w, h := sides(q)
			for k, p := range q {
				c := mark{apex: p}.within(q)
				d := norm(sub(m.apex, p)) / min(w, h)
				if d < near && dot(unit(m.long), unit(c.long)) > seenAlong &&
					dot(unit(m.short), unit(c.short)) > seenAlong {
					card, at, near = i, k, d
				}
			}
		}
		if card >= 0 {
			out[card][at] = max(out[card][at], m.cornerScore)
		}
	}
	return out
}

// lap decides which of two cards lies above.
type lap struct {
	*bitmap
	cornerScores [][4]float64
}

// upper is above 0 where card i lies over card k, below 0 where under it.
func (l *lap) upper(cards []fact.Card, i, k int) float64 {
	a, b := cards[i].Quad, cards[k].Quad
	if d := corners(a, b, l.cornerScores[i]) - corners(b, a, l.cornerScores[k]); math.Abs(d) >= seenTells {
		return d
	}
	return l.sides(a, b) - l.sides(b, a)
}

// corners is how much what stands in the corners of a, where that lies on b, shows a to
// be the upper.
func corners(a, b fact.Quad, score [4]float64) (sum float64) {
	w, h := sides(a)
	for k, p := range a {
		switch c := (mark{apex: p}).within(a); {
		case inside(b, c.sign()) < seenWithin*min(w, h):
		case score[k] > 0:
			sum += score[k]
		case k%2 == 0:
			sum -= seenIndex
		default:
			sum -= seenPlain
		}
	}
	return sum
}

// inside is how far p lies inside a convex quadrilateral; less than 0: outside.
func inside(q fact.Quad, p fact.Point) float64 {
	least := math.Inf(1)
	for i := range q {
		u := unit(sub(q[(i+1)%4], q[i]))
		least = min(least, cross(u, sub(p, q[i])))
	}
	return least
}

// sides is the step across the sides of a where they run over b, which three fifths of
// them exceed: print that they cross shows here and there.
func (l *lap) sides(a, b fact.Quad) float64 {
	w, h := sides(a)
	short := min(w, h)
	reach, band := max(seenLeastReach, seenReach*short), max(seenLeastBand, seenBand*short)
	var all []float64
	for i := range a {
		u := unit(sub(a[(i+1)%4], a[i]))
		n := fact.Point{-u[1], u[0]}
		for t := seenEnds; t < 1-seenEnds; t += seenStep {
			p := lerp(a[i], a[(i+1)%4], t)
			if inside(b, p) < seenWithin*short {
				continue
			}
			best := 0.0
			for o := -reach; o <= reach; o++ {
				x, okx := l.at(add(p, scale(n, o+band)))
				y, oky := l.at(add(p, scale(n, o-band)))
				if okx && oky {
					for c := range 3 {
						best = max(best, math.Abs(float64(l.px[x+c])-float64(l.px[y+c])))
					}
				}
			}
			all = append(all, best)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)*2/5]
}

// left is the box of the largest piece that others leave of q; of all q where that is
// little.
func left(q fact.Quad, others []fact.Quad) fact.Box {
	whole := q.Box()
	if len(others) == 0 {
		return whole
	}
	w, h := sides(q)
	k := min(1, seenAt/min(w, h))
	at := func(p fact.Point) image.Point {
		return image.Pt(int(math.Round(k*(p[0]-whole[0])))+1, int(math.Round(k*(p[1]-whole[1])))+1)
	}
	m := gocv.Zeros(int(k*whole[3])+3, int(k*whole[2])+3, gocv.MatTypeCV8U)
	defer m.Close()
	fill := func(q fact.Quad, ink color.RGBA) {
		pts := gocv.NewPointsVectorFromPoints([][]image.Point{{at(q[0]), at(q[1]), at(q[2]), at(q[3])}})
		defer pts.Close()
		gocv.FillPoly(&m, pts, ink)
	}
	fill(q, color.RGBA{255, 255, 255, 255})
	for _, o := range others {
		fill(o, blank)
	}
	n := max(1, int(k*min(w, h)*seenSliver/seenAt))
	kernel := gocv.GetStructuringElement(gocv.MorphRect, image.Pt(n, n))
	defer kernel.Close()
	gocv.MorphologyEx(m, &m, gocv.MorphOpen, kernel)
	pieces := gocv.FindContours(m, gocv.RetrievalExternal, gocv.ChainApproxSimple)
	defer pieces.Close()
	var box image.Rectangle
	most := 0.0
	for i := range pieces.Size() {
		if a := gocv.ContourArea(pieces.At(i)); a > most {
			most, box = a, gocv.BoundingRect(pieces.At(i))
		}
	}
	if most < seenLeft*k*k*area(q[:]) {
		return whole
	}
	v := func(c int) float64 { return float64(c-1) / k }
	return fact.Box{whole[0] + v(box.Min.X), whole[1] + v(box.Min.Y), v(box.Dx()), v(box.Dy())}
}
