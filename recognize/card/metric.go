package card

import (
	"math"
	"slices"

	"vision/internal/fact"
)

// metric is how cards lie in the picture near one place: m takes vectors of the
// picture to the table, in shorter sides of a card. All cards of a table are
// equal, so each that is read gives how every other must look, whatever its turn.
type metric struct {
	m     [3]float64 // upper triangular: x' = m0 x + m1 y, y' = m2 y
	ratio float64    // longer side over shorter one
}

// lying is a card as it lies in the picture: its middle and its sides.
type lying struct{ at, short, long fact.Point }

// layOf are the cards from which the pose of all follows: those read by their
// outlines, else what several sure corners imply.
func layOf(read []view, marks []mark) []lying {
	var out []lying
	for _, v := range read {
		short, long := vectors(v.quad)
		out = append(out, lying{centre(v.quad), short, long})
	}
	if len(out) > 0 {
		return out
	}
	for _, m := range marks {
		if m.cornerScore > markSure {
			out = append(out, lying{m.apex, m.short, m.long})
		}
	}
	if len(out) < metricFew {
		return nil
	}
	return out
}

// metricAt is the metric at a place that most of the cards agree on; false where
// none is.
func metricAt(at fact.Point, cards []lying) (metric, bool) {
	var best metric
	var agree []lying
	least := math.Inf(1)
	for _, ratio := range metricRatios {
		m, in := consensus(at, cards, ratio)
		if len(in) == 0 {
			continue
		}
		rest := m.error(in) + metricRest
		// One card fits any ratio: the first is the usual one.
		if len(in) > len(agree) || len(in) == len(agree) && rest < metricBetter*least {
			best, agree, least = m, in, rest
		}
	}
	return best, 2*len(agree) > len(cards)
}

// consensus is the metric of the card with which most others agree, fitted to them all.
func consensus(at fact.Point, cards []lying, ratio float64) (metric, []lying) {
	var agree []lying
	for _, c := range cards {
		m, ok := fitMetric(at, []lying{c}, ratio)
		if !ok {
			continue
		}
		in := slices.DeleteFunc(slices.Clone(cards), func(o lying) bool {
			return m.error([]lying{o}) > metricLoose*m.slack(at, o)
		})
		if len(in) > len(agree) {
			agree = in
		}
	}
	m, ok := fitMetric(at, agree, ratio)
	if !ok {
		return metric{}, nil
	}
	return m, agree
}

// slack is how much more a card may differ that lies farther off, where
// perspective makes it larger or smaller.
func (k metric) slack(at fact.Point, c lying) float64 {
	return 1 + norm(k.table(sub(c.at, at)))/metricNear/2
}

// error is how far lengths and right angles are off, the mean of the cards.
func (k metric) error(cards []lying) float64 {
	sum := 0.0
	for _, c := range cards {
		s, l := k.table(c.short), scale(k.table(c.long), 1/k.ratio)
		a, b, d := dot(s, s)-1, dot(l, l)-1, 2*dot(s, l)
		sum += math.Sqrt((a*a+b*b+d*d)/3) / 2 // of squares: twice that of lengths
	}
	return sum / float64(max(1, len(cards)))
}

// fitMetric solves for the form g(x, y) = a x² + 2 b x y + c y² in which shorter
// sides are 1 long, longer ones ratio, both at right angles, by least squares in
// which near cards weigh more.
func fitMetric(at fact.Point, cards []lying, ratio float64) (metric, bool) {
	var n [3][3]float64
	var r [3]float64
	for _, c := range cards {
		l := scale(c.long, 1/ratio)
		w := 1 / (1 + math.Pow(norm(sub(c.at, at))/(metricNear*norm(c.short)), 2))
		for k, row := range [][3]float64{product(c.short, c.short), product(l, l), product(c.short, l)} {
			want := [3]float64{1, 1, 0}[k]
			for i := range 3 {
				for j := range 3 {
					n[i][j] += w * row[i] * row[j]
				}
				r[i] += w * row[i] * want
			}
		}
	}
	g, ok := solve3(n, r)
	if !ok || g[0] <= 0 || g[0]*g[2] <= g[1]*g[1] {
		return metric{}, false
	}
	a := math.Sqrt(g[0])
	return metric{[3]float64{a, g[1] / a, math.Sqrt(g[2] - g[1]*g[1]/g[0])}, ratio}, true
}

// product holds the factors of a, b and c in the form's product of two vectors.
func product(p, q fact.Point) [3]float64 {
	return [3]float64{p[0] * q[0], p[0]*q[1] + p[1]*q[0], p[1] * q[1]}
}

// vectors are the mean shorter and longer side of a card, from its own top left.
func vectors(q fact.Quad) (short, long fact.Point) {
	return scale(add(sub(q[1], q[0]), sub(q[2], q[3])), 0.5), scale(add(sub(q[3], q[0]), sub(q[2], q[1])), 0.5)
}

func (k metric) table(v fact.Point) fact.Point {
	return fact.Point{k.m[0]*v[0] + k.m[1]*v[1], k.m[2] * v[1]}
}

func (k metric) picture(v fact.Point) fact.Point {
	y := v[1] / k.m[2]
	return fact.Point{(v[0] - k.m[1]*y) / k.m[0], y}
}

// snapped gives the mark the sides that a card has there: only its turn is the
// mark's own, the mean of both its sides. A mark that is too unlike
// lies where the cards give no pose.
func (m mark) snapped(k metric) (mark, bool) {
	s, l := unit(k.table(m.short)), unit(k.table(m.long))
	side := 1.0
	if cross(s, l) < 0 {
		side = -1
	}
	turned := fact.Point{side * l[1], -side * l[0]} // the shorter side, if only the longer one were known
	size := math.Sqrt(math.Abs(cross(k.table(m.short), k.table(m.long))) / k.ratio)
	if dot(s, turned) < metricRight || size < 1/metricUnlike || size > metricUnlike {
		return m, false
	}
	u := unit(add(s, turned))
	m.short = k.picture(u)
	m.long = k.picture(scale(fact.Point{-side * u[1], side * u[0]}, k.ratio))
	return m, true
}

// solve3 solves n x = r for a symmetric n by Cramer's rule; false where n is singular.
func solve3(n [3][3]float64, r [3]float64) ([3]float64, bool) {
	det := triple(n[0], n[1], n[2])
	size := 1.0
	for i := range n {
		size *= math.Abs(n[i][i])
	}
	if math.Abs(det) <= 1e-9*size {
		return r, false
	}
	return [3]float64{triple(r, n[1], n[2]) / det, triple(n[0], r, n[2]) / det, triple(n[0], n[1], r) / det}, true
}

// triple is the volume that three vectors span.
func triple(a, b, c [3]float64) float64 {
	return a[0]*(b[1]*c[2]-b[2]*c[1]) + a[1]*(b[2]*c[0]-b[0]*c[2]) + a[2]*(b[0]*c[1]-b[1]*c[0])
}
