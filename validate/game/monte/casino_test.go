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

// TestWhoIsDealtIn: a card goes to each box with a stake and to each that plays the
// revancha (I.1.12 V.7, V.13); one that goes elsewhere is dealt in the wrong place (0.5).
func TestWhoIsDealtIn(t *testing.T) {
	const setup = `andalucia-2010 casino_monte "table":{"min":100}`
	const first = "bet 1 inicial 500; nvm; card seat:1 9d; "
	for events, want := range map[string]string{
		first + "card bank Kh; collect 1 inicial 500":                                                                             "",
		first + "card seat:4 2s; card bank Kh; collect 1 inicial 500":                                                             "deal_order_wrong @3",
		first + "card bank Kh; card seat:4 2s; collect 1 inicial 500":                                                             "deal_order_wrong @4",
		first + "card bank 9h; act 1 surrender; card seat:1/revancha Qd; card bank/revancha 8c":                                   "deal_order_wrong @5",
		first + "card bank 9h; bet 1 revancha 500; burn; card seat:1/revancha Qd; card bank/revancha 8c":                          "",
		first + "card bank 9h; bet 1 revancha 500; burn; card seat:1/revancha Qd; card seat:2/revancha 2c; card bank/revancha 8c": "deal_order_wrong @7",
	} {
		v := rounds.Verdict(t, rounds.Script(t, setup, events))
		if got := rounds.Brief(v.Findings, rounds.Event); got != want {
			t.Errorf("%s: %q, want %q", events, got, want)
		}
	}
	rounds.Refused(t, rounds.Script(t, setup, "bet 10 otra 500; "+first+"card bank Kh"), "events[0].spot")
}

// TestRevanchaNeedsATie: only who has an initial bet in play that is tied goes to the
// revancha (I.1.12 II.3, V.11).
func TestRevanchaNeedsATie(t *testing.T) {
	const setup = `andalucia-2010 casino_monte "table":{"min":100}`
	const second = "burn; card seat:1/revancha Qd; card bank/revancha 8c; "
	for events, want := range map[string]string{
		"bet 1 inicial 500; nvm; card seat:1 9d; card bank 9h; bet 1 revancha 500; " + second + "pay 1 revancha 500":                         "",
		"bet 1 inicial 500; nvm; card seat:1 9d; card bank 9h; bet 3 revancha 500; collect 1 inicial 250; return 3 revancha 500":             "bet_not_allowed 3 -/500",
		"bet 2 inicial 500; nvm; bet 1 inicial 500; card seat:2 9d; card seat:1 9c; card bank 9h; bet 1 revancha 500; collect 2 inicial 250": "late_bet 1 -/500; deal_order_wrong; bet_not_allowed 1 -/500",
		"bet 1 inicial 500; nvm; card seat:1 9d; card bank 9h; bet 1 revancha 400; " + second + "pay 1 revancha 400":                         "raise_wrong 1 500/400",
		"bet 1 inicial 500; nvm; card seat:1 9d; card bank Kh; bet 1 revancha 500; collect 1 inicial 500":                                    "bet_not_allowed 1 -/500",
	} {
		v := rounds.Verdict(t, rounds.Script(t, setup, events))
		if got := rounds.Brief(v.Findings, rounds.Seat, rounds.Amounts); got != want {
			t.Errorf("%s: %q, want %q", events, got, want)
		}
	}
}
