package card

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/recognize/network"
)

// A mark is a corner of a card that lies free, as the corners network sees it:
// where the card's two sides meet there and how they run, in pixels of the
// picture. It needs no outline, so it also finds cards under others.
type mark struct {
	plain       bool // no index is printed there: a back, a bare corner
	edged       bool // found by the outline of a heap, not by the network
	cornerScore float64
	apex        fact.Point
	short, long fact.Point // the card's sides from the apex, as vectors
}

// What the corners network was trained for (models/train/scenes.py).
const (
	markStride = 4.0
	markUnit   = 32.0 // pixels per unit of the frame
	markHeads  = 8    // at each of the four places of a cell
)

// finder is the corners network.
type finder struct{ *network.Net }

// span is the range of the shorter sides of the cards in a picture, in pixels;
// zero: unknown.
type span struct{ low, high float64 }

// spanOf is that of the faces read, where there are several and perspective
// does not make them too unlike.
func (r *Reader) spanOf(read []view) span {
	var s span
	n := 0
	for _, v := range read {
		if !r.certain(v) || v.guesses[0].Label == "BK" || v.noIndex {
			continue
		}
		short := math.Sqrt(area(v.quad[:]) / cardRatio)
		if n++; n == 1 {
			s = span{short, short}
		}
		s = span{min(s.low, short), max(s.high, short)}
	}
	if n < 2 || s.high > markUnlike*s.low {
		return span{}
	}
	return s
}

// marks finds the free corners of all cards in img, strongest first.
func (f finder) marks(pic *picture, hint Hint, known span) ([]mark, error) {
	if hint.Short > 0 {
		known = span{hint.Short, hint.Short}
	}
	var out []mark
	for _, k := range levels(pic.img.Cols(), pic.img.Rows(), hint, known) {
		found, err := f.level(pic, k)
		if err != nil {
			return nil, fmt.Errorf("find corners: %w", err)
		}
		out = append(out, found...)
	}
	slices.SortStableFunc(out, func(a, b mark) int { return cmp.Compare(b.cornerScore, a.cornerScore) })
	var kept []mark
	for _, m := range out {
		if len(kept) < markMost && m.fits(known) && !slices.ContainsFunc(kept, m.same) {
			kept = append(kept, m)
		}
	}
	return kept, nil
}

// fits reports whether the card that is expected has the expected size, whatever its turn.
func (m mark) fits(s span) bool {
	short := math.Sqrt(math.Abs(cross(m.short, m.long)) / cardRatio)
	return s.high == 0 || short > markFits[0]*s.low && short < markFits[1]*s.high
}

// levels are the scales at which a picture is searched: one where the size of a
// card is known, from the hint or from cards read, else as many as let cards of
// every size fit the network.
func levels(w, h int, hint Hint, known span) []float64 {
	if hint.Short > 0 {
		return []float64{min(markEnlarge, markAim/hint.Short)}
	}
	k := min(1, findSearchSide/float64(max(w, h)))
	if known.high > 0 {
		return []float64{min(k, markAim/math.Sqrt(known.low*known.high))}
	}
	out := []float64{k}
	for range markLevels {
		if k /= markLevel; k*float64(min(w, h)) > markHigh {
			out = append(out, k)
		}
	}
	return out
}

// level finds corners in the picture scaled by k.
func (f finder) level(pic *picture, k float64) ([]mark, error) {
	w, h := int(k*float64(pic.img.Cols())+0.5), int(k*float64(pic.img.Rows())+0.5)
	if w < 16 || h < 16 {
		return nil, nil
	}
	small := pic.at(w, h)
	defer small.Close()
	pw, ph := (w+31)/32*32, (h+31)/32*32
	gocv.CopyMakeBorder(small, &small, 0, ph-h, 0, pw-w, gocv.BorderReplicate, blank)
	out, gw, gh, err := f.Map(small, 4*markHeads, 2*markStride)
	if err != nil {
		return nil, err
	}
	g := grid{out, gw, gh}
	var found []mark
	for kind := range 2 {
		for _, p := range g.scored(kind) {
			if m, ok := g.mark(kind, p.X, p.Y); ok {
				found = append(found, m.scaled(k))
			}
		}
	}
	return found, nil
}

// grid reads the network's output: cells of 2 x 2 places, channel by channel.
type grid struct {
	v    []float32
	w, h int // cells
}

func (g grid) at(head, x, y int) float64 { return float64(g.v[((head*4+y%2*2+x%2)*g.h+y/2)*g.w+x/2]) }

// scored are the places of enough score. They are few: the rest is passed over plane
// by plane, as it lies.
func (g grid) scored(kind int) []image.Point {
	least := float32(math.Log(markCorner / (1 - markCorner)))
	var out []image.Point
	for part := range 4 {
		plane := g.v[(4*kind+part)*g.w*g.h:][:g.w*g.h]
		for i, v := range plane {
			if v >= least {
				out = append(out, image.Pt(2*(i%g.w)+part%2, 2*(i/g.w)+part/2))
			}
		}
	}
	return out
}

// mark is the one at place x, y, if the score has a peak there.
func (g grid) mark(kind, x, y int) (mark, bool) {
	v := g.at(kind, x, y)
	for j := max(0, y-1); j <= min(2*g.h-1, y+1); j++ {
		for i := max(0, x-1); i <= min(2*g.w-1, x+1); i++ {
			if o := g.at(kind, i, j); o > v || o == v && (j < y || j == y && i < x) {
				return mark{}, false
			}
		}
	}
	f := func(head int) float64 { return markUnit * g.at(head, x, y) }
	c := fact.Point{(float64(x) + 0.5) * markStride, (float64(y) + 0.5) * markStride}
	m := mark{plain: kind == 1, cornerScore: 1 / (1 + math.Exp(-v)), apex: add(c, fact.Point{f(2), f(3)}),
		short: fact.Point{f(4), f(5)}, long: fact.Point{f(6), f(7)}}
	s, l := norm(m.short), norm(m.long)
	least := markFrame * markLow
	ok := s > least*markFrameShort && l > least && l < markFrameLong*s && l > markFrameLow*s &&
		math.Abs(cross(m.short, m.long)) > markFrameSine*s*l
	return m, ok
}

// scaled takes the mark from the scaled picture to the whole one.
func (m mark) scaled(k float64) mark {
	m.apex = fact.Point{m.apex[0]/k - 0.5, m.apex[1]/k - 0.5}
	m.short, m.long = scale(m.short, 1/k), scale(m.long, 1/k)
	return m
}

// same reports whether two marks are of one corner.
func (m mark) same(o mark) bool {
	size := min(norm(m.short), norm(o.short))
	return norm(sub(m.apex, o.apex)) < markSame*size && dot(unit(m.long), unit(o.long)) > markSameTurn
}

// upright reports whether the card's index reads upright with the apex at the top
// left (a bottom right corner, turned) and not at the top right.
func (m mark) left() bool { return cross(m.short, m.long) > 0 }

// quad is the whole card that the mark implies, from its own top left.
func (m mark) quad() fact.Quad {
	a, b := m.apex, add(m.apex, m.short)
	if !m.left() {
		a, b = b, a
	}
	return fact.Quad{a, b, add(b, m.long), add(a, m.long)}
}

// crop is the quadrilateral of the index network's input round the corner.
func (m mark) crop() fact.Quad {
	m.short, m.long = scale(m.short, float64(idxW)/rectW), scale(m.long, float64(idxH)/rectH)
	return m.quad()
}
