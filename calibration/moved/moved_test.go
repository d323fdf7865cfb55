package moved

import (
	"math/rand/v2"
	"testing"
	"time"

	"vision/internal/luma"
)

// stage is a printed felt under a camera that can be pushed.
type stage struct {
	w, h int
	felt []byte // larger than the frame by pad on every side
	pix  []byte
	rnd  *rand.Rand
}

const pad = 60

func newStage() *stage {
	s := &stage{w: 960, h: 540, rnd: rand.New(rand.NewPCG(8, 8))}
	s.felt = make([]byte, (s.w+2*pad)*(s.h+2*pad))
	for i := range s.felt {
		s.felt[i] = byte(80 + s.rnd.IntN(8))
	}
	for range 250 { // print: boxes and bars
		x, y, w, h := s.rnd.IntN(s.w), s.rnd.IntN(s.h), 6+s.rnd.IntN(50), 4+s.rnd.IntN(30)
		g := byte(40 + s.rnd.IntN(180))
		for v := y; v < y+h; v++ {
			for u := x; u < x+w; u++ {
				s.felt[v*(s.w+2*pad)+u] = g
			}
		}
	}
	s.pix = make([]byte, s.w*s.h)
	return s
}

// shoot shows the felt displaced by dx, dy with a hand over part of it.
func (s *stage) shoot(dx, dy int, hand [4]int, light int) []byte {
	for y := range s.h {
		for x := range s.w {
			g := int(s.felt[(y+pad-dy)*(s.w+2*pad)+x+pad-dx])*light/100 + s.rnd.IntN(5)
			if x >= hand[0] && x < hand[2] && y >= hand[1] && y < hand[3] {
				g = 170
			}
			s.pix[y*s.w+x] = byte(min(g, 255))
		}
	}
	return s.pix
}

// watch shows seconds of a view at four frames a second and gives back the last
// verdict that changed and after how long.
func watch(d *Detector, s *stage, at *time.Time, seconds int,
	view func(i int) []byte) (v Verdict, changed bool, after time.Duration) {
	start := *at
	for i := range 4 * seconds {
		*at = at.Add(250 * time.Millisecond)
		if w, c := d.Frame(luma.Plane{Pix: view(i), Width: s.w, Height: s.h, Stride: s.w}, *at); c {
			v, changed, after = w, true, at.Sub(start)
		}
	}
	return v, changed, after
}

func TestMovedAndBack(t *testing.T) {
	s := newStage()
	d, err := New(s.w, s.h, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1000, 0)
	still := func(int) []byte { return s.shoot(0, 0, [4]int{}, 100) }
	if v, changed, _ := watch(d, s, &at, 5, still); changed {
		t.Fatalf("a camera that stands: %+v", v)
	}
	v, changed, after := watch(d, s, &at, 6, func(int) []byte { return s.shoot(5, -3, [4]int{}, 100) })
	if !changed || !v.Away || after > 5*time.Second {
		t.Fatalf("pushed by 6 px: %+v, changed %v after %v", v, changed, after)
	}
	if v.Shift < 4 || v.Shift > 8 {
		t.Errorf("shift %.1f px, want about 6", v.Shift)
	}
	v, changed, after = watch(d, s, &at, 6, still)
	if !changed || v.Away || after > 5*time.Second {
		t.Fatalf("put back: %+v, changed %v after %v", v, changed, after)
	}
}

func TestTurnedAway(t *testing.T) {
	s := newStage()
	d, err := New(s.w, s.h, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1000, 0)
	watch(d, s, &at, 2, func(int) []byte { return s.shoot(0, 0, [4]int{}, 100) })
	v, changed, after := watch(d, s, &at, 6, func(int) []byte { return s.shoot(55, 48, [4]int{}, 100) })
	if !changed || !v.Away || after > 5*time.Second {
		t.Errorf("turned by 70 px: %+v, changed %v after %v", v, changed, after)
	}
}

// A hand, an arm across half of the table, a lamp and a trembling of one pixel
// are no move of the camera.
func TestNotMoved(t *testing.T) {
	cases := map[string]func(s *stage, i int) []byte{
		"hand":    func(s *stage, i int) []byte { return s.shoot(0, 0, [4]int{100 + 20*i, 100, 350 + 20*i, 540}, 100) },
		"half":    func(s *stage, _ int) []byte { return s.shoot(0, 0, [4]int{0, 0, 560, 540}, 100) },
		"lamp":    func(s *stage, i int) []byte { return s.shoot(0, 0, [4]int{}, 100-i) },
		"tremble": func(s *stage, i int) []byte { return s.shoot(i%2, -(i % 2), [4]int{}, 100) },
		"knock": func(s *stage, i int) []byte { // for half a second only
			if i < 2 {
				return s.shoot(9, 0, [4]int{}, 100)
			}
			return s.shoot(0, 0, [4]int{}, 100)
		},
	}
	for name, view := range cases {
		t.Run(name, func(t *testing.T) {
			s := newStage()
			d, err := New(s.w, s.h, Options{})
			if err != nil {
				t.Fatal(err)
			}
			at := time.Unix(1000, 0)
			watch(d, s, &at, 2, func(int) []byte { return s.shoot(0, 0, [4]int{}, 100) })
			if v, changed, _ := watch(d, s, &at, 6, func(i int) []byte { return view(s, i) }); changed {
				t.Errorf("verdict %+v", v)
			}
		})
	}
}

func TestBareFeltIsNeverJudged(t *testing.T) {
	d, err := New(960, 540, Options{})
	if err != nil {
		t.Fatal(err)
	}
	pix := make([]byte, 960*540)
	seen := luma.Plane{Pix: pix, Width: 960, Height: 540, Stride: 960}
	at := time.Unix(1000, 0)
	for i := range 40 {
		for k := range pix {
			pix[k] = byte(60 + i)
		}
		at = at.Add(500 * time.Millisecond)
		if v, changed := d.Frame(seen, at); changed {
			t.Fatalf("a plain picture was judged: %+v", v)
		}
	}
	if _, err := New(10, 10, Options{}); err == nil {
		t.Error("a picture of 10×10")
	}
	seen.Pix = pix[:100]
	if _, changed := d.Frame(seen, at.Add(time.Second)); changed {
		t.Error("a cut picture was judged")
	}
}

// A camera that is turned upside down, or whose lens is covered, does not stand as
// calibrated; uncovered and turned back it does.
func TestUpsideDownAndCovered(t *testing.T) {
	for name, view := range map[string]func(s *stage) []byte{
		"upside down": func(s *stage) []byte {
			p := s.shoot(0, 0, [4]int{}, 100)
			for i, j := 0, len(p)-1; i < j; i, j = i+1, j-1 {
				p[i], p[j] = p[j], p[i]
			}
			return p
		},
		"black":   func(s *stage) []byte { clear(s.pix); return s.pix },
		"covered": func(s *stage) []byte { return s.shoot(0, 0, [4]int{0, 0, s.w, s.h}, 100) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage()
			d, err := New(s.w, s.h, Options{})
			if err != nil {
				t.Fatal(err)
			}
			at := time.Unix(1000, 0)
			still := func(int) []byte { return s.shoot(0, 0, [4]int{}, 100) }
			watch(d, s, &at, 2, still)
			v, changed, after := watch(d, s, &at, 8, func(int) []byte { return view(s) })
			if !changed || !v.Away || after > 6*time.Second {
				t.Errorf("%+v, changed %v after %v", v, changed, after)
			}
			if v, changed, _ := watch(d, s, &at, 8, still); !changed || v.Away {
				t.Errorf("put back: %+v, changed %v", v, changed)
			}
		})
	}
}
