package cv

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

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

func noise(n int) []float32 {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	out := make([]float32, n)
	for i := range out {
		out[i] = rng.Float32()
	}
	return out
}

// oneDNN gives what OpenCV gives, whatever the size and the number of pictures.
func TestChainsGiveWhatOpenCVGives(t *testing.T) {
	shapes := map[string][][4]int{
		"face":    {{1, 3, 112, 80}, {5, 3, 112, 80}, {33, 3, 112, 80}},
		"index":   {{1, 3, 80, 56}, {2, 3, 80, 56}, {29, 3, 80, 56}},
		"corners": {{1, 3, 96, 160}, {1, 3, 32, 32}, {1, 3, 224, 352}, {2, 3, 64, 96}},
		"dice":    {{1, 3, 96, 96}, {1, 3, 68, 132}},
	}
	t.Log("chains by oneDNN:", chains())
	for name, all := range shapes {
		data := shipped(t, name)
		ref, net := open(t, data, false), open(t, data, true)
		if ref.chained() {
			t.Fatal("the reference is no OpenCV")
		}
		if net.chained() != chains() {
			t.Errorf("%s is left to OpenCV", name)
		}
		for _, s := range all {
			in := noise(s[0] * s[1] * s[2] * s[3])
			compare(t, name, ref, net, in, s)
		}
	}
}

// Networks run by oneDNN on lesser processors too, and are left to OpenCV on those
// without AVX2: tried in a process that is told to have one.
func TestChainsOnLesserProcessors(t *testing.T) {
	if os.Getenv("ONEDNN_MAX_CPU_ISA") != "" {
		t.Skip("the process is told its processor")
	}
	if !chains() {
		t.Skip("this processor has no AVX2")
	}
	for isa, chained := range map[string]bool{"AVX2": true, "SSE41": false} {
		self := exec.Command(os.Args[0], "-test.v", "-test.run", "^(TestChainsGiveWhatOpenCVGives|TestPicturesArePlanes)$")
		self.Env = append(os.Environ(), "ONEDNN_MAX_CPU_ISA="+isa)
		out, err := self.CombinedOutput()
		if want := fmt.Sprint("chains by oneDNN: ", chained); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, want %q in\n%s", isa, err, want, out)
		}
	}
}

// What a picture gives depends neither on those run with it nor on what else runs.
func TestChainsAreTheSameTogether(t *testing.T) {
	const n, size = 9, 3 * 80 * 56
	index, corners := open(t, shipped(t, "index"), true), open(t, shipped(t, "corners"), true)
	in := noise(n * size)
	var alone []float32
	for i := range n {
		out, _, err := index.Forward(in[i*size:(i+1)*size], 1, 3, 80, 56)
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, out...)
	}
	var g errgroup.Group
	for i := range 8 {
		g.Go(func() error {
			if _, _, err := corners.Forward(in[:3*32*32*(i+1)], 1, 3, 32, 32*(i+1)); err != nil {
				return err
			}
			out, _, err := index.Forward(in, n, 3, 80, 56)
			if err == nil && !slices.Equal(out, alone) {
				err = fmt.Errorf("round %d: other values than alone", i)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil && chains() {
		t.Error(err)
	}
}

// Pictures of ever other sizes take no more and more memory.
func TestSizesTakeNoMoreMemory(t *testing.T) {
	net := open(t, shipped(t, "dice"), true)
	in := noise(3 * 200 * 200)
	run := func(from, to int) int {
		for i := from; i < to; i++ {
			h, w := 32+i%13*8, 32+i%11*8
			if _, _, err := net.Forward(in[:3*h*w], 1, 3, h, w); err != nil {
				t.Fatal(err)
			}
		}
		return resident(t)
	}
	// more sizes than are remembered, each of which takes about 1 MB; the system keeps
	// some for each of its threads
	before := run(0, 100)
	if after := run(100, 400); after > before+100 {
		t.Errorf("%d MB after 100 sizes, %d MB after 400", before, after)
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

func open(t testing.TB, data []byte, chained bool) *Net {
	t.Helper()
	n, err := newNet(data, chained)
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

// Pictures of bytes are planes of their values over 255, for oneDNN and OpenCV.
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
	want, _, err := open(t, shipped(t, "index"), false).Forward(planes, n, 3, h, w)
	if err != nil {
		t.Fatal(err)
	}
	for _, chained := range []bool{false, true} {
		got, shape, err := open(t, shipped(t, "index"), chained).Pictures(px, n, h, w)
		if err != nil || shape[0] != n {
			t.Fatalf("chained %v: shape %v, %v", chained, shape, err)
		}
		for i := range want {
			if d := math.Abs(float64(got[i] - want[i])); !(d < 1e-3) {
				t.Fatalf("chained %v: value %d is %v, want %v", chained, i, got[i], want[i])
			}
		}
	}
	if _, _, err := open(t, shipped(t, "index"), true).Pictures(px, n, h, w+1); err == nil {
		t.Error("too few bytes were taken")
	}
}

// A picture that a chain cannot take is refused with an error, as by OpenCV.
func TestChainsRefuseOtherPictures(t *testing.T) {
	face := open(t, shipped(t, "face"), true)
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

// BenchmarkChain compares oneDNN with OpenCV on one thread: 16 faces, 16 indices,
// pictures of 1280 × 736 and of a zone.
func BenchmarkChain(b *testing.B) {
	if err := SetThreads(1); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		net   string
		shape []int
	}{{"face", []int{16, 3, 112, 80}}, {"index", []int{16, 3, 80, 56}}, {"corners", []int{1, 3, 736, 1280}}, {"corners", []int{1, 3, 224, 352}}, {"dice", []int{1, 3, 96, 160}}} {
		data := shipped(b, c.net)
		in := noise(c.shape[0] * c.shape[1] * c.shape[2] * c.shape[3])
		for name, chained := range map[string]bool{"opencv": false, "onednn": true} {
			net := open(b, data, chained)
			b.Run(fmt.Sprintf("%s%v/%s", c.net, c.shape, name), func(b *testing.B) {
				start := spent(b)
				defer func() { b.ReportMetric((spent(b)-start).Seconds()*1e3/float64(b.N), "cpu-ms/op") }()
				for range b.N {
					if _, _, err := net.Forward(in, c.shape...); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
