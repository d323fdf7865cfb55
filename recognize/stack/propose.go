package stack

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
)

// The network that proposes upper faces: cells of topStride pixels in a picture in which a chip is topDiameter
// wide, each with the logits of what may lie there and a face's shape (models/train/tops.py).
const (
	topDiameter = 28.0
	topStride   = 4
	topHeads    = 1 + 8 // the face's log odds, and its shape
	topPad      = 16    // its pictures are multiples of this
)

// proposal is an upper face as it is seen first.
type proposal struct {
	px, foot fact.Point // its middle, and that of the foot, in the picture
	down     fact.Point // the way down there, a unit vector
	a, b     float64    // half axes in pixels
	p        float64
}

// across is how many pixels a millimetre has at a place of the felt, across the line of sight.
func across(view *calibration.View, at fact.Point) float64 {
	eye := view.Eye()
	x, y := eye[0]-at[0], eye[1]-at[1]
	far := math.Hypot(x, y)
	if far < 1 {
		x, y, far = 0, 1, 1
	}
	x, y = 10*x/far, 10*y/far
	a, b := view.ToImage(fact.Point{at[0] - y, at[1] + x}), view.ToImage(fact.Point{at[0] + y, at[1] - x})
	return math.Hypot(a[0]-b[0], a[1]-b[1]) / 20
}

// proposals are the upper faces that are in a part of the picture with at least such a probability. A chip is so many
// pixels wide there.
func (net *networks) proposals(img gocv.Mat, part image.Rectangle, wide, least float64) ([]proposal, error) {
	k := topDiameter / wide
	size := image.Pt(max(8, int(k*float64(part.Dx())+0.5)), max(8, int(k*float64(part.Dy())+0.5)))
	kx, ky := float64(size.X)/float64(part.Dx()), float64(size.Y)/float64(part.Dy())
	cut := img.Region(part)
	defer cut.Close()
	small := gocv.NewMat()
	defer small.Close()
	how := gocv.InterpolationLinear
	if k < 1 {
		how = gocv.InterpolationArea
	}
	gocv.Resize(cut, &small, size, 0, 0, how)
	gocv.CopyMakeBorder(small, &small, 0, -size.Y&(topPad-1), 0, -size.X&(topPad-1), gocv.BorderReplicate, color.RGBA{})
	out, w, h, err := net.tops.Map(small, topHeads, topStride)
	if err != nil {
		return nil, err
	}
	n := w * h
	heat := out[:n]
	var all []proposal
	for i, v := range heat {
		p := 1 / (1 + math.Exp(-float64(v)))
		if p < least || !cv.Peak(heat, w, h, i%w, i/w) {
			continue
		}
		shape := func(c int) float64 { return float64(out[(1+c)*n+i]) }
		x, y := float64(i%w*topStride)+1.5+shape(0), float64(i/w*topStride)+1.5+shape(1)
		if x >= float64(size.X) || y >= float64(size.Y) {
			continue
		}
		a, b := math.Exp(shape(2)), math.Exp(shape(3))
		back := func(x, y float64) fact.Point {
			return fact.Point{(x+0.5)/kx - 0.5 + float64(part.Min.X), (y+0.5)/ky - 0.5 + float64(part.Min.Y)}
		}
		long := max(math.Hypot(shape(6), shape(7)), 1e-6)
		all = append(all, proposal{
			px: back(x, y), foot: back(x+2*a*shape(4), y+2*a*shape(5)), down: fact.Point{shape(6) / long, shape(7) / long},
			a: a / kx, b: b / ky, p: p,
		})
	}
	return suppressed(all), nil
}

// suppressed are the likeliest of proposals that are of one face.
func suppressed(all []proposal) (kept []proposal) {
	slices.SortFunc(all, func(a, b proposal) int { return cmp.Compare(b.p, a.p) })
	for _, q := range all {
		if !slices.ContainsFunc(kept, func(o proposal) bool { return o.off(q.px) < par.apart }) {
			kept = append(kept, q)
		}
	}
	return kept
}

// off is how far a place of the picture is from the middle of the face, in radii along it.
func (q proposal) off(px fact.Point) float64 {
	x, y := px[0]-q.px[0], px[1]-q.px[1]
	return math.Hypot((x*q.down[1]-y*q.down[0])/q.a, (x*q.down[0]+y*q.down[1])/q.b)
}

// stands is the cylinder of chips that fits a proposal best.
func (q proposal) stands(view *calibration.View, diameter, thick float64) Face {
	best, least := Face{}, math.Inf(1)
	for n := 1; n <= Most; n++ {
		f := Face{q.px, float64(n), diameter, thick}
		foot := view.ToImage(f.Stands(view).At)
		if off := math.Hypot(foot[0]-q.foot[0], foot[1]-q.foot[1]); off < least {
			best, least = f, off
		}
	}
	return best
}
