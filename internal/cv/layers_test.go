package cv

import (
	"encoding/binary"
	"math"
	"testing"
)

// proto is a message of Protocol Buffers; each method adds a field.
type proto []byte

func (p proto) number(field int, v uint64) proto {
	return binary.AppendUvarint(binary.AppendUvarint(p, uint64(field)<<3), v)
}

func (p proto) bytes(field int, v []byte) proto {
	p = binary.AppendUvarint(binary.AppendUvarint(p, uint64(field)<<3|2), uint64(len(v)))
	return append(p, v...)
}

func (p proto) text(field int, v ...string) proto {
	for _, s := range v {
		p = p.bytes(field, []byte(s))
	}
	return p
}

// The fields below are those of onnx.proto of ONNX 1.8 (opset 13).

func node(op, out string, in []string, attributes ...proto) proto {
	p := proto{}.text(1, in...).text(2, out).text(4, op)
	for _, a := range attributes {
		p = p.bytes(5, a)
	}
	return p
}

// integer and integers are attributes of a node.
func integer(name string, v uint64) proto {
	return proto{}.text(1, name).number(3, v).number(20, 2)
}

func integers(name string, vs ...uint64) proto {
	p := proto{}.text(1, name)
	for _, v := range vs {
		p = p.number(8, v)
	}
	return p.number(20, 7)
}

func weights(name string, values []float32, dims ...uint64) proto {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	p := proto{}
	for _, d := range dims {
		p = p.number(1, d)
	}
	return p.number(2, 1).text(8, name).bytes(9, raw)
}

// tensor declares an input or output of any count, three channels and any size.
func tensor(name string) proto {
	shape := proto{}
	for _, d := range []proto{proto{}.text(2, "n"), proto{}.number(1, 3), proto{}.text(2, "h"), proto{}.text(2, "w")} {
		shape = shape.bytes(1, d)
	}
	return proto{}.text(1, name).bytes(2, proto{}.bytes(1, proto{}.number(1, 1).bytes(2, shape)))
}

// residual is y = x + relu(k ∗ x), with one kernel of 3 × 3 for each of three channels.
func residual(kernels []float32) []byte {
	graph := proto{}.
		bytes(1, node("Conv", "c", []string{"x", "k"}, integer("group", 3), integers("pads", 1, 1, 1, 1))).
		bytes(1, node("Relu", "r", []string{"c"})).
		bytes(1, node("Add", "y", []string{"x", "r"})).
		text(2, "residual").
		bytes(5, weights("k", kernels, 3, 1, 3, 3)).
		bytes(11, tensor("x")).bytes(12, tensor("y"))
	return proto{}.number(1, 7).bytes(7, graph).bytes(8, proto{}.number(2, 13))
}

// Networks may have depthwise and residual layers, not only chains: one written here
// gives what its formula gives.
func TestDepthwiseAndResidualLayers(t *testing.T) {
	kernels := make([]float32, 3*9)
	for i := range kernels {
		kernels[i] = float32(i%7) - 2.5
	}
	net := opened(t, residual(kernels))
	const count, h, w = 2, 9, 13
	px := noise(count * h * w * 3)
	got, _, err := net.Pictures(px, count, h, w)
	if err != nil {
		t.Fatal(err)
	}
	x := func(n, c, i, j int) float64 {
		if i < 0 || j < 0 || i >= h || j >= w {
			return 0
		}
		return float64(px[((n*h+i)*w+j)*3+c]) / 255
	}
	var want []float32
	for n := range count {
		for c := range 3 {
			for i := range h {
				for j := range w {
					var sum float64
					for k := range 9 {
						sum += float64(kernels[9*c+k]) * x(n, c, i+k/3-1, j+k%3-1)
					}
					want = append(want, float32(x(n, c, i, j)+max(0, sum)))
				}
			}
		}
	}
	if d := furthest(got, want); !(d < 1e-4) {
		t.Errorf("%v from what the formula gives", d)
	}
}
