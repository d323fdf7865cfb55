package stack

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/geometry"
)

// What is taken of chips and cameras where nothing is known of them.
const (
	anyDiameter = 40.0 // mm
	anyThick    = anyDiameter / 12.2
	anyFocal    = 1.2 // focal length over the longer side of the picture
	fineDisc    = 110 // pixels of a chip's diameter beyond which a picture is made smaller
)

// names are the colours of chips that have a name, as a camera shows them in good light.
var names = []struct {
	name string
	face [3]float32
}{
	{"white", [3]float32{226, 222, 210}}, {"red", [3]float32{176, 28, 36}}, {"blue", [3]float32{34, 66, 150}},
	{"green", [3]float32{22, 104, 62}}, {"black", [3]float32{28, 27, 30}}, {"purple", [3]float32{92, 44, 122}},
	{"orange", [3]float32{222, 110, 30}}, {"yellow", [3]float32{228, 190, 50}}, {"pink", [3]float32{222, 120, 150}},
	{"grey", [3]float32{128, 130, 134}}, {"blue", [3]float32{104, 160, 206}}, {"brown", [3]float32{104, 66, 42}},
	{"green", [3]float32{124, 186, 140}}, {"red", [3]float32{104, 22, 44}},
}

// upright is one face of a photograph in a picture of its own, in which the way down is down, before the camera that
// would show it so.
type upright struct {
	shown
	proposal
	turn  [4]float64 // of a way in the photograph to one in that picture
	in    fact.Point // the face's middle there
	reach float64    // from the camera to the face, mm
}

// Photographs reads stacks of round chips in pictures of which nothing is known. One goroutine uses it at a time.
type Photographs struct{ networks }

// NewPhotographs makes a reader by the networks of a set; nil is that of the shipped ones.
func NewPhotographs(set fs.FS) (*Photographs, error) {
	n, err := load(set, "photo_tops", "photo_sides")
	if err != nil {
		return nil, err
	}
	n.weighed = true
	return &Photographs{n}, nil
}

