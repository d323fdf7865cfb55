package track_test

import (
	"slices"
	"testing"
	"time"

	"vision/capture/sim/script"
	"vision/internal/fact"
	"vision/validate/round"
	"vision/validate/track/tracktest"
)

// At casino monte too the arm that laid the bank's card lies over it while it takes a
// loser: that is no bet withdrawn before the card fell.
func TestCasinoMonteTakesLosersUnderTheArmThatDealt(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	first, second := p.lay("seat:1 inicial", "e5", 2), p.lay("seat:2 inicial", "e5", 2)
	p.call("no_va_mas")
	cards := []int{p.card("seat:1", "7c", false), p.card("seat:2", "9h", false), p.card("bank", "Th", false)}
	p.act(script.Act{Who: script.Croupier, Lift: []int{second}})
	taken := p.now
	p.wait(1.5)
	p.act(script.Act{Who: script.Croupier, Lift: []int{first}})
	p.wait(2)
	p.lift(cards...)
	s := session("casino_monte", p)
	for i := range s.Inputs { // the arm leaves the card a second after the first loser went, the highest box
		if o := s.Inputs[i].Seen; o != nil && o.Zone == "bank" && o.Kind == fact.Settled && len(o.Cards) > 0 {
			gone := s.Starts[0].Add(time.Duration((taken + 1) * float64(time.Second)))
			o.Since, o.Time, s.Inputs[i].Arrives = gone.Add(-200*time.Millisecond), gone, gone
		}
	}
	slices.SortStableFunc(s.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
	r := only(t, follow(trackerOf(t, "casino_monte", nil), s))
	collected := 0
	for _, e := range r.Record.Events {
		if e.Type == round.Collect {
			collected++
		}
	}
	if len(r.Findings) > 0 || collected != 2 {
		t.Errorf("findings %v, %d bets collected; want none and 2", codes(r), collected)
	}
}
