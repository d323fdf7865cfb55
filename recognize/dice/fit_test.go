package dice

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"vision/internal/cv"
	"vision/internal/lab/eval"
	"vision/models"
)

// sample is a proposal: what is known of it, and the value that is there, 0 for none.
type sample struct {
	hit   hit
	e     *evidence
	named [7]float64
	value int
}

// TestFitAgreement fits the weights of the namer's agreement on what was kept out of sets with
// boxes: VISION_DICE_FIT=set:set, VISION_DICE=folder of models.
func TestFitAgreement(t *testing.T) {
	sets := filepath.SplitList(os.Getenv("VISION_DICE_FIT"))
	if len(sets) == 0 {
		t.Skip("VISION_DICE_FIT names no set to fit on")
	}
	r, err := NewReader(models.Dir(os.Getenv("VISION_DICE")))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.load(); err != nil {
		t.Fatal(err)
	}
	var all []sample
	for _, set := range sets {
		images, err := eval.Load(set)
		if err != nil {
			t.Fatal(err)
		}
		for i := range images {
			if images[i].Has(eval.Dice) && heldOut(images[i].Image) {
				all = append(all, proposals(t, r, filepath.Join(set, images[i].Image), &images[i])...)
			}
		}
	}
	kept := fitted.Agreement
	defer func() { fitted.Agreement = kept }()
	least, step := loss(all), 0.3
	for step > 1e-3 {
		better := false
		for _, v := range []*float64{
			&fitted.Agreement.Named, &fitted.Agreement.Die, &fitted.Agreement.Spots, &fitted.Agreement.Offset,
		} {
			for _, d := range [2]float64{step, -step} {
				was := *v
				if *v += d; loss(all) < least {
					least, better = loss(all), true
					break
				}
				*v = was
			}
		}
		if !better {
			step /= 2
		}
	}
	t.Logf("%d proposals, loss %.4f: %+v", len(all), least, fitted.Agreement)
}

// proposals are those of a picture whose truth is known.
func proposals(t *testing.T, r *Reader, path string, truth *eval.Image) (out []sample) {
	img, err := cv.ReadImage(path)
	if err != nil {
		t.Fatal(err)
	}
	defer img.Close()
	hits, err := r.net.search(img, levels(img.Cols(), img.Rows()))
	if err != nil {
		t.Fatal(err)
	}
	taken := make([]bool, len(truth.Dice))
	for _, h := range merge(hits) {
		if h.die < hitFound || near(h, truth.Ignore, 0.8) >= 0 {
			continue
		}
		s := sample{hit: h}
		if i := nearDie(h, truth); i >= 0 {
			if taken[i] {
				continue
			}
			taken[i] = true
			if s.value, err = strconv.Atoi(truth.Dice[i].Label); err != nil {
				t.Fatal(err)
			}
		}
		var ok bool
		if s.e, err = r.witness.evidence(img, h); err == nil {
			s.named, ok, err = r.namer.name(img, h)
		}
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			out = append(out, s)
		}
	}
	return out
}

// nearDie is the die whose face a proposal is, -1: none. Boxes are of whole dice or of faces.
func nearDie(h hit, truth *eval.Image) int {
	boxes := make([]eval.Box, len(truth.Dice))
	for i, d := range truth.Dice {
		boxes[i] = *d.Box
	}
	return near(h, boxes, 0.4)
}

// near is the box whose middle is so many sides off at most, -1: none.
func near(h hit, boxes []eval.Box, sides float64) int {
	for i, b := range boxes {
		if side := max(b[2], b[3]); math.Hypot(h.x-b[0]-b[2]/2, h.y-b[1]-b[3]/2) < sides*side &&
			h.edge > 0.4*side && h.edge < 1.6*side {
			return i
		}
	}
	return -1
}

// loss is the mean of the truth's negative log probability.
func loss(all []sample) (sum float64) {
	for _, s := range all {
		sum -= math.Log(max(s.hit.named(s.e, s.named)[s.value], 1e-9))
	}
	return sum / float64(len(all))
}
