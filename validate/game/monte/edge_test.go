package monte_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vision/internal/testkit/edges"
)

// casinoFigures: with six packs a tie comes in 23 of 311 rounds; the second one
// depends on the rank of the first, whose cards are gone.
func casinoFigures(p edges.Player) map[string]float64 {
	const tie, again = 23. / 311, (22*21 + 12*24*23) / (310. * 309)
	start := "bet inicial; bet empate; say croupier no_va_mas; "
	high, low := start+"card seat:1 As; card bank Kd", start+"card seat:1 Qs; card bank Kd"
	equal := start + "card seat:1 Ks; card bank Kd; "
	more := equal + "bet revancha; burn; "
	on := func(own, bank string, spots ...string) float64 {
		return p.Wins(more+"card seat:1/revancha "+own+"; card bank/revancha "+bank, spots...)
	}
	apart := func(spot string) float64 { return (1 - tie) / 2 * (p.Wins(high, spot) + p.Wins(low, spot)) }
	both := []string{"inicial", "revancha"}
	return map[string]float64{
		"revancha": apart("inicial") + tie*((1-again)/2*(on("Ah", "Qd", both...)+on("Qh", "Ad", both...))+again*on("9h", "9d", both...)),
		"declines": apart("inicial") + tie*p.Wins(equal+"act 1 surrender", "inicial"),
		"empate":   apart("empate") + tie*p.Wins(equal+"act 1 surrender", "empate"),
	}
}

// spanish are the cards of the pack of forty but those laid.
func spanish(laid ...string) []string {
	var out []string
	for _, r := range "1234567SCR" {
		for _, s := range "OKEB" {
			if c := string([]rune{r, s}); !slices.Contains(laid, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// bancaFigures: four cards of different values lie there; of the 36 others twelve
// decide. Every order is gone through: the first card uncovered, the one that
// decides the Primeras, the one that decides the Segundas.
func bancaFigures(p edges.Player) map[string]float64 {
	laid := []string{"1O", "2O", "3O", "4O"}
	rest := spanish(laid...)
	var deciding, other []string
	for _, c := range rest {
		if strings.ContainsAny(c[:1], "1234") {
			deciding = append(deciding, c)
		} else {
			other = append(other, c)
		}
	}
	script := func(spot string, cards ...string) string {
		s := ""
		for k, c := range laid {
			s += fmt.Sprintf("say croupier %s_carta; card emplazado:%d %s; ", []string{"primera", "segunda", "tercera", "cuarta"}[k], k+1, c)
		}
		s += "say croupier hagan_juego; bet " + spot + "; say croupier no_va_mas; "
		for _, c := range cards {
			s += "card descubiertas " + c + "; "
		}
		return s
	}
	// last are the cards that may decide the Segundas after a winner.
	last := func(winner string) []string {
		var out []string
		for _, c := range deciding {
			if (c[0] <= '2') != (winner[0] <= '2') {
				out = append(out, c)
			}
		}
		return out
	}
	out := map[string]float64{}
	for _, spot := range []string{"vis:1", "camo:2", "anti:3", "viudo:4", "salto:1", "cartas:1-2", "cartas:1-3"} {
		sum := 0.0
		seconds := func(cards ...string) float64 {
			if !strings.HasPrefix(spot, "cartas:1-2") || cards[len(cards)-1][0] <= '2' {
				return p.Wins(script(spot, cards...), spot)
			}
			mean := 0.0
			for _, c := range last(cards[len(cards)-1]) {
				mean += p.Wins(script(spot, cards...)+"say croupier hagan_juego; say croupier no_va_mas; card descubiertas "+c, spot) / 6
			}
			return mean
		}
		for _, c := range deciding {
			sum += seconds(c)/36 + seconds(other[0], c)*24/36/12
		}
		out[spot] = sum
	}
	for _, spot := range []string{"s2/camo:3", "s2/cartas:3-4"} {
		mean := 0.0
		for _, c := range last("1K") {
			mean += p.Wins(strings.Replace(script("vis:1", "1K"), "bet vis:1; ", "", 1)+"say croupier hagan_juego; bet "+spot+"; say croupier no_va_mas; card descubiertas "+c, spot) / 6
		}
		out[spot] = mean
	}
	return out
}

// The figures of the games' mathematics.
var (
	casino = edges.Game{Code: "casino_monte", Figures: casinoFigures, Known: func(string) map[string]float64 {
		return map[string]float64{"revancha": -0.0233000, "declines": -23. / 622, "empate": -58. / 311} // 2.33, 3.70 and 18.65 %
	}}
	banca = edges.Game{Code: "monte_banca", Figures: bancaFigures, Known: func(string) map[string]float64 {
		return map[string]float64{"vis:1": -1. / 12, "camo:2": -11. / 360, "anti:3": -11. / 360, "viudo:4": -11. / 360, "salto:1": -1. / 40,
			"cartas:1-2": -1. / 120, "cartas:1-3": -1. / 120, "s2/camo:3": 0, "s2/cartas:3-4": 0}
	}}
)

func TestHouseEdges(t *testing.T) {
	casino.Compare(t)
	banca.Compare(t)
}

// TestHouseEdgesSeeEveryOdd mistypes each odd of the shipped rulebooks in turn.
func TestHouseEdgesSeeEveryOdd(t *testing.T) {
	casino.Mistyped(t)
	banca.Mistyped(t)
}
