package chip

import (
	"math"

	"vision/calibration"
	"vision/internal/fact"
)

// Flank is the visible side of a stack unrolled under its upper face, as a network sees
// it: rows go down it, flankRows to a chip, from some above the face to some below the
// highest stack; columns go round it, over 8 tenths of a half circle. Five pictures stand side by
// side: what the camera sees, the bare felt there, what is known of each place, and the
// colours of the face's kind and of its edge.
type Flank struct {
	Pix        []byte // BGR, FlankHigh × FlankWide
	Kind       int    // of the face, in the palette
	P          float64
	Px         fact.Point // the face's middle in the picture
	Known      bool       // whether the bare felt is known
	Foot       func(n int) fact.Point
	Palette    []calibration.Chip
	Settled    bool // whether the face was moved to where outlines say
	Resolution float64
}

// Sizes of a flank.
const (
	flankRows  = 4  // to a chip
	flankAbove = 4  // chips above the face
	flankBelow = 3  // chips below the highest stack
	flankCols  = 16 // of each of the pictures
	flankMost  = 20 // chips
	FlankHigh  = flankRows * (flankAbove + flankMost + flankBelow)
	FlankWide  = 5 * flankCols
)

// flank unrolls the side under a face of a kind at px.
func (s *search) flank(kind int, px fact.Point) []byte {
	pix := make([]byte, FlankHigh*FlankWide*3)
	chip, paint := s.hint.Palette[kind], &s.tones.kinds[kind]
	r := chip.Diameter / 2
	for y := range FlankHigh {
		depth := ((float64(y)+0.5)/flankRows - flankAbove) * chip.Thickness
		foot := s.hint.View.ToTableAt(px, depth)
		toward := math.Atan2(s.eye[1]-foot[1], s.eye[0]-foot[0])
		for x := range flankCols {
			sin, cos := math.Sincos(toward + ((float64(x)+0.5)/flankCols-0.5)*0.8*math.Pi)
			at := s.hint.View.ToImage(fact.Point{foot[0] + r*cos, foot[1] + r*sin})
			cell := pix[3*(y*FlankWide+x):]
			s.flankCell(cell, kind, at)
			for c := range 3 {
				cell[9*flankCols+c], cell[12*flankCols+c] = byte(paint.field[2-c]), byte(paint.insert[2-c])
			}
		}
	}
	return pix
}

// flankCell fills in one place of the three pictures.
func (s *search) flankCell(to []byte, kind int, at fact.Point) {
	seen, felt, known := to, to[3*flankCols:], to[6*flankCols:]
	i, ok := s.index(at)
	if !ok {
		return
	}
	x, y := min(max(at[0], 0), float64(s.w)-1.001), min(max(at[1], 0), float64(s.h)-1.001)
	x0, y0 := int(x), int(y)
	fx, fy := x-float64(x0), y-float64(y0)
	p := 3 * (y0*s.w + x0)
	sample := func(pix []byte, to []byte) {
		for c := range 3 {
			up := float64(pix[p+c])*(1-fx) + float64(pix[p+3+c])*fx
			down := float64(pix[p+3*s.w+c])*(1-fx) + float64(pix[p+3*s.w+3+c])*fx
			to[c] = byte(up*(1-fy) + down*fy + 0.5)
		}
	}
	sample(s.pix, seen)
	_, bare := s.hint.Felt.known(i)
	if bare {
		sample(s.hint.Felt.pix, felt)
	} else {
		for c := range 3 {
			felt[c] = byte(s.felt[2-c])
		}
	}
	own, any := float32(par.colour.outlier), float32(par.colour.outlier)
	v := cell(seen[0], seen[1], seen[2])
	for k := range s.tones.kinds {
		t := &s.tones.kinds[k]
		f := max(t.sideBody[v], t.sideEdge[v])
		if any = max(any, f); k == kind {
			own = f
		}
	}
	scale := func(f float32) byte { return byte(255 * (1 - f/float32(par.colour.outlier))) }
	known[0], known[1] = scale(own), scale(any)
	switch {
	case s.taken != nil && s.taken[i]:
		known[2] = 0
	case bare:
		known[2] = 255
	default:
		known[2] = 128
	}
}

// watch shows whoever learns from it a stack's side.
func (s *search) watch(t top, settled bool) {
	if s.opts.Watch == nil {
		return
	}
	m := s.lens(t.disc.at, t.disc.tall)
	s.opts.Watch(Flank{
		Pix: s.flank(t.kind, t.px), Kind: t.kind, P: t.p, Px: t.px, Known: s.hint.Felt.shown(), Palette: s.hint.Palette,
		Settled: settled, Foot: func(n int) fact.Point { return s.foot(t, t.px, n) },
		Resolution: math.Hypot(m.ex[0], m.ex[1]),
	})
}
