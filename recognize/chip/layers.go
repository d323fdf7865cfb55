package chip

import (
	"fmt"
	"image"
	"io/fs"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/models"
	"vision/recognize/network"
)

// counter counts the chips of a stack on a photograph: a network marks on the
// middle of its box, row by row, the edges between chips, where sides of chips
// are seen, and how thick a chip is there; the likeliest sequences of edges make
// the probabilities of the numbers.
type counter struct{ net *network.Net }

const (
	boxWide     = 144 // pixels of a box
	stripWide   = 64  // its middle
	joined      = 4   // columns that the network sees as one
	stripRows   = 720 // most
	layerHeads  = 3
	layerMiddle = 9.0
)

func newCounter(set fs.FS) (*counter, error) {
	net, err := network.Load(set, "layers", "the heads edge, side and thickness", func(e *models.Entry) bool {
		return e.Size() == layerHeads
	})
	if err != nil {
		return nil, err
	}
	return &counter{net}, nil
}

// strip is the middle of a stack's box, rectified, and what the network says
// of its rows.
type strip struct {
	picture
	edge, side, thick []float64 // logits; thickness in rows
}

// rows are those of a box's strip.
func (b bounds) rows() int {
	return int(par.stack.tall*(b.y1-b.y0)*boxWide/(b.x1-b.x0) + 0.5)
}

// look cuts the strip out of img and shows it to the network: of a box that is too
// high its upper part. nil where it is too flat.
func (c *counter) look(img gocv.Mat, b bounds, turn float64) (*strip, error) {
	k, rows := boxWide/(b.x1-b.x0), min(stripRows, b.rows())
	if rows < par.stack.leastRows {
		return nil, nil
	}
	px, err := cutStrip(img, b, turn, k, rows)
	if err != nil {
		return nil, err
	}
	narrow, err := join(px, rows)
	if err != nil {
		return nil, err
	}
	out, shape, err := c.net.Pictures(narrow, 1, rows, stripWide/joined)
	if err != nil {
		return nil, err
	}
	if len(out) != layerHeads*rows {
		return nil, fmt.Errorf("%w layers: gives %v for a strip of %d rows", models.ErrModel, shape, rows)
	}
	s := &strip{picture: picture{pix: px, w: stripWide, h: rows}}
	for y := range rows {
		s.edge = append(s.edge, float64(out[y]))
		s.side = append(s.side, float64(out[rows+y]))
		s.thick = append(s.thick, layerMiddle*math.Exp(min(2, max(-2, float64(out[2*rows+y])))))
	}
	return s, nil
}

// join makes one column of each joined ones.
func join(px []byte, rows int) ([]byte, error) {
	m, err := gocv.NewMatFromBytes(rows, stripWide, gocv.MatTypeCV8UC3, px)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	gocv.Resize(m, &m, image.Pt(stripWide/joined, rows), 0, 0, gocv.InterpolationArea)
	return m.ToBytes(), nil
}

// cutStrip is the middle of a box at k times its size, the box being turned about its
// middle (radians, from x to y).
func cutStrip(img gocv.Mat, b bounds, turn, k float64, rows int) ([]byte, error) {
	half, x, y := stripWide/2/k, (b.x0+b.x1)/2, (b.y0+b.y1)/2
	top := b.y0 - par.stack.above*(b.y1-b.y0) - y
	sin, cos := math.Sincos(turn)
	var q [4][2]float64
	foot := top + float64(rows)/k
	for i, p := range [4][2]float64{{-half, top}, {half, top}, {half, foot}, {-half, foot}} {
		q[i] = [2]float64{x + p[0]*cos - p[1]*sin, y + p[0]*sin + p[1]*cos}
	}
	if k < par.stack.coarse {
		const margin = 8
		part := image.Rectangle{}
		for _, p := range q {
			at := image.Pt(int(p[0]), int(p[1]))
			part = part.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		}
		part = part.Inset(-margin).Intersect(image.Rect(0, 0, img.Cols(), img.Rows()))
		view := img.Region(part)
		defer view.Close()
		soft := gocv.NewMat()
		defer soft.Close()
		gocv.GaussianBlur(view, &soft, image.Pt(0, 0), par.stack.soften/k, par.stack.soften/k, gocv.BorderReplicate)
		img = soft
		for i := range q {
			q[i][0], q[i][1] = q[i][0]-float64(part.Min.X), q[i][1]-float64(part.Min.Y)
		}
	}
	var c cv.Corners
	for i, p := range q {
		c[2*i], c[2*i+1] = float32(p[0]-0.5), float32(p[1]-0.5)
	}
	return cv.Patches(img, []cv.Corners{c}, stripWide, rows)
}

// tally are the probabilities of the numbers of chips, and the rows of the
// likeliest edges, highest first.
type tally struct {
	p     []float64 // by number; 0 is none
	edges []int
	some  float64 // log odds of any number against none
}

