package wheels_test

import (
	"testing"
)

// TestMoney covers section 1.7, line by line.
func TestMoney(t *testing.T) {
	play := func(events string) string {
		return "bet 1 rojo 500; bet 2 negro 400; nvm; ball 5; " + n5 + "; " + events
	}
	fix := "collect 2 negro 400; "
	runRules(t, []ruleCase{
		{name: "missing", setup: rfN + tab, events: play(fix + "clear"), findings: "payout_missing 1 rojo 500/0 @6"},
		{name: "missing in an open record", setup: rfN + tab, events: play(fix), findings: ""},
		{name: "under", setup: rfN + tab, events: play(fix + "pay 1 rojo 300; clear"), findings: "payout_under 1 rojo 500/300 @6"},
		{name: "over in two movements", setup: rfN + tab, events: play(fix + "pay 1 rojo 500; pay 1 rojo 100; clear"), findings: "payout_over 1 rojo 500/600 @7"},
		{name: "corrected in two movements", setup: rfN + tab, events: play(fix + "pay 1 rojo 300; pay 1 rojo 200; clear"), findings: ""},
		{name: "collected winner", setup: rfN + tab, events: play(fix + "collect 1 rojo 500; pay 1 rojo 500; clear"), findings: "collected_winner 1 rojo 0/500 @6"},
		{name: "loser not collected", setup: rfN + tab, events: play("pay 1 rojo 500; clear"), findings: "loser_not_collected 2 negro 400/0 @6"},
		{name: "loser partly collected", setup: rfN + tab, events: play("collect 2 negro 100; pay 1 rojo 500; clear"), findings: "loser_not_collected 2 negro 400/100 @5"},
		{name: "loser paid", setup: rfN + tab, events: play(fix + "pay 2 negro 400; pay 1 rojo 500; clear"), findings: "payout_to_loser 2 negro 0/400 @6"},
		{name: "nobody bet there", setup: rfN + tab, events: play(fix + "collect 3 par 50; pay 3 pleno:5 70; pay 1 rojo 500; clear"),
			findings: "other_procedure 3 par @6; payout_to_loser 3 pleno:5 0/70 @7"},
		{name: "half collected", setup: raN + tab, events: "bet 1 rojo 501; nvm; ball 0; " + n0 + "; collect 1 rojo 251; clear", findings: "", lines: "1 rojo half 0 250"},
		{name: "half collected and the rest returned", setup: raN + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; collect 1 rojo 500; return 1 rojo 250; clear", findings: ""},
		{name: "half returned wrongly", setup: raN + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; collect 1 rojo 500; return 1 rojo 200; clear", findings: "return_wrong 1 rojo 250/200 @5"},
		{name: "half not touched", setup: raN + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; clear", findings: "return_wrong 1 rojo 250/500 @4"},
		{name: "half paid", setup: raN + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; collect 1 rojo 250; pay 1 rojo 500; clear", findings: "payout_to_loser 1 rojo 0/500 @5"},
		{name: "not allowed and collected", setup: raC + tab, events: "bet 1 tercio 600; nvm; ball 0; " + n0 + "; collect 1 tercio 600; clear",
			findings: "bet_not_allowed 1 tercio @0; return_wrong 1 tercio 600/0 @4", lines: "1 tercio void 0 600"},
		{name: "not allowed and paid", setup: raC + tab, events: "bet 1 tercio 600; nvm; ball 0; " + n0 + "; pay 1 tercio 600; clear",
			findings: "bet_not_allowed 1 tercio @0; payout_to_loser 1 tercio 0/600 @4"},
	})
}

// TestOrder covers section 1.8.
func TestOrder(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "paid before collecting", setup: rfC + tab, events: "bet 1 rojo 500; bet 2 negro 400; nvm; ball 5; " + n5 + "; pay 1 rojo 500; collect 2 negro 400; clear",
			findings: "paid_before_collect @5"},
		{name: "one cloth has no order", setup: rfC + `"table":{"min":100,"options":{"panos":1}}`, events: "bet 1 rojo 500; bet 2 docena:1 400; nvm; ball 5; " + n5 + "; pay 1 rojo 500; pay 2 docena:1 800; clear",
			findings: ""},
		{name: "two cloths have", setup: rfC + tab, events: "bet 1 rojo 500; bet 2 docena:1 400; nvm; ball 5; " + n5 + "; pay 1 rojo 500; pay 2 docena:1 800; clear",
			findings: "payout_order_wrong @6"},
		{name: "inside a group there is none", setup: rfC + tab, events: "bet 1 rojo 500; bet 2 impar 400; bet 3 doble_docena:1-2 400; bet 3 columna:2 100; nvm; ball 5; " + n5 + "; pay 3 doble_docena:1-2 200; pay 3 columna:2 200; pay 2 impar 400; pay 1 rojo 500; clear",
			findings: ""},
		{name: "a player is paid at once", setup: raC + tab, events: "bet 1 columna:2 500; bet 1 pleno:5 100; bet 2 rojo 400; nvm; ball 5; " + n5 + "; pay 1 columna:2 1000; pay 1 pleno:5 3500; pay 2 rojo 400; clear",
			findings: ""},
		{name: "not in two runs", setup: raC + tab, events: "bet 1 columna:2 500; bet 1 pleno:5 100; bet 2 rojo 400; nvm; ball 5; " + n5 + "; pay 1 columna:2 1000; pay 2 rojo 400; pay 1 pleno:5 3500; clear",
			findings: "payout_order_wrong @8"},
		{name: "at the rank of his first", setup: raC + tab, events: "bet 1 columna:2 500; bet 1 pleno:5 100; bet 2 rojo 400; nvm; ball 5; " + n5 + "; pay 2 rojo 400; pay 1 columna:2 1000; pay 1 pleno:5 3500; clear",
			findings: "payout_order_wrong @7"},
	})
}
