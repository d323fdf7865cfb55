package card

import (
	"math"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
)

// The rectified patch of a card, upright; models/train cuts its samples alike.
const (
	rectW, rectH = 160, 224
	idxW, idxH   = 56, 80
)

// cardRatio is a poker card's longer side over its shorter one.
const cardRatio = 1.4

// patches are pictures of one size, BGR, that lie behind one another.
type patches struct {
	px   []byte
	w, h int
}

// cut cuts quadrilaterals out of img, the first corner of each to the top left.
func cut(img gocv.Mat, quads []fact.Quad, w, h int) (patches, error) {
	all := make([]cv.Corners, len(quads))
	for i, q := range quads {
		for k, p := range q {
			all[i][2*k], all[i][2*k+1] = float32(p[0]), float32(p[1])
		}
	}
	px, err := cv.Patches(img, all, w, h)
	return patches{px, w, h}, err
}

// rectify cuts cards out.
func rectify(img gocv.Mat, quads []fact.Quad) (patches, error) { return cut(img, quads, rectW, rectH) }

func (p patches) at(i int) []byte { return p.px[i*3*p.w*p.h : (i+1)*3*p.w*p.h] }

// faces are the face network's inputs of rectified cards.
func (p patches) faces() ([]byte, error) {
	if len(p.px) == 0 {
		return nil, nil
	}
	return cv.Half(p.px, p.w)
}

// appendIndex appends the index network's input for the top left corner of patch i
// or, with turned, for the bottom right one, turned upright.
func (p patches) appendIndex(to []byte, i int, turned bool) []byte {
	px := p.at(i)
	for y := range idxH {
		if !turned {
			to = append(to, px[3*y*p.w:3*(y*p.w+idxW)]...)
			continue
		}
		for k := (p.h-1-y)*p.w + p.w - 1; k >= (p.h-y)*p.w-idxW; k-- {
			to = append(to, px[3*k], px[3*k+1], px[3*k+2])
		}
	}
	return to
}

// texture measures the middle of patch i, see sight.texture.
func (p patches) texture(i int) float64 {
	px, n := p.at(i), 0
	var sum, squares [3]int
	for y := p.h / 5; y < p.h*4/5; y++ {
		for x := p.w / 5; x < p.w*4/5; x++ {
			k := 3 * (y*p.w + x)
			for c := range 3 {
				v := int(px[k+c])
				sum[c] += v
				squares[c] += v * v
			}
			n++
		}
	}
	most := 0.0
	for c := range 3 {
		mean := float64(sum[c]) / float64(n)
		most = max(most, math.Sqrt(max(0, float64(squares[c])/float64(n)-mean*mean)))
	}
	return most
}
