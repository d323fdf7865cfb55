package trial

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"vision/validate/track"
)

// A round for high stakes, laid and paid in plaques and chips, is told as it was played, and
// what is kept of it tells a tracker the same.
func TestATrialIsToldAgain(t *testing.T) {
	var kept, first, second bytes.Buffer
	r, err := Run(t.Context(), Config{Game: "punto_banco", Seed: 8, Rounds: 1, FPS: pace, Plaques: true, Keep: &kept, Trace: &first})
	if err != nil {
		t.Fatal(err)
	}
	toldAsPlayed(t, r.Rounds[0])
	whole := kept.String()
	again, err := Again(&kept, false, &second)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r, again) || len(r.Rounds) != 1 {
		t.Errorf("first %+v, again %+v", r, again)
	}
	if first.String() != second.String() || first.Len() == 0 {
		t.Errorf("the traces differ: %d and %d bytes", first.Len(), second.Len())
	}
	for name, bad := range map[string]string{
		"nothing": "", "no game": `{"game":"bridge","rounds":1}`, "cut off": whole[:len(whole)/2], "no facts": whole[:strings.Index(whole, "\n")],
	} {
		if _, err := Again(strings.NewReader(bad), false, nil); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

// Told again without its rack, a trial is what it would have been had nobody read one; with it,
// plaques and chips of high stakes are told as they were played.
func TestATrialIsToldWithoutItsRack(t *testing.T) {
	var kept, bare bytes.Buffer
	cfg := Config{Game: "blackjack", Seed: 3, Rounds: 1, FPS: pace, Plaques: true, Keep: &kept}
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	toldAsPlayed(t, r.Rounds[0])
	cfg.NoRack, cfg.Keep = true, &bare
	want, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	racks := func(b *bytes.Buffer) int { return strings.Count(b.String(), `"kind":"rack"`) }
	if racks(&kept) == 0 || racks(&bare) != 0 {
		t.Errorf("the rack is seen %d times with one, %d times without", racks(&kept), racks(&bare))
	}
	for name, b := range map[string]*bytes.Buffer{"with a rack": &kept, "without": &bare} {
		if got, err := Again(b, true, nil); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("kept %s: %+v (%v), want %+v", name, got, err, want)
		}
	}
}

// An alert of the round after the last is of no round whose truth is known; one of
// a round that was played and never told belongs to none.
func TestStrayAlerts(t *testing.T) {
	from := Start.Add(10 * time.Second)
	truths := []truth{{from: Start, to: from}}
	said := func(id string, sec int) *track.Alert {
		return &track.Alert{Round: id, State: track.Raised,
			Judged: track.Judged{At: from.Add(time.Duration(sec) * time.Second)}}
	}
	r := &Result{Rounds: make([]Round, 1)}
	r.alerted(said("next", 2), false, from, truths, nil)
	if len(r.Stray) > 0 {
		t.Errorf("stray %v, want none", r.Stray)
	}
	r.alerted(said("lost", -2), false, from, truths, nil)
	if len(r.Stray) != 1 {
		t.Errorf("stray %v, want one", r.Stray)
	}
}
