package card

import (
	"cmp"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"
	"golang.org/x/sync/errgroup"

	"vision/internal/cv"
	"vision/internal/fact"
)

// scene is what the finder sees: outlines of cards, best first (not yet known to
// be cards; one card may give several), and heaps: contours that are no single
// card and may be several lying over one another.
type scene struct {
	outlines []outline
	heaps    [][]image.Point // in pixels of the searched picture
	known    []measured      // of heaps, as asked
	k        float64         // searched picture over img
}

// picture is what is read, BGR, with the scaled one that is searched.
type picture struct {
	img, small gocv.Mat
	k          float64 // small over img
}

func newPicture(img gocv.Mat) *picture {
	k := min(1, findSearchSide/float64(max(img.Cols(), img.Rows())))
	if k == 1 {
		return &picture{img, img.Clone(), 1}
	}
	small := gocv.NewMat()
	gocv.Resize(img, &small, image.Point{}, k, k, gocv.InterpolationArea)
	return &picture{img, small, k}
}

func (p *picture) close() { p.small.Close() }

// at gives the picture at w × h pixels; the caller closes it.
func (p *picture) at(w, h int) gocv.Mat {
	if p.small.Cols() == w && p.small.Rows() == h && w*p.img.Rows() == h*p.img.Cols() {
		return p.small.Clone()
	}
	out, how := gocv.NewMat(), gocv.InterpolationArea
	if w > p.img.Cols() {
		how = gocv.InterpolationLinear
	}
	gocv.Resize(p.img, &out, image.Pt(w, h), 0, 0, how)
	return out
}

