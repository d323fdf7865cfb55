package dice

import (
	"os"
	"path/filepath"
	"testing"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/models"
)

// TestMeasure scores networks on what was kept out of sets: VISION_DICE=folder of
// models, VISION_DICE_SETS=set:set; on all of them with VISION_DICE_ALL.
func TestMeasure(t *testing.T) {
	dir := os.Getenv("VISION_DICE")
	if dir == "" {
		t.Skip("VISION_DICE names no folder with a network to measure")
	}
	r, err := NewReader(models.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, set := range filepath.SplitList(os.Getenv("VISION_DICE_SETS")) {
		images, err := eval.Load(set)
		if err != nil {
			t.Fatal(err)
		}
		tally := eval.Tally{Kind: eval.Dice}
		for i := range images {
			if !images[i].Has(eval.Dice) || !heldOut(images[i].Image) {
				continue
			}
			img, err := cv.ReadImage(filepath.Join(set, images[i].Image))
			if err != nil {
				t.Fatal(err)
			}
			list, err := r.Read(img, Hint{})
			img.Close()
			if err != nil {
				t.Fatal(err)
			}
			tally.Add(&images[i], readings(list), 0)
		}
		result := tally.Result(filepath.Base(set))
		if err := result.Write(os.Stdout); err != nil {
			t.Fatal(err)
		}
	}
}

// heldOut is the rule of models/train/dice_scenes.py: every sixth photograph.
func heldOut(name string) bool {
	if os.Getenv("VISION_DICE_ALL") != "" {
		return true
	}
	sum := 0
	for _, b := range []byte(name) {
		sum += int(b)
	}
	return sum%6 == 0
}

func readings(list []fact.Die) []eval.Reading {
	var out []eval.Reading
	for _, d := range list {
		label, _ := fact.Best(d.Guesses)
		if d.Abstain != "" {
			label = eval.Abstained
		}
		q := d.Quad
		out = append(out, eval.Reading{Label: label, Reason: d.Abstain,
			Box: eval.Box{q[0][0], q[0][1], q[2][0] - q[0][0], q[2][1] - q[0][1]}})
	}
	return out
}
