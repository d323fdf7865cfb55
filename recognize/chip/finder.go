package chip

import (
	"cmp"
	"image"
	"io/fs"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/models"
	"vision/recognize/network"
)

// finder finds stacks seen from the side on a photograph by a network that
// answers for stacks of some 18 to 64 pixels, on a pyramid of pictures.
type finder struct{ net *network.Net }

// The network's output: a cell of findStride pixels each, the logit of a stack's
// middle and the logarithms of the distances to its box's sides over findMiddle.
const (
	findStride = 8
	findHeads  = 5
	findMiddle = 24.0
)

func newFinder(set fs.FS) (*finder, error) {
	net, err := network.Load(set, "stacks", "the heads stack and box", func(e *models.Entry) bool {
		return e.Size() == findHeads
	})
	if err != nil {
		return nil, err
	}
	return &finder{net}, nil
}

// bounds are a stack's place: upright, in pixels, with the probability that one is there.
type bounds struct{ x0, y0, x1, y1, p float64 }

func (b bounds) area() float64 { return (b.x1 - b.x0) * (b.y1 - b.y0) }

func (b bounds) quad() fact.Quad {
	return upright(fact.Point{b.x0, b.y0}, fact.Point{b.x1, b.y1})
}

// turned is the box of a stack that leans in the picture by an angle (radians, from x to y)
// and has b round it, put upright about its middle: the lengths round an upright stack of
// ellipses. False where no stack leans so in b.
func (b bounds) turned(turn float64) (bounds, bool) {
	sin, cos := math.Sincos(math.Abs(turn))
	w, h := b.x1-b.x0, b.y1-b.y0
	p, q := math.Hypot(cos, par.lean.flat*sin), math.Hypot(sin, par.lean.flat*cos)
	det := p*cos - q*sin
	a, side := (w*cos-h*sin)/det, (h*p-w*q)/det
	if det <= 0 || a <= 0 || side <= 0 {
		return b, false
	}
	x, y, high := (b.x0+b.x1)/2, (b.y0+b.y1)/2, side+par.lean.flat*a
	return bounds{x - a/2, y - high/2, x + a/2, y + high/2, b.p}, true
}

// shared is the area that two boxes have in common.
func (b bounds) shared(o bounds) float64 {
	return max(0, min(b.x1, o.x1)-max(b.x0, o.x0)) * max(0, min(b.y1, o.y1)-max(b.y0, o.y0))
}

// find gives the boxes of stacks, surest first.
func (f *finder) find(img gocv.Mat) ([]bounds, error) {
	var all []bounds
	small := gocv.NewMat()
	defer small.Close()
	long := max(img.Cols(), img.Rows())
	for i, side := range par.stack.strideLevels {
		if side > long && i > 0 {
			break
		}
		scale := float64(side) / float64(long)
		w := max(findStride, int(scale*float64(img.Cols())/findStride+0.5)*findStride)
		h := max(findStride, int(scale*float64(img.Rows())/findStride+0.5)*findStride)
		gocv.Resize(img, &small, image.Pt(w, h), 0, 0, gocv.InterpolationArea)
		out, gw, gh, err := f.net.Map(small, findHeads, findStride)
		if err != nil {
			return nil, err
		}
		for _, b := range stackPeaks(out, gw, gh) {
			all = append(all, b.scaled(float64(img.Cols())/float64(w), float64(img.Rows())/float64(h), img.Cols(), img.Rows()))
		}
	}
	return suppressBoxes(all), nil
}

// scaled is the box in the whole picture of w × h pixels.
func (b bounds) scaled(sx, sy float64, w, h int) bounds {
	return bounds{max(0, b.x0*sx), max(0, b.y0*sy), min(float64(w), b.x1*sx), min(float64(h), b.y1*sy), b.p}
}

// stackPeaks are the boxes of the cells in which a stack's middle is likelier
// than in those about them.
func stackPeaks(out []float32, w, h int) []bounds {
	var all []bounds
	n := w * h
	for i, v := range out[:n] {
		x, y := i%w, i/w
		p := 1 / (1 + math.Exp(-float64(v)))
		if p < par.stack.least || !cv.Peak(out, w, h, x, y) {
			continue
		}
		side := func(k int) float64 { return findMiddle * math.Exp(min(3, max(-4, float64(out[k*n+i])))) }
		cx, cy := (float64(x)+0.5)*findStride, (float64(y)+0.5)*findStride
		b := bounds{cx - side(1), cy - side(2), cx + side(3), cy + side(4), p}
		if wide := b.x1 - b.x0; wide >= par.stack.slimmest && wide <= par.stack.widest {
			all = append(all, b)
		}
	}
	return all
}

// suppressBoxes keeps one box for each stack: the surest, and none that is a slim
// part of a surer one.
func suppressBoxes(all []bounds) []bounds {
	slices.SortStableFunc(all, func(a, b bounds) int { return cmp.Compare(b.p, a.p) })
	var out []bounds
	for _, b := range all {
		if !slices.ContainsFunc(out, func(o bounds) bool {
			s := b.shared(o)
			return s > par.stack.sameBox*(b.area()+o.area()-s) ||
				s > par.stack.insideShare*b.area() && b.x1-b.x0 < par.stack.partWidth*(o.x1-o.x0)
		}) {
			out = append(out, b)
		}
	}
	return out
}
