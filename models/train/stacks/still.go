package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"

	"github.com/goccy/go-yaml"

	"vision/calibration"
	"vision/internal/fact"
)

// Sizes of stills: the zone's half side in millimetres, and the pixels that a picture has at most.
const (
	zoneHalf  = 150.0
	stillMost = 1_500_000
)

// still writes a scene as a calibrated still of the evaluation (internal/lab/MEASURING.md), with
// the picture of its bare table, and gives its line of truth. It is nil where the scene is too
// large, or a stack stands outside the zone.
func (s *scene) still(dir string, number int) (map[string]any, error) {
	x0, y0, x1, y1 := 1e9, 1e9, -1e9, -1e9
	for i := range 8 {
		p := vec{zoneHalf * float64(i&1*2-1), zoneHalf * float64(i>>1&1*2-1), 90 * float64(i>>2)}
		x, y := s.project(p)
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	left, top := int(math.Floor(x0))-8, int(math.Floor(y0))-8
	w, h := int(x1)-left+8, int(y1)-top+8
	if w*h > stillMost {
		return nil, nil
	}
	stacks := []any{}
	for i := range s.piles {
		p := &s.piles[i]
		if math.Abs(p.foot[0]) > zoneHalf-5 || math.Abs(p.foot[1]) > zoneHalf-5 {
			return nil, nil
		}
		var chips []string
		for _, c := range p.chips {
			chips = append(chips, fmt.Sprintf("k%d", c.kind))
		}
		stacks = append(stacks, map[string]any{"chips": chips})
	}
	cal, err := s.calibrated(left, top, w, h)
	if err != nil {
		return nil, err
	}
	cal.Schema, cal.Table, cal.Camera, cal.Card = "calibration/1", "traced", "traced", [2]float64{63, 88}
	cal.Zones = []calibration.Zone{{Name: "seat:1 main", Reads: []string{"chips"}, Seat: 1, Spot: "main",
		Polygon: []fact.Point{{-zoneHalf, -zoneHalf}, {zoneHalf, -zoneHalf}, {zoneHalf, zoneHalf}, {-zoneHalf, zoneHalf}}}}
	l := s.d.lens()
	cal.Palette = s.shownPalette(l, len(s.palette))
	name := func(end string) string { return fmt.Sprintf("%03d%s", number, end) }
	doc, err := yaml.Marshal(cal)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name(".yaml")), doc, 0o644)
	}
	if err == nil {
		err = picture(filepath.Join(dir, name(".jpg")), l.developed(s.d, s.rendered(left, top, w, h), w, h, s.gain), w, h)
	}
	piles := s.piles
	s.piles = nil
	if err == nil {
		err = picture(filepath.Join(dir, name("-bare.jpg")), l.developed(s.d, s.rendered(left, top, w, h), w, h, s.gain), w, h)
	}
	s.piles = piles
	return map[string]any{"image": name(".jpg"), "calibration": name(".yaml"), "empty": name("-bare.jpg"), "tags": []string{"traced"}, "complete": []string{"chips"},
		"zones": map[string]any{"seat:1 main": map[string]any{"stacks": stacks}}}, err
}

// shownPalette are the first n kinds as a technician takes them from a camera's picture.
func (s *scene) shownPalette(l lens, n int) (palette []calibration.Chip) {
	for i, worth := 0, int64(100); i < n; i, worth = i+1, 3*worth {
		face, edge := s.shown(l, i, 1)
		hex := func(c vec) string {
			c = c.times(255)
			return fmt.Sprintf("#%02x%02x%02x", int(c[0]), int(c[1]), int(c[2]))
		}
		palette = append(palette, calibration.Chip{ID: fmt.Sprintf("k%d", i), Face: hex(face), Edge: hex(edge),
			Diameter: s.diameter, Thickness: s.thick, Value: worth})
	}
	return palette
}

// picture writes RGB pixels as JPEG.
func picture(path string, pix []byte, w, h int) error {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		copy(img.Pix[4*i:4*i+3], pix[3*i:3*i+3])
		img.Pix[4*i+3] = 255
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := jpeg.Encode(f, img, &jpeg.Options{Quality: 95}); err != nil {
		return err
	}
	return f.Close()
}

// stills writes so many of a seed's scenes, each the same whatever is asked for beside it.
func stills(dir string, seed uint64, n int, low, high float64) error {
	f, err := os.Create(filepath.Join(dir, "truth.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	for i, done := 0, 0; done < n; i++ {
		line, err := newScene(newDice(seed, uint64(i)), 20, low, high, false).still(dir, i)
		if err != nil {
			return err
		}
		if line == nil {
			continue
		}
		done++
		if err := json.NewEncoder(f).Encode(line); err != nil {
			return err
		}
	}
	return f.Close()
}
