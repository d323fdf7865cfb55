package wheels_test

import (
	"testing"

	"vision/internal/testkit/rounds"
	"vision/validate/finding"
)

// TestBingo covers section 10.
func TestBingo(t *testing.T) {
	b := func(n string) string { return "ball " + n + "; say croupier number number=" + n + "; " }
	runRules(t, []ruleCase{
		{name: "same ball twice", setup: "nacional-1979 bingo", events: b("3") + b("3") + "clear", findings: "other_procedure @2", result: `{"balls":1}`},
		{name: "ball not called", setup: "cantabria-2010 bingo", events: "ball 3; " + b("4") + "clear", findings: "announcement_missing @3"},
		{name: "a correction in 1979 mends nothing", setup: "nacional-1979 bingo", events: "ball 3; say croupier number number=13; say croupier number number=3; clear", findings: "announcement_wrong 3/13 @1"},
		{name: "a correction in Cantabria does", setup: "cantabria-2010 bingo", events: "ball 3; say croupier number number=13; say croupier number number=3; clear"},
		{name: "a good line refused", setup: "cantabria-2010 bingo", events: b("1") + b("2") + b("3") + b("4") + b("5") + "say player claim seat=4 prize=linea numbers=1,2,3,4,5; say jefe claim_result seat=4 prize=linea ok=false; clear", findings: "announcement_wrong 4 true/false @11"},
	})
}

// TestBingoByReference: the Balears have bingo by reference, and a ball drawn
// twice is found under the three articles.
func TestBingoByReference(t *testing.T) {
	rounds.FindsUnder(t, rounds.Parse(t, `{"schema":"round/1","id":"a","norm":"balears-2005","game":"bingo","table":{"id":"T"},"events":[
		{"t":0,"type":"ball","pocket":"7"},{"t":1,"type":"announce","by":"croupier","call":"number","number":"7"},{"t":2,"type":"ball","pocket":"7"}]}`),
		finding.OtherProcedure, "balears-2005 45-47")
}
