// Package rack reads how many chips stand in the tubes of the bank's rack, and above all by how many a tube has changed
// between two rests.
//
// Each tube's visible side is unrolled to a strip, in millimetres along its axis. Where chips stand it looks otherwise
// than the empty tube, which is learned in place: first at the open end, then wherever chips have left it. Where two
// rests differ chips came or went. Both together give, for each pair of ends before and after, a likelihood; the change
// is the distance of the ends, and does not know the errors of length that the number has.
//
// The camera has to look at the tubes from above or from the side of their closed ends: else the face of the last chip
// hides where it ends.
package rack

import (
	"math"
	"slices"
	"time"

	"vision/calibration"
	"vision/internal/fact"
)

// Reader reads the rack of one camera. It has one owner.
type Reader struct {
	tubes []*tube
}

// tube is the state of one.
type tube struct {
	grid   grid
	rim    grid    // the rack's top beside it
	pitch  float64 // bins of a chip
	thick  float64 // of a chip, millimetres
	bins   int
	room   int // chips
	step   int // bins of a pixel
	inside int // bins behind which, where no chip stands, the tube shows and not the rim beyond its open end
	weigh  float32
	small  bool
	mixed  bool // chips of any kind

	empty strip  // how it looks without chips; nil: not known
	known []bool // bins that were seen empty; the others look as the nearest of these
	edge  strip  // how its rim looks

	own, background colours // of its chips, and without them

	before *look // the last rest that was read
	now    *look // the rest that is being read
	last   *look // the rest before it, whether it was read or not
	idle   time.Time
	seen   strip // in the picture that is being read
	around strip // its rim
}

// look is a tube at a rest: the mean of some pictures.
type look struct {
	rest  time.Time
	strip strip
	rim   strip
	n     int
	relit bool // in another light than the other tubes
	moved bool // all chips that stay look otherwise
	below int  // bin from which on no chips stand, though some were taken to; 0: none were
	read  fact.Tube
	end   int       // bins that are filled, where it was read
	score []float32 // log likelihood of each end, over the best, where it was read
}

// NewReader prepares the reading of a calibration's rack, which has been checked.
func NewReader(cal *calibration.Table, view *calibration.View) *Reader {
	r := &Reader{}
	for i := range cal.Rack.Tubes {
		r.tubes = append(r.tubes, newTube(cal, view, &cal.Rack.Tubes[i]))
	}
	return r
}

func newTube(cal *calibration.Table, view *calibration.View, u *calibration.Tube) *tube {
	chip := u.Kinds(cal.Palette)[0]
	radius := chip.Diameter / 2
	along, across := pixels(cal, view, u, radius)
	bin := chip.Thickness / float64(perChip)
	t := &tube{
		mixed: u.Chip == calibration.AnyChip, pitch: float64(perChip), thick: chip.Thickness,
		room: u.Capacity, bins: int(u.Length() / bin),
	}
	for t.inside < t.bins && shows(cal, view, u, (float64(t.inside)+0.5)*bin, radius) < u.Length() {
		t.inside++
	}
	t.step = max(1, int(math.Round(1/(along*bin))))
	// Independent pixels of a bin, of whose channels half agree.
	t.weigh = float32(2 * widest * radius * across * along * bin * 1.5 * temper)
	var alongs, rims, turns []float64
	for j := range t.bins {
		alongs = append(alongs, (float64(j)+0.5)*bin)
		if j%(2*t.step) == 0 {
			rims = append(rims, alongs[j])
		}
	}
	for k := range angles {
		turns = append(turns, widest*(2*float64(k)/float64(angles-1)-1))
	}
	var ok [2]bool
	t.grid, ok[0] = newGrid(cal, view, u, alongs, radius, turns)
	beside := math.Hypot(radius+2, cal.Rack.Depth)
	lean := math.Acos(max(-1, min(1, cal.Rack.Depth/beside)))
	t.rim, ok[1] = newGrid(cal, view, u, rims, beside, []float64{-lean, lean})
	t.seen, t.around = make(strip, 3*len(t.grid.places)), make(strip, 3*len(t.rim.places))
	t.small = !ok[0] || !ok[1] || along*chip.Thickness < leastPx
	return t
}