// path adds up the sequences of edges that end at one row, by their number of chips.
type path struct {
	sum   []float64 // over e to the power of scale
	scale float64   // log weight of the likeliest
	best  []float64 // log weights of the likeliest of each number
	from  []int     // where these come from
}

// count adds over all sequences of edges: a semi-Markov chain whose steps are
// chips, the highest first.
func (s *strip) count(most int) tally {
	rows, w := s.h, &fitted.Strip
	inner := make([]float64, rows+1) // sums of the sides' logits
	for y, v := range s.side {
		inner[y+1] = inner[y] + w.SideWeight*min(w.SideClear, max(-w.SideClear, v))
	}
	paths := make([]path, rows)
	for y := range paths {
		edge := w.EdgeWeight*min(w.EdgeClear, max(-w.EdgeClear, s.edge[y])) + w.EdgeOffset
		p := &paths[y]
		p.begin(edge)
		for up := max(0, y-int(w.GapMost*s.thick[y]+1)); up < y; up++ {
			t := s.thick[(up+y)/2]
			gap := float64(y-up) / t
			if gap < w.GapLeast || gap > w.GapMost {
				continue
			}
			l := math.Log(gap) / w.GapSpread
			p.goOn(&paths[up], up, inner[y]-inner[up]+edge-l*l/2, most)
		}
	}
	return tallyOf(paths, most)
}

// begin has a sequence begin with an edge.
func (p *path) begin(edge float64) {
	*p = path{sum: []float64{1}, scale: edge, best: []float64{edge}, from: []int{0}}
}

// goOn adds the sequences that go on from a row by one chip more, up to most.
func (p *path) goOn(o *path, row int, step float64, most int) {
	for len(p.sum) < min(len(o.sum), most)+1 {
		p.sum, p.best, p.from = append(p.sum, 0), append(p.best, math.Inf(-1)), append(p.from, 0)
	}
	if scale := o.scale + step; scale > p.scale {
		less := math.Exp(p.scale - scale)
		for k := range p.sum {
			p.sum[k] *= less
		}
		p.scale = scale
	}
	share := math.Exp(o.scale + step - p.scale)
	for k, v := range o.sum[:min(len(o.sum), most)] {
		p.sum[k+1] += share * v
		if b := o.best[k] + step; b > p.best[k+1] {
			p.best[k+1], p.from[k+1] = b, row
		}
	}
}

// tallyOf makes probabilities of sums and follows the best sequence back.
func tallyOf(paths []path, most int) tally {
	t := tally{p: make([]float64, most+1)}
	scale := 0.0 // nothing at all weighs 1
	for y := range paths {
		scale = max(scale, paths[y].scale)
	}
	t.p[0] = math.Exp(-scale)
	top, number, foot := math.Inf(-1), 0, 0
	for y := range paths {
		share := math.Exp(paths[y].scale - scale)
		for k := 1; k < len(paths[y].sum); k++ {
			t.p[k] += share * paths[y].sum[k]
			if b := paths[y].best[k]; b > top {
				top, number, foot = b, k, y
			}
		}
	}
	total := 0.0
	for _, v := range t.p {
		total += v
	}
	for k := range t.p {
		t.p[k] /= total
	}
	t.some = scale + math.Log(total)
	for k := number; k > 0; k-- {
		t.edges = append(t.edges, foot)
		foot = paths[foot].from[k]
	}
	if number > 0 {
		t.edges = append(t.edges, foot)
	}
	slices.Reverse(t.edges)
	return t
}

// layers is how many chips the sides that are seen would hold by their thickness
// alone, without any edge: a second opinion.
func (s *strip) layers() float64 {
	sum := 0.0
	for y, v := range s.side {
		sum += 1 / (1 + math.Exp(-v)) / s.thick[y]
	}
	return sum
}

// with weighs the numbers by a second opinion, how many chips the sides would hold.
func (t tally) with(layers float64) {
	sum, none := 0.0, t.p[0]
	for k := 1; k < len(t.p); k++ {
		d := (float64(k) - layers) / (fitted.Strip.Near + fitted.Strip.Each*float64(k))
		t.p[k] *= math.Exp(-d * d / 2)
		sum += t.p[k]
	}
	for k := 1; k < len(t.p) && sum > 0; k++ {
		t.p[k] *= (1 - none) / sum
	}
}

// likeliest is the number with the greatest probability.
func (t tally) likeliest() (n int, p float64) {
	for k, v := range t.p {
		if v > p {
			n, p = k, v
		}
	}
	return n, p
}

// interval are the least and the most chips that at least share of the
// probability lies between, begun at the likeliest number, if there are any.
func (t tally) interval(share float64) (low, high int) {
	low, sum := t.likeliest()
	high, share = low, share*(1-t.p[0])
	for sum < share && (low > 1 || high < len(t.p)-1) {
		under, over := -1.0, -1.0
		if low > 1 {
			under = t.p[low-1]
		}
		if high < len(t.p)-1 {
			over = t.p[high+1]
		}
		if under >= over {
			low, sum = low-1, sum+under
		} else {
			high, sum = high+1, sum+over
		}
	}
	return low, high
}
