package track

import (
	"cmp"
	"slices"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/money"
)

// A world is the scene with one reading replaced by a less likely one. The
// zero world takes every reading at its best.
type world struct {
	what  doubtful
	index int       // of the slot or of the item
	guess int       // of the slot's guesses; -1: something else
	face  card.Card // which it is then; card.Unseen: nobody knows
	total money.Cents
	faces []int
	odds  float64 // against the best reading
	// counts are the totals of items that were counted roughly.
	counts map[int]money.Cents
	// supposed are the bets on places where chips lie that could not be counted.
	supposed map[place]money.Cents
	way      int // in which payments of the same amount are shared out; 0: the first
	// prompt are the items of calls that speak of what lay there when they were made,
	// though something came to rest just after.
	prompt []int
}

type doubtful uint8

const (
	nothing doubtful = iota
	whichCard
	howMany
	whichSide // of the closing
	whichFace
	whichFirst // of two cards that were seen at once
	howRough   // of several chips that were counted roughly
)

// card is the card of a slot in this world.
func (w *world) card(g *game, i int, s *slot) (card.Card, float64) {
	if w.what != whichCard || w.index != i {
		return g.face(s.guesses, s.abstain)
	}
	if w.guess < 0 {
		return w.face, 1
	}
	c, _ := g.face(s.guesses[w.guess:], "")
	return c, 1 // in this world it is that card
}

// amount is the worth of the chips of an item in this world; sure is false
// where it is as it was read.
func (w *world) amount(i int, h *happening) (total money.Cents, sure bool) {
	if w.what == howMany && w.index == i {
		return w.total, true
	}
	if total, sure = w.counts[i]; sure {
		return total, true
	}
	return h.chips.total, false
}

// otherSide tells that a move lies on the less likely side of the closing.
func (w *world) otherSide(item int) bool { return w.what == whichSide && w.index == item }

// dieFaces are the numbers of a throw in this world, 0 where a die was not read.
func (w *world) dieFaces(i int, h *happening) []int {
	if w.what == whichFace && w.index == i {
		return w.faces
	}
	return bestFaces(h.dice)
}

func bestFaces(dice []fact.Die) []int {
	out := make([]int, len(dice))
	for i, d := range dice {
		if label, _ := fact.Best(d.Guesses); d.Abstain == "" {
			out[i] = digits(label)
		}
		if out[i] > 6 {
			out[i] = 0
		}
	}
	return out
}

// reversed is how likely cards that were seen at once were not dealt from left
// to right, against that they were.
const reversed = 0.5

// swapped tells that a card was dealt before the one to its left.
func (w *world) swapped(item int) bool { return w.what == whichFirst && w.index == item }

// atOnce tells that the k-th card of the round was first seen together with the
// one before it in the same zone.
func (s *story) atOnce(k int) bool {
	a, b := &s.hand[k-1], &s.hand[k]
	return a.zone == b.zone && a.at.Equal(b.at)
}

// maxWays bounds the ways of sharing out payments that are tried.
const maxWays = 8

// maxWorlds bounds how many other readings a finding is held against.
const maxWorlds = 32

// worlds are the other readings of the scene, likeliest first.
func (s *story) worlds(least float64) []world {
	var ws []world
	add := func(w world) {
		if w.odds >= least {
			ws = append(ws, w)
		}
	}
	for i := range s.sc.slots {
		for _, w := range s.g.otherCards(i, &s.sc.slots[i]) {
			add(w)
		}
	}
	for i := range s.sc.items {
		h := &s.sc.items[i]
		switch h.kind {
		case chipsSeen:
			for _, a := range h.chips.alts {
				if h.chips.vague() && h.chips.came == 0 {
					break // see jointly
				}
				add(world{what: howMany, index: i, total: a.total, odds: a.odds})
			}
		case diceSeen:
			for _, w := range otherFaces(i, h.dice) {
				add(w)
			}
		}
	}
	for _, m := range s.moves {
		if p := s.underWay(m); p > 0 && p < 0.5 {
			add(world{what: whichSide, index: m.item, odds: p / (1 - p)})
		}
	}
	for k := 1; k < len(s.hand); k++ {
		if s.atOnce(k) {
			add(world{what: whichFirst, index: s.hand[k].item, odds: reversed})
		}
	}
	slices.SortStableFunc(ws, func(a, b world) int { return cmp.Compare(b.odds, a.odds) })
	return ws[:min(len(ws), maxWorlds)]
}

// otherCards are the cards that a slot may hold instead of the likeliest.
func (g *game) otherCards(i int, sl *slot) (ws []world) {
	if sl.stale || sl.back || len(sl.guesses) == 0 {
		return nil
	}
	p := g.mass(sl.guesses)
	if p <= 0 || sl.abstain != "" && p < likely {
		return nil // told as unread
	}
	rest := 1.0
	for k, guess := range sl.guesses {
		if _, err := card.Parse(guess.Label); k > 0 && err != nil {
			continue // a back, where a face was seen
		}
		if rest -= guess.P; k > 0 {
			ws = append(ws, world{what: whichCard, index: i, guess: k, odds: guess.P / p})
		}
	}
	return append(ws, world{what: whichCard, index: i, guess: -1, odds: rest / p})
}

func otherFaces(item int, dice []fact.Die) (ws []world) {
	best := bestFaces(dice)
	for i, d := range dice {
		if d.Abstain != "" || len(d.Guesses) == 0 || d.Guesses[0].P <= 0 {
			continue
		}
		for _, g := range d.Guesses[1:] {
			faces := slices.Clone(best)
			faces[i] = digits(g.Label)
			ws = append(ws, world{what: whichFace, index: item, faces: faces, odds: g.P / d.Guesses[0].P})
		}
	}
	return ws
}
