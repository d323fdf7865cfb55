package track

import (
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/validate/round"
)

// Time passes no faster than pictures are looked at; a reader that says nothing
// for long holds nobody up, and one that comes later still is too late.
func TestTimeWaitsForWhoLooks(t *testing.T) {
	t0 := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return t0.Add(time.Duration(s * float64(time.Second))) }
	var a attention
	if got := a.pass(at(1)); !got.Equal(at(1)) {
		t.Errorf("before anything was said %v", got.Sub(t0))
	}
	hear := func(camera string, s float64) bool {
		return a.hear(&fact.Observation{Kind: fact.Looked, Camera: camera, Time: at(s)})
	}
	hear("one", 2)
	hear("two", 6)
	for _, c := range []struct{ now, want float64 }{{2.3, 2.3}, {4, 2.5}, {17, 2.5}, {18, 6.5}, {22, 22}, {21.5, 22}} {
		if got := a.pass(at(c.now)); !got.Equal(at(c.want)) {
			t.Errorf("at %v s: %v, want %v s", c.now, got.Sub(t0), c.want)
		}
	}
	if !hear("one", 7) || hear("one", 21.5) {
		t.Error("a picture from before what was concluded already is too late, one of just now is not")
	}
	if got := a.pass(at(-3600)); !got.Equal(at(-3600)) {
		t.Errorf("after the clock was put back %v", got.Sub(t0))
	}
}

// What a time without pictures hides depends on its length and on what is done.
func TestSpansByPhase(t *testing.T) {
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
			f := newFelt(newAtlas([]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")}, []calibration.Chip{{ID: "a", Value: 100}}, 500),
				games["punto_banco"], time.Second)
			f.hear(round.Event{Type: round.Announce, Call: "hagan_juego"}, t0)
			if c.closed {
				f.hear(round.Event{Type: round.Announce, Call: "no_va_mas"}, t0.Add(time.Second))
			}
			from := t0.Add(2 * time.Second)
			to := from.Add(c.length)
			f.see(&fact.Observation{Kind: fact.Looked, Since: from, Time: to})
			if dark := f.scene.dark() != ""; dark != c.dark {
				t.Errorf("not verifiable %q, want %v", f.scene.dark(), c.dark)
			}
			if got := f.scene.blinked(from, to); got != c.blinked {
				t.Errorf("nobody looked: %v, want %v", got, c.blinked)
			}
			if f.scene.blinked(to, to.Add(time.Second)) || f.scene.blinked(t0, from) {
				t.Error("the time before and after is taken for unseen")
			}
		})
	}
}

// A zone that stirs after nobody looked may have been touched all the while.
func TestStirredSince(t *testing.T) {
	t0 := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	f := newFelt(newAtlas([]calibration.Zone{square("z", "punto", 1, 0, 300, "chips")}, []calibration.Chip{{ID: "a", Value: 100}}, 500),
		games["punto_banco"], time.Second)
	for _, c := range []struct{ span, want time.Duration }{{100 * time.Millisecond, 0}, {800 * time.Millisecond, -800 * time.Millisecond}} {
		f.zones["z"] = memory{}
		f.see(&fact.Observation{Kind: fact.Stirred, Zone: "z", Since: t0.Add(-c.span), Time: t0})
		if got := f.zones["z"].stirred.Sub(t0); got != c.want {
			t.Errorf("after %v without a picture it stirred at %v, want %v", c.span, got, c.want)
		}
	}
}
