package track

import (
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track/infer"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// A court that is named for those that count the same is no second reading of
// which court it is.
func TestShoeBesideACardThatCountsTheSame(t *testing.T) {
	sure := []fact.Guess{{Label: "Qh", P: 0.98}}
	vague := []fact.Guess{{Label: "Qh", P: 0.35}, {Label: "Kd", P: 0.3}, {Label: "Th", P: 0.2}}
	for name, c := range map[string]struct {
		slot scene.Track
		want int
	}{
		"read":        {scene.Track{Guesses: sure}, 1},
		"hardly read": {scene.Track{Guesses: vague, Abstain: "unsure"}, 0},
	} {
		sc := &scene.Scene{
			Tracks: []scene.Track{c.slot},
			Events: []scene.Event{{Kind: scene.CardSeen, Track: 0, Zone: "punto"}},
		}
		if vs := shoeAgainst(&narrate.Game{Dealing: narrate.Dealing{Points: true}}, sc, []string{"Kd"}); len(
			vs,
		) != c.want {
			t.Errorf("%s: %d variances, want %d", name, len(vs), c.want)
		}
	}
}

// at is a moment of a made-up round, seconds from its start.
func at(s float64) time.Time { return time.Unix(1000, 0).Add(time.Duration(s * float64(time.Second))) }

// What nobody moved before hands hid it is not known to have been left when the
// round ended, until they go and it lies as it lay.
func TestWhatHandsHideAtTheEnd(t *testing.T) {
	p, q := scene.Place{Seat: 4, Spot: "rojo"}, scene.Place{Seat: 4, Spot: "pleno:11"}
	for name, c := range map[string]struct {
		stirred float64 // of the layout; 0: at rest
		left    float64 // when the hands had come that left it changed; 0: it lies as it lay
		want    bool
	}{
		"at rest, as it lay":                 {},
		"hidden since before the end":        {stirred: 8, want: true},
		"hidden since after it":              {stirred: 11},
		"changed by hands from before":       {left: 8, want: true},
		"changed by hands that came after":   {left: 11},
		"changed, and hidden again since":    {stirred: 14, left: 8, want: true},
		"changed after it, and hidden again": {stirred: 14, left: 11},
	} {
		t.Run(name, func(t *testing.T) {
			sc := &scene.Scene{Ended: at(10)}
			f := &scene.Felt{Zones: map[string]scene.ZoneState{"layout": {}}, Ended: []*scene.Scene{sc}}
			if c.stirred > 0 {
				f.Zones["layout"] = scene.ZoneState{MovingSince: at(c.stirred)}
			}
			if c.left > 0 && c.left < 10 {
				sc.AcrossEnd = map[scene.Place]bool{p: true}
			}
			tr := &Tracker{layout: &scene.Layout{Zones: map[string]*scene.Zone{"layout": {Chips: true}}}, now: f}
			if got := tr.hiddenAtEnd(sc, p); got != c.want {
				t.Errorf("hidden %v, want %v", got, c.want)
			}
			if got := tr.hiddenAtEnd(sc, q); got != (c.want && c.left == 0) {
				t.Errorf("another place of the seat: hidden %v", got)
			}
		})
	}
}

// No hand lies over a hand of pai gow that is raised as set wrong; hands at another seat
// hide nothing of it.
func TestHandsAtAHandSetWrong(t *testing.T) {
	f := round.Finding{Code: finding.HandSetWrong, Seat: 1, Zone: "seat:1"}
	for zone, want := range map[string]bool{"seat:1/high": true, "seat:1": true, "seat:2/high": false, "seat:12": false} {
		now := &scene.Felt{Zones: map[string]scene.ZoneState{zone: {MovingSince: at(1)}}}
		tr := &Tracker{layout: &scene.Layout{}, now: now}
		if got := tr.handsAt(&infer.Ruling{Narration: &narrate.Narration{Given: narrate.Given{Game: &narrate.Game{}}}},
			f); got != want {
			t.Errorf("hands at %s: it waits: %v", zone, got)
		}
	}
}

// Of chips pushed that were counted roughly nothing is reported while hands are at the pot.
func TestARoughPushWaitsForThePot(t *testing.T) {
	game, err := narrate.GameByCode("omaha_circulo")
	if err != nil {
		t.Fatal(err)
	}
	pot := calibration.Zone{
		Name:    "pot",
		Spot:    scene.PotSpot,
		Reads:   []string{"chips"},
		Polygon: []fact.Point{{0, 0}, {9, 0}, {9, 9}},
	}
	for name, c := range map[string]struct {
		rough, hands, want bool
	}{"hands at the pot": {true, true, true}, "the pot is at rest": {true, false, false}, "it was counted well": {false, true, false}} {
		tr := &Tracker{
			game:   game,
			layout: scene.NewLayout([]calibration.Zone{pot}, nil, 500, scene.CountErrors{}),
			now:    &scene.Felt{Zones: map[string]scene.ZoneState{"pot": {}}},
		}
		if c.hands {
			tr.now.Zones["pot"] = scene.ZoneState{MovingSince: at(5)}
		}
		s := &narrate.Narration{
			Given:  narrate.Given{Game: tr.game, Scene: &scene.Scene{Course: &tr.game.Course}},
			Counts: narrate.Counts{RoughCounts: map[int]narrate.RoughCount{}},
		}
		if c.rough {
			s.RoughCounts[3] = narrate.RoughCount{Place: scene.Place{Seat: 1, Spot: scene.PaySpot}}
		}
		if got := tr.handsAt(&infer.Ruling{Narration: s},
			round.Finding{Code: finding.PayoutOver, Seat: 1, Spot: scene.BoteSpot}); got != c.want {
			t.Errorf("%s: it waits: %v", name, got)
		}
	}
}
