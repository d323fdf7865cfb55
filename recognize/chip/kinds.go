package chip

import (
	"fmt"
	"io/fs"
	"math"
	"slices"

	"vision/models"
	"vision/recognize/network"
)

// A second network looks at the unrolled side of a stack (flank.go) and compares what shows of
// each chip with each kind of the palette, in the light that is on the uppermost chip, whose kind
// is known by its face, and in that which suits the kind best. It has seen blur, dark feet and
// spots of colours that no palette gives, and compares the kinds in a picture with one another;
// where it sees several kinds, what the geometry says of colours (chain.go) is added.

// kindsAtOnce is how many kinds a picture that it is shown has room for: two columns each, of
// face and edge, where a flank has the bare felt.
const kindsAtOnce = flankCols / 2

func newKinds(set fs.FS) (*network.Net, error) {
	return network.Load(set, "kinds", fmt.Sprintf("%d kinds of a flank", kindsAtOnce), func(e *models.Entry) bool {
		return e.Size() == kindsAtOnce && e.Input[1] == FlankHigh && e.Input[2] == FlankWide
	})
}

// compared is what the network says of the first n chips under the face that is counted: log
// likelihoods of the kinds, as layers of a side. nil: it was not asked.
func (s *search) compared(n int) []layer {
	if s.naming == nil || s.unrolled == nil {
		return nil
	}
	kinds, rows := s.tones.kinds, flankRows*(flankAbove+n)
	pictures := (len(kinds) + kindsAtOnce - 1) / kindsAtOnce
	size := rows * FlankWide * 3
	pix := make([]byte, pictures*size)
	for p := range pictures {
		copy(pix[p*size:], s.unrolled[:size])
		row := pix[p*size+3*flankCols : p*size+6*flankCols] // its first: the network looks at no other
		clear(row)
		for k, t := range kinds[p*kindsAtOnce : min((p+1)*kindsAtOnce, len(kinds))] {
			for c := range 3 {
				row[6*k+c], row[6*k+3+c] = byte(min(t.field[2-c], 255)), byte(min(t.insert[2-c], 255))
			}
		}
	}
	out, shape, err := s.naming.Pictures(pix, pictures, rows, FlankWide)
	if err == nil && len(out) != pictures*kindsAtOnce*n {
		err = fmt.Errorf("%w kinds: gives %v for %d chips", models.ErrModel, shape, n)
	}
	if err != nil {
		s.err = err
		return nil
	}
	layers := make([]layer, n)
	for l := range layers {
		at := make([]float64, len(kinds))
		for k := range at {
			at[k] = float64(out[k*n+l])
		}
		sum := logSum(at)
		for k := range at {
			at[k] = fitted.Kinds.Weight * (at[k] - sum)
		}
		layers[l] = layer{kinds: at, chip: make([]float64, len(kinds))}
	}
	return layers
}

// with are layers as the geometry and the network see them together.
func (s *search) with(layers []layer) []layer {
	out := make([]layer, len(layers))
	for l := range layers {
		out[l] = layer{kinds: slices.Clone(s.looks[l].kinds), chip: s.looks[l].chip}
		for k := range out[l].kinds {
			out[l].kinds[k] += fitted.Kinds.Geometry * layers[l].kinds[k]
		}
	}
	return out
}

// named are the likeliest kinds of the chips under a face by what is said of each, and how
// probable they are among all sequences of as many.
func (s *search) named(t top, layers []layer) (kinds []int, p float64) {
	c, sd := s.chain(t), &side{layers: layers}
	if c.change != 0 {
		c.change = fitted.Kinds.Turn
	}
	kinds = c.path(sd, len(layers))
	all := slices.Clone(c.first)
	score := 0.0
	for l, k := range kinds {
		switch {
		case l == 0:
			score = c.first[k]
		case k == kinds[l-1]:
			score += c.stay
		default:
			score += c.change
		}
		if l > 0 {
			all = c.step(all)
		}
		for j := range all {
			all[j] += layers[l].fits(j)
		}
		score += layers[l].fits(k)
	}
	return kinds, math.Exp(score - logSum(all))
}

// withKinds decides with the network's word on kinds: chips of one kind are counted as such
// (alike), others as a chain (chained), whose kinds both name together.
func (s *search) withKinds(t top, places [len(shifts)]place, a counted) counted {
	n, share := len(a.kinds), a.p/t.p
	kinds, p := s.named(t, s.looks[:n])
	sure := tempered(share*p, fitted.Kinds.Power)
	one := !slices.ContainsFunc(kinds, func(k int) bool { return k != t.kind })
	if one && (a.hidden || sure >= s.opts.Accept) {
		a.p, a.kindsP = sure, p
		return a
	}
	c, _ := s.chained(t, places, a.kinds)
	c.p = tempered(c.p, fitted.Kinds.Power)
	switch {
	case c.mixed() || c.kinds[0] != t.kind:
		if c.p < s.opts.Accept {
			c.low, c.high = min(a.low, c.low), max(a.high, c.high)
		}
		return c
	case !c.hidden && len(c.kinds) == n && c.p >= strictly(s.opts.Accept):
		return c
	}
	a.p, a.kindsP = tempered(share*c.kindsP, fitted.Kinds.Power), c.kindsP
	return a
}
