// Package cv is the project's own thin layer over OpenCV for what gocv lacks or
// cannot report: networks whose loading and running return errors, where gocv
// lets the C++ exception end the process. It may only be linked into processes
// that run foreign code (readers, tools), never into the server.
package cv

/*
#cgo CXXFLAGS: --std=c++11
#cgo pkg-config: opencv4
#cgo LDFLAGS: -ldnnl -lgomp
#include "net.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"
)

// ErrClosed is returned by a network that was closed.
var ErrClosed = errors.New("network is closed")

// Net is a network read from ONNX (opset 11 to 13) and run on the CPU: a plain
// chain of convolutions and fully connected layers by oneDNN (chain.h), anything
// else, or on a processor without AVX2, by OpenCV's DNN module. It may be used
// from several goroutines; one runs at a time.
type Net struct {
	mu  sync.Mutex
	ptr C.vision_net
}

// NewNet reads a network from the bytes of an ONNX file.
func NewNet(onnx []byte) (*Net, error) { return newNet(onnx, true) }

// newNet is NewNet; without chained OpenCV runs every network.
func newNet(onnx []byte, chained bool) (*Net, error) {
	if len(onnx) == 0 {
		return nil, errors.New("load network: no bytes")
	}
	var n Net
	var chain C.int
	if chained {
		chain = 1
	}
	if err := failure(C.vision_net_load(unsafe.Pointer(&onnx[0]), C.int(len(onnx)), chain, &n.ptr)); err != nil {
		return nil, fmt.Errorf("load network: %w", err)
	}
	return &n, nil
}

// Forward runs the network on in, a tensor of the given shape (row-major,
// usually N, C, H, W), and returns the output tensor and its shape.
func (n *Net) Forward(in []float32, shape ...int) (out []float32, outShape []int, err error) {
	if err := checkShape(len(in), shape); err != nil {
		return nil, nil, err
	}
	cs := make([]C.int, len(shape))
	for i, s := range shape {
		cs[i] = C.int(s)
	}
	return n.run(shape, func(o *output) *C.char {
		return C.vision_net_forward(n.ptr, (*C.float)(unsafe.Pointer(&in[0])), &cs[0], C.int(len(cs)), &o.p, &o.shape[0], &o.dims)
	})
}

// Pictures runs the network on count pictures of w × h pixels, 8 bits and three
// channels, that lie behind one another in px: to the network they are planes of
// values of 0 to 1.
func (n *Net) Pictures(px []byte, count, h, w int) (out []float32, outShape []int, err error) {
	shape := []int{count, h, w, 3}
	if err := checkShape(len(px), shape); err != nil {
		return nil, nil, err
	}
	return n.run(shape, func(o *output) *C.char {
		return C.vision_net_pictures(n.ptr, (*C.uchar)(unsafe.Pointer(&px[0])), C.int(count), C.int(h), C.int(w), &o.p, &o.shape[0], &o.dims)
	})
}

// output is a tensor in C's memory.
type output struct {
	p     *C.float
	shape [4]C.int
	dims  C.int
}

// run calls C for the output of what has the given shape and takes it over.
func (n *Net) run(shape []int, call func(*output) *C.char) (out []float32, outShape []int, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ptr == nil {
		return nil, nil, fmt.Errorf("run network: %w", ErrClosed)
	}
	var o output
	if err := failure(call(&o)); err != nil {
		return nil, nil, fmt.Errorf("run network on %v: %w", shape, err)
	}
	defer C.vision_free(unsafe.Pointer(o.p))
	total := 1
	for _, s := range o.shape[:o.dims] {
		outShape = append(outShape, int(s))
		total *= int(s)
	}
	out = make([]float32, total)
	copy(out, unsafe.Slice((*float32)(unsafe.Pointer(o.p)), total))
	return out, outShape, nil
}

// Close frees the network; a second Close does nothing.
func (n *Net) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ptr != nil {
		C.vision_net_close(n.ptr)
		n.ptr = nil
	}
}

// chained tells whether oneDNN runs the network.
func (n *Net) chained() bool { return C.vision_net_chained(n.ptr) != 0 }

// chains tells whether oneDNN runs chains on this processor.
func chains() bool { return C.vision_chains() != 0 }

// SetThreads sets how many threads OpenCV and networks use in this process.
func SetThreads(n int) error {
	if err := failure(C.vision_set_threads(C.int(n))); err != nil {
		return fmt.Errorf("set OpenCV threads to %d: %w", n, err)
	}
	return nil
}

func checkShape(have int, shape []int) error {
	want := 1
	for _, s := range shape {
		if s < 1 {
			return fmt.Errorf("run network: shape %v has an empty dimension", shape)
		}
		want *= s
	}
	if len(shape) == 0 || have != want {
		return fmt.Errorf("run network: %d values do not fill shape %v", have, shape)
	}
	return nil
}

// failure takes the message of a C call, frees it and makes it an error.
func failure(msg *C.char) error {
	if msg == nil {
		return nil
	}
	defer C.vision_free(unsafe.Pointer(msg))
	return errors.New(C.GoString(msg))
}
