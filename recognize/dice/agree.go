package dice

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gocv.io/x/gocv"

	"vision/internal/fact"
)

// Two witnesses say what a die on a photograph shows: the network, which also
// says how sure it is that one is there, and the spots. Where both together do not
// suffice, a third is asked: the network that sees this face alone (pips.go).
const (
	// byNetwork, bySpots and byCount are the weights of the network's logarithm,
	// that of the spots and that of how often they were seen.
	byNetwork, bySpots, byCount = 1.0, 1.0, 0.4
	// clearDie is the heat from which only the value is in doubt; then both witnesses
	// together are clear times as sure: of 26 dice of photographs that were refused
	// there for a value below 0.9, none was read wrong.
	clearDie, clear = 0.75, 3.0
	// large is the edge in pixels from which the spots must be seen, and be round:
	// those printed on cards and chips are none.
	large     = 36.0
	leastDisc = 0.975 // pips of cards and spots of chips are up to 0.970 round, most of a die's from 0.980
	// manyWeight is that of a five or six which hardly anything else shows, and
	// manyPlain the heat from which there is no doubt then.
	manyWeight, manyPlain = 4.0, 0.5
)

// Of each value: the weight from which the spots bear the network out, and the
// heat from which then there is no doubt: single round flecks are everywhere.
var (
	bears = [6]float64{2, 1, 1, 1, 1, 1}
	plain = [6]float64{0.85, 0.7, 0.7, 0.6, 0.6, 0.6}
)

// verdict is what both witnesses say of one proposal.
type verdict struct {
	p     [6]float64 // of the values, and that a die is there
	why   string     // it is not to be believed; "": it may be
	value int        // the likeliest, less one
}

// decide weighs the spots against the network. Disc is how round the spots are.
func decide(t hit, e *evidence, disc func(*pattern) (float64, error)) (verdict, error) {
	d := verdict{p: joint(t, e)}
	for v := range d.p {
		if d.p[v] > d.p[d.value] {
			d.value = v
		}
	}
	v := d.value
	heat := plain[v]
	if v >= 4 && e.weight[v] >= manyWeight {
		heat = manyPlain
	}
	for i := range d.p {
		d.p[i] *= min(1, t.die/heat)
	}
	if most := slices.Max(e.weight[:]); e.weight[v] < bears[v] {
		if d.why = unsure; most >= 2 && most > e.weight[v] {
			d.why = contradicted
		}
		return d, nil
	}
	if t.edge > large {
		round, err := disc(e.best[v])
		if err != nil {
			return d, err
		}
		if round < leastDisc {
			d.why = unsure
		}
	}
	return d, nil
}

// Reasons of an abstention.
const (
	unsure       = "unsure"
	contradicted = "contradicted" // the spots say another value than the network
	side         = "side"         // another face lies right over it: perhaps a die's side
)

// logarithms are those of the values' odds from both witnesses.
func logarithms(t hit, e *evidence) (p [6]float64) {
	for v := range p {
		p[v] = byNetwork*math.Log(max(t.values[v], 1e-3)) + bySpots*e.weight[v] + byCount*math.Log1p(float64(e.count[v]))
	}
	return p
}

// joint are the probabilities of the values from both witnesses.
func joint(t hit, e *evidence) [6]float64 {
	p := logarithms(t, e)
	if t.die >= clearDie && slices.Max(p[1:]) > p[0] { // a single fleck is everywhere
		for v := range p {
			p[v] *= clear
		}
	}
	copy(p[:], softmax(p[:]))
	return p
}

// reading puts a verdict into the words of the rooms that follow.
func (t hit) reading(d verdict, accept float64) fact.Die {
	var out fact.Die
	for v, p := range d.p {
		out.Guesses = append(out.Guesses, fact.Guess{Label: strconv.Itoa(v + 1), P: math.Round(1000*p) / 1000})
	}
	slices.SortStableFunc(out.Guesses, func(a, b fact.Guess) int { return cmp.Compare(b.P, a.P) })
	out.Guesses = out.Guesses[:3]
	if out.Abstain = d.why; out.Abstain == "" && d.p[d.value] < accept {
		out.Abstain = unsure
	}
	h := t.edge / 2
	out.Quad = fact.Quad{{t.x - h, t.y - h}, {t.x + h, t.y - h}, {t.x + h, t.y + h}, {t.x - h, t.y + h}}
	return out
}

// apart is how far from one another, in edges, the middles of two faces of one die
// may seem: they are 0.71 apart, which a picture only shortens, but the network
// takes the edge of a face seen slantwise for shorter and is a cell off at times.
const apart = 1.15

