package points_test

import (
	"testing"

	"vision/validate/finding"
)

// TestAsDealt: the round is settled on the cards as they lie (0.5), also where
// they are too few; what may be so is not held against the table (0.7).
func TestAsDealt(t *testing.T) {
	const one = `{"t":0,"type":"bet","seat":1,"spot":"punto","amount":500},
		{"t":1,"type":"announce","by":"croupier","call":"no_va_mas"},
		{"t":2,"type":"announce","by":"croupier","call":"cartas"},
		{"t":3,"type":"card","zone":"punto","card":"7s","face":"up"},
		{"t":4,"type":"card","zone":"banca","card":"9d","face":"up"},
		{"t":5,"type":"card","zone":"banca","card":"Qd","face":"up"},
		{"t":6,"type":"announce","by":"croupier","call":"ganador","winner":"banca"},
		{"t":7,"type":"collect","seat":1,"spot":"punto","amount":500}`
	v := judge(t, record(t, "balears-2005", "punto_banco", `{"id":"P","options":{"mesa":"midi"}}`, one))
	if s := v.Settlement[0]; s.Outcome != "lose" {
		t.Errorf("7 against 9: %s, want lose", s.Outcome)
	}
	for _, f := range v.Findings {
		if f.Code == finding.NotObservable {
			t.Error("every card was seen, yet", f.Code)
		}
	}

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
		v := judge(t, record(t, "andalucia-2010", "casino_monte", `{"id":"C"}`, boxes(card)))
		got := false
		for _, f := range v.Findings {
			got = got || f.Code == finding.PayoutOrderWrong
		}
		if got != want {
			t.Errorf("box 3 with %s after box 1: payout_order_wrong %v, want %v", card, got, want)
		}
	}
}
