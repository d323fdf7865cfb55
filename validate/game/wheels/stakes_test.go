package wheels_test

import (
	"testing"
)

// TestLateChips covers section 1.4.
func TestLateChips(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "late bet given back in two movements", setup: rfN + tab,
			events:   "nvm; bet 1 rojo 500; return 1 rojo 200; withdraw 1 rojo 300; ball 5; " + n5 + "; clear",
			findings: "", lines: ""},
		{name: "given back after settling began is late", setup: rfN + tab,
			events:   "bet 2 rojo 100; nvm; bet 1 rojo 500; ball 5; " + n5 + "; pay 2 rojo 100; return 1 rojo 500; clear",
			findings: "late_bet 1 rojo -/500 @2", lines: "1 rojo void 0 500; 2 rojo win 100 100"},
		{name: "a payment on late chips", setup: rfN + tab,
			events:   "nvm; bet 1 rojo 500; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "late_bet 1 rojo -/500 @1; payout_to_loser 1 rojo 0/500 @4"},
		{name: "late chips collected with a losing stake", setup: rfN + tab,
			events:   "bet 1 negro 200; nvm; bet 1 negro 500; ball 5; " + n5 + "; collect 1 negro 700; clear",
			findings: "late_bet 1 negro -/500 @2", lines: "1 negro lose 0 0"},
		{name: "late withdrawal stays in play", setup: rfN + tab,
			events:   "bet 1 negro 500; nvm; withdraw 1 negro 200; ball 5; " + n5 + "; collect 1 negro 300; clear",
			findings: "late_withdrawal 1 negro -/200 @2", lines: "1 negro lose 0 0"},
		{name: "chips taken after the payment are the player's", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 5; " + n5 + "; pay 1 rojo 500; withdraw 1 rojo 1000; clear",
			findings: ""},
		{name: "accepted by croupier and jefe in Andalucía", setup: rfA + tab,
			events:   "say croupier accepted_bet seat=1 spot=rojo amount=500; say jefe accepted_bet seat=1 spot=rojo amount=500; nvm; bet 1 rojo 500; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "", lines: "1 rojo win 500 500"},
		{name: "no such exception in the norm of 1979", setup: rfN + tab,
			events:   "say croupier accepted_bet seat=1 spot=rojo amount=500; say jefe accepted_bet seat=1 spot=rojo amount=500; nvm; bet 1 rojo 500; ball 5; " + n5 + "; clear",
			findings: "late_bet 1 rojo -/500 @3"},
		{name: "a correction in Andalucía moves what is in play", setup: rfA + tab,
			events:   "bet 1 rojo 200; nvm; bet 1 rojo 500; move 1 rojo negro 700; bet 2 par 100; move 2 par impar 100; ball 8; " + n8 + "; pay 1 negro 200; clear",
			findings: "late_bet 1 rojo -/500 @2; late_bet 2 par -/100 @4", lines: "1 negro win 200 200; 1 rojo void 0 500; 2 par void 0 100"},
		{name: "what was accepted is one bet", setup: rfA + tab,
			events:   "say croupier accepted_bet seat=1 spot=rojo amount=500; say jefe accepted_bet seat=1 spot=rojo amount=500; nvm; bet 1 rojo 500; bet 1 rojo 500; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "late_bet 1 rojo -/500 @4", lines: "1 rojo win 500 500"},
		{name: "and spent when it was laid in time", setup: rfC + tab,
			events:   "say croupier accepted_bet seat=1 spot=rojo amount=500; say jefe accepted_bet seat=1 spot=rojo amount=500; bet 1 rojo 500; nvm; bet 1 rojo 500; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "late_bet 1 rojo -/500 @4", lines: "1 rojo win 500 500"},
		{name: "accepted with another amount", setup: rfC + tab,
			events:   "say croupier accepted_bet seat=1 spot=rojo amount=500; say jefe accepted_bet seat=1 spot=rojo amount=400; nvm; bet 1 rojo 500; ball 5; " + n5 + "; clear",
			findings: "late_bet 1 rojo -/500 @3"},
		{name: "a late move is no correction outside Andalucía", setup: rfC + tab,
			events:   "bet 1 rojo 500; nvm; move 1 rojo negro 500; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "late_bet 1 rojo -/500 @2", lines: "1 rojo win 500 500"},
		{name: "a move in time moves the stake", setup: rfC + tab,
			events:   "bet 1 rojo 500; move 1 rojo negro 500; nvm; ball 5; " + n5 + "; collect 1 negro 500; clear",
			findings: "", lines: "1 negro lose 0 0"},
		{name: "late chips returned in the window of the next throw", setup: rfN + tab,
			events:   "bet 1 rojo 300; nvm; bet 1 rojo 500; ball 8; say jefe null_throw; return 1 rojo 500; nvm; ball 5; " + n5 + "; pay 1 rojo 300; clear",
			findings: "", lines: "1 rojo win 300 300"},
		{name: "late chips taken back in the window of the next throw", setup: rfN + tab,
			events:   "bet 1 rojo 300; nvm; bet 1 negro 500; ball 8; say jefe null_throw; withdraw 1 negro 500; nvm; ball 5; " + n5 + "; pay 1 rojo 300; clear",
			findings: "", lines: "1 rojo win 300 300"},
		{name: "stake and late chips taken back together", setup: rfN + tab,
			events:   "bet 1 rojo 300; bet 2 rojo 100; nvm; bet 1 rojo 500; ball 8; say jefe null_throw; withdraw 1 rojo 800; nvm; ball 5; " + n5 + "; pay 2 rojo 100; clear",
			findings: "", lines: "2 rojo win 100 100"},
	})
}

// TestLimits covers sections 1.9 and 2.2.
func TestLimits(t *testing.T) {
	end := "; nvm; ball 0; " + n0
	runRules(t, []ruleCase{
		{name: "columna and docena 12 times a pleno", setup: rfN + tab, events: "bet 1 columna:1 36000; bet 1 docena:2 36001" + end, findings: "bet_above_max 1 docena:2 36000/36001 @1"},
		{name: "dobles 24 times", setup: raN + tab, events: "bet 1 doble_docena:1-2 48000; bet 1 doble_columna:1-2 48002" + end, findings: "bet_above_max 1 doble_columna:1-2 48000/48002 @1"},
		{name: "table max is the pleno's", setup: rfC + `"table":{"min":100,"max":1000}`, events: "bet 1 pleno:1 1000; bet 1 caballo:1-2 2001; bet 1 rojo 18000" + end, findings: "bet_above_max 1 caballo:1-2 2000/2001 @1"},
		{name: "several bets add up, at the last", setup: rfC + tab, events: "bet 1 pleno:1 1500; bet 2 pleno:1 2000; bet 1 pleno:1 600" + end, findings: "bet_above_max 1 pleno:1 2000/2100 @2"},
		{name: "below", setup: rfC + tab, events: "bet 1 pleno:1 50" + end, findings: "bet_below_min 1 pleno:1 100/50 @0"},
		{name: "nothing known, nothing checked", setup: rfC, events: "bet 1 pleno:1 5; bet 1 rojo 99999999" + end, findings: ""},
		{name: "announced bets by the chip", setup: raB + tab, events: "bet 1 tercio 599; bet 2 tercio 594; bet 3 vecinos:0 500; bet 4 huerfanos 15005" + end, findings: "bet_not_allowed 1 tercio @0; bet_below_min 2 tercio 100/99 @1; bet_above_max 4 huerfanos 3000/3001 @3"},
		{name: "nine chips of the great series", setup: raB + tab, events: "bet 1 serie_grande 891; bet 2 serie_grande 900; bet 3 serie_grande 27000; bet 4 serie_grande 27009" + end, findings: "bet_below_min 1 serie_grande 100/99 @0; bet_above_max 4 serie_grande 3000/3001 @3"},
		{name: "a chip above the table's maximum of a pleno", setup: raB + `"table":{"min":100,"max":1000}`, events: "bet 1 vecinos:5 5005" + end, findings: "bet_above_max 1 vecinos:5 1000/1001 @0"},
		{name: "cuadro especial as a cuadro", setup: r00 + tab, events: "bet 1 cuadro_especial 8001" + end, findings: "bet_above_max 1 cuadro_especial 8000/8001 @0"},
		{name: "zero bets of 1979 by option", setup: rfN + `"table":{"min":100,"options":{"combinaciones_cero":"ninguna"}}`, events: "bet 1 caballo:0-1 100; bet 1 cuadro:0-1-2-3 100" + end, findings: "bet_not_allowed 1 caballo:0-1 @0; bet_not_allowed 1 cuadro:0-1-2-3 @1"},
		{name: "zero bets of 1979, all", setup: rfN + `"table":{"min":100,"options":{"combinaciones_cero":"todas"}}`, events: "bet 1 caballo:0-1 100; bet 1 cuadro:0-1-2-3 100" + end, findings: ""},
		{name: "00 on a single zero", setup: rfN + tab, events: "bet 1 pleno:00 100; bet 1 caballo:0-00 100; bet 2 cuadro_especial 100" + end, findings: "bet_not_allowed 1 pleno:00 @0; bet_not_allowed 1 caballo:0-00 @1; bet_not_allowed 2 cuadro_especial @2"},
		{name: "a bet on a prisoner's spot", setup: rfN + tab, events: "bet 1 prison:rojo 100" + end, findings: "bet_not_allowed 1 prison:rojo @0"},
	})
}

// TestChipsOnNoBet: what lies on a spot that the norm does not have is the
// player's own, whenever he takes it.
func TestChipsOnNoBet(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "taken after the ball", setup: "andalucia-2010 ruleta_americana " + tab,
			events: "bet 1 vecinos:5 500; nvm; ball 5; " + n5 + "; withdraw 1 vecinos:5 500; clear", findings: "bet_not_allowed 1 vecinos:5 @0", lines: "1 vecinos:5 void 0 500"},
		{name: "taken after the closing call", setup: "andalucia-2010 ruleta_americana " + tab,
			events: "bet 1 vecinos:5 500; nvm; withdraw 1 vecinos:5 500; ball 5; " + n5 + "; clear", findings: "bet_not_allowed 1 vecinos:5 @0", lines: "1 vecinos:5 void 0 500"},
	})
}
