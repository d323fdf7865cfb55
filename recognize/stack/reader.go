package stack

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/models"
	"vision/recognize/network"
)

// Options of a Reader; zero fields take the default.
type Options struct {
	Accept float64 // least probability of an accepted reading: default 0.9
	Models fs.FS   // set of networks; nil: the shipped ones
}

// Hint is what is known of the picture: the stacks of Palette whose foot lies in Zone are read.
type Hint struct {
	View    *calibration.View
	Palette []calibration.Chip
	Zone    []fact.Point // outline on the felt, millimetres
}

// Reader reads stacks of round chips before a calibrated camera. One goroutine uses it at a time.
type Reader struct {
	opts        Options
	tops, sides *network.Net
}

// NewReader makes a reader.
func NewReader(opts Options) (*Reader, error) {
	opts.Accept = cmp.Or(opts.Accept, par.accept)
	if opts.Models == nil {
		opts.Models = models.Shipped()
	}
	if opts.Accept < 0 || opts.Accept > 1 {
		return nil, fmt.Errorf("stack reader: accept %v: want a probability", opts.Accept)
	}
	tops, err := network.Load(opts.Models, "tops", "the heat and shape of upper faces", func(e *models.Entry) bool { return e.Size() == topHeads })
	if err != nil {
		return nil, err
	}
	sides, err := network.Load(opts.Models, "sides", fmt.Sprintf("sides of %d×%d", High, Wide), func(e *models.Entry) bool {
		return slices.Equal(e.Input, []int{Planes, High, Wide})
	})
	if err != nil {
		tops.Close()
		return nil, err
	}
	return &Reader{opts, tops, sides}, nil
}

// Close frees the networks.
func (r *Reader) Close() {
	r.tops.Close()
	r.sides.Close()
}

