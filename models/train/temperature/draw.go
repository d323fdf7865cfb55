package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/card"
	"vision/internal/lab/eval"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
	"vision/models/train/camera"
)

// table is the evaluation set of a drawn table, drawn now unless it lies in the work folder.
func (r *refit) table(game string, seed uint64) (dir string, set *eval.Set, err error) {
	dir = filepath.Join(r.work, "drawn", fmt.Sprintf("%s-%d-%d", game, seed, r.pictures))
	truth := filepath.Join(dir, "truth.jsonl")
	if _, err := os.Stat(truth); err != nil {
		log.Print("drawing ", dir)
		lines, err := draw(dir, game, seed, r.pictures)
		if err != nil {
			return "", nil, fmt.Errorf("draw %s: %w", dir, err)
		}
		if err := whole(truth, lines); err != nil {
			return "", nil, err
		}
	}
	set, err = eval.LoadSet(dir)
	return dir, set, err
}

// draw takes pictures of a table, each with other things on it, through the encoder of its
// camera, and gives the lines of truth.
func draw(dir, game string, seed uint64, pictures int) ([]byte, error) {
	house, err := condition.Named(condition.House)
	if err != nil {
		return nil, err
	}
	s, err := sim.NewStill(sim.Config{Game: game, Seed: seed, Condition: house})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	cal := s.Calibration()
	if err := cal.Save(filepath.Join(dir, "calibration.yaml")); err != nil {
		return nil, err
	}
	bare, err := s.Empty()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "bare.jpg"), bare, 0o644); err != nil {
		return nil, err
	}
	cam, err := camera.Of(s)
	if err != nil {
		return nil, err
	}
	defer cam.Close()
	rng := rand.New(rand.NewPCG(seed, 0x7e3b))
	var lines []byte
	for i := range pictures {
		s.Clear()
		l := eval.Still{
			Image:    fmt.Sprintf("%03d.png", i),
			Empty:    "bare.jpg",
			Zones:    map[string]eval.StillZone{},
			Complete: []eval.Kind{eval.Cards, eval.Chips, eval.Dice},
		}
		for _, z := range cal.Zones {
			if err := lay(s, z, rng, l.Zones); err != nil {
				return nil, err
			}
		}
		img, err := cam.Take()
		if err != nil {
			return nil, err
		}
		if !gocv.IMWrite(filepath.Join(dir, l.Image), img) {
			return nil, fmt.Errorf("%s cannot be written", l.Image)
		}
		raw, err := json.Marshal(l)
		if err != nil {
			return nil, err
		}
		lines = append(append(lines, raw...), '\n')
	}
	return lines, nil
}

// lay puts on two in three zones what belongs there.
func lay(s *sim.Still, z calibration.Zone, rng *rand.Rand, truth map[string]eval.StillZone) error {
	if rng.IntN(3) == 0 {
		return nil
	}
	var t eval.StillZone
	if z.Wants("cards") {
		var cards []card.Card
		for range min(3, across(z)) {
			cards = append(cards, french(rng))
		}
		if err := s.Cards(z.Name, cards); err != nil {
			return err
		}
		for _, c := range cards {
			t.Cards = append(t.Cards, c.String())
		}
	}
	if z.Wants("chips") && z.Spot != "" && z.Spot != "pay" {
		stacks, err := s.Stacks(z.Name, 1, 12, rng.IntN(2) == 0)
		if err != nil {
			return err
		}
		for _, c := range stacks {
			t.Stacks = append(t.Stacks, eval.ChipStack{Chips: c})
		}
	}
	if z.Wants("dice") {
		faces, err := s.Dice(2)
		if err != nil {
			return err
		}
		for _, f := range faces {
			t.Dice = append(t.Dice, eval.Face(f))
		}
	}
	if t.Cards != nil || t.Stacks != nil || t.Dice != nil {
		truth[z.Name] = t
	}
	return nil
}

// across is how many cards lie side by side in a zone.
func across(z calibration.Zone) int {
	x0, x1 := math.Inf(1), math.Inf(-1)
	for _, p := range z.Polygon {
		x0, x1 = min(x0, p[0]), max(x1, p[0])
	}
	return int((x1 - x0 - 8) / 70)
}

// french is any card of the French pack.
func french(rng *rand.Rand) card.Card {
	for {
		if c := card.Card(1 + rng.IntN(255)); c.French() {
			return c
		}
	}
}
