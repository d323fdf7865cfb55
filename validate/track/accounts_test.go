package track

import (
	"math"
	"math/rand/v2"
	"testing"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// Accounts of one finding add up to no more than all, come likeliest first, and those under
// which it holds make its probability where none is left out.
func TestAccountsShareTheWeight(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	f := round.Finding{Code: finding.PayoutUnder, Seat: 1, Spot: "main"}
	tr := &Tracker{priors: builtIn()}
	for range 200 {
		r := &ruling{scene: &scene{}, weight: rng.Float64() + 0.05, verdict: round.Verdict{Findings: []round.Finding{f}}}
		r.tried = []*ruling{r}
		for range 1 + rng.IntN(8) {
			o := &ruling{scene: &scene{}, weight: rng.Float64()}
			if rng.IntN(2) == 0 {
				o.verdict.Findings = []round.Finding{f}
			}
			r.tried = append(r.tried, o)
		}
		sum, holds, unseen := 0.0, 0.0, false
		for i, a := range tr.accounts(r, f) {
			sum += a.P
			unseen = unseen || a.Unseen
			if a.Holds {
				holds += a.P
			}
			if i > 0 && a.P < negligible {
				t.Fatalf("an account weighs %v", a.P)
			}
		}
		if sum > 1+1e-9 || sum < 0.8 {
			t.Fatalf("accounts of %v in all", sum)
		}
		if p := tr.posterior(r, f); math.Abs(holds-p) > 1e-9 && p >= negligible {
			t.Fatalf("%v of them hold, probability %v", holds, p)
		}
	}
	if got := tr.accounts(&ruling{tried: []*ruling{{}}}, f); got != nil {
		t.Errorf("accounts of what was not tried otherwise: %v", got)
	}
}

// An account says where its heaviest hypothesis departs from what was read.
func TestWhatAnAccountAssumes(t *testing.T) {
	f := round.Finding{Code: finding.PayoutUnder, Seat: 3, Spot: "main"}
	sc := &scene{
		items: []happening{{kind: chipsSeen, place: place{3, "main"}, zone: "seat:3 main", at: at(4), chips: count{total: 4000}}},
		slots: []slot{{zone: "bank", came: at(2), guesses: []fact.Guess{{Label: "Kd", P: 0.7}, {Label: "Qd", P: 0.3}}}},
	}
	lady, err := card.Parse("Qd")
	if err != nil {
		t.Fatal(err)
	}
	other := likeliest.with(choice{kind: chipsCounted, item: 0}, alternative{odds: 0.2, total: 4500})
	queen := likeliest.with(choice{kind: cardRead, item: 0}, alternative{odds: 0.4, card: lady})
	r := &ruling{scene: sc, weight: 1, verdict: round.Verdict{Findings: []round.Finding{f}}}
	r.tried = []*ruling{
		r, {scene: sc, weight: 0.2, hyp: other},
		{scene: sc, weight: 0.3, hyp: queen, verdict: round.Verdict{Findings: []round.Finding{{Code: finding.PayoutOver, Seat: 2}}}},
	}
	got := (&Tracker{priors: builtIn()}).accounts(r, f)
	if len(got) != 3 || !got[0].Holds || got[1].Holds || got[2].Holds {
		t.Fatalf("accounts %+v", got)
	}
	face, chips := got[1].Assumes, got[2].Assumes
	if len(face) != 1 || face[0].Departs != OtherCard || face[0].Zone != "bank" || face[0].Read != "Kd" || face[0].Instead != "Qd" || !face[0].At.Equal(at(2)) {
		t.Errorf("assumes %+v", face)
	}
	if len(chips) != 1 || chips[0].Departs != OtherAmount || chips[0].Seat != 3 || chips[0].Spot != "main" ||
		chips[0].Read != money.Cents(4000) || chips[0].Instead != money.Cents(4500) || !chips[0].At.Equal(at(4)) {
		t.Errorf("assumes %+v", chips)
	}
	if len(got[2].Codes) != 0 || got[1].Codes[0] != finding.PayoutOver {
		t.Errorf("codes %v and %v", got[2].Codes, got[1].Codes)
	}
}
