package rack

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
)

// bench is a rack of some tubes under a camera, and what stands in it.
type bench struct {
	cal   *calibration.Table
	view  *calibration.View
	rng   *rand.Rand
	chips [][]uint64 // of each tube, each by its looks
	light float64
	hand  [2]float64 // from and to which x a sleeve lies over the rack, millimetres
	// push is by how many millimetres the row of tube 0 stands off its closed end; foreign: its last chip is another.
	push    float64
	foreign bool
	wall    bool // the tubes are bright, and in the shadow of their open end from 110 mm on
	// shadow is how far along the bare tubes one begins at their middle, and bend how much further at a radian: 0: none.
	shadow, bend float64
	stick        float64 // how far along tube 0 something lies across it; 0: nothing does
}

func newBench(t testing.TB, tubes, chips int) *bench {
	t.Helper()
	cal := &calibration.Table{Schema: calibration.Schema, Table: "T", Camera: "c", Size: [2]int{1280, 720},
		Lens:    calibration.Lens{Fx: 2600, Fy: 2600, Cx: 640, Cy: 360},
		Palette: []calibration.Chip{{ID: "5", Face: "#c02030", Edge: "#ffffff", Diameter: 39, Thickness: 3.3, Value: 500}},
		Rack:    &calibration.Rack{Depth: 8}}
	for i := range tubes {
		x := 46 * float64(i)
		cal.Rack.Tubes = append(cal.Rack.Tubes, calibration.Tube{Chip: "5", Capacity: 40,
			Axis: [2]fact.Point{{x, 0}, {x, -140}}})
	}
	var err error
	x := 23 * float64(tubes)
	if cal.Pose, err = calibration.Looking([3]float64{x, 1000, 1500}, [2]float64{x, -60}); err != nil {
		t.Fatal(err)
	}
	plane, err := calibration.PlaneOf(cal.Lens, cal.Pose)
	if err != nil {
		t.Fatal(err)
	}
	cal.Plane = plane
	if err := cal.Check(); err != nil {
		t.Fatal(err)
	}
	b := &bench{cal: cal, rng: rand.New(rand.NewPCG(1, 2)), chips: make([][]uint64, tubes), light: 1}
	if b.view, err = cal.View(); err != nil {
		t.Fatal(err)
	}
	for i := range b.chips {
		b.put(i, chips)
	}
	return b
}

// put adds chips to a tube, or takes some.
func (b *bench) put(tube, n int) {
	c := b.chips[tube]
	if n < 0 {
		b.chips[tube] = c[:len(c)+n]
		return
	}
	for range n {
		c = append(c, b.rng.Uint64())
	}
	b.chips[tube] = c
}

// picture shows the rack as it is.
func (b *bench) picture() []byte {
	w, h := b.cal.Size[0], b.cal.Size[1]
	sum, n := make([]float64, 3*w*h), make([]float64, w*h)
	dot := func(mm fact.Point, height float64, c [3]float64) {
		p := b.view.ToImageAt(mm, height)
		if x, y := int(p[0]+0.5), int(p[1]+0.5); x >= 0 && y >= 0 && x < w && y < h {
			n[y*w+x]++
			for k := range c {
				sum[3*(y*w+x)+k] += c[k]
			}
		}
	}
	for i := range b.cal.Rack.Tubes {
		u := &b.cal.Rack.Tubes[i]
		for s := 0.05; s < u.Length(); s += 0.3 {
			for a := -1.55; a < 1.55; a += 0.03 {
				mm, height := b.cal.Rack.On(u, s, 19.5, a)
				dot(mm, height, b.look(i, s, a))
			}
			for _, x := range []float64{-1, 1} { // the rim between the tubes
				for off := 20.0; off < 23; off += 0.5 {
					mm := fact.Point{u.Axis[0][0] + x*off, u.Axis[0][1] - s}
					dot(mm, 0, b.over(mm[0], [3]float64{70, 60, 50}))
				}
			}
		}
	}
	pix := make([]byte, 3*w*h)
	for i := range n {
		for k := range 3 {
			v := 40.0
			if n[i] > 0 {
				v = sum[3*i+k] / n[i]
			}
			pix[3*i+k] = uint8(max(0, min(255, b.light*v+2*b.rng.NormFloat64())))
		}
	}
	return pix
}

// over is a colour, or that of the sleeve over it.
func (b *bench) over(x float64, c [3]float64) [3]float64 {
	if x > b.hand[0] && x < b.hand[1] {
		return [3]float64{150, 160, 190}
	}
	return c
}

