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
