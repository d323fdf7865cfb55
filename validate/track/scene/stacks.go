package scene

import (
	"math"
	"slices"
	"strings"

	"vision/internal/fact"
	"vision/internal/logodds"
	"vision/internal/money"
)

// Stacks that stand where they stood are read every time something moves beside them: the
// log-likelihoods of these readings are added, as far as their errors are independent. A
// stack that seems to have grown or shrunk was read wrong once, or it was changed; whatever
// follows from one of the two is in doubt. The pot is no such stack: the croupier heaps it
// up anew with every interval.

// CountErrors are how readings of stacks err, as the priors have it.
type CountErrors struct {
	Correlation float64 // of the errors of readings of one stack: 0 none, 1 always the same
	Misread     float64 // probability that a stack of which its reader is sure has one chip more, and one fewer
	AtMost      float64 // probability that a count is right of which its reader is quite sure,
	At97        float64 // and sure by 0.97: between them log odds are interpolated (Platt 1999)
	Restacked   float64 // odds that a stack which stands where it stood was changed,
	ByTheHouse  float64 // and under the hands of the house, which pays beside it and takes a part
}

// unmoved is how far a stack may seem to move while it stands, in millimetres.
const unmoved = 6

// stack is a stack that stands there, by all readings of it together.
type stack struct {
	fact.Stack
	evidence logodds.Evidence // by contents
	before   *stack           // without the last reading
}

// changedStack is by how much a place has changed by stacks that stand where they stood, and the
// odds that they were read wrong before, and now.
type changedStack struct {
	by          money.Cents
	before, now float64
}

// restacked is what became of the stacks of a zone between two readings.
type restacked struct {
	changed map[Place]changedStack
	misread map[Place]changedStack // stacks that were read wrong once
	came    map[Place]Count        // stacks that came beside those that stand as they stood
	other   map[Place]bool         // other chips may lie there than before
}

// stand reports whether the stacks of a place are those that stood there, as far as they
// can be counted.
func (r restacked) stand(p Place) bool {
	return r.other != nil && !r.other[p] && !r.other[Place{Spot: p.Spot}]
}

// evidence is a stack by one reading.
func (l *CountErrors) evidence(s fact.Stack) stack {
	p := s.P
	if p <= 0 || p > 1 {
		p = 0.5
	}
	others := 1.0 // of what the reader gives them
	if s.Abstain == "" && p >= firm && len(s.Chips) >= tall {
		is := l.calibrated(p)
		others, p = (1-is)/max(1-p, 1-most), is
	}
	named, left := map[string]float64{}, 1-p
	name := func(chips []string, p float64) {
		if k := contentOf(chips); named[k] == 0 {
			named[k] = max(p, l.Misread)
		}
	}
	name(s.Chips, p)
	for _, o := range s.Others {
		name(o.Chips, others*o.P)
		left -= others * o.P
	}
	top := s.Chips[len(s.Chips)-1]
	if alike := slices.Repeat([]string{top}, len(s.Chips)); contentOf(alike) != contentOf(s.Chips) {
		left /= 2 // of several kinds those are as often wrong as the number
		name(alike, left)
	}
	name(append([]string{s.Chips[0]}, s.Chips...), left/2)
	if len(s.Chips) > 1 {
		name(s.Chips[1:], left/2)
	}
	further := l.Misread * l.Misread // what is further off was misread twice
	return stack{Stack: s, evidence: logodds.Of(named, further)}.fused(s.Chips, l)
}

const (
	most = 0.9999 // the most that a reader can be sure of a count
	tall = 3      // chips of a stack from which a reader's counts were measured: nobody takes one for two
)

// calibrated is the probability that a count is right of which its reader is sure by p: readers
// are surer of counts than they are right.
func (l *CountErrors) calibrated(p float64) float64 {
	if l.AtMost == 0 {
		return p
	}
	logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
	low, high, at := logit(0.97), logit(most), logit(min(p, most))
	x := logit(l.At97) + (logit(l.AtMost)-logit(l.At97))*(at-low)/(high-low)
	return 1 / (1 + math.Exp(-x))
}

// contentOf names the content of a stack, and chipsOf gives it back.
func contentOf(chips []string) string { return strings.Join(chips, "\n") }
func chipsOf(content string) []string { return strings.Split(content, "\n") }

// fuse is a stack with one reading more.
func (w stack) fuse(again stack, l *CountErrors) stack {
	out := again
	w.before = nil
	out.evidence, out.before = w.evidence.Fuse(again.evidence), &w
	return out.fused(w.Chips, l)
}

// fused is a stack by all readings of it: of several contents that are as likely
// the one that is favoured.
func (w stack) fused(favoured []string, l *CountErrors) stack {
	shares := w.evidence.Shares(l.Correlation, contentOf(favoured), maxWorths)
	w.Chips, w.P, w.Others = chipsOf(shares[0].What), shares[0].P, nil
	for _, s := range shares[1:] {
		w.Others = append(w.Others, fact.Content{Chips: chipsOf(s.What), P: s.P})
	}
	return w
}

