package chip

import (
	"math"
	mathbits "math/bits"
)

// sight is what shows at a place where a face may lie. It is looked at ring by ring,
// and only as far as a kind may still reach what is asked of it: every sample counts
// against a kind or not at all, so that the rim says of most places that there is
// no face.
type sight struct {
	samples []spot
	at      placed
	looked  int     // rings
	cells   []int32 // of the samples' colours; -1: hidden by nearer stacks
	px      []int32
	hidden  int          // samples of those on the face
	seen    [4]float64   // samples per quarter of the rim
	marks   [][4]float64 // those that are plainly of a kind's inserts
	marked  uint64       // kinds with any
	lacks   float64      // what the others lose by it

	weighed bool // what follows is known
	felt    float64
	behind  []float64 // what a colour just behind the face must fit better than
}

// allKinds may be looked for.
const allKinds = 1<<64 - 1

// rims are the rings on which inserts show: the first of a pattern.
const rims = 2

// see begins with a place's rim, of which the inserts of some kinds are counted.
// False where a part of it lies outside the picture.
func (l *sight) see(s *search, m *affine, d *disc, samples []spot, kinds uint64) bool {
	if len(l.cells) < len(fine) {
		*l = sight{cells: make([]int32, len(fine)), px: make([]int32, len(fine)),
			behind: make([]float64, len(fine)/rings), marks: make([][4]float64, len(s.tones.kinds))}
	}
	l.samples, l.at = samples, s.placed(m, d.at)
	l.looked, l.hidden, l.weighed, l.seen = 0, 0, false, [4]float64{}
	if !l.at.whole {
		for i := range samples {
			if _, ok := s.on(&l.at, samples[i].x, samples[i].y); !ok {
				return false
			}
		}
	}
	clear(l.marks)
	l.marked = 0
	for range rims {
		from, to := l.further(s)
		for j := from; j < to; j++ {
			c := l.cells[j]
			if c < 0 {
				continue
			}
			quarter := l.samples[j].quarter
			l.seen[quarter]++
			bits := s.tones.marks[c] & kinds
			l.marked |= bits
			for ; bits != 0; bits &= bits - 1 {
				l.marks[mathbits.TrailingZeros64(bits)][quarter]++
			}
		}
	}
	l.lacks = par.face.lostInserts * lacking(s.tones.wear.marks, [4]float64{}, l.seen)
	return true
}

// further looks at the next ring, which are the samples between.
func (l *sight) further(s *search) (from, to int) {
	ring := len(l.samples) / rings
	from, to = l.looked*ring, (l.looked+1)*ring
	cells, px, hidden := l.cells[from:to], l.px[from:to], 0
	g := &l.at
	for j, q := range l.samples[from:to] {
		i := int(g.px[1]+q.x*g.u[1]+q.y*g.v[1])*s.w + int(g.px[0]+q.x*g.u[0]+q.y*g.v[0])
		if s.taken != nil && s.taken[i] {
			cells[j] = -1
			hidden++
			continue
		}
		bgr := s.pix[3*i : 3*i+3 : 3*i+3]
		px[j], cells[j] = int32(i), int32(cell(bgr[0], bgr[1], bgr[2]))
	}
	if l.looked++; l.looked < rings { // the last one lies behind the face
		l.hidden += hidden
	}
	return from, to
}

// score is the mean log likelihood of a face of a kind. False where it cannot reach
// floor, or too little of it can be seen.
func (l *sight) score(s *search, kind int, floor float64) (float64, bool) {
	lacks := l.lacks
	if l.marked>>kind&1 != 0 {
		lacks = par.face.lostInserts * lacking(s.tones.wear.marks, l.marks[kind], l.seen)
	}
	sum, least := 0.0, floor+lacks
	if least > 1e-6 {
		return 0, false
	}
	ring, kinds := len(l.samples)/rings, len(s.tones.kinds)
	for r := range rings - 1 {
		if r == l.looked {
			l.further(s)
		}
		faces := s.tones.faces[int(l.samples[r*ring].what)*kinds+kind:]
		for _, c := range l.cells[r*ring : (r+1)*ring] {
			if c >= 0 {
				sum += float64(faces[int(c)*parts*kinds])
			}
		}
		most := float64((rings-1)*ring - l.hidden)
		if sum < least*most-1e-6 || most < par.face.leastSeen*float64(len(l.samples)) {
			return 0, false
		}
	}
	l.weigh(s)
	for k, c := range l.cells[(rings-1)*ring : rings*ring] {
		if c >= 0 {
			sum -= max(0, float64(s.tones.face(int(c), rim)[kind])-l.behind[k])
		}
	}
	n := float64((rings-1)*ring - l.hidden)
	sum /= n
	// A chip of nearly the felt's colour: the felt itself is no chip.
	if lead := sum - l.felt/n; lead < s.tones.wear.lead {
		sum -= s.tones.wear.lead - lead
	}
	return sum - lacks, true
}

// weigh looks at what lies just behind the face, and how well the bare felt fits all.
func (l *sight) weigh(s *search) {
	if l.weighed {
		return
	}
	l.weighed, l.felt = true, 0
	ring := len(l.samples) / rings
	for j, c := range l.cells[:(rings-1)*ring] {
		if c >= 0 {
			l.felt += s.bare(int(l.px[j]), int(c))
		}
	}
	l.further(s)
	for j := (rings - 1) * ring; j < rings*ring; j++ {
		if c := l.cells[j]; c >= 0 {
			l.behind[j-(rings-1)*ring] = max(s.bare(int(l.px[j]), int(c)), par.colour.anything)
		}
	}
}

// rateKind fills in the score of one kind, or outlier where it does not reach
// floor.
func (s *search) rateKind(m *affine, d *disc, kind int, floor float64) {
	d.score = par.colour.outlier
	if !s.sight.see(s, m, d, fine, 1<<kind) {
		return
	}
	if v, ok := s.sight.score(s, kind, floor); ok {
		d.score = v
	}
}

// rate fills in the likeliest kind and its score, or outlier where none reaches
// floor. The kind that d has is asked first: the others must surpass it.
func (s *search) rate(m *affine, d *disc, samples []spot, floor float64) {
	d.score = par.colour.outlier
	if !s.sight.see(s, m, d, samples, allKinds) {
		return
	}
	first, best := d.kind, -1
	for i := range s.tones.kinds {
		k := i // first, then the others in their order
		if i == 0 {
			k = first
		} else if i <= first {
			k = i - 1
		}
		if v, ok := s.sight.score(s, k, floor); ok && (best < 0 || v > d.score || v == d.score && k < best) {
			best, d.kind, d.score, floor = k, k, v, max(floor, v)
		}
	}
}

// certainty is the probability of a face's kind: whether another fits as well.
func (s *search) certainty(m *affine, d *disc, samples []spot) float64 {
	second := math.Inf(-1)
	if s.sight.see(s, m, d, samples, allKinds) {
		for k := range s.tones.kinds {
			if k == d.kind {
				continue
			}
			if v, ok := s.sight.score(s, k, anyScore); ok {
				second = max(second, v)
			}
		}
	}
	// Neighbouring samples are not independent: a dozen count as one.
	return 1 / (1 + math.Exp((second-d.score)*float64(len(samples))/par.face.samplesAlike))
}

// anyScore is a floor that every score reaches.
var anyScore = math.Inf(-1)
