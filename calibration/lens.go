package calibration

import (
	"math"

	"vision/internal/fact"
)

// Known reports whether the lens was calibrated; without it pixels are taken as
// undistorted and no pose can be had.
func (l Lens) Known() bool { return l.Fx != 0 || l.Fy != 0 }

// Distort takes an undistorted pixel to where the lens shows it.
func (l Lens) Distort(p fact.Point) fact.Point {
	if !l.Known() || l.Dist == [5]float64{} {
		return p
	}
	return l.show((p[0]-l.Cx)/l.Fx, (p[1]-l.Cy)/l.Fy)
}

// show is the pixel of a direction, given by normalised coordinates.
func (l *Lens) show(x, y float64) fact.Point {
	x, y = l.brown(x, y)
	return fact.Point{x*l.Fx + l.Cx, y*l.Fy + l.Cy}
}

// Undistort takes a pixel of the frame to where a lens without distortion
// would show it: the inverse of Distort by Newton's method.
func (l Lens) Undistort(p fact.Point) fact.Point {
	if !l.Known() || l.Dist == [5]float64{} {
		return p
	}
	tx, ty := (p[0]-l.Cx)/l.Fx, (p[1]-l.Cy)/l.Fy
	x, y := tx, ty
	for range 30 {
		fx, fy := l.brown(x, y)
		ex, ey := fx-tx, fy-ty
		if ex*ex+ey*ey < 1e-26 {
			break
		}
		a, b, c, d := l.brownJacobian(x, y)
		det := a*d - b*c
		if math.Abs(det) < 1e-9 {
			break // the model folds here: no inverse, the last point is the best
		}
		x -= (d*ex - b*ey) / det
		y -= (a*ey - c*ex) / det
	}
	return fact.Point{x*l.Fx + l.Cx, y*l.Fy + l.Cy}
}

// brown is the Brown-Conrady model on normalised coordinates.
func (l *Lens) brown(x, y float64) (float64, float64) {
	k1, k2, p1, p2, k3 := l.Dist[0], l.Dist[1], l.Dist[2], l.Dist[3], l.Dist[4]
	r2 := x*x + y*y
	radial := 1 + r2*(k1+r2*(k2+r2*k3))
	return x*radial + 2*p1*x*y + p2*(r2+2*x*x),
		y*radial + p1*(r2+2*y*y) + 2*p2*x*y
}

// brownJacobian is the derivative of brown, row by row.
func (l *Lens) brownJacobian(x, y float64) (a, b, c, d float64) {
	k1, k2, p1, p2, k3 := l.Dist[0], l.Dist[1], l.Dist[2], l.Dist[3], l.Dist[4]
	r2 := x*x + y*y
	radial := 1 + r2*(k1+r2*(k2+r2*k3))
	slope := 2 * (k1 + r2*(2*k2+r2*3*k3)) // d radial / d r2, times 2
	a = radial + slope*x*x + 2*p1*y + 6*p2*x
	b = slope*x*y + 2*p1*x + 2*p2*y
	c = b
	d = radial + slope*y*y + 6*p1*y + 2*p2*x
	return a, b, c, d
}
