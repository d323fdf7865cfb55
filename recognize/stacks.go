package recognize

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/geometry"
	"vision/recognize/plaque"
	"vision/recognize/stack"
)

// stacks reads what lies in stacks on a table: round chips by recognize/stack, plaques by recognize/plaque, and what
// stands on plaques by both.
type stacks struct {
	view   *calibration.View
	round  *stack.Reader  // nil: the palette holds no round chips
	flat   *plaque.Reader // nil: it holds no plaques
	chips  []calibration.Chip
	plates []calibration.Chip
}

// newStacks makes the reader of a table's palette.
func newStacks(view *calibration.View, palette []calibration.Chip, networks fs.FS) (*stacks, error) {
	s := &stacks{view: view}
	for _, c := range palette {
		if c.Plaque() {
			s.plates = append(s.plates, c)
		} else {
			s.chips = append(s.chips, c)
		}
	}
	var err error
	if len(s.chips) > 0 {
		if s.round, err = stack.NewReader(networks); err != nil {
			return nil, err
		}
	}
	if len(s.plates) > 0 {
		if s.flat, err = plaque.NewReader(); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

// Close frees the readers.
func (s *stacks) Close() {
	if s.round != nil {
		s.round.Close()
	}
	if s.flat != nil {
		s.flat.Close()
	}
}

// Read finds the stacks whose foot lies in a zone. bare is the camera's picture of the felt with nothing on it; nil:
// it is not known.
func (s *stacks) Read(img gocv.Mat, zone []fact.Point, background []byte) ([]fact.Stack, error) {
	var out []fact.Stack
	var failed error
	if s.round != nil {
		out, failed = s.round.Read(img, stack.Hint{View: s.view, Palette: s.chips, Zone: zone})
	}
	if s.flat == nil {
		return out, failed
	}
	hint := plaque.Hint{View: s.view, Palette: s.plates, Zone: zone, Background: background}
	for i := range out {
		n := counted(&out[i])
		hint.Stacks = append(hint.Stacks, plaque.Standing{
			Outline: s.outline(&out[i], 0, n),
			Top:     s.outline(&out[i], n-1, n),
			Foot:    s.view.ToImage(out[i].At),
		})
	}
	piles, err := s.flat.Plaques(img, hint)
	for i := range piles {
		out = s.joined(&piles[i], out)
	}
	return out, errors.Join(failed, err)
}

// Plaques finds the piles of plaques alone; there is a reader of them.
func (s *stacks) Plaques(img gocv.Mat, zone []fact.Point, background []byte) ([]plaque.Pile, error) {
	return s.flat.Plaques(img, plaque.Hint{View: s.view, Palette: s.plates, Zone: zone, Background: background})
}

// outline is the hull in the picture of some chips of a stack, counted from its foot.
func (s *stacks) outline(st *fact.Stack, from, to int) []fact.Point {
	const around = 24
	r, thick := s.chips[0].Diameter/2, s.chips[0].Thickness
	var pts []fact.Point
	for _, tall := range [2]float64{float64(from) * thick, float64(to) * thick} {
		for k := range around {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / around)
			p := fact.Point{st.At[0] + r*cos, st.At[1] + r*sin}
			pts = append(pts, s.view.ToImageAt(p, tall))
		}
	}
	return geometry.Hull(pts)
}

// joined adds a pile of plaques to stacks, with those of them that stand on it: one stack, the plaques below. A
// stack is placed as if it stood on the felt.
func (s *stacks) joined(p *plaque.Pile, list []fact.Stack) (out []fact.Stack) {
	whole := p.Stack
	for _, st := range list {
		if !s.standsOn(p, &st) {
			out = append(out, st)
			continue
		}
		whole.Quad = geometry.Upright(geometry.Bounds(slices.Concat(whole.Quad[:], st.Quad[:])))
		if whole.Abstain != "" || len(st.Chips) == 0 {
			whole.Chips, whole.Others = nil, nil // which of them are in doubt is not known
		} else {
			whole.Others = upon(whole, st)
			whole.Chips = slices.Concat(whole.Chips, st.Chips)
		}
		whole.Low, whole.High, whole.P = whole.Low+st.Low, whole.High+st.High, whole.P*st.P
		whole.Abstain = cmp.Or(whole.Abstain, st.Abstain)
	}
	return append(out, whole)
}

// standsOn reports whether a stack stands on a pile, as high as it was counted or as one chip.
func (s *stacks) standsOn(p *plaque.Pile, st *fact.Stack) bool {
	thick, n := s.chips[0].Thickness, counted(st)
	face, top := calibration.Zone{Polygon: p.Face[:]}, s.view.ToImageAt(st.At, float64(n)*thick)
	on := func(chips int) bool { return face.Contains(s.view.ToTableAt(top, p.Tall+float64(chips)*thick)) }
	return on(1) || on(n)
}

// counted is how many chips a stack likely has.
func counted(st *fact.Stack) int { return max(st.Low, len(st.Weighed.Chips), 1) }

// photographs reads chips of which nothing is known.
type photographs struct{ *stack.Photographs }

// Read finds the stacks in img.
func (p photographs) Read(img gocv.Mat, _ []fact.Point, _ []byte) ([]fact.Stack, error) {
	return p.Photograph(img)
}

// others are the contents that are reported beside the likeliest.
const others = 3

// upon is what may stand on what lies below, if one of the two is not as it is read.
func upon(below, above fact.Stack) (out []fact.Content) {
	for _, o := range below.Others {
		out = append(out, fact.Content{Chips: slices.Concat(o.Chips, above.Chips), P: o.P * above.P})
	}
	for _, o := range above.Others {
		out = append(out, fact.Content{Chips: slices.Concat(below.Chips, o.Chips), P: o.P * below.P})
	}
	slices.SortStableFunc(out, func(a, b fact.Content) int { return cmp.Compare(b.P, a.P) })
	return out[:min(len(out), others)]
}
