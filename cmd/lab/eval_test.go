package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vision/internal/command"
	"vision/internal/testkit/caught"
	"vision/internal/testkit/simulated"
)

// Calibrated stills are told by their truth and measured; of one that cannot be read it is
// said once why, and the exit status is 1.
func TestEvalOfCalibratedStills(t *testing.T) {
	good := `{"image":"1.jpg","zones":{"seat:2":{"cards":["9h"]},"bank":{}},"complete":["cards","chips","dice"]}` + "\n"
	dir := simulated.Card(t)
	if err := os.WriteFile(filepath.Join(dir, "truth.jsonl"), []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, err := caught.Run(t, (&EvalCmd{Dir: dir, JSON: true}).Run)
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
		if _, _, err := caught.Run(t, (&EvalCmd{Dir: dir, Reliability: file}).Run); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(raw), map[string]string{".svg": "<svg", ".json": `"cards":{"readings":1,`}[ext]) {
			t.Errorf("%v: %s", err, raw)
		}
	}
	for _, n := range []int{-1, 2} { // one camera took each
		_, _, err := caught.Run(t, (&EvalCmd{Dir: dir, Cameras: n}).Run)
		if err == nil || !strings.Contains(err.Error(), "--cameras") {
			t.Errorf("%d cameras: %v", n, err)
		}
	}
	_, _, err = caught.Run(t, (&EvalCmd{Dir: dir, Reliability: "diagram.png"}).Run)
	if err == nil || !strings.Contains(err.Error(), ".svg") {
		t.Errorf("a diagram as .png: %v", err)
	}
	lost := strings.Replace(good, "1.jpg", "lost.jpg", 1)
	if err := os.WriteFile(filepath.Join(dir, "truth.jsonl"), []byte(good+lost+lost), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, err = caught.Run(t, (&EvalCmd{Dir: dir}).Run)
	if code := command.Status(0); !errors.As(err, &code) || code != 1 || strings.Count(errs, "\n") != 1 ||
		!strings.Contains(errs, "lost.jpg") ||
		!strings.Contains(out, "cards, recall") {
		t.Errorf("%v: %s%s", err, errs, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "truth.jsonl"), []byte(lost), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _, err = caught.Run(t, (&EvalCmd{Dir: dir}).Run); err == nil || !strings.Contains(err.Error(), "none of its 1 pictures") || out != "" {
		t.Errorf("nothing to measure: %v: %s", err, out)
	}
}
