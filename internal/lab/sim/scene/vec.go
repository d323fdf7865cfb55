package scene

import (
	"math"

	"vision/calibration"
)

// vec is a point or direction of the table's frame in millimetres: x to the
// right, y towards the players, z into the table, so heights are negative.
type vec [3]float64

func (a vec) add(b vec) vec           { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) sub(b vec) vec           { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) mul(k float64) vec       { return vec{a[0] * k, a[1] * k, a[2] * k} }
func (a vec) dot(b vec) float64       { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) norm() float64           { return math.Sqrt(a.dot(a)) }
func (a vec) unit() vec               { return a.mul(1 / a.norm()) }
func (a vec) at(d vec, k float64) vec { return a.add(d.mul(k)) }

func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// mat is a rotation, row by row.
type mat [3]vec

func (m mat) apply(v vec) vec { return vec{m[0].dot(v), m[1].dot(v), m[2].dot(v)} }

// back applies the inverse rotation.
func (m mat) back(v vec) vec {
	return m[0].mul(v[0]).add(m[1].mul(v[1])).add(m[2].mul(v[2]))
}

func (m mat) times(n mat) mat {
	var out mat
	for i := range 3 {
		for j := range 3 {
			out[i][j] = m[i][0]*n[0][j] + m[i][1]*n[1][j] + m[i][2]*n[2][j]
		}
	}
	return out
}

// rodrigues is the rotation by the length of v about v.
func rodrigues(v vec) mat {
	m := calibration.Pose{R: v}.Matrix()
	return mat{m[0], m[1], m[2]}
}

// rotationVector is the inverse of rodrigues for angles below 180 degrees.
func rotationVector(m mat) vec {
	w := vec{m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]}
	s, c := w.norm()/2, (m[0][0]+m[1][1]+m[2][2]-1)/2
	if s < 1e-12 {
		return vec{}
	}
	return w.unit().mul(math.Atan2(s, c))
}

func clamp(v, lo, hi float64) float64 { return max(lo, min(hi, v)) }

// smooth rises from 0 at a to 1 at b.
func smooth(a, b, v float64) float64 {
	t := clamp((v-a)/(b-a), 0, 1)
	return t * t * (3 - 2*t)
}
