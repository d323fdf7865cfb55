package track_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"vision/validate/finding"
	"vision/validate/operating"
	"vision/validate/track/hypothesis"
	"vision/validate/track/infer"
	"vision/validate/track/tracktest"
)

// Fits the priors to made rounds of the seeds that are for it, with all noise and with
// little, without racks and with them, and writes priors.json with VISION_UPDATE=1: TRACK_SEEDS=n is how many. What a
// finding's probability is made of is kept while the rounds are played once; then each prior
// goes up or down as long as what was so is told likelier and what was not less. Those of which
// the rounds say little stay near what they were. Held against seeds that chose nothing by
// TestMadeRounds.
func TestFitPriors(t *testing.T) {
	if os.Getenv("TRACK_SEEDS") == "" {
		t.Skip("fits only where it is asked how many seeds to play (TRACK_SEEDS)")
	}
	m := madeBy()
	m.from = fitSeeds
	sum, _, _ := m.measure(t, "")
	still := m // as readers are while nothing goes wrong
	still.seeds, still.noise = max(1, m.seeds/4), readings["fair"]
	clear, _, _ := still.measure(t, "")
	racks := m
	racks.racks, racks.games = true, tracktest.Racked(m.games)
	both, _, _ := racks.measure(t, "")
	// No script takes from the rack what it must not: a variance alone is never so there.
	both.weighed = slices.DeleteFunc(both.weighed, func(w weighed) bool { return w.code == finding.RackVariance })
	sum.weighed = slices.Concat(sum.weighed, clear.weighed, both.weighed)
	played := sum.rounds + clear.rounds + both.rounds
	was := maps.Clone(hypothesis.BuiltIn())
	share := 1 - float64(sum.clean+clear.clean+both.clean)/float64(played)
	rates := operating.Rates{}
	for _, c := range finding.Classes {
		rates[c] = 1000 * share
	}
	for i := range sum.weighed {
		sum.weighed[i].Hypotheses = merged(sum.weighed[i].Hypotheses)
	}
	now := fitted(was, rates, sum.weighed)
	for _, name := range hypothesis.All {
		t.Logf("%-24s %.5f → %.5f, of %d findings", name, was[name], now[name], speaking(sum.weighed, name))
	}
	t.Logf("%d findings of %d rounds: loss %.4f → %.4f; %s", len(sum.weighed), played,
		loss(was, was, rates, sum.weighed), loss(now, now, rates, sum.weighed), sum.shares())
	if l := loss(now, now, rates, sum.weighed); math.IsNaN(l) || l > loss(was, was, rates, sum.weighed)+1e-9 {
		t.Errorf("the fit has loss %v", l)
	}
	if os.Getenv("VISION_UPDATE") == "1" {
		write(t, now, sum.weighed, played, m)
	}
}

// merged are hypotheses of which those that depend on the priors alike are one.
func merged(hs []infer.Weight) (out []infer.Weight) {
	at := map[string]int{}
	for _, h := range hs {
		k := fmt.Sprint(h.Holds, h.HangsOn, h.Mistakes, h.ProcedureToo, h.Class, h.By, h.Kinds, math.Round(1000*h.Rack))
		i, known := at[k]
		if !known {
			i = len(out)
			at[k] = i
			one := h
			one.Odds = 0
			out = append(out, one)
		}
		out[i].Odds += h.Odds
	}
	return out
}

// loss is the mean logarithm by which the truth of findings is missed, and how far the
// priors went from where they were: a step of its width weighs as much as half a finding.
func loss(p, was hypothesis.Priors, rates operating.Rates, all []weighed) (sum float64) {
	const width, sure = 2.0, 1e-6
	for _, w := range all {
		b := min(max(w.Weigh(p, rates).P, sure), 1-sure)
		if !w.so {
			b = 1 - b
		}
		sum -= math.Log(b)
	}
	for _, name := range hypothesis.All {
		d := (logit(p[name]) - logit(was[name])) / width
		sum += d * d / 2
	}
	return sum / float64(max(1, len(all)))
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// kept are the priors that are not fitted: how often
// counts are wrong that are sure, and stacks changed, which is measured at stacks, and those by
// which records are told that have no finding.
var kept = []hypothesis.Prior{
	hypothesis.Counted, hypothesis.CountedLess, hypothesis.Restacked, hypothesis.RestackedByTheHouse,
	hypothesis.Correlation, hypothesis.InOrder, hypothesis.Whole,
	hypothesis.Untouched, hypothesis.UntouchedByOne, hypothesis.CollectedByBoth, hypothesis.CollectedLate,
	hypothesis.PushTaken, hypothesis.PrisonerCollected, hypothesis.LiesOnFelt,
}

// fitted goes down the loss, prior by prior, with steps that get smaller. How often the tables err
// that were played is known, and the others are fitted beside that: so they are what they say,
// whatever the share of a house that uses them. What is likeliest of a record stays so: only rounds
// with findings speak here, and other records would be told worse.
func fitted(was hypothesis.Priors, rates operating.Rates, all []weighed) hypothesis.Priors {
	now := maps.Clone(was)
	best := loss(now, was, rates, all)
	for step := 1.0; step > 0.05; step /= 2 {
		for better := true; better; {
			better = false
			for _, name := range hypothesis.All {
				if slices.Contains(kept, name) {
					continue
				}
				for _, by := range []float64{step, -step} {
					old := now[name]
					now[name] = 1 / (1 + math.Exp(-logit(old)-by))
					if l := loss(now, was, rates, all); l < best-1e-9 && (now[name] >= 0.5 || was[name] < 0.5) {
						best, better = l, true
					} else {
						now[name] = old
					}
				}
			}
		}
	}
	return now
}

// speaking is how many findings have something that hangs on a prior.
func speaking(all []weighed, name hypothesis.Prior) (n int) {
	for _, w := range all {
		says := w.Unseen[name] > 0 || slices.Contains(w.UnseenShares, name)
		for _, h := range w.Hypotheses {
			says = says || h.By[name] > 0 || name == hypothesis.Aside && h.Rack >= 0 || h.HangsOn == name ||
				name == hypothesis.GivenMistake && h.Mistakes > 0 ||
				name == hypothesis.Another && h.Mistakes > 1 || name == hypothesis.ProcedureToo && h.ProcedureToo
		}
		if says {
			n++
		}
	}
	return n
}

// write puts what was fitted into the file, with its source.
func write(t *testing.T, p hypothesis.Priors, all []weighed, rounds int, m made) {
	const file = "hypothesis/priors.json"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	states, err := hypothesis.States(raw)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for i, name := range hypothesis.All {
		s := states[name]
		if n := speaking(all, name); n > 0 && !slices.Contains(kept, name) {
			s.Value = math.Round(p[name]*1e5) / 1e5
			s.Source = fmt.Sprintf("fitted by TestFitPriors: %d findings of %d made rounds, seeds %d to %d", n, rounds, m.from, m.from+m.seeds-1)
		}
		line, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s  %q: %s", map[bool]string{true: "{\n", false: ",\n"}[i == 0], name, line)
	}
	out.WriteString("\n}\n")
	if _, err := hypothesis.ReadPriors(out.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
