package track

import (
	"slices"
	"testing"
	"time"

	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// What is told of one moment comes in the same order each time: who replays a round gets what was
// told then.
func TestWhatIsTakenBackAtOnceIsTakenBackInOrder(t *testing.T) {
	var want []int
	pendings := map[infer.About]*pending{}
	for seat := 1; seat <= 9; seat++ {
		f := round.Finding{Code: finding.PayoutUnder, Seat: seat, Spot: "main"}
		pendings[infer.AboutOf(f)] = &pending{raised: true, last: Judged{Finding: f}}
		want = append(want, seat)
	}
	recorded := func(tell func(*Tracker)) (seats []int) {
		tr := &Tracker{alerts: map[int]map[infer.About]*pending{1: pendings}, round: 1}
		tell(tr)
		for _, o := range tr.outs {
			seats = append(seats, o.(*Alert).Finding.Seat)
		}
		return seats
	}
	if got := recorded(func(tr *Tracker) { tr.reconcile(&Round{}) }); !slices.Equal(got, want) {
		t.Errorf("at the end of the round: seats %v, want %v", got, want)
	}
	for _, p := range pendings {
		p.gone = time.Unix(1, 0)
	}
	running := &infer.Ruling{Narration: &narrate.Narration{Given: narrate.Given{
		Game: &narrate.Game{}, Scene: &scene.Scene{},
	}}}
	while := func(tr *Tracker) { tr.raise(running, nil, 1, time.Unix(60, 0)) }
	if got := recorded(while); !slices.Equal(got, want) {
		t.Errorf("while it runs: seats %v, want %v", got, want)
	}
}

// An alert that was raised while a round ran is taken back where the whole round speaks against it, and stands
// where it is only less sure.
func TestAnAlertIsTakenBackWhereTheRoundSpeaksAgainstIt(t *testing.T) {
	f := round.Finding{Code: finding.LateBet, Seat: 4, Spot: "banca"}
	for name, c := range map[string]struct {
		evidence float64
		alert    bool
		why      string // the round is not verifiable
		want     State
	}{
		"it speaks against it":       {-0.3, false, "", Corrected},
		"it hangs on what is unseen": {-0.2, false, "", Confirmed},
		"it is less sure":            {0.3, false, "", Confirmed},
		"it is as sure":              {2.2, true, "", Confirmed},
		"sight was lost":             {-0.3, false, "the camera sent nothing", Confirmed},
		"such things are common":     {-0.3, true, "", Confirmed},
	} {
		tr := &Tracker{round: 1, alerts: map[int]map[infer.About]*pending{
			1: {infer.AboutOf(f): {raised: true, last: Judged{Finding: f, Evidence: 2.2, Alert: true}}},
		}}
		tr.reconcile(&Round{NotVerifiable: c.why, Findings: []Judged{{Finding: f, Evidence: c.evidence, Alert: c.alert}}})
		if a := tr.outs[0].(*Alert); a.State != c.want || a.Evidence != c.evidence {
			t.Errorf("%s: %s with evidence %v, want %s with %v", name, a.State, a.Evidence, c.want, c.evidence)
		}
	}
}
