package track_test

import (
	"slices"
	"testing"
	"time"

	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// What was omitted is raised when it can be known, not when the round is handed
// out: a second after the cards are gone, or two after chips moved without a
// closing call. So is a call that is not what lies there.
func TestOmissionsAreRaisedWhenTheyCanBeKnown(t *testing.T) {
	left := func(p *play) float64 {
		p.lay("seat:1 banca", "e5", 4)
		cards := p.naturalPunto()
		p.lift(cards...)
		return p.now
	}
	for name, c := range map[string]struct {
		game, code string
		least      float64 // seconds from the mark to the alert
		play       func(p *play) (mark float64)
		states     []track.State
	}{
		"a loser is left": {"punto_banco", "loser_not_collected", 0.9, left, []track.State{track.Raised, track.Confirmed}},
		"a winner is not paid": {"punto_banco", "payout_missing", 0.9, func(p *play) float64 {
			p.lay("seat:1 punto", "e5", 4)
			cards := p.naturalPunto()
			p.lift(cards...)
			return p.now
		}, []track.State{track.Raised, track.Confirmed}},
		"he is paid after all": {"punto_banco", "payout_missing", 0.9, func(p *play) float64 {
			p.lay("seat:1 punto", "e5", 4)
			cards := p.naturalPunto()
			p.lift(cards...)
			mark := p.now
			p.wait(1)
			p.lay("seat:1 punto", "e5", 4)
			return mark
		}, []track.State{track.Raised, track.Corrected}},
		"nobody closed the bets": {"ruleta_francesa", "announcement_missing", 1.9, func(p *play) float64 {
			p.call("hagan_juego")
			lost := p.lay("pleno:20", "color2", 1)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
			p.lift(lost)
			mark := p.now
			p.wait(6)
			return mark
		}, []track.State{track.Raised, track.Confirmed}},
		"another number is called": {"ruleta_francesa", "announcement_wrong", 0.9, func(p *play) float64 {
			p.call("hagan_juego")
			lost := p.lay("pleno:20", "color2", 1)
			p.call("no_va_mas")
			p.wait(3)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "34", "color", "rojo", "parity", "par", "half", "pasa")
			mark := p.now
			p.lift(lost)
			p.wait(4)
			return mark
		}, []track.State{track.Raised, track.Confirmed}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			mark := tracktest.Start.Add(time.Second).Add(time.Duration(c.play(p) * float64(time.Second)))
			p.wait(4)
			outs, said := followed(trackerOf(t, c.game, nil), session(c.game, p))
			var states []track.State
			for i, o := range outs {
				a, ok := o.(*track.Alert)
				if !ok || a.Code != c.code {
					continue
				}
				states = append(states, a.State)
				if d := said[i].Sub(mark).Seconds(); a.State == track.Raised && (d < c.least || d > c.least+0.6) {
					t.Errorf("raised after %.2f s, want %.1f to %.1f", d, c.least, c.least+0.6)
				}
			}
			if !slices.Equal(states, c.states) {
				t.Errorf("alerts %v, want %v", states, c.states)
			}
		})
	}
}

// A decision that is called before its card is right or wrong by what is dealt
// then: it is not raised before the card can have come.
func TestACallAheadOfItsCardWaits(t *testing.T) {
	p := &play{}
	p.lay("seat:1 banca", "e5", 4)
	p.call("no_va_mas")
	p.call("cartas")
	for _, c := range [][2]string{{"punto", "3h"}, {"banca", "7c"}, {"punto", "Kd"}, {"banca", "Qs"}} {
		p.card(c[0], c[1], false)
	}
	p.call("puntos", "zone", "punto", "points", 3.0)
	p.call("puntos", "zone", "banca", "points", 7.0)
	p.call("carta", "zone", "punto")
	p.wait(1.2)
	p.card("punto", "2s", false)
	p.call("puntos", "zone", "punto", "points", 5.0)
	p.wait(3)
	for _, a := range alerts(perform(t, "punto_banco", nil, p)) {
		if a.Code == "announcement_wrong" {
			t.Errorf("raised %+v", a)
		}
	}
}
