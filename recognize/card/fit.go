package card

import (
	"fmt"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/recognize/network"
)

// What the fitting network was trained for (models/train/fit.py): a corner with what
// lies round it, cut out by the frame that a mark implies.
const (
	fitSide           = 64
	fitLeft, fitRight = -0.25, 0.65 // of what is cut out, in shorter sides from the apex
	fitUp, fitDown    = -0.18, 0.46 // and in longer ones
	fitLong           = cardRatio   // a long side over a short one, in which it gives lengths
	fitGain           = 5.0         // its outputs are this much larger than the moves
	fitMoves          = 6
)

// fitter moves marks to where their corners are: the corners network, which sees the
// whole picture, gives a frame to some percent, and the index is read well only in a
// better one.
type fitter struct{ *network.Net }

// fitted moves the marks with an index to their corners, but for those of the cards
// read and those that an outline gives well, and finds those between them.
func (r *Reader) fitted(img gocv.Mat, marks []mark, read []view) ([]mark, error) {
	var free, out []mark
	for _, m := range marks {
		if m.plain || m.edged || slices.ContainsFunc(read, func(v view) bool { return v.explains(m) }) {
			out = append(out, m)
		} else {
			free = append(free, m)
		}
	}
	free, err := r.fitter.fit(img, free)
	if err != nil {
		return nil, err
	}
	more, err := r.fitter.fit(img, between(free))
	if err != nil {
		return nil, err
	}
	for _, m := range more {
		if !slices.ContainsFunc(free, m.at) {
			free = append(free, m)
		}
	}
	return append(out, free...), nil
}

// fit gives the marks as the pictures of their corners show them.
func (f fitter) fit(img gocv.Mat, marks []mark) ([]mark, error) {
	out := slices.Clone(marks)
	for range fitRounds {
		for part := range slices.Chunk(out, 16) {
			if err := f.once(img, part); err != nil {
				return nil, fmt.Errorf("fit corners: %w", err)
			}
		}
	}
	return out, nil
}

func (f fitter) once(img gocv.Mat, marks []mark) error {
	quads := make([]fact.Quad, len(marks))
	for i, m := range marks {
		quads[i] = m.surroundings()
	}
	crops, err := cut(img, quads, fitSide, fitSide)
	if err != nil {
		return err
	}
	outputs, err := f.Vectors(crops.px, len(marks))
	if err != nil {
		return err
	}
	for i, m := range marks {
		if n, ok := m.by(outputs[i*fitMoves : (i+1)*fitMoves]); ok {
			marks[i] = n
		}
	}
	return nil
}

// surroundings are the corner and what lies round it, from the apex's side; mirrored
// where the short side leaves the apex to the left.
func (m mark) surroundings() fact.Quad {
	at := func(x, y float64) fact.Point { return add(m.apex, add(scale(m.short, x), scale(m.long, y))) }
	return fact.Quad{at(fitLeft, fitUp), at(fitRight, fitUp), at(fitRight, fitDown), at(fitLeft, fitDown)}
}

// by is the mark moved by the network's output; false where that is no card's frame.
func (m mark) by(output []float32) (mark, bool) {
	var v [fitMoves]float64
	for i, x := range output {
		v[i] = float64(x) / fitGain
		if math.IsNaN(v[i]) || math.Abs(v[i]) > fitMost {
			return m, false
		}
	}
	s, l := m.short, scale(m.long, 1/fitLong)
	in := func(a, b float64) fact.Point { return add(scale(s, a), scale(l, b)) }
	n := m
	n.apex = add(m.apex, in(v[0], v[1]))
	n.short = in(1+v[2], v[3])
	n.long = scale(in(v[4], 1+v[5]), fitLong)
	a, b := norm(n.short), norm(n.long)
	if cross(n.short, n.long)*cross(m.short, m.long) <= 0 || math.Abs(cross(n.short, n.long)) < fitSine*a*b ||
		b > fitLength[1]*a || b < fitLength[0]*a {
		return m, false
	}
	return n, true
}
