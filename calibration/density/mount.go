package density

import (
	"errors"
	"fmt"
	"math"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/fact"
)

// Mount is a camera that looks at the middle of a layout. Lengths are millimetres.
type Mount struct {
	Height   float64 // of the lens above the felt
	Distance float64 // from the layout's middle towards the players, along the felt; negative: behind the croupier
	Side     float64 // from the layout's middle to the players' right, along the felt
	View     float64 // horizontal angle of view, degrees; 0: the layout just fits, with a margin
	Size     [2]int  // of the picture, pixels
}

// margin of the picture that stays free on each side where the angle of view is chosen.
const margin = 0.04

// Over is the calibration that such a camera of this layout has: a lens without distortion,
// its middle in the middle of the picture.
func (m Mount) Over(l layout.Layout) (*calibration.Table, error) {
	switch {
	case m.Size[0] < 16 || m.Size[1] < 16:
		return nil, fmt.Errorf("a picture of %d×%d pixels: want its width and height, like 1920×1080", m.Size[0], m.Size[1])
	case !(m.Height > 0) || math.IsInf(m.Height, 0) || math.IsNaN(m.Distance+m.Side) || math.IsInf(m.Distance+m.Side, 0):
		return nil, errors.New("where the camera is: want its height above the felt, more than 0, and its distance, in metres")
	case m.View != 0 && !(m.View > 1 && m.View < 150):
		return nil, fmt.Errorf("an angle of view of %g°: want 1 to 150, as the camera's data sheet gives it for its width", m.View)
	}
	middle := [2]float64{l.Width / 2, l.Depth / 2}
	pose, err := calibration.Looking([3]float64{middle[0] + m.Side, middle[1] + m.Distance, m.Height}, middle)
	if err != nil {
		return nil, err
	}
	w, h := float64(m.Size[0]), float64(m.Size[1])
	lens := func(f float64) calibration.Lens {
		return calibration.Lens{Fx: f, Fy: f, Cx: w / 2, Cy: h / 2}
	}
	f := w / 2 / math.Tan(m.View*math.Pi/360)
	if m.View == 0 {
		if f, err = fitting(l, pose, w, h); err != nil {
			return nil, err
		}
	}
	plane, err := calibration.PlaneOf(lens(f), pose)
	if err != nil {
		return nil, err
	}
	return &calibration.Table{
		Schema: calibration.Schema,
		Size:   m.Size,
		Lens:   lens(f),
		Plane:  plane,
		Pose:   pose,
		Zones:  l.Zones,
	}, nil
}

// fitting is the focal length, in pixels, at which the layout just fits into the picture.
func fitting(l layout.Layout, pose calibration.Pose, w, h float64) (float64, error) {
	// With a focal length of one pixel the pixels are the tangents of the angles of view.
	unit := calibration.Lens{Fx: 1, Fy: 1}
	plane, err := calibration.PlaneOf(unit, pose)
	if err != nil {
		return 0, err
	}
	view, err := (&calibration.Table{Size: [2]int{1, 1}, Lens: unit, Plane: plane, Pose: pose}).View()
	if err != nil {
		return 0, err
	}
	var x, y float64
	for _, p := range []fact.Point{{0, 0}, {l.Width, 0}, {l.Width, l.Depth}, {0, l.Depth}} {
		t := view.ToImage(p)
		x, y = max(x, math.Abs(t[0])), max(y, math.Abs(t[1]))
	}
	return (1 - 2*margin) / 2 * min(w/x, h/y), nil
}

// ViewOf is a camera's horizontal angle of view in degrees, from its focal length and the
// width of its sensor in millimetres.
func ViewOf(focal, sensor float64) float64 { return 2 * math.Atan(sensor/2/focal) * 180 / math.Pi }

// FocalOf is the focal length in millimetres which gives a horizontal angle of view in
// degrees with a sensor of this width in millimetres.
func FocalOf(view, sensor float64) float64 { return sensor / 2 / math.Tan(view*math.Pi/360) }

// Sensors are the widths in millimetres of the usual sensor formats (4:3 and 16:9 sensors of one
// name differ by some per cent; these are those of 16:9 surveillance cameras).
var Sensors = map[string]float64{"1/4": 3.6, "1/3": 4.8, "1/2.9": 5.4, "1/2.8": 5.6, "1/2.7": 5.9, "1/2.5": 5.8, "1/2": 6.9, "1/1.8": 7.7, "1/1.2": 11.2, "2/3": 8.8, "1": 12.8}
