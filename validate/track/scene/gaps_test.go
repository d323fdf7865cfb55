package scene

import (
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/validate/round"
)

// What a time without pictures hides depends on its length and on what is done.
func TestGapsByPhase(t *testing.T) {
	t0 := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		length  time.Duration
		closed  bool
		dark    bool
		blinked bool
	}{
		"a picture late":             {300 * time.Millisecond, true, false, false},
		"a blink in the deal":        {700 * time.Millisecond, true, false, true},
		"a gap in the deal":          {1100 * time.Millisecond, true, true, true},
		"a gap while bets are laid":  {3 * time.Second, false, false, true},
		"a long one while bets are":  {11 * time.Second, false, true, true},
		"a long one before the ball": {11 * time.Second, true, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := NewFelt(
				NewLayout(
					[]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")},
					[]calibration.Chip{{ID: "a", Value: 100}},
					500,
					erring,
				),
				&Course{Kind: ByCards},
			)
			f.foldLine(round.Event{Type: round.Announce, Call: "hagan_juego"}, t0)
			if c.closed {
				f.foldLine(round.Event{Type: round.Announce, Call: "no_va_mas"}, t0.Add(time.Second))
			}
			from := t0.Add(2 * time.Second)
			to := from.Add(c.length)
			f.observe(&fact.Observation{Kind: fact.Watermark, Since: from, Time: to})
			if dark := f.Scene.Unverifiable() != ""; dark != c.dark {
				t.Errorf("not verifiable %q, want %v", f.Scene.Unverifiable(), c.dark)
			}
			if got := f.Scene.HasGap(from, to); got != c.blinked {
				t.Errorf("nobody looked: %v, want %v", got, c.blinked)
			}
			if f.Scene.HasGap(to, to.Add(time.Second)) || f.Scene.HasGap(t0, from) {
				t.Error("the time before and after is taken for unseen")
			}
		})
	}
}

// A zone that stirs after nobody looked may have been touched all the while.
func TestMovingSince(t *testing.T) {
	t0 := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	f := NewFelt(
		NewLayout(
			[]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")},
			[]calibration.Chip{{ID: "a", Value: 100}},
			500,
			erring,
		),
		&Course{Kind: ByCards},
	)
	for _, c := range []struct{ span, want time.Duration }{{100 * time.Millisecond, 0},
		{800 * time.Millisecond, -800 * time.Millisecond}} {
		f.Zones["z"] = ZoneState{}
		f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "z", Since: t0.Add(-c.span), Time: t0})
		if got := f.Zones["z"].MovingSince.Sub(t0); got != c.want {
			t.Errorf("after %v without a picture it stirred at %v, want %v", c.span, got, c.want)
		}
	}
}
