package chip

import (
	"cmp"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// flatChip is a disc that may be a chip lying flat on a photograph.
type flatChip struct {
	ellipse
	ring  ring
	open  float64 // share of the outline that edges make up where no other chip hides it
	color string
	p     float64
}

// flat reads the chips that lie flat on a photograph: discs of one size, by
// their outline and the inserts round their rim, named by colour. Each is a
// stack of one; what is seen too much from the side is not read.
func (r *Reader) flat(p picture, scale float64, white rgb) []fact.Stack {
	var out []fact.Stack
	for _, c := range flatChips(p, white) {
		out = append(out, r.flatStack(c, scale))
	}
	return out
}

// workPicture is img of at most par.disc.workSide pixels a side, softened, and its scale.
func workPicture(img gocv.Mat) (picture, float64, error) {
	scale := min(1, par.disc.workSide/float64(max(img.Cols(), img.Rows())))
	m := gocv.NewMat()
	defer m.Close()
	gocv.Resize(img, &m, image.Pt(max(8, int(scale*float64(img.Cols()))), max(8, int(scale*float64(img.Rows())))), 0, 0,
		gocv.InterpolationArea)
	gocv.GaussianBlur(m, &m, image.Pt(5, 5), par.disc.blur, par.disc.blur, gocv.BorderDefault)
	pix, err := m.DataPtrUint8()
	if err != nil {
		return picture{}, 0, err
	}
	return picture{pix: slices.Clone(pix), w: m.Cols(), h: m.Rows()}, scale, nil
}

// flatChips are the discs of the size that most bear out.
func flatChips(p picture, white rgb) []flatChip {
	o := newOutlines(p)
	var all []flatChip
	for _, c := range o.centres() {
		e, ok := o.follow(c)
		if !ok || e.support < par.flat.outline {
			continue
		}
		all = append(all, flatChip{ellipse: e, ring: p.ring(e)})
		for _, w := range o.round(e) {
			if w.support >= par.flat.outline {
				all = append(all, flatChip{ellipse: w, ring: p.ring(w)})
			}
		}
	}
	model := usual(all)
	all = slices.DeleteFunc(all, func(c flatChip) bool { return model == nil || !c.like(*model) })
	var out []flatChip
	for _, c := range suppressDiscs(all) {
		c.open = o.open(c.ellipse, out)
		if c.rate() {
			c.color = c.ring.name(white)
			out = append(out, c)
		}
	}
	return out
}

// suppressDiscs keeps one disc per place: of rings about one middle the outer
// one, of discs that share more than chips can overlap the better seen.
func suppressDiscs(all []flatChip) []flatChip {
	worth := func(c flatChip) float64 {
		v := c.support + par.flat.worthSize*math.Log(c.radius()/par.disc.leastRadius)
		if c.ring.inserts {
			v += par.flat.worthInserts + par.flat.worthOrder*c.ring.order
		}
		return v
	}
	slices.SortStableFunc(all, func(a, b flatChip) int { return cmp.Compare(worth(b), worth(a)) })
	var out []flatChip
	for _, c := range all {
		if !slices.ContainsFunc(out, func(o flatChip) bool {
			return math.Hypot(o.x-c.x, o.y-c.y) < par.flat.apart*max(o.radius(), c.radius())
		}) {
			out = append(out, c)
		}
	}
	return out
}

// usual is the disc that the others of a picture are measured by: of those that are
// plainly chips the one that most others of its size bear out.
func usual(all []flatChip) *flatChip {
	var best *flatChip
	most := 0.0
	for i := range all {
		c := &all[i]
		if c.plainly() < par.flat.leader {
			continue
		}
		sum := 0.0
		for _, o := range all {
			if o.ring.inserts && c.like(o) {
				sum += math.Pow(o.support, 4) * c.radius()
			}
		}
		if sum > most {
			best, most = c, sum
		}
	}
	if best == nil {
		return nil
	}
	model := *best
	return &model
}

// plainly is how plainly a disc is a chip, 0 to 1: seen whole, with inserts that come again
// exactly. Small ones come together by chance more easily.
func (c *flatChip) plainly() float64 {
	if !c.ring.inserts || c.support < par.flat.leaderSupport {
		return 0
	}
	return c.support * c.ring.order * min(1, c.radius()/par.flat.large)
}

// like reports whether two discs could be chips of one set on one table.
func (c *flatChip) like(o flatChip) bool {
	return math.Abs(math.Log(c.radius()/o.radius())) < par.flat.sameRadius && math.Abs(c.b/c.a-o.b/o.a) < par.flat.sameFlat
}

// rate reports whether a disc of the usual size is worth a word, and how sure it
// is a chip.
func (c *flatChip) rate() bool {
	f := &fitted.Flatness
	switch {
	case c.ring.inserts:
		c.p = min(f.Most, f.From+f.Open*c.open+f.Order*min(c.ring.order, f.OrderMost))
	case c.support >= par.flat.plainOutline:
		c.p = min(f.PlainMost, f.PlainFrom+f.PlainSupport*c.support)
	default:
		return false
	}
	return true
}

// flatStack makes a chip a fact.
func (r *Reader) flatStack(c flatChip, scale float64) fact.Stack {
	out := fact.Stack{P: c.p, Low: 1, High: 1, At: fact.Point{c.x / scale, c.y / scale}}
	low, high := fact.Point{math.Inf(1), math.Inf(1)}, fact.Point{}
	for k := range rays {
		q := c.point(2*math.Pi*float64(k)/rays, 1)
		for i := range 2 {
			low[i], high[i] = min(low[i], q[i]/scale), max(high[i], q[i]/scale)
		}
	}
	out.Quad = upright(low, high)
	if c.color != "" {
		out.Weighed.Chips = []string{c.color}
	}
	switch {
	case c.b < par.flat.flattest*c.a: // a stack may stand under it
		out.Abstain, out.High = "oblique", par.reader.most
	case c.p < r.opts.Accept || c.color == "":
		out.Abstain = "unsure"
	default:
		out.Chips = []string{c.color}
	}
	return out
}
