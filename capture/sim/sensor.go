package sim

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"

	"gocv.io/x/gocv"

	"vision/capture/sim/scene"
)

// sensor turns the clean picture into what a camera's sensor delivers: slowly
// drifting light and noise. Only what changed is taken over from the scene.
type sensor struct {
	lit    gocv.Mat // the scene under the present light
	grain  gocv.Mat // noise, larger than the picture, read at a random offset
	out    gocv.Mat
	shaken gocv.Mat
	gain   float64
	drift  float64 // amplitude of the gain
	rng    *rand.Rand
}

// grainRoom is how far the noise can be shifted, pixels.
const grainRoom = 64

func newSensor(cfg Config) *sensor {
	w, h := cfg.Size[0], cfg.Size[1]
	s := &sensor{lit: gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3), out: gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3),
		grain: gocv.NewMat(), shaken: gocv.NewMat(), gain: 1, rng: rand.New(rand.NewPCG(cfg.Seed, 0x5e45))}
	s.drift = cfg.Condition.Light.Drift
	if cfg.Noise > 0 {
		s.makeGrain(w+grainRoom, h+grainRoom, cfg.Noise)
	}
	return s
}

// makeGrain fills the noise: not negative, three deviations bright on average,
// a little alike in neighbouring pixels as after a camera's demosaicing.
func (s *sensor) makeGrain(w, h int, sigma float64) {
	pix := make([]byte, 3*w*h)
	for i := 0; i < len(pix); i += 3 {
		luma := s.rng.NormFloat64() * sigma
		for c := range 3 {
			v := math.Round(3*sigma + luma + s.rng.NormFloat64()*sigma*0.4)
			pix[i+c] = uint8(max(0, min(6*sigma, v)))
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
	if gain := s.light(now); gain != s.gain {
		s.gain, changed = gain, []image.Rectangle{p.Bounds()}
	}
	pix, err := s.lit.DataPtrUint8()
	if err != nil {
		return gocv.Mat{}, fmt.Errorf("simulated camera: %w", err)
	}
	for _, r := range changed {
		s.develop(pix, p, r)
	}
	src := s.lit
	if shake != [2]float64{} {
		s.move(shake)
		src = s.shaken
	}
	if s.grain.Empty() {
		src.CopyTo(&s.out)
		return s.out, nil
	}
	x, y := s.rng.IntN(grainRoom), s.rng.IntN(grainRoom)
	view := s.grain.Region(image.Rect(x, y, x+p.W, y+p.H))
	defer view.Close()
	gocv.Add(src, view, &s.out)
	return s.out, nil
}

// light is the gain at a time; it changes in small steps so that the picture is
// developed anew only now and then.
func (s *sensor) light(now float64) float64 {
	if s.drift == 0 {
		return 1
	}
	g := 1 + s.drift*math.Sin(now/47)*math.Cos(now/131)
	return math.Round(g*200) / 200
}

// develop copies a rectangle of the scene under the present gain.
func (s *sensor) develop(pix []byte, p *scene.Picture, r image.Rectangle) {
	gain := uint32(s.gain * 256)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		a, b := 3*(y*p.W+r.Min.X), 3*(y*p.W+r.Max.X)
		if gain == 256 {
			copy(pix[a:b], p.Pix[a:b])
			continue
		}
		for i := a; i < b; i++ {
			pix[i] = uint8(min(255, uint32(p.Pix[i])*gain>>8))
		}
	}
}

func (s *sensor) move(by [2]float64) {
	m := gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F)
	defer m.Close()
	m.SetDoubleAt(0, 0, 1)
	m.SetDoubleAt(1, 1, 1)
	m.SetDoubleAt(0, 1, 0)
	m.SetDoubleAt(1, 0, 0)
	m.SetDoubleAt(0, 2, by[0])
	m.SetDoubleAt(1, 2, by[1])
	gocv.WarpAffine(s.lit, &s.shaken, m, image.Pt(s.lit.Cols(), s.lit.Rows()))
}

func (s *sensor) close() {
	for _, m := range []*gocv.Mat{&s.lit, &s.grain, &s.out, &s.shaken} {
		m.Close()
	}
}
