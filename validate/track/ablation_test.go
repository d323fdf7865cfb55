package track_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"vision/internal/wilson"
	"vision/validate/finding"
	"vision/validate/operating"
	"vision/validate/track/hypothesis"
	"vision/validate/track/infer"
)

// A part of the mechanism for doubt, taken out of what findings were weighed by.
type ablation struct {
	name   string
	change func(e *infer.Basis, p hypothesis.Priors)
}

// without leaves out hypotheses that have choices of some kinds.
func without(name string, kinds ...hypothesis.Kind) ablation {
	return ablation{name, func(e *infer.Basis, _ hypothesis.Priors) {
		e.Hypotheses = slices.DeleteFunc(slices.Clone(e.Hypotheses), func(w infer.Weight) bool {
			return slices.ContainsFunc(kinds, func(k hypothesis.Kind) bool { return w.Kinds>>k&1 == 1 })
		})
	}}
}

var ablations = []ablation{
	{"all of it", func(*infer.Basis, hypothesis.Priors) {}},
	{"what was not seen weighs nothing", func(e *infer.Basis, _ hypothesis.Priors) {
		e.Unseen = map[hypothesis.Prior]int{hypothesis.Unseen: 1}
	}},
	{"a finding that hangs on it is as sure as others", func(_ *infer.Basis, p hypothesis.Priors) {
		p[hypothesis.HangsOnChips], p[hypothesis.HangsOnGap], p[hypothesis.RoughSeat] = 1, 1, 1
	}},
	{"a given mistake is as likely as any", func(_ *infer.Basis, p hypothesis.Priors) { p[hypothesis.GivenMistake] = 1 }},
	{"a procedure beside a mistake costs nothing", func(_ *infer.Basis, p hypothesis.Priors) { p[hypothesis.ProcedureToo] = 1 }},
	without("no other times", hypothesis.CameAbout, hypothesis.TakenAway),
	without("no other counts", hypothesis.ChipsCounted),
	without("nothing done under hands", hypothesis.UnderHands, hypothesis.UnseenBet, hypothesis.DealtUnder),
	without("no other cards or order", hypothesis.CardRead, hypothesis.DealtFirst),
	without("no other bets and payments", hypothesis.SupposedBet, hypothesis.PushedFor, hypothesis.PaidFor, hypothesis.SideOfClosing),
	{"one hypothesis only", func(e *infer.Basis, _ hypothesis.Priors) {
		e.Hypotheses = slices.DeleteFunc(slices.Clone(e.Hypotheses), func(w infer.Weight) bool { return w.Kinds != 0 })
	}},
}

// usual are the rates by which findings are ranked.
var usual = operating.Usual()

// falses are the false alerts per 1,000 clean rounds at which the operating curve is told.
var falses = []float64{0.5, 1, 2, 5, 10, 20}

// ranked is a finding by how sure it is.
type ranked struct {
	*weighed
	by infer.Weighed
}

// rank gives the findings that were told, surest first, with one part of the mechanism less.
func (t *tally) rank(a ablation) (all []ranked) {
	for i := range t.weighed {
		w := &t.weighed[i]
		e, p := w.Basis, maps.Clone(hypothesis.BuiltIn())
		a.change(&e, p)
		all = append(all, ranked{w, e.Weigh(p, usual)})
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.by.P, a.by.P) })
	return all
}

// operating is how many of the mistakes are found at so many false alerts per 1,000 clean rounds,
// and the probability from which that is so.
func (t *tally) operating(all []ranked, most float64) (found int, from float64) {
	bad := map[int]bool{}
	from = 1
	for i := 0; i < len(all); {
		same, so := i, 0
		for ; i < len(all) && all[i].by.P == all[same].by.P; i++ {
			if all[i].so {
				so++
			} else if all[i].clean {
				bad[all[i].round] = true
			}
		}
		if 1000*float64(len(bad)) > most*float64(t.clean) {
			return found, from
		}
		found, from = found+so, all[same].by.P
	}
	return found, from
}

