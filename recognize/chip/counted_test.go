package chip

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/internal/shared"
	"vision/models"
)

// byEye is a stack on a photograph whose chips were counted by eye.
type byEye struct {
	Image string   `json:"image"`
	Box   eval.Box `json:"box"`
	Count int      `json:"count"`
}

// countedStacks are those of the set itself and of testdata/counted.jsonl.
func countedStacks(t *testing.T, set string) []byEye {
	t.Helper()
	images, err := eval.Load(set)
	if err != nil {
		t.Fatal(err)
	}
	var out []byEye
	for i := range images {
		for _, c := range images[i].Chips {
			if c.Count != nil && c.Box != nil {
				out = append(out, byEye{images[i].Image, *c.Box, *c.Count})
			}
		}
	}
	data, err := os.ReadFile("testdata/counted.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var c byEye
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// TestMeasureCounts counts chips that were counted by eye: VISION_CHIP=DIR names
// the networks.
func TestMeasureCounts(t *testing.T) {
	dir := os.Getenv("VISION_CHIP")
	if dir == "" {
		t.Skip("VISION_CHIP names no folder with networks to measure")
	}
	set := filepath.Join(shared.Dir(t), "data", "pokersensei-stacks")
	r, err := NewReader(Options{Models: models.Dir(dir)})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.load(); err != nil {
		t.Fatal(err)
	}
	sums := map[string]*countSums{}
	for _, c := range countedStacks(t, set) {
		img, err := cv.ReadImage(filepath.Join(set, c.Image))
		if err != nil {
			t.Fatal(err)
		}
		found, stacks, err := r.stacks(img, rgb{1, 1, 1})
		img.Close()
		if err != nil {
			t.Fatal(err)
		}
		g := "16 to 20"
		switch {
		case c.Count <= 5:
			g = "1 to 5"
		case c.Count <= 15:
			g = "6 to 15"
		}
		if sums[g] == nil {
			sums[g] = &countSums{}
		}
		at := slices.IndexFunc(found, func(b sideView) bool {
			return eval.IoU(c.Box, eval.Box{b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0}) >= 0.5
		})
		if at < 0 {
			sums[g].all++
			t.Logf("%s: %d chips, not found", c.Image, c.Count)
			continue
		}
		sums[g].add(c.Count, &found[at], stacks[at])
		n, p := found[at].tally.likeliest()
		t.Logf("%s: %d chips, likeliest %d (%.2f), by the thickness %.1f, told %d to %d", c.Image, c.Count, n, p, found[at].layers, stacks[at].Low, stacks[at].High)
	}
	for g, s := range sums {
		t.Logf("%s chips: %+v", g, *s)
	}
}

// countSums are sums over stacks of about as many chips: of those reported with a number
// the right and the wrong, how many have the likeliest number or one beside it, and
// how many lie in what is reported.
type countSums struct{ all, found, right, wrong, likeliest, near, within int }

func (s *countSums) add(count int, b *sideView, told fact.Stack) {
	s.all++
	s.found++
	within := told.Low <= count && count <= told.High
	switch {
	case told.Low == told.High && within:
		s.right++
	case told.Low == told.High:
		s.wrong++
	}
	if within {
		s.within++
	}
	n, _ := b.tally.likeliest()
	if n == count {
		s.likeliest++
	}
	if max(n-count, count-n) <= 1 {
		s.near++
	}
}