// Read reads the rack in a picture, BGR and of the calibrated size, at rest since a time. Pictures of the same rest are
// put together.
func (r *Reader) Read(pix []byte, rest time.Time) []fact.Tube {
	out := make([]fact.Tube, len(r.tubes))
	for _, t := range r.tubes {
		if !t.small {
			t.grid.sample(pix, t.seen)
			t.rim.sample(pix, t.around)
		}
	}
	gains := make([][3]float32, len(r.tubes))
	for i, t := range r.tubes {
		gains[i] = t.gain()
	}
	for i, t := range r.tubes {
		out[i] = t.read(gains[i], dubious(gains, i), rest)
		out[i].Tube = i
	}
	r.abstainMoved(out)
	return out
}

// gain is by how much each channel is brighter than when the tube was learned: the median over its rim.
func (t *tube) gain() (gain [3]float32) {
	const dark = 5 // of a black point that is not known
	for c := range gain {
		if gain[c] = 1; t.empty == nil {
			continue
		}
		var ratios []float32
		for i := c; i < len(t.edge); i += 3 {
			ratios = append(ratios, (t.around[i]+dark)/(t.edge[i]+dark))
		}
		slices.Sort(ratios)
		gain[c] = ratios[len(ratios)/2]
	}
	return gain
}

// dubious reports whether the light on a tube has changed as light does not: by too much, or otherwise than on most of
// the rack. Then something lies over it.
func dubious(gains [][3]float32, tube int) bool {
	for c := range 3 {
		var all []float64
		for _, g := range gains {
			all = append(all, float64(g[c]))
		}
		slices.Sort(all)
		g := float64(gains[tube][c])
		if math.Abs(g/all[len(all)/2]-1) > mostApart || g > mostLight || g < 1/mostLight {
			return true
		}
	}
	return false
}

// Forget forgets all observations: the camera has moved.
func (r *Reader) Forget() {
	for _, t := range r.tubes {
		t.empty, t.before, t.now, t.last = nil, nil, nil, nil
	}
}

func (t *tube) read(light [3]float32, relit bool, rest time.Time) fact.Tube {
	if t.small {
		return fact.Tube{Rest: rest, High: t.room, Abstain: "small"}
	}
	if t.now == nil || !t.now.rest.Equal(rest) {
		t.turn(rest)
	}
	l := t.now
	l.n++
	add(l.strip, t.seen, light, l.n)
	add(l.rim, t.around, light, l.n)
	if l.relit = l.relit || relit; l.relit {
		l.read = fact.Tube{Rest: rest, High: t.room, Abstain: "hand"}
	} else {
		l.read = t.compare()
	}
	return l.read
}

// turn ends the rest that was read and begins another.
func (t *tube) turn(rest time.Time) {
	if n := t.now; n != nil {
		switch {
		case t.empty == nil:
			if !n.relit {
				t.begin(n, t.inside)
			}
		case n.read.Abstain == "":
			t.before, t.idle = n, n.rest
			t.learn()
		case n.below > 0 && t.begin(n, n.below+t.chips(0.5)): // what was learned was a shadow
			t.before = nil
			t.compare()
			t.before = n
		case n.read.Abstain == unsure && t.last != nil && t.same(n, t.last): // it will be no surer
			t.before, t.idle = n, n.rest
		case t.last == nil || !t.same(n, t.last):
			t.idle = n.rest
		case n.rest.Sub(t.idle) > relearn: // it lies there for good
			t.empty, t.before = nil, nil
		}
		t.last = n
	}
	t.now = &look{rest: rest, strip: make(strip, 3*len(t.grid.places)), rim: make(strip, 3*len(t.rim.places))}
}

// same reports whether two looks show no difference but for noise.
func (t *tube) same(a, b *look) bool {
	for j := range t.bins {
		if differ(a.strip, b.strip, j, angles, t.step, float32(noise), float32(aside)) > float32(alike) {
			return false
		}
	}
	return !t.covered(a.rim, b.rim)
}

// add takes a picture, in the light in which the tube was learned, into the mean of n.
func add(mean, seen strip, light [3]float32, n int) {
	k := 1 / float32(n)
	for i, v := range seen {
		mean[i] += k * (v/light[i%3] - mean[i])
	}
}

// begin takes the look of the empty tube from its open end, and from there on until chips begin, below a bin. A look
// counts from the second rest on that shows the same there: no hand lies twice alike. False where nothing is taken.
func (t *tube) begin(n *look, most int) bool {
	free := t.bins - t.chips(openEnd)
	if t.last == nil || t.covered(n.rim, t.last.rim) {
		return false
	}
	for j := free; j < t.bins; j++ {
		if differ(n.strip, t.last.strip, j, angles, t.step, float32(noise), float32(aside)) > float32(alike) {
			return false
		}
	}
	end, ok := t.divide(n.strip, min(most, t.inside))
	if !ok {
		return false
	}
	t.empty, t.known, t.edge, t.idle = slices.Clone(n.strip), make([]bool, t.bins), slices.Clone(n.rim), n.rest
	for j := min(free, end+t.chips(1)); j < t.bins; j++ {
		t.known[j] = true
	}
	t.own.take(n.strip, 0, end, 1)
	t.background.take(n.strip, end, t.bins, 1)
	t.spread()
	return true
}

