package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/recognize/stack"
)

// pictured is a line of a set's truth (internal/lab/eval).
type pictured struct {
	Image string
	Tags  []string
	Chips []struct{ Box *fact.Box }
}

// harvest writes a shard for every set: the sides under all that the shipped reader takes for faces.
func harvest(out string, sets []string) error {
	r, err := stack.NewPhotographs(nil)
	if err != nil {
		return err
	}
	defer r.Close()
	for number, set := range sets {
		doc, err := os.ReadFile(filepath.Join(set, "truth.jsonl"))
		if err != nil {
			return err
		}
		trained, held := new(shard), new(shard)
		for i, line := range strings.Split(strings.TrimSpace(string(doc)), "\n") {
			var p pictured
			if err := json.Unmarshal([]byte(line), &p); err != nil {
				return fmt.Errorf("%s, line %d: %w", set, i+1, err)
			}
			if slices.Contains(p.Tags, "web") {
				continue
			}
			s := trained
			if crc32.ChecksumIEEE([]byte(p.Image))%3 == 0 { // as models/train/tops.py
				s = held
			}
			if err := s.photograph(r, filepath.Join(set, p.Image), &p, int32(i)); err != nil {
				return err
			}
		}
		for k, s := range []*shard{trained, held} { // every tenth file is held back
			if s.sides() == 0 {
				continue
			}
			if err := write(filepath.Join(out, fmt.Sprintf("photographs-%d.npz", 10*number+9*k)), s.arrays()); err != nil {
				return err
			}
		}
	}
	return nil
}

// photograph adds the sides of one.
func (s *shard) photograph(r *stack.Photographs, path string, p *pictured, number int32) error {
	img := gocv.IMRead(path, gocv.IMReadColor)
	defer img.Close()
	if img.Empty() {
		return errors.New(path + ": no picture")
	}
	sides, err := r.Sides(img)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, side := range sides {
		count, known := int32(0), true
		for _, c := range p.Chips {
			if c.Box == nil { // somewhere in the picture
				known = false
				break
			}
			switch over := eval.IoU(eval.Box(*c.Box), eval.Box(side.Box)); {
			case over >= 0.5:
				count = -1 // uncounted
			case over > 0.1 || c.Box.Holds(side.Box.Centre()):
				known = false
			}
		}
		if !known && count == 0 {
			continue
		}
		s.side, s.seen, s.scene = append(s.side, side.Pix...), append(s.seen, side.Seen[:]...), append(s.scene, number)
		s.proposed = append(s.proposed, side.Proposed)
		s.offset, s.count, s.shown = append(s.offset, 0, 0), append(s.count, count), append(s.shown, 1, 1)
		for range stack.Most {
			s.kinds = append(s.kinds, -1)
		}
		s.palette, s.known = append(s.palette, make([]float32, 6*kindsKnown)...), append(s.known, 2)
	}
	return nil
}
