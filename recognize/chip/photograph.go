package chip

import (
	"fmt"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/fact"
)

// sideView is a stack seen from the side on a photograph.
type sideView struct {
	bounds
	strip  *strip // of its middle, as it shows most of its chips
	tally  tally
	layers float64 // how many chips the sides would hold by their thickness alone
	counts bool    // its sides show that chips stand on one another
	hidden bool    // its foot, behind another stack or the picture's edge, or below its strip
}

// odds is how much likelier a box is a stack than not, by both networks (a logarithm).
func (b *sideView) odds() float64 {
	return logit(b.p) + fitted.Strip.StripWeight*min(par.stack.stripClear,
		max(-par.stack.stripClear, -logit(b.tally.p[0])))
}

func logit(p float64) float64 {
	p = min(max(p, 1e-6), 1-1e-6)
	return math.Log(p / (1 - p))
}

// photograph reads the chips of a photograph: those that lie flat and those that
// stand on one another.
func (r *Reader) photograph(img gocv.Mat) ([]fact.Stack, error) {
	if err := r.load(); err != nil {
		return nil, err
	}
	p, scale, err := workPicture(img)
	if err != nil {
		return nil, fmt.Errorf("read chips: %w", err)
	}
	white := whitePoint(p)
	found, stacks, err := r.stacks(img, white)
	if err != nil {
		return nil, fmt.Errorf("read chips: %w", err)
	}
	flat := r.flat(p, scale, white)
	if fromAbove(flat) {
		return flat, nil
	}
	return withFlat(found, stacks, flat), nil
}

// fromAbove reports whether so many chips lie nearly round on a photograph that no
// sides of stacks can show.
func fromAbove(flat []fact.Stack) bool {
	n := 0
	for _, f := range flat {
		w, h := f.Quad[2][0]-f.Quad[0][0], f.Quad[2][1]-f.Quad[0][1]
		if f.Abstain == "" && h >= par.stack.aboveRound*w && w >= par.stack.aboveRound*h {
			n++
		}
	}
	return n >= par.stack.aboveDiscs
}

// Places are the boxes of the stacks that are seen from the side on a photograph,
// without what they hold: much quicker than Read.
func (r *Reader) Places(img gocv.Mat) ([]fact.Quad, error) {
	if img.Empty() || img.Type() != gocv.MatTypeCV8UC3 {
		return nil, fmt.Errorf("find stacks: %w", cv.ErrPicture)
	}
	if err := r.load(); err != nil {
		return nil, err
	}
	boxes, err := r.finder.find(img)
	if err != nil {
		return nil, fmt.Errorf("find stacks: %w", err)
	}
	var out []fact.Quad
	for _, b := range boxes {
		if b.p >= par.stack.place {
			out = append(out, b.quad())
		}
	}
	return out, nil
}

// stacks reads what stands on a photograph: boxes and numbers of chips.
func (r *Reader) stacks(img gocv.Mat, white rgb) ([]sideView, []fact.Stack, error) {
	boxes, err := r.finder.find(img)
	if err != nil {
		return nil, nil, err
	}
	var found []sideView
	for _, b := range boxes {
		f, err := r.side(img, b)
		if err != nil {
			return nil, nil, err
		}
		if f != nil {
			found = append(found, *f)
		}
	}
	found = believed(found)
	var out []fact.Stack
	for i := range found {
		found[i].hidden = found[i].hiddenFoot(found, img.Cols(), img.Rows())
		out = append(out, r.sideStack(&found[i], white))
	}
	return found, out, nil
}

// believed are the boxes that are stacks.
func believed(all []sideView) []sideView {
	company := slices.ContainsFunc(all, func(b sideView) bool { return b.counts && b.p >= par.stack.sure })
	return slices.DeleteFunc(all, func(b sideView) bool {
		if !b.counts {
			return !company || b.p < par.stack.company
		}
		return !company && b.p < par.stack.first
	})
}

