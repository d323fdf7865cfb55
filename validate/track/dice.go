package track

import (
	"slices"
	"strconv"
	"time"

	"vision/internal/fact"
)

// totalCalled is what dice were called to sum up to; 0 where a line says nothing of it.
func totalCalled(h *happening) int {
	switch {
	case h.isCall("total") && h.event.Points != nil:
		return *h.event.Points
	case h.isCall("suma_dados"):
		n, _ := strconv.Atoi(string(h.event.Number))
		return n
	}
	return 0
}

type dicebox struct {
	dice    []fact.Die // as they lay last
	emptied bool       // the zone was seen without dice since
}

func (f *felt) readDice(z *zone, dice []fact.Die, r rest) {
	was := f.dice
	dice = f.game.thrown(dice)
	if len(dice) == 0 {
		f.dice.emptied = true
		return
	}
	f.dice = dicebox{dice: dice}
	i := f.scene.last(func(h *happening) bool { return h.kind == diceSeen })
	call := f.scene.last(func(h *happening) bool { return h.isCall("no_va_mas") })
	if resting(was.dice, dice) && !(was.emptied && call > i) {
		if i >= 0 {
			f.scene.items[i].dice = cameToRest(surer(f.scene.items[i].dice, dice), f.scene.items[i].dice)
		}
		return
	}
	if i >= 0 && call <= i && !was.emptied && f.game.joined(was.dice, dice) {
		f.scene.items[i].dice, f.scene.items[i].at = dice, r.at
		return
	}
	if call <= i && !was.emptied && !(f.game.shaken && !r.first) && !f.again(i, dice) {
		return // pushed about, not thrown
	}
	f.throwTrigger(r.from)
	f.put(happening{kind: diceSeen, from: r.from, at: r.at, zone: z.name, dice: dice})
	f.scene.calledBefore()
}

// again tells that dice were thrown once more, as has to be done where the throw before
// decides nothing: all of them lie otherwise and one shows another face, though an arm hid
// that they were taken up.
func (f *felt) again(i int, dice []fact.Die) bool {
	if i < 0 || !f.scene.nullified(i) || len(dice) != f.game.dice {
		return false
	}
	before := f.scene.items[i].dice
	if slices.ContainsFunc(dice, func(d fact.Die) bool { return among([]fact.Die{d}, before) }) {
		return false
	}
	faces := bestFaces(before)
	if slices.Contains(faces, 0) {
		return false
	}
	for _, n := range bestFaces(dice) {
		k := slices.Index(faces, n)
		if n > 0 && k < 0 {
			return true
		}
		if k >= 0 {
			faces = slices.Delete(faces, k, k+1)
		}
	}
	return false
}

// calledBefore puts dice that were seen last and lay under hands before the total that
// was called of them meanwhile: who called it saw them lie.
func (sc *scene) calledBefore() {
	last := len(sc.items) - 1
	if last < 0 || sc.items[last].kind != diceSeen {
		return // the round is too long
	}
	dice, sum := sc.items[last], 0
	for _, f := range bestFaces(dice.dice) {
		sum += f
	}
	for i := range sc.items {
		h := &sc.items[i]
		if sum == 0 || totalCalled(h) != sum || !h.at.After(dice.from) || !h.at.Before(dice.at) {
			continue
		}
		dice.at = h.at.Add(-time.Millisecond)
		sc.items = slices.Insert(sc.items[:last], i, dice)
		return
	}
}

// thrown are the dice of a throw: where as many as are thrown were read, what
// could not be read is no die but a print or a shadow.
func (g *game) thrown(dice []fact.Die) []fact.Die {
	var flat, clear []fact.Die // those that lie as they should come first
	for _, d := range dice {
		if d.Abstain != "" || len(d.Guesses) == 0 {
			continue
		}
		if d.Irregular == "" {
			flat = append(flat, d)
		} else {
			clear = append(clear, d)
		}
	}
	clear = append(flat, clear...)
	switch {
	case g.dice == 0:
	case len(flat) == g.dice:
		return flat
	case len(clear) == g.dice, len(clear) > g.dice && len(flat) < g.dice:
		return clear[:g.dice]
	}
	return dice
}

// resting tells that the dice lie where they lay.
func resting(a, b []fact.Die) bool { return len(a) == len(b) && among(b, a) }

// among tells that each of some dice lies where one of others does.
func among(some, others []fact.Die) bool {
	const still = 8 // millimetres
	return !slices.ContainsFunc(some, func(d fact.Die) bool {
		return !slices.ContainsFunc(others, func(e fact.Die) bool { return gap(d.At, e.At) <= still })
	})
}

// joined tells that dice of which some were missing still lie there, and others
// have come: the throw is whole now, or more of it.
func (g *game) joined(was, now []fact.Die) bool {
	return len(was) > 0 && len(was) < len(now) && len(now) <= g.dice && among(was, now)
}

// surer is the reading of the same dice that abstains less.
func surer(a, b []fact.Die) []fact.Die {
	weight := func(ds []fact.Die) (w float64) {
		for _, d := range ds {
			if _, p := fact.Best(d.Guesses); d.Abstain == "" {
				w += p
			}
		}
		return w
	}
	if weight(b) >= weight(a) {
		return b
	}
	return a
}

// cameToRest gives dice that lie where they were first read the times at which they
// came to rest then: an arm or a shadow over one of them later throws nothing.
func cameToRest(dice, first []fact.Die) []fact.Die {
	out := slices.Clone(dice)
	for i := range out {
		k := slices.IndexFunc(first, func(d fact.Die) bool { return among([]fact.Die{d}, out[i:i+1]) })
		if k >= 0 {
			out[i].Still = first[k].Still
		}
	}
	return out
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
