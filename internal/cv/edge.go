package cv

// #include "net.h"
// #include "edge.h"
import "C"

import (
	"fmt"
	"unsafe"

	"gocv.io/x/gocv"
)

// Edges marks the edges of a picture of 8 bits, one or three channels, by Canny's
// method as OpenCV does, colours in less than half its time. The caller closes the mask.
func Edges(img gocv.Mat, low, high int) (gocv.Mat, error) {
	if img.Empty() || img.Type() != gocv.MatTypeCV8U && img.Type() != gocv.MatTypeCV8UC3 || !img.IsContinuous() {
		return gocv.Mat{}, fmt.Errorf("find edges: %w", ErrPicture)
	}
	out := gocv.NewMatWithSize(img.Rows(), img.Cols(), gocv.MatTypeCV8U)
	px, err := img.DataPtrUint8()
	var to []uint8
	if err == nil {
		to, err = out.DataPtrUint8()
	}
	if err == nil {
		err = failure(C.vision_edges((*C.uchar)(unsafe.Pointer(&px[0])), C.int(img.Rows()), C.int(img.Cols()), C.int(img.Channels()),
			C.int(low), C.int(high), (*C.uchar)(unsafe.Pointer(&to[0]))))
	}
	if err != nil {
		out.Close()
		return gocv.Mat{}, fmt.Errorf("find edges: %w", err)
	}
	return out, nil
}
