package sim

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"gocv.io/x/gocv"

	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/scene"
)

// sensor turns the clean picture into what a camera delivers: through its lens, under
// the lamps' light, with noise, exposed and balanced by itself. Only what changed is
// taken over from the scene; light and noise are one pass each over the whole picture.
//
// A calm one reduces noise as surveillance cameras do: where nothing moves the picture stays as it
// is, to the bit, until fresh asks for another whole one. Noise and light are those of that moment.
type sensor struct {
	seen   gocv.Mat // the scene behind the lens, in the scale of the noise
	grain  gocv.Mat // noise, larger than the picture, read at a random offset
	shared *grain   // whose it is; nil: the sensor's own
	out    gocv.Mat
	tables []shades // of each strip of rows
	there  gocv.Mat // into the scale of the noise
	rng    *rand.Rand
	soft   float64 // standard deviation of the lens's blur, pixels
	tone   *tone   // nil: the laboratory's camera, which shows the scene as it is
	lamps  lamps
	auto   *auto
	offset image.Point // of the noise
	calm   bool
	fresh  bool // the next picture is a whole one
	shook  bool // the last one was shifted
	same   bool // the last one is that before it, to the bit
	// changed is where the last one differs from that before it; nil: anywhere
	changed []image.Rectangle
}

const (
	grainRoom = 64 // how far the noise can be shifted, pixels
	pedestal  = 3  // standard deviations that the noise is brighter than nothing
	stripRows = 24 // rows that share a moment of the lamps' flicker
)

func newSensor(cfg Config) *sensor {
	w, h := cfg.Size[0], cfg.Size[1]
	s := &sensor{
		seen:  gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3),
		out:   gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3),
		there: gocv.NewMat(),
		rng:   rand.New(rand.NewPCG(cfg.Seed, 0x5e45)),
		calm:  cfg.Calm,
		fresh: true,
	}
	on, noise := cfg.Condition, max(cfg.Noise, 0)
	if on.Light != (condition.Light{}) || on.Camera.Soft > 0 || on.Camera.Noise > 0 {
		noise = s.live(cfg, noise)
	}
	switch {
	case noise <= 0:
	case s.calm:
		s.shared = borrow(w+grainRoom, h+grainRoom, noise)
		s.grain = s.shared.noise
	default:
		s.grain = makeGrain(s.rng, w+grainRoom, h+grainRoom, noise)
	}
	return s
}

// shades are brightness by brightness, of blue, green and red; what noise lifts above white is white.
type shades [3][512]uint8

// live makes it a camera in a house, and gives the strength of its grain.
func (s *sensor) live(cfg Config, noise float64) float64 {
	rng := rand.New(rand.NewPCG(cfg.Seed, 0x11647))
	s.lamps, s.auto = newLamps(cfg.Condition.Light, rng), newAuto(cfg.Condition.Light.Adapt, rng)
	s.soft = cfg.Condition.Camera.Soft * float64(cfg.Size[0]) / 1920
	s.tone = even()
	if noise > 0 && cfg.Condition.Camera.Noise > 0 {
		s.tone = newTone(noise)
		noise = s.tone.grain
	}
	s.there.Close()
	s.tables = make([]shades, (cfg.Size[1]+s.rows(cfg.Size[1])-1)/s.rows(cfg.Size[1]))
	s.there = gocv.NewMatWithSize(1, 256, gocv.MatTypeCV8UC1)
	for v, to := range s.tone.there {
		s.there.SetUCharAt(0, v, to)
	}
	return noise
}

// expose takes the picture. The Mat is the sensor's own until the next call.
func (s *sensor) expose(p *scene.Picture, changed []image.Rectangle, now float64, shake [2]float64) (gocv.Mat, error) {
	for i, r := range changed {
		r, err := s.take(p, r)
		if err != nil {
			return gocv.Mat{}, fmt.Errorf("simulated camera: %w", err)
		}
		changed[i] = r
	}
	shakes := shake != [2]float64{}
	whole := !s.calm || s.fresh || shakes || s.shook
	if !s.calm || s.fresh {
		s.fresh = false
		if s.grain.Ptr() != nil {
			s.offset = image.Pt(s.rng.IntN(grainRoom), s.rng.IntN(grainRoom))
		}
		s.light(p, now)
	}
	src := s.seen
	if shakes {
		s.move(shake)
		src = s.out
	}
	s.shook = shakes
	s.changed = changed
	if whole {
		s.changed, changed = nil, []image.Rectangle{p.Bounds()}
	}
	for _, r := range changed {
		if err := s.develop(src, r); err != nil {
			return gocv.Mat{}, fmt.Errorf("simulated camera: %w", err)
		}
	}
	s.same = len(changed) == 0
	return s.out, nil
}

// rests reports whether another picture of the same moment would be the last one.
func (s *sensor) rests() bool { return s.calm && !s.fresh && !s.shook }

// develop gives a rectangle of the picture its noise, and its brightness strip by strip.
func (s *sensor) develop(src gocv.Mat, r image.Rectangle) error {
	if s.tone != nil {
		return s.developToned(src, r)
	}
	from, to := src.Region(r), s.out.Region(r)
	defer from.Close()
	defer to.Close()
	if s.grain.Ptr() == nil {
		from.CopyTo(&to)
		return nil
	}
	view := s.grain.Region(r.Add(s.offset))
	defer view.Close()
	gocv.Add(from, view, &to)
	return nil
}

