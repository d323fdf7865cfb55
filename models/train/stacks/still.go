package main

import (
	"bytes"
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

// Sizes of stills: the zone's half side in millimetres, the pixels that a picture has at most where it is not enlarged,
// and the most cameras of one table.
const (
	zoneHalf     = 150.0
	stillMost    = 1_500_000
	stillCameras = 3
)

// shoot is how stills are taken.
type shoot struct {
	seed      uint64
	low, high float64 // pixels per chip, of every camera
	size      float64 // times which the main camera has them
	cameras   int
}

// zone is the part of the picture that shows the zone and what stands on it.
func (s *scene) zone() (left, top, w, h int) {
	x0, y0, x1, y1 := 1e9, 1e9, -1e9, -1e9
	for i := range 8 {
		p := vec{zoneHalf * float64(i&1*2-1), zoneHalf * float64(i>>1&1*2-1), 90 * float64(i>>2)}
		x, y := s.project(p)
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	left, top = int(math.Floor(x0))-8, int(math.Floor(y0))-8
	return left, top, int(x1) - left + 8, int(y1) - top + 8
}

// still writes a scene as a calibrated still of the evaluation (internal/lab/MEASURING.md), with
// the pictures of its bare table, and gives its line of truth. It is nil where the scene is too
// large, or a stack stands outside the zone, by whichever cameras and in whichever size it is taken.
func (s *scene) still(dir string, number int, how shoot) (map[string]any, error) {
	if _, _, w, h := s.zone(); w*h > stillMost {
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
	var views []any
	for n := 1; n < how.cameras; n++ {
		side, err := s.beside(number, n, how).taken(dir, number, n)
		if err != nil {
			return nil, err
		}
		views = append(views, side)
	}
	s.scale, s.focal = s.scale*how.size, s.focal*how.size
	line, err := s.taken(dir, number, 0)
	if err != nil {
		return nil, err
	}
	line["tags"], line["complete"] = []string{"traced"}, []string{"chips"}
	line["zones"] = map[string]any{"seat:1 main": map[string]any{"stacks": stacks}}
	if views != nil {
		line["views"] = views
	}
	return line, nil
}

// beside is the scene as the n-th low camera at the table's sides sees it, the same whatever else is taken: the first
// one to the right of the main one, the second one to its left.
func (s *scene) beside(number, n int, how shoot) *scene {
	side := *s
	side.d = newDice(how.seed, uint64(number)|uint64(n)<<32)
	d, main := side.d, math.Atan2(s.ahead[0], s.ahead[1])
	for {
		away := d.u(50, 110) * math.Pi / 180 * float64(3-2*n)
		v := view{tilt: d.u(18, 36) * math.Pi / 180, turn: main - away, far: d.log(700, 2600), aim: 0.2}
		side.camera(v, how.low, how.high)
		side.exposed()
		if _, _, w, h := side.zone(); w*h <= stillMost {
			return &side
		}
	}
}

// taken writes the n-th camera's calibration, its picture and that of the bare table, unless they lie there, and gives
// their names.
func (s *scene) taken(dir string, number, n int) (map[string]any, error) {
	left, top, w, h := s.zone()
	cal, err := s.calibrated(left, top, w, h)
	if err != nil {
		return nil, err
	}
	cal.Schema, cal.Table, cal.Camera, cal.Card = "calibration/1", "traced", "traced", [2]float64{63, 88}
	base := fmt.Sprintf("%03d", number)
	if n > 0 {
		cal.Camera += fmt.Sprintf("-%d", n+1)
		base += fmt.Sprintf("-%d", n+1)
	}
	cal.Zones = []calibration.Zone{{Name: "seat:1 main", Reads: []string{"chips"}, Seat: 1, Spot: "main",
		Polygon: []fact.Point{{-zoneHalf, -zoneHalf}, {zoneHalf, -zoneHalf}, {zoneHalf, zoneHalf}, {-zoneHalf, zoneHalf}}}}
	l := s.d.lens()
	cal.Palette = s.shownPalette(l, len(s.palette))
	doc, err := yaml.Marshal(cal)
	if err != nil {
		return nil, err
	}
	names := map[string]any{"image": base + ".jpg", "calibration": base + ".yaml", "empty": base + "-bare.jpg"}
	bare, calibrated := filepath.Join(dir, base+"-bare.jpg"), filepath.Join(dir, base+".yaml")
	// The calibration is written last: it tells this camera of this scene from any other.
	if old, err := os.ReadFile(calibrated); err == nil && bytes.Equal(old, doc) {
		return names, nil
	}
	err = picture(filepath.Join(dir, base+".jpg"), l.developed(s.d, s.rendered(left, top, w, h), w, h, s.gain), w, h)
	if err != nil {
		return nil, err
	}
	empty := *s
	empty.piles = nil
	if err := picture(bare, l.developed(s.d, empty.rendered(left, top, w, h), w, h, s.gain), w, h); err != nil {
		return nil, err
	}
	return names, os.WriteFile(calibrated, doc, 0o644)
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

// stills writes so many scenes, each the same whatever is asked for beside it.
func stills(dir string, how shoot, n int) error {
	f, err := os.Create(filepath.Join(dir, "truth.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	for i, done := 0, 0; done < n; i++ {
		line, err := newScene(newDice(how.seed, uint64(i)), 20, how.low, how.high, false).still(dir, i, how)
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
