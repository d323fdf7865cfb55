package recognize

import (
	"image"
	"math"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/fact"
)

// patch rectifies the part of the frame that shows one zone: a plane parallel
// to the felt at a fixed scale, lens and perspective taken out.
type patch struct {
	view   *calibration.View
	origin fact.Point // millimetres of the patch's corner
	scale  float64    // pixels per millimetre
	height float64    // of the plane above the felt, millimetres
	w, h   int
	roi    image.Rectangle // of the frame
	x, y   gocv.Mat        // where in roi each pixel comes from
}

// newPatch makes the map of a zone with so many millimetres of felt about it.
func newPatch(view *calibration.View, z calibration.Zone, scale, height, about float64) *patch {
	low, high := z.Bounds()
	p := &patch{view: view, scale: scale, height: height, origin: fact.Point{low[0] - about, low[1] - about}}
	p.w = int(math.Ceil((high[0]-low[0]+2*about)*scale - 1e-6))
	p.h = int(math.Ceil((high[1]-low[1]+2*about)*scale - 1e-6))
	p.x, p.y = gocv.NewMatWithSize(p.h, p.w, gocv.MatTypeCV32F), gocv.NewMatWithSize(p.h, p.w, gocv.MatTypeCV32F)
	xs, _ := p.x.DataPtrFloat32() // both Mats are of this type and continuous
	ys, _ := p.y.DataPtrFloat32()
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for v := range p.h {
		for u := range p.w {
			q := p.toImage(fact.Point{float64(u), float64(v)})
			xs[v*p.w+u], ys[v*p.w+u] = float32(q[0]), float32(q[1])
			x0, y0, x1, y1 = min(x0, q[0]), min(y0, q[1]), max(x1, q[0]), max(y1, q[1])
		}
	}
	// Remap is limited to pictures of 32,767 pixels and reads less from a part.
	p.roi = image.Rect(int(x0)-2, int(y0)-2, int(x1)+3, int(y1)+3)
	for i := range xs {
		xs[i] -= float32(p.roi.Min.X)
		ys[i] -= float32(p.roi.Min.Y)
	}
	return p
}

func (p *patch) close() {
	if p != nil {
		p.x.Close()
		p.y.Close()
	}
}

// cut rectifies the patch out of a frame. What lies outside the frame is black.
func (p *patch) cut(img gocv.Mat) gocv.Mat {
	out := gocv.NewMat()
	whole := image.Rect(0, 0, img.Cols(), img.Rows())
	in := p.roi.Intersect(whole)
	if in == p.roi {
		part := img.Region(in)
		defer part.Close()
		gocv.Remap(part, &out, &p.x, &p.y, gocv.InterpolationLinear, gocv.BorderConstant, blank)
		return out
	}
	part := gocv.NewMatWithSize(p.roi.Dy(), p.roi.Dx(), gocv.MatTypeCV8UC3)
	defer part.Close()
	part.SetTo(gocv.Scalar{})
	if !in.Empty() {
		from, to := img.Region(in), part.Region(in.Sub(p.roi.Min))
		from.CopyTo(&to)
		from.Close()
		to.Close()
	}
	gocv.Remap(part, &out, &p.x, &p.y, gocv.InterpolationLinear, gocv.BorderConstant, blank)
	return out
}

// toTable is the millimetres of a patch's pixel.
func (p *patch) toTable(q fact.Point) fact.Point {
	return fact.Point{p.origin[0] + q[0]/p.scale, p.origin[1] + q[1]/p.scale}
}

// fromTable is the patch's pixel of a point in millimetres.
func (p *patch) fromTable(mm fact.Point) fact.Point {
	return fact.Point{(mm[0] - p.origin[0]) * p.scale, (mm[1] - p.origin[1]) * p.scale}
}

// toImage is the frame's pixel of a patch's pixel.
func (p *patch) toImage(q fact.Point) fact.Point { return p.view.ToImageAt(p.toTable(q), p.height) }

// place takes a quad of the patch to the frame and gives its middle in millimetres.
func (p *patch) place(q fact.Quad) (frame fact.Quad, middle fact.Point) {
	for i, c := range q {
		frame[i] = p.toImage(c)
		mm := p.toTable(c)
		middle[0] += mm[0] / 4
		middle[1] += mm[1] / 4
	}
	return frame, middle
}