// candidate is a face that is read.
type candidate struct {
	face  Face
	stand Standing
	far   float64 // from the camera along the felt
	p     float64 // of the proposal
	side  []byte
	belief
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
	if img.Empty() || img.Type() != gocv.MatTypeCV8UC3 || !img.IsContinuous() {
		return nil, fmt.Errorf("read chips: %w", cv.ErrPicture)
	}
	if !hint.View.Raised() {
		return nil, fmt.Errorf("read chips: %w", calibration.ErrNoHeights)
	}
	if len(hint.Palette) == 0 || len(hint.Zone) < 3 {
		return nil, errors.New("read chips: the palette and a zone are needed")
	}
	pix, err := img.DataPtrUint8()
	if err != nil {
		return nil, fmt.Errorf("read chips: %w", err)
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

// paint takes the palette's colours.
func (s *scene) paint() error {
	for _, c := range s.hint.Palette {
		s.ids = append(s.ids, c.ID)
		for _, hex := range [2]string{c.Face, c.Edge} {
			v, err := Color(hex)
			if err != nil {
				return fmt.Errorf("chip %s: %w", c.ID, err)
			}
			s.palette = append(s.palette, float32(v[0]), float32(v[1]), float32(v[2]))
		}
	}
	return nil
}

// Color reads #rrggbb: red, green and blue, 0 to 255.
func Color(hex string) ([3]float64, error) {
	digits, ok := strings.CutPrefix(hex, "#")
	v, err := strconv.ParseUint(digits, 16, 24)
	if err != nil || !ok || len(digits) != 6 {
		return [3]float64{}, fmt.Errorf("colour %q: want #rrggbb", hex)
	}
	return [3]float64{float64(v >> 16), float64(v >> 8 & 255), float64(v & 255)}, nil
}

// part is where in the picture stacks of the zone, and those that may hide them, show.
func (s *scene) part(thick float64) image.Rectangle {
	low, high := calibration.Zone{Polygon: s.hint.Zone}.Bounds()
	m := par.margin
	var pts []fact.Point
	for _, x := range [2]float64{low[0] - m, high[0] + m} {
		for _, y := range [2]float64{low[1] - m, high[1] + m} {
			pts = append(pts, s.hint.View.ToImage(fact.Point{x, y}), s.hint.View.ToImageAt(fact.Point{x, y}, Most*thick))
		}
	}
	a, b := calibration.Zone{Polygon: pts}.Bounds()
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
	found, err := r.proposals(img, part, across(view, zone.Centre())*chip.Diameter)
	if err != nil {
		return nil, err
	}
	var all []*candidate
	for _, q := range found {
		c := &candidate{face: q.stands(view, chip.Diameter, thick), p: q.p}
		c.place(view)
		all = append(all, c)
	}
	for pass := range par.passes {
		if err := r.look(s, all, [][2]float64{{}}, true); err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(c *candidate) bool { return c.real < par.dropped })
		if pass > 0 {
			all = apart(all)
		}
	}
	e := par.spread
	if err := r.look(s, all, [][2]float64{{}, {e, 0}, {-e, 0}, {0, e}, {0, -e}}, false); err != nil {
		return nil, err
	}
	all = apart(slices.DeleteFunc(all, func(c *candidate) bool { return c.real < par.real }))
	var out []fact.Stack
	for _, c := range all {
		if st, ok := c.reading(s.ids, r.opts.Accept, c.hiddenShare() > par.hidden); ok && zone.Contains(c.stand.At) {
			st.At, st.Quad = c.stand.At, c.box(view)
			out = append(out, st)
		}
	}
	slices.SortFunc(out, func(a, b fact.Stack) int {
		if a.At[0] != b.At[0] {
			return compare(a.At[0], b.At[0])
		}
		return compare(a.At[1], b.At[1])
	})
	return out, nil
}

// place says where the candidate stands.
func (c *candidate) place(view *calibration.View) {
	c.stand = c.face.Stands(view)
	eye := view.Eye()
	c.far = math.Hypot(c.stand.At[0]-eye[0], c.stand.At[1]-eye[1])
}

// look shows the sides of candidates to the network, each under some places beside its face, and takes the mean of
// what it says; then it corrects their places and numbers, if asked to.
func (r *Reader) look(s *scene, all []*candidate, beside [][2]float64, correct bool) error {
	if len(all) == 0 {
		return nil
	}
	view, n := s.hint.View, len(all)*len(beside)
	const size = Planes * High * Wide
	sides, seen, palette := make([]byte, n*size), make([]float32, 0, 2*n), make([]float32, 0, n*len(s.palette))
	for i, c := range all {
		var nearer []Standing
		for _, o := range all {
			if o.far < c.far && o.real >= 0.5 {
				nearer = append(nearer, o.stand)
			}
		}
		for k, off := range beside {
			f := c.face.Moved(view, off[0], off[1])
			at := (i*len(beside) + k) * size
			s.Unroll(view, f, nearer, sides[at:at+size])
			v := f.Seen(view)
			seen, palette = append(seen, v[:]...), append(palette, s.palette...)
			if k == 0 {
				c.side = sides[at : at+size]
			}
		}
	}
	kinds := len(s.ids)
	out, err := r.sides.Run(
		cv.Tensor{Shape: []int{n, Planes, High, Wide}, Bytes: sides},
		cv.Tensor{Shape: []int{n, 2}, Floats: seen},
		cv.Tensor{Shape: []int{n, kinds, 6}, Floats: palette},
	)
	for i, values := range []int{edges * High, steps, 5, starts * kinds, kinds, 1} {
		if err == nil && (len(out) != 6 || len(out[i].Floats) != n*values) {
			err = fmt.Errorf("%w sides: gives other shapes", models.ErrModel)
		}
	}
	if err != nil {
		return err
	}
	for i, c := range all {
		c.belief = belief{}
		var right, near float64
		share := 1 / float64(len(beside))
		cuts := make([]cut, len(beside))
		for k := range beside {
			of := func(t int) []float32 {
				each := len(out[t].Floats) / n
				return out[t].Floats[(i*len(beside)+k)*each:][:each]
			}
			face := of(2)
			c.real += share / (1 + math.Exp(-float64(face[0])))
			right, near = right+share*float64(face[1]), near+share*float64(face[2])
			cuts[k] = cut{seams: newSeams(of(0), of(1)), logits: of(3), upper: of(4)}
			var weight [Most]float64
			weight, cuts[k].ahead = cuts[k].counts()
			logits := make([]float32, Most)
			for m, w := range weight {
				logits[m] = float32(w) / of(5)[0]
			}
			for m, p := range softmax(logits) {
				c.count[m] += share * p
			}
		}
		c.kinds = func(n int) [][]float64 { return likely(cuts, n, kinds) }
		if correct {
			clip := func(v float64) float64 { return max(-par.farthest, min(par.farthest, v)) }
			c.face = c.face.Moved(view, clip(right), clip(near))
			c.face.Count = float64(1 + slices.Index(c.count[:], slices.Max(c.count[:])))
			c.place(view)
		}
	}
	return nil
}

// cut is one side of a stack, cut into chips.
type cut struct {
	*seams
	ahead  [Most + 1]way
	logits []float32 // of kinds
	upper  []float32 // of the uppermost chip, by its face
}

// likely are log likelihoods of the kinds of n chips, from the mean of what sides say of them.
func likely(cuts []cut, n, kinds int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, kinds)
	}
	for _, c := range cuts {
		for l, chip := range c.seams.kinds(n, &c.ahead, c.logits, c.upper) {
			for j, p := range chip {
				out[l][j] += p / float64(len(cuts))
			}
		}
	}
	for _, chip := range out {
		for j, p := range chip {
			chip[j] = par.worn * math.Log(max(p, 1e-9))
		}
	}
	return out
}

// apart leaves out the less likely of stacks that stand in one another.
func apart(all []*candidate) []*candidate {
	slices.SortStableFunc(all, func(a, b *candidate) int { return compare(b.real*b.p, a.real*a.p) })
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
	hidden, all := 0, 0
	for y := Rows * Above; y < min(High, Rows*(Above+int(c.face.Count)+1)); y++ {
		for x := range Wide {
			all++
			if c.side[(3*High+y)*Wide+x] > 0 {
				hidden++
			}
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
	low, high := calibration.Zone{Polygon: pts}.Bounds()
	return fact.Quad{low, {high[0], low[1]}, high, {low[0], high[1]}}
}