// Photograph finds the stacks in img, BGR, 8 bits, a picture of which nothing is known. Quads are boxes round the
// whole stack and At is the middle of the lowest chip, both in pixels; chips are named by their colour.
func (r *Photographs) Photograph(img gocv.Mat) ([]fact.Stack, error) {
	if !cv.Colour(img) {
		return nil, fmt.Errorf("read chips: %w", cv.ErrPicture)
	}
	all, err := r.uprights(img)
	if err != nil {
		return nil, fmt.Errorf("read chips: %w", err)
	}
	var palette []float32
	for _, n := range names {
		spot := names[0].face
		if n.name == "white" {
			spot = names[2].face
		}
		palette = append(append(palette, n.face[:]...), spot[:]...)
	}
	for settled := range 2 { // as proposed, and where the side places the face
		list := make([]*shown, len(all))
		for i, u := range all {
			if settled > 0 {
				u.settle()
			}
			u.nearer = u.before(all)
			list[i] = &u.shown
		}
		if err := r.ask(list, palette, len(names)); err != nil {
			return nil, fmt.Errorf("read chips: %w", err)
		}
		if settled == 0 {
			all = slices.DeleteFunc(all, func(u *upright) bool { return u.real < par.real })
			for _, u := range all {
				u.p = u.real
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *upright) int { return cmp.Compare(b.p, a.p) })
	var out []fact.Stack
	for _, u := range all {
		u.alone()
		st := u.stack()
		if slices.ContainsFunc(out, func(o fact.Stack) bool { return u.on(o, st) }) {
			continue
		}
		out = append(out, st)
	}
	return out, nil
}

// on reports whether the face is but a part of another stack: it shows in its middle or on its side, and its foot no
// lower.
func (u *upright) on(o, st fact.Stack) bool {
	mid, low, high := u.from(u.face.Px), o.Quad[0], o.Quad[2]
	return mid[0] > low[0] && mid[0] < high[0] && mid[1] > low[1] && mid[1] < high[1] &&
		(st.Quad[2][1] < high[1]+0.1*u.a || st.Quad[2][0]-st.Quad[0][0] < 0.6*(high[0]-low[0]))
}

// uprights are the faces that may be in a photograph, each in a picture of its own.
func (r *Photographs) uprights(img gocv.Mat) (all []*upright, err error) {
	faces, err := r.faces(img, par.dropped)
	if err != nil {
		return nil, err
	}
	pictures := newPyramid(img)
	defer pictures.close()
	for _, f := range faces {
		u, err := pictures.cut(f)
		if err != nil {
			return nil, err
		}
		all = append(all, u)
	}
	return all, nil
}

// Faces are boxes round the chips' upper faces that are likely in a photograph (BGR, 8 bits), without what stands
// below them: much quicker than Photograph.
func (r *Photographs) Faces(img gocv.Mat) ([]fact.Quad, error) {
	if img.Empty() || img.Type() != gocv.MatTypeCV8UC3 {
		return nil, fmt.Errorf("find chips: %w", cv.ErrPicture)
	}
	all, err := r.faces(img, par.real)
	if err != nil {
		return nil, fmt.Errorf("find chips: %w", err)
	}
	var out []fact.Quad
	for _, f := range all {
		out = append(out, corners(f.box()))
	}
	return out, nil
}

// box is round the face.
func (q proposal) box() fact.Box {
	x, y := math.Hypot(q.a*q.down[1], q.b*q.down[0]), math.Hypot(q.b*q.down[1], q.a*q.down[0])
	return fact.Box{q.px[0] - x, q.px[1] - y, 2 * x, 2 * y}
}

// whole is the box round the face and the foot.
func (q proposal) whole() fact.Box {
	b := q.box()
	dx, dy := q.foot[0]-q.px[0], q.foot[1]-q.px[1]
	return fact.Box{b[0] + min(0, dx), b[1] + min(0, dy), b[2] + math.Abs(dx), b[3] + math.Abs(dy)}
}

// Side is one that the network is shown, and the box round its stack in the photograph.
type Side struct {
	Pix      []byte // Planes × High × Wide
	Seen     [2]float32
	Proposed float32 // log odds of the face by its proposal
	Box      fact.Box
}

// Sides are those under all faces that may be in a photograph (BGR, 8 bits), to learn from which are none.
func (r *Photographs) Sides(img gocv.Mat) ([]Side, error) {
	all, err := r.uprights(img)
	if err != nil {
		return nil, fmt.Errorf("sides of stacks: %w", err)
	}
	var out []Side
	for _, u := range all {
		s := Side{Pix: make([]byte, Planes*High*Wide), Seen: u.face.Seen(u.view), Proposed: u.proposed, Box: u.whole()}
		u.Unroll(u.view, u.face, nil, s.Pix)
		out = append(out, s)
	}
	return out, nil
}

// faces are the upper faces of any size that are in a photograph with at least such a probability.
func (r *Photographs) faces(img gocv.Mat, least float64) ([]proposal, error) {
	whole := image.Rect(0, 0, img.Cols(), img.Rows())
	wide := topDiameter * max(0.75, math.Sqrt(float64(whole.Dx()*whole.Dy())/mostPixels))
	var all []proposal
	for ; wide < float64(min(whole.Dx(), whole.Dy())); wide *= math.Sqrt2 {
		list, err := r.proposals(img, whole, wide, least)
		if err != nil {
			return nil, err
		}
		for _, q := range list {
			if k := 2 * q.a / wide; k > 1/sizeRange && k < sizeRange {
				all = append(all, q)
			}
		}
	}
	return suppressed(all), nil
}

const (
	mostPixels = 1_200_000 // of the largest picture in which faces are sought
	sizeRange  = 1.6       // by which a face may be larger or smaller than its level's
)

// pyramid is a picture in halves of its size.
type pyramid struct{ levels []gocv.Mat }

func newPyramid(img gocv.Mat) *pyramid {
	p := &pyramid{[]gocv.Mat{img.Clone()}}
	for m := p.levels[0]; min(m.Cols(), m.Rows()) > 64; m = p.levels[len(p.levels)-1] {
		half := gocv.NewMat()
		gocv.Resize(m, &half, image.Pt(m.Cols()/2, m.Rows()/2), 0, 0, gocv.InterpolationArea)
		p.levels = append(p.levels, half)
	}
	return p
}

func (p *pyramid) close() {
	for i := range p.levels {
		p.levels[i].Close()
	}
}

// cut is a face in a picture of its own.
func (p *pyramid) cut(q proposal) (*upright, error) {
	full := p.levels[0]
	k := min(1, fineDisc/(2*q.a)) // pixels of the cut to one of the photograph
	level := min(len(p.levels)-1, int(math.Log2(1/k)+1e-9))
	tilt := math.Asin(min(max(q.b/q.a, 0.04), 0.99))
	a := q.a * k
	thick := 2 * a * anyThick / anyDiameter
	u := &upright{proposal: q, in: fact.Point{math.Ceil(1.5 * a), math.Ceil(a*q.b/q.a + (Above+1)*thick)}}
	w, h := int(2*u.in[0])+1, int(u.in[1]+a+(Most+Below)*thick*math.Cos(tilt))+1
	// photograph → cut: k times the turn that takes the way down to (0, 1)
	u.turn = [4]float64{k * q.down[1], -k * q.down[0], k * q.down[0], k * q.down[1]}
	half := math.Pow(0.5, float64(level))
	m := gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F)
	defer m.Close()
	px := fact.Point{(q.px[0]+0.5)*half - 0.5, (q.px[1]+0.5)*half - 0.5}
	for i := range 2 {
		a, b := u.turn[2*i]/half, u.turn[2*i+1]/half
		m.SetDoubleAt(i, 0, a)
		m.SetDoubleAt(i, 1, b)
		m.SetDoubleAt(i, 2, u.in[i]-a*px[0]-b*px[1])
	}
	out := gocv.NewMat()
	defer out.Close()
	const how, edge = gocv.InterpolationLinear, gocv.BorderReplicate
	gocv.WarpAffineWithParams(p.levels[level], &out, m, image.Pt(w, h), how, edge, color.RGBA{})
	pix, err := out.DataPtrUint8()
	if err != nil {
		return nil, err
	}
	u.Picture = Picture{Pix: slices.Clone(pix), W: w, H: h, Red: 2}
	focal := anyFocal * k * float64(max(full.Cols(), full.Rows()))
	u.reach = focal * anyDiameter / 2 / a
	sin, cos := math.Sincos(tilt)
	pose, err := calibration.Looking([3]float64{0, u.reach * cos, u.reach * sin}, [2]float64{})
	if err != nil {
		return nil, err
	}
	lens := calibration.Lens{Fx: focal, Fy: focal, Cx: u.in[0], Cy: u.in[1]}
	plane, err := calibration.PlaneOf(lens, pose)
	if err != nil {
		return nil, err
	}
	u.view, err = (&calibration.Table{Size: [2]int{w, h}, Lens: lens, Plane: plane, Pose: pose}).View()
	u.face = Face{Px: u.in, Diameter: anyDiameter, Thick: anyThick} // the plane is that of the face
	u.proposed = float32(math.Log(q.p / (1 - q.p)))
	return u, err
}

