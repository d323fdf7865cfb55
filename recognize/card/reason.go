package card

import (
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// explain gives each card that was not read the cause that shows in the picture:
// small, occluded, glare or blurred; "unsure" stays where none does.
func explain(img gocv.Mat, cards []fact.Card) error {
	for i := range cards {
		c := &cards[i]
		if c.Abstain != "unsure" {
			continue
		}
		a, b := sides(c.Quad)
		short := min(a, b)
		if short < reasonSmall {
			c.Abstain = "small"
			continue
		}
		if covered(c, cards) {
			c.Abstain = "occluded"
			continue
		}
		patch, err := rectified(img, c.Quad)
		if err != nil {
			return err
		}
		switch {
		case glare(patch) > reasonGlare:
			c.Abstain = "glare"
		case edgeWidth(patch)*short/rectW > reasonBlur:
			c.Abstain = "blurred"
		}
		patch.Close()
	}
	return nil
}

// rectified is a card cut out as a picture of its own, which the caller closes.
func rectified(img gocv.Mat, q fact.Quad) (gocv.Mat, error) {
	p, err := rectify(img, []fact.Quad{q})
	if err != nil {
		return gocv.Mat{}, err
	}
	return gocv.NewMatFromBytes(p.h, p.w, gocv.MatTypeCV8UC3, p.px)
}

// covered reports whether a card that was read lies over part of c or c over it:
// either way one of them hides the other.
func covered(c *fact.Card, cards []fact.Card) bool {
	return slices.ContainsFunc(cards, func(o fact.Card) bool {
		return o.Abstain == "" && overlap(o.Quad, c.Quad) > reasonHidden*area(c.Quad[:])
	})
}

// glare is the share of a patch that is burnt out in one piece, beyond what the
// card's own white may be: only where other white of the patch is darker.
func glare(patch gocv.Mat) float64 {
	pale := palest(patch)
	defer pale.Close()
	mask := gocv.NewMat()
	defer mask.Close()
	gocv.Threshold(pale, &mask, reasonBurnt-1, 255, gocv.ThresholdBinary)
	kernel := gocv.GetStructuringElement(gocv.MorphRect, image.Pt(9, 9))
	defer kernel.Close()
	gocv.Erode(mask, &mask, kernel)
	gocv.Dilate(mask, &mask, kernel)
	share := float64(gocv.CountNonZero(mask)) / float64(rectW*rectH)
	if share > reasonWhole { // the whole card is overexposed: its ink would still show
		return 0
	}
	return share
}

// edgeWidth is how many pixels of the patch its sharpest edges take to rise: the
// contrast of the patch over its steepest gradients.
func edgeWidth(patch gocv.Mat) float64 {
	grey, dx, dy := gocv.NewMat(), gocv.NewMat(), gocv.NewMat()
	defer grey.Close()
	defer dx.Close()
	defer dy.Close()
	gocv.CvtColor(patch, &grey, gocv.ColorBGRToGray)
	gocv.GaussianBlur(grey, &grey, image.Pt(3, 3), 0, 0, gocv.BorderDefault) // noise has no width
	px, err := grey.DataPtrUint8()
	if err != nil {
		return 0
	}
	low, high := spread(px)
	gocv.Sobel(grey, &dx, gocv.MatTypeCV32F, 1, 0, 3, 0.125, 0, gocv.BorderDefault)
	gocv.Sobel(grey, &dy, gocv.MatTypeCV32F, 0, 1, 3, 0.125, 0, gocv.BorderDefault)
	gx, errx := dx.DataPtrFloat32()
	gy, erry := dy.DataPtrFloat32()
	if errx != nil || erry != nil {
		return 0
	}
	steep := make([]float64, len(gx))
	for i := range gx {
		steep[i] = math.Hypot(float64(gx[i]), float64(gy[i]))
	}
	slices.Sort(steep)
	return float64(high-low) / max(1, steep[len(steep)*99/100])
}

// spread is the range of grey levels of px, the outermost hundredths left out.
func spread(px []uint8) (low, high int) {
	var count [256]int
	for _, v := range px {
		count[v]++
	}
	rest := len(px) / 100
	for sum := count[0]; sum <= rest && low < 255; sum += count[low] {
		low++
	}
	high = 255
	for sum := count[255]; sum <= rest && high > low; sum += count[high] {
		high--
	}
	return low, high
}
