package dice

import (
	"math"
	"slices"

	"gocv.io/x/gocv"
)

// A face is looked at on a square of faceSide pixels, its edge faceEdge.
const (
	faceEdge = 36
	faceSide = 60
)

// witness reads the faces that the network proposes from their spots alone.
type witness struct {
	// planes are the channels blue, green and red, red less green, and blue less
	// both: a lamp mirrored in a face is white and does not show in the last two.
	planes [5]*plane
	near   [5]*plane // the same, twice as near
	spots  []spot
}

func newWitness() *witness {
	w := new(witness)
	for i := range w.planes {
		w.planes[i] = newPlane(faceSide, faceEdge)
		w.near[i] = newPlane(2*faceSide, 2*faceEdge)
	}
	return w
}

// evidence is that of the spots of a face for its value.
type evidence struct {
	weight [6]float64 // of the clearest pattern, a logarithm of odds; 0: none
	count  [6]int     // channels, polarities and looks that show it
	best   [6]*pattern
}

// evidence looks at the face of a proposal.
func (w *witness) evidence(img gocv.Mat, t hit) (*evidence, error) {
	e := new(evidence)
	for _, by := range witnessLooks {
		ok, err := rectify(img, t, by, w.planes[:])
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		w.look(e, by)
		if e.enough(t.values) {
			break
		}
	}
	return e, nil
}

// look adds what the planes show.
func (w *witness) look(e *evidence, by float64) {
	for c, pl := range w.planes {
		low, high := pl.span()
		for _, dark := range [2]bool{false, true} {
			w.spots = pl.find(w.spots[:0], dark, low, high)
			if p := lattice(w.spots, (faceSide-1)/2.0); p != nil {
				p.look, p.channel = by, c
				if w.weigh(p); (p.value > 3 || p.leak <= witnessOpenFace) && !(p.value == 6 && w.bent(p)) {
					e.add(p)
				}
			}
		}
	}
}

// enough reports whether nothing more need be looked at: several channels show clearly
// the network's output, and none anything else.
func (e *evidence) enough(values [6]float64) bool {
	for v, p := range values {
		if p < witnessSure && e.weight[v] > 0 ||
			p >= witnessSure &&
				(e.count[v] < witnessChannels || e.weight[v] < fitted.Witnesses.Bears[v]+witnessSurely) {
			return false
		}
	}
	return slices.Max(values[:]) >= witnessSure
}

func (e *evidence) add(p *pattern) {
	v, weight := p.value-1, p.weight()
	if weight > e.weight[v] {
		e.weight[v], e.best[v] = weight, p
	}
	if weight > witnessTelling {
		e.count[v]++
	}
}

// weigh measures the face between the spots of a pattern and beyond it.
func (w *witness) weigh(p *pattern) {
	low, high := w.planes[p.channel].between(p)
	p.clean = p.height / max((high-low)/witnessDeviation, witnessLeastDeviation)
	var tol [3]float64
	for c := range tol {
		low, high := w.planes[c].between(p)
		p.body[c], tol[c] = (low+high)/2, max(witnessLeastBody, witnessBodyRange*(high-low))
	}
	p.leak = w.leak(p, tol)
}

// weight is the logarithm of the odds that a pattern is the face's value, fitted
// on photographs: those of many spots are hardly ever seen by chance, while a
// round fleck is nearly everywhere.
func (p *pattern) weight() float64 {
	long := 1.0
	for _, s := range p.spots {
		if p.value == 1 {
			long = s.long
		} else {
			long = max(long, s.stretch())
		}
	}
	f := &fitted.Patterns
	clean := math.Log(max(p.clean, f.LeastClean))
	if p.value < 4 {
		return f.Few[p.value-1] + f.FewClean*clean + f.FewLeak*p.leak + f.FewMiddle*p.middle + f.FewLong*long
	}
	return f.Many[p.value-4] + f.ManyClean*clean + f.ManyLeak*p.leak + f.ManyMiddle*p.middle + f.ManyLong*long
}

// stretch is how long a spot is, half of it forgiven where it is level: so a camera
// that looks down slantwise shows the spots of an upper face.
func (s *spot) stretch() float64 {
	if math.Abs(s.turn) < witnessLevel {
		return 1 + (s.long-1)/2
	}
	return s.long
}

// bent reports whether a six runs over the edge of a die: one of its outer rows lies
// on a face in another light, the other like the middle row.
func (w *witness) bent(p *pattern) bool {
	s := p.spots
	rows := [3][2]spot{{s[0], s[2]}, {s[4], s[5]}, {s[1], s[3]}}
	if p.tall {
		rows = [3][2]spot{{s[0], s[1]}, {s[4], s[5]}, {s[2], s[3]}}
	}
	var light [3]float64
	for i, r := range rows {
		x, y := int(math.Round((r[0].x+r[1].x)/2)), int(math.Round((r[0].y+r[1].y)/2))
		for _, pl := range w.planes[:3] {
			light[i] = max(light[i], float64(pl.pix[y*faceSide+x]))
		}
	}
	low, high := min(light[0], light[2]), max(light[0], light[2])
	return low < witnessOneLight*light[1] && high >= witnessOneLight*light[1] &&
		high*witnessOneLight < light[1]
}

