package cv

// #include "cv.h"
// #include "patch.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"gocv.io/x/gocv"
)

// ErrPicture is returned for a Mat that is no BGR picture of 8 bits in one piece.
var ErrPicture = errors.New("not a BGR picture of 8 bits in one piece")

// Corners of a quadrilateral, x and y by turns, clockwise from its top left.
type Corners [8]float32

// Patches cuts quadrilaterals out of img, each straightened to w × h pixels, and
// gives them behind one another: BGR, 8 bits.
func Patches(img gocv.Mat, quads []Corners, w, h int) ([]byte, error) {
	px, err := Pixels(img)
	if err != nil || len(quads) == 0 {
		return nil, err
	}
	out := make([]byte, len(quads)*w*h*3)
	msg := C.vision_patches(
		(*C.uchar)(unsafe.Pointer(&px[0])),
		C.int(img.Rows()),
		C.int(img.Cols()),
		(*C.float)(unsafe.Pointer(&quads[0])),
		C.int(len(quads)),
		C.int(w),
		C.int(h),
		(*C.uchar)(unsafe.Pointer(&out[0])),
	)
	if err := failure(msg); err != nil {
		return nil, fmt.Errorf("cut %d patches: %w", len(quads), err)
	}
	return out, nil
}

// Half scales pictures of w pixels a line, both sides even, to half their sides by
// the mean of each four pixels. They may lie behind one another.
func Half(px []byte, w int) ([]byte, error) {
	if w < 2 || len(px) == 0 || w%2 != 0 || len(px)%(6*w) != 0 {
		return nil, fmt.Errorf("scale to half: %d bytes of %d pixels a line: %w", len(px), w, ErrPicture)
	}
	out := make([]byte, len(px)/4)
	msg := C.vision_half(
		(*C.uchar)(unsafe.Pointer(&px[0])),
		C.int(len(px)/3/w),
		C.int(w),
		(*C.uchar)(unsafe.Pointer(&out[0])),
	)
	if err := failure(msg); err != nil {
		return nil, fmt.Errorf("scale to half: %w", err)
	}
	return out, nil
}

// Pixels are those of a BGR picture of 8 bits in one piece; any other is refused with ErrPicture.
func Pixels(img gocv.Mat) ([]byte, error) {
	if !Colour(img) {
		return nil, ErrPicture
	}
	return img.DataPtrUint8()
}
