package eval

import (
	"cmp"
	"math"
	"slices"
)

// Reading is what a reader says of one thing: a label, or "?" where it found
// the thing and did not read it. For chips Label is the colour and Count the
// number of chips (0: unknown).
type Reading struct {
	Label  string
	Count  int
	Box    Box
	Short  float64 // shorter side of the thing in pixels; 0: that of Box
	Reason string  // of an abstention: why it is not read

	// Best is the likeliest label, of an abstention too; "": there is none. P is its
	// probability and those of others, as told, and Weighed before the reader's temperature.
	Best       string
	P, Weighed []float64
	Low, High  int // of a stack that is not counted
}

// Abstained is the label of a thing found and not read.
const Abstained = "?"

func (r Reading) short() float64 {
	if r.Short > 0 {
		return r.Short
	}
	return min(r.Box[2], r.Box[3])
}

// pair is a truth and the reading matched to it.
type pair struct {
	item    Item
	reading Reading
}

// outcome is what matching one picture gives.
type outcome struct {
	pairs     []pair    // matched by place, or without boxes by label
	missed    []Item    // truths without an accepted reading
	spurious  []Reading // accepted readings without a truth
	accepted  int
	abstained int
	reasons   []string // of the abstentions
	byLabel   bool     // matched without boxes
}

// match pairs the accepted readings with the truth of one picture. Readings
// whose centre lies in an ignore box count neither way.
func match(m *Image, k Kind, readings []Reading) outcome {
	var o outcome
	var accepted []Reading
	for _, r := range readings {
		if slices.ContainsFunc(m.Ignore, func(b Box) bool { return b.Holds(r.Box.Centre()) }) {
			continue
		}
		if r.Label == Abstained {
			o.abstained++
			o.reasons = append(o.reasons, r.Reason)
			continue
		}
		accepted = append(accepted, r)
	}
	items := m.Items(k)
	o.byLabel = len(items) > 0 && items[0].Box == nil && items[0].Point == nil
	if k == Chips && o.byLabel {
		accepted = byColor(accepted)
	}
	o.accepted = len(accepted)
	o.assign(items, accepted, scorer(k, o.byLabel))
	return o
}

// assign pairs greedily, best score first; a score of 0 or less is no match.
func (o *outcome) assign(items []Item, readings []Reading, score func(Item, Reading) float64) {
	type candidate struct {
		i, r int
		s    float64
	}
	var all []candidate
	for i, it := range items {
		for r, rd := range readings {
			if s := score(it, rd); s > 0 {
				all = append(all, candidate{i, r, s})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.s, a.s) })
	usedItem, usedReading := make([]bool, len(items)), make([]bool, len(readings))
	for _, c := range all {
		if !usedItem[c.i] && !usedReading[c.r] {
			usedItem[c.i], usedReading[c.r] = true, true
			o.pairs = append(o.pairs, pair{items[c.i], readings[c.r]})
		}
	}
	for i, it := range items {
		if !usedItem[i] {
			o.missed = append(o.missed, it)
		}
	}
	for r, rd := range readings {
		if !usedReading[r] {
			o.spurious = append(o.spurious, rd)
		}
	}
}

// scorer says how well a reading sits on a truth: greater is better, 0 not at all.
func scorer(k Kind, byLabel bool) func(Item, Reading) float64 {
	return func(it Item, r Reading) float64 {
		switch {
		case byLabel:
			return labelScore(k, it, r)
		case it.Point != nil:
			d := distance(*it.Point, r.Box.Centre())
			if d >= r.short()/2 {
				return 0
			}
			return 1 / (1 + d)
		case it.Box == nil:
			return 0
		case k == Dice:
			if !it.Box.Holds(r.Box.Centre()) {
				return 0
			}
			return 1 / (1 + distance(it.Box.Centre(), r.Box.Centre()))
		}
		v := IoU(*it.Box, r.Box)
		switch {
		case v < 0.5:
			return 0
		case sameLabel(it.Label, r.Label): // in a fan a neighbour's box may lie nearer
			return 1 + v
		}
		return v
	}
}

// labelScore matches by label; an exact label goes before a rank alone, and for
// chips the colour alone decides.
func labelScore(k Kind, it Item, r Reading) float64 {
	switch {
	case k == Chips:
		if it.Color == r.Label {
			return 1
		}
	case it.Label == r.Label:
		return 2
	case sameLabel(it.Label, r.Label):
		return 1
	}
	return 0
}

// sameLabel compares labels; a truth of a rank and "?" is met by any suit.
func sameLabel(truth, read string) bool {
	if len(truth) == 2 && truth[1] == '?' {
		return len(read) == 2 && read[0] == truth[0] && read != "BK"
	}
	return truth == read
}

// right reports whether the reading says what the truth knows of its item.
func (p pair) right(k Kind) bool {
	if k != Chips {
		return sameLabel(p.item.Label, p.reading.Label)
	}
	return (p.item.Color == "" || p.item.Color == p.reading.Label) &&
		(p.item.Count == nil || *p.item.Count == p.reading.Count)
}

// byColor sums stacks to one reading per colour, for pictures without boxes.
func byColor(rs []Reading) []Reading {
	var out []Reading
	for _, r := range rs {
		i := slices.IndexFunc(out, func(o Reading) bool { return o.Label == r.Label })
		if i < 0 {
			out = append(out, r)
			continue
		}
		out[i].Count += r.Count
	}
	return out
}

// IoU is the shared area of two boxes over their joint area.
func IoU(a, b Box) float64 {
	w := min(a[0]+a[2], b[0]+b[2]) - max(a[0], b[0])
	h := min(a[1]+a[3], b[1]+b[3]) - max(a[1], b[1])
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h / (a[2]*a[3] + b[2]*b[3] - w*h)
}

func distance(a, b [2]float64) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }
