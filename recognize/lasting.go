package recognize

import (
	"slices"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/fact"
)

// Of a table of whose empty felt nobody took a picture, what has been read at one place
// since the table was first seen, and shows unchanged long after, is print until it goes:
// cards and dice are taken up within a round.

// lasting are the things of one kind that have been in a zone since it was first read.
type lasting struct {
	begun  bool
	since  time.Time
	first  gocv.Mat // the picture of then; without memory where nothing was read
	things []fixture
	turned bool // the zone was read again when they had been there for long
}

// fixture is one of them.
type fixture struct {
	quad   fact.Quad
	missed int // readings in which it did not show
}

// holds reports whether a thing's middle lies in it.
func (f fixture) holds(q fact.Quad) bool {
	return calibration.Zone{Polygon: f.quad[:]}.Contains(on(q, 1, 0.5, 0.5))
}

func (l *lasting) forget() {
	closeMat(&l.first)
	*l = lasting{}
}

// due reports, once, whether what is read of the zone may be another because things have
// been there for long.
func (l *lasting) due(at time.Time) bool {
	if l.turned || len(l.things) == 0 || at.Sub(l.since) < lastingAfter {
		return false
	}
	l.turned = true
	return true
}

// print returns which of the things that are read at a time are print.
func (l *lasting) print(img gocv.Mat, at time.Time, quads []fact.Quad) []bool {
	out := make([]bool, len(quads))
	if !l.begun {
		l.begun, l.since = true, at
	}
	if at.Sub(l.since) < lastingFrom {
		l.begin(img, quads)
		return out
	}
	v, ok := viewBackground(img, l.first)
	if !ok || len(l.things) == 0 {
		return out
	}
	same := printed(img, l.first, quads)
	var over []calibration.Zone
	for i, q := range quads {
		if !same[i] {
			over = append(over, calibration.Zone{Polygon: q[:]})
		}
	}
	for i := range l.things {
		if f := &l.things[i]; v.seen(f.quad, over) && !v.unchanged(f.quad, over) {
			f.missed++
		}
	}
	l.things = slices.DeleteFunc(l.things, func(f fixture) bool { return f.missed >= lastingGone })
	long := at.Sub(l.since) >= lastingAfter
	for i, q := range quads {
		out[i] = same[i] && long && slices.ContainsFunc(l.things, func(f fixture) bool { return f.holds(q) })
	}
	return out
}

// begin takes over what is read at first.
func (l *lasting) begin(img gocv.Mat, quads []fact.Quad) {
	for _, q := range quads {
		if l.first.Ptr() == nil {
			l.first = img.Clone()
		}
		if !slices.ContainsFunc(l.things, func(f fixture) bool { return f.holds(q) }) {
			l.things = append(l.things, fixture{quad: q})
		}
	}
}

// The kinds of things that a zone's lasting are sorted by.
const (
	lastingCards = iota
	lastingChips
	lastingDice
)

// lastsFor reports whether a zone has to be read again because of what has been there
// for long.
func (z *zone) lastsFor(at time.Time) bool {
	if len(z.next) > 0 || z.reads == 0 { // it will be, or it is stirred and will come to rest
		return false
	}
	due := false
	for i := range z.lasting {
		due = z.lasting[i].due(at) || due
	}
	return due
}

// withoutPrint leaves out the things of a kind that are print: by the picture of the empty
// table, or, where there is none, because they have been there for as long as the table
// was seen. may says of which things that can be believed; nil: of all.
func withoutPrint[T any](t *Table, z *zone, kind int, img, background gocv.Mat, list []T, quad func(T) fact.Quad,
	may func(T) bool) (out []T) {
	quads := make([]fact.Quad, len(list))
	for i, v := range list {
		quads[i] = quad(v)
	}
	print := printed(img, background, quads)
	if background.Ptr() == nil {
		print = z.lasting[kind].print(img, t.last, quads)
	}
	for i, v := range list {
		if !print[i] || may != nil && !may(v) {
			out = append(out, v)
		}
	}
	return out
}

// uncounted: chips that are counted may well lie there for long, as a bank's do.
func uncounted(s fact.Stack) bool { return s.Abstain != "" }
