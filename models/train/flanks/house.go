package main

import (
	"fmt"
	"math/rand/v2"

	"vision/internal/cv"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
	"vision/models/train/camera"
)

// shots are the pictures of a drawn table.
const shots = 4

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
	cam, err := camera.Of(s)
	if err != nil {
		return err
	}
	defer cam.Close()
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
			list, err := s.Standing(z.Name, 1+rng.IntN(most), []int{5, 12, 20}[rng.IntN(3)], rng.IntN(2) == 0)
			if err != nil {
				return err
			}
			for _, st := range list {
				p.Stacks = append(p.Stacks, standing{At: st.Foot, Chips: st.Chips})
			}
		}
		img, err := cam.Take()
		if err != nil {
			return err
		}
		if err := o.table(name, p, &cal, img, bare); err != nil {
			return err
		}
	}
	return nil
}
