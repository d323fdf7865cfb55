package baccarat_test

import (
	"fmt"
	"strings"
	"testing"

	"vision/internal/testkit/rounds"
	"vision/validate/finding"
)

// TestAsDealt: the round is settled on the cards as they lie (0.5), also where
// they are too few.
func TestAsDealt(t *testing.T) {
	const one = `{"t":0,"type":"bet","seat":1,"spot":"punto","amount":500},
		{"t":1,"type":"announce","by":"croupier","call":"no_va_mas"},
		{"t":2,"type":"announce","by":"croupier","call":"cartas"},
		{"t":3,"type":"card","zone":"punto","card":"7s","face":"up"},
		{"t":4,"type":"card","zone":"banca","card":"9d","face":"up"},
		{"t":5,"type":"card","zone":"banca","card":"Qd","face":"up"},
		{"t":6,"type":"announce","by":"croupier","call":"ganador","winner":"banca"},
		{"t":7,"type":"collect","seat":1,"spot":"punto","amount":500}`
	v := rounds.Cited(t, rounds.Of(t, "balears-2005", "punto_banco", `{"id":"P","options":{"mesa":"midi"}}`, one))
	if s := v.Settlement[0]; s.Outcome != "lose" {
		t.Errorf("7 against 9: %s, want lose", s.Outcome)
	}
	for _, f := range v.Findings {
		if f.Code == finding.NotObservable {
			t.Error("every card was seen, yet", f.Code)
		}
	}
}

// TestMultiples: where the house plays by multiples of the minimum every bet is one, that
// on the tie too (V: «que las apuestas sean múltiplos del mínimo de la mesa»).
func TestMultiples(t *testing.T) {
	const played = `say croupier no_va_mas; say croupier cartas; card punto 7s; card banca 9d; card punto Kd; card banca Qd;
		say croupier puntos zone=punto points=7; say croupier puntos zone=banca points=9; say croupier ganador winner=banca; `
	for _, norm := range rounds.Norms {
		for option, want := range map[string]string{"true": "bet_not_allowed 1 punto -/750", "false": ""} {
			setup := norm + ` punto_banco "table":{"min":500,"options":{"multiplos":` + option + `}}`
			v := rounds.Verdict(t, rounds.Script(t, setup, "bet 1 punto 750; bet 2 punto 1000; "+played+"collect 1 punto 750; collect 2 punto 1000"))
			if got := rounds.Full(v.Findings); !strings.HasPrefix(got, want) || want == "" && strings.Contains(got, "bet_not_allowed") {
				t.Errorf("%s, multiplos %s: %s, want %q", norm, option, got, want)
			}
			if s := v.Settlement[0]; s.Outcome != "lose" {
				t.Errorf("%s: the bet plays, and is %s", norm, s.Outcome)
			}
			if norm == "nacional-1979" {
				continue // has no bet on the tie
			}
			v = rounds.Verdict(t, rounds.Script(t, setup, "bet 1 empate 600; bet 1 punto 500; "+played+"collect 1 empate 600; collect 1 punto 500"))
			if got := strings.Contains(rounds.Full(v.Findings), "bet_not_allowed 1 empate"); got != (want != "") {
				t.Errorf("%s, multiplos %s: 600 on the tie: %s", norm, option, rounds.Full(v.Findings))
			}
		}
	}
}

// cellRound plays punto y banca with a bank of the given total against a third
// card of the punto (10: it stood), the bank drawing or not.
func cellRound(bank, third int, draws bool) string {
	value := func(v int) string {
		return map[int]string{0: "K", 1: "A"}[v] + map[bool]string{true: fmt.Sprint(v)}[v > 1]
	}
	var ev []string
	add := func(format string, args ...any) {
		ev = append(ev, fmt.Sprintf(`{"t":%d,`, len(ev))+fmt.Sprintf(format, args...)+"}")
	}
	card := func(zone, c string) { add(`"type":"card","zone":"%s","card":"%s","face":"up"`, zone, c) }
	punto := "2" // draws
	if third == 10 {
		punto = "6" // stands
	}
	add(`"type":"announce","by":"croupier","call":"no_va_mas"`)
	add(`"type":"announce","by":"croupier","call":"cartas"`)
	card("punto", punto+"s")
	card("banca", value(bank)+"h")
	card("punto", "Kd")
	card("banca", "Qd")
	if third < 10 {
		card("punto", value(third)+"c")
	}
	if draws {
		card("banca", "Kc")
	}
	return strings.Join(ev, ",")
}

// VI.2 of the rounds.Norms, cell by cell: the bank that does the contrary is found out.
func TestBankThirdCard(t *testing.T) {
	printed := []string{ // as the norm of 1979 and Cantabria print it
		"TTTTTTTTTTT", "TTTTTTTTTTT", "TTTTTTTTTTT", "TTTTTTTTPTT", "PPTTTTTTPPT", "PPPPTTTTPPT", "PPPPPPTTPPP", "PPPPPPPPPPP",
	}
	for _, norm := range []string{"balears-2005", "andalucia-2010", "cantabria-2010"} {
		for bank, row := range printed {
			for third := range row {
				for _, draws := range []bool{true, false} {
					v := rounds.Cited(t, rounds.Of(t, norm, "punto_banco", `{"id":"P","options":{"mesa":"mini"}}`, cellRound(bank, third, draws)))
					want := finding.Code("")
					switch {
					case draws && row[third] == 'P':
						want = finding.DrewMustStand
					case !draws && row[third] == 'T':
						want = finding.StoodMustDraw
					}
					got := finding.Code("")
					for _, f := range v.Findings {
						if f.Zone == "banca" && (f.Code == finding.DrewMustStand || f.Code == finding.StoodMustDraw) {
							got += f.Code
						}
					}
					if got != want {
						t.Errorf("%s: bank %d against %d, draws %v: %q, want %q", norm, bank, third, draws, got, want)
					}
				}
			}
		}
	}
}
