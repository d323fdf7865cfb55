package dice

import (
	"math"
	"slices"
	"strconv"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/internal/geometry"
	"vision/recognize/network"
)

// verdict is that of both witnesses on one proposal.
type verdict struct {
	p     [6]float64 // of the values, and that a die is there
	why   string     // it is not to be believed; "": it may be
	value int        // the likeliest, less one
	die   float64    // probability that an upper face is there, by the namer; 0: not asked
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
	heat := fitted.Witnesses.Plain[v]
	if v >= 4 && e.weight[v] >= agreeManyWeight {
		heat = agreeManyPlain
	}
	for i := range d.p {
		d.p[i] *= min(1, t.die/heat)
	}
	if most := slices.Max(e.weight[:]); e.weight[v] < fitted.Witnesses.Bears[v] {
		if d.why = unsure; most >= agreeContradicts && most > e.weight[v] {
			d.why = contradicted
		}
		return d, nil
	}
	if t.edge > agreeLarge {
		round, err := disc(e.best[v])
		if err != nil {
			return d, err
		}
		if round < agreeDisc {
			d.why = unsure
		}
	}
	return d, nil
}

// Reasons of an abstention.
const (
	unsure       = "unsure"
	contradicted = "contradicted" // the spots give another value than the network
	side         = "side"         // another face lies right over it: perhaps a die's side
)

// logarithms are those of the values' odds from both witnesses.
func logarithms(t hit, e *evidence) (p [6]float64) {
	w := &fitted.Witnesses
	for v := range p {
		p[v] = w.ByNetwork*math.Log(max(t.values[v], w.NetworkFloor)) + w.BySpots*e.weight[v] +
			w.ByCount*math.Log1p(float64(e.count[v]))
	}
	return p
}

// joint are the probabilities of the values from both witnesses.
func joint(t hit, e *evidence) [6]float64 {
	p := logarithms(t, e)
	if t.die >= agreeClearDie && slices.Max(p[1:]) > p[0] { // a single fleck is everywhere
		for v := range p {
			p[v] *= fitted.Witnesses.Clear
		}
	}
	copy(p[:], network.Softmax(p[:]))
	return p
}

// reading makes a verdict a fact.
func (t hit) reading(d verdict) fact.Die {
	var out fact.Die
	for v, p := range d.p {
		out.Guesses = append(out.Guesses, fact.Guess{Label: strconv.Itoa(v + 1), P: p})
	}
	slices.SortStableFunc(out.Guesses, likelier)
	out.Guesses = out.Guesses[:3]
	if out.Abstain = d.why; out.Abstain == "" && d.p[d.value] < readerAccept {
		out.Abstain = unsure
	}
	h := t.edge / 2
	out.Quad = geometry.Upright(fact.Point{t.x - h, t.y - h}, fact.Point{t.x + h, t.y + h})
	return out
}

// under reports whether a face may be the side of the die whose upper face is
// another: that lies above it in the picture, within 45°, and closer than two dice
// mostly can lie. How sure the network is of the other does not matter: of an upper
// face seen slantwise it may be less sure than of the side. A camera that looks
// straight down shows dice that touch so, too; then one of two is not read.
func (t hit) under(all []hit) bool {
	return slices.ContainsFunc(all, func(o hit) bool {
		dx, dy, edge := math.Abs(o.x-t.x), t.y-o.y, math.Sqrt(o.edge*t.edge)
		return o.die >= hitFound && dx < dy && math.Hypot(dx, dy) < agreeApart*edge &&
			o.edge > agreeSmaller*t.edge && o.edge < agreeLarger*t.edge
	})
}

// fromAbove reports whether the spots are those of a face which a slantwise camera looks
// down upon: long and level. Those of a die's sides are upright or slanted.
func (p *pattern) fromAbove() bool {
	return p != nil && p.value > 1 && !slices.ContainsFunc(p.spots, func(s spot) bool {
		return s.long < agreeAboveLong || math.Abs(s.turn) > agreeAboveLevel
	})
}

// open reports whether a third witness may decide what the two leave in doubt.
func (t hit) open(e *evidence) bool {
	return t.die >= agreeAsked && slices.Max(e.weight[:]) >= agreeBlindWeight || t.blind(e)
}

