// Package lens says how a camera's lens is measured by a printed board: what a
// board is, what was seen of it, how well a lens fits to that, and when a
// measurement is too poor to be used. It holds no images: package board finds and
// fits, in a process of its own where a server asks for it (Tool).
package lens

import (
	"errors"
	"fmt"
	"math"

	"vision/calibration"
	"vision/internal/fact"
)

// Board is what is printed and waved: a chessboard whose white squares hold ArUco
// markers (ChArUco), so that a part of it suffices, or a plain one.
type Board struct {
	Cols   int     `json:"cols"`   // squares across
	Rows   int     `json:"rows"`   // squares down
	Square float64 `json:"square"` // edge of a square as printed, millimetres
	Plain  bool    `json:"plain"`  // no markers
}

// Marker is a marker's edge as a share of a square's.
const Marker = 0.75

// Printed is the board that the console offers, for a sheet of A4.
var Printed = Board{Cols: 7, Rows: 5, Square: 36}

// Check returns what is wrong with a board.
func (b Board) Check() error {
	if b.Cols < 4 || b.Cols > 20 || b.Rows < 4 || b.Rows > 20 || b.Cols*b.Rows > 200 {
		return fmt.Errorf("board of %d×%d squares: want 4 to 20 each way, 200 in all", b.Cols, b.Rows)
	}
	if !(b.Square >= 5 && b.Square <= 500) {
		return fmt.Errorf("board's square of %g mm: want 5 to 500", b.Square)
	}
	return nil
}

// Corners is the number of inner corners.
func (b Board) Corners() int { return (b.Cols - 1) * (b.Rows - 1) }

// At is where inner corner id lies on the board, millimetres.
func (b Board) At(id int) fact.Point {
	return fact.Point{float64(id%(b.Cols-1)+1) * b.Square, float64(id/(b.Cols-1)+1) * b.Square}
}

// Corner is an inner corner that was seen.
type Corner struct {
	ID int        `json:"id"`
	Px fact.Point `json:"px"`
}

// View is what one picture shows of the board.
type View struct {
	Size    [2]int   `json:"size"`
	Corners []Corner `json:"corners"`
}

// Fit is a lens with the views' poses over it, before anything was judged.
type Fit struct {
	Lens  calibration.Lens   `json:"lens"`
	Dev   [9]float64         `json:"dev"` // standard deviations of fx fy cx cy k1 k2 p1 p2 k3
	Poses []calibration.Pose `json:"poses"`
}

// Result is a measured lens and how good it is.
type Result struct {
	Lens    calibration.Lens `json:"lens"`
	Size    [2]int           `json:"size"`
	Views   int              `json:"views"`   // that were used
	Left    int              `json:"left"`    // that were left out: blurred, or of few corners
	Corners int              `json:"corners"` // in all
	RMS     float64          `json:"rms_px"`  // reprojection error
	RMSmm   float64          `json:"rms_mm"`  // the same on the board
	Worst   float64          `json:"worst_px"`
	Cover   int              `json:"cover"`  // cells of the picture, of 12, that hold corners
	Focal   float64          `json:"focal"`  // standard deviation of the focal length as a share of it
	Tilted  int              `json:"tilted"` // pictures in which the board stood aslant
}

// What a measurement must reach.
const (
	MinViews   = 6
	MinCorners = 8    // of a view that is used
	MaxRMS     = 0.7  // pixels
	MaxRMSmm   = 1.0  // millimetres on the board
	MinCover   = 9    // cells of 12
	MaxFocal   = 0.01 // of the focal length
	MinTilted  = 4    // pictures
	aslant     = 0.17 // sine of ten degrees
	cellsX     = 4
	cellsY     = 3
)

// ErrPoor is wrapped by every refusal of a measurement.
var ErrPoor = errors.New("the lens was not measured well enough")