// measured is the operating curve as the product has it: by class and steps of a tenth.
func (t *tally) measured(seeds string) *operating.Curve {
	c := &operating.Curve{Rounds: t.clean, Seeds: seeds, Classes: map[finding.Class]operating.Class{}}
	for _, name := range finding.Classes {
		k := operating.Class{Wanted: t.wanted(name)}
		for tenth := 60; tenth >= -10; tenth-- {
			step, bad := operating.Step{Evidence: float64(tenth) / 10}, map[int]bool{}
			for i := range t.weighed {
				w := &t.weighed[i]
				if w.Class != name || w.Weigh(hypothesis.BuiltIn(), usual).Evidence < step.Evidence {
					continue
				}
				if w.so {
					step.Found++
				} else if w.clean {
					bad[w.round] = true
				}
			}
			step.False = len(bad)
			n := len(k.Steps)
			changed := n == 0 || k.Steps[n-1].Found != step.Found || k.Steps[n-1].False != step.False
			if step.Found+step.False > 0 && changed {
				k.Steps = append(k.Steps, step)
			}
		}
		c.Classes[name] = k
	}
	return c
}

// curve is the operating curve, and how far the evidence holds that was told.
func (t *tally) curve() string {
	var b strings.Builder
	all, want := t.rank(ablations[0]), t.total().want
	fmt.Fprintf(&b, "| false alerts per 1,000 clean rounds | found | from |\n|---|---|---|\n")
	for _, most := range falses {
		found, from := t.operating(all, most)
		fmt.Fprintf(&b, "| %v | %s | %.4f |\n", most, wilson.Percent(found, want), from)
	}
	fmt.Fprintf(&b, "surest of those that are false in clean rounds:\n")
	shown := 0
	for _, r := range all {
		if !r.so && r.clean && shown < 30 {
			shown++
			fmt.Fprintf(&b, "%.2f %q\n", r.by.Evidence, r.name)
		}
	}
	fmt.Fprintf(&b, "| evidence from | so | not so | stated odds | so to not so |\n|---|---|---|---|---|\n")
	share := 1 - float64(t.clean)/float64(t.rounds)
	for low := -2.0; low < 7; low++ {
		so, not, stated := 0, 0, 0.0
		for _, r := range all {
			if r.by.Evidence >= low && r.by.Evidence < low+1 {
				if r.so {
					so++
				} else {
					not++
				}
				stated += math.Pow(10, r.by.Evidence) * share / (1 - share)
			}
		}
		if n := so + not; n > 0 {
			fmt.Fprintf(&b, "| %v | %d | %d | %.2f | %.2f |\n", low, so, not, stated/float64(n), float64(so)/max(float64(not), 0.5))
		}
	}
	return b.String()
}

// beside is what is found of each class of mistakes without the rack and with it, where all classes are ranked
// together.
func beside(felt, both *tally) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| class | mistakes | found without / with the rack at %v false alerts per 1,000 clean rounds |\n|---|---|---|\n", falses)
	for _, class := range append([]finding.Class{""}, finding.Classes...) {
		fmt.Fprintf(&b, "| %s | %d |", cmp.Or(class, "all"), felt.wanted(class))
		for _, most := range falses {
			fmt.Fprintf(&b, " %s / %s;", felt.share(class, most), both.share(class, most))
		}
		fmt.Fprintln(&b, " |")
	}
	return b.String()
}

// wanted is how many mistakes of a class were made; "": of all.
func (t *tally) wanted(class finding.Class) (n int) {
	for code, s := range t.codes {
		if class == "" || finding.Of(code).Class() == class {
			n += s.want
		}
	}
	return n
}

// share is that of the mistakes of a class which is found at so many false alerts of all classes.
func (t *tally) share(class finding.Class, most float64) string {
	all, found := t.rank(ablations[0]), 0
	_, from := t.operating(all, most)
	for _, r := range all {
		if r.so && r.by.P >= from && (class == "" || r.Class == class) {
			found++
		}
	}
	return fmt.Sprintf("%.0f %%", 100*float64(found)/float64(max(1, t.wanted(class))))
}

// ablated is what would be found of the mistakes of the rounds that were told, with one
// part of the mechanism less. The records stay those that all of it gave.
func (t *tally) ablated() string {
	var b strings.Builder
	want := t.total().want
	fmt.Fprintf(&b, "| found at so many false alerts per 1,000 clean rounds | %v |\n|---|---|\n", falses)
	for _, a := range ablations {
		all := t.rank(a)
		fmt.Fprintf(&b, "| %s |", a.name)
		for _, most := range falses {
			found, _ := t.operating(all, most)
			fmt.Fprintf(&b, " %.0f", 100*float64(found)/float64(max(1, want)))
		}
		fmt.Fprintln(&b, " |")
	}
	return b.String()
}