// hiddenFoot reports whether a nearer stack or the picture's edge may hide the foot
// of b on the columns on which it is counted, or b is too high to be counted whole.
func (b bounds) hiddenFoot(all []sideView, w, h int) bool {
	wide, high, edge := b.x1-b.x0, b.y1-b.y0, par.stack.edge
	if b.rows() > stripRows || b.y1 > float64(h)-edge || b.x0 < edge || b.x1 > float64(w)-edge || b.y0 < edge {
		return true
	}
	mid := (b.x0 + b.x1) / 2
	return slices.ContainsFunc(all, func(o sideView) bool {
		return o.y1 > b.y1+par.stack.lower*high && o.y0 < b.y1-par.stack.covers*high &&
			o.x0 < mid+par.stack.columns*wide && o.x1 > mid-par.stack.columns*wide
	})
}

// sideStack makes a stack a fact: as many chips as are likeliest, of the colour of the
// side, with an interval where the number is not sure; of sides that are not told apart
// that colour once.
func (r *Reader) sideStack(b *sideView, white rgb) fact.Stack {
	out := fact.Stack{Low: 1, High: par.reader.most, P: par.stack.bounds * b.p,
		At: fact.Point{thousandths((b.x0 + b.x1) / 2), thousandths(b.y1)}, Quad: b.quad()}
	n, p := b.tally.likeliest()
	out.Chips = []string{b.strip.color(b.tally, white)}
	if b.counts {
		out.Chips, out.P = slices.Repeat(out.Chips, n), b.p*p
		out.Low, out.High = b.tally.interval(par.stack.bounds)
		switch {
		case b.hidden:
			out.High = max(par.reader.most, n)
		case p >= par.stack.number && math.Abs(b.layers-float64(n)) < par.stack.opinion:
			out.Low, out.High = n, n
		case out.Low == out.High: // the two ways to count differ
			out.Low, out.High = max(1, n-1), n+1
		}
	}
	out.Weighed.Chips = out.Chips
	return out
}

// color is that of the sides' larger part.
func (s *strip) color(t tally, white rgb) string {
	from, to := s.h/4, s.h*3/4
	if len(t.edges) > 1 {
		from, to = t.edges[0], t.edges[len(t.edges)-1]
	}
	var pixels []rgb
	for y := from; y < to; y++ {
		for x := 0; x < s.w; x += 2 {
			pixels = append(pixels, s.picture.color(y*s.w+x))
		}
	}
	if len(pixels) == 0 {
		return "unknown"
	}
	return sideColor(pixels, white)
}

// sideColor names the body of chips by the colour that most pixels of their sides have.
func sideColor(pixels []rgb, white rgb) string {
	votes := map[string]float64{}
	for _, c := range pixels {
		if name := nameOf(c, white); name != "" {
			votes[name]++
		}
	}
	best, most := "unknown", 0.0
	for _, k := range [...]string{"red", "orange", "yellow", "green", "blue", "purple", "white", "black"} {
		if votes[k] > most {
			best, most = k, votes[k]
		}
	}
	return best
}

// withFlat joins what stands and what lies flat: a disc in a box with a side below
// it is a stack's upper face, and where it has none, the disc is what there is.
func withFlat(found []sideView, stacks, flat []fact.Stack) []fact.Stack {
	drop := make([]bool, len(stacks))
	var out []fact.Stack
	for _, f := range flat {
		keep := true
		for i, b := range found {
			mid := fact.Point{(f.Quad[0][0] + f.Quad[2][0]) / 2, (f.Quad[0][1] + f.Quad[2][1]) / 2}
			if mid[0] < b.x0 || mid[0] > b.x1 || mid[1] < b.y0 || mid[1] > b.y1 {
				continue
			}
			wide, high := f.Quad[2][0]-f.Quad[0][0], f.Quad[2][1]-f.Quad[0][1]
			if f.Abstain != "" || wide <= par.stack.discWide*(b.x1-b.x0) || b.y1-b.y0 > par.stack.disc*high {
				keep = false
			} else {
				drop[i] = true
			}
		}
		if keep {
			out = append(out, f)
		}
	}
	for i, s := range stacks {
		if !drop[i] {
			out = append(out, s)
		}
	}
	return out
}
