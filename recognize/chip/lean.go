package chip

import (
	"math"

	"gocv.io/x/gocv"
)

// People hold cameras askew, and chips slide: how a stack leans in the picture is not
// known, and its chips are told apart only about as it leans. So its side is looked at in
// several ways, and what they say is added, each weighed by how likely it makes the side to
// be chips.

// leaning are the ways in which the side of the stack in a box was looked at, by steps of
// its lean.
type leaning struct {
	reader *Reader
	img    gocv.Mat
	bounds
	looked map[int]way
}

// way is one of them. No strip where the box is too flat for it.
type way struct {
	strip *strip
	tally tally
}

// look looks at the side as if it leaned by some steps.
func (l *leaning) look(step int) (way, error) {
	if w, ok := l.looked[step]; ok {
		return w, nil
	}
	s, t, err := l.reader.look(l.img, l.bounds, float64(step)*par.lean.step)
	if err != nil {
		return way{}, err
	}
	l.looked[step] = way{s, t}
	return l.looked[step], nil
}

// side looks at the side of the stack in a box about as it leans most likely. nil where the
// box is too flat.
func (r *Reader) side(img gocv.Mat, b bounds) (*sideView, error) {
	l := &leaning{reader: r, img: img, bounds: b, looked: map[int]way{}}
	best := 0
	for {
		next, err := l.likeliest(best, best-par.lean.far, best+par.lean.far)
		if err != nil {
			return nil, err
		}
		if next == best {
			break
		}
		best = next
	}
	f, err := l.about(best)
	if err != nil || f == nil || f.counts || b.p < par.stack.sure {
		return f, err
	}
	// A box that surely is a stack, and nothing to climb from.
	if best, err = l.likeliest(best, -par.lean.most, par.lean.most); err != nil {
		return nil, err
	}
	leans, err := l.about(best)
	if err != nil || leans == nil || !leans.counts {
		return f, err
	}
	return leans, nil
}

// likeliest is the lean between two, in far steps, that makes the side likeliest to be chips,
// if it does so more than best.
func (l *leaning) likeliest(best, low, high int) (int, error) {
	most, err := l.look(best)
	if err != nil {
		return 0, err
	}
	for k := max(-par.lean.most, low); k <= min(par.lean.most, high); k += par.lean.far {
		w, err := l.look(k)
		if err != nil {
			return 0, err
		}
		if w.tally.some > most.tally.some {
			best, most = k, w
		}
	}
	return best, nil
}

// about looks at the side as if it leaned by about some steps. nil where the box is too flat
// for that.
func (l *leaning) about(step int) (*sideView, error) {
	var ways []way
	best := 0
	for k := step - par.lean.about; k <= step+par.lean.about; k++ {
		w, err := l.look(k)
		if err != nil {
			return nil, err
		}
		if w.strip == nil {
			continue
		}
		if ways = append(ways, w); w.tally.some > ways[best].tally.some {
			best = len(ways) - 1
		}
	}
	if len(ways) == 0 {
		return nil, nil
	}
	like := &ways[best]
	f := &sideView{bounds: l.bounds, strip: like.strip, tally: tally{p: make([]float64, par.stack.countMost+1),
		edges: like.tally.edges, some: like.tally.some}}
	sum := 0.0
	for _, w := range ways {
		share := math.Exp(par.lean.evidence * (w.tally.some - f.tally.some))
		sum += share
		f.layers += share * w.strip.layers()
		for n, p := range w.tally.p {
			f.tally.p[n] += share * p
		}
	}
	f.layers /= sum
	for n := range f.tally.p {
		f.tally.p[n] /= sum
	}
	n, _ := f.tally.likeliest()
	f.counts = n > 1 && f.layers >= par.stack.layers && f.odds() >= par.stack.odds
	return f, nil
}

// look looks at the side of the stack in a box as if it leaned by an angle. nil where the
// box is too flat for that.
func (r *Reader) look(img gocv.Mat, b bounds, turn float64) (*strip, tally, error) {
	at, ok := b, true
	if turn != 0 {
		at, ok = b.turned(turn)
	}
	if !ok {
		return nil, tally{}, nil
	}
	s, err := r.counter.look(img, at, turn)
	if err != nil || s == nil {
		return nil, tally{}, err
	}
	t := s.count(par.stack.countMost)
	t.with(s.layers())
	return s, t, nil
}
