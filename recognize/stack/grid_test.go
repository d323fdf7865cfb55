package stack

import (
	"math"
	"testing"

	"vision/calibration"
	"vision/internal/fact"
)

// oblique is a camera some so many degrees over the felt, far millimetres from its origin, that shows k pixels a
// millimetre there.
func oblique(t testing.TB, degrees, far, k float64, w, h int) *calibration.View {
	t.Helper()
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	f, cx, cy := k*far, float64(w)/2, float64(h)/2
	// the third axis of the table points into the felt, its second one towards the camera
	rot := [3][3]float64{{1, 0, 0}, {0, sin, cos}, {0, -cos, sin}}
	pos := [3]float64{0, 0, far}
	var m [9]float64
	for i, row := range [3][3]float64{{f, 0, cx}, {0, f, cy}, {0, 0, 1}} {
		for j := range 3 {
			col := pos
			if j < 2 {
				col = [3]float64{rot[0][j], rot[1][j], rot[2][j]}
			}
			m[3*i+j] = row[0]*col[0] + row[1]*col[1] + row[2]*col[2]
		}
	}
	plane, err := calibration.Homography(m).Inverse()
	if err != nil {
		t.Fatal(err)
	}
	angle := math.Pi/2 - degrees*math.Pi/180
	cal := calibration.Table{Size: [2]int{w, h}, Lens: calibration.Lens{Fx: f, Fy: f, Cx: cx, Cy: cy}, Plane: plane,
		Pose: calibration.Pose{R: [3]float64{-angle, 0, 0}, T: pos}}
	v, err := cal.View()
	if err != nil || !v.Raised() {
		t.Fatalf("no pose: %v", err)
	}
	return v
}

// drawn is a picture of a stack without noise: each chip of it in a grey of its own, 100 and more, its face 90,
// the felt 10.
func drawn(view *calibration.View, w, h int, at fact.Point, n int, d, thick float64) Picture {
	p := Picture{Pix: make([]byte, 3*w*h), W: w, H: h}
	eye, r := view.Eye(), d/2
	for y := range h {
		for x := range w {
			grey := byte(10)
			px := fact.Point{float64(x), float64(y)}
			top := float64(n) * thick
			if q := view.ToTableAt(px, top); math.Hypot(q[0]-at[0], q[1]-at[1]) < r {
				grey = 90
			} else {
				g := view.ToTable(px)
				dx, dy := g[0]-eye[0], g[1]-eye[1]
				ox, oy := eye[0]-at[0], eye[1]-at[1]
				a, b := dx*dx+dy*dy, ox*dx+oy*dy
				if disc := b*b - a*(ox*ox+oy*oy-r*r); disc > 0 {
					s := (-b - math.Sqrt(disc)) / a
					if z := eye[2] * (1 - s); z > 0 && z < top {
						grey = byte(100 + 5*int(z/thick))
					}
				}
			}
			for c := range 3 {
				p.Pix[3*(y*w+x)+c] = grey
			}
		}
	}
	return p
}

// Of a stack under its true face each row of the side shows its chip, and felt below the foot, at whatever tilt.
func TestUnrolledRowsShowTheirChips(t *testing.T) {
	const w, h, d, thick = 400, 400, 40.0, 3.3
	for _, degrees := range []float64{25, 45, 65} {
		view := oblique(t, degrees, 900, 3, w, h)
		for _, n := range []int{1, 4, 9} {
			at := fact.Point{12, -7}
			p := drawn(view, w, h, at, n, d, thick)
			f := Face{view.ToImageAt(at, float64(n)*thick), float64(n), d, thick}
			side := make([]byte, Planes*High*Wide)
			p.Unroll(view, f, nil, side)
			for chip := range n {
				y := Rows*(Above+chip) + Rows/2
				want := 100 + 5*(n-1-chip)
				if got := int(side[y*Wide+Wide/2]); math.Abs(float64(got-want)) > 3 {
					t.Errorf("%g degrees, %d chips: chip %d from above shows %d, want %d", degrees, n, chip, got, want)
				}
			}
			if got := side[(Rows*(Above+n)+Rows)*Wide+Wide/2]; got != 10 {
				t.Errorf("%g degrees, %d chips: below the foot is %d, want felt", degrees, n, got)
			}
		}
	}
}

