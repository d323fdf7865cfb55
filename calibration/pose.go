package calibration

import (
	"errors"
	"fmt"
	"math"
)

type vec [3]float64

func (a vec) dot(b vec) float64   { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) norm() float64       { return math.Sqrt(a.dot(a)) }
func (a vec) times(s float64) vec { return vec{a[0] * s, a[1] * s, a[2] * s} }
func (a vec) plus(b vec) vec      { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Known reports whether the pose was found.
func (p Pose) Known() bool { return p != Pose{} }

// Matrix is the rotation as three rows.
func (p Pose) Matrix() [3][3]float64 {
	r := vec(p.R)
	angle := r.norm()
	if angle < 1e-12 {
		return [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	}
	k := r.times(1 / angle)
	s, c := math.Sincos(angle)
	u := 1 - c
	return [3][3]float64{
		{c + k[0]*k[0]*u, k[0]*k[1]*u - k[2]*s, k[0]*k[2]*u + k[1]*s},
		{k[1]*k[0]*u + k[2]*s, c + k[1]*k[1]*u, k[1]*k[2]*u - k[0]*s},
		{k[2]*k[0]*u - k[1]*s, k[2]*k[1]*u + k[0]*s, c + k[2]*k[2]*u},
	}
}

// rodrigues is the rotation vector of a rotation matrix.
func rodrigues(m [3][3]float64) [3]float64 {
	axis := vec{m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]}
	s := axis.norm() / 2
	c := (m[0][0] + m[1][1] + m[2][2] - 1) / 2
	angle := math.Atan2(s, c)
	if s > 1e-7 {
		return [3]float64(axis.times(angle / (2 * s)))
	}
	if c > 0 {
		return [3]float64(axis.times(0.5))
	}
	// Half a turn: the axis is the largest column of (M + I) / 2.
	best, size := vec{}, 0.0
	for j := range 3 {
		v := vec{m[0][j], m[1][j], m[2][j]}
		v[j]++
		if n := v.norm(); n > size {
			best, size = v.times(1/n), n
		}
	}
	return [3]float64(best.times(math.Pi))
}

// PoseOf finds the camera over the plane from its lens and the plane's
// homography (undistorted pixels to millimetres).
func PoseOf(l Lens, plane Homography) (Pose, error) {
	if !l.Known() {
		return Pose{}, errors.New("pose: the lens is not known: calibrate it, or estimate its focal length with GuessLens")
	}
	inv, err := plane.Inverse()
	if err != nil {
		return Pose{}, fmt.Errorf("pose: %w", err)
	}
	a, b, t := columns(l, inv)
	na, nb := a.norm(), b.norm()
	if !(na > 0) || !(nb > 0) || math.Abs(math.Log(na/nb)) > 0.2 {
		return Pose{}, errors.New("pose: lens and plane contradict each other: one of them belongs to another camera or zoom")
	}
	scale := 2 / (na + nb)
	if t[2] < 0 {
		scale = -scale
	}
	a, b, t = a.times(scale), b.times(scale), t.times(scale)
	// The nearest orthonormal pair: spread both evenly about their bisector.
	sum, diff := a.times(1/a.norm()).plus(b.times(1/b.norm())), a.times(1/a.norm()).plus(b.times(-1/b.norm()))
	sum, diff = sum.times(math.Sqrt2/2/sum.norm()), diff.times(math.Sqrt2/2/diff.norm())
	r1, r2 := sum.plus(diff), sum.plus(diff.times(-1))
	r3 := r1.cross(r2)
	m := [3][3]float64{{r1[0], r2[0], r3[0]}, {r1[1], r2[1], r3[1]}, {r1[2], r2[2], r3[2]}}
	return Pose{R: rodrigues(m), T: [3]float64(t)}, nil
}

// columns is K⁻¹ times the columns of the map from millimetres to pixels.
func columns(l Lens, inv Homography) (a, b, t vec) {
	col := func(j int) vec {
		return vec{
			(inv[j] - l.Cx*inv[6+j]) / l.Fx,
			(inv[3+j] - l.Cy*inv[6+j]) / l.Fy,
			inv[6+j],
		}
	}
	return col(0), col(1), col(2)
}

// PlaneOf is the homography (undistorted pixels to millimetres) of a camera
// whose lens and pose are known.
func PlaneOf(l Lens, p Pose) (Homography, error) {
	if !l.Known() {
		return Homography{}, errors.New("plane: the lens is not known")
	}
	m := p.Matrix()
	var g Homography
	for j, c := range [3]vec{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, vec(p.T)} {
		g[j] = l.Fx*c[0] + l.Cx*c[2]
		g[3+j] = l.Fy*c[1] + l.Cy*c[2]
		g[6+j] = c[2]
	}
	h, err := g.Inverse()
	return h.scaled(), err
}

// stance is lens and pose of a camera whose plane is known: the lens estimated where it
// is not given.
func stance(l Lens, size [2]int, plane Homography) (Lens, Pose, error) {
	if !l.Known() {
		var err error
		if l, err = GuessLens(size, plane); err != nil {
			return l, Pose{}, err
		}
	}
	p, err := PoseOf(l, plane)
	return l, p, err
}

// errAbove means that a view does not determine its lens.
var errAbove = errors.New("lens: this view is too near to straight above to tell the focal length: give the lens")

// GuessLens estimates the focal length from one oblique view of the plane,
// taking square pixels, the principal point in the frame's middle and no
// distortion. A view from straight above says nothing of it and is refused.
func GuessLens(size [2]int, plane Homography) (Lens, error) {
	inv, err := plane.Inverse()
	if err != nil {
		return Lens{}, err
	}
	l := Lens{Fx: 1, Fy: 1, Cx: float64(size[0]) / 2, Cy: float64(size[1]) / 2}
	a, b, _ := columns(l, inv)
	// With the true f: (ax bx + ay by)/f² + az bz = 0 and |a| = |b|.
	// Both in least squares of 1/f².
	c1, d1 := a[0]*b[0]+a[1]*b[1], a[2]*b[2]
	c2 := a[0]*a[0] + a[1]*a[1] - b[0]*b[0] - b[1]*b[1]
	d2 := a[2]*a[2] - b[2]*b[2]
	inv2 := -(c1*d1 + c2*d2) / (c1*c1 + c2*c2)
	f := 1 / math.Sqrt(inv2)
	w := float64(size[0])
	if !(f > 0.3*w && f < 20*w) {
		return Lens{}, errAbove
	}
	l.Fx, l.Fy = f, f
	return l, nil
}

// Looking is the pose of a camera at eye (x and y on the table, height above the felt;
// millimetres) that looks at a point of the felt, its picture level. It fails where the camera
// is at the height of the felt or below.
func Looking(eye [3]float64, at [2]float64) (Pose, error) {
	if !(eye[2] > 0) {
		return Pose{}, fmt.Errorf("pose: a camera %g mm above the felt sees nothing of it: want a positive height", eye[2])
	}
	// The third axis of the table points into the felt.
	c := vec{eye[0], eye[1], -eye[2]}
	forward := vec{at[0], at[1], 0}.plus(c.times(-1))
	forward = forward.times(1 / forward.norm())
	right := vec{0, 0, 1}.cross(forward)
	if right.norm() < 1e-9 { // straight down: the players' side is below
		right = vec{1, 0, 0}
	}
	right = right.times(1 / right.norm())
	below := forward.cross(right)
	m := [3][3]float64{right, below, forward}
	return Pose{
		R: rodrigues(m),
		T: [3]float64{-right.dot(c), -below.dot(c), -forward.dot(c)},
	}, nil
}
