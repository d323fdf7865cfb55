package card

import (
	"cmp"
	"slices"

	"vision/internal/fact"
)

// An index stands there from the apex, in the card's sides (models/train/scenes.py).
const signShort, signLong = 0.13, 0.10

// withoutDuplicates drops of two readings of one card the less sure.
func withoutDuplicates(all []view, same func(v, o view) bool) []view {
	var out []view
	slices.SortStableFunc(all, func(a, b view) int {
		return cmp.Or(cmp.Compare(len(b.marks), len(a.marks)), cmp.Compare(b.faceP, a.faceP),
			cmp.Compare(b.cornerScore, a.cornerScore))
	})
	for _, v := range all {
		if !slices.ContainsFunc(out, func(o view) bool {
			within := overlap(v.quad, o.quad) > suppressTwiceIn*min(area(v.quad[:]), area(o.quad[:]))
			return same(v, o) && (within || v.shares(o) || v.signs(o) || v.others(o) && v.over(o))
		}) {
			out = append(out, v)
		}
	}
	return out
}

// doubles reports whether v, seen by corners, is o again, which was read by its outline and
// agrees.
func (v *view) doubles(o view) bool { return v.over(o) || v.signs(o) }

// over reports whether v lies where o does, as far as two corners of one card agree.
func (v *view) over(o view) bool { return iou(v.quad, o.quad) > suppressTwiceOver }

// others reports whether all corners of v are others than those of o: of two cards that
// lie alike, one over the other, the lower shows a corner as the upper does.
func (v *view) others(o view) bool {
	return !slices.ContainsFunc(v.marks, func(m mark) bool { return slices.ContainsFunc(o.marks, m.corresponds) })
}

// corresponds reports whether two marks, of cards that lie alike, are of the same corner.
func (m mark) corresponds(n mark) bool {
	return m.left() == n.left() && dot(unit(m.long), unit(n.long)) > 0
}

// shares reports whether a corner of v is one of o too.
func (v *view) shares(o view) bool {
	return slices.ContainsFunc(v.marks, func(m mark) bool { return slices.ContainsFunc(o.marks, m.same) })
}

// signs reports whether what v shows in a corner stands in one of o.
func (v *view) signs(o view) bool {
	a, b := sides(o.quad)
	for _, p := range o.quad {
		at := mark{apex: p}.within(o.quad).sign()
		if slices.ContainsFunc(v.marks, func(m mark) bool {
			return norm(sub(m.sign(), at)) < suppressTwiceSign*min(a, b)
		}) {
			return true
		}
	}
	return false
}

// sign is where the index of the corner stands.
func (m mark) sign() fact.Point {
	return add(m.apex, add(scale(m.short, signShort), scale(m.long, signLong)))
}
