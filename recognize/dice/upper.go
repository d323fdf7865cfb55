package dice

import (
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/internal/geometry"
)

// upper is a face that the network found at a calibrated table, of the known size, and read
// if it may lie in the known plane.
type upper struct {
	hit
	square bool // the spots show that it lies flat
	stands bool // the die's outline shows it
	die    fact.Die
}

// plain reports whether the search read a throw and left nothing open.
func plain(list []fact.Die) bool {
	open := func(d fact.Die) bool { return d.Abstain != "" || d.Irregular != "" }
	return len(list) >= upperThrow && !slices.ContainsFunc(list, open)
}

// uppers reads a zone as a photograph is read, but for dice of the known size that lie in
// the known plane. The search separates dice from the felt by their colour, and through a
// glass die the felt shows; it finds a die that leans by how well a sharp outline and
// spots of one spacing fit, and dice have round edges and other spacings.
func (r *Reader) uppers(img gocv.Mat, hint Hint) ([]upper, error) {
	if err := r.load(); err != nil {
		return nil, err
	}
	hits, err := r.net.search(img, []float64{upperEdge / hint.Edge})
	if err != nil {
		return nil, err
	}
	var out []upper
	for _, t := range merge(hits) {
		if t.die < upperFound || math.Abs(math.Log(t.edge/hint.Edge)) > upperOtherEdge {
			continue
		}
		d, e, err := r.judge(img, t)
		if err != nil {
			return nil, err
		}
		p, die := e.best[d.value], t.reading(d)
		switch {
		case die.Abstain == "" && (p == nil || p.flat(t.edge/hint.Edge)):
			out = append(out, upper{hit: t, square: p != nil && p.square(), die: die})
		case t.die >= upperUnread && (p != nil || d.die >= upperUnread):
			out = append(out, upper{hit: t, die: fact.Die{Abstain: unsure, Quad: die.Quad}})
		}
	}
	return out, nil
}

// flat reports whether a face may be a square of the known size, as one in the plane of
// upper faces is: scale is the proposal's edge over the known one. A one is no evidence of
// that, and a two or three little.
func (p *pattern) flat(scale float64) bool {
	lu, lv := math.Hypot(p.u[0], p.u[1]), math.Hypot(p.v[0], p.v[1])
	edge := 2 * math.Sqrt(lu*lv) / faceEdge * p.look * scale
	return p.value == 1 || edge > upperLeast && edge < upperMost && (p.value < 4 || p.square())
}

// square reports whether the spots show that a face is a square: a die that leans, or the
// side of one, shows another shape.
func (p *pattern) square() bool {
	lu, lv := math.Hypot(p.u[0], p.u[1]), math.Hypot(p.v[0], p.v[1])
	cos := math.Abs(p.u[0]*p.v[0]+p.u[1]*p.v[1]) / (lu * lv)
	return p.value >= 4 && max(lu, lv) < upperOblong*min(lu, lv) && cos < upperSkew
}

// joined puts what the network read among the readings of the search: what that could not
// read or did not find. Where both read a die unlike it is not read.
func joined(list []fact.Die, seen []upper, hint Hint) []fact.Die {
	search := slices.Clone(list)
	for _, u := range seen {
		if u.perhapsSide(hint) {
			u.die = fact.Die{Abstain: unsure, Quad: u.die.Quad}
		}
		if !u.side(search, seen, hint) {
			list = u.into(list, hint)
		}
	}
	return list
}

// perhapsSide reports whether a face may be the side of a die whose upper face nobody saw: before
// a low camera sides are the larger part of a die, and neither spots nor outline show that it
// is none.
func (u upper) perhapsSide(hint Hint) bool {
	foot := hint.Drop * math.Hypot(hint.Eye[0]-u.x, hint.Eye[1]-u.y)
	return foot > upperLow*hint.Edge && !u.square && !u.stands
}

// into puts a reading among others.
func (u upper) into(list []fact.Die, hint Hint) []fact.Die {
	for i := range list {
		o := &list[i]
		within := geometry.Contains(o.Quad[:], fact.Point{u.x, u.y}) && len(o.Guesses) == 0
		if c := centre(o.Quad); !within && math.Hypot(float64(c.X)-u.x, float64(c.Y)-u.y) > upperSame*hint.Edge {
			continue
		}
		label, _ := fact.Best(u.die.Guesses)
		switch value, _ := fact.Best(o.Guesses); {
		case u.die.Abstain != "":
		case len(o.Guesses) == 0 && (o.Irregular == "" || o.Irregular == "cocked" && (u.square || u.stands)):
			*o = u.die
		case o.Abstain == "" && value != label:
			o.Abstain = contradicted
		}
		return list
	}
	for i := range list {
		c := centre(list[i].Quad)
		if list[i].Irregular == "cocked" && u.shows(float64(c.X), float64(c.Y), hint) {
			list[i] = u.die // the search took its side for a die that leans
			return list
		}
	}
	return append(list, u.die)
}

// side reports whether a face lies where a side of another die shows, one that the search
// read or the network did.
func (u upper) side(search []fact.Die, seen []upper, hint Hint) bool {
	for _, o := range search {
		if c := centre(o.Quad); len(o.Guesses) > 0 && u.sideOf(float64(c.X), float64(c.Y), o.Irregular == "stacked", hint) {
			return true
		}
	}
	return slices.ContainsFunc(seen, func(o upper) bool { return o.die.Abstain == "" && u.sideOf(o.x, o.y, false, hint) })
}

// shows reports whether a side of the die with this upper face is seen at a place.
func (u upper) shows(x, y float64, hint Hint) bool {
	return upper{hit: hit{x: x, y: y}}.sideOf(u.x, u.y, false, hint)
}

// sideOf reports whether a face lies where a side of the die with its upper face there
// shows, or of the one under it: half an edge aside and half a height, or one more, down.
func (u upper) sideOf(x, y float64, tower bool, hint Hint) bool {
	if math.Hypot(u.x-x, u.y-y) < upperSame*hint.Edge/2 {
		return false // the die itself
	}
	downX, downY := hint.Drop*(hint.Eye[0]-x), hint.Drop*(hint.Eye[1]-y)
	shows := func(heights float64) bool {
		dx, dy := u.x-x-heights*downX, u.y-y-heights*downY
		return math.Abs(math.Hypot(dx, dy)-hint.Edge/2) < upperOnSide*hint.Edge && dx*downX+dy*downY > 0
	}
	return shows(0.5) || tower && shows(1.5)
}
