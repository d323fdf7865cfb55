package blackjack_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"vision/internal/testkit/edges"
	"vision/validate/game/points"
)

// figures: the whole game from packs without end; from six packs the insurance
// with nothing but the ace known, the price of a blackjack among all rounds, the
// side bets on sevens.
func figures(p edges.Player) map[string]float64 {
	const natural = 2 * 24 * 96 / (312. * 311)
	const met = 2 * 23 * 95 / (310. * 309)
	insured := "bet main; card seat:1 9s; card bank Ad; bet seguro 5500; card seat:1 9d; card bank %s; card bank Kh"
	yes, no := strings.TrimSuffix(fmt.Sprintf(insured, "Kd"), "; card bank Kh"), fmt.Sprintf(insured, "5d")
	hand := "bet main; card seat:1 %s; card bank %s; card seat:1 Kd; card bank %s; card bank Qc"
	won := fmt.Sprintf(hand, "As", "6d", "5d")
	out := map[string]float64{
		"seguro":  2 * (96*p.Wins(yes, "seguro") + 215*p.Wins(no, "seguro")) / 311,
		"natural": natural * ((1-met)*p.Wins(won, "main") + met*p.Wins(strings.TrimSuffix(fmt.Sprintf(hand, "As", "Kh", "Ad"), "; card bank Qc"), "main")),
		"main":    p.Wins(fmt.Sprintf(hand, "Qs", "6d", "3d"), "main"),
		"whole":   termsOf(p).whole(),
	}
	r := p.Rules().(*points.Rules).Blackjack
	if r.Pays.EvenMoney.Den > 0 {
		out["even money"] = p.Wins("bet main; card seat:1 As; card bank Ah; card seat:1 Ks; act 1 even_money; card bank Kc", "main")
	}
	if r.ThreeSevens {
		out["three sevens"] = p.Wins("bet main; card seat:1 7s; card bank 9h; card seat:1 7d; card seat:1 7h; card bank 8c", "main")
	}
	if len(r.SidePays) > 0 {
		back := 0.0
		for k, times := range r.SidePays {
			back += sideHits()[k] * float64(times+1)
		}
		out["side"] = back - 1
	}
	return out
}

// sideHits are the exact probabilities that the highest combination of the
// first three cards of six packs is each of the sevens' (24 sevens, 6 a suit).
func sideHits() map[string]float64 {
	const n, s, suit = 312.0, 24.0, 6.0
	two := s * (suit - 1) / (n * (n - 1))
	twoAny := s * (s - 1) / (n * (n - 1))
	three := s * (s - 1) * (s - 2) / (n * (n - 1) * (n - 2))
	threeS := s * (suit - 1) * (suit - 2) / (n * (n - 1) * (n - 2))
	twoThen := two * (s - 2) / (n - 2) // first two of a suit, then any seven
	return map[string]float64{
		"777s": threeS, "777": three - threeS,
		"77s": two - twoThen, "77": twoAny - two - (three - twoThen), "7": s/n - twoAny,
	}
}

// The combinations of sevens add up to the first card being one.
func TestSideHits(t *testing.T) {
	total := 0.0
	for _, p := range sideHits() {
		total += p
	}
	if math.Abs(total-24.0/312) > 1e-12 {
		t.Fatalf("combinations add up to %g", total)
	}
}

// known are the figures of the game's mathematics. Those of the whole game are under the
// best play; no book prints them for these rules, the method is held against the books by
// TestBlackjackAgainstTextbooks.
func known(norm string) map[string]float64 {
	k := map[string]float64{"seguro": -23. / 311, "natural": 1.5 * 0.0474895 * (1 - 0.0456207), "main": 1}
	if norm != "nacional-1979" {
		k["even money"] = 1
	}
	k["whole"] = map[string]float64{"nacional-1979": -0.006389097, "balears-2005": -0.002846156, "andalucia-2010": -0.005498962, "cantabria-2010": -0.002624737}[norm]
	switch norm {
	case "andalucia-2010":
		k["side"] = -0.4989300
	case "cantabria-2010":
		k["side"], k["three sevens"] = -0.5244600, 2
	}
	return k
}

var game = edges.Game{Code: "blackjack", Figures: figures, Known: known}

func TestHouseEdges(t *testing.T) { game.Compare(t) }

// TestHouseEdgesSeeEveryOdd mistypes each odd of the shipped rulebooks in turn.
func TestHouseEdgesSeeEveryOdd(t *testing.T) {
	game.Mistyped(t)
}
