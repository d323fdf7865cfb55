package track

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
)

// What came about under hands came about when they left, or just before any of the other
// things that happened meanwhile elsewhere.
func TestWhenAThingCameAbout(t *testing.T) {
	lay := func(zone string, from, until float64) happening {
		return happening{kind: chipsSeen, zone: zone, from: at(from), at: at(until), place: place{1, zone}}
	}
	for name, c := range map[string]struct {
		items []happening
		times []float64 // of the first one's alternatives
	}{
		"alone":                {[]happening{lay("a", 1, 5)}, nil},
		"others before it":     {[]happening{lay("b", 0, 1), lay("a", 1, 5)}, nil},
		"one meanwhile":        {[]happening{lay("b", 1, 2), lay("a", 1, 5)}, []float64{2}},
		"in its own zone":      {[]happening{lay("a", 1, 2), lay("a", 1, 5)}, nil},
		"several meanwhile":    {[]happening{lay("b", 1, 2), lay("c", 1, 3), lay("a", 1, 5)}, []float64{2, 3}},
		"more than are tried":  {[]happening{lay("b", 1, 2), lay("c", 1, 2.5), lay("d", 1, 3), lay("e", 1, 3.5), lay("f", 1, 4), lay("a", 1, 5)}, []float64{2, 2.5, 3.5, 4}},
		"two at the same time": {[]happening{lay("b", 1, 2), lay("c", 1, 2), lay("a", 1, 5)}, []float64{2}},
	} {
		t.Run(name, func(t *testing.T) {
			last := len(c.items) - 1
			s := &story{g: &game{}, sc: &scene{items: c.items}}
			s.retime()
			as := s.met[choice{kind: cameAbout, item: last}]
			if len(as) != len(c.times) {
				t.Fatalf("alternatives %+v, want times %v", as, c.times)
			}
			for i, a := range as {
				if want := at(c.times[i]).Add(-time.Millisecond); !a.at.Equal(want) {
					t.Errorf("alternative %d at %v, want %v", i, a.at, want)
				}
			}
			if len(as) == 0 {
				return
			}
			early := &story{g: &game{}, sc: &scene{items: c.items}, hyp: likeliest.with(choice{kind: cameAbout, item: last}, as[0])}
			early.retime()
			if h := early.sc.items[0]; h.zone != "a" || h.n != last {
				t.Errorf("the earliest is in zone %s, number %d", h.zone, h.n)
			}
			if c.items[0].zone == "a" {
				t.Error("the scene itself was changed")
			}
		})
	}
}

// Whatever was tried, a probability is one, and more weight of hypotheses without a finding
// makes it less likely.
func TestPosteriorProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	f := round.Finding{Code: finding.PayoutUnder, Seat: 1, Spot: "main"}
	tr := &Tracker{priors: builtIn()}
	for range 200 {
		r := &ruling{weight: rng.Float64() + 1e-6, verdict: round.Verdict{Findings: []round.Finding{f}}}
		r.tried = []*ruling{r}
		before := tr.posterior(r, f)
		for range rng.IntN(8) {
			o := &ruling{weight: rng.Float64()}
			if rng.IntN(2) == 0 {
				o.verdict.Findings = []round.Finding{f}
			}
			r.tried = append(r.tried, o)
		}
		p := tr.posterior(r, f)
		if p <= 0 || p > 1 || math.IsNaN(p) || before <= 0 || before > 1 {
			t.Fatalf("probabilities %v and %v", before, p)
		}
		r.tried = append(r.tried, &ruling{weight: 0.5})
		if less := tr.posterior(r, f); less >= p {
			t.Fatalf("with more against it %v, before %v", less, p)
		}
	}
}

// One mistake may be found in several ways; several are less likely.
func TestMistakesThatFindingsNeed(t *testing.T) {
	at := func(code finding.Code, seat int) round.Finding {
		return round.Finding{Code: code, Seat: seat, Spot: "x", Event: seat}
	}
	for name, c := range map[string]struct {
		found []round.Finding
		held  bool
		want  int
	}{
		"none":                           {nil, false, 0},
		"not observable":                 {[]round.Finding{at(finding.NotObservable, 1)}, false, 0},
		"two of one seat's money":        {[]round.Finding{at(finding.PayoutUnder, 1), at(finding.CommissionMissing, 1)}, false, 1},
		"of two seats' money":            {[]round.Finding{at(finding.PayoutUnder, 1), at(finding.PayoutOver, 2)}, false, 2},
		"of two seats' money of one pot": {[]round.Finding{at(finding.PayoutUnder, 1), at(finding.PayoutOver, 2)}, true, 1},
		"an order with it":               {[]round.Finding{at(finding.PayoutUnder, 1), at(finding.PaidBeforeCollect, 0)}, false, 1},
		"an order alone":                 {[]round.Finding{at(finding.PaidBeforeCollect, 0)}, false, 1},
		"a void round that was settled":  {[]round.Finding{at(finding.NullBallCounted, 0), at(finding.VoidRoundSettled, 1), at(finding.VoidRoundSettled, 2), at(finding.PayoutToLoser, 3)}, false, 1},
		"two cards":                      {[]round.Finding{at(finding.FaceWrong, 1), at(finding.FaceWrong, 2)}, false, 2},
	} {
		r := &ruling{story: &story{g: &game{held: c.held}, final: true}, verdict: round.Verdict{Findings: c.found}}
		if got := r.mistakes(); got != c.want {
			t.Errorf("%s: %d mistakes, want %d", name, got, c.want)
		}
	}
}

// A file of priors says of each what it counts and where it is from, and has all of them.
func TestPriors(t *testing.T) {
	if _, err := ReadPriors(priorsFile); err != nil {
		t.Fatal(err)
	}
	good := string(priorsFile)
	for name, c := range map[string]struct{ from, to, want string }{
		"no number":     {`"value": 0.15`, `"value": "much"`, "priors"},
		"no share":      {`"value": 0.15`, `"value": 1.5`, "another is 1.5"},
		"no unit":       {`"unit": "share of rounds with a mistake of the table"`, `"unit": ""`, "mistake has no unit"},
		"a strange one": {`"another"`, `"yet_another"`, `"yet_another" is none`},
		"a field more":  {`"value": 0.15`, `"value": 0.15, "note": ""`, "note"},
		"no JSON":       {"{", "[", "priors"},
	} {
		if _, err := ReadPriors([]byte(strings.Replace(good, c.from, c.to, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := ReadPriors([]byte("{}")); err == nil {
		t.Error("no priors are taken for all")
	}
}

func FuzzPriors(f *testing.F) {
	f.Add(priorsFile)
	f.Add([]byte(`{"mistake": {"value": 0.1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := ReadPriors(data); (p == nil) == (err == nil) {
			t.Errorf("priors %v and error %v", p, err)
		}
	})
}
