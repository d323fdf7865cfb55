package sim

import (
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
	out    gocv.Mat
	tables []gocv.Mat // brightness by brightness, of each strip of rows
	there  gocv.Mat   // into the scale of the noise
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
		grain: gocv.NewMat(),
		there: gocv.NewMat(),
		rng:   rand.New(rand.NewPCG(cfg.Seed, 0x5e45)),
		calm:  cfg.Calm,
		fresh: true,
	}
	on, noise := cfg.Condition, max(cfg.Noise, 0)
	if on.Light != (condition.Light{}) || on.Camera.Soft > 0 || on.Camera.Noise > 0 {
		noise = s.live(cfg, noise)
	}
	if noise > 0 {
		s.makeGrain(w+grainRoom, h+grainRoom, noise)
	}
	return s
}

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
	for range (cfg.Size[1] + s.rows(cfg.Size[1]) - 1) / s.rows(cfg.Size[1]) {
		s.tables = append(s.tables, gocv.NewMatWithSize(1, 256, gocv.MatTypeCV8UC3))
	}
	s.there = gocv.NewMatWithSize(1, 256, gocv.MatTypeCV8UC1)
	for v, to := range s.tone.there {
		s.there.SetUCharAt(0, v, to)
	}
	return noise
}

// makeGrain fills the noise: not negative, a pedestal bright on average,
// a little alike in neighbouring pixels as after a camera's demosaicing.
func (s *sensor) makeGrain(w, h int, sigma float64) {
	pix := make([]byte, 3*w*h)
	for i := 0; i < len(pix); i += 3 {
		luma := s.rng.NormFloat64() * sigma
		for c := range 3 {
			v := math.Round(pedestal*sigma + luma + s.rng.NormFloat64()*sigma*0.4)
			pix[i+c] = uint8(max(0, min(2*pedestal*sigma, v)))
		}
	}
	m, err := gocv.NewMatFromBytes(h, w, gocv.MatTypeCV8UC3, pix)
	if err != nil {
		return // the size is our own
	}
	defer m.Close()
	m.CopyTo(&s.grain)
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
		if !s.grain.Empty() {
			s.offset = image.Pt(s.rng.IntN(grainRoom), s.rng.IntN(grainRoom))
		}
		if err := s.light(p, now); err != nil {
			return gocv.Mat{}, fmt.Errorf("simulated camera: %w", err)
		}
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
		s.develop(src, r)
	}
	s.same = len(changed) == 0
	return s.out, nil
}

// rests reports whether another picture of the same moment would be the last one.
func (s *sensor) rests() bool { return s.calm && !s.fresh && !s.shook }

// develop gives a rectangle of the picture its noise, and its brightness strip by strip.
func (s *sensor) develop(src gocv.Mat, r image.Rectangle) {
	from, to := src.Region(r), s.out.Region(r)
	defer from.Close()
	defer to.Close()
	if s.grain.Empty() {
		from.CopyTo(&to)
	} else {
		view := s.grain.Region(r.Add(s.offset))
		defer view.Close()
		gocv.Add(from, view, &to)
	}
	if s.tone == nil {
		return
	}
	rows := s.rows(s.out.Rows())
	for k := r.Min.Y / rows; k*rows < r.Max.Y; k++ {
		strip := s.out.Region(r.Intersect(image.Rect(r.Min.X, k*rows, r.Max.X, (k+1)*rows)))
		gocv.LUT(strip, s.tables[k], &strip)
		strip.Close()
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
func (s *sensor) light(p *scene.Picture, now float64) error {
	if s.tone == nil {
		return nil
	}
	gain, level := s.lamps.tint, s.lamps.at(now)
	for c := range gain {
		gain[c] *= level
	}
	for c, g := range s.auto.gains(p, gain, now) {
		gain[c] *= g
	}
	rows := s.rows(p.H)
	for k, table := range s.tables {
		y, end := k*rows, min((k+1)*rows, p.H)
		if err := s.fill(table, gain, s.lamps.ripple(now, float64(y+end)/2/float64(p.H))); err != nil {
			return err
		}
	}
	return nil
}

// rows is how many rows of a picture of such height share a table.
func (s *sensor) rows(height int) int {
	if s.lamps.flicker == 0 {
		return height
	}
	return stripRows
}

// fill makes the table of a strip of rows.
func (s *sensor) fill(table gocv.Mat, gain [3]float64, ripple float64) error {
	lut, err := table.DataPtrUint8()
	if err != nil {
		return err
	}
	for c, g := range gain {
		for v, grey := range s.tone.back {
			lut[3*v+c] = uint8(max(0, min(255, grey*g*ripple)) + 0.5)
		}
	}
	return nil
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
	for _, m := range []*gocv.Mat{&s.seen, &s.grain, &s.out, &s.there} {
		m.Close()
	}
	for i := range s.tables {
		s.tables[i].Close()
	}
}
