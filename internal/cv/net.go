package cv

// #include "cv.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	ort "github.com/yalue/onnxruntime_go"
)

// library is ONNX Runtime's C API, of version 1.21 or later, as the system's loader
// finds it (internal/setup/packages.sh).
const library = "libonnxruntime.so"

// ErrClosed is returned by a network that was closed.
var ErrClosed = errors.New("network is closed")

// Net is a network read from ONNX, run on the CPU by ONNX Runtime: most have one input (N, 3, H, W)
// and one output. It may be used from several goroutines; one runs at a time.
type Net struct {
	mu      sync.Mutex
	session *ort.DynamicAdvancedSession // nil: closed
	in, out int                         // how many inputs and outputs it has
	planes  []float32                   // the input, kept for the next
}

// Tensor is values, row-major, with their shape: floats or bytes.
type Tensor struct {
	Shape  []int
	Floats []float32
	Bytes  []byte
}

// threads is how many a network made from now on has; 0: as many as processors.
var threads atomic.Int32

// loading is held while a network is read.
var loading sync.Mutex

// start loads ONNX Runtime, once in a process.
var start = sync.OnceValue(func() error {
	ort.SetSharedLibraryPath(library)
	if err := ort.InitializeEnvironment(); err != nil {
		return fmt.Errorf("ONNX Runtime is lacking or too old (internal/setup/packages.sh run installs it): %w", err)
	}
	return nil
})

// RuntimeVersion is ONNX Runtime's; an error says that it is lacking or too old.
func RuntimeVersion() (string, error) {
	if err := start(); err != nil {
		return "", err
	}
	return ort.GetVersion(), nil
}

// NewNet reads a network from the bytes of an ONNX file.
func NewNet(onnx []byte) (*Net, error) {
	if len(onnx) == 0 {
		return nil, errors.New("load network: no bytes")
	}
	loading.Lock()
	defer loading.Unlock()
	if err := start(); err != nil {
		return nil, fmt.Errorf("load network: %w", err)
	}
	// Debian's ONNX Runtime shares its kinds of layers with another library: at the first
	// network it says of each that it is known already.
	C.vision_mute(1)
	defer C.vision_mute(0)
	net, err := open(onnx)
	if err != nil {
		return nil, fmt.Errorf("load network: %w", err)
	}
	return net, nil
}

// open makes a session for a network.
func open(onnx []byte) (*Net, error) {
	in, out, err := ort.GetInputOutputInfoWithONNXData(onnx)
	if err != nil {
		return nil, err
	}
	names := func(of []ort.InputOutputInfo) (out []string) {
		for _, i := range of {
			out = append(out, i.Name)
		}
		return out
	}
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer o.Destroy()
	n := int(threads.Load())
	if n < 1 {
		n = runtime.GOMAXPROCS(0)
	}
	if err := errors.Join(
		o.SetIntraOpNumThreads(n),
		o.SetInterOpNumThreads(1),
		// threads that wait for work busily take a table's processor from the others
		o.AddSessionConfigEntry("session.intra_op.allow_spinning", "0"),
		// a plan of memory for each of ever other sizes would be kept
		o.SetMemPattern(false),
	); err != nil {
		return nil, err
	}
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(onnx, names(in), names(out), o)
	if err != nil {
		return nil, err
	}
	return &Net{session: session, in: len(in), out: len(out)}, nil
}

// Pictures runs the network on count pictures of w × h pixels, 8 bits and three
// channels, that lie behind one another in px: to the network they are planes of
// values of 0 to 1. It returns the output tensor (row-major) and its shape.
func (n *Net) Pictures(px []byte, count, h, w int) (out []float32, shape []int, err error) {
	if count < 1 || h < 1 || w < 1 || len(px) != count*h*w*3 {
		return nil, nil, fmt.Errorf("run network: %d bytes are not %d pictures of %d×%d", len(px), count, w, h)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.session == nil {
		return nil, nil, fmt.Errorf("run network: %w", ErrClosed)
	}
	if cap(n.planes) < len(px) {
		n.planes = make([]float32, len(px))
	}
	n.planes = n.planes[:len(px)]
	for i, size := 0, h*w*3; i < len(px); i += size {
		planes(n.planes[i:i+size], px[i:i+size])
	}
	all, err := n.run([]Tensor{{Shape: []int{count, 3, h, w}, Floats: n.planes}})
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("it has %d outputs, want one", len(all))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("run network on %d pictures of %d×%d: %w", count, w, h, err)
	}
	return all[0].Floats, all[0].Shape, nil
}

// Run gives the outputs for inputs of 32 bit floats and bytes, in the order in which the file has them.
func (n *Net) Run(in ...Tensor) (out []Tensor, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.session == nil {
		return nil, fmt.Errorf("run network: %w", ErrClosed)
	}
	if out, err = n.run(in); err != nil {
		return nil, fmt.Errorf("run network: %w", err)
	}
	return out, nil
}

// run gives the outputs for inputs.
func (n *Net) run(in []Tensor) (out []Tensor, err error) {
	if len(in) != n.in {
		return nil, fmt.Errorf("it has %d inputs, not %d", n.in, len(in))
	}
	var pin runtime.Pinner // C holds the inputs' addresses from here to the end of the run
	defer pin.Unpin()
	x := make([]ort.Value, len(in))
	for i, t := range in {
		if x[i], err = t.value(&pin); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		defer x[i].Destroy()
	}
	y := make([]ort.Value, n.out)
	if err := n.session.Run(x, y); err != nil {
		return nil, err
	}
	for _, v := range y {
		defer v.Destroy()
	}
	for i, v := range y {
		values, ok := v.(*ort.Tensor[float32])
		if !ok {
			return nil, fmt.Errorf("output %d is not of 32 bit floats", i)
		}
		t := Tensor{Floats: append([]float32(nil), values.GetData()...)}
		for _, d := range values.GetShape() {
			t.Shape = append(t.Shape, int(d))
		}
		out = append(out, t)
	}
	return out, nil
}

// value is the tensor as ONNX Runtime has it, over the same memory.
func (t Tensor) value(pin *runtime.Pinner) (ort.Value, error) {
	var shape ort.Shape
	size := 1
	for _, d := range t.Shape {
		shape, size = append(shape, int64(d)), size*d
	}
	if size < 1 || size != len(t.Floats)+len(t.Bytes) {
		return nil, fmt.Errorf("%d values are not of shape %v", len(t.Floats)+len(t.Bytes), t.Shape)
	}
	if t.Bytes != nil {
		pin.Pin(&t.Bytes[0])
		return ort.NewTensor(shape, t.Bytes)
	}
	pin.Pin(&t.Floats[0])
	return ort.NewTensor(shape, t.Floats)
}

// unit are the values of a byte.
var unit = func() (u [256]float32) {
	for v := range u {
		u[v] = float32(v) / 255
	}
	return u
}()

// planes lays a picture's pixels of three bytes out channel by channel.
func planes(to []float32, px []byte) {
	size := len(px) / 3
	a, b, c := to[:size], to[size:2*size], to[2*size:3*size]
	for i := range size {
		p := px[3*i : 3*i+3 : 3*i+3]
		a[i], b[i], c[i] = unit[p[0]], unit[p[1]], unit[p[2]]
	}
}

// Close frees the network; a second Close does nothing.
func (n *Net) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.session != nil {
		n.session.Destroy()
		n.session = nil
	}
}
