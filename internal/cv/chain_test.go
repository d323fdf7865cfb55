package cv

import (
	"math"
	"math/rand/v2"
	"testing"

	"vision/models"
)

// shipped gives the bytes of a network of the project.
func shipped(t testing.TB, name string) []byte {
	t.Helper()
	data, _, err := models.Load(models.Shipped(), name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func noise(n int) []float32 {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	out := make([]float32, n)
	for i := range out {
		out[i] = rng.Float32()
	}
	return out
}

// Every engine gives what OpenCV gives, whatever the size and the number of pictures.
func TestChainsGiveWhatOpenCVGives(t *testing.T) {
	shapes := map[string][][4]int{
		"face":    {{1, 3, 112, 80}, {5, 3, 112, 80}, {33, 3, 112, 80}},
		"index":   {{1, 3, 80, 56}, {2, 3, 80, 56}, {29, 3, 80, 56}},
		"corners": {{1, 3, 96, 160}, {1, 3, 32, 32}, {1, 3, 224, 352}, {2, 3, 64, 96}},
		"dice":    {{1, 3, 96, 96}, {1, 3, 68, 132}},
	}
	for name, all := range shapes {
		data := shipped(t, name)
		ref := open(t, data, byOpenCV)
		if ref.chained() {
			t.Fatal("the reference is no OpenCV")
		}
		for e, engine := range engines() {
			net := open(t, data, e)
			if !net.chained() {
				t.Errorf("%s is left to OpenCV", name)
			}
			for _, s := range all {
				in := noise(s[0] * s[1] * s[2] * s[3])
				compare(t, engine+" "+name, ref, net, in, s)
			}
		}
	}
}

func open(t testing.TB, data []byte, engine int) *Net {
	t.Helper()
	n, err := newNet(data, engine)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

func compare(t *testing.T, name string, ref, net *Net, in []float32, s [4]int) {
	t.Helper()
	want, shape, err := ref.Forward(in, s[:]...)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time in rooms used before
		got, gotShape, err := net.Forward(in, s[:]...)
		if err != nil {
			t.Fatal(err)
		}
		if len(gotShape) != len(shape) || len(got) != len(want) {
			t.Fatalf("%s of %v: shape %v, want %v", name, s, gotShape, shape)
		}
		for i := range want {
			if d := math.Abs(float64(got[i] - want[i])); !(d < 1e-3) {
				t.Fatalf("%s of %v: value %d is %v, OpenCV says %v", name, s, i, got[i], want[i])
			}
		}
	}
}

// Pictures of bytes are planes of their values over 255, for every engine and OpenCV.
func TestPicturesArePlanes(t *testing.T) {
	const n, h, w = 3, 80, 56
	px := make([]byte, n*h*w*3)
	planes := make([]float32, len(px))
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range px {
		px[i] = uint8(rng.Uint32())
		c, p := i%3, i/3
		planes[(p/(h*w)*3+c)*h*w+p%(h*w)] = float32(px[i]) / 255
	}
	want, _, err := open(t, shipped(t, "index"), byOpenCV).Forward(planes, n, 3, h, w)
	if err != nil {
		t.Fatal(err)
	}
	for e := byOpenCV; e < len(engines()); e++ {
		got, shape, err := open(t, shipped(t, "index"), e).Pictures(px, n, h, w)
		if err != nil || shape[0] != n {
			t.Fatalf("engine %d: shape %v, %v", e, shape, err)
		}
		for i := range want {
			if d := math.Abs(float64(got[i] - want[i])); !(d < 1e-3) {
				t.Fatalf("engine %d: value %d is %v, want %v", e, i, got[i], want[i])
			}
		}
	}
	if _, _, err := open(t, shipped(t, "index"), 0).Pictures(px, n, h, w+1); err == nil {
		t.Error("too few bytes were taken")
	}
}

// A picture that a chain cannot take is refused with an error, as by OpenCV.
func TestChainsRefuseOtherPictures(t *testing.T) {
	face := open(t, shipped(t, "face"), 0)
	for _, s := range [][]int{{1, 1, 112, 80}, {1, 4, 112, 80}, {1, 3, 80, 56}, {1, 3, 1, 1}, {1, 3, 224, 160}} {
		n := 1
		for _, v := range s {
			n *= v
		}
		if _, _, err := face.Forward(make([]float32, n), s...); err == nil {
			t.Errorf("a picture of %v was taken", s)
		}
	}
}

// BenchmarkChain compares the engines with OpenCV: 16 faces, 16 indices, a
// picture of 1280 × 736.
func BenchmarkChain(b *testing.B) {
	for _, c := range []struct {
		net   string
		shape []int
	}{{"face", []int{16, 3, 112, 80}}, {"index", []int{16, 3, 80, 56}}, {"corners", []int{1, 3, 736, 1280}}} {
		data := shipped(b, c.net)
		in := noise(c.shape[0] * c.shape[1] * c.shape[2] * c.shape[3])
		for e, name := range append([]string{"opencv"}, engines()...) {
			net := open(b, data, e-1)
			b.Run(c.net+"/"+name, func(b *testing.B) {
				for range b.N {
					if _, _, err := net.Forward(in, c.shape...); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
