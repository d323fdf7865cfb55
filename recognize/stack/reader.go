package stack

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/geometry"
)

// Hint is what is known of the picture: the stacks of Palette whose foot lies in Zone are read.
type Hint struct {
	View    *calibration.View
	Palette []calibration.Chip
	Zone    []fact.Point // outline on the felt, millimetres
}

// Reader reads stacks of round chips before a calibrated camera. One goroutine uses it at a time.
type Reader struct{ networks }

// NewReader makes a reader by the networks of a set; nil is that of the shipped ones.
func NewReader(set fs.FS) (*Reader, error) {
	n, err := load(set, "tops", "sides")
	if err != nil {
		return nil, err
	}
	return &Reader{n}, nil
}

// shown is a side that the network reads, and its output.
type shown struct {
	Picture
	view   *calibration.View
	face   Face
	nearer []Standing // what may hide it
	// log odds of the face by its proposal; of photographs alone
	proposed float32
	side     []byte
	belief
	right, near float64 // mm from where the face was looked for to where it is, as of Face.Moved
}

// candidate is a face that is read.
type candidate struct {
	shown
	stand Standing
	far   float64 // from the camera along the felt
	p     float64 // of the proposal
}

// scene is one picture that is read.
type scene struct {
	Picture
	hint    Hint
	ids     []string
	palette []float32
}

// Read finds the stacks in img, the whole frame of the calibrated camera: BGR, 8 bits. Quads are boxes round the
// whole stack in pixels of img; At is the middle of the lowest chip in millimetres.
func (r *Reader) Read(img gocv.Mat, hint Hint) ([]fact.Stack, error) {
	pix, err := cv.Pixels(img)
	if err != nil {
		return nil, fmt.Errorf("read chips: %w", err)
	}
	if !hint.View.Raised() {
		return nil, fmt.Errorf("read chips: %w", calibration.ErrNoHeights)
	}
	if len(hint.Palette) == 0 || len(hint.Zone) < 3 {
		return nil, errors.New("read chips: the palette and a zone are needed")
	}
	s := &scene{Picture: Picture{Pix: pix, W: img.Cols(), H: img.Rows(), Red: 2}, hint: hint}
	if err := s.paint(); err != nil {
		return nil, fmt.Errorf("read chips: %w", err)
	}
	out, err := r.read(img, s)
	if err != nil {
		return nil, fmt.Errorf("read chips: %w", err)
	}
	return out, nil
}

// paint sets the palette's colours.
func (s *scene) paint() error {
	for _, c := range s.hint.Palette {
		s.ids = append(s.ids, c.ID)
		for _, hex := range [2]string{c.Face, c.Edge} {
			v, err := calibration.ParseColor(hex)
			if err != nil {
				return fmt.Errorf("chip %s: %w", c.ID, err)
			}
			s.palette = append(s.palette, float32(v[0]), float32(v[1]), float32(v[2]))
		}
	}
	return nil
}

// part is where in the picture stacks of the zone, and those that may hide them, show.
func (s *scene) part(thick float64) image.Rectangle {
	low, high := geometry.Bounds(s.hint.Zone)
	m := par.margin
	var pts []fact.Point
	for _, x := range [2]float64{low[0] - m, high[0] + m} {
		for _, y := range [2]float64{low[1] - m, high[1] + m} {
			pts = append(pts, s.hint.View.ToImage(fact.Point{x, y}), s.hint.View.ToImageAt(fact.Point{x, y}, Most*thick))
		}
	}
	a, b := geometry.Bounds(pts)
	return image.Rect(int(a[0]), int(a[1]), int(b[0])+1, int(b[1])+1).Intersect(image.Rect(0, 0, s.W, s.H))
}

