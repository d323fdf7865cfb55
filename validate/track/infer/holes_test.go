package infer

import (
	"testing"

	"vision/internal/fact"
	"vision/validate/finding"
	"vision/validate/operating"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// What was not seen makes a finding less likely where it can have to do with it: at its
// seat, at none, or where all hangs together.
func TestWhatWasNotSeenSpeaksAgainstAFinding(t *testing.T) {
	in := &Inference{Priors: hypothesis.BuiltIn(), Rates: operating.Usual()}
	unread := func(zone string) scene.Track { return scene.Track{Zone: zone, Abstain: "unsure", OnTable: true} }
	read := scene.Track{Zone: "seat:1", Guesses: []fact.Guess{{Label: "Kd", P: 0.99}}, OnTable: true}
	for name, c := range map[string]struct {
		seat  int
		held  bool
		track scene.Track
		less  bool
	}{
		"a card that is read":           {1, false, read, false},
		"its own card":                  {1, false, unread("seat:1"), true},
		"another seat's":                {1, false, unread("seat:2"), false},
		"another seat's, and one pot":   {1, true, unread("seat:2"), true},
		"the bank's":                    {1, false, unread("bank"), true},
		"of nobody, another seat's":     {0, false, unread("seat:2"), true},
		"a back":                        {1, false, scene.Track{Zone: "seat:1", Back: true, OnTable: true}, false},
		"one of the round before":       {1, false, scene.Track{Zone: "seat:1", Abstain: "unsure", Earlier: true}, false},
		"another seat's, nobody's spot": {2, false, unread("seat:1"), false},
	} {
		f := round.Finding{Code: finding.PayoutUnder, Seat: c.seat, Spot: "main"}
		with := func(tracks ...scene.Track) *Ruling {
			game := &narrate.Game{Course: scene.Course{Held: c.held}}
			seen := &scene.Scene{Tracks: tracks}
			given := narrate.Given{Game: game, Final: true, Scene: seen, Hyp: hypothesis.Likeliest}
			r := &Ruling{
				Narration: &narrate.Narration{Given: given}, seen: seen, Verdict: round.Verdict{Findings: []round.Finding{f}},
			}
			r.weigh(in.Priors)
			r.tried = []*Ruling{r}
			return r
		}
		bare, r := weighed(in, with(), f), with(c.track)
		p := weighed(in, r, f)
		if less := p < bare; less != c.less {
			t.Errorf("%s: %v, without it %v", name, p, bare)
		}
	}
}