// under tells whether a face may be the side of the die whose upper face is
// another: that lies above it in the picture, within 45°, and closer than two dice
// mostly can lie. How sure the network is of the other does not matter: of an upper
// face seen slantwise it may be less sure than of the side. A camera that looks
// straight down shows dice that touch so, too; then one of two is not read.
func (t hit) under(all []hit) bool {
	return slices.ContainsFunc(all, func(o hit) bool {
		dx, dy, edge := math.Abs(o.x-t.x), t.y-o.y, math.Sqrt(o.edge*t.edge)
		return o.die >= leastFound && dx < dy && math.Hypot(dx, dy) < apart*edge &&
			o.edge > 0.75*t.edge && o.edge < 1.8*t.edge
	})
}

// fromAbove tells that the spots are those of a face which a slantwise camera looks
// down upon: long and level. Those of a die's sides are upright or slanted.
func (p *pattern) fromAbove() bool {
	const long, level = 1.5, 0.2 // radians
	return p != nil && p.value > 1 && !slices.ContainsFunc(p.spots, func(s spot) bool { return s.long < long || math.Abs(s.turn) > level })
}

// Of three witnesses: the third must not see none with more than mostNone, and all
// together must be allSure. Where the spots show nothing at all of a small face that
// is surely there, both networks together must be as sure as any reading.
const (
	leastAsked = 0.5 // heat from which the third is asked
	mostNone   = 0.1
	allSure    = 0.95

	roughDisc    = 0.93 // enough where the third names the value so surely:
	surelyNamed  = 0.9  // of print that it names so, spots are 0.91 round at most
	surelyNoNone = 0.02

	blindHeat   = 0.85 // of a face whose spots do not show
	blindNone   = 0.02
	blindNamed  = 0.7 // by the third witness
	blindWeight = 1.0 // of any pattern, from which the spots do show something
)

// open tells that a third witness may settle what the two leave in doubt.
func (t hit) open(e *evidence) bool {
	return t.die >= leastAsked && slices.Max(e.weight[:]) >= blindWeight || t.blind(e)
}

// blind tells that a face is surely there of which no spots are found.
func (t hit) blind(e *evidence) bool {
	return t.die >= blindHeat && t.edge <= large && slices.Max(e.weight[:]) < blindWeight
}

// three weighs what the third witness says with the two others; the verdict is
// theirs where it does not suffice.
func (d verdict) three(t hit, e *evidence, logits [7]float64, disc func(*pattern) (float64, error)) (verdict, error) {
	named := softmax(logits[:])
	q := logarithms(t, e)
	for v := range q {
		q[v] += math.Log(max(named[v+1], 1e-4))
	}
	all := verdict{}
	copy(all.p[:], softmax(q[:]))
	for v, p := range all.p {
		if p > all.p[all.value] {
			all.value = v
		}
	}
	v := all.value
	switch {
	case t.blind(e):
		if named[none] <= blindNone && named[v+1] >= blindNamed {
			return all, nil
		}
		return d, nil
	case named[none] > mostNone, all.p[v] < allSure, e.weight[v] < bears[v]:
		return d, nil
	}
	if t.edge > large {
		need := leastDisc
		if named[v+1] >= surelyNamed && named[none] <= surelyNoNone {
			need = roughDisc
		}
		if round, err := disc(e.best[v]); err != nil || round < need {
			return d, err
		}
	}
	return all, nil
}

// judge reads what the network proposes, all witnesses heard.
func (r *Reader) judge(img gocv.Mat, hits []hit) ([]fact.Die, error) {
	w := r.witness
	var out []fact.Die
	for _, t := range hits {
		if t.die < leastFound {
			continue
		}
		e, err := w.testify(img, t)
		if err != nil {
			return nil, err
		}
		disc := func(p *pattern) (float64, error) { return w.roundness(img, t, p) }
		d, err := decide(t, e, disc)
		if err != nil {
			return nil, err
		}
		if (d.why != "" || d.p[d.value] < r.opts.Accept) && t.open(e) {
			named, ok, err := r.namer.name(img, t)
			if err == nil && ok {
				d, err = d.three(t, e, named, disc)
			}
			if err != nil {
				return nil, err
			}
		}
		if d.why == "" && t.under(hits) && !e.best[d.value].fromAbove() {
			d.why = side
		}
		out = append(out, t.reading(d, r.opts.Accept))
	}
	return out, nil
}
