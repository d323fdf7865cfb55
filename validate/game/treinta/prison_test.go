package treinta_test

import (
	"testing"

	"vision/internal/testkit/rounds"
)

// TestTwoPrisonersOfOneChance: a player whose stake is in prison bets on the same
// chance again, and the rows tie at 31 once more: both are held (V.1.b), and what
// is taken or given back on that spot is that of both.
func TestTwoPrisonersOfOneChance(t *testing.T) {
	const (
		negro = "card negro Ts; card negro Td; card negro Ah; card negro Kd; " // 31
		loses = negro + "card rojo Ts; card rojo Kd; card rojo 8c; card rojo Qd; say croupier puntos zone=negro points=31; " +
			"say croupier puntos zone=rojo points=38; say croupier suertes winner=negro color=color; "
		ties = negro + "card rojo Ts; card rojo Kd; card rojo Ac; card rojo Qd; say croupier puntos zone=negro points=31; " +
			"say croupier puntos zone=rojo points=31; "
	)
	for _, norm := range rounds.Norms {
		for _, c := range []struct{ what, spot, events, findings string }{
			{"both lost and collected", "rojo", loses + "collect 1 prison:rojo 6000; clear", ""},
			{"one of them left", "rojo", loses + "collect 1 prison:rojo 4000; clear", "loser_not_collected 1 prison:rojo 6000/4000 @11"},
			{"more than both", "rojo", loses + "collect 1 prison:rojo 6001; clear", "return_wrong 1 prison:rojo 0/-1 @11"},
			{"freed: half of the first is lost", "negro", loses + "collect 1 prison:negro 2000; clear", ""},
			{"freed: its half given back", "negro", loses + "return 1 prison:negro 2000; clear", ""},
			{"freed: both given back", "negro", loses + "return 1 prison:negro 4000; clear", ""},
			{"freed: too little given back", "negro", loses + "return 1 prison:negro 3999; clear", "return_wrong 1 prison:negro 4000/3999 @11"},
			{"freed: too much taken", "negro", loses + "collect 1 prison:negro 2001; clear", "return_wrong 1 prison:negro 2000/1999 @11"},
			{"a third tie, and nothing moves", "negro", ties + "clear", "return_wrong 1 prison:negro 1000/6000 @10"},
			{"a third tie: what is left given back", "negro", ties + "return 1 prison:negro 1000; clear", ""},
		} {
			setup := norm + ` treinta_cuarenta "table":{"min":500},"carry":{"prison":[{"seat":1,"spot":"` + c.spot +
				`","stake":4000,"k":2},{"seat":1,"spot":"` + c.spot + `","stake":2000,"k":1}]}`
			v := rounds.Cited(t, rounds.Script(t, setup, c.events))
			if len(v.Settlement) != 2 {
				t.Errorf("%s, %s: %d settlements, want one of each stake", norm, c.what, len(v.Settlement))
			}
			if got := rounds.Full(v.Findings); got != c.findings {
				t.Errorf("%s, %s:\n got %s\nwant %s", norm, c.what, got, c.findings)
			}
		}
	}
}