// find searches a picture.
func find(pic *picture, hint Hint) (scene, error) {
	small, k := pic.small, pic.k
	pale := palest(small)
	defer pale.Close()
	gocv.GaussianBlur(pale, &pale, image.Pt(3, 3), 0, 0, gocv.BorderDefault)
	all := masks(small, pale)
	parts := make([]scene, len(all))
	var g errgroup.Group
	g.SetLimit(findFinders)
	for i, mask := range all {
		g.Go(func() (err error) {
			m := mask()
			defer m.Close()
			parts[i].outlines, parts[i].heaps, err = outlines(m, hint.Short*k)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return scene{}, err
	}
	s := scene{k: k}
	for _, p := range parts {
		s.outlines, s.heaps = append(s.outlines, p.outlines...), append(s.heaps, p.heaps...)
	}
	for i := range s.outlines {
		for j, p := range s.outlines[i].quad {
			s.outlines[i].quad[j] = s.full(p)
		}
	}
	s.outlines = distinct(s.outlines)
	return s, nil
}

// full takes a point of the searched picture to img, pixel centre to pixel centre.
func (s *scene) full(p fact.Point) fact.Point {
	return fact.Point{(p[0]+0.5)/s.k - 0.5, (p[1]+0.5)/s.k - 0.5}
}

// masks are several binary pictures in which cards may stand out: pale areas at
// a few thresholds, areas paler than their surroundings, closed edges, and what
// differs from the ground's colour. Each is made when called; the caller closes it.
func masks(img, pale gocv.Mat) []func() gocv.Mat {
	otsu := gocv.NewMat()
	t := gocv.Threshold(pale, &otsu, 0, 255, gocv.ThresholdBinary+gocv.ThresholdOtsu)
	out := []func() gocv.Mat{func() gocv.Mat { return otsu }}
	for _, f := range findThresholds {
		if v := float64(t) * f; v < findMostThreshold {
			out = append(out, func() gocv.Mat {
				m := gocv.NewMat()
				gocv.Threshold(pale, &m, float32(v), 255, gocv.ThresholdBinary)
				return m
			})
		}
	}
	return append(out,
		func() gocv.Mat {
			m := gocv.NewMat()
			block := max(findAdaptive, min(img.Cols(), img.Rows())/4|1)
			gocv.AdaptiveThreshold(pale, &m, 255, gocv.AdaptiveThresholdMean, gocv.ThresholdBinary, block, findAdaptiveBy)
			return m
		},
		func() gocv.Mat { return edges(img, findEdges) },
		func() gocv.Mat { return edges(pale, findPaleEdges) },
		func() gocv.Mat { return unlikeGround(img) })
}

// palest is the least of the three channels: high on paper, low on any colour.
func palest(img gocv.Mat) gocv.Mat {
	ch := gocv.Split(img)
	defer func() {
		for _, c := range ch {
			c.Close()
		}
	}()
	out := gocv.NewMat()
	gocv.Min(ch[0], ch[1], &out)
	gocv.Min(out, ch[2], &out)
	return out
}

func edges(img gocv.Mat, between [2]float32) gocv.Mat {
	out := gocv.NewMat()
	gocv.Canny(img, &out, between[0], between[1])
	kernel := gocv.GetStructuringElement(gocv.MorphRect, image.Pt(3, 3))
	defer kernel.Close()
	gocv.Dilate(out, &out, kernel)
	return out
}

// unlikeGround marks what differs in colour from its wide surroundings.
func unlikeGround(img gocv.Mat) gocv.Mat {
	lab, ground, diff := gocv.NewMat(), gocv.NewMat(), gocv.NewMat()
	defer lab.Close()
	defer ground.Close()
	defer diff.Close()
	gocv.CvtColor(img, &lab, gocv.ColorBGRToLab)
	k := findGround / float64(max(img.Cols(), img.Rows()))
	gocv.Resize(lab, &ground, image.Point{}, min(1, k), min(1, k), gocv.InterpolationArea)
	gocv.MedianBlur(ground, &ground, findGroundBlur)
	gocv.Resize(ground, &ground, image.Pt(img.Cols(), img.Rows()), 0, 0, gocv.InterpolationLinear)
	gocv.AbsDiff(lab, ground, &diff)
	ch := gocv.Split(diff)
	defer func() {
		for _, c := range ch {
			c.Close()
		}
	}()
	gocv.Max(ch[1], ch[2], &ch[1])
	gocv.AddWeighted(ch[0], findGroundLight, ch[1], findGroundColour, 0, &ch[0])
	gocv.MedianBlur(ch[0], &ch[0], 5)
	out := gocv.NewMat()
	gocv.Threshold(ch[0], &out, 0, 255, gocv.ThresholdBinary+gocv.ThresholdOtsu)
	kernel := gocv.GetStructuringElement(gocv.MorphRect, image.Pt(3, 3))
	defer kernel.Close()
	gocv.MorphologyEx(out, &out, gocv.MorphClose, kernel)
	return out
}

// outlines fits quadrilaterals to the contours of a mask; what is as large as a
// card and is none may be a heap. short is the expected shorter side in the
// mask's pixels, 0 when unknown.
func outlines(mask gocv.Mat, short float64) (found []outline, heaps [][]image.Point, err error) {
	low, high, aspect := findMinShort, findMostShort*float64(min(mask.Cols(), mask.Rows())), findOblique
	if short > 0 {
		low, high, aspect = findSmaller*short, findLarger*short, findAspect
	}
	contours, err := cv.Contours(mask, cv.ContourLimits{PointsMin: int(4 * low), PointsMax: int(20 * high),
		ShortMin: int(low), LongMax: int(4 * high)})
	for _, pts := range contours {
		o, ok := fit(pts)
		if ok = ok && o.cardlike(low, high, aspect); ok {
			found = append(found, o)
		}
		two := short > 0 && ok && area(o.quad[:]) > findAsTwo*short*short // that lie edge to edge
		if (!ok || two) && len(pts) < findHeap {
			heaps = append(heaps, pts)
		}
	}
	return found, heaps, err
}

// cardlike reports whether the quadrilateral may be a card seen in perspective.
func (o outline) cardlike(low, high, aspect float64) bool {
	a, b := sides(o.quad)
	s, l := min(a, b), max(a, b)
	if s < low || s > high || l/s > aspect || o.support < findSupport || o.fill < findFill {
		return false
	}
	for i := range 4 { // opposite sides alike, no corner sharp
		u, v := sub(o.quad[(i+1)%4], o.quad[i]), sub(o.quad[(i+3)%4], o.quad[i])
		if math.Abs(dot(u, v)) > findAngle*norm(u)*norm(v) {
			return false
		}
		if w := sub(o.quad[(i+3)%4], o.quad[(i+2)%4]); norm(u) > findOpposite*norm(w) {
			return false
		}
	}
	return true
}

func (o outline) score() float64 { return o.support + findFillWeight*min(1, o.fill) }

// distinct drops outlines that nearly repeat a better one and keeps the best.
func distinct(all []outline) []outline {
	slices.SortStableFunc(all, func(a, b outline) int { return cmp.Compare(b.score(), a.score()) })
	var out []outline
	for _, o := range all {
		if len(out) == findOutlines {
			break
		}
		if !slices.ContainsFunc(out, func(p outline) bool { return iou(o.quad, p.quad) > findDistinct }) {
			out = append(out, o)
		}
	}
	return out
}

func iou(a, b fact.Quad) float64 {
	s := overlap(a, b)
	return s / (area(a[:]) + area(b[:]) - s)
}
