package monte_test

import (
	"testing"

	"vision/internal/testkit/rounds"
	"vision/validate/finding"
)

// TestAsDealt: what may be so is not held against the table (0.7).
func TestAsDealt(t *testing.T) {
	boxes := func(card string) string {
		return `{"t":0,"type":"bet","seat":1,"spot":"inicial","amount":500},
		{"t":1,"type":"bet","seat":3,"spot":"inicial","amount":700},
		{"t":2,"type":"announce","by":"croupier","call":"no_va_mas"},
		{"t":3,"type":"card","zone":"seat:1","card":"3d","face":"up"},
		{"t":4,"type":"card","zone":"seat:3","card":"` + card + `","face":"up"},
		{"t":5,"type":"card","zone":"bank","card":"Kh","face":"up"},
		{"t":6,"type":"collect","seat":1,"spot":"inicial","amount":500},
		{"t":7,"type":"collect","seat":3,"spot":"inicial","amount":700}`
	}
	for card, want := range map[string]bool{"2s": true, "??": false} { // an unseen card may tie: its box comes second
		v := rounds.Cited(t, rounds.Of(t, "andalucia-2010", "casino_monte", `{"id":"C"}`, boxes(card)))
		got := false
		for _, f := range v.Findings {
			got = got || f.Code == finding.PayoutOrderWrong
		}
		if got != want {
			t.Errorf("box 3 with %s after box 1: payout_order_wrong %v, want %v", card, got, want)
		}
	}
}
