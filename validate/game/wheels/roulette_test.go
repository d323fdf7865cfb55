package wheels_test

import (
	"fmt"
	"strings"
	"testing"

	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/round"
)

// TestEveryClass: each class of bets of the French roulette wins on 5 by its own
// article (IV.1.A), paid in the order of the classes.
func TestEveryClass(t *testing.T) {
	bets := []struct {
		spot string
		pays int
	}{{"doble_columna:1-2", 50}, {"columna:2", 200}, {"docena:1", 200}, {"doble_docena:1-2", 50}, {"rojo", 100}, {"transversal:4-5-6", 1100}, {"seisena:4-9", 500},
		{"cuadro:5-6-8-9", 800}, {"caballo:5-6", 1700}, {"pleno:5", 3500}}
	laid, paid := "", ""
	for _, b := range bets {
		laid += fmt.Sprintf("bet 1 %s 100; ", b.spot)
		paid += fmt.Sprintf("pay 1 %s %d; ", b.spot, b.pays)
	}
	var cases []ruleCase
	for _, setup := range []string{rfN, rfB, rfA, rfC} {
		cases = append(cases, ruleCase{name: setup, setup: setup + tab, events: laid + "nvm; ball 5; " + n5 + "; " + paid + "clear"})
	}
	cases = append(cases, ruleCase{name: "the wheel of Cantabria below its minimum", setup: "cantabria-2010 ruleta_fortuna " + tab,
		events: "say croupier hagan_juego; bet 1 valor:5 50; say croupier hechas_apuestas; nvm; ball 5; say jefe combination combination=5; pay 1 valor:5 250; clear", findings: "bet_below_min 1 valor:5 100/50 @1"})
	runRules(t, cases)
}

// TestAbreviada: only a norm that has the table may set it up.
func TestAbreviada(t *testing.T) {
	rec := func(norm, value string) *round.Record {
		return rounds.Script(t, norm+` ruleta_francesa "table":{"min":100,"options":{"abreviada":`+value+`}}`, "bet 1 pleno:5 100; nvm; ball 5; clear")
	}
	for _, c := range []struct {
		norm, value string
		ok          bool
	}{{"andalucia-2010", "true", true}, {"andalucia-2010", "false", true}, {"nacional-1979", "false", true}, {"nacional-1979", "true", false}, {"cantabria-2010", "true", false}} {
		if _, err := validate.Check(books.Shipped(t), rec(c.norm, c.value)); (err == nil) != c.ok {
			t.Errorf("%s %s: %v", c.norm, c.value, err)
		}
	}
}