// leak is the share of a line round a face that has the colour between its
// spots: a die ends there, felt and cards go on. Of few spots the size of the
// face is not exactly known: then it is that of the line which shows it least.
func (w *witness) leak(p *pattern, tol [3]float64) float64 {
	least := w.share(p, witnessLineAt, tol)
	if p.value < 4 {
		for _, r := range witnessLineFew {
			least = min(least, w.share(p, r, tol))
		}
	}
	return least
}

// share is that of the body's colour on the outline of a face enlarged r times.
func (w *witness) share(p *pattern, r float64, tol [3]float64) float64 {
	const samples = 32
	in := 0
	for k := range samples {
		a, b := square(float64(k) / samples)
		x := min(max(int(math.Round(p.x+r*(a*p.u[0]+b*p.v[0]))), 0), faceSide-1)
		y := min(max(int(math.Round(p.y+r*(a*p.u[1]+b*p.v[1]))), 0), faceSide-1)
		same := true
		for c, mid := range p.body {
			same = same && math.Abs(float64(w.planes[c].pix[y*faceSide+x])-mid) < tol[c]
		}
		if same {
			in++
		}
	}
	return float64(in) / samples
}

// square is a point on the outline of a square of half edge 1; a turn is 1.
func square(turn float64) (x, y float64) {
	side, f := math.Modf(4 * turn)
	f = 2*f - 1
	switch side {
	case 0:
		return f, -1
	case 1:
		return 1, f
	case 2:
		return -f, 1
	}
	return -1, -f
}

// between are the shades below which a fifth and four fifths of the face lie, off
// its spots: a lamp mirrored there counts little.
func (p *plane) between(f *pattern) (low, high float64) {
	var n [256]int
	total := 0
	det := f.u[0]*f.v[1] - f.u[1]*f.v[0]
	for y := range p.side {
		for x := range p.side {
			dx, dy := float64(x)-f.x, float64(y)-f.y
			a, b := (dx*f.v[1]-dy*f.v[0])/det, (dy*f.u[0]-dx*f.u[1])/det
			if max(math.Abs(a), math.Abs(b)) < witnessWithin && !f.onSpot(float64(x), float64(y)) {
				n[p.pix[y*p.side+x]]++
				total++
			}
		}
	}
	if total < witnessLeastPixels {
		return 0, 255
	}
	sum, below := 0, true
	for v, k := range n {
		if sum += k; below && 5*sum >= total {
			low, below = float64(v), false
		}
		if 5*sum >= 4*total {
			return low, float64(v)
		}
	}
	return low, 255
}

// onSpot reports whether a point is on a spot or close to it.
func (p *pattern) onSpot(x, y float64) bool {
	return slices.ContainsFunc(p.spots, func(s spot) bool {
		return sq(x-s.x)+sq(y-s.y) < witnessOnSpot*s.area*s.long/math.Pi
	})
}

// roundness looks at the spots of a pattern again, twice as near, in the colour in
// which they stand out most, and gives the median of how round they are: those on
// cards and chips are not.
func (w *witness) roundness(img gocv.Mat, t hit, p *pattern) (float64, error) {
	ok, err := rectify(img, t, p.look, w.near[:])
	if err != nil || !ok {
		return 0, err
	}
	channel, apart := 0, 0.0
	for c, body := range p.body {
		d := 0.0
		for _, s := range p.spots {
			d += (w.near[c].atDouble(s) - body) / float64(len(p.spots))
		}
		if math.Abs(d) > math.Abs(apart) {
			channel, apart = c, d
		}
	}
	for _, level := range witnessDiscLevels {
		if round := w.discs(p, channel, level, apart < 0); round > 0 {
			return round, nil
		}
	}
	return 0, nil
}

// discs is the median of how round the spots of a pattern are at one level of a
// channel; 0 where most of them are none there.
func (w *witness) discs(p *pattern, channel int, level float64, dark bool) float64 {
	var all []float64
	pl, body := w.near[channel], p.body[channel]
	for _, s := range p.spots {
		best := 0.0
		w.spots = pl.level(w.spots[:0], byte(body+level*(pl.atDouble(s)-body)), dark)
		for _, q := range w.spots {
			if math.Hypot(q.x-2*s.x-0.5, q.y-2*s.y-0.5) < witnessDiscNear*pl.edge {
				best = max(best, q.round)
			}
		}
		all = append(all, best)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// atDouble is the shade in the middle of a spot of a plane half as near.
func (p *plane) atDouble(s spot) float64 { return float64(p.pix[int(2*s.y+1)*p.side+int(2*s.x+1)]) }

// rectify fills the planes with the channels of a face, its edge taken so many
// times as large as proposed; false where too much of it lies outside the picture.
func rectify(img gocv.Mat, t hit, by float64, planes []*plane) (bool, error) {
	side := planes[0].side
	m := gocv.NewMat()
	defer m.Close()
	if ok, err := crop(img, &m, t, by*t.edge*faceSide/faceEdge, side); err != nil || !ok {
		return false, err
	}
	pix, err := m.DataPtrUint8()
	if err != nil {
		return false, err
	}
	for i := range side * side {
		b, g, r := int(pix[3*i]), int(pix[3*i+1]), int(pix[3*i+2])
		for c, v := range [5]int{b, g, r, 128 + r - g, 128 + (r+g)/2 - b} {
			planes[c].pix[i] = byte(min(max(v, 0), 255))
		}
	}
	return true, nil
}