func (r *Reader) read(img gocv.Mat, s *scene) ([]fact.Stack, error) {
	view, chip := s.hint.View, s.hint.Palette[0]
	zone := calibration.Zone{Polygon: s.hint.Zone}
	thick := chip.Thickness * par.thick
	part := s.part(thick)
	if part.Dx() < topStride || part.Dy() < topStride {
		return nil, nil
	}
	found, err := r.proposals(img, part, across(view, zone.Centre())*chip.Diameter, par.propose)
	if err != nil {
		return nil, err
	}
	var all []*candidate
	for _, q := range found {
		c := &candidate{shown: shown{Picture: s.Picture, view: view, face: q.stands(view, chip.Diameter, thick)}, p: q.p}
		c.place(view)
		all = append(all, c)
	}
	// Each face is read where it was proposed, and again where its side places it.
	for _, least := range [2]float64{par.dropped, par.real} {
		if err := r.look(s, all); err != nil {
			return nil, err
		}
		all = apart(slices.DeleteFunc(all, func(c *candidate) bool { return c.real < least }))
	}
	var out []fact.Stack
	for _, c := range all {
		if st, ok := c.reading(s.ids, c.hiddenShare() > par.hidden); ok && zone.Contains(c.stand.At) {
			st.At, st.Quad = c.stand.At, c.box(view)
			out = append(out, st)
		}
	}
	slices.SortFunc(out, func(a, b fact.Stack) int { return slices.Compare(a.At[:], b.At[:]) })
	return out, nil
}

// place returns where the candidate stands.
func (c *candidate) place(view *calibration.View) {
	c.stand = c.face.Stands(view)
	eye := view.Eye()
	c.far = math.Hypot(c.stand.At[0]-eye[0], c.stand.At[1]-eye[1])
}

// look runs the network on the candidates' sides and corrects their places and numbers by its output.
func (r *Reader) look(s *scene, all []*candidate) error {
	list := make([]*shown, len(all))
	for i, c := range all {
		c.nearer = nil
		for _, o := range all {
			if o.far < c.far && o.real >= 0.5 {
				c.nearer = append(c.nearer, o.stand)
			}
		}
		list[i] = &c.shown
	}
	if err := r.ask(list, s.palette, len(s.ids)); err != nil {
		return err
	}
	for _, c := range all {
		c.face = c.face.Moved(c.view, c.right, c.near)
		c.face.Count = float64(c.most())
		c.place(c.view)
	}
	return nil
}

// newBelief decodes a side's output: rims, seams and feet by row, the steps between them, the kinds of a chip that
// begins at each second row, and of the uppermost by its face, and by what the number's log weights are divided.
func newBelief(edges, steps, kind, upper []float32, heat float32) belief {
	var b belief
	cut := newSeams(edges, steps)
	weight, ahead := cut.counts()
	b.edges = func(n int) (rim, foot float64) {
		at := cut.placed(n, ahead)
		return at[0].middle(0), at[n].middle(n)
	}
	logits := make([]float32, len(weight))
	for m, w := range weight {
		logits[m] = float32(w) / heat
	}
	copy(b.count[:], softmax(logits))
	b.kinds = func(n int) [][]float64 {
		out := cut.kinds(n, ahead, kind, upper)
		for _, chip := range out {
			for j, p := range chip {
				chip[j] = math.Log(max(p, 1e-9))
			}
		}
		return out
	}
	return b
}

// apart drops the less likely of stacks that overlap.
func apart(all []*candidate) []*candidate {
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(b.real*b.p, a.real*a.p) })
	var out []*candidate
	for _, c := range all {
		if !slices.ContainsFunc(out, func(o *candidate) bool {
			return math.Hypot(c.stand.At[0]-o.stand.At[0], c.stand.At[1]-o.stand.At[1]) < par.clash*2*c.stand.R
		}) {
			out = append(out, c)
		}
	}
	return out
}

// hiddenShare is how much of the side, foot included, nearer stacks hide.
func (c *candidate) hiddenShare() float64 {
	hidden, all, mask := 0, 0, c.side[len(c.side)/Planes*(Planes-1):]
	for _, v := range mask[Wide*Rows*Above : min(len(mask), Wide*Rows*(Above+int(c.face.Count)+1))] {
		all++
		if v > 0 {
			hidden++
		}
	}
	return float64(hidden) / float64(max(1, all))
}

// box is round the whole stack in the picture.
func (c *candidate) box(view *calibration.View) fact.Quad {
	var pts []fact.Point
	for _, h := range [2]float64{0, c.stand.Tall} {
		for k := range 24 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 12)
			pts = append(pts, view.ToImageAt(fact.Point{c.stand.At[0] + c.stand.R*cos, c.stand.At[1] + c.stand.R*sin}, h))
		}
	}
	return geometry.Upright(geometry.Bounds(pts))
}