// divide finds where in a strip chips end below a bin, of which nothing is known: where, first from the open end, the
// chip's length before differs from the one after in the means and deviations of colours, whatever light is on either,
// and no shadow does: its edge in a trough is curved, and the tube before it bare. False where none does.
func (t *tube) divide(s strip, most int) (end int, ok bool) {
	long := t.chips(1)
	at := func(j int) (f [6]float64) {
		w := 3 * angles
		for c := range 3 {
			var sum, square float64
			for i := j*w + c; i < (j+long)*w; i += 3 {
				sum, square = sum+float64(s[i]), square+float64(s[i])*float64(s[i])
			}
			n := float64(long * angles)
			f[c] = sum / n
			f[c+3] = math.Sqrt(max(0, square/n-f[c]*f[c]))
		}
		return f
	}
	apart := func(a, b [6]float64) (d float64) { // whatever light is on either
		var ab, aa float64
		for i := range a {
			ab, aa = ab+a[i]*b[i], aa+a[i]*a[i]
		}
		light := max(math.Exp(-2*shade), min((ab+1)/(aa+1), math.Exp(2*shade)))
		for i := range a {
			d += (light*a[i] - b[i]) * (light*a[i] - b[i])
		}
		return math.Sqrt(d / light)
	}
	jumps := make([]float64, t.bins)
	for j := long; j <= t.inside-long; j++ {
		jumps[j] = apart(at(j-long), at(j))
	}
	for j := most - 1; j > 0; j-- {
		if jumps[j] < unlike {
			continue
		}
		end = j
		for k := max(0, j-long); k < j; k++ { // of the same edge
			if jumps[k] > jumps[end] {
				end = k
			}
		}
		if t.ends(s, end) {
			return end, true
		}
	}
	return 0, false
}

// ends reports whether chips end at a bin of a strip where it changes: most angles do there at once, or vary along the
// axis before it, as chips do and the bare tube does not.
func (t *tube) ends(s strip, bin int) bool {
	changed, varied, half, w := 0, 0, t.chips(0.5), 3*angles
	for a := range angles {
		var change, vary float32
		for i := w*bin + 3*a; i < w*bin+3*a+3; i++ {
			d := float32(0)
			for j := range half {
				d += s[i+w*j] - s[i-w*(j+1)]
				if at := i - w*(3*half-j); at >= w*half { // curved, over a chip's length
					v := s[at-w*half] - 2*s[at] + s[at+w*half]
					vary += v * v
				}
			}
			change += d * d
		}
		if change > float32(jump*jump)*float32(half*half) {
			changed++
		}
		if vary > 6*3*float32(half)*float32(texture*texture) {
			varied++
		}
	}
	return float64(changed) > atOnce*float64(angles) || 2*varied > angles
}

// unsure is why an ambiguous change is not reported.
const unsure = "unsure"

// learn takes over how the tube looks where the last rest has shown it empty, and its rim.
func (t *tube) learn() {
	b, w := t.before, 3*angles
	blend(t.edge, b.rim, float32(learn))
	t.own.take(b.strip, 0, b.end, float32(learn))
	t.background.take(b.strip, b.end, t.bins, float32(learn))
	for j := b.end + t.chips(0.5); j < t.bins; j++ {
		rate := float32(learn)
		if !t.known[j] {
			if b.read.Since.IsZero() || b.read.Change[0].N >= 0 {
				continue // nothing has left it
			}
			t.known[j], rate = true, 1
		}
		blend(t.empty[j*w:(j+1)*w], b.strip[j*w:(j+1)*w], rate)
	}
	t.spread()
}

func blend(into, from strip, rate float32) {
	for i, v := range from {
		into[i] += rate * (v - into[i])
	}
}

// spread has bins that were never seen empty look as the nearest one towards the open end that was.
func (t *tube) spread() {
	w := 3 * angles
	for j := t.bins - 2; j >= 0; j-- {
		if !t.known[j] {
			copy(t.empty[j*w:(j+1)*w], t.empty[(j+1)*w:(j+2)*w])
		}
	}
}

// chips is the length of some chips in bins.
func (t *tube) chips(n float64) int { return int(math.Ceil(n * t.pitch)) }
