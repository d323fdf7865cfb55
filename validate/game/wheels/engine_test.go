package wheels_test

import (
	"strings"
	"testing"

	"vision/internal/testkit/rounds"
)

// TestMalformed covers section 1.11.
func TestMalformed(t *testing.T) {
	for _, c := range []struct{ name, setup, events, path string }{
		{"pocket", rfN, "ball 37", "events[0].pocket"},
		{"double zero", raN, "ball 00", "events[0].pocket"},
		{"pleno", rfN, "bet 1 pleno:41 5", "events[0].spot"},
		{"caballo", rfN, "bet 1 caballo:1-9 5", "events[0].spot"},
		{"transversal", rfN, "bet 1 transversal:2-3-4 5", "events[0].spot"},
		{"doble columna", rfN, "bet 1 doble_columna:1-3 5", "events[0].spot"},
		{"dice at a wheel", rfN, "dice 1 2", "events[0].type"},
		{"call of another game", rfN, "say croupier total points=3", "events[0].call"},
		{"call without number", rfN, "say croupier number", "events[0].number"},
		{"option of another game", rfN + `"table":{"options":{"place_8":true}}`, "ball 5", "table.options.place_8"},
		{"option value", rfN + `"table":{"options":{"panos":3}}`, "ball 5", "table.options.panos"},
		{"max_level has no place in 1979", rfN + `"table":{"options":{"max_level":2}}`, "ball 5", "table.options.max_level"},
		{"min_simples above five times", rfB + `"table":{"min":100,"options":{"min_simples":501}}`, "ball 5", "table.options.min_simples"},
		{"withdrawn more than laid", rfN, "bet 1 rojo 5; withdraw 1 rojo 6; ball 5", "events[1].amount"},
		{"prison without prison", raN + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":5,"zeros":1}]}`, "ball 5", "carry.prison"},
		{"more zeros than can be counted", rfN + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":5,"zeros":10000}]}`, "ball 0", "carry.prison"},
		{"carry of another game", rfN + `"carry":{"point":6}`, "ball 5", "carry"},
		{"point seven", "nacional-1979 dados_craps " + `"carry":{"point":7}`, "dice 1 2", "carry.point"},
		{"odds carried without a point", "nacional-1979 dados_craps " + `"carry":{"point":0,"bets":[{"seat":1,"spot":"odds_dont_win","amount":5}]}`, "dice 3 4", "carry.bets[0].spot"},
		{"carried nothing", "nacional-1979 dados_craps " + `"carry":{"point":6,"bets":[{"seat":1,"spot":"win","amount":0}]}`, "dice 1 2", "carry.bets[0]"},
		{"come carried to the come-out", "nacional-1979 dados_craps " + `"carry":{"point":0,"bets":[{"seat":1,"spot":"come","amount":5}]}`, "dice 3 4", "carry.bets[0].spot"},
		{"cards at a wheel", rfN, "ball 5; card bank As", "events[1].type"},
		{"cards at dice", "cantabria-2010 sic_bo ", "burn 1; dice 1 2 3", "events[0].type"},
		{"a sum written with a sign", `cantabria-2010 sic_bo "table":{"options":{"pay_table":{"total":{"+4":50}}}}`, "dice 1 2 3", "table.options.pay_table.total"},
		{"cards at bingo", "cantabria-2010 bingo ", "ball 5; burn 1", "events[1].type"},
		{"a number that is none", rfN, "ball 5; say croupier number number=cinco", "events[1].number"},
		{"bingo ball", "nacional-1979 bingo", "ball 91", "events[0].pocket"},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			rounds.Refused(t, rounds.Script(t, c.setup, c.events), c.path)
		})
	}
}
