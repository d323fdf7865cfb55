package wheels_test

import (
	"testing"
)

// TestThrows covers sections 1.1 to 1.3: throws, windows, null outcomes.
func TestThrows(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "window reopens after a null throw", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 8; incident ball_out; say jefe null_throw; bet 2 par 300; nvm; ball 5; " + n5 + "; collect 2 par 300; pay 1 rojo 500; clear",
			findings: "", lines: "1 rojo win 500 500; 2 par lose 0 0"},
		{name: "null call after the ball and before any movement is never disputed", setup: rfC + tab,
			events:   "bet 1 rojo 500; nvm; ball 8; say jefe null_throw; nvm; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "", lines: "1 rojo win 500 500"},
		{name: "null call after a movement is too late", setup: rfC + tab,
			events:   "bet 1 rojo 500; nvm; ball 5; " + n5 + "; pay 1 rojo 500; say jefe null_throw; clear",
			findings: ""},
		{name: "the option keeps the window shut", setup: rfN + `"table":{"min":100,"options":{"reclose_after_null":false}}`,
			events:   "bet 1 rojo 500; nvm; ball 8; say jefe null_throw; bet 2 par 300; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "late_bet 2 par -/300 @4", lines: "1 rojo win 500 500; 2 par void 0 300"},
		{name: "only null throws void a wheel", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 8; say jefe null_throw; clear",
			findings: "", lines: "1 rojo void 0 500", result: `{"null":true}`, next: "{}"},
		{name: "movements after only null throws", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 8; say jefe null_throw; collect 1 rojo 500; pay 1 rojo 20; clear",
			findings: "void_round_settled 1 rojo 0/520 @4"},
		{name: "a null ball counted", setup: rfB + tab,
			events:   "bet 1 rojo 500; nvm; incident foreign_object; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "null_ball_counted @3; void_round_settled 1 rojo 0/500 @5"},
		{name: "a call alone counts it", setup: rfB + tab,
			events:   "bet 1 rojo 500; nvm; incident foreign_object; ball 5; " + n5 + "; clear",
			findings: "null_ball_counted @3"},
		{name: "a null ball neither called nor counted", setup: rfA + tab,
			events:   "bet 1 rojo 500; nvm; incident ball_out; ball 8; nvm; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "announcement_missing @8"},
		{name: "a stake given back does not count a null ball", setup: rfA + tab,
			events:   "bet 1 rojo 500; nvm; incident ball_out; ball 8; return 1 rojo 500; clear",
			findings: "announcement_missing @5", lines: "1 rojo void 0 500"},
		{name: "null call by the croupier", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; incident ball_out; say croupier null_throw; nvm; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "other_procedure @3"},
		{name: "ball stuck is null in Cantabria only", setup: rfC + tab,
			events:   "bet 1 rojo 500; incident ball_stuck; say jefe null_throw; nvm; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: ""},
		{name: "no throw at all", setup: rfN + tab, events: "bet 1 rojo 500; bet 1 pleno:3 5; clear",
			findings: "not_observable @2", lines: "1 pleno:3 unknown 0 0; 1 rojo unknown 0 0"},
		{name: "low confidence of the ball", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 5; conf 0.4; collect 1 rojo 500; clear",
			findings: "not_observable @2", lines: "1 rojo unknown 0 0", result: "{}"},
		{name: "min_conf lowers the bar", setup: rfN + `"table":{"min":100,"options":{"min_conf":0.3}}`,
			events:   "bet 1 rojo 500; nvm; ball 5; conf 0.4; " + n5 + "; pay 1 rojo 500; clear",
			findings: ""},
		{name: "a second ball is ignored", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 5; " + n5 + "; ball 8; pay 1 rojo 500; clear",
			findings: "other_procedure @4"},
	})
}
