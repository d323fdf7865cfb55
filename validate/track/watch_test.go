package track_test

import (
	"testing"

	"vision/validate/finding"
	"vision/validate/track"
)

// What can be known while a round runs is raised then, once, and stands at its
// end; a stake is judged when the bets are closed.
func TestRaisedWhileTheRoundRuns(t *testing.T) {
	spin := func(p *play) {
		p.say("ball", map[string]any{"pocket": "17"})
		p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
	}
	for name, c := range map[string]struct {
		code finding.Code
		play func(p *play)
	}{
		"closed after the ball": {finding.DealtBeforeClose, func(p *play) {
			p.lay("docena:3", "color1", 2)
			p.wait(2)
			spin(p)
			p.call("no_va_mas")
			p.wait(5)
		}},
		"too small a stake": {finding.BetBelowMin, func(p *play) {
			p.lay("docena:3", "color1", 1)
			p.wait(6)
			p.call("no_va_mas")
			p.wait(3)
			spin(p)
			p.wait(2)
		}},
		"a stake that is added to in time": {"", func(p *play) {
			p.lay("docena:3", "color1", 1)
			p.wait(6)
			p.lay("docena:3", "color1", 1)
			p.call("no_va_mas")
			p.wait(3)
			spin(p)
			p.wait(2)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			c.play(p)
			p.lift(1, 2)
			outs := perform(t, "ruleta_americana", func(cfg *track.Config) { cfg.Min = 1000 }, p)
			raised := 0
			for _, a := range alerts(outs) {
				switch {
				case a.Code != c.code || a.State == track.Corrected:
					t.Errorf("%s %s, seat %d %s", a.Code, a.State, a.Seat, a.Spot)
				case a.State == track.Raised:
					raised++
				}
			}
			got := codes(only(t, outs))
			if c.code == "" && len(got) > 0 || c.code != "" && (raised != 1 || len(got) != 1 || got[0] != c.code) {
				t.Errorf("raised %d times, found %q; want %q", raised, got, c.code)
			}
		})
	}
}
