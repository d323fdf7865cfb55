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