// blind reports whether a face is surely there of which no spots are found.
func (t hit) blind(e *evidence) bool {
	return t.die >= agreeBlindHeat && t.edge <= agreeLarge && slices.Max(e.weight[:]) < agreeBlindWeight
}

// three weighs the evidence of the third witness with the two others; the verdict is
// theirs where it does not suffice.
func (d verdict) three(t hit, e *evidence, logits [7]float64, disc func(*pattern) (float64, error)) (verdict, error) {
	named := network.Softmax(logits[:])
	q := logarithms(t, e)
	for v := range q {
		q[v] += math.Log(max(named[v+1], fitted.Witnesses.ThirdFloor))
	}
	all := verdict{}
	copy(all.p[:], network.Softmax(q[:]))
	for v, p := range all.p {
		if p > all.p[all.value] {
			all.value = v
		}
	}
	v := all.value
	switch {
	case t.blind(e):
		if named[none] <= agreeBlindNone && named[v+1] >= agreeBlindNamed {
			return all, nil
		}
		return d, nil
	case named[none] > agreeOpenNone, all.p[v] < agreeAll, e.weight[v] < fitted.Witnesses.Bears[v]:
		return d, nil
	}
	if t.edge > agreeLarge {
		need := agreeDisc
		if named[v+1] >= agreeSurelyNamed && named[none] <= agreeSurelyNoNone {
			need = agreeRoughDisc
		}
		if round, err := disc(e.best[v]); err != nil || round < need {
			return d, err
		}
	}
	return all, nil
}

// named weighs what the namer says of a face with the network's output and the spots: the
// probabilities of none and of the six values.
func (t hit) named(e *evidence, logits [7]float64) []float64 {
	w := &fitted.Agreement
	z := make([]float64, len(logits))
	for i, l := range logits {
		z[i] = w.Named * l
	}
	die := math.Log(t.die / max(1-t.die, agreeMostDie))
	for v, weight := range e.weight {
		z[v+1] += w.Die*die + w.Spots*min(weight, agreeMostWeight) + w.Offset
	}
	return network.Softmax(z)
}

// confirm weighs a verdict with the namer: its own is taken where it is sure, and a face that
// it doubts is not read.
func (d verdict) confirm(t hit, e *evidence, logits [7]float64) verdict {
	p := t.named(e, logits)
	value := 0
	for v := range t.values {
		if p[v+1] > p[value+1] {
			value = v
		}
	}
	d.die = 1 - network.Softmax(logits[:])[none]
	switch {
	case p[value+1] >= readerAccept:
		all := verdict{value: value, die: d.die}
		copy(all.p[:], p[1:])
		return all
	case d.why == "" && 1-d.die > agreeNone:
		d.why = unsure
	}
	return d
}

// decideAll reads what the network proposes, all witnesses heard.
func (r *Reader) decideAll(img gocv.Mat, hits []hit) ([]fact.Die, error) {
	var out []fact.Die
	for _, t := range hits {
		if t.die < hitFound {
			continue
		}
		d, e, err := r.judge(img, t)
		if err != nil {
			return nil, err
		}
		if d.why == "" && t.under(hits) && !e.best[d.value].fromAbove() {
			d.why = side
		}
		out = append(out, t.reading(d))
	}
	return out, nil
}

// judge combines all detectors' results for one proposal.
func (r *Reader) judge(img gocv.Mat, t hit) (verdict, *evidence, error) {
	w := r.witness
	e, err := w.evidence(img, t)
	if err != nil {
		return verdict{}, nil, err
	}
	disc := func(p *pattern) (float64, error) { return w.roundness(img, t, p) }
	d, err := decide(t, e, disc)
	if err != nil {
		return verdict{}, nil, err
	}
	if t.die >= agreeAsked || d.why == "" && d.p[d.value] >= readerAccept {
		named, ok, err := r.namer.name(img, t)
		if err != nil {
			return verdict{}, nil, err
		}
		if !ok {
			return d, e, nil
		}
		if (d.why != "" || d.p[d.value] < readerAccept) && t.open(e) {
			if d, err = d.three(t, e, named, disc); err != nil {
				return verdict{}, nil, err
			}
		}
		d = d.confirm(t, e, named)
	}
	return d, e, nil
}
