package wheels_test

import (
	"testing"
)

// TestCalls covers section 1.6.
func TestCalls(t *testing.T) {
	const bo = "cantabria-2010 boule "
	open := "say jefe hagan_juego; "
	ask := "say croupier hechas_apuestas; "
	runRules(t, []ruleCase{
		{name: "closing call missing", setup: rfN + tab, events: "bet 1 rojo 500; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "announcement_missing @4"},
		{name: "closing call after the ball", setup: rfN + tab, events: "bet 1 rojo 500; ball 5; nvm; " + n5 + "; pay 1 rojo 500; clear",
			findings: "dealt_before_close @1"},
		{name: "closing call after the ball by the jefe", setup: rfN + tab, events: "bet 1 rojo 500; ball 5; nvm jefe; " + n5 + "; pay 1 rojo 500; clear",
			findings: "dealt_before_close @1; other_procedure @2"},
		{name: "closing call by the jefe", setup: rfN + tab, events: "bet 1 rojo 500; nvm jefe; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "other_procedure @1"},
		{name: "no result call", setup: rfN + tab, events: "bet 1 rojo 500; nvm; ball 5; pay 1 rojo 500; clear",
			findings: "announcement_missing @4"},
		{name: "no result call in an open record", setup: rfN + tab, events: "bet 1 rojo 500; nvm; ball 5; pay 1 rojo 500",
			findings: ""},
		{name: "result call after the first payment", setup: rfN + tab, events: "bet 1 rojo 500; nvm; ball 5; pay 1 rojo 500; " + n5 + "; clear",
			findings: "announcement_order @4"},
		{name: "wrong chance", setup: rfN + tab, events: "bet 1 rojo 500; nvm; ball 5; say croupier number number=5 color=rojo parity=par half=pasa; pay 1 rojo 500; clear",
			findings: "announcement_wrong impar/par @3"},
		{name: "wrong number, corrected", setup: rfN + tab, events: "bet 1 rojo 500; nvm; ball 5; " + n8 + "; " + n5 + "; pay 1 rojo 500; clear",
			findings: "announcement_wrong 5/8 @3"},
		{name: "a chance named on zero", setup: raN + tab, events: "nvm; ball 0; say croupier number number=0 color=rojo; clear",
			findings: "announcement_wrong null/rojo @2"},
		{name: "chance missing", setup: raN + tab, events: "nvm; ball 5; say croupier number number=5 color=rojo half=falta; clear",
			findings: "announcement_missing @2"},
		{name: "abreviada needs no chances", setup: rfA + `"table":{"min":100,"options":{"abreviada":true}}`, events: "nvm; ball 5; say croupier number number=5; clear",
			findings: ""},
		{name: "abreviada checks a named chance", setup: rfA + `"table":{"min":100,"options":{"abreviada":true}}`, events: "nvm; ball 5; say croupier number number=5 color=negro; clear",
			findings: "announcement_wrong rojo/negro @2"},
		{name: "boule in order", setup: bo + tab, events: open + "bet 1 rojo 500; " + ask + "nvm; ball 7; say croupier number number=7 color=rojo parity=impar half=pasa; pay 1 rojo 500; clear",
			findings: ""},
		{name: "boule asked after closing", setup: bo + tab, events: open + "bet 1 rojo 500; nvm; " + ask + "ball 7; say croupier number number=7 color=rojo parity=impar half=pasa; pay 1 rojo 500; clear",
			findings: "announcement_order @3"},
		{name: "boule asked before opening", setup: bo + tab, events: ask + open + "bet 1 rojo 500; nvm; ball 7; say croupier number number=7 color=rojo parity=impar half=pasa; pay 1 rojo 500; clear",
			findings: "announcement_order @0"},
		{name: "boule after a null throw opens no second time", setup: bo + tab, events: open + "bet 1 rojo 500; " + ask + "nvm; ball 3; say jefe null_throw; nvm; ball 7; say croupier number number=7 color=rojo parity=impar half=pasa; pay 1 rojo 500; clear",
			findings: ""},
		{name: "only null throws still close", setup: rfN + tab, events: "bet 1 rojo 500; ball 7; say jefe null_throw; clear",
			findings: "announcement_missing @3"},
	})
}
