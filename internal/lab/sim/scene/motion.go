package scene

import (
	"image"
	"math"
)

// What moves while a picture is exposed is shown at several moments of that time, and
// the picture is their mean. Where nothing moves one moment is enough.

// Moment begins a further moment of the exposure: what arms do from now on is shown in
// it alone. There are MaxMoments at most; what comes later falls into the last.
func (s *Scene) Moment() { s.moment = min(s.moment+1, MaxMoments) }

// takes are the arms of each moment.
func (s *Scene) takes() [][]arm {
	var out [][]arm
	for i, a := range s.arms {
		if i == 0 || a.moment != s.arms[i-1].moment {
			for len(out) < a.moment-1 { // moments in which there was none
				out = append(out, nil)
			}
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], a)
	}
	for len(s.arms) > 0 && len(out) < s.moment {
		out = append(out, nil)
	}
	return out
}

// smear is how far apart two moments may show the same edge, pixels.
const smear = 5.0

// thin leaves as many of the moments as the movement needs, the last one always.
func thin(takes [][]arm) [][]arm {
	if len(takes) < 2 {
		return takes
	}
	way := 0.0
	for i := range takes[1:] {
		way += shift(takes[i], takes[i+1])
	}
	n := min(1+int(math.Ceil(way/smear)), len(takes))
	if n == 1 {
		return takes[len(takes)-1:]
	}
	out := make([][]arm, n)
	for i := range out {
		out[i] = takes[(i*(len(takes)-1)+(n-1)/2)/(n-1)]
	}
	return out
}

// shift is how far the arms of two moments are apart, pixels.
func shift(a, b []arm) float64 {
	if len(a) != len(b) {
		return smear // one has come or gone
	}
	most := 0.0
	for i := range a {
		d := b[i].place().Sub(a[i].place())
		most = max(most, math.Hypot(float64(d.X), float64(d.Y)))
	}
	return most
}

// place is a point that moves as the arm does.
func (a *arm) place() image.Point {
	if a.limb != nil || len(a.load) == 0 {
		return a.tip
	}
	return a.load[0].s.rect.Min.Add(a.load[0].off)
}

// compose draws one rectangle of the frame: what lies, and the arms' moments on it.
func (s *Scene) compose(moments [][]arm, r image.Rectangle) {
	s.out.copyFrom(s.bare, r)
	for _, t := range s.order {
		if t.sprite.rect.Overlaps(r) {
			t.sprite.lay(s.out, image.Point{}, r)
		}
	}
	if len(moments) == 0 {
		return
	}
	n := 3 * r.Dx()
	if s.lies = s.lies[:0]; len(moments) > 1 {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			s.lies = append(s.lies, s.out.Pix[s.out.at(r.Min.X, y):][:n]...)
		}
	}
	s.drawArms(moments[0], r)
	if len(moments) == 1 {
		return
	}
	s.sum = append(s.sum[:0], make([]uint16, len(s.lies))...)
	s.add(r)
	for _, arms := range moments[1:] {
		for y, i := r.Min.Y, 0; y < r.Max.Y; y, i = y+1, i+n {
			copy(s.out.Pix[s.out.at(r.Min.X, y):], s.lies[i:][:n])
		}
		s.drawArms(arms, r)
		s.add(r)
	}
	s.mean(r, len(moments))
}

// add adds a rectangle of the frame to the sum.
func (s *Scene) add(r image.Rectangle) {
	n := 3 * r.Dx()
	for y, i := r.Min.Y, 0; y < r.Max.Y; y, i = y+1, i+n {
		row, sum := s.out.Pix[s.out.at(r.Min.X, y):][:n], s.sum[i:][:n]
		for k, v := range row {
			sum[k] += uint16(v)
		}
	}
}

// MaxMoments is how many moments an exposure may have.
const MaxMoments = 8

// mean puts the mean of n moments into the frame.
func (s *Scene) mean(r image.Rectangle, n int) {
	var mean [256 * MaxMoments]uint8 // by sum: quicker than a division
	for i := range 255*n + 1 {
		mean[i] = uint8((i + n/2) / n)
	}
	w := 3 * r.Dx()
	for y, i := r.Min.Y, 0; y < r.Max.Y; y, i = y+1, i+w {
		row, sum := s.out.Pix[s.out.at(r.Min.X, y):][:w], s.sum[i:][:w]
		for k, v := range sum {
			row[k] = mean[v%uint16(len(mean))]
		}
	}
}
