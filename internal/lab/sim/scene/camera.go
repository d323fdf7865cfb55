package scene

import (
	"image"
	"math"

	"vision/calibration"
)

// Camera is a pinhole camera with radial and tangential distortion over a
// table plane, as OpenCV's calib3d defines it.
type Camera struct {
	Size [2]int
	Lens calibration.Lens
	rot  mat
	t    vec
	eye  vec
}

// View says where a camera stands: it looks from Distance at Target, Tilt
// radians off the vertical from the players' side, turned by Yaw about the
// vertical and by Roll about its axis; Scale is pixels per millimetre at Target.
type View struct {
	Size     [2]int
	Target   [2]float64
	Distance float64
	Tilt     float64
	Yaw      float64
	Roll     float64
	Scale    float64
	Dist     [5]float64
}

// NewCamera builds the camera of a view.
func NewCamera(v View) *Camera {
	f := v.Scale * v.Distance
	c := &Camera{Size: v.Size, Lens: calibration.Lens{
		Fx: f, Fy: f * 1.001, Cx: float64(v.Size[0])/2 + 3.5, Cy: float64(v.Size[1])/2 - 2.25, Dist: v.Dist}}
	sin, cos := math.Sincos(v.Tilt)
	fwd := vec{-sin * math.Sin(v.Yaw), -sin * math.Cos(v.Yaw), cos}
	right := vec{1, 0, 0}
	right = right.sub(fwd.mul(right.dot(fwd))).unit()
	down := fwd.cross(right)
	rs, rc := math.Sincos(v.Roll)
	right, down = right.mul(rc).add(down.mul(rs)), down.mul(rc).sub(right.mul(rs))
	c.rot = mat{right, down, fwd}
	c.eye = vec{v.Target[0], v.Target[1], 0}.at(fwd, -v.Distance)
	c.t = c.rot.apply(c.eye).mul(-1)
	return c
}

// Project gives the pixel of a point of the table's frame.
func (c *Camera) Project(x, y, z float64) (u, v float64) {
	p := c.rot.apply(vec{x, y, z}).add(c.t)
	a, b := c.distort(p[0]/p[2], p[1]/p[2])
	return a*c.Lens.Fx + c.Lens.Cx, b*c.Lens.Fy + c.Lens.Cy
}

func (c *Camera) distort(x, y float64) (float64, float64) {
	d := c.Lens.Dist
	r2 := x*x + y*y
	k := 1 + r2*(d[0]+r2*(d[1]+r2*d[4]))
	return x*k + 2*d[2]*x*y + d[3]*(r2+2*x*x), y*k + d[2]*(r2+2*y*y) + 2*d[3]*x*y
}

// ray is the direction in the table's frame that a pixel looks along.
func (c *Camera) ray(u, v float64) vec {
	a, b := (u-c.Lens.Cx)/c.Lens.Fx, (v-c.Lens.Cy)/c.Lens.Fy
	x, y := a, b
	for range 3 {
		dx, dy := c.distort(x, y)
		x, y = x+a-dx, y+b-dy
	}
	return c.rot.back(vec{x, y, 1})
}

// near orders places of the felt by how near to the camera they are, seen along it.
func (c *Camera) near(at [2]float64) float64 { return -(c.rot[2][0]*at[0] + c.rot[2][1]*at[1]) }

// OnPlane is the point of the felt that a pixel shows.
func (c *Camera) OnPlane(u, v float64) (x, y float64) {
	d := c.ray(u, v)
	p := c.eye.at(d, -c.eye[2]/d[2])
	return p[0], p[1]
}

// Pose is the camera's pose as the calibration file holds it.
func (c *Camera) Pose() calibration.Pose {
	return calibration.Pose{R: rotationVector(c.rot), T: c.t}
}

// Plane is the homography from undistorted pixels to millimetres of the felt,
// normalised to a last element of 1.
func (c *Camera) Plane() [9]float64 {
	l := c.Lens
	row := func(f, p float64, m vec, t float64) vec {
		return vec{f*m[0] + p*c.rot[2][0], f*m[1] + p*c.rot[2][1], f*t + p*c.t[2]}
	}
	h := mat{
		row(l.Fx, l.Cx, c.rot[0], c.t[0]),
		row(l.Fy, l.Cy, c.rot[1], c.t[1]),
		{c.rot[2][0], c.rot[2][1], c.t[2]},
	}
	a, b, d := h[1].cross(h[2]), h[2].cross(h[0]), h[0].cross(h[1])
	k := 1 / d[2]
	return [9]float64{a[0] * k, b[0] * k, d[0] * k, a[1] * k, b[1] * k, d[1] * k, a[2] * k, b[2] * k, 1}
}

// window is the smallest rectangle of pixels, grown by pad, that shows all points.
func (c *Camera) window(points []vec, pad float64) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		u, v := c.Project(p[0], p[1], p[2])
		x0, y0, x1, y1 = min(x0, u), min(y0, v), max(x1, u), max(y1, v)
	}
	r := image.Rect(int(math.Floor(x0-pad)), int(math.Floor(y0-pad)), int(math.Ceil(x1+pad))+1, int(math.Ceil(y1+pad))+1)
	return r.Intersect(image.Rect(0, 0, c.Size[0], c.Size[1]))
}
