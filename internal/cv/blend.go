package cv

// #include "blend.h"
import "C"

import "unsafe"

// BlendPiece is how many pixels Blend looks at together.
const BlendPiece = 16

// Blend moves each byte of old, BGR pixels, a quarter of the way to now, rounded to the
// nearest: (3·old + now + 2) / 4. Pieces in which a byte is further off than near, or a
// pixel's count less than full, and the last one where it is no whole piece, are left
// alone: their ordinals come back, in left's memory.
func Blend(old, now, count []byte, near, full byte, left []int32) []int32 {
	n := len(count)
	if n == 0 || len(old) != 3*n || len(now) != 3*n {
		return left[:0]
	}
	if most := (n + BlendPiece - 1) / BlendPiece; cap(left) < most {
		left = make([]int32, most)
	}
	left = left[:cap(left)]
	others := C.vision_blend(
		(*C.uchar)(unsafe.Pointer(&old[0])),
		(*C.uchar)(unsafe.Pointer(&now[0])),
		(*C.uchar)(unsafe.Pointer(&count[0])),
		C.int(n),
		C.int(near),
		C.int(full),
		(*C.int)(unsafe.Pointer(&left[0])),
	)
	return left[:others]
}
