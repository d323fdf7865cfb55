package track

import (
	"fmt"
	"time"

	"vision/internal/fact"
	"vision/validate/round"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// variances compares two readings of one fact: wheel and call, shoe and
// camera, terminal and dice. Each disagreement is reported once.
func (t *Tracker) variances(sc *scene.Scene, number int, final bool) {
	for _, v := range disagreements(t.game, sc, final) {
		v.Table = t.cfg.Table
		id := fmt.Sprint(v.Fact, v.One, v.Other)
		if t.varied[number] == nil {
			t.varied[number] = map[string]bool{}
		}
		if !t.varied[number][id] {
			t.varied[number][id] = true
			t.emit(v)
		}
	}
}

func disagreements(g *narrate.Game, sc *scene.Scene, final bool) (vs []*Variance) {
	var pocket, faces string
	var shoe []string
	differ := func(what string, one, other Reading, at time.Time) {
		vs = append(vs, &Variance{Fact: what, One: one, Other: other, Time: at})
	}
	for i := range sc.Events {
		h := &sc.Events[i]
		switch {
		case h.IsEvent(round.Ball):
			pocket = h.Line.Pocket
		case h.IsCall(sc.Course.Names...) && pocket != "" && h.Named() != pocket:
			differ("number", Reading{By: "wheel", What: pocket}, Reading{By: "call", What: h.Named()}, h.At)
		case h.Kind == scene.DiceSeen:
			faces = fmt.Sprint(scene.BestFaces(h.Dice))
		case h.IsEvent(round.Dice) && faces != "" && fmt.Sprint(h.Line.Faces) != faces:
			differ("dice", Reading{By: "camera", What: faces}, Reading{By: "terminal", What: fmt.Sprint(h.Line.Faces)}, h.At)
		case h.IsEvent(round.CardDealt):
			shoe = append(shoe, h.Line.Card.String())
		}
	}
	if final && len(shoe) > 0 {
		vs = append(vs, shoeAgainst(g, sc, shoe)...)
	}
	return vs
}

// shoeAgainst compares the shoe's cards with the cards seen, in dealing order,
// where both saw the same number of them.
func shoeAgainst(g *narrate.Game, sc *scene.Scene, shoe []string) (vs []*Variance) {
	n := 0
	for i := range sc.Events {
		h := &sc.Events[i]
		if h.Kind != scene.CardSeen {
			continue
		}
		sl := &sc.Tracks[h.Track]
		seen, _ := g.Face(sl.Guesses, sl.Abstain)
		_, p := fact.Best(sl.Guesses) // of this very card, whatever counts the same
		if n < len(shoe) && seen != 0 && p >= 0.5 && shoe[n] != "??" && seen.String() != shoe[n] {
			one, other := Reading{By: "shoe", What: shoe[n]}, Reading{By: "camera", What: seen.String(), Zone: h.Zone}
			vs = append(vs, &Variance{Fact: "card", One: one, Other: other, Time: h.At})
		}
		n++
	}
	if n != len(shoe) {
		return nil
	}
	return vs
}
