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
type sensor struct {
	raw    gocv.Mat // the scene before the lens
	seen   gocv.Mat // and behind it, in the scale of the noise
	grain  gocv.Mat // noise, larger than the picture, read at a random offset
	out    gocv.Mat
	shaken gocv.Mat
	table  gocv.Mat // brightness by brightness, of a strip of rows
	there  gocv.Mat // into the scale of the noise
	rng    *rand.Rand
	soft   float64 // standard deviation of the lens's blur, pixels
	tone   *tone   // nil: the laboratory's camera, which shows the scene as it is
	lamps  lamps
	auto   *auto
}

const (
	grainRoom = 64 // how far the noise can be shifted, pixels
	pedestal  = 3  // standard deviations that the noise is brighter than nothing
	stripRows = 24 // rows that share a moment of the lamps' flicker
)

func newSensor(cfg Config) *sensor {
	w, h := cfg.Size[0], cfg.Size[1]
	s := &sensor{
		seen:   gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3),
		out:    gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3),
		raw:    gocv.NewMat(),
		grain:  gocv.NewMat(),
		shaken: gocv.NewMat(),
		table:  gocv.NewMat(),
		there:  gocv.NewMat(),
		rng:    rand.New(rand.NewPCG(cfg.Seed, 0x5e45)),
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
	for _, m := range []*gocv.Mat{&s.raw, &s.table, &s.there} {
		m.Close()
	}
	s.raw = gocv.NewMatWithSize(cfg.Size[1], cfg.Size[0], gocv.MatTypeCV8UC3)
	s.table = gocv.NewMatWithSize(1, 256, gocv.MatTypeCV8UC3)
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
	for _, r := range changed {
		if err := s.take(p, r); err != nil {
			return gocv.Mat{}, fmt.Errorf("simulated camera: %w", err)
		}
	}
	src := s.seen
	if shake != [2]float64{} {
		s.move(shake)
		src = s.shaken
	}
	if s.grain.Empty() {
		src.CopyTo(&s.out)
	} else {
		x, y := s.rng.IntN(grainRoom), s.rng.IntN(grainRoom)
		view := s.grain.Region(image.Rect(x, y, x+p.W, y+p.H))
		defer view.Close()
		gocv.Add(src, view, &s.out)
	}
	if s.tone == nil {
		return s.out, nil
	}
	if err := s.light(p, now); err != nil {
		return gocv.Mat{}, fmt.Errorf("simulated camera: %w", err)
	}
	return s.out, nil
}

// take takes a rectangle of the scene over, through the lens.
func (s *sensor) take(p *scene.Picture, r image.Rectangle) error {
	if s.tone == nil {
		return copyRows(&s.seen, p, r)
	}
	if err := copyRows(&s.raw, p, r); err != nil {
		return err
	}
	blur := s.soft > 0
	if blur {
		r = r.Inset(-s.reach()).Intersect(p.Bounds())
	}
	from, to := s.raw.Region(r), s.seen.Region(r)
	defer from.Close()
	defer to.Close()
	if blur {
		side := 2*s.reach() + 1
		gocv.GaussianBlur(from, &to, image.Pt(side, side), s.soft, s.soft, gocv.BorderReplicate)
		gocv.LUT(to, s.there, &to)
		return nil
	}
	gocv.LUT(from, s.there, &to)
	return nil
}

// reach is how far the lens spreads a point, pixels.
func (s *sensor) reach() int { return int(math.Ceil(2.5 * s.soft)) }

func copyRows(to *gocv.Mat, p *scene.Picture, r image.Rectangle) error {
	pix, err := to.DataPtrUint8()
	if err != nil {
		return err
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		a, b := 3*(y*p.W+r.Min.X), 3*(y*p.W+r.Max.X)
		copy(pix[a:b], p.Pix[a:b])
	}
	return nil
}

// light gives the picture the brightness and the colour that light and camera make of
// the scene, strip by strip where the lamps flicker.
func (s *sensor) light(p *scene.Picture, now float64) error {
	gain, level := s.lamps.tint, s.lamps.at(now)
	for c := range gain {
		gain[c] *= level
	}
	for c, g := range s.auto.gains(p, gain, now) {
		gain[c] *= g
	}
	rows := stripRows
	if s.lamps.flicker == 0 {
		rows = p.H
	}
	for y := 0; y < p.H; y += rows {
		end := min(y+rows, p.H)
		if err := s.fill(gain, s.lamps.ripple(now, float64(y+end)/2/float64(p.H))); err != nil {
			return err
		}
		strip := s.out.RowRange(y, end)
		gocv.LUT(strip, s.table, &strip)
		strip.Close()
	}
	return nil
}

// fill makes the table of a strip of rows.
func (s *sensor) fill(gain [3]float64, ripple float64) error {
	lut, err := s.table.DataPtrUint8()
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

// move shifts the picture; beyond the laboratory's edge there is nothing.
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
	gocv.WarpAffineWithParams(
		s.seen,
		&s.shaken,
		m,
		image.Pt(s.seen.Cols(), s.seen.Rows()),
		gocv.InterpolationLinear,
		border,
		color.RGBA{},
	)
}

func (s *sensor) close() {
	for _, m := range []*gocv.Mat{&s.raw, &s.seen, &s.grain, &s.out, &s.shaken, &s.table, &s.there} {
		m.Close()
	}
}
