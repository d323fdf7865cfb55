package track

import (
	"cmp"
	"fmt"

	"vision/internal/fact"
	"vision/validate/round"
)

// variances compares two readings of one fact: wheel and call, shoe and
// camera, terminal and dice. Each disagreement is said once.
func (t *Tracker) variances(sc *scene, number int, final bool) {
	for _, v := range disagreements(sc, final) {
		v.Table = t.cfg.Table
		id := fmt.Sprint(v.Fact, v.One, v.Other)
		if t.told[number] == nil {
			t.told[number] = map[string]bool{}
		}
		if !t.told[number][id] {
			t.told[number][id] = true
			t.say(v)
		}
	}
}

func disagreements(sc *scene, final bool) (vs []*Variance) {
	var pocket, faces string
	var shoe []string
	for i := range sc.items {
		h := &sc.items[i]
		switch {
		case h.isEvent(round.Ball):
			pocket = h.event.Pocket
		case h.isCall(sc.game.names...) && pocket != "" && cmp.Or(string(h.event.Number), h.event.Combination) != pocket:
			said := cmp.Or(string(h.event.Number), h.event.Combination)
			vs = append(vs, &Variance{Fact: "number", One: Reading{By: "wheel", What: pocket}, Other: Reading{By: "call", What: said}, Time: h.at})
		case h.kind == diceSeen:
			faces = fmt.Sprint(bestFaces(h.dice))
		case h.isEvent(round.Dice) && faces != "" && fmt.Sprint(h.event.Faces) != faces:
			vs = append(vs, &Variance{Fact: "dice", One: Reading{By: "camera", What: faces}, Other: Reading{By: "terminal", What: fmt.Sprint(h.event.Faces)}, Time: h.at})
		case h.isEvent(round.CardDealt):
			shoe = append(shoe, h.event.Card.String())
		}
	}
	if final && len(shoe) > 0 {
		vs = append(vs, shoeAgainst(sc, shoe)...)
	}
	return vs
}

// shoeAgainst compares the shoe's cards with the cards seen, in dealing order,
// where both saw the same number of them.
func shoeAgainst(sc *scene, shoe []string) (vs []*Variance) {
	n := 0
	for i := range sc.items {
		h := &sc.items[i]
		if h.kind != cardSeen {
			continue
		}
		sl := &sc.slots[h.slot]
		seen, _ := sc.game.face(sl.guesses, sl.abstain)
		_, p := fact.Best(sl.guesses) // of this very card, whatever counts the same
		if n < len(shoe) && seen != 0 && p >= 0.5 && shoe[n] != "??" && seen.String() != shoe[n] {
			vs = append(vs, &Variance{Fact: "card", One: Reading{By: "shoe", What: shoe[n]}, Other: Reading{By: "camera", What: seen.String(), Zone: h.zone}, Time: h.at})
		}
		n++
	}
	if n != len(shoe) {
		return nil
	}
	return vs
}
