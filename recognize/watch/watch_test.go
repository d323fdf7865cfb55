package watch

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/luma"
)

// film plays luma pictures of a table at 12 frames a second.
type film struct {
	t       testing.TB
	w       *Watcher
	width   int
	height  int
	pix     []byte
	at      time.Time
	rnd     *rand.Rand
	noise   float64
	light   float64
	felt    []float64
	objects []box
	log     []string
	damaged bool // the pictures rest on lost data
}

type box struct {
	x, y, w, h int
	grey       byte
}

var zones = []Zone{
	{Name: "a", Polygons: [][]fact.Point{{{100, 100}, {400, 100}, {400, 300}, {100, 300}}}, History: true, Strict: true},
	{Name: "b", Polygons: [][]fact.Point{{{600, 100}, {900, 100}, {900, 300}, {600, 300}}}},
}

func newFilm(t testing.TB) *film {
	t.Helper()
	w, err := New(960, 540, zones, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := &film{t: t, w: w, width: 960, height: 540, pix: make([]byte, 960*540), felt: make([]float64, 960*540),
		at: time.Unix(1000, 0), rnd: rand.New(rand.NewPCG(3, 4)), light: 1}
	for i := range f.felt {
		f.felt[i] = 90 + 25*math.Sin(float64(i%960)/37)*math.Cos(float64(i/960)/23)
	}
	return f
}

// draw shows the felt with the objects on it.
func (f *film) draw() {
	jitter := [4099]float64{}
	if f.noise > 0 {
		for i := range jitter {
			jitter[i] = f.noise * f.rnd.NormFloat64()
		}
	}
	for i, v := range f.felt {
		f.pix[i] = byte(min(max(v*f.light+jitter[i%len(jitter)], 0), 255))
	}
	for _, o := range f.objects {
		for y := o.y; y < min(o.y+o.h, f.height); y++ {
			for x := o.x; x < o.x+o.w; x++ {
				i := y*f.width + x
				f.pix[i] = byte(min(max(float64(o.grey)*f.light+jitter[i%len(jitter)], 0), 255))
			}
		}
	}
}

// play shows n frames and logs events as "a+" (stirred) and "a=" (settled).
func (f *film) play(n int) {
	f.t.Helper()
	for range n {
		f.draw()
		f.show()
	}
}

func (f *film) luma() luma.Plane {
	return luma.Plane{Pix: f.pix, Width: f.width, Height: f.height, Stride: f.width}
}

func (f *film) show() {
	f.t.Helper()
	f.at = f.at.Add(time.Second / 12)
	look := f.w.Frame
	if f.damaged {
		look = f.w.Damaged
	}
	events, err := look(f.luma(), f.at)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, e := range events {
		f.log = append(f.log, zones[e.Zone].Name+map[Kind]string{Moving: "+", AtRest: "="}[e.Kind])
	}
}

func (f *film) expect(what string, want ...string) {
	f.t.Helper()
	if !slices.Equal(f.log, want) {
		f.t.Errorf("%s: events %q, want %q", what, f.log, want)
	}
	f.log = nil
}

func TestSettlesOnceAtTheStart(t *testing.T) {
	f := newFilm(t)
	f.noise = 3
	f.play(4)
	f.expect("before 0.4 s")
	f.play(40)
	f.expect("a still table", "a=", "b=")
}

func TestAnObjectLaidAndTaken(t *testing.T) {
	f := newFilm(t)
	f.noise = 3
	f.play(10)
	f.log = nil
	f.objects = []box{{200, 200, 24, 16, 230}}
	f.play(1)
	f.expect("laid", "a+")
	laid := f.at
	f.play(20)
	f.expect("at rest", "a=")
	if z := f.w.zones[0]; !z.since.Equal(laid) {
		t.Errorf("rests since %v, want %v", z.since, laid)
	}
	f.objects = nil
	f.play(20)
	f.expect("taken", "a+", "a=")
}

// In damaged pictures a thing seems to lie still that was taken long ago: the zone stirs, and
// rests when whole pictures show it.
func TestDamagedPictures(t *testing.T) {
	f := newFilm(t)
	f.noise = 2
	f.play(10)
	f.log = nil
	f.damaged = true
	f.play(40)
	f.expect("nothing moves")
	f.objects = []box{{200, 200, 24, 16, 230}}
	f.play(40)
	f.expect("something that does not lie there", "a+")
	f.damaged, f.objects = false, nil
	f.play(1)
	whole := f.at
	f.play(20)
	f.expect("whole again", "a=")
	if z := f.w.zones[0]; !z.since.Equal(whole) {
		t.Errorf("rests since %v, want %v", z.since, whole)
	}
}

// Over a zone arms pass again and again, and never leave it still for long: what lies
// there is reported between two of them, but not where dice may roll.
func TestArmsPassAgainAndAgain(t *testing.T) {
	f := newFilm(t)
	f.noise = 2
	f.play(10)
	f.log = nil
	passing := func(times int) {
		for range times {
			f.objects = []box{{240, 0, 40, 250, 220}, {740, 0, 40, 250, 220}}
			f.play(5)
			f.objects = nil
			f.play(3)
		}
	}
	passing(2)
	f.expect("for 1.3 s", "a+", "b+")
	passing(2)
	f.expect("longer", "b=", "b+", "b=")
	passing(1)
	f.expect("again at once", "b+", "b=")
	f.play(10)
	f.expect("still", "a=")
	passing(2)
	f.expect("anew, for 1.3 s", "a+", "b+")
}

// A chip laid on a stack moves its upper face by a few pixels only.
func TestASmallChangeIsSeen(t *testing.T) {
	f := newFilm(t)
	f.noise = 2
	f.objects = []box{{200, 200, 50, 34, 180}}
	f.play(10)
	f.log = nil
	f.objects = []box{{200, 196, 50, 38, 180}}
	f.play(12)
	f.expect("4 px higher", "a+", "a=")
}

func TestAHandThatStopsOverAZoneKeepsItStirred(t *testing.T) {
	f := newFilm(t)
	f.noise = 2
	f.play(10)
	f.log = nil
	for y := 500; y > 200; y -= 50 { // reaches in from the lower border
		f.objects = []box{{240, y, 60, 540 - y, 170}}
		f.play(1)
	}
	f.expect("reaching in", "a+")
	f.play(40) // more than three seconds without motion
	f.expect("hand at rest")
	f.objects = []box{{260, 220, 30, 40, 240}}
	f.play(20)
	f.expect("hand gone, a card left", "a=")
}

// Where the felt has the shade of a sleeve, a hand that rests seems cut off from its arm at
// times; it still covers the zone. What it leaves there when it goes is seen.
func TestAHandThatSeemsCutOffFromItsArm(t *testing.T) {
	f := newFilm(t)
	for i := 310 * f.width; i < 330*f.width; i++ {
		f.felt[i] = 100
	}
	f.play(10)
	f.log = nil
	for i := range 40 {
		f.objects = []box{{240, 330, 60, 210, 170}, {240, 310, 60, 20, 103}, {240, 200, 60, 110, 170}}
		if i%6 == 0 {
			f.objects[1].grey = 107
		}
		f.play(1)
	}
	f.expect("a hand at rest", "a+")
	f.objects = []box{{240, 200, 60, 40, 170}, {240, 480, 60, 60, 170}} // it draws back from what it laid
	f.play(12)
	f.expect("drawn back", "a=")
}

func TestWhatStaysInTheBorderForLongBecomesTheTable(t *testing.T) {
	f := newFilm(t)
	f.objects = []box{{240, 200, 60, 340, 170}}
	f.play(10)
	f.log = nil
	f.objects = nil // an arm that was there at the start is drawn back
	f.play(12)
	f.expect("its ghost covers the zone", "a+")
	f.play(12 * 2)
	f.expect("its ghost is soon forgotten", "a=")
	f.objects = []box{{240, 200, 60, 340, 170}}
	f.play(12 * 7)
	f.expect("a sleeve rests on the table", "a+")
	f.play(12 * 2)
	f.expect("it stays", "a=")
}

// A hand that rests on printed felt becomes the table. When it is drawn back the print in its gap
// shows as much contrast as its outline did; what lay under it is known again.
func TestAHandThatLeavesPrintIsGone(t *testing.T) {
	f := newFilm(t)
	for y := 220; y < 520; y += 8 { // bars of print
		for i := y * f.width; i < (y+4)*f.width; i++ {
			f.felt[i] = 250
		}
	}
	f.play(12)
	f.objects = []box{{240, 200, 60, 340, 170}}
	f.play(12 * 10)
	f.log = nil
	f.objects = nil
	f.play(12)
	f.expect("drawn back", "a+", "a=")
	f.objects = []box{{240, 200, 60, 340, 170}}
	f.play(12 * 10)
	f.log = nil
	f.objects = []box{{255, 230, 30, 40, 120}}
	f.play(12)
	f.expect("it leaves a card", "a+", "a=")
	f.objects = nil
	f.play(12)
	f.expect("which is taken", "a+", "a=")
}

// The soft shadow of somebody who leans over the table reaches in from the border as an arm does,
// and covers nothing: what lies in it is read as soon as it rests. An arm in it is one.
func TestASoftShadowCoversNothing(t *testing.T) {
	for name, soft := range map[string]float64{"a shadow": 120, "an edge as of a sleeve": 4} {
		t.Run(name, func(t *testing.T) {
			f := newFilm(t)
			f.noise = 1
			f.play(12)
			f.log = nil
			bare := slices.Clone(f.felt)
			for i, v := range bare { // over the right end, from the upper border to the lower
				f.felt[i] = v * (1 - 0.3*min(1, max(0, (float64(i%f.width)-640)/soft)))
			}
			f.play(24)
			want := []string{"b+", "b="}
			if soft < 10 {
				want = want[:1]
			}
			f.expect(name+" falls", want...)
			if soft < 10 {
				return
			}
			f.objects = []box{{700, 200, 60, 340, 220}}
			f.play(24)
			f.expect("an arm in it", "b+")
			f.objects = nil
			f.play(24)
			f.expect("which leaves", "b=")
			f.felt = bare
			f.play(24)
			f.expect("the shadow goes", "b+", "b=")
		})
	}
}

// What stands still is distinguished from what moves elsewhere at the border.
func TestEachPieceHasItsOwnTime(t *testing.T) {
	f := newFilm(t)
	f.play(12)
	f.log = nil
	left := box{240, 200, 60, 340, 170}
	for i := range 12 * 10 {
		f.objects = []box{left, {800, 420 - 10*(i%5), 60, 540, 170}} // another arm at work
		f.play(1)
	}
	f.expect("a sleeve that stays", "a+", "a=")
}

func TestLightChangesDoNotStir(t *testing.T) {
	f := newFilm(t)
	f.noise = 2
	f.play(10)
	f.log = nil
	for range 100 { // slowly by a half
		f.light *= 1.004
		f.play(1)
	}
	f.light *= 0.85 // a lamp goes off
	f.play(20)
	f.expect("light")
}

func TestStrongNoiseDoesNotStir(t *testing.T) {
	f := newFilm(t)
	f.noise = 2
	f.play(10)
	f.log = nil
	for range 30 { // gain turned up by a camera in the dark
		f.noise += 0.4
		f.play(1)
	}
	f.play(30)
	f.expect("noise")
}

func TestResetSettlesAgain(t *testing.T) {
	f := newFilm(t)
	f.play(10)
	f.log = nil
	f.w.Reset()
	if f.w.zones[0].resting {
		t.Error("rests after a reset")
	}
	f.play(10)
	f.expect("reset", "a=", "b=")
}

func TestSlowMotionIsNotRest(t *testing.T) {
	f := newFilm(t)
	f.play(10)
	f.log = nil
	for i := range 48 { // a card pushed by half a pixel per frame
		f.objects = []box{{150 + i/2, 150, 60, 80, 240}}
		f.play(1)
	}
	f.expect("pushed slowly", "a+")
	f.play(10)
	f.expect("left alone", "a=")
}

func TestRefusals(t *testing.T) {
	if _, err := New(8, 8, nil, 0); err == nil {
		t.Error("a picture of 8×8")
	}
	outside := []Zone{{Name: "x", Polygons: [][]fact.Point{{{5000, 5000}, {5100, 5000}, {5100, 5100}}}}}
	if _, err := New(960, 540, outside, 0); err == nil {
		t.Error("a zone outside the picture")
	}
	w, err := New(960, 540, zones, 0)
	if err != nil {
		t.Fatal(err)
	}
	full := make([]byte, 960*540)
	for name, bad := range map[string]luma.Plane{
		"cut off":       {Pix: full[:100], Width: 960, Height: 540, Stride: 960},
		"another size":  {Pix: full, Width: 540, Height: 960, Stride: 540},
		"rows too near": {Pix: full, Width: 960, Height: 540, Stride: 500},
	} {
		if _, err := w.Frame(bad, time.Now()); !errors.Is(err, ErrPicture) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// The same scene in video's range and in the full one gives the same grid, to what rounding takes.
func TestRanges(t *testing.T) {
	g := newGrid(64, 32, 16)
	full, limited := make([]byte, 64*32), make([]byte, 64*32)
	for i := range full {
		full[i] = byte(i * 7)
		limited[i] = byte(16 + math.Round(float64(full[i])*219/255))
	}
	a, b := make([]int32, g.w*g.h), make([]int32, g.w*g.h)
	g.sample(a, luma.Plane{Pix: full, Width: 64, Height: 32, Stride: 64})
	g.sample(b, luma.Plane{Pix: limited, Width: 64, Height: 32, Stride: 64, Limited: true})
	for i := range a {
		if d := a[i] - b[i]; d > 16 || d < -16 { // one level
			t.Errorf("cell %d: %d and %d", i, a[i], b[i])
		}
	}
	for i := range limited {
		limited[i] = 3 // encoders overshoot
	}
	g.sample(b, luma.Plane{Pix: limited, Width: 64, Height: 32, Stride: 64, Limited: true})
	if slices.Max(b) != 0 || slices.Min(b) != 0 {
		t.Errorf("darker than black: from %d to %d, want 0", slices.Min(b), slices.Max(b))
	}
}

// An idle 1080p picture must cost at most 2 ms.
func BenchmarkIdle(b *testing.B) {
	var zs []Zone
	for i := range 20 {
		x := float64(60 + 90*i)
		zs = append(zs, Zone{Name: "z", Polygons: [][]fact.Point{{{x, 300}, {x + 85, 300}, {x + 85, 800}, {x, 800}}}})
	}
	w, err := New(1920, 1080, zs, 0)
	if err != nil {
		b.Fatal(err)
	}
	p := luma.Plane{Pix: make([]byte, 1920*1080), Width: 1920, Height: 1080, Stride: 1920}
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := range p.Pix {
		p.Pix[i] = byte(80 + rnd.IntN(40))
	}
	at := time.Unix(0, 0)
	for b.Loop() {
		at = at.Add(40 * time.Millisecond)
		if _, err := w.Frame(p, at); err != nil {
			b.Fatal(err)
		}
	}
}

// A zone that is the whole picture settles with something at its rim that stands still,
// where one that arms reach over waits for it to go.
func TestAWholePictureSettlesWhateverStandsAtItsRim(t *testing.T) {
	const w, h = 160, 96
	whole := []fact.Point{{0, 0}, {w, 0}, {w, h}, {0, h}}
	for _, of := range []bool{true, false} {
		eye, err := New(w, h, []Zone{{Name: "picture", Polygons: [][]fact.Point{whole}, Strict: true, Whole: of}}, w)
		if err != nil {
			t.Fatal(err)
		}
		settled := 0
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for k := range 40 {
			pix := make([]byte, w*h)
			for i := range pix {
				pix[i] = 90
				if x, y := i%w, i/w; k >= 15 && x < 40 && y > 30 && y < 60 { // an arm from the left
					pix[i] = 200
				}
			}
			frame := luma.Plane{Pix: pix, Width: w, Height: h, Stride: w}
			events, err := eye.Frame(frame, at.Add(time.Duration(k)*100*time.Millisecond))
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				if e.Kind == AtRest {
					settled++
				}
			}
		}
		if want := map[bool]int{true: 2, false: 1}[of]; settled != want {
			t.Errorf("whole %v: settled %d times, want %d", of, settled, want)
		}
	}
}
