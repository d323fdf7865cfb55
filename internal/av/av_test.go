package av

import (
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/capture"
)

// scene draws picture i of a moving pattern with flat, checkable colours.
func scene(w, h, i int) gocv.Mat {
	m := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(40, 110, 30, 0), h, w, gocv.MatTypeCV8UC3)
	x := (i * 8) % (w / 2)
	gocv.Rectangle(&m, image.Rect(x, h/4, x+w/4, 3*h/4), color.RGBA{R: 220, G: 60, B: 40}, -1)
	return m
}

// clip encodes n pictures of the scene.
func clip(t testing.TB, w, h, n, gop int) []capture.Unit {
	t.Helper()
	e, err := NewEncoder(w, h, 25, EncoderOptions{GOP: gop})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	base := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	var out []capture.Unit
	for i := range n {
		m := scene(w, h, i)
		u, err := e.Encode(m, time.Duration(i)*40*time.Millisecond)
		m.Close()
		if err != nil {
			t.Fatal(err)
		}
		u.Wall = base.Add(u.PTS)
		out = append(out, u)
	}
	return out
}

func noLeak(t *testing.T) {
	t.Helper()
	before := Live()
	t.Cleanup(func() {
		if n := Live(); n != before {
			t.Errorf("%d objects of FFmpeg leaked", n-before)
		}
	})
}

func TestRoundTrip(t *testing.T) {
	noLeak(t)
	units := clip(t, 640, 360, 12, 5)
	d, err := NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	bgr := gocv.NewMat()
	defer bgr.Close()
	for i, u := range units {
		if key := i%5 == 0; u.Key != key {
			t.Errorf("unit %d: key = %v", i, u.Key)
		}
		if u.Key && (u.NALs[0][0]&31 != 7 || u.NALs[1][0]&31 != 8) {
			t.Errorf("unit %d: SPS and PPS do not lead the key unit", i)
		}
		frames, err := d.Decode(u)
		if err != nil || len(frames) != 1 {
			t.Fatalf("unit %d: %d frames at once, %v", i, len(frames), err)
		}
		f := frames[0]
		if f.W != 640 || f.H != 360 || f.PTS != u.PTS || !f.Wall.Equal(u.Wall) || f.N != u.N || f.Damaged {
			t.Errorf("frame %d is %+v of unit PTS %v N %d", i, f, u.PTS, u.N)
		}
		if err := f.BGR(&bgr); err != nil {
			t.Fatal(err)
		}
		want := scene(640, 360, i)
		if diff := meanDiff(bgr, want); diff > 3 {
			t.Errorf("frame %d differs by %.1f levels per channel", i, diff)
		}
		checkLuma(t, f, want)
		checkConverted(t, f, bgr)
		want.Close()
		f.Close()
		f.Close() // twice does no harm
	}
}

// checkLuma compares the view of the luma plane with OpenCV's own luma (limited range).
func checkLuma(t *testing.T, f *Frame, bgr gocv.Mat) {
	t.Helper()
	yuv := gocv.NewMat()
	defer yuv.Close()
	gocv.CvtColor(bgr, &yuv, gocv.ColorBGRToYUVI420)
	want, err := yuv.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	l := f.Luma()
	if !l.Fits(f.W, f.H) || !l.Limited {
		t.Fatalf("luma of %d×%d, limited: %v", l.Width, l.Height, l.Limited)
	}
	sum := 0
	for y := range f.H {
		for x := range f.W {
			d := int(l.Pix[y*l.Stride+x]) - int(want[y*f.W+x])
			sum += max(d, -d)
		}
	}
	if diff := float64(sum) / float64(f.W*f.H); diff > 3 {
		t.Errorf("luma differs by %.1f levels", diff)
	}
}

// checkConverted asks a frame's picture for its colours twice: they are converted once.
func checkConverted(t *testing.T, f *Frame, want gocv.Mat) {
	t.Helper()
	own := gocv.NewMat()
	defer own.Close()
	p := f.In(&own)
	if !own.Empty() {
		t.Error("colours are converted before they are asked for")
	}
	for range 2 {
		got, err := p.BGR()
		if err != nil {
			t.Fatal(err)
		}
		if meanDiff(got, want) > 0 {
			t.Error("the picture's colours are not the frame's")
		}
		own.SetTo(gocv.NewScalar(7, 7, 7, 0)) // converted again it would be the frame's anew
		own.CopyTo(&want)
	}
}

