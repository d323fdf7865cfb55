package wheels_test

import (
	"testing"
)

// TestThreeDice covers sections 8 and 9.
func TestThreeDice(t *testing.T) {
	const sb, bf = "cantabria-2010 sic_bo ", "cantabria-2010 banca_francesa_dados "
	runRules(t, []ruleCase{
		{name: "triple beats grande", setup: sb + tab, events: "bet 1 grande 100; bet 1 total:15 100; bet 1 unica:5 100; bet 1 doble:5 100; dice 5 5 5; collect 1 grande 100; pay 1 total:15 1800; pay 1 unica:5 300; pay 1 doble:5 1000; clear",
			lines: "1 doble:5 win 1000 100; 1 grande lose 0 0; 1 total:15 win 1800 100; 1 unica:5 win 300 100", result: `{"sum":15,"triple":true}`},
		{name: "closed by the call", setup: sb + tab, events: "nvm; bet 1 grande 100; dice 5 5 4; clear", findings: "late_bet 1 grande -/100 @1"},
		{name: "only null throws void", setup: sb + tab, events: "bet 1 grande 100; dice 5 5 4; say croupier null_throw; clear", lines: "1 grande void 0 100"},
		{name: "bets between undecided throws", setup: bf + tab, events: "bet 1 grande 200; dice 1 1 2; bet 2 pequeno 200; dice 1 2 3; say croupier chance winner=pequeno; collect 1 grande 200; pay 2 pequeno 200; clear",
			lines: "1 grande lose 0 0; 2 pequeno win 200 200", next: "{}"},
		{name: "undecided record", setup: bf + tab, events: "bet 1 grande 200; dice 1 1 2; clear", lines: "1 grande stay 0 0", next: `{"bets":[{"seat":1,"spot":"grande","amount":200}]}`, result: `{"chance":null,"sum":4}`},
		{name: "an unread throw that was thrown again", setup: bf + tab, events: "bet 1 grande 200; bet 2 pequeno 200; nvm; dice 0 1 2; dice 1 2 3; say croupier chance winner=pequeno; collect 1 grande 200; pay 2 pequeno 100; clear", findings: "payout_under 2 pequeno 200/100 @7", lines: "1 grande lose 0 0; 2 pequeno win 200 200"},
		{name: "an unread throw that was called", setup: bf + tab, events: "bet 1 grande 200; nvm; dice 0 1 2; say croupier chance winner=pequeno; dice 5 5 5; say croupier chance winner=grande; clear", findings: "not_observable @2; other_procedure @4"},
		{name: "an unread throw that was settled", setup: bf + tab, events: "bet 1 grande 200; nvm; dice 0 1 2; collect 1 grande 200; dice 5 5 5; clear", findings: "not_observable @2; other_procedure @4"},
		{name: "the last throw is unread", setup: bf + tab, events: "bet 1 grande 200; nvm; dice 1 1 2; dice 0 1 2; clear", findings: "not_observable @3"},
		{name: "a chance called on an undecided throw", setup: bf + tab, events: "bet 1 grande 200; dice 1 1 2; say croupier chance winner=pequeno; dice 5 5 5; say croupier chance winner=grande; pay 1 grande 200; clear", findings: "announcement_wrong null/pequeno @2"},
		{name: "line wins half", setup: bf + tab, events: "bet 1 grande_linea 300; bet 2 pequeno_linea 301; dice 5 5 5; say croupier chance winner=grande; collect 2 pequeno_linea 151; pay 1 grande_linea 150; clear", lines: "1 grande_linea win 150 300; 2 pequeno_linea half 0 150"},
		{name: "limits", setup: bf + tab, events: "bet 1 ases 601; bet 2 grande_linea 199; bet 3 grande 20001; bet 4 pequeno_linea 40000; dice 1 1 2", findings: "bet_above_max 1 ases 600/601 @0; bet_below_min 2 grande_linea 200/199 @1; bet_above_max 3 grande 20000/20001 @2"},
		{name: "touched before the call, nobody loses", setup: bf + tab, events: "bet 1 grande 200; bet 2 pequeno 200; dice 5 5 5; incident dice_touched; pay 1 grande 200; clear", findings: "announcement_missing @5", lines: "1 grande win 200 200; 2 pequeno push 0 200"},
		{name: "ases first", setup: bf + tab, events: "bet 1 ases 200; bet 2 pequeno 200; dice 5 5 5; say croupier chance winner=grande; collect 2 pequeno 200; collect 1 ases 200; clear", findings: "other_procedure @5"},
	})
}
