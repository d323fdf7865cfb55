package scene

import (
	"slices"
	"time"

	"vision/internal/fact"
)

// TotalCalled is what dice were called to sum up to; 0 where a line does not give it.
func TotalCalled(h *Event) int {
	switch {
	case h.IsCall("total") && h.Line.Points != nil:
		return *h.Line.Points
	case h.IsCall("suma_dados"):
		return Digits(string(h.Line.Number))
	}
	return 0
}

// DiceState is what is remembered of the dice between two readings.
type DiceState struct {
	Dice    []fact.Die // as they lay last
	emptied bool       // the zone was seen without dice since
}

func (f *Felt) readDice(z *Zone, dice []fact.Die, r rest) {
	was := f.Dice
	dice = f.course.thrown(dice)
	if len(dice) == 0 {
		f.Dice.emptied = true
		return
	}
	f.Dice = DiceState{Dice: dice}
	i := f.Scene.Last(func(h *Event) bool { return h.Kind == DiceSeen })
	call := f.Scene.Last(func(h *Event) bool { return h.IsCall("no_va_mas") })
	lie := len(was.Dice) == len(dice) && among(dice, was.Dice) // where they lay
	if lie && !(was.emptied && call > i) {
		if i >= 0 {
			h := &f.Scene.Events[i]
			chipsUnknown := h.ChipsUnknown || h.Irregular() != OnChips // chips may have been taken from under it since
			h.Dice = cameToRest(surer(h.Dice, dice), h.Dice)
			h.ChipsUnknown = chipsUnknown && f.chipsUnknown(h.Dice)
		}
		return
	}
	if i >= 0 && call <= i && !was.emptied && (f.course.joined(was.Dice, dice) || f.course.completed(was.Dice, dice)) {
		f.Scene.Events[i].Dice, f.Scene.Events[i].At, f.Scene.Events[i].ChipsUnknown = dice, r.at, f.chipsUnknown(dice)
		return
	}
	if call <= i && !was.emptied && !(f.course.Shaken && !r.first) && !f.again(i, dice) {
		return // pushed about, not thrown
	}
	f.throwTrigger(r.from)
	f.put(Event{Kind: DiceSeen, From: r.from, At: r.at, Zone: z.name, Dice: dice, ChipsUnknown: f.chipsUnknown(dice)})
	f.Scene.calledBefore()
}

// again reports whether dice were thrown once more, as has to be done where the throw before
// decides nothing: all of them lie otherwise and one shows another face, though an arm hid
// that they were taken up.
func (f *Felt) again(i int, dice []fact.Die) bool {
	if i < 0 || !f.Scene.Nullified(i) || len(dice) != f.course.Dice {
		return false
	}
	before := f.Scene.Events[i].Dice
	if slices.ContainsFunc(dice, func(d fact.Die) bool { return among([]fact.Die{d}, before) }) {
		return false
	}
	faces := BestFaces(before)
	if slices.Contains(faces, 0) {
		return false
	}
	for _, n := range BestFaces(dice) {
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
func (sc *Scene) calledBefore() {
	last := len(sc.Events) - 1
	if last < 0 || sc.Events[last].Kind != DiceSeen {
		return // the round is too long
	}
	dice := sc.Events[last]
	sum := Sum(BestFaces(dice.Dice))
	for i := range sc.Events {
		h := &sc.Events[i]
		if sum == 0 || TotalCalled(h) != sum || !h.At.After(dice.From) || !h.At.Before(dice.At) {
			continue
		}
		dice.At = JustBefore(h.At)
		sc.Events = slices.Insert(sc.Events[:last], i, dice)
		return
	}
}

// thrown are the dice of a throw: where as many as are thrown were read, what
// could not be read is no die but a print or a shadow. With one that leans there are as many
// as that and one is unsure: the one that leans may be a side of another.
func (g *Course) thrown(dice []fact.Die) []fact.Die {
	var flat, unsure, clear []fact.Die // those that lie as they should come first
	for _, d := range dice {
		switch {
		case len(d.Guesses) == 0:
		case d.Abstain != "" && d.Irregular == "":
			unsure = append(unsure, d)
		case d.Abstain != "":
		case d.Irregular == "":
			flat = append(flat, d)
		default:
			clear = append(clear, d)
		}
	}
	clear = slices.Concat(flat, clear)
	switch {
	case g.Dice == 0:
	case len(flat) == g.Dice:
		return flat
	case len(unsure) > 0 && len(flat)+len(unsure) == g.Dice && len(clear) == g.Dice:
		return slices.Concat(flat, unsure)
	case len(clear) == g.Dice, len(clear) > g.Dice && len(flat) < g.Dice:
		return clear[:g.Dice]
	}
	return dice
}

// among reports whether each of some dice lies where one of others does.
func among(some, others []fact.Die) bool {
	const still = 8 // millimetres: so near the reader takes two readings for one die; no norm has dice of less than 12
	return !slices.ContainsFunc(some, func(d fact.Die) bool {
		return !slices.ContainsFunc(others, func(e fact.Die) bool { return distance(d.At, e.At) <= still })
	})
}

// joined reports whether dice of which some were missing still lie there, and others
// have come: the throw is whole now, or more of it.
func (g *Course) joined(was, now []fact.Die) bool {
	return len(was) > 0 && len(was) < len(now) && len(now) <= g.Dice && among(was, now)
}

// completed reports whether dice of which one was not read lie there, and all are read now.
func (g *Course) completed(was, now []fact.Die) bool {
	unread := func(d fact.Die) bool { return d.Abstain != "" }
	read := slices.DeleteFunc(slices.Clone(was), unread)
	return len(now) == g.Dice && len(was) == g.Dice && len(read) > 0 && len(read) < g.Dice && among(read, now) &&
		!slices.ContainsFunc(now, unread)
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

// BestFaces are the likeliest faces of dice, 0 where one was not read.
func BestFaces(dice []fact.Die) []int {
	out := make([]int, len(dice))
	for i, d := range dice {
		if label, _ := fact.Best(d.Guesses); d.Abstain == "" {
			out[i] = Digits(label)
		}
		if out[i] > 6 {
			out[i] = 0
		}
	}
	return out
}

// Sum is the total of some faces.
func Sum(faces []int) (total int) {
	for _, f := range faces {
		total += f
	}
	return total
}

// OnChips is why a throw with a die that lies on chips may not count.
const OnChips = "on_chips"

// Irregular is why a throw of dice may not count; "" where nothing speaks against it.
func (h *Event) Irregular() (why string) {
	for _, d := range h.Dice {
		if d.Irregular != "" {
			why = d.Irregular
		}
	}
	if why == "" && notTogether(h.Dice) {
		return "not_thrown_together"
	}
	return why
}

// oneThrow is the longest time between the rest of one die and of another for
// which they may have been thrown together. No norm gives one, it is physics: dice that leave
// one hand tumble for a second or two, and one of them may spin on.
const oneThrow = 2500 * time.Millisecond

// notTogether reports whether a die had lain long when another came to rest; where it
// was not seen when they did, nothing is recorded.
func notTogether(dice []fact.Die) bool {
	if len(dice) < 2 || slices.ContainsFunc(dice, func(d fact.Die) bool { return d.Still.IsZero() }) {
		return false
	}
	by := func(a, b fact.Die) int { return a.Still.Compare(b.Still) }
	return slices.MaxFunc(dice, by).Still.Sub(slices.MinFunc(dice, by).Still) > oneThrow
}
