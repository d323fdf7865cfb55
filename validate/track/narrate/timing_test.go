package narrate

import (
	"testing"
	"time"

	"vision/validate/track/hypothesis"
	"vision/validate/track/scene"
)

// What came about under hands came about when they left, or just before any of the other
// things that happened meanwhile elsewhere.
func TestWhenAThingCameAbout(t *testing.T) {
	lay := func(zone string, from, until float64) scene.Event {
		return scene.Event{
			Kind:  scene.ChipsSeen,
			Zone:  zone,
			From:  at(from),
			At:    at(until),
			Place: scene.Place{Seat: 1, Spot: zone},
		}
	}
	for name, c := range map[string]struct {
		items []scene.Event
		times []float64 // of the first one's alternatives
	}{
		"alone":             {[]scene.Event{lay("a", 1, 5)}, nil},
		"others before it":  {[]scene.Event{lay("b", 0, 1), lay("a", 1, 5)}, nil},
		"one meanwhile":     {[]scene.Event{lay("b", 1, 2), lay("a", 1, 5)}, []float64{2}},
		"in its own zone":   {[]scene.Event{lay("a", 1, 2), lay("a", 1, 5)}, nil},
		"several meanwhile": {[]scene.Event{lay("b", 1, 2), lay("c", 1, 3), lay("a", 1, 5)}, []float64{2, 3}},
		"more than are tried": {[]scene.Event{lay("b", 1, 2), lay("c", 1, 2.5), lay("d", 1, 3), lay("e", 1, 3.5),
			lay("f", 1, 4), lay("a", 1, 5)}, []float64{2, 2.5, 3.5, 4}},
		"two at the same time": {[]scene.Event{lay("b", 1, 2), lay("c", 1, 2), lay("a", 1, 5)}, []float64{2}},
	} {
		t.Run(name, func(t *testing.T) {
			last := len(c.items) - 1
			s := &Narration{Given: Given{Game: &Game{}, Scene: &scene.Scene{Events: c.items}}}
			s.retime()
			as := s.Met[hypothesis.Choice{Kind: hypothesis.CameAbout, Item: last}]
			if len(as) != len(c.times) {
				t.Fatalf("alternatives %+v, want times %v", as, c.times)
			}
			for i, a := range as {
				if want := shortlyBefore(at(c.times[i]), at(1)); !a.At.Equal(want) {
					t.Errorf("alternative %d at %v, want %v", i, a.At, want)
				}
			}
			if len(as) == 0 {
				return
			}
			early := &Narration{
				Given: Given{
					Game:  &Game{},
					Scene: &scene.Scene{Events: c.items},
					Hyp:   hypothesis.Likeliest.With(hypothesis.Choice{Kind: hypothesis.CameAbout, Item: last}, as[0]),
				},
			}
			early.retime()
			if h := early.Scene.Events[0]; h.Zone != "a" || h.Number != last {
				t.Errorf("the earliest is in zone %s, number %d", h.Zone, h.Number)
			}
			if c.items[0].Zone == "a" {
				t.Error("the scene itself was changed")
			}
		})
	}
}

// Of two things that came about just before a third, that was first for which hands came first.
func TestBothJustBeforeAThird(t *testing.T) {
	call := at(5)
	bet, fold := shortlyBefore(call, at(2)), shortlyBefore(call, at(3))
	if !bet.Before(fold) || !fold.Before(call) || call.Sub(bet) > 2*time.Millisecond {
		t.Errorf("the bet at %v, the fold at %v, the call at %v", bet, fold, call)
	}
}