// changed reports whether a stack was changed since it was seen before, rather than read wrong
// once, and gives the odds that it was what it is now, and is what it was.
func (w stack) changed(now stack, l *CountErrors, hands []string) (yes bool, before, after float64) {
	is, was := contentOf(now.Chips), contentOf(w.Chips)
	best := math.Inf(-1)
	for _, k := range append(w.evidence.Named(), now.evidence.Named()...) {
		best = max(best, w.evidence.Odds(k, was, l.Correlation)+now.evidence.Odds(k, is, l.Correlation))
	}
	odds := l.Restacked
	if slices.Contains(hands, fact.Bank) {
		odds = l.ByTheHouse
	}
	return best < math.Log(odds),
		math.Exp(w.evidence.Odds(is, was, l.Correlation)), math.Exp(now.evidence.Odds(was, is, l.Correlation))
}

// matchStacks compares the stacks of a zone with those that stood there before: fused are the
// stacks by all readings of them, stand what is remembered of them. hands were there; again: nothing moved.
func (a *Layout) matchStacks(
	z *Zone, was []stack, read []fact.Stack, hands []string, again bool,
) (fused []fact.Stack, stand []stack, moved restacked) {
	moved = restacked{map[Place]changedStack{}, map[Place]changedStack{}, map[Place]Count{}, map[Place]bool{}}
	left, others := slices.Clone(was), false
	for _, s := range read {
		p, ok := a.locate(z, s.At)
		if len(s.Chips) == 0 || s.Abstain != "" && s.Low < 1 {
			others, moved.other[p] = true, true
			if i := a.under(left, s); i >= 0 { // when it is read again it is known how it was counted
				stand, left = append(stand, left[i]), slices.Delete(left, i, i+1)
			}
			fused = append(fused, s)
			continue
		}
		one, top := a.countErrors.evidence(s), s.Chips[len(s.Chips)-1]
		i := slices.IndexFunc(left, func(w stack) bool {
			return w.Chips[len(w.Chips)-1] == top && distance(w.At, s.At) <= unmoved
		})
		if i < 0 {
			if ok {
				moved.other[p] = true
				others = !a.add(moved.came, one.Stack, p) || others
			}
			fused, stand = append(fused, one.Stack), append(stand, one)
			continue
		}
		w := left[i]
		left = slices.Delete(left, i, i+1)
		if s.Abstain == fact.Unread { // how it was counted stands
			fused, stand = append(fused, w.Stack), append(stand, w)
			if own := (Place{a.seatOf(top, p), p.Spot}); !again { // hands may have left another in its place
				moved.other[own] = true
			}
			continue
		}
		switch other, before, after := w.changed(one, &a.countErrors, hands); {
		case again: // the reading has those before in it
			if w.before != nil {
				one = w.before.fuse(one, &a.countErrors)
			}
		case ok && p.Spot == PotSpot:
			moved.other[p] = true
		case !other:
			if by := a.valueOf(one.Chips) - a.valueOf(w.Chips); ok && by != 0 {
				moved.misread[Place{a.seatOf(top, p), p.Spot}] = changedStack{by: by, before: before}
			}
			one = w.fuse(one, &a.countErrors)
		case ok:
			others, moved.other[p] = true, true
			by := a.valueOf(one.Chips) - a.valueOf(w.Chips)
			p.Seat = a.seatOf(top, p)
			c := moved.changed[p]
			moved.changed[p] = changedStack{c.by + by, max(c.before, before), max(c.now, after)}
		}
		fused, stand = append(fused, one.Stack), append(stand, one)
	}
	for _, w := range left {
		if p, ok := a.locate(z, w.At); ok {
			moved.other[p] = true
		}
	}
	if others || len(left) > 0 {
		clear(moved.came)
	}
	return fused, stand, moved
}

func (a *Layout) valueOf(chips []string) (sum money.Cents) {
	for _, id := range chips {
		sum += a.chips[id].value
	}
	return sum
}

// add adds a stack that was counted to the chips that came; false where it was not, or
// nobody knows whose it is.
func (a *Layout) add(came map[Place]Count, s fact.Stack, p Place) bool {
	parts := a.worth(s, p)
	if s.P < firm || len(parts) != 1 || p.Spot == PotSpot {
		return false
	}
	came[parts[0].place] = sum(came[parts[0].place], parts[0].chips)
	return true
}

// doubtBefore doubts the last count of a place before a stack of it seems to have changed.
func (sc *Scene) doubtBefore(p Place, s changedStack) {
	if i := sc.lastCount(p); i >= 0 {
		sc.Events[i].Chips = sc.Events[i].Chips.ifUnchanged(s.by, s.before)
	}
}
