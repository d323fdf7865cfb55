package infer

import (
	"math"
	"math/rand/v2"
	"testing"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/operating"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// Accounts of one finding add up to no more than all, come likeliest first, and those under
// which it holds make its probability where none is left out.
func TestAccountsShareTheWeight(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	f := round.Finding{Code: finding.PayoutUnder, Seat: 1, Spot: "main"}
	in := &Inference{Priors: hypothesis.BuiltIn(), Rates: operating.Usual()}
	played := func() *narrate.Narration {
		return &narrate.Narration{Given: narrate.Given{Game: &narrate.Game{}, Scene: &scene.Scene{}}}
	}
	for range 200 {
		r := &Ruling{
			Narration: played(),
			seen:      &scene.Scene{},
			weight:    rng.Float64() + 0.05,
			Verdict:   round.Verdict{Findings: []round.Finding{f}},
		}
		r.Hyp.Odds = r.weight
		r.tried = []*Ruling{r}
		for range 1 + rng.IntN(8) {
			o := &Ruling{Narration: played(), seen: &scene.Scene{}, weight: rng.Float64()}
			if o.Hyp.Odds = o.weight; rng.IntN(2) == 0 {
				o.Verdict.Findings = []round.Finding{f}
			}
			r.tried = append(r.tried, o)
		}
		sum, holds, unseen := 0.0, 0.0, false
		for i, a := range in.Accounts(r, f) {
			sum += a.P
			unseen = unseen || a.Unseen
			if a.Holds {
				holds += a.P
			}
			if i > 0 && a.P < pruneRatio {
				t.Fatalf("an account weighs %v", a.P)
			}
		}
		if sum > 1+1e-9 || sum < 0.8 {
			t.Fatalf("accounts of %v in all", sum)
		}
		if p := weighed(in, r, f); math.Abs(holds-p) > 1e-9 && p >= pruneRatio {
			t.Fatalf("%v of them hold, probability %v", holds, p)
		}
	}
	if got := in.Accounts(&Ruling{tried: []*Ruling{{}}}, f); got != nil {
		t.Errorf("accounts of what was not tried otherwise: %v", got)
	}
}

// An account says where its heaviest hypothesis departs from what was read.
func TestWhatAnAccountAssumes(t *testing.T) {
	f := round.Finding{Code: finding.PayoutUnder, Seat: 3, Spot: "main"}
	sc := &scene.Scene{
		Events: []scene.Event{
			{
				Kind:  scene.ChipsSeen,
				Place: scene.Place{Seat: 3, Spot: "main"},
				Zone:  "seat:3 main",
				At:    at(4),
				Chips: scene.Count{Total: 4000},
			},
		},
		Tracks: []scene.Track{
			{Zone: "bank", Came: at(2), Guesses: []fact.Guess{{Label: "Kd", P: 0.7}, {Label: "Qd", P: 0.3}}},
		},
	}
	lady, err := card.Parse("Qd")
	if err != nil {
		t.Fatal(err)
	}
	other := hypothesis.Likeliest.With(
		hypothesis.Choice{Kind: hypothesis.ChipsCounted, Item: 0},
		hypothesis.Alternative{Odds: 0.2, Total: 4500},
	)
	queen := hypothesis.Likeliest.With(
		hypothesis.Choice{Kind: hypothesis.CardRead, Item: 0},
		hypothesis.Alternative{Odds: 0.4, Card: lady},
	)
	r := &Ruling{
		Narration: &narrate.Narration{Given: narrate.Given{Game: &narrate.Game{}}},
		seen:      sc,
		weight:    1,
		Verdict:   round.Verdict{Findings: []round.Finding{f}},
	}
	r.tried = []*Ruling{
		r, {seen: sc, weight: 0.2, Narration: &narrate.Narration{Given: narrate.Given{Hyp: other}}},
		{
			seen:      sc,
			weight:    0.3,
			Narration: &narrate.Narration{Given: narrate.Given{Hyp: queen}},
			Verdict:   round.Verdict{Findings: []round.Finding{{Code: finding.PayoutOver, Seat: 2}}},
		},
	}
	got := (&Inference{Priors: hypothesis.BuiltIn(), Rates: operating.Rates{finding.ClassMoney: 500}}).Accounts(r, f)
	if len(got) != 3 || !got[0].Holds || got[1].Holds || got[2].Holds {
		t.Fatalf("accounts %+v", got)
	}
	face, chips := got[1].Assumes, got[2].Assumes
	if len(face) != 1 || face[0].Departs != OtherCard || face[0].Zone != "bank" || face[0].Read != "Kd" ||
		face[0].Instead != "Qd" ||
		!face[0].At.Equal(at(2)) {
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