func (b *bench) look(tube int, s, a float64) [3]float64 {
	x := b.cal.Rack.Tubes[tube].Axis[0][0] + 19.5*math.Sin(a)
	shade := 0.6 + 0.4*math.Cos(a)
	if tube == 0 && b.stick > 0 && s > b.stick && s < b.stick+12 {
		return b.over(x, [3]float64{40, 200, 200})
	}
	if tube == 0 {
		s -= b.push
	}
	k := int(s / 3.3)
	if b.wall && (s < 0 || k >= len(b.chips[tube])) {
		light := (200 - 7*max(0, min(s-110, 20))) * shade
		return b.over(x, [3]float64{light, light, light})
	}
	if s < 0 || k >= len(b.chips[tube]) {
		if b.shadow > 0 {
			shade *= 2.5
			if s > b.shadow+b.bend*a*a {
				shade *= 0.3
			}
		}
		return b.over(x, [3]float64{(30 + s/5) * shade, (28 + s/5) * shade, (26 + s/5) * shade})
	}
	c, at := b.chips[tube][k], math.Mod(s, 3.3)/3.3
	if at < 0.12 || at > 0.88 {
		shade *= 0.5
	}
	if math.Mod(a+float64(c%997)+20, 1.05) < 0.4 {
		return b.over(x, [3]float64{235 * shade, 240 * shade, 240 * shade})
	}
	if tube == 0 && b.foreign && k == len(b.chips[0])-1 {
		return b.over(x, [3]float64{60 * shade, 180 * shade, 40 * shade})
	}
	return b.over(x, [3]float64{48 * shade, 32 * shade, 192 * shade})
}

// learned is a reader that has seen the rack at rest twice, and a third time.
func (b *bench) learned() (*Reader, *int) {
	r, n := NewReader(b.cal, b.view), 0
	for range 3 {
		b.read(r, &n)
	}
	return r, &n
}

func (b *bench) read(r *Reader, n *int) []fact.Tube {
	*n++
	return r.Read(b.picture(), time.Unix(int64(*n), 0))
}

// Several tubes change at once, in one act or in two between which nobody saw the rack.
func TestReader_change(t *testing.T) {
	b := newBench(t, 4, 15)
	r, n := b.learned()
	for round, acts := range [][][2]int{
		{{0, -4}, {1, 2}, {2, -12}, {3, 12}}, {}, {{0, 3}}, {{0, -3}, {0, 2}, {1, 5}}, {{2, 12}, {1, -6}, {0, -1}},
		{{0, 1}, {1, 1}, {3, -12}},
	} {
		want := make([]int, len(b.chips))
		for _, a := range acts {
			b.put(a[0], a[1])
			want[a[0]] += a[1]
		}
		for i, u := range b.read(r, n) {
			if u.Abstain == unsure && max(want[i], -want[i]) >= 10 { // of so many one more is not always ruled out
				u.Abstain = ""
			}
			if u.Abstain != "" || len(u.Change) == 0 || u.Change[0].N != want[i] || u.Change[0].LogP != 0 ||
				u.Low > len(b.chips[i]) || u.High < len(b.chips[i]) || u.High-u.Low > 2 ||
				!u.Since.Equal(time.Unix(int64(*n-1), 0)) {
				t.Errorf("act %d, tube %d with %d chips: want %+d, read %+v", round, i, len(b.chips[i]), want[i], u)
			}
		}
	}
}