// Columns run from left to right.
func TestColumns(t *testing.T) {
	const w, h = 400, 400
	view := oblique(t, 45, 900, 3, w, h)
	p := Picture{Pix: make([]byte, 3*w*h), W: w, H: h}
	for i := range p.Pix {
		p.Pix[i] = byte(i / 3 % w / 2)
	}
	side := make([]byte, Planes*High*Wide)
	p.Unroll(view, Face{view.ToImageAt(fact.Point{}, 16), 5, 40, 3.2}, nil, side)
	row := side[Rows*(Above+2)*Wide:][:Wide]
	for x := 2; x < Wide-2; x++ {
		if row[x] < row[x-1] {
			t.Fatalf("column %d shows what is left of column %d: %v", x, x-1, row)
		}
	}
}

// What a nearer stack covers is marked, and nothing else; what lies outside the picture is.
func TestWhatIsHidden(t *testing.T) {
	const w, h = 400, 400
	view := oblique(t, 35, 900, 3, w, h)
	p := Picture{Pix: make([]byte, 3*w*h), W: w, H: h}
	f := Face{view.ToImageAt(fact.Point{}, 10*3.3), 10, 40, 3.3}
	hidden := func(nearer ...Standing) (n int) {
		side := make([]byte, Planes*High*Wide)
		p.Unroll(view, f, nearer, side)
		for _, v := range side[3*High*Wide+Rows*Above*Wide : 3*High*Wide+Rows*(Above+10)*Wide] {
			n += int(v) / 255
		}
		return n
	}
	if n := hidden(); n != 0 {
		t.Errorf("%d places hidden by nothing", n)
	}
	low, high := hidden(Standing{fact.Point{0, 45}, 20, 10}), hidden(Standing{fact.Point{0, 45}, 20, 40})
	if low == 0 || high <= low {
		t.Errorf("a low stack before it hides %d places, a high one %d", low, high)
	}
	if n := hidden(Standing{fact.Point{0, -45}, 20, 80}); n != 0 {
		t.Errorf("a stack behind it hides %d places", n)
	}
	if n := hidden(Standing{fact.Point{120, 45}, 20, 80}); n != 0 {
		t.Errorf("a stack far beside it hides %d places", n)
	}
	f.Px[1] += 190
	if n := hidden(); n == 0 {
		t.Error("nothing is hidden of a side that goes on below the picture")
	}
}

// A face goes to where it is said to be, and a correction that is too small by nothing brings it back.
func TestMovedAndBetween(t *testing.T) {
	view := oblique(t, 40, 800, 2, 640, 480)
	at := fact.Point{30, -20}
	f := Face{view.ToImageAt(at, 7*3.4), 7, 41, 3.4}
	for _, off := range [][2]float64{{0, 0}, {1.5, 0}, {0, -2}, {-0.7, 0.4}} {
		g := f.Moved(view, off[0], off[1])
		if (g.Px[0]-f.Px[0])*off[0] < 0 || (g.Px[1]-f.Px[1])*off[1] < 0 {
			t.Errorf("moved by %v from %v to %v in the picture", off, f.Px, g.Px)
		}
		right, near := g.Between(view, at)
		if math.Abs(right+off[0]) > 0.02 || math.Abs(near+off[1]) > 0.02 {
			t.Errorf("moved by %v it is said to be %.3f, %.3f from its place", off, right, near)
		}
		back := g.Moved(view, right, near)
		if math.Hypot(back.Px[0]-f.Px[0], back.Px[1]-f.Px[1]) > 0.05 {
			t.Errorf("moved by %v and back: %v, not %v", off, back.Px, f.Px)
		}
	}
}

// The seen size of a chip is that of the picture.
func TestSeen(t *testing.T) {
	for _, k := range []float64{1, 2.5} {
		view := oblique(t, 30, 5000, k, 640, 480) // so far away that perspective is nothing
		f := Face{view.ToImageAt(fact.Point{}, 3.3), 1, 40, 3.3}
		v := f.Seen(view)
		if got, want := math.Exp(float64(v[0])), k*3.3*math.Cos(30*math.Pi/180); math.Abs(got-want) > 0.02*want {
			t.Errorf("%.3f pixels per chip, want %.3f", got, want)
		}
		if math.Abs(float64(v[1])-30*math.Pi/180) > 0.01 {
			t.Errorf("elevation %.3f", v[1])
		}
	}
}
