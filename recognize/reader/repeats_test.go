package reader

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/internal/av"
)

// What key pictures of these sums, so many seconds apart, are taken for.
func TestRepeats(t *testing.T) {
	span := func(from, to uint64) (out []uint64) {
		for s := from; s < to; s++ {
			out = append(out, s)
		}
		return out
	}
	begun := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		sums  []uint64
		every time.Duration
		since float64 // seconds after the first; < 0: each is new
	}{
		"each is new":                         {span(1, 50), time.Second, -1},
		"frozen":                              {[]uint64{1, 2, 3, 3, 3, 3, 3, 3}, time.Second, 2},
		"not for long yet":                    {[]uint64{1, 2, 3, 3, 3, 3, 3}, time.Second, -1},
		"only thrice":                         {[]uint64{1, 2, 3, 3, 3}, 10 * time.Second, -1},
		"twenty a second":                     {append(span(1, 10), make([]uint64, 102)...), 50 * time.Millisecond, 0.45},
		"frozen, coded in two ways":           {[]uint64{1, 2, 3, 4, 3, 4, 3, 4, 3}, time.Second, 3},
		"frozen, now and then coded anew":     {[]uint64{1, 2, 2, 2, 2, 2, 2, 2, 9, 2}, time.Second, 1},
		"a recording played again":            {append(span(1, 40), span(1, 8)...), time.Second, 38},
		"new ones again":                      {[]uint64{1, 2, 2, 2, 2, 2, 2, 2, 8, 9}, time.Second, -1},
		"more than can be remembered":         {append(span(1, 3*repeatsKept), 1, 2, 3, 4, 5, 6, 7), time.Second, -1},
		"one that stood there by chance":      {append(span(1, 40), 3, 41, 42, 7, 43), time.Second, -1},
		"the clock of the camera stood still": {[]uint64{1, 1, 1, 1, 1, 1, 1}, 0, -1},
	} {
		r := newRepeats()
		for i, s := range c.sums {
			r.take(s, begun.Add(time.Duration(i)*c.every))
		}
		want := time.Time{}
		if c.since >= 0 {
			want = begun.Add(time.Duration(c.since * float64(time.Second)))
		}
		if !r.verdict.since.Equal(want) {
			t.Errorf("%s: since %v, want %v", name, r.verdict.since.Sub(begun), want.Sub(begun))
		}
		if len(r.seen) != len(r.order) || len(r.order) > repeatsKept {
			t.Errorf("%s: %d remembered, %d in order", name, len(r.seen), len(r.order))
		}
	}
}

// A still table under a sensor that is better than any is not taken for a frozen picture,
// coarsely as it may be coded; the same picture again and again is, in each quality. The
// pictures between key pictures are told by neither: nearly all are copies in both.
func TestNoiseTellsAStillTable(t *testing.T) {
	before := av.Live()
	for _, noise := range []float64{0, 0.05, 0.3, 1} { // grey levels, standard deviation
		for _, qp := range []int{22, 36, 44} {
			t.Run(fmt.Sprintf("noise %.2f qp %d", noise, qp), func(t *testing.T) {
				r, copied, n := newRepeats(), 0, 0
				var last uint64
				still(t, noise, qp, func(f *av.Frame) {
					r.look(f)
					s := sum(r.seed, f.I420())
					if s == last {
						copied++
					}
					last = s
					n++
				})
				if frozen := !r.verdict.since.IsZero(); frozen != (noise == 0) {
					t.Errorf("frozen: %v", frozen)
				}
				t.Logf("%d of %d pictures are copies of the one before; %d key pictures are different", copied, n, len(r.seen))
			})
		}
	}
	if n := av.Live(); n != before {
		t.Errorf("%d objects of FFmpeg leaked", n-before)
	}
}

// still hands on twelve seconds of a thing that does not move, as a camera sends it.
func still(t *testing.T, noise float64, qp int, look func(*av.Frame)) {
	t.Helper()
	const w, h, fps, gop = 320, 176, 4, 4
	enc, err := av.NewEncoder(w, h, fps, av.EncoderOptions{GOP: gop, QP: qp})
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	dec, err := av.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	rng := rand.New(rand.NewPCG(7, uint64(qp)))
	scene := make([]float64, w*h)
	for i := range scene { // cloth with print under a lamp, no level a whole number
		scene[i] = 70 + 30*float64((i/29+i/w/17)%2) + float64(i%w)/8 + rng.NormFloat64()*4
	}
	img := gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3)
	defer img.Close()
	pix, err := img.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 * fps {
		for k, v := range scene {
			g := uint8(min(max(v+rng.NormFloat64()*noise, 0), 255))
			pix[3*k], pix[3*k+1], pix[3*k+2] = g, g, g
		}
		u, err := enc.Encode(img, time.Duration(i)*time.Second/fps)
		if err != nil {
			t.Fatal(err)
		}
		u.Wall = time.Unix(1000, 0).Add(u.PTS)
		frames, err := dec.Decode(u)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			look(f)
			f.Close()
		}
	}
}

// A picture of which next to nothing was coded is not judged.
func TestACoarsePictureIsNotJudged(t *testing.T) {
	r := newRepeats()
	still(t, 1, 51, r.look)
	if r.verdict.known {
		t.Errorf("%+v", r.verdict)
	}
}
