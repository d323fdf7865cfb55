package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gocv.io/x/gocv"

	"vision/internal/fact"
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
	r, err := stack.NewReader(stack.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	for number, set := range sets {
		doc, err := os.ReadFile(filepath.Join(set, "truth.jsonl"))
		if err != nil {
			return err
		}
		s := new(shard)
		for i, line := range strings.Split(strings.TrimSpace(string(doc)), "\n") {
			var p pictured
			if err := json.Unmarshal([]byte(line), &p); err != nil {
				return fmt.Errorf("%s, line %d: %w", set, i+1, err)
			}
			// two thirds, as models/train/tops.py takes them
			if slices.Contains(p.Tags, "web") || crc32.ChecksumIEEE([]byte(p.Image))%3 == 0 {
				continue
			}
			if err := s.photograph(r, filepath.Join(set, p.Image), &p, int32(i)); err != nil {
				return err
			}
		}
		if s.sides() == 0 {
			continue
		}
		if err := write(filepath.Join(out, fmt.Sprintf("photographs-%d.npz", number)), s.arrays()); err != nil {
			return err
		}
	}
	return nil
}

// photograph adds the sides of one.
func (s *shard) photograph(r *stack.Reader, path string, p *pictured, number int32) error {
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
			b, f := *c.Box, side.Face
			over := max(0, min(b[0]+b[2], f[0]+f[2])-max(b[0], f[0])) * max(0, min(b[1]+b[3], f[1]+f[3])-max(b[1], f[1]))
			switch {
			case math.Abs(f[0]-b[0]) < 0.1*b[2] && math.Abs(f[0]+f[2]-b[0]-b[2]) < 0.1*b[2] && math.Abs(f[1]-b[1]) < 0.1*b[2]:
				count = -1 // its upper face
			case over > 0.3*f[2]*f[3] && f[2] > 0.5*b[2]:
				known = false
			}
		}
		if !known && count == 0 {
			continue
		}
		s.side, s.seen, s.scene = append(s.side, side.Pix...), append(s.seen, side.Seen[:]...), append(s.scene, number)
		s.offset, s.count, s.shown = append(s.offset, 0, 0), append(s.count, count), append(s.shown, 1, 1)
		for range stack.Most {
			s.kinds = append(s.kinds, -1)
		}
		s.palette, s.known = append(s.palette, make([]float32, 6*kindsKnown)...), append(s.known, 2)
	}
	return nil
}
