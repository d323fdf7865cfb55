package calibration

import (
	"errors"
	"fmt"
	"math"

	"vision/internal/fact"
)

// ErrOtherCamera is the refusal of frames for which a calibration was not made.
var ErrOtherCamera = errors.New("calibrated for another camera")

// View is a calibration ready to compute with: between pixels of the frame and
// millimetres of the table.
type View struct {
	lens   Lens
	plane  Homography // undistorted pixels to millimetres
	back   Homography
	raised bool // the pose is known, or lens and plane give it
	rot    [3][3]float64
	pos    vec
}

// View prepares the geometry. It fails where the plane cannot be inverted.
func (t *Table) View() (*View, error) {
	back, err := Homography(t.Plane).Inverse()
	if err != nil {
		return nil, fmt.Errorf("calibration of table %q camera %q: %w", t.Table, t.Camera, err)
	}
	v := &View{lens: t.Lens, plane: Homography(t.Plane), back: back}
	lens, pose := t.Lens, t.Pose
	if !pose.Known() {
		if lens, pose, err = stance(t.Lens, t.Size, Homography(t.Plane)); err != nil {
			return v, nil // from straight above: read without heights
		}
	}
	up := *v
	up.lens, up.raised, up.rot, up.pos = lens, lens.Known(), pose.Matrix(), vec(pose.T)
	if up.raised && !t.Pose.Known() && !(up.stray(t.Size) < mostStray*float64(t.Size[0])) {
		return v, nil
	}
	return &up, nil
}

// mostStray is how far pose and plane may disagree, in widths of the picture.
const mostStray = 0.005

// stray is by how many pixels pose and plane disagree at the worst of some places.
func (v *View) stray(size [2]int) (worst float64) {
	w, h := float64(size[0]), float64(size[1])
	for _, f := range [][2]float64{{.25, .5}, {.75, .5}, {.5, .75}, {.5, .95}} {
		mm := v.ToTable(fact.Point{f[0] * w, f[1] * h})
		a, b := v.ToImage(mm), v.ToImageAt(mm, 0)
		if d := math.Hypot(a[0]-b[0], a[1]-b[1]); !(d <= worst) {
			worst = d
		}
	}
	return worst
}

// Fits reports whether frames of this size are of the calibrated camera.
func (t *Table) Fits(width, height int) error {
	if t.Size == [2]int{width, height} {
		return nil
	}
	return fmt.Errorf("table %q camera %q: the frame is %d×%d, the calibration is of %d×%d: %w: set the camera's stream back or calibrate again",
		t.Table, t.Camera, width, height, t.Size[0], t.Size[1], ErrOtherCamera)
}

// ToTable is the point of the felt that a pixel shows, in millimetres.
func (v *View) ToTable(px fact.Point) fact.Point { return v.plane.Apply(v.lens.Undistort(px)) }

// ToImage is the pixel that shows a point of the felt.
func (v *View) ToImage(mm fact.Point) fact.Point { return v.lens.Distort(v.back.Apply(mm)) }

// Raised reports whether the pose is known, so that heights can be used.
func (v *View) Raised() bool { return v.raised }

// ToImageAt is the pixel that shows a point height millimetres above mm. It
// needs a known pose; on the felt itself it agrees with ToImage.
func (v *View) ToImageAt(mm fact.Point, height float64) fact.Point {
	if !v.raised {
		return v.ToImage(mm)
	}
	c := v.camera(vec{mm[0], mm[1], -height})
	return v.lens.show(c[0]/c[2], c[1]/c[2])
}

// ToTableAt is the point, height millimetres above the felt, that a pixel
// shows, projected down on the felt. It needs a known pose.
func (v *View) ToTableAt(px fact.Point, height float64) fact.Point {
	if !v.raised {
		return v.ToTable(px)
	}
	u := v.lens.Undistort(px)
	ray := vec{(u[0] - v.lens.Cx) / v.lens.Fx, (u[1] - v.lens.Cy) / v.lens.Fy, 1}
	d, eye := v.turnBack(ray), v.Eye()
	s := (height - eye[2]) / -d[2]
	return fact.Point{eye[0] + s*d[0], eye[1] + s*d[1]}
}

// Eye is where the camera stands: x, y on the table and the height above it,
// in millimetres. It needs a known pose.
func (v *View) Eye() [3]float64 {
	e := v.turnBack(v.pos.times(-1))
	return [3]float64{e[0], e[1], -e[2]}
}

// Polygon is a zone's outline in the frame: its edges cut fine enough that the
// lens may bend them.
func (v *View) Polygon(z Zone) []fact.Point {
	const cuts = 8
	out := make([]fact.Point, 0, cuts*len(z.Polygon))
	for i, a := range z.Polygon {
		b := z.Polygon[(i+1)%len(z.Polygon)]
		for k := range cuts {
			f := float64(k) / cuts
			out = append(out, v.ToImage(fact.Point{a[0] + f*(b[0]-a[0]), a[1] + f*(b[1]-a[1])}))
		}
	}
	return out
}

func (v *View) camera(p vec) vec {
	r := &v.rot
	return vec{
		r[0][0]*p[0] + r[0][1]*p[1] + r[0][2]*p[2] + v.pos[0],
		r[1][0]*p[0] + r[1][1]*p[1] + r[1][2]*p[2] + v.pos[1],
		r[2][0]*p[0] + r[2][1]*p[1] + r[2][2]*p[2] + v.pos[2],
	}
}

// turnBack is the transposed rotation applied to p.
func (v *View) turnBack(p vec) vec {
	return vec(v.rot[0]).times(p[0]).plus(vec(v.rot[1]).times(p[1])).plus(vec(v.rot[2]).times(p[2]))
}
