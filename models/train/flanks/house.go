package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"gocv.io/x/gocv"

	"vision/capture/sim"
	"vision/capture/sim/condition"
	"vision/internal/av"
	"vision/internal/cv"
)

const (
	shots    = 4 // pictures of a drawn table
	caughtUp = 6 // pictures that are encoded of what lies there before one is taken
)

var games = []string{"blackjack", "punto_banco", "dados_craps", "ruleta_francesa"}

// house looks at pictures of a table drawn from a seed.
func (o *out) house(seed uint64) error {
	game := games[seed%uint64(len(games))]
	name := fmt.Sprintf("house-%s-%d", game, seed)
	cfg := sim.Config{Game: game, Seed: seed, Plaques: seed%7 == 0}
	if o.done[name] {
		return nil
	}
	if seed%3 > 0 { // a laboratory otherwise
		house, err := condition.Named(condition.House)
		if err != nil {
			return err
		}
		cfg.Condition = house
	}
	s, err := sim.NewStill(cfg)
	if err != nil {
		return err
	}
	defer s.Close()
	empty, err := s.Empty()
	if err != nil {
		return err
	}
	bare, err := cv.DecodeImage(empty)
	if err != nil {
		return err
	}
	defer bare.Close()
	cal := s.Calibration()
	cam, err := newCamera(s)
	if err != nil {
		return err
	}
	defer cam.close()
	rng := rand.New(rand.NewPCG(seed, 0xf1a))
	for i := range shots {
		s.Clear()
		p := picture{Image: fmt.Sprint(i)}
		for _, z := range cal.Zones {
			if !z.Wants("chips") || z.Spot == "" && z.Name != "layout" || z.Spot == "pay" || rng.IntN(3) == 0 {
				continue
			}
			most := 2
			if z.Name == "layout" {
				most = 6
			}
			list, at, err := s.Standing(z.Name, 1+rng.IntN(most), []int{5, 12, 20}[rng.IntN(3)], rng.IntN(2) == 0)
			if err != nil {
				return err
			}
			for k := range list {
				p.Stacks = append(p.Stacks, standing{At: at[k], Chips: list[k]})
			}
		}
		img, err := cam.take()
		if err != nil {
			return err
		}
		if err := o.table(name, p, &cal, img, bare); err != nil {
			return err
		}
	}
	return nil
}

// camera takes pictures as they come out of a reader's decoder.
type camera struct {
	still *sim.Still
	enc   *av.Encoder
	dec   *av.Decoder
	bgr   gocv.Mat
	n     int
}

func newCamera(s *sim.Still) (*camera, error) {
	enc, err := s.NewEncoder(av.EncoderOptions{QP: 22})
	if err != nil {
		return nil, err
	}
	dec, err := av.NewDecoder()
	if err != nil {
		enc.Close()
		return nil, err
	}
	return &camera{still: s, enc: enc, dec: dec, bgr: gocv.NewMat()}, nil
}

func (c *camera) close() {
	c.enc.Close()
	c.dec.Close()
	c.bgr.Close()
}

func (c *camera) take() (gocv.Mat, error) {
	for range caughtUp {
		img, err := c.still.Picture()
		if err != nil {
			return c.bgr, err
		}
		u, err := c.enc.Encode(img, time.Duration(c.n)*40*time.Millisecond)
		if err != nil {
			return c.bgr, err
		}
		c.n++
		u.N = uint64(c.n)
		pictures, err := c.dec.Decode(u)
		if err != nil {
			return c.bgr, err
		}
		for _, p := range pictures {
			if err := p.BGR(&c.bgr); err != nil {
				return c.bgr, err
			}
			p.Close()
		}
	}
	if c.bgr.Empty() {
		return c.bgr, errors.New("the decoder gave no picture")
	}
	return c.bgr, nil
}
