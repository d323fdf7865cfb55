package dice

import (
	"cmp"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
	"vision/recognize/network"
)

// finder finds and reads dice whose size is not known, on a pyramid of
// pictures: it answers for edges of about 14 to 30 pixels.
type finder struct{ *network.Net }

// The output: a map per class, a cell of stride pixels each.
const (
	stride  = 4
	classes = 8    // a die, its value 1 to 6, its edge
	middle  = 20.0 // the edge in pixels that the network calls 0 (a logarithm)
)

// hit is a cell in which the network sees the middle of an upper face; x, y and
// edge in pixels of the whole picture.
type hit struct {
	x, y, edge float64
	die        float64 // probability that one is there
	values     [6]float64
}

// levels are the scales at which a picture is shown, each half the area of the
// one before; the largest is the picture itself, or a third more for a small one.
func levels(w, h int) []float64 {
	scale := min(hitGrow, math.Sqrt(hitMostWork/float64(w*h)))
	var out []float64
	for ; scale*float64(min(w, h)) >= hitSmallest; scale /= math.Sqrt2 {
		out = append(out, scale)
	}
	return out
}

// search shows img at these scales and returns what was seen, best first.
func (n finder) search(img gocv.Mat, scales []float64) ([]hit, error) {
	var all []hit
	small := gocv.NewMat()
	defer small.Close()
	for _, scale := range scales {
		w := int(scale*float64(img.Cols())) / stride * stride
		h := int(scale*float64(img.Rows())) / stride * stride
		way := gocv.InterpolationArea
		if scale > 1 {
			way = gocv.InterpolationLinear
		}
		gocv.Resize(img, &small, image.Pt(w, h), 0, 0, way)
		out, cols, rows, err := n.Map(small, classes, stride)
		if err != nil {
			return nil, err
		}
		sx, sy := float64(img.Cols())/float64(w), float64(img.Rows())/float64(h)
		for _, t := range peaks(out, cols, rows, cmp.Or(n.Entry.Scale, 1)) {
			t.x, t.y, t.edge = t.x*sx, t.y*sy, t.edge*math.Sqrt(sx*sy)
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b hit) int { return cmp.Compare(b.die, a.die) })
	return all, nil
}

// peaks are the cells in which a die is likelier than in the eight about it.
func peaks(out []float32, w, h int, scale float64) []hit {
	least := float32(math.Log(hitLeast / (1 - hitLeast)))
	var all []hit
	for y := range h {
		for x := range w {
			v := out[y*w+x]
			if v < least || !cv.Peak(out, w, h, x, y) {
				continue
			}
			t := hit{x: stride*float64(x) + (stride-1)/2.0, y: stride*float64(y) + (stride-1)/2.0,
				edge: middle * math.Exp(float64(out[7*w*h+y*w+x])), die: 1 / (1 + math.Exp(-float64(v)))}
			if t.edge < middle/hitOffMiddle || t.edge > middle*hitOffMiddle {
				continue
			}
			t.values = values(out, w, h, x, y, scale)
			all = append(all, t)
		}
	}
	return all
}

// values is the softmax of the six, of the mean logits over a cell and the four
// next to it, the cell counting twice.
func values(out []float32, w, h, x, y int, scale float64) [6]float64 {
	var p [6]float64
	for v := range p {
		m := out[(v+1)*w*h : (v+2)*w*h]
		sum, n := 2*float64(m[y*w+x]), 2.0
		for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			if i, j := x+d[0], y+d[1]; i >= 0 && j >= 0 && i < w && j < h {
				sum, n = sum+float64(m[j*w+i]), n+1
			}
		}
		p[v] = scale * sum / n
	}
	copy(p[:], network.Softmax(p[:]))
	return p
}

// merge joins the proposals of levels for the same die: the surest place, and the
// geometric mean of the values' probabilities weighted by how sure each level is.
func merge(all []hit) []hit {
	var out []hit
	for len(all) > 0 {
		best := all[0]
		var rest []hit
		var logs [6]float64
		total := 0.0
		for _, t := range all {
			if math.Hypot(t.x-best.x, t.y-best.y) > hitSame*max(best.edge, min(t.edge, hitSameLarger*best.edge)) {
				rest = append(rest, t)
				continue
			}
			if math.Abs(math.Log(t.edge/best.edge)) > hitSameEdge {
				continue // a spot or a heap
			}
			total += t.die
			for v, p := range t.values {
				logs[v] += t.die * math.Log(max(p, fitted.Witnesses.LevelFloor))
			}
		}
		sum := 0.0
		for v := range logs {
			best.values[v] = math.Exp(logs[v] / total)
			sum += best.values[v]
		}
		for v := range logs {
			best.values[v] /= sum
		}
		out, all = append(out, best), rest
	}
	return out
}

// load loads the networks, once: most readers sit at tables where they are never needed.
func (r *Reader) load() error {
	if r.net.Net != nil {
		return nil
	}
	n, err := network.Load(r.set, "dice", classes)
	if err != nil {
		return err
	}
	if r.namer, err = loadNamer(r.set); err != nil {
		n.Close()
		return err
	}
	r.net, r.witness = finder{n}, newWitness()
	return nil
}

// find reads the dice of a picture in which their size is not known.
func (r *Reader) find(img gocv.Mat) ([]fact.Die, error) {
	if err := r.load(); err != nil {
		return nil, err
	}
	hits, err := r.net.search(img, levels(img.Cols(), img.Rows()))
	if err != nil {
		return nil, err
	}
	return r.decideAll(img, merge(hits))
}
