package calibration

import (
	"errors"
	"fmt"
	"math"

	"vision/internal/fact"
)

// Homography maps one plane to another, row by row.
type Homography [9]float64

// Apply maps p. A point on the line at infinity gives NaN.
func (h Homography) Apply(p fact.Point) fact.Point {
	w := h[6]*p[0] + h[7]*p[1] + h[8]
	if w == 0 {
		return fact.Point{math.NaN(), math.NaN()}
	}
	return fact.Point{
		(h[0]*p[0] + h[1]*p[1] + h[2]) / w,
		(h[3]*p[0] + h[4]*p[1] + h[5]) / w,
	}
}

// Mul is h after g.
func (h Homography) Mul(g Homography) Homography {
	var m Homography
	for r := range 3 {
		for c := range 3 {
			m[3*r+c] = h[3*r]*g[c] + h[3*r+1]*g[3+c] + h[3*r+2]*g[6+c]
		}
	}
	return m
}

// Inverse is the map back. It fails where h is singular.
func (h Homography) Inverse() (Homography, error) {
	inv := Homography{
		h[4]*h[8] - h[5]*h[7], h[2]*h[7] - h[1]*h[8], h[1]*h[5] - h[2]*h[4],
		h[5]*h[6] - h[3]*h[8], h[0]*h[8] - h[2]*h[6], h[2]*h[3] - h[0]*h[5],
		h[3]*h[7] - h[4]*h[6], h[1]*h[6] - h[0]*h[7], h[0]*h[4] - h[1]*h[3],
	}
	det := h[0]*inv[0] + h[1]*inv[3] + h[2]*inv[6]
	size := row(h, 0) * row(h, 1) * row(h, 2)
	if !(math.Abs(det) > 1e-12*size) || math.IsInf(size, 0) {
		return Homography{}, errors.New("plane: the matrix has no inverse: measure it again from at least four points, no three on a line")
	}
	for i := range inv {
		inv[i] /= det
	}
	return inv, nil
}

func row(h Homography, r int) float64 {
	return math.Sqrt(h[3*r]*h[3*r] + h[3*r+1]*h[3*r+1] + h[3*r+2]*h[3*r+2])
}

// stretch is the factor by which h enlarges areas at p, negative where it mirrors.
func (h Homography) stretch(p fact.Point) float64 {
	w := h[6]*p[0] + h[7]*p[1] + h[8]
	det := h[0]*(h[4]*h[8]-h[5]*h[7]) - h[1]*(h[3]*h[8]-h[5]*h[6]) + h[2]*(h[3]*h[7]-h[4]*h[6])
	return det / (w * w * w)
}

// Pair reports that the point From of one plane is the point To of the other.
type Pair struct{ From, To fact.Point }

// Solve finds the homography that takes every From to its To, from at least
// four pairs of which no three lie on a line: the normalised direct linear
// transform in least squares. residual is the root mean square of what is left,
// in the units of To.
func Solve(pairs []Pair) (h Homography, residual float64, err error) {
	if len(pairs) < 4 {
		return h, 0, fmt.Errorf("plane: %d point pairs: at least four are needed", len(pairs))
	}
	from, to := make([]fact.Point, len(pairs)), make([]fact.Point, len(pairs))
	for i, p := range pairs {
		for _, v := range [4]float64{p.From[0], p.From[1], p.To[0], p.To[1]} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return h, 0, fmt.Errorf("plane: point pair %d is not a number", i+1)
			}
		}
		from[i], to[i] = p.From, p.To
	}
	nf, okF := normalizer(from)
	nt, okT := normalizer(to)
	if !okF || !okT {
		return h, 0, errors.New("plane: the points coincide")
	}
	core, err := solveNormalized(pairs, nf, nt)
	if err != nil {
		return h, 0, err
	}
	back, err := nt.Inverse()
	if err != nil {
		return h, 0, err
	}
	h = back.Mul(core).Mul(nf).scaled()
	if _, err := h.Inverse(); err != nil {
		return h, 0, errCollinear
	}
	return h, rms(h, pairs), nil
}

