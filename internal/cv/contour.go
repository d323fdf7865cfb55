package cv

// #include "cv.h"
// #include "contour.h"
import "C"

import (
	"errors"
	"fmt"
	"image"
	"unsafe"

	"gocv.io/x/gocv"
)

// ContourLimits says which contours are wanted, in pixels.
type ContourLimits struct {
	PointsMin, PointsMax int // along the contour
	ShortMin, LongMax    int // sides of its bounding box
}

// ErrMask is returned for a Mat that is no mask of 8 bits in one piece.
var ErrMask = errors.New("not a mask of 8 bits")

// Contours finds the contours of a mask (8 bits, one channel), outer and inner
// ones, every pixel of them. Those outside the limits never leave C++, which is
// what makes it fast: gocv fetches every point by a call of its own.
func Contours(mask gocv.Mat, want ContourLimits) ([][]image.Point, error) {
	if mask.Empty() || mask.Type() != gocv.MatTypeCV8U || !mask.IsContinuous() {
		return nil, fmt.Errorf("find contours: %w", ErrMask)
	}
	px, err := mask.DataPtrUint8()
	if err != nil {
		return nil, fmt.Errorf("find contours: %w", err)
	}
	var xy, lengths *C.int
	var count C.int
	limits := C.vision_contour_limits{
		points_min: C.int(want.PointsMin),
		points_max: C.int(want.PointsMax),
		short_min:  C.int(want.ShortMin),
		long_max:   C.int(want.LongMax),
	}
	msg := C.vision_contours(
		(*C.uchar)(unsafe.Pointer(&px[0])),
		C.int(mask.Rows()),
		C.int(mask.Cols()),
		limits,
		&xy,
		&lengths,
		&count,
	)
	if err := failure(msg); err != nil {
		return nil, fmt.Errorf("find contours: %w", err)
	}
	defer C.vision_free(unsafe.Pointer(xy))
	defer C.vision_free(unsafe.Pointer(lengths))
	return split(xy, unsafe.Slice(lengths, int(count))), nil
}

// split copies the points out of C's memory.
func split(xy *C.int, lengths []C.int) [][]image.Point {
	total := 0
	for _, n := range lengths {
		total += int(n)
	}
	flat := unsafe.Slice(xy, 2*total)
	pts := make([]image.Point, total)
	for i := range pts {
		pts[i] = image.Pt(int(flat[2*i]), int(flat[2*i+1]))
	}
	out := make([][]image.Point, len(lengths))
	for i, n := range lengths {
		out[i], pts = pts[:n:n], pts[n:]
	}
	return out
}

// Simplify gives those points of a closed contour that describe it to within
// tolerance pixels (Douglas and Peucker), in its order; none of an empty one.
func Simplify(contour []image.Point, tolerance float64) []image.Point {
	if len(contour) == 0 {
		return nil
	}
	xy := make([]C.int, 2*len(contour))
	for i, p := range contour {
		xy[2*i], xy[2*i+1] = C.int(p.X), C.int(p.Y)
	}
	var n C.int
	if err := failure(C.vision_simplify(&xy[0], C.int(len(contour)), C.double(tolerance), &n)); err != nil {
		return nil // out of memory: a contour without corners
	}
	out := make([]image.Point, n)
	for i := range out {
		out[i] = image.Pt(int(xy[2*i]), int(xy[2*i+1]))
	}
	return out
}