// developToned is develop where brightness goes by a scale: noise and scale in one pass.
func (s *sensor) developToned(src gocv.Mat, r image.Rectangle) error {
	from, err1 := src.DataPtrUint8()
	to, err2 := s.out.DataPtrUint8()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	n, noise := 3*r.Dx(), make([]uint8, 3*r.Dx())
	var grain []uint8
	if s.grain.Ptr() != nil {
		var err error
		if grain, err = s.grain.DataPtrUint8(); err != nil {
			return err
		}
	}
	rows := s.rows(s.out.Rows())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		if at := r.Min.Add(s.offset); grain != nil {
			noise = grain[3*((y-r.Min.Y+at.Y)*s.grain.Cols()+at.X):][:n]
		}
		first := 3 * (y*s.out.Cols() + r.Min.X)
		s.tables[y/rows].lay(to[first:][:n], from[first:][:n], noise)
	}
	return nil
}

// lay gives a row its noise and its brightness; the three are as long.
func (t *shades) lay(to, from, noise []uint8) {
	from, noise = from[:len(to)], noise[:len(to)]
	for i := 2; i < len(to); i += 3 {
		to[i-2] = t[0][(uint(from[i-2])+uint(noise[i-2]))%512]
		to[i-1] = t[1][(uint(from[i-1])+uint(noise[i-1]))%512]
		to[i] = t[2][(uint(from[i])+uint(noise[i]))%512]
	}
}

// take takes a rectangle of the scene over, through the lens, and gives the one that shows it.
func (s *sensor) take(p *scene.Picture, r image.Rectangle) (image.Rectangle, error) {
	raw, err := gocv.NewMatFromBytes(p.H, p.W, gocv.MatTypeCV8UC3, p.Pix)
	if err != nil {
		return r, err
	}
	defer raw.Close()
	blur := s.soft > 0
	if blur {
		r = r.Inset(-s.reach()).Intersect(p.Bounds())
	}
	from, to := raw.Region(r), s.seen.Region(r)
	defer from.Close()
	defer to.Close()
	switch side := 2*s.reach() + 1; {
	case s.tone == nil:
		from.CopyTo(&to)
	case blur:
		gocv.GaussianBlur(from, &to, image.Pt(side, side), s.soft, s.soft, gocv.BorderReplicate)
		gocv.LUT(to, s.there, &to)
	default:
		gocv.LUT(from, s.there, &to)
	}
	return r, nil
}

// reach is how far the lens spreads a point, pixels.
func (s *sensor) reach() int { return int(math.Ceil(2.5 * s.soft)) }

// light makes the tables of the brightness and the colour that light and camera make of the
// scene, of each strip of rows where the lamps flicker.
func (s *sensor) light(p *scene.Picture, now float64) {
	if s.tone == nil {
		return
	}
	gain, level := s.lamps.tint, s.lamps.at(now)
	for c := range gain {
		gain[c] *= level
	}
	for c, g := range s.auto.gains(p, gain, now) {
		gain[c] *= g
	}
	rows := s.rows(p.H)
	for k := range s.tables {
		y, end := k*rows, min((k+1)*rows, p.H)
		s.fill(&s.tables[k], gain, s.lamps.ripple(now, float64(y+end)/2/float64(p.H)))
	}
}

// rows is how many rows of a picture of such height share a table.
func (s *sensor) rows(height int) int {
	if s.lamps.flicker == 0 {
		return height
	}
	return stripRows
}

// fill makes the table of a strip of rows.
func (s *sensor) fill(table *shades, gain [3]float64, ripple float64) {
	for c, g := range gain {
		for v, grey := range s.tone.back {
			table[c][v] = uint8(max(0, min(255, grey*g*ripple)) + 0.5)
		}
		for v := len(s.tone.back); v < len(table[c]); v++ {
			table[c][v] = table[c][v-1]
		}
	}
}

// move shifts what is seen into the picture that is taken; beyond the laboratory's edge there is nothing.
func (s *sensor) move(by [2]float64) {
	m := gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F)
	defer m.Close()
	m.SetDoubleAt(0, 0, 1)
	m.SetDoubleAt(1, 1, 1)
	m.SetDoubleAt(0, 1, 0)
	m.SetDoubleAt(1, 0, 0)
	m.SetDoubleAt(0, 2, by[0])
	m.SetDoubleAt(1, 2, by[1])
	border := gocv.BorderConstant
	if s.tone != nil {
		border = gocv.BorderReplicate
	}
	size := image.Pt(s.seen.Cols(), s.seen.Rows())
	gocv.WarpAffineWithParams(s.seen, &s.out, m, size, gocv.InterpolationLinear, border, color.RGBA{})
}

func (s *sensor) close() {
	for _, m := range []*gocv.Mat{&s.seen, &s.out, &s.there} {
		m.Close()
	}
	switch {
	case s.shared != nil:
		s.shared.giveBack()
	case s.grain.Ptr() != nil:
		s.grain.Close()
	}
}