var errCollinear = errors.New("plane: three of the points lie on a line: choose the corners of a quadrilateral")

func (h Homography) scaled() Homography {
	s := h[8]
	if math.Abs(s) < 1e-12 {
		return h
	}
	for i := range h {
		h[i] /= s
	}
	return h
}

func rms(h Homography, pairs []Pair) float64 {
	var sum float64
	for _, p := range pairs {
		q := h.Apply(p.From)
		sum += sq(q[0]-p.To[0]) + sq(q[1]-p.To[1])
	}
	return math.Sqrt(sum / float64(len(pairs)))
}

func sq(x float64) float64 { return x * x }

// normalizer moves the points' centre to the origin and their mean distance to √2.
func normalizer(ps []fact.Point) (Homography, bool) {
	var cx, cy, d float64
	n := float64(len(ps))
	for _, p := range ps {
		cx += p[0] / n
		cy += p[1] / n
	}
	for _, p := range ps {
		d += math.Hypot(p[0]-cx, p[1]-cy) / n
	}
	if !(d > 1e-9) {
		return Homography{}, false
	}
	s := math.Sqrt2 / d
	return Homography{s, 0, -s * cx, 0, s, -s * cy, 0, 0, 1}, true
}

// solveNormalized finds the unit vector h that minimises |A h|: the eigenvector
// of AᵀA with the smallest eigenvalue.
func solveNormalized(pairs []Pair, nf, nt Homography) (Homography, error) {
	var ata [9][9]float64
	add := func(r [9]float64) {
		for i := range 9 {
			for j := range 9 {
				ata[i][j] += r[i] * r[j]
			}
		}
	}
	for _, p := range pairs {
		f, t := nf.Apply(p.From), nt.Apply(p.To)
		add([9]float64{f[0], f[1], 1, 0, 0, 0, -t[0] * f[0], -t[0] * f[1], -t[0]})
		add([9]float64{0, 0, 0, f[0], f[1], 1, -t[1] * f[0], -t[1] * f[1], -t[1]})
	}
	values, vectors := eigen(ata)
	least, second := 0, -1
	for i := 1; i < 9; i++ {
		if values[i] < values[least] {
			least, second = i, least
		} else if second < 0 || values[i] < values[second] {
			second = i
		}
	}
	if values[second] < 1e-10 {
		return Homography{}, errCollinear
	}
	var h Homography
	for i := range 9 {
		h[i] = vectors[i][least]
	}
	return h, nil
}

// eigen is Jacobi's method for a symmetric matrix; vectors are columns.
func eigen(a [9][9]float64) (values [9]float64, vectors [9][9]float64) {
	for i := range 9 {
		vectors[i][i] = 1
	}
	for range 60 {
		var off float64
		for i := range 9 {
			for j := i + 1; j < 9; j++ {
				off += a[i][j] * a[i][j]
			}
		}
		if off < 1e-30 {
			break
		}
		for p := range 9 {
			for q := p + 1; q < 9; q++ {
				rotate(&a, &vectors, p, q)
			}
		}
	}
	for i := range 9 {
		values[i] = a[i][i]
	}
	return values, vectors
}

// rotate zeroes a[p][q] by a plane rotation.
func rotate(a, v *[9][9]float64, p, q int) {
	if a[p][q] == 0 {
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(t*t+1)
	s := t * c
	for k := range 9 {
		a[k][p], a[k][q] = c*a[k][p]-s*a[k][q], s*a[k][p]+c*a[k][q]
	}
	for k := range 9 {
		a[p][k], a[q][k] = c*a[p][k]-s*a[q][k], s*a[p][k]+c*a[q][k]
	}
	for k := range 9 {
		v[k][p], v[k][q] = c*v[k][p]-s*v[k][q], s*v[k][p]+c*v[k][q]
	}
}