// What lies over the rack, across a tube, or in another light is not taken for chips; what has changed since is
// read when it is gone.
func TestReader_abstains(t *testing.T) {
	b := newBench(t, 3, 12)
	r, n := NewReader(b.cal, b.view), 0
	if u := b.read(r, &n)[0]; u.Abstain != "unlearned" || u.High != 40 {
		t.Errorf("at the first rest: %+v", u)
	}
	b.read(r, &n)
	if u := b.read(r, &n)[0]; u.Abstain != "" || u.Low > 12 || u.High < 12 || u.High-u.Low > 2 {
		t.Errorf("at the third rest: %+v, want 12", u)
	}
	b.put(0, 2)
	for _, h := range [][2]float64{{-30, 20}, {-30, 75}, {-30, 200}} {
		b.hand = h
		for i, u := range b.read(r, &n) {
			if u.Abstain != "hand" && u.Abstain != "covered" && (b.hand[1] > 46*float64(i)+10 || u.Change[0].N != 0) {
				t.Errorf("tube %d under a hand at %v: %+v", i, h, u)
			}
		}
	}
	b.hand = [2]float64{}
	if u := b.read(r, &n)[0]; u.Abstain != "" || u.Change[0].N != 2 || !u.Since.Equal(time.Unix(3, 0)) {
		t.Errorf("after the hand: %+v, want +2 since 3 s", u)
	}
	b.stick = 90
	if u := b.read(r, &n)[0]; u.Abstain != "across" {
		t.Errorf("with something across: %+v", u)
	}
	b.stick, b.light = 0, 0.8
	for i, u := range b.read(r, &n) {
		if u.Abstain != "" || u.Change[0].N != 0 {
			t.Errorf("tube %d in less light: %+v", i, u)
		}
	}
	r.Forget()
	if u := b.read(r, &n)[0]; u.Abstain != "unlearned" {
		t.Errorf("when all is forgotten: %+v", u)
	}
	b.cal.Lens.Fx, b.cal.Lens.Fy, b.cal.Pose = 500, 500, calibration.Pose{}
	pose, err := calibration.Looking([3]float64{60, 1000, 1500}, [2]float64{60, -60})
	if err != nil {
		t.Fatal(err)
	}
	b.cal.Pose = pose
	if b.cal.Plane, err = calibration.PlaneOf(b.cal.Lens, pose); err != nil {
		t.Fatal(err)
	}
	if b.view, err = b.cal.View(); err != nil {
		t.Fatal(err)
	}
	if u := b.read(NewReader(b.cal, b.view), &n)[0]; u.Abstain != "small" {
		t.Errorf("from far away: %+v", u)
	}
}

// The shadow at the open end is not how the tube looks elsewhere, nor where chips end.
func TestReader_shade(t *testing.T) {
	b := newBench(t, 3, 12)
	b.wall = true
	r, n := b.learned()
	for i, put := range []int{-11, 3, 20} {
		b.put(i, put)
		u := b.read(r, n)[i]
		if u.Abstain != "" || u.Change[0].N != put || u.Low > 12+put || u.High < 12+put || u.High-u.Low > 2 {
			t.Errorf("tube %d: %+v, want %+d", i, u, put)
		}
	}
}

// The curved edge of a sharp shadow is not where chips end. Where a straight one is taken for it, chips that move below
// tell that it is none, and the tube is learned anew.
func TestReader_sharpShadow(t *testing.T) {
	for _, bend := range []float64{50, 0} {
		b := newBench(t, 3, 12)
		b.shadow, b.bend = 85, bend
		r, n := b.learned()
		for i, put := range []int{-5, 3, 9} {
			b.put(i, put)
			switch u := b.read(r, n)[i]; {
			case bend == 0 && u.Abstain != unsure:
				t.Errorf("tube %d under a straight shadow: %+v, want it unsure", i, u)
			case bend > 0 && (u.Abstain != "" || u.Change[0].N != put || u.Low > 12+put || u.High < 12+put):
				t.Errorf("tube %d: %+v, want %+d", i, u, put)
			}
		}
		b.put(0, 4)
		if u := b.read(r, n)[0]; u.Abstain != "" || u.Change[0].N != 4 || u.Low > 11 || u.High < 11 {
			t.Errorf("afterwards: %+v, want +4", u)
		}
	}
}

// A rack of twelve tubes.
func BenchmarkRead(b *testing.B) {
	k := newBench(b, 12, 20)
	r, n := k.learned()
	pix := k.picture()
	for b.Loop() {
		*n++
		r.Read(pix, time.Unix(int64(*n), 0))
	}
}

// A row of chips that was pushed along its tube, and a chip of another colour, are no change; where the rows of most
// tubes look otherwise it was the camera.
func TestReader_tellsWhatIsAmiss(t *testing.T) {
	b := newBench(t, 3, 12)
	r, n := b.learned()
	whole := b.chips[0]
	b.push = 8
	if u := b.read(r, n); u[0].Abstain != "moved" || u[1].Abstain != "" || u[1].Change[0].N != 0 {
		t.Errorf("with a row pushed up: %+v", u)
	}
	b.push = 0
	if u := b.read(r, n)[0]; u.Abstain != "" || u.Change[0].N != 0 {
		t.Errorf("pushed back: %+v", u)
	}
	b.put(0, 1)
	b.foreign = true
	if u := b.read(r, n)[0]; u.Abstain != "foreign" || u.Change[0].N != 1 {
		t.Errorf("with a chip of another kind: %+v", u)
	}
	b.foreign, b.chips[0] = false, whole
	for i := range b.chips {
		b.chips[i] = nil
		b.put(i, 12)
	}
	for i, u := range b.read(r, n) {
		if u.Abstain == "moved" {
			t.Errorf("tube %d, where all look otherwise: %+v", i, u)
		}
	}
}
