package dice

import (
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// leaning names what is not read and looks like another die of the throw.
func leaning(img gocv.Mat, list []fact.Die, hint Hint) error {
	i := slices.IndexFunc(list, func(d fact.Die) bool { return d.Abstain == "" && d.Irregular == "" && len(d.Guesses) > 0 })
	if i < 0 || hint.Drop <= 0 {
		return nil
	}
	pix, err := img.DataPtrUint8()
	if err != nil {
		return err
	}
	p := bitmap{pix, img.Cols(), img.Rows()}
	colour, whole := p.middle(box(list[i].Quad)), box(list[i].Quad)
	for _, q := range list[i].Quad {
		foot := image.Pt(int(q[0]+hint.Drop*(hint.Eye[0]-q[0])), int(q[1]+hint.Drop*(hint.Eye[1]-q[1])))
		whole = whole.Union(image.Rectangle{Min: foot, Max: foot.Add(image.Pt(1, 1))})
	}
	n := float64(p.count(whole, colour))
	var parts []int
	for k := range list {
		if d := &list[k]; len(d.Guesses) == 0 && d.Irregular == "" {
			c := float64(p.count(box(d.Quad), colour))
			if c >= leaningLeast*n && c <= leaningMost*n {
				d.Irregular = "cocked"
			}
			if c >= damagedLeastPart*n && c <= damagedMostPart*n {
				parts = append(parts, k)
			}
		}
	}
	for _, k := range parts {
		for _, o := range parts {
			d := centre(list[k].Quad).Sub(centre(list[o].Quad))
			if o != k && math.Hypot(float64(d.X), float64(d.Y)) < damagedApart*hint.Edge {
				list[k].Irregular = "broken"
			}
		}
	}
	return nil
}

// centre is the middle of the rectangle round a quad.
func centre(q fact.Quad) image.Point {
	b := box(q)
	return b.Min.Add(b.Max).Div(2)
}

// bitmap is BGR, three bytes a pixel.
type bitmap struct {
	pix  []byte
	w, h int
}

// box is the rectangle round a quad.
func box(q fact.Quad) image.Rectangle {
	r := image.Rect(int(q[0][0]), int(q[0][1]), int(q[0][0])+1, int(q[0][1])+1)
	for _, p := range q[1:] {
		r = r.Union(image.Rect(int(p[0]), int(p[1]), int(p[0])+1, int(p[1])+1))
	}
	return r
}

// middle is the median of each channel in the middle half of a rectangle, which
// the spots of a die do not fill.
func (p bitmap) middle(r image.Rectangle) []float64 {
	r = r.Inset(r.Dx() / 4).Intersect(image.Rect(0, 0, p.w, p.h))
	out := make([]float64, 3)
	for c := range out {
		var all []byte
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				all = append(all, p.pix[3*(y*p.w+x)+c])
			}
		}
		if len(all) == 0 {
			return out
		}
		slices.Sort(all)
		out[c] = float64(all[len(all)/2])
	}
	return out
}

// count is the number of pixels of a colour in whatever light.
func (p bitmap) count(r image.Rectangle, colour []float64) (n int) {
	r = r.Intersect(image.Rect(0, 0, p.w, p.h))
	sum := colour[0] + colour[1] + colour[2]
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			i := 3 * (y*p.w + x)
			c := [3]float64{float64(p.pix[i]), float64(p.pix[i+1]), float64(p.pix[i+2])}
			light := (c[0] + c[1] + c[2]) / max(sum, 1)
			if light > leaningDarkest && light < leaningBrightest && cosine(c[:], colour) > leaningSameColour {
				n++
			}
		}
	}
	return n
}
