package calibration

import (
	"errors"
	"fmt"
)

// Fit works out plane, pose and, where it is not known, the lens of t from points
// of the table seen in the picture: From in pixels, To in millimetres. Four
// corners fit exactly; more points say how well. residual is what is left, in
// millimetres root mean square.
func (t *Table) Fit(points []Pair) (residual float64, err error) {
	if len(points) < 4 {
		return 0, fmt.Errorf("%d points: want at least four, no three of them on a line", len(points))
	}
	pairs := make([]Pair, len(points))
	for i, p := range points {
		if p.From[0] < 0 || p.From[1] < 0 || p.From[0] > float64(t.Size[0]) || p.From[1] > float64(t.Size[1]) {
			return 0, fmt.Errorf("point %d at %.0f, %.0f lies outside the picture", i+1, p.From[0], p.From[1])
		}
		pairs[i] = Pair{From: t.Lens.Undistort(p.From), To: p.To}
	}
	plane, residual, err := Solve(pairs)
	if err != nil {
		return 0, err
	}
	t.Plane, t.Pose = plane, Pose{}
	lens, pose, err := stance(t.Lens, t.Size, plane)
	switch {
	case errors.Is(err, errAbove):
		return residual, nil // read without heights
	case err != nil:
		return 0, fmt.Errorf("the points do not agree with the lens: %w", err)
	}
	t.Lens, t.Pose = lens, pose
	// Lens and points never agree wholly: the pose is what both say.
	if t.Plane, err = PlaneOf(t.Lens, t.Pose); err != nil {
		return 0, err
	}
	return residual, nil
}

// MaxResidual is the residual in millimetres from which a fit cannot be meant.
const MaxResidual = 10

// ErrResidual means that the points do not lie on one plane as said.
var ErrResidual = errors.New("the points do not fit the layout")

// PlainChips are the usual colours of casino chips, to be edited.
func PlainChips() []Chip {
	return []Chip{
		{ID: "e1", Face: "#e8e6df", Edge: "#2a4fa0", Diameter: 39, Thickness: 3.3, Value: 100},
		{ID: "e5", Face: "#c4232b", Edge: "#f2efe6", Diameter: 39, Thickness: 3.3, Value: 500},
		{ID: "e25", Face: "#1f8a4c", Edge: "#f0e9d2", Diameter: 39, Thickness: 3.3, Value: 2500},
		{ID: "e100", Face: "#26262b", Edge: "#e9c34a", Diameter: 39, Thickness: 3.3, Value: 10000},
	}
}
