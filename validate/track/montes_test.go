package track_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/lab/sim/script"
	"vision/validate/finding"
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
		if o := s.Inputs[i].Seen; o != nil && o.Zone == "bank" && o.Kind == fact.Stable && len(o.Cards) > 0 {
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

// At monte o banca, too, the croupier rakes a losing pile to another before he takes both away:
// what he takes is no bet laid late on the other's place, in either phase.
func TestMonteBancaLosersRakedTogether(t *testing.T) {
	croupier := func(p *play, lift []int, piles ...script.Pile) {
		p.act(script.Act{Who: script.Croupier, Lift: lift, Piles: piles})
		p.wait(2)
	}
	rake := func(p *play, from, by int, zone, chip string) { // a pile beside another, and both away
		p.tag++
		heap := p.tag
		croupier(p, []int{from}, script.Pile{Tag: heap, Zone: zone, Chips: script.Alike(chip, 1), Slot: 2})
		croupier(p, []int{heap, by})
	}
	p := &play{}
	var cards []int
	for i, c := range []string{"4K", "SK", "3E", "RB"} {
		p.call([]string{"primera_carta", "segunda_carta", "tercera_carta", "cuarta_carta"}[i])
		cards = append(cards, p.card("emplazado:"+strconv.Itoa(i+1), c, false))
	}
	p.call("hagan_juego")
	p.wait(1)
	first, by := p.lay("cartas:1-2", "color1", 1), p.lay("cartas:1-3", "color1", 1)
	p.call("no_va_mas")
	p.wait(2)
	cards = append(cards, p.card("descubiertas", "RK", false)) // of the fourth place
	rake(p, first, by, "cartas:1-3", "color1")
	p.call("hagan_juego")
	p.wait(1)
	first, by = p.lay("camo:1", "color2", 1), p.lay("anti:1", "color2", 1)
	p.call("no_va_mas")
	p.wait(2)
	cards = append(cards, p.card("descubiertas", "SB", false)) // of the second
	rake(p, first, by, "anti:1", "color2")
	p.lift(cards...)
	r := only(t, perform(t, "monte_banca", nil, p))
	if slices.Contains(codes(r), finding.LateBet) {
		t.Errorf("findings %v", codes(r))
		for _, l := range lines(t, r.Record.Events) {
			t.Log(l)
		}
	}
}