// to is where a place of the photograph is in the cut.
func (u *upright) to(px fact.Point) fact.Point {
	x, y := px[0]-u.px[0], px[1]-u.px[1]
	return fact.Point{u.in[0] + u.turn[0]*x + u.turn[1]*y, u.in[1] + u.turn[2]*x + u.turn[3]*y}
}

// from is where a place of the cut is in the photograph.
func (u *upright) from(px fact.Point) fact.Point {
	t := u.turn
	k := t[0]*t[3] - t[1]*t[2]
	x, y := px[0]-u.in[0], px[1]-u.in[1]
	return fact.Point{u.px[0] + (t[3]*x-t[1]*y)/k, u.px[1] + (t[0]*y-t[2]*x)/k}
}

// before are the stacks between the camera and this one, by their sizes.
func (u *upright) before(all []*upright) (out []Standing) {
	eye := u.view.Eye()
	for _, o := range all {
		if o == u || o.real < 0.5 {
			continue
		}
		// on the line of sight, as much farther as it shows smaller
		on, k := u.view.ToTable(u.to(o.px)), u.a/o.a
		at := fact.Point{eye[0] + k*(on[0]-eye[0]), eye[1] + k*(on[1]-eye[1])}
		if math.Hypot(at[0]-eye[0], at[1]-eye[1]) < math.Hypot(eye[0], eye[1])-anyDiameter/8 {
			out = append(out, Standing{at, anyDiameter / 2, eye[2] * (1 - k)})
		}
	}
	return out
}

// settle moves the face to where its side places it, and fits the chips' thickness.
func (u *upright) settle() {
	u.face = u.face.Moved(u.view, u.right, u.near)
	n := u.most()
	rim, foot := u.edges(n)
	u.face.Thick *= min(max((foot-rim)/float64(Rows*n), 0.7), 1.4)
}

// stack is what is read. Where the foot is does not hang on the number: that of the proposal is surer.
func (u *upright) stack() fact.Stack {
	n := u.most()
	best, _ := path(named(u.kinds(n)), 0)
	st := fact.Stack{P: thousandths(u.p), Low: n, High: n, At: u.foot}
	for _, k := range slices.Backward(best) {
		st.Chips = append(st.Chips, names[k].name)
	}
	st.Weighed = fact.Weighed{Chips: st.Chips, P: []float64{st.P}}
	if u.count[n-1] < par.accept {
		st.Low, st.High = u.interval(n, par.interval)
	}
	st.Quad = corners(u.whole())
	return st
}

// alone makes one chip as likely as it is in photographs taken from above: there hardly any stack is seen, of those
// that trained the network nearly half were (prior correction, Saerens, Latinne and Decaestecker 2002).
func (u *upright) alone() {
	if u.b < par.above*u.a {
		return
	}
	all := 1 + (par.alone-1)*u.count[0]
	u.count[0] *= par.alone
	for i := range u.count {
		u.count[i] /= all
	}
}

// corners are those of a box.
func corners(b fact.Box) fact.Quad {
	return geometry.Upright(fact.Point{b[0], b[1]}, fact.Point{b[0] + b[2], b[1] + b[3]})
}

// named leaves out that chips are of none of the colours.
func named(chips [][]float64) [][]float64 {
	for i, c := range chips {
		chips[i] = c[:len(names)]
	}
	return chips
}
