package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/card"
	"vision/internal/lab/sim"
)

// calibrated is a folder with a simulated table's calibration, the pictures of its bare
// felt and of one card on seat 2, and the truth of that.
func calibrated(t *testing.T, truth string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	s, err := sim.NewStill(sim.Config{Game: "blackjack", Seed: 6})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cal := s.Calibration()
	if err := cal.Save(filepath.Join(dir, "calibration.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"empty.jpg", "1.jpg"} {
		if name == "1.jpg" {
			c, _ := card.Parse("9h")
			if err := s.Cards("seat:2", []card.Card{c}); err != nil {
				t.Fatal(err)
			}
		}
		img, err := s.Picture()
		if err != nil {
			t.Fatal(err)
		}
		if !gocv.IMWrite(filepath.Join(dir, name), img) {
			t.Fatal(name)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "truth.jsonl"), []byte(truth), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Calibrated stills are told by their truth and measured; of one that cannot be read it is
// said once why, and the exit status is 1.
func TestEvalOfCalibratedStills(t *testing.T) {
	good := `{"image":"1.jpg","zones":{"seat:2":{"cards":["9h"]},"bank":{}},"complete":["cards","chips","dice"]}` + "\n"
	dir := calibrated(t, good)
	out, errs, err := caught(t, (&EvalCmd{Dir: dir, JSON: true}).Run)
	if err != nil || errs != "" {
		t.Fatalf("%v: %s", err, errs)
	}
	var r struct {
		Form   string
		Images int
		Cards  struct{ Recall struct{ Count, Samples int } }
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Form != "stills" || r.Images != 1 || r.Cards.Recall.Count != 1 {
		t.Errorf("%v: %s", err, out)
	}
	for _, ext := range []string{".svg", ".json"} {
		file := filepath.Join(dir, "reliability"+ext)
		if _, _, err := caught(t, (&EvalCmd{Dir: dir, Reliability: file}).Run); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(raw), map[string]string{".svg": "<svg", ".json": `"cards":{"readings":1,`}[ext]) {
			t.Errorf("%v: %s", err, raw)
		}
	}
	if _, _, err := caught(t, (&EvalCmd{Dir: dir, Reliability: "diagram.png"}).Run); err == nil || !strings.Contains(err.Error(), ".svg") {
		t.Errorf("a diagram as .png: %v", err)
	}
	lost := strings.Replace(good, "1.jpg", "lost.jpg", 1)
	if err := os.WriteFile(filepath.Join(dir, "truth.jsonl"), []byte(good+lost+lost), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, err = caught(t, (&EvalCmd{Dir: dir}).Run)
	if code := exitCode(0); !errors.As(err, &code) || code != 1 || strings.Count(errs, "\n") != 1 ||
		!strings.Contains(errs, "lost.jpg") ||
		!strings.Contains(out, "cards, recall") {
		t.Errorf("%v: %s%s", err, errs, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "truth.jsonl"), []byte(lost), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _, err = caught(t, (&EvalCmd{Dir: dir}).Run); err == nil || !strings.Contains(err.Error(), "none of its 1 pictures") || out != "" {
		t.Errorf("nothing to measure: %v: %s", err, out)
	}
}

// A calibrated camera's picture is read zone by zone; flags that do not go together are
// refused.
func TestDetectOfACalibratedCamera(t *testing.T) {
	dir := calibrated(t, "")
	cal, bare, img := filepath.Join(dir, "calibration.yaml"), filepath.Join(dir, "empty.jpg"), filepath.Join(dir, "1.jpg")
	for _, empty := range []string{"", bare} {
		out, errs, err := caught(
			t,
			(&DetectCmd{Images: []string{img, bare}, Calibration: cal, Empty: empty, Annotate: filepath.Join(dir, "out")}).Run,
		)
		if err != nil || errs != "" {
			t.Fatalf("%v: %s", err, errs)
		}
		var r struct {
			Image, Kind, Zone, Label string
			At                       [2]float64
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Image != img || r.Kind != "cards" || r.Zone != "seat:2" ||
			r.Label != "9h" ||
			r.At[0] <= 0 {
			t.Errorf("empty %q: %v: %s; want one line, of the card", empty, err, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "out", "1.jpg")); err != nil {
			t.Error(err)
		}
	}
	if out, _, err := caught(t, (&DetectCmd{Images: []string{img}, Calibration: cal, Kind: "dice"}).Run); err != nil || out != "" {
		t.Errorf("dice only: %v: %s", err, out)
	}
	small := filepath.Join(dir, "small.png")
	pngs, _ := felt(t, 96, 64)
	if err := os.WriteFile(small, pngs, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]*DetectCmd{
		"say by which calibration":   {Images: []string{img}, Empty: bare},
		"leave it out":               {Images: []string{img}, Calibration: cal, Edge: 20},
		"picture of the empty table": {Images: []string{img}, Calibration: cal, Empty: small},
		"calibration":                {Images: []string{img}, Calibration: small},
	} {
		if out, _, err := caught(t, c.Run); err == nil || !strings.Contains(err.Error(), want) || out != "" {
			t.Errorf("%v: %s; want %s", err, out, want)
		}
	}
	if _, errs, err := caught(t, (&DetectCmd{Images: []string{small}, Calibration: cal}).Run); err == nil ||
		!strings.Contains(errs, "small.png") ||
		!strings.Contains(errs, "96×64") {
		t.Errorf("a picture of another size: %v: %s", err, errs)
	}
}
