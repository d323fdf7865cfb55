package card

import (
	"cmp"
	"math"
	"slices"

	"vision/internal/fact"
)

// suppress keeps of overlapping views the best (NMS).
func (r *Reader) suppress(views []view) []view {
	slices.SortStableFunc(views, func(a, b view) int { return cmp.Compare(r.rankView(b), r.rankView(a)) })
	var kept []view
	for _, v := range views {
		if v.card() < suppressCard || slices.ContainsFunc(views, v.partOf) {
			continue
		}
		i := slices.IndexFunc(kept, func(k view) bool {
			return overlap(k.quad, v.quad) > suppressOverlap*min(area(k.quad[:]), area(v.quad[:]))
		})
		if i < 0 {
			kept = append(kept, v)
		} else if r.frames(v, kept[i]) {
			kept[i] = v
		}
	}
	return kept
}

// partOf reports whether v, taken for a back, is only the picture of the court w.
func (v *view) partOf(w view) bool {
	return v.guesses[0].Label == "BK" && w.guesses[0].Label != "BK" && w.card() > suppressCourt &&
		area(v.quad[:]) < suppressCourtArea*area(w.quad[:]) &&
		overlap(v.quad, w.quad) > suppressCourtIn*area(v.quad[:])
}

// frames reports whether v is the card of which k is the printed frame: the same
// reading, a little larger round it.
func (r *Reader) frames(v, k view) bool {
	return v.agreed && v.guesses[0].Label == k.guesses[0].Label && v.guesses[0].P >= acceptOutline &&
		area(v.quad[:]) > suppressFrame[0]*area(k.quad[:]) && area(v.quad[:]) < suppressFrame[1]*area(k.quad[:]) &&
		overlap(v.quad, k.quad) > suppressFrameIn*area(k.quad[:])
}

// rankView orders rival views of one place: read ones first, then by outline.
func (r *Reader) rankView(v view) float64 {
	s := v.score() + v.card()
	if v.agreed && v.guesses[0].P >= acceptOutline {
		s += suppressRead
	}
	return s
}

// onePerPlace leaves of several faces read in one place one: a card under another shows its
// index only where it lies so much farther out that their overlap is less. Where they were
// read as different ones it is not sure, and its guesses are those of all.
func onePerPlace(cards []fact.Card) []fact.Card {
	face := func(c fact.Card) bool { return len(c.Guesses) > 0 && c.Guesses[0].Label != "BK" }
	var out []fact.Card
	for _, c := range cards {
		i := slices.IndexFunc(out, func(k fact.Card) bool {
			return face(k) && face(c) && iou(k.Quad, c.Quad) > suppressSame
		})
		if i < 0 {
			out = append(out, c)
			continue
		}
		k := &out[i]
		switch sure := k.Abstain == ""; {
		case sure && c.Abstain == "" && k.Guesses[0].Label != c.Guesses[0].Label:
			k.Abstain, k.Guesses = "unsure", pooled(k.Guesses, c.Guesses)
		case !sure && c.Abstain == "", sure == (c.Abstain == "") && c.Guesses[0].P > k.Guesses[0].P:
			*k = c
		}
	}
	return out
}

// pooled are the mean guesses of two readings of one card, the likeliest first.
func pooled(a, b []fact.Guess) []fact.Guess {
	var out []fact.Guess
	for _, g := range slices.Concat(a, b) {
		i := slices.IndexFunc(out, func(o fact.Guess) bool { return o.Label == g.Label })
		if i < 0 {
			i, out = len(out), append(out, fact.Guess{Label: g.Label})
		}
		out[i].P += g.P / 2
	}
	slices.SortStableFunc(out, byProbability)
	return out[:min(len(out), acceptGuesses)]
}

// reading makes the view a card, or an abstention with its reason.
func (r *Reader) reading(v view) fact.Card {
	a, b := sides(v.quad)
	d := sub(v.quad[3], v.quad[0])
	c := fact.Card{Quad: v.quad, At: centre(v.quad), Angle: math.Mod(math.Atan2(d[1], d[0])*180/math.Pi+180, 180)}
	for _, g := range v.guesses {
		if g.Label != none && g.P >= acceptReported && len(c.Guesses) < acceptGuesses {
			c.Guesses = append(c.Guesses, g)
		}
	}
	switch {
	case len(c.Guesses) == 0:
		c.Abstain = "unsure"
	case min(a, b) < acceptMinRead:
		c.Abstain = "small"
	case v.covered:
		if !v.clear() {
			c.Abstain = "occluded"
		}
	case c.Guesses[0].P < r.least(v) || !v.agreed:
		c.Abstain = "unsure"
	}
	return c
}

// doubtBacks abstains from backs of another size than the nearest face read, and,
// where the size of cards is not known, from those of which the corners network
// sees no corner: pips, keys of a keyboard, print. views are those of the cards.
func doubtBacks(cards []fact.Card, views []view, marks []mark, hint Hint) {
	for i := range cards {
		c := &cards[i]
		if !acceptedBack(c) || views[i].tiled {
			continue
		}
		a, b := sides(c.Quad)
		short := min(a, b)
		near, size := sizeOfNearest(c.At, cards), suppressBackSize
		if near > 0 && (short < size[0]*near || short > size[1]*near) || hint.Short == 0 && !cornered(c.Quad, short, marks) {
			c.Abstain = "unsure"
		}
	}
}

// sizeOfNearest is the shorter side of the face read nearest to p; 0: none.
func sizeOfNearest(p fact.Point, cards []fact.Card) float64 {
	near, far := 0.0, math.Inf(1)
	for k := range cards {
		o := &cards[k]
		if d := norm(sub(o.At, p)); o.Abstain == "" && !acceptedBack(o) && d < far {
			a, b := sides(o.Quad)
			near, far = min(a, b), d
		}
	}
	return near
}

// cornered reports whether a corner without index is clearly seen at a corner of q: of
// frames printed on a felt the network sees some with a low score.
func cornered(q fact.Quad, short float64, marks []mark) bool {
	return slices.ContainsFunc(marks, func(m mark) bool {
		return m.plain && m.cornerScore >= acceptCorner && slices.ContainsFunc(q[:], func(p fact.Point) bool {
			return norm(sub(p, m.apex)) < suppressBackCorner*short
		})
	})
}

// acceptedBack reports whether a card is read, as a back.
func acceptedBack(c *fact.Card) bool {
	return c.Abstain == "" && len(c.Guesses) > 0 && c.Guesses[0].Label == "BK"
}

// least is the probability from which an outline is read.
func (r *Reader) least(v view) float64 {
	switch {
	case v.guesses[0].Label == "BK":
		return max(acceptOutline, acceptBack)
	case !v.noIndex:
		return max(acceptOutline, acceptIndexed)
	}
	return acceptOutline
}
