package recognize

import (
	"fmt"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/recognize/chip"
	"vision/recognize/dice"
)

// Bare shows the camera's picture of the table with nothing on it: what is printed on
// the felt is known then and no longer read. It holds for as long as the camera stands
// as calibrated. img stays the caller's.
func (t *Table) Bare(img gocv.Mat) error {
	if _, err := t.pixels(img); err != nil {
		return err
	}
	closeMat(&t.empty)
	t.empty = img.Clone()
	t.relearn()
	return nil
}

// bareFrom is Bare with a picture that is still coded.
func (t *Table) bareFrom(file []byte) error {
	img, err := cv.DecodeImage(file)
	if err == nil {
		defer img.Close()
		err = t.Bare(img)
	}
	if err != nil {
		return fmt.Errorf("picture of the empty table: %w", err)
	}
	return nil
}

// relearn forgets what pictures taught of the felt, but for what Bare showed of it if
// the camera stands as it did then.
func (t *Table) relearn() {
	if t.felt != nil {
		t.felt = chip.NewFelt(t.cal.Size[0], t.cal.Size[1])
	}
	known := t.empty.Ptr() != nil && !t.away
	if known && t.felt != nil {
		if pix, err := t.empty.DataPtrUint8(); err == nil {
			t.felt.Bare(pix)
		}
	}
	for _, z := range t.zones {
		z.forgetBare()
		if known {
			z.learnBare(t.empty)
		}
	}
}

// forgetBare has nothing known of the felt.
func (z *zone) forgetBare() {
	closeMat(&z.flatBare)
	closeMat(&z.topBare)
	if z.bare != nil {
		z.bare = new(dice.Felt)
	}
}

// learnBare takes over a frame in which nothing lies.
func (z *zone) learnBare(empty gocv.Mat) {
	if z.flat != nil {
		z.flatBare = z.flat.cut(empty)
	}
	if z.top == nil {
		return
	}
	z.topBare = z.top.cut(empty)
	if pix, err := z.topBare.DataPtrUint8(); err == nil {
		z.bare.Bare(pix, z.topBare.Cols(), z.topBare.Rows())
	}
}

func closeMat(m *gocv.Mat) {
	if m.Ptr() != nil {
		m.Close()
		*m = gocv.Mat{}
	}
}

const (
	// printSteps are the points each way at which a thing is compared with the bare felt.
	printSteps = 20
	// printAlike is by how many grey levels, over the three channels, felt may differ
	// from its own picture in another light: noise and coding, and print a pixel aside.
	printAlike = 40
	// printShare is the share of the points that must look alike. What lies on the felt
	// hides it: of a card hardly any do, of a die of the cloth's colour all but its spots.
	printShare = 0.85
	// Between these the light may have changed; more is something else's colour.
	printDarker, printLighter = 0.6, 1.5
)

// printed tells whether the picture shows in a quad what it shows with nothing on the
// table; bare without memory: not known, so no.
func printed(img, bare gocv.Mat, q fact.Quad) bool {
	if bare.Ptr() == nil || bare.Cols() != img.Cols() || bare.Rows() != img.Rows() {
		return false
	}
	a, err := img.DataPtrUint8()
	if err != nil {
		return false
	}
	b, err := bare.DataPtrUint8()
	if err != nil {
		return false
	}
	at := within(q, img.Cols(), img.Rows())
	if len(at) == 0 {
		return false
	}
	light := lightOf(a, b, at)
	alike := 0
	for _, i := range at {
		d := 0.0
		for k := range 3 {
			d += math.Abs(float64(a[i+k]) - light*float64(b[i+k]))
		}
		if d < printAlike {
			alike++
		}
	}
	return float64(alike) >= printShare*float64(len(at))
}

// lightOf is how much lighter the points are than they were, in the median.
func lightOf(now, before []byte, at []int) float64 {
	ratios := make([]float64, len(at))
	for n, i := range at {
		sum := func(p []byte) float64 { return float64(p[i]) + float64(p[i+1]) + float64(p[i+2]) }
		ratios[n] = (sum(now) + 1) / (sum(before) + 1)
	}
	slices.Sort(ratios)
	return min(max(ratios[len(ratios)/2], printDarker), printLighter)
}

// within are the offsets, in BGR pixels of a picture of w×h, of points all over a quad.
func within(q fact.Quad, w, h int) (out []int) {
	for i := range printSteps {
		for j := range printSteps {
			u, v := (float64(i)+0.5)/printSteps, (float64(j)+0.5)/printSteps
			var p fact.Point
			for k := range 2 {
				p[k] = (1-v)*((1-u)*q[0][k]+u*q[1][k]) + v*((1-u)*q[3][k]+u*q[2][k])
			}
			x, y := int(p[0]), int(p[1])
			if p[0] >= 0 && p[1] >= 0 && x < w && y < h {
				out = append(out, 3*(y*w+x))
			}
		}
	}
	return out
}
