package wheels_test

import (
	"testing"
)

// TestCraps covers section 5.
func TestCraps(t *testing.T) {
	const table = `"table":{"min":100,"max":10000}`
	cr := func(norm, carry string) string {
		if carry != "" {
			carry = `"carry":` + carry + ","
		}
		return norm + " dados_craps " + carry + table
	}
	const N, B, A, C = "nacional-1979", "balears-2005", "andalucia-2010", "cantabria-2010"
	six := `{"point":6,"bets":[{"seat":1,"spot":"win","amount":1000},{"seat":2,"spot":"dont_win","amount":900}]}`
	runRules(t, []ruleCase{
		{name: "come-out natural", setup: cr(C, ""), events: "bet 1 win 1000; bet 2 dont_win 900; nvm stickman; dice 6 5; pay 1 win 1000; collect 2 dont_win 900; clear",
			lines: "1 win win 1000 1000; 2 dont_win lose 0 0", next: `{"point":0,"bets":[]}`, result: `{"decision":"natural","hard":false,"sum":11}`},
		{name: "come-out twelve", setup: cr(C, ""), events: "bet 1 win 1000; bet 2 dont_win 900; nvm; dice 6 6; collect 1 win 1000; clear",
			lines: "1 win lose 0 0; 2 dont_win push 0 900", result: `{"decision":"craps","hard":true,"sum":12}`},
		{name: "point made", setup: cr(C, six), events: "nvm; dice 4 2; pay 1 win 1000; collect 2 dont_win 900; clear", lines: "1 win win 1000 1000; 2 dont_win lose 0 0", next: `{"point":0,"bets":[]}`},
		{name: "nothing decided", setup: cr(C, six), events: "nvm; dice 4 1; clear", lines: "1 win stay 0 0; 2 dont_win stay 0 0", next: six},
		{name: "staying bet paid and collected", setup: cr(C, six), events: "nvm; dice 4 1; pay 1 win 10; collect 2 dont_win 20; clear", findings: "push_paid 1 win 0/10 @2; push_collected 2 dont_win 0/20 @3"},
		{name: "come on the point's own number moves", setup: cr(C, six), events: "bet 3 come 500; nvm; dice 4 2; pay 1 win 1000; collect 2 dont_win 900; move 3 come come:6 500; clear", next: `{"point":0,"bets":[{"seat":3,"spot":"come:6","amount":500}]}`},
		{name: "come moved to another box", setup: cr(C, six), events: "bet 3 come 500; nvm; dice 4 4; move 3 come come:9 500; clear", findings: "other_procedure 3 come @3"},
		{name: "box bets come from the carry only", setup: cr(C, six), events: "bet 3 come:8 500; bet 4 odds_come:8 500; nvm; dice 4 4; clear", findings: "bet_not_allowed 3 come:8 @0; bet_not_allowed 4 odds_come:8 @1"},
		{name: "adding to a carried win", setup: cr(C, six), events: "bet 1 win 500; nvm; dice 4 1; clear", findings: "bet_not_allowed 1 win @0", lines: "1 win stay 0 0; 2 dont_win stay 0 0", next: six},
		{name: "odds limits", setup: cr(C, six), events: "bet 1 odds_win 1001; bet 2 odds_dont_win 1080; nvm; dice 4 1; clear", findings: "bet_above_max 1 odds_win 1000/1001 @0"},
		{name: "gain limit of the multiples", setup: cr(C, ""), events: "bet 1 juego:11 2001; bet 1 hard:8 3333; bet 1 horn 7501; nvm; dice 4 1; collect 1 juego:11 2001; collect 1 horn 7501; clear", findings: "bet_above_max 1 juego:11 2000/2001 @0; bet_above_max 1 horn 7500/7501 @2"},
		{name: "wrong bet limits", setup: cr(C, ""), events: "bet 1 place_wrong:6 12501; bet 1 place_wrong:9 16000; nvm; dice 4 1; clear", findings: "bet_above_max 1 place_wrong:6 12500/12501 @0"},
		{name: "hard way the easy way", setup: cr(C, ""), events: "bet 1 hard:6 100; nvm; dice 4 2; collect 1 hard:6 100; clear", lines: "1 hard:6 lose 0 0"},
		{name: "juego 7 of 1979 as the house has it", setup: N + ` dados_craps "table":{"min":100,"max":10000,"options":{"juego_7_pays":4}}`, events: "bet 1 juego:7 100; nvm; dice 4 3; pay 1 juego:7 400; clear", lines: "1 juego:7 win 400 100"},
		{name: "one wall is valid in the Balears", setup: cr(B, ""), events: "bet 1 field 100; nvm; dice 4 5 one_wall; pay 1 field 100; clear", lines: "1 field win 100 100"},
		{name: "no wall is null in Cantabria", setup: cr(C, ""), events: "bet 1 field 100; nvm; dice 4 5 no_wall; say stickman null_throw; nvm; dice 4 4; collect 1 field 100; clear", lines: "1 field lose 0 0"},
		{name: "three dice", setup: cr(A, ""), events: "bet 1 field 100; nvm; dice 4 5 1; pay 1 field 100; clear", findings: "dice_count_wrong 2/3 @2; void_round_settled 1 field 0/100 @3", next: `{"point":0,"bets":[{"seat":1,"spot":"field","amount":100}]}`},
		{name: "shooter without a line bet, and another than before", setup: cr(A, `{"point":6,"bets":[{"seat":1,"spot":"win","amount":1000}],"shooter":2}`), events: "act 1 shoot; nvm; dice 4 1; clear", findings: "other_procedure 1 @0", next: `{"point":6,"bets":[{"seat":1,"spot":"win","amount":1000}],"shooter":1}`},
		{name: "seven-out passes the dice", setup: cr(A, six), events: "nvm; dice 4 3; collect 1 win 1000; pay 2 dont_win 900; clear", next: `{"point":0,"bets":[],"shooter":0}`},
		{name: "dice changed in the series by the player", setup: cr(A, six), events: "incident dice_changed player; nvm; dice 4 1; clear", findings: "other_procedure @0"},
		{name: "dice changed after one was lost", setup: cr(A, six), events: "nvm; dice 4 1 off_table; say stickman null_throw; incident dice_changed player; nvm; dice 4 1; clear"},
		{name: "or one was seen to leave the table", setup: cr(A, six), events: "nvm; incident off_table; dice 4 1; say stickman null_throw; incident dice_changed player; nvm; dice 4 1; clear"},
		{name: "null call by the croupier at a reduced table", setup: B + ` dados_craps "table":{"min":100,"options":{"reduced":true}}`, events: "nvm; dice 4 1 off_table; say croupier null_throw; nvm; dice 4 1; clear"},
		{name: "nor after a throw that leaves it", setup: cr(A, six), events: "nvm; dice 4 1; withdraw 1 win 400; clear", findings: "player_action_not_allowed 1 win @2", next: six},
		{name: "but once it is won", setup: cr(A, six), events: "nvm; dice 4 2; collect 2 dont_win 900; pay 1 win 1000; withdraw 1 win 2000; clear"},
		{name: "carried chips are exempt from the limits", setup: cr(A, `{"point":6,"bets":[{"seat":1,"spot":"place:4","amount":50}]}`), events: "bet 1 place:4 200; withdraw 1 place:4 200; nvm; dice 4 1; clear", lines: "1 place:4 stay 0 0"},
		{name: "what is added to them is not", setup: cr(A, `{"point":6,"bets":[{"seat":1,"spot":"place:4","amount":50}]}`), events: "bet 1 place:4 20; nvm; dice 4 1; clear", findings: "bet_below_min 1 place:4 100/70 @0"},
		{name: "a win bet may not be taken back", setup: cr(A, six), events: "withdraw 1 win 400; nvm; dice 4 3; collect 1 win 600; pay 2 dont_win 900; clear", findings: "player_action_not_allowed 1 win @0"},
		{name: "nor moved to another bet", setup: cr(A, six), events: "move 1 win field 1000; nvm; dice 4 1; collect 1 win 1; clear", findings: "player_action_not_allowed 1 win @0; push_collected 1 win 0/1 @3",
			lines: "1 win stay 0 0; 2 dont_win stay 0 0", next: six},
		{name: "a bet against the point may be", setup: cr(A, six), events: "move 2 dont_win field 900; nvm; dice 4 1; collect 2 field 900; clear", lines: "1 win stay 0 0; 2 field lose 0 0"},
	})
}
