package cv

// #include <stdlib.h>
// #include "cv.h"
// #include "board.h"
import "C"

import (
	"errors"
	"fmt"
	"image"
	"unsafe"
)

// DrawBoard draws a ChArUco board (see board.h), px pixels to a square.
func DrawBoard(cols, rows int, marker float64, px, margin int) (*image.Gray, error) {
	var w, h C.int
	var out *C.uchar
	if err := failure(C.vision_board_draw(C.int(cols), C.int(rows), C.float(marker), C.int(px), C.int(margin),
		&w, &h, &out)); err != nil {
		return nil, fmt.Errorf("draw board of %d×%d: %w", cols, rows, err)
	}
	defer C.vision_free(unsafe.Pointer(out))
	img := image.NewGray(image.Rect(0, 0, int(w), int(h)))
	copy(img.Pix, unsafe.Slice((*byte)(unsafe.Pointer(out)), len(img.Pix)))
	return img, nil
}

// FindBoard finds the inner corners of a ChArUco board, as many as are seen: their
// numbers, row by row, and pixels.
func FindBoard(img *image.Gray, cols, rows int, marker float64) (ids []int, px [][2]float64, err error) {
	if err := checkGray(img); err != nil {
		return nil, nil, err
	}
	var n C.int
	var which *C.int
	var at *C.float
	msg := C.vision_board_find(
		(*C.uchar)(unsafe.Pointer(&img.Pix[0])),
		C.int(img.Rect.Dx()),
		C.int(img.Rect.Dy()),
		C.int(cols),
		C.int(rows),
		C.float(marker),
		&n,
		&which,
		&at,
	)
	if err := failure(msg); err != nil {
		return nil, nil, fmt.Errorf("find board: %w", err)
	}
	defer C.vision_free(unsafe.Pointer(which))
	defer C.vision_free(unsafe.Pointer(at))
	for _, id := range unsafe.Slice(which, int(n)) {
		ids = append(ids, int(id))
	}
	return ids, points(at, int(n)), nil
}

// FindChessboard finds the cols × rows inner corners of a chessboard, row by row:
// all of them or none.
func FindChessboard(img *image.Gray, cols, rows int) ([][2]float64, error) {
	if err := checkGray(img); err != nil {
		return nil, err
	}
	var n C.int
	var at *C.float
	msg := C.vision_chess_find(
		(*C.uchar)(unsafe.Pointer(&img.Pix[0])),
		C.int(img.Rect.Dx()),
		C.int(img.Rect.Dy()),
		C.int(cols),
		C.int(rows),
		&n,
		&at,
	)
	if err := failure(msg); err != nil {
		return nil, fmt.Errorf("find chessboard: %w", err)
	}
	defer C.vision_free(unsafe.Pointer(at))
	return points(at, int(n)), nil
}

func points(at *C.float, n int) [][2]float64 {
	out := make([][2]float64, n)
	for i, v := range unsafe.Slice(at, 2*n) {
		out[i/2][i%2] = float64(v)
	}
	return out
}

func checkGray(img *image.Gray) error {
	if img.Rect.Dx() < MinSide || img.Rect.Dy() < MinSide || img.Stride != img.Rect.Dx() {
		return fmt.Errorf("%w: %v", ErrImage, img.Rect)
	}
	return nil
}

// Plane is one view of corners on a plane: where they lie on it and where they are
// seen.
type Plane struct{ At, Px [][2]float64 }

// FitLens fits a lens (fx fy cx cy k1 k2 p1 p2 k3, as OpenCV's calib3d has it) to
// views of a plane; dev are its standard deviations, poses each view's rotation
// vector and translation.
func FitLens(size [2]int, views []Plane) (lens, dev [9]float64, poses [][6]float64, err error) {
	var counts []C.int
	var at, px []C.float
	for _, v := range views {
		if len(v.At) != len(v.Px) || len(v.At) < 6 {
			return lens, dev, nil, errors.New("fit lens: a view with fewer than six corners")
		}
		counts = append(counts, C.int(len(v.At)))
		for i := range v.At {
			at = append(at, C.float(v.At[i][0]), C.float(v.At[i][1]))
			px = append(px, C.float(v.Px[i][0]), C.float(v.Px[i][1]))
		}
	}
	if len(views) < 3 {
		return lens, dev, nil, fmt.Errorf("fit lens: %d views: at least three are needed", len(views))
	}
	poses = make([][6]float64, len(views))
	msg := C.vision_lens_fit(C.int(len(views)), &counts[0], &at[0], &px[0], C.int(size[0]), C.int(size[1]),
		(*C.double)(&lens[0]), (*C.double)(&dev[0]), (*C.double)(&poses[0][0]))
	if err := failure(msg); err != nil {
		return lens, dev, nil, fmt.Errorf("fit lens: %w", err)
	}
	return lens, dev, poses, nil
}