// TestPrison covers sections 2.3 and 2.4.
func TestPrison(t *testing.T) {
	carry := func(k int) string {
		return fmt.Sprintf(`%s"carry":{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":%d}]},%s`, rfC, k, tab)
	}
	two := rfC + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":3},{"seat":1,"spot":"rojo","stake":400,"zeros":1}]},` + tab
	runRules(t, []ruleCase{
		{name: "half inferred from the collect", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; collect 1 rojo 250; clear", lines: "1 rojo half 0 250", next: "{}"},
		{name: "prison inferred from nothing", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; clear", lines: "1 rojo prison 0 0",
			next: `{"prison":[{"seat":1,"spot":"rojo","stake":500,"zeros":1}]}`},
		{name: "prison said and collected", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; act 1 prison rojo; collect 1 rojo 250; clear", findings: "push_collected 1 rojo 0/250 @5"},
		{name: "the last choice counts", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; act 1 prison rojo; act 1 half rojo; collect 1 rojo 250; clear", lines: "1 rojo half 0 250"},
		{name: "a choice before the ball", setup: rfC + tab, events: "bet 1 rojo 500; nvm; act 1 half rojo; ball 0; " + n0 + "; clear", findings: "player_action_not_allowed 1 @2"},
		{name: "a choice on another number", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 5; " + n5 + "; act 1 half rojo; pay 1 rojo 500; clear", findings: "player_action_not_allowed 1 @4"},
		{name: "a choice without a stake", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; act 2 half par; clear", findings: "player_action_not_allowed 2 @4"},
		{name: "freed whole after one zero", setup: carry(1), events: "nvm; ball 5; " + n5 + "; clear", lines: "1 prison:rojo push 0 1000", next: "{}"},
		{name: "freed half after two", setup: carry(2), events: "nvm; ball 5; " + n5 + "; clear", lines: "1 prison:rojo push 0 500"},
		{name: "release k", setup: rfC + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":2}]},"table":{"min":100,"options":{"prison_release":"k"}}`, events: "nvm; ball 5; " + n5 + "; clear", lines: "1 prison:rojo push 0 250"},
		{name: "loses what is held", setup: carry(2), events: "nvm; ball 8; " + n8 + "; collect 1 prison:rojo 500; clear", lines: "1 prison:rojo lose 0 0"},
		{name: "half of a prisoner", setup: carry(1), events: "nvm; ball 0; " + n0 + "; act 1 half prison:rojo; collect 1 prison:rojo 750; clear", lines: "1 prison:rojo half 0 250", next: "{}"},
		{name: "stays, and the house takes its half", setup: carry(1), events: "nvm; ball 0; " + n0 + "; act 1 prison prison:rojo; collect 1 prison:rojo 500; clear", lines: "1 prison:rojo prison 0 0",
			next: `{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":2}]}`},
		{name: "stays, and the house takes more", setup: carry(1), events: "nvm; ball 0; " + n0 + "; act 1 prison prison:rojo; collect 1 prison:rojo 600; clear", findings: "push_collected 1 prison:rojo 500/600 @4"},
		{name: "below the minimum it must stay", setup: carry(3), events: "nvm; ball 0; " + n0 + "; act 1 half prison:rojo; clear", findings: "player_action_not_allowed 1 @3", lines: "1 prison:rojo prison 0 0"},
		{name: "by a quarter of a cent too", setup: rfC + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":399,"zeros":1}]},` + tab, events: "nvm; ball 0; " + n0 + "; act 1 half prison:rojo; clear",
			findings: "player_action_not_allowed 1 @3", lines: "1 prison:rojo prison 0 0"},
		{name: "at the minimum it may leave", setup: rfC + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":400,"zeros":1}]},` + tab, events: "nvm; ball 0; " + n0 + "; act 1 half prison:rojo; collect 1 prison:rojo 300; clear",
			lines: "1 prison:rojo half 0 100"},
		{name: "moves nowhere", setup: carry(1), events: "move 1 prison:rojo negro 1000; nvm; ball 8; " + n8 + "; collect 1 prison:rojo 1000; clear", findings: "late_bet 1 prison:rojo -/1000 @0", lines: "1 prison:rojo lose 0 0"},
		{name: "not as a correction either", setup: strings.Replace(carry(1), rfC, rfA, 1), events: "nvm; move 1 prison:rojo negro 1000; ball 8; " + n8 + "; collect 1 prison:rojo 1000; clear", findings: "late_bet 1 prison:rojo -/1000 @1", lines: "1 prison:rojo lose 0 0"},
		{name: "a fresh stake is apart", setup: carry(1), events: "bet 1 rojo 300; nvm; ball 5; " + n5 + "; pay 1 rojo 300; clear", lines: "1 prison:rojo push 0 1000; 1 rojo win 300 300"},
		{name: "two prisoners of one chance are freed", setup: two, events: "nvm; ball 5; " + n5 + "; clear", lines: "1 prison:rojo push 0 250; 1 prison:rojo push 0 400", next: "{}"},
		{name: "two prisoners of one chance lose", setup: two, events: "nvm; ball 8; " + n8 + "; collect 1 prison:rojo 600; clear", findings: "loser_not_collected 1 prison:rojo 650/600 @3"},
		{name: "two prisoners of one chance stay", setup: two, events: "nvm; ball 0; " + n0 + "; clear", lines: "1 prison:rojo prison 0 0; 1 prison:rojo prison 0 0",
			next: `{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":4},{"seat":1,"spot":"rojo","stake":400,"zeros":2}]}`},
		{name: "one of two prisoners is below the minimum", setup: two, events: "nvm; ball 0; " + n0 + "; act 1 half prison:rojo; collect 1 prison:rojo 300; clear",
			lines: "1 prison:rojo prison 0 0; 1 prison:rojo half 0 100", next: `{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":4}]}`},
		{name: "no prison at the American table, whatever falls", setup: raC + tab, events: "bet 1 par 500; nvm; ball ??; act 1 prison par; clear",
			findings: "not_observable @2; player_action_not_allowed 1 @3"},
		{name: "a choice that an unseen ball may have opened", setup: rfC + tab, events: "bet 1 par 500; nvm; ball ??; act 1 prison par; clear", findings: "not_observable @2"},
		{name: "prisoners outlive a void round", setup: carry(1), events: "nvm; ball 5; say jefe null_throw; clear", lines: "1 prison:rojo prison 0 0",
			next: `{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":1}]}`},
		{name: "the last spin gives back", setup: rfC + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":3}]},"table":{"min":100,"options":{"last_spin":true}}`,
			events: "bet 2 par 400; nvm; ball 0; " + n0 + "; return 1 prison:rojo 62; collect 2 par 200; clear", lines: "1 prison:rojo half 0 62; 2 par half 0 200", next: "{}"},
	})
}

// TestAnnouncedBets covers section 2.5, and what the double zero takes.
func TestAnnouncedBets(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "serie grande on the corner", setup: raB + tab, events: "bet 1 serie_grande 900; nvm; ball 29; say croupier number number=29 color=negro parity=impar half=pasa; pay 1 serie_grande 1600; collect 1 serie_grande 700; clear",
			lines: "1 serie_grande win 1600 200"},
		{name: "winning chips of an announced bet taken", setup: raB + tab, events: "bet 1 huerfanos 500; nvm; ball 17; say croupier number number=17 color=negro parity=impar half=falta; collect 1 huerfanos 400; pay 1 huerfanos 3400; clear",
			findings: "collected_winner 1 huerfanos 300/400 @4", lines: "1 huerfanos win 3400 200"},
		{name: "double zero halves on 00", setup: r00 + tab, events: "bet 1 rojo 100; nvm; ball 00; say croupier number number=00; collect 1 rojo 50; clear", lines: "1 rojo half 0 50"},
	})
}