func meanDiff(a, b gocv.Mat) float64 {
	d := gocv.NewMat()
	defer d.Close()
	gocv.AbsDiff(a, b, &d)
	s := d.Mean()
	return math.Max(s.Val1, math.Max(s.Val2, s.Val3))
}

func TestI420RoundTrip(t *testing.T) {
	noLeak(t)
	units := clip(t, 322, 182, 3, 3) // strides differ from widths
	d, _ := NewDecoder()
	defer d.Close()
	e, err := NewEncoder(322, 182, 25, EncoderOptions{CRF: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	d2, _ := NewDecoder()
	defer d2.Close()
	for _, u := range units {
		fs, err := d.Decode(u)
		if err != nil || len(fs) != 1 {
			t.Fatal(len(fs), err)
		}
		again, err := e.EncodeI420(fs[0].I420(), u.PTS)
		if err != nil {
			t.Fatal(err)
		}
		fs2, err := d2.Decode(again)
		if err != nil || len(fs2) != 1 {
			t.Fatal(len(fs2), err)
		}
		a, b := gocv.NewMat(), gocv.NewMat()
		if err := fs[0].BGR(&a); err != nil {
			t.Fatal(err)
		}
		if err := fs2[0].BGR(&b); err != nil {
			t.Fatal(err)
		}
		if diff := meanDiff(a, b); diff > 2 {
			t.Errorf("differs by %.1f levels", diff)
		}
		a.Close()
		b.Close()
		fs[0].Close()
		fs2[0].Close()
	}
}

func TestForceKeyAndTimesThatDoNotRise(t *testing.T) {
	noLeak(t)
	e, err := NewEncoder(64, 64, 25, EncoderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	m := scene(64, 64, 0)
	defer m.Close()
	last := time.Duration(-1)
	for i := range 6 {
		if i == 4 {
			e.ForceKey()
		}
		u, err := e.Encode(m, time.Second) // always the same
		if err != nil {
			t.Fatal(err)
		}
		if u.PTS <= last {
			t.Errorf("PTS %v after %v", u.PTS, last)
		}
		last = u.PTS
		if u.Key != (i == 0 || i == 4) {
			t.Errorf("unit %d: key = %v", i, u.Key)
		}
	}
}

func TestBadEncoderInput(t *testing.T) {
	noLeak(t)
	for _, c := range []struct {
		w, h, fps int
		o         EncoderOptions
	}{{0, 0, 25, EncoderOptions{}}, {641, 480, 25, EncoderOptions{}}, {640, 480, 0, EncoderOptions{}},
		{640, 480, 25, EncoderOptions{CRF: 99}}, {640, 480, 25, EncoderOptions{QP: 52}},
		{640, 480, 25, EncoderOptions{CRF: 20, QP: 20}}, {99998, 64, 25, EncoderOptions{}},
		{640, 480, 25, EncoderOptions{Bitrate: 1_000_000, QP: 20}},
		{640, 480, 25, EncoderOptions{Bitrate: 1_000_000, CRF: 20}},
		{640, 480, 25, EncoderOptions{Bitrate: 1000}}, {640, 480, 25, EncoderOptions{Bitrate: -1}},
		{640, 480, 25, EncoderOptions{Bitrate: 1 << 30}}} {
		if e, err := NewEncoder(c.w, c.h, c.fps, c.o); err == nil {
			e.Close()
			t.Errorf("%+v accepted", c)
		}
	}
	e, err := NewEncoder(64, 64, 25, EncoderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	small, empty := scene(32, 32, 0), gocv.NewMat()
	defer small.Close()
	defer empty.Close()
	for _, m := range []gocv.Mat{small, empty, {}} {
		if _, err := e.Encode(m, 0); err == nil || !strings.Contains(err.Error(), "want 64×64") {
			t.Errorf("wrong picture: %v", err)
		}
	}
	if _, err := e.EncodeI420(I420{W: 64, H: 64}, 0); err == nil {
		t.Error("planes without data accepted")
	}
	e.Close()
	e.Close()
	if _, err := e.Encode(small, 0); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestLossTaintsUntilTheNextKey(t *testing.T) {
	noLeak(t)
	units := clip(t, 320, 192, 12, 6)
	d, _ := NewDecoder()
	defer d.Close()
	if fs, err := d.Decode(units[1]); len(fs) != 0 || err != nil {
		t.Errorf("before the first key unit: %d frames, %v", len(fs), err)
	}
	for i, u := range units {
		if i == 2 {
			continue // lost
		}
		u.Gap = i == 3
		fs, _ := d.Decode(u)
		for _, f := range fs {
			if want := i >= 3 && i < 6; f.Damaged != want {
				t.Errorf("unit %d: damaged = %v", i, f.Damaged)
			}
			f.Close()
		}
	}
}

// A key picture that lacks a part itself mends nothing; the next whole one does.
func TestAPartialKeyPictureTaints(t *testing.T) {
	noLeak(t)
	units := clip(t, 320, 192, 12, 4)
	d, _ := NewDecoder()
	defer d.Close()
	for i, u := range units {
		u.Partial = i == 4
		fs, err := d.Decode(u)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fs {
			if want := i >= 4 && i < 8; f.Damaged != want {
				t.Errorf("unit %d: damaged = %v", i, f.Damaged)
			}
			f.Close()
		}
	}
}

func TestSizeChangesInTheStream(t *testing.T) {
	noLeak(t)
	d, _ := NewDecoder()
	defer d.Close()
	bgr := gocv.NewMat()
	defer bgr.Close()
	for _, size := range []int{128, 256, 64} {
		for _, u := range clip(t, size, size, 2, 2) {
			fs, err := d.Decode(u)
			if err != nil || len(fs) != 1 {
				t.Fatalf("%d px: %d frames, %v", size, len(fs), err)
			}
			if err := fs[0].BGR(&bgr); err != nil || bgr.Cols() != size || bgr.Rows() != size {
				t.Errorf("%d px: BGR of %d×%d, %v", size, bgr.Cols(), bgr.Rows(), err)
			}
			fs[0].Close()
		}
	}
}

// mangle changes u by r: flips, cuts, drops, doubles.
func mangle(r *rand.Rand, u capture.Unit) capture.Unit {
	var nals [][]byte
	for _, n := range u.NALs {
		n = append([]byte(nil), n...)
		switch r.IntN(6) {
		case 0:
			n = n[:r.IntN(len(n)+1)]
		case 1:
			continue
		case 2:
			nals = append(nals, n)
		case 3, 4:
			for range 1 + r.IntN(8) {
				n[r.IntN(len(n))] ^= byte(1 << r.IntN(8))
			}
		}
		nals = append(nals, n)
	}
	u.NALs = nals
	return u
}

// TestMangledUnits feeds damaged units for seconds: errors, never a crash, and a
// whole key unit is decoded again afterwards.
func TestMangledUnits(t *testing.T) {
	noLeak(t)
	units := clip(t, 160, 96, 30, 5)
	r := rand.New(rand.NewPCG(1, 2))
	d, _ := NewDecoder()
	defer d.Close()
	bgr := gocv.NewMat()
	defer bgr.Close()
	n := 6000
	if testing.Short() {
		n = 500
	}
	for i := range n {
		u := mangle(r, units[r.IntN(len(units))])
		fs, _ := d.Decode(u)
		for _, f := range fs {
			if err := f.BGR(&bgr); err != nil {
				t.Logf("unit %d: %v", i, err)
			}
			f.Close()
		}
	}
	rest, _ := d.Flush()
	for _, f := range rest {
		f.Close()
	}
	fs, err := d.Decode(units[0])
	if err != nil || len(fs) != 1 || fs[0].Damaged {
		t.Fatalf("not recovered: %d frames, %v", len(fs), err)
	}
	fs[0].Close()
}

func FuzzDecode(f *testing.F) {
	for _, u := range clip(f, 64, 64, 3, 3) {
		f.Add(u.NALs[0], u.NALs[len(u.NALs)-1])
	}
	head := clip(f, 64, 64, 1, 1)[0]
	f.Fuzz(func(t *testing.T, a, b []byte) {
		d, err := NewDecoder()
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		for _, u := range []capture.Unit{head, {NALs: [][]byte{a, b}, Key: true}, {NALs: [][]byte{b}}} {
			fs, _ := d.Decode(u)
			for _, fr := range fs {
				fr.Close()
			}
		}
	})
}

// TestMemoryStays opens and uses codecs many times and looks at the process's size.
func TestMemoryStays(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds long")
	}
	noLeak(t)
	round := func() {
		d, _ := NewDecoder()
		bgr := gocv.NewMat()
		for _, u := range clip(t, 640, 360, 4, 2) {
			fs, _ := d.Decode(u)
			for _, f := range fs {
				_ = f.BGR(&bgr)
				f.Close()
			}
		}
		bgr.Close()
		d.Close()
	}
	for range 10 {
		round()
	}
	before := rss(t)
	for range 40 {
		round()
	}
	if grown := rss(t) - before; grown > 48<<20 {
		t.Errorf("grew by %d MB over 40 rounds", grown>>20)
	}
}

func rss(t *testing.T) int64 {
	t.Helper()
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(b))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

func BenchmarkEncode1080p(b *testing.B) {
	e, err := NewEncoder(1920, 1080, 25, EncoderOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	var ms []gocv.Mat
	for i := range 8 {
		ms = append(ms, scene(1920, 1080, i))
	}
	for i := 0; b.Loop(); i++ {
		if _, err := e.Encode(ms[i%8], time.Duration(i)*40*time.Millisecond); err != nil {
			b.Fatal(err)
		}
	}
	for i := range ms {
		ms[i].Close()
	}
}

func BenchmarkDecode1080p(b *testing.B) {
	units := clip(b, 1920, 1080, 25, 25)
	d, _ := NewDecoder()
	defer d.Close()
	for i := 0; b.Loop(); i++ {
		fs, err := d.Decode(units[i%25])
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range fs {
			f.Close()
		}
	}
}

func benchFrame(b *testing.B, use func(*Frame)) {
	d, _ := NewDecoder()
	defer d.Close()
	fs, err := d.Decode(clip(b, 1920, 1080, 1, 1)[0])
	if err != nil || len(fs) != 1 {
		b.Fatal(err)
	}
	defer fs[0].Close()
	for b.Loop() {
		use(fs[0])
	}
}

func BenchmarkBGR1080p(b *testing.B) {
	m := gocv.NewMat()
	defer m.Close()
	benchFrame(b, func(f *Frame) {
		if err := f.BGR(&m); err != nil {
			b.Fatal(err)
		}
	})
}

// A picture that is encoded again is the same picture, at another time; without one there is none.
func TestAgain(t *testing.T) {
	noLeak(t)
	e, err := NewEncoder(320, 180, 8, EncoderOptions{QP: 27})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Again(0); err == nil {
		t.Error("a picture that was never encoded was encoded again")
	}
	d, err := NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	m := scene(320, 180, 3)
	defer m.Close()
	encode := []func(time.Duration) (capture.Unit, error){
		func(at time.Duration) (capture.Unit, error) { return e.Encode(m, at) }, e.Again, e.Again,
	}
	for i, encode := range encode {
		at := time.Duration(i) * 125 * time.Millisecond
		u, err := encode(at)
		if err != nil || (u.PTS-at).Abs() > time.Millisecond {
			t.Fatalf("picture %d: at %v, %v; want %v", i, u.PTS, err, at)
		}
		frames, err := d.Decode(u)
		if err != nil || len(frames) != 1 {
			t.Fatalf("picture %d: %d frames, %v", i, len(frames), err)
		}
		checkLuma(t, frames[0], m)
		frames[0].Close()
	}
	e.Close()
	if _, err := e.Again(time.Second); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed encoder: %v", err)
	}
}

// A picture of which only what changed is converted gives the units of one that is converted whole.
func TestWhatChangedIsEnough(t *testing.T) {
	noLeak(t)
	var enc [2]*Encoder
	for i := range enc {
		e, err := NewEncoder(322, 182, 8, EncoderOptions{QP: 27})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		enc[i] = e
	}
	m := scene(322, 182, 3)
	defer m.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		var changed []image.Rectangle
		for range min(i, 3) {
			r := image.Rect(0, 0, 1+rng.IntN(60), 1+rng.IntN(60)).Add(image.Pt(rng.IntN(310), rng.IntN(170))).
				Intersect(image.Rect(0, 0, 322, 182))
			part := m.Region(r)
			part.SetTo(gocv.NewScalar(255*rng.Float64(), 255*rng.Float64(), 255*rng.Float64(), 0))
			part.Close()
			changed = append(changed, r)
		}
		at := time.Duration(i) * 125 * time.Millisecond
		whole, err := enc[0].Encode(m, at)
		if err != nil {
			t.Fatal(err)
		}
		part, err := enc[1].Encode(m, at, changed...)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(whole.NALs, part.NALs) {
			t.Fatalf("picture %d differs", i)
		}
	}
}