// Usable keeps the views that show enough of the board, all of one size.
func Usable(views []View) (size [2]int, out []View, err error) {
	for _, v := range views {
		if size == [2]int{} {
			size = v.Size
		}
		if v.Size != size {
			return size, nil, fmt.Errorf("pictures of %d×%d and of %d×%d: all must be of one camera at one size", size[0], size[1], v.Size[0], v.Size[1])
		}
		if len(v.Corners) >= MinCorners {
			out = append(out, v)
		}
	}
	if len(out) < MinViews {
		return size, out, fmt.Errorf("%w: %d of %d pictures show the board; want %d", ErrPoor, len(out), len(views), MinViews)
	}
	return size, out, nil
}

// Errors are a view's: root mean squares in pixels and in millimetres on the board,
// and the greatest in pixels.
func (f Fit) Errors(b Board, v View, pose calibration.Pose) (px, mm, worst float64, err error) {
	plane, err := calibration.PlaneOf(f.Lens, pose)
	if err != nil {
		return 0, 0, 0, err
	}
	back, err := plane.Inverse()
	if err != nil {
		return 0, 0, 0, err
	}
	for _, c := range v.Corners {
		at := b.At(c.ID)
		seen := f.Lens.Distort(back.Apply(at))
		read := plane.Apply(f.Lens.Undistort(c.Px))
		dpx, dmm := math.Hypot(seen[0]-c.Px[0], seen[1]-c.Px[1]), math.Hypot(read[0]-at[0], read[1]-at[1])
		px, mm, worst = px+dpx*dpx, mm+dmm*dmm, max(worst, dpx)
	}
	n := float64(len(v.Corners))
	return math.Sqrt(px / n), math.Sqrt(mm / n), worst, nil
}

// Judge works out how good a fit is.
func (f Fit) Judge(b Board, views []View) (Result, error) {
	r := Result{Lens: f.Lens, Views: len(views), Focal: max(f.Dev[0]/f.Lens.Fx, f.Dev[1]/f.Lens.Fy)}
	var cells [cellsX * cellsY]bool
	var px, mm float64
	for i, v := range views {
		r.Size = v.Size
		if m := f.Poses[i].Matrix(); math.Hypot(m[0][2], m[1][2]) > aslant { // the board's normal
			r.Tilted++
		}
		vpx, vmm, worst, err := f.Errors(b, v, f.Poses[i])
		if err != nil {
			return r, err
		}
		n := float64(len(v.Corners))
		px, mm, r.Worst, r.Corners = px+n*vpx*vpx, mm+n*vmm*vmm, max(r.Worst, worst), r.Corners+len(v.Corners)
		for _, c := range v.Corners {
			x, y := int(c.Px[0]*cellsX)/v.Size[0], int(c.Px[1]*cellsY)/v.Size[1]
			cells[min(max(y, 0), cellsY-1)*cellsX+min(max(x, 0), cellsX-1)] = true
		}
	}
	for _, c := range cells {
		if c {
			r.Cover++
		}
	}
	r.RMS, r.RMSmm = math.Sqrt(px/float64(r.Corners)), math.Sqrt(mm/float64(r.Corners))
	return r, nil
}

// Check refuses a poor measurement and says what to do about it.
func (r Result) Check() error {
	poor := func(format string, a ...any) error { return fmt.Errorf("%w: "+format, append([]any{ErrPoor}, a...)...) }
	switch {
	case r.Views < MinViews:
		return poor("%d pictures of the board are of use; want %d", r.Views, MinViews)
	case r.Cover < MinCover:
		return poor("the board was seen in %d of 12 parts of the picture; want %d: hold it towards the edges and corners too", r.Cover, MinCover)
	case r.RMS > MaxRMS:
		return poor("an error of %.2f px; want %.1f: hold the board still, in even light, on something stiff", r.RMS, MaxRMS)
	case r.RMSmm > MaxRMSmm:
		return poor("an error of %.2f mm on the board; want %.1f: hold it nearer", r.RMSmm, MaxRMSmm)
	case r.Tilted < MinTilted || !(r.Focal <= MaxFocal):
		return poor("the board stood aslant in %d pictures; want %d, and the focal length within %.0f %% (it is %.1f): tilt the board to all sides", r.Tilted, MinTilted, 100*MaxFocal, 100*r.Focal)
	}
	return nil
}
