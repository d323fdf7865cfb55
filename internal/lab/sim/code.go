package sim

import (
	"fmt"
	"image"
	"image/color"
	"time"

	"gocv.io/x/gocv"
)

// A coded picture bears the time at which it was taken in a strip along its upper
// edge: codeCells cells of equal width, white for one, black for none. The first
// two are white and black; the others are the milliseconds since 1970, the lowest
// bit first, and two that say whether the ones among them are odd and even.
const (
	codeBits  = 20
	codeCells = 2 + codeBits + 2
	codeDepth = 30 // of the strip, as a share of the picture's height
)

// stamp draws the code.
func stamp(img *gocv.Mat, at time.Time) error {
	if img.Empty() {
		return fmt.Errorf("simulated camera: no picture to be coded")
	}
	w, h := img.Cols(), img.Rows()/codeDepth
	ms := at.UnixMilli()
	ones := 0
	cell := func(i int, on bool) {
		level := uint8(16)
		if on {
			level = 235
		}
		gocv.Rectangle(img, image.Rect(i*w/codeCells, 0, (i+1)*w/codeCells, h), color.RGBA{level, level, level, 0}, -1)
	}
	cell(0, true)
	cell(1, false)
	for b := range codeBits {
		on := ms>>b&1 == 1
		if on {
			ones++
		}
		cell(2+b, on)
	}
	cell(2+codeBits, ones%2 == 1)
	cell(3+codeBits, ones%2 == 0)
	return nil
}
