package script

import "testing"

// A planted fault comes once, soon, and never in the first round.
func TestAFaultIsPlanted(t *testing.T) {
	for _, game := range []string{"blackjack", "punto_banco", "dados_craps", "ruleta_francesa"} {
		g := newGame(t, Config{Game: game, Seed: 1, Plant: PayUnder})
		at := 0
		for n := 1; n <= 30; n++ {
			f := g.Next().Truth.Fault
			switch {
			case f == "":
			case at > 0 || f != PayUnder || n == 1:
				t.Errorf("%s: %s in round %d, planted in %d before", game, f, n, at)
			default:
				at = n
			}
		}
		if at == 0 || at > 12 {
			t.Errorf("%s: planted in round %d", game, at)
		}
	}
	if _, err := New(Config{Game: "blackjack", Plant: "steal"}); err == nil {
		t.Error("an unknown fault is planted")
	}
}
