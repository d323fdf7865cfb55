package track_test

import (
	"slices"
	"testing"

	"vision/internal/lab/sim/script"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// Whose arm reached for a stake that is nobody's to take tells whether it was
// collected: after a tie the punto's stake is its owner's.
func TestWhoTookTheStake(t *testing.T) {
	for name, c := range map[string]struct {
		who   script.Who
		alert bool
		code  finding.Code
	}{
		"the croupier": {script.Croupier, true, finding.PushCollected},
		"the player":   {1, false, ""},
		"nobody knows": {script.Nobody, false, finding.PushCollected},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			stake := p.lay("seat:1 punto", "e5", 4)
			p.call("no_va_mas")
			p.call("cartas")
			var cards []int
			for _, k := range [][2]string{{"punto", "9h"}, {"banca", "9c"}, {"punto", "Kd"}, {"banca", "Qs"}} {
				cards = append(cards, p.card(k[0], k[1], false))
			}
			p.call("puntos", "zone", "punto", "points", 9.0)
			p.call("puntos", "zone", "banca", "points", 9.0)
			p.call("ganador", "winner", "empate")
			p.act(script.Act{Who: c.who, Lift: []int{stake}})
			p.wait(3)
			p.lift(cards...)
			r := only(t, perform(t, "punto_banco", nil, p))
			if got := codes(r); (c.code == "") != (len(got) == 0) || c.code != "" && !slices.Equal(got, []finding.Code{c.code}) {
				t.Fatalf("findings %v, want %q", got, c.code)
			}
			if c.code != "" && r.Findings[0].Alert != c.alert {
				t.Errorf("alert %v with p %.2f", r.Findings[0].Alert, r.Findings[0].P)
			}
		})
	}
}

// A winner's stake that goes unpaid is told by who took it: the croupier has
// collected it; the player who takes his own early was not paid, no more.
func TestWhoTookTheWinningStake(t *testing.T) {
	for name, c := range map[string]struct {
		who   script.Who
		codes []finding.Code
		alert bool
	}{
		"the croupier": {script.Croupier, []finding.Code{finding.CollectedWinner}, true},
		"the player":   {1, []finding.Code{finding.PayoutMissing}, true},
		"nobody knows": {script.Nobody, []finding.Code{finding.CollectedWinner}, true}, // with doubt: see oneMotion
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			stake := p.lay("seat:1 punto", "e5", 4)
			cards := p.naturalPunto()
			p.act(script.Act{Who: c.who, Lift: []int{stake}})
			p.wait(3)
			p.lift(cards...)
			r := only(t, perform(t, "punto_banco", nil, p))
			if got := codes(r); !slices.Equal(got, c.codes) {
				t.Fatalf("findings %v, want %v", got, c.codes)
			}
			if r.Findings[0].Alert != c.alert {
				t.Errorf("%s: alert %v with p %.2f", r.Findings[0].Code, r.Findings[0].Alert, r.Findings[0].P)
			}
		})
	}
}

// A losing stake that still lies there when the cards are gone was not collected if
// its owner alone reaches for it then.
func TestWhoTookTheLosingStake(t *testing.T) {
	for name, c := range map[string]struct {
		who   script.Who
		codes []finding.Code
	}{
		"the croupier": {script.Croupier, nil},
		"the player":   {1, []finding.Code{finding.LoserNotCollected}},
		"nobody knows": {script.Nobody, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			stake := p.lay("seat:1 banca", "e5", 4)
			cards := p.naturalPunto()
			p.wait(1)
			p.lift(cards...)
			p.wait(2)
			p.act(script.Act{Who: c.who, Lift: []int{stake}})
			p.wait(3)
			r := only(t, perform(t, "punto_banco", nil, p))
			if got := codes(r); !slices.Equal(got, c.codes) {
				t.Fatalf("findings %v, want %v", got, c.codes)
			}
		})
	}
}

// A card too many annuls the round: the players take up their stakes. What the house alone takes
// it has collected all the same, and that is told.
func TestWhoTookTheStakeOfAVoidRound(t *testing.T) {
	for name, c := range map[string]struct {
		who       script.Who
		collected money.Cents
	}{"the croupier": {script.Croupier, 3000}, "the player": {1, 0}, "nobody knows": {script.Nobody, 0}} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			ante := p.lay("seat:1 ante", "e5", 2)
			p.call("no_va_mas")
			var own, house []int
			for range drawFaces {
				own, house = append(own, p.card("seat:1", "??", true)), append(house, p.card("bank", "??", true))
			}
			second := p.lay("seat:1 second", "e5", 4)
			p.wait(1)
			p.turn("bank", drawBank, house...)
			p.wait(2)
			p.turn("seat:1", drawFaces, own...)
			p.wait(1)
			own = append(own, p.card("seat:1", "2s", false))
			p.wait(1)
			p.act(script.Act{Who: c.who, Lift: []int{ante, second}})
			p.wait(2)
			p.lift(slices.Concat(own, house)...)
			r := only(t, perform(t, "poker_sin_descarte", nil, p))
			var collected money.Cents
			for _, e := range r.Record.Events {
				if e.Type == round.Collect {
					collected += e.Amount
				}
			}
			settled := slices.Contains(codes(r), finding.VoidRoundSettled)
			if !r.Verdict.Void || collected != c.collected || settled != (c.collected > 0) {
				t.Errorf("void %v, collected %v, findings %v; want %v", r.Verdict.Void, collected, codes(r), c.collected)
			}
		})
	}
}
