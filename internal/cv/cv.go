// Package cv is the project's own thin layer over OpenCV and ONNX Runtime, for what
// gocv lacks or cannot report: loading, running and fitting that return errors, where
// gocv lets the C++ exception end the process. It may only be linked into processes
// that run foreign code (readers, tools), never into the server.
package cv

/*
#cgo CXXFLAGS: --std=c++11
#cgo pkg-config: opencv4
#include "cv.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// SetThreads sets how many threads OpenCV, and each network made from now on, use in
// this process.
func SetThreads(n int) error {
	if err := failure(C.vision_set_threads(C.int(n))); err != nil {
		return fmt.Errorf("set OpenCV threads to %d: %w", n, err)
	}
	threads.Store(int32(n))
	return nil
}

// Version is OpenCV's, of the library that was found at the start.
func Version() string { return C.GoString(C.vision_opencv()) }

// failure takes the message of a C call, frees it and makes it an error.
func failure(msg *C.char) error {
	if msg == nil {
		return nil
	}
	defer C.vision_free(unsafe.Pointer(msg))
	return errors.New(C.GoString(msg))
}
