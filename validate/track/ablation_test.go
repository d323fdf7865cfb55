package track_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"vision/internal/wilson"
	"vision/validate/track/hypothesis"
	"vision/validate/track/infer"
)

// A part of the mechanism for doubt, taken out of what findings were weighed by.
type ablation struct {
	name   string
	change func(e *infer.Evidence, p hypothesis.Priors)
}

// without leaves out hypotheses that have choices of some kinds.
func without(name string, kinds ...hypothesis.Kind) ablation {
	return ablation{name, func(e *infer.Evidence, _ hypothesis.Priors) {
		e.Hypotheses = slices.DeleteFunc(slices.Clone(e.Hypotheses), func(w infer.Weight) bool {
			return slices.ContainsFunc(kinds, func(k hypothesis.Kind) bool { return w.Kinds>>k&1 == 1 })
		})
	}}
}

var ablations = []ablation{
	{"all of it", func(*infer.Evidence, hypothesis.Priors) {}},
	{"what was not seen weighs nothing", func(e *infer.Evidence, _ hypothesis.Priors) {
		e.Unseen = map[hypothesis.Prior]int{hypothesis.Unseen: 1}
	}},
	{"a finding that hangs on it is as sure as others", func(_ *infer.Evidence, p hypothesis.Priors) {
		p[hypothesis.HangsOnChips], p[hypothesis.HangsOnGap], p[hypothesis.RoughSeat] = 1, 1, 1
	}},
	{"a given mistake is as likely as any", func(_ *infer.Evidence, p hypothesis.Priors) { p[hypothesis.Given] = 1 }},
	{"a procedure beside a mistake costs nothing", func(_ *infer.Evidence, p hypothesis.Priors) { p[hypothesis.Beside] = 1 }},
	without("no other times", hypothesis.CameAbout, hypothesis.TakenAway),
	without("no other counts", hypothesis.ChipsCounted),
	without("nothing done under hands", hypothesis.UnderHands, hypothesis.UnseenBet, hypothesis.DealtUnder),
	without("no other cards or order", hypothesis.CardRead, hypothesis.DealtFirst),
	without("no other bets and payments", hypothesis.SupposedBet, hypothesis.PushedFor, hypothesis.PaidFor, hypothesis.SideOfClosing),
	{"one hypothesis only", func(e *infer.Evidence, _ hypothesis.Priors) {
		e.Hypotheses = slices.DeleteFunc(slices.Clone(e.Hypotheses), func(w infer.Weight) bool { return w.Kinds != 0 })
	}},
	{"priors as they were by hand", func(_ *infer.Evidence, p hypothesis.Priors) { maps.Copy(p, byHand) }},
}

// byHand are the priors before they were fitted.
var byHand = hypothesis.Priors{
	hypothesis.Mistake: 0.1, hypothesis.Another: 0.15, hypothesis.Unseen: 0.01, hypothesis.Hidden: 1e-4,
	hypothesis.Unread:  1e-4,
	hypothesis.Roughly: 1e-4, hypothesis.HangsOnChips: 0.4, hypothesis.HangsOnGap: 0.4, hypothesis.RoughSeat: 0.85,
	hypothesis.InCourse: 0.667, hypothesis.InOrder: 0.667, hypothesis.Counted: 0.9999, hypothesis.Whole: 0.5,
	hypothesis.Untouched:           0.7,
	hypothesis.CollectedByTheHouse: 0.997, hypothesis.CollectedByBoth: 0.5, hypothesis.CollectedSoon: 0.985,
	hypothesis.CollectedLate: 0.7, hypothesis.PushTakenByTheHouse: 0.995, hypothesis.PushTaken: 0.95,
	hypothesis.PrisonerCollected: 0.7, hypothesis.NotBet: 0.4,
}

// ablated is what would be raised of the findings of the rounds that were told, with one
// part of the mechanism less. The records stay those that all of it gave.
func (t *tally) ablated(threshold float64) string {
	var b strings.Builder
	want := t.total().want
	fmt.Fprintf(&b, "| with | clean rounds with a false alert | found | alerts that are right | ECE |\n|---|---|---|---|---|\n")
	for _, a := range ablations {
		right, wrong, bad, off := 0, 0, map[int]bool{}, newTally()
		for _, w := range t.weighed {
			e, p := w.Evidence, maps.Clone(hypothesis.BuiltIn())
			a.change(&e, p)
			told := e.Posterior(p)
			if off.believe(told, w.so); told < threshold {
				continue
			}
			if w.so {
				right++
				continue
			}
			wrong++
			if w.clean {
				bad[w.round] = true
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %.1f %% |\n", a.name, wilson.PerMille(len(bad), t.clean), wilson.Percent(right, want),
			wilson.Percent(right, right+wrong), 100*off.ece())
	}
	return b.String()
}

// at is what would be raised at a table that errs in another share of its rounds than those that
// were played, by priors that say so: findings weigh as often as they would be met there.
func (t *tally) at(share, threshold float64) string {
	p := maps.Clone(hypothesis.BuiltIn())
	p[hypothesis.Mistake] = share
	clean := float64(t.clean) / float64(t.rounds)
	var told, so [10]float64
	right, wrong, all, bad := 0.0, 0.0, 0.0, map[int]bool{}
	for _, w := range t.weighed {
		weight := share / (1 - clean)
		if w.clean {
			weight = (1 - share) / clean
		}
		b := w.Posterior(p)
		bin := min(int(10*b), 9)
		all, told[bin] = all+weight, told[bin]+weight*b
		if w.so {
			so[bin] += weight
		}
		switch {
		case b < threshold:
		case w.so:
			right += weight
		default:
			wrong += weight
			if w.clean {
				bad[w.round] = true
			}
		}
	}
	off := 0.0
	for i := range told {
		off += max(told[i]-so[i], so[i]-told[i])
	}
	return fmt.Sprintf("with a mistake in %.0f of 100 rounds: clean with a false alert %s; found %.1f %%; alerts that are right %.1f %%; ECE %.1f %%",
		100*share, wilson.PerMille(len(bad), t.clean), 100*right/(share/(1-clean))/float64(max(1, t.total().want)),
		100*right/max(right+wrong, 1e-9), 100*off/max(all, 1e-9))
}
