package cv

import (
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"
	"time"

	"gocv.io/x/gocv"
	"golang.org/x/sync/errgroup"

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

func opened(t testing.TB, data []byte) *Net {
	t.Helper()
	n, err := NewNet(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// noise are the bytes of pictures.
func noise(n int) []byte {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	out := make([]byte, n)
	for i := range out {
		out[i] = uint8(rng.Uint32())
	}
	return out
}

// size is how many pictures of what size.
type size struct{ count, h, w int }

func (s size) bytes() int { return s.count * s.h * s.w * 3 }

// inUse are the sizes in which the readers use the networks.
var inUse = []struct {
	net string
	size
}{
	{"face", size{1, 112, 80}}, {"face", size{16, 112, 80}},
	{"index", size{2, 80, 56}}, {"index", size{16, 80, 56}},
	{"fit", size{16, 64, 64}},
	{"corners", size{1, 736, 1280}}, {"corners", size{1, 224, 352}},
	{"pips", size{6, 48, 48}},
	{"dice", size{1, 96, 160}}, {"dice", size{1, 640, 640}},
	{"tops", size{1, 160, 160}}, {"photo_tops", size{1, 640, 480}},
}

// openCV is the same network run by OpenCV's DNN module: another implementation, to
// compare with.
type openCV struct{ net gocv.Net }

func openedByOpenCV(t testing.TB, data []byte) openCV {
	t.Helper()
	net, err := gocv.ReadNetFromONNXBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { net.Close() })
	return openCV{net}
}

func (o openCV) pictures(t testing.TB, px []byte, s size) []float32 {
	t.Helper()
	var all []gocv.Mat
	for part := range slices.Chunk(px, len(px)/s.count) {
		m, err := gocv.NewMatFromBytes(s.h, s.w, gocv.MatTypeCV8UC3, part)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		all = append(all, m)
	}
	blob := gocv.NewMat()
	defer blob.Close()
	gocv.BlobFromImages(
		all,
		&blob,
		1./255,
		image.Pt(s.w, s.h),
		gocv.NewScalar(0, 0, 0, 0),
		false,
		false,
		gocv.MatTypeCV32F,
	)
	o.net.SetInput(blob, "")
	m := o.net.Forward("")
	defer m.Close()
	v, err := m.DataPtrFloat32()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(v)
}

// furthest is the greatest difference of two outputs.
func furthest(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	var d float64
	for i := range a {
		d = max(d, math.Abs(float64(a[i]-b[i]))) // NaN if one is
	}
	return d
}

// Every network gives what OpenCV's DNN module gives, in the sizes in use.
func TestNetworksGiveWhatOpenCVGives(t *testing.T) {
	for _, c := range inUse {
		data, px := shipped(t, c.net), noise(c.bytes())
		net, want := opened(t, data), openedByOpenCV(t, data).pictures(t, px, c.size)
		got, shape, err := net.Pictures(px, c.count, c.h, c.w)
		if err != nil {
			t.Fatal(err)
		}
		total := 1
		for _, d := range shape {
			total *= d
		}
		if total != len(got) || shape[0] != c.count {
			t.Errorf("%s of %v: %d values of shape %v", c.net, c.size, len(got), shape)
		}
		if d := furthest(got, want); !(d < 1e-3) {
			t.Errorf("%s of %v: %v from OpenCV's", c.net, c.size, d)
		}
	}
}

// What a picture gives is the same again, and but for the rounding of a float whatever
// runs with it or besides.
func TestNetworksGiveTheSameTogether(t *testing.T) {
	const n, bytes = 9, 3 * 80 * 56
	index, corners := opened(t, shipped(t, "index")), opened(t, shipped(t, "corners"))
	px := noise(n * bytes)
	var alone []float32
	for i := range n {
		out, _, err := index.Pictures(px[i*bytes:(i+1)*bytes], 1, 80, 56)
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, out...)
	}
	first, _, err := index.Pictures(px, n, 80, 56)
	if err != nil {
		t.Fatal(err)
	}
	if d := furthest(first, alone); !(d < 1e-4) {
		t.Errorf("%v from what each gives alone", d)
	}
	var g errgroup.Group
	for i := range 8 {
		g.Go(func() error {
			if _, _, err := corners.Pictures(px[:3*32*32*(i+1)], 1, 32, 32*(i+1)); err != nil {
				return err
			}
			out, _, err := index.Pictures(px, n, 80, 56)
			if err == nil && !slices.Equal(out, first) {
				err = fmt.Errorf("round %d: other values than before", i)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}

// Pictures of ever other sizes take no more and more memory.
func TestSizesTakeNoMoreMemory(t *testing.T) {
	net := opened(t, shipped(t, "dice"))
	px := noise(3 * 200 * 200)
	run := func(from, to int) int {
		for i := from; i < to; i++ {
			h, w := 32+i%13*8, 32+i%11*8
			if _, _, err := net.Pictures(px[:3*h*w], 1, h, w); err != nil {
				t.Fatal(err)
			}
		}
		return resident(t)
	}
	before := run(0, 100)
	if after := run(100, 400); after > before+30 {
		t.Errorf("%d MB after 100 sizes, %d MB after 400", before, after)
	}
}

func TestNetReportsErrors(t *testing.T) {
	for name, data := range map[string][]byte{"none": nil, "text": []byte("no network"), "zeros": make([]byte, 4096)} {
		if n, err := NewNet(data); err == nil {
			n.Close()
			t.Errorf("%s: accepted", name)
		}
	}
	face := opened(t, shipped(t, "face"))
	for _, s := range []size{{1, 80, 56}, {1, 1, 1}, {1, 224, 160}} {
		if _, _, err := face.Pictures(noise(s.bytes()), s.count, s.h, s.w); err == nil {
			t.Errorf("pictures of %v: accepted", s)
		}
	}
	px := noise(3 * 112 * 80 * 3)
	for _, s := range []size{{3, 112, 81}, {0, 112, 80}, {-1, -112, 240}} {
		if _, _, err := face.Pictures(px, s.count, s.h, s.w); err == nil {
			t.Errorf("%d bytes for pictures of %v: accepted", len(px), s)
		}
	}
	if _, _, err := face.Pictures(px, 3, 112, 80); err != nil {
		t.Error("after errors:", err)
	}
	face.Close()
	face.Close()
	if _, _, err := face.Pictures(px, 3, 112, 80); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// spent is the processor time of this process.
func spent(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resident is the memory of this process in MB.
func resident(t *testing.T) int {
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	var total, pages int
	if _, err := fmt.Sscan(string(data), &total, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize() >> 20
}

// BenchmarkNetworks compares with OpenCV's DNN module, on one thread and on two.
func BenchmarkNetworks(b *testing.B) {
	for _, threads := range []int{1, 2} {
		if err := SetThreads(threads); err != nil {
			b.Fatal(err)
		}
		for _, c := range inUse {
			data, px := shipped(b, c.net), noise(c.bytes())
			net, other := opened(b, data), openedByOpenCV(b, data)
			name := fmt.Sprintf("%s%v/%d", c.net, c.size, threads)
			b.Run(name+"/opencv", func(b *testing.B) {
				bench(b, func() error { other.pictures(b, px, c.size); return nil })
			})
			b.Run(name+"/onnxruntime", func(b *testing.B) {
				bench(b, func() error { _, _, err := net.Pictures(px, c.count, c.h, c.w); return err })
			})
		}
	}
}

// bench reports the medians by the clock and in processor time.
func bench(b *testing.B, run func() error) {
	var wall, cpu []float64
	for range b.N {
		began, start := time.Now(), spent(b)
		if err := run(); err != nil {
			b.Fatal(err)
		}
		wall = append(wall, time.Since(began).Seconds()*1e3)
		cpu = append(cpu, (spent(b)-start).Seconds()*1e3)
	}
	slices.Sort(wall)
	slices.Sort(cpu)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(wall[len(wall)/2], "ms/op")
	b.ReportMetric(cpu[len(cpu)/2], "cpu-ms/op")
}

// Run gives what Pictures does of the same values; inputs that the network does not have, and values that do not
// fill their shape, are refused.
func TestRun(t *testing.T) {
	n := opened(t, shipped(t, "pips"))
	s := size{2, 48, 48}
	px := noise(s.bytes())
	want, shape, err := n.Pictures(px, s.count, s.h, s.w)
	if err != nil {
		t.Fatal(err)
	}
	in := Tensor{Shape: []int{s.count, 3, s.h, s.w}, Floats: make([]float32, len(px))}
	for i := range s.count {
		one := s.bytes() / s.count
		planes(in.Floats[i*one:(i+1)*one], px[i*one:(i+1)*one])
	}
	out, err := n.Run(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != 1 || !slices.Equal(out[0].Shape, shape) || !slices.Equal(out[0].Floats, want) {
		t.Errorf("%d outputs, the first of shape %v, want %v and the same values", len(out), out[0].Shape, shape)
	}
	short := in
	short.Floats = in.Floats[1:]
	for name, bad := range map[string][]Tensor{"no input": nil, "two": {in, in}, "too few values": {short}, "nothing": {{}},
		"bytes": {{Shape: in.Shape, Bytes: px}}} {
		if _, err := n.Run(bad...); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	n.Close()
	if _, err := n.Run(in); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}
