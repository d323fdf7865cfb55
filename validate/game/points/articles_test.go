package points_test

import (
	"fmt"
	"strings"
	"testing"

	"vision/validate/finding"
)

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

// VI.2 of the norms, cell by cell: the bank that does the contrary is found out.
func TestBankThirdCard(t *testing.T) {
	printed := []string{ // as the norm of 1979 and Cantabria print it
		"TTTTTTTTTTT", "TTTTTTTTTTT", "TTTTTTTTTTT", "TTTTTTTTPTT", "PPTTTTTTPPT", "PPPPTTTTPPT", "PPPPPPTTPPP", "PPPPPPPPPPP",
	}
	for _, norm := range []string{"balears-2005", "andalucia-2010", "cantabria-2010"} {
		for bank, row := range printed {
			for third := range row {
				for _, draws := range []bool{true, false} {
					v := judge(t, record(t, norm, "punto_banco", `{"id":"P","options":{"mesa":"mini"}}`, cellRound(bank, third, draws)))
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

// hand deals one box of blackjack and pays nothing.
func bjRound(box, bank, between string) string {
	cards := strings.Fields(box)
	banks := strings.Fields(bank)
	var ev []string
	add := func(s string) { ev = append(ev, fmt.Sprintf(`{"t":%d,%s}`, len(ev), s)) }
	card := func(zone, c string) {
		add(fmt.Sprintf(`"type":"card","zone":"%s","card":"%s","face":"up"`, zone, c))
	}
	add(`"type":"bet","seat":1,"spot":"main","amount":1001`)
	card("seat:1", cards[0])
	card("bank", banks[0])
	card("seat:1", cards[1])
	if between != "" {
		add(between)
	}
	for _, c := range cards[2:] {
		card("seat:1", c)
	}
	for _, c := range banks[1:] {
		card("bank", c)
	}
	return strings.Join(ev, ",")
}

// TestSplitAndSeguro: V.1.b and V.1.c of 1979 and their likes: eights are split
// against an ace, a neighbour insures, and the bank makes twenty.
func TestSplitAndSeguro(t *testing.T) {
	for _, norm := range norms {
		var ev []string
		add := func(format string, args ...any) {
			ev = append(ev, fmt.Sprintf(`{"t":%d,`, len(ev))+fmt.Sprintf(format, args...)+"}")
		}
		money := func(kind string, seat int, spot string, amount int) {
			add(`"type":%q,"seat":%d,"spot":%q,"amount":%d`, kind, seat, spot, amount)
		}
		card := func(zone, c string) { add(`"type":"card","zone":%q,"card":%q,"face":"up"`, zone, c) }
		say := func(zone string, points int) {
			add(`"type":"announce","by":"croupier","call":"puntos_mano","zone":%q,"points":%d`, zone, points)
		}
		money("bet", 1, "main", 1000)
		money("bet", 2, "main", 1000)
		card("seat:1", "8s")
		card("seat:2", "Ts")
		card("bank", "Ad")
		add(`"type":"announce","by":"croupier","call":"seguro"`)
		money("bet", 2, "seguro", 500)
		card("seat:1", "8d")
		say("seat:1", 16)
		card("seat:2", "9h")
		say("seat:2", 19)
		add(`"type":"action","seat":1,"action":"split"`)
		money("bet", 1, "split:2", 1000)
		card("seat:1", "Ks")
		card("seat:1/2", "3c")
		add(`"type":"action","zone":"seat:1/2","seat":1,"action":"stand"`)
		card("bank", "9d")
		add(`"type":"announce","by":"croupier","call":"puntos_banca","points":20`)
		money("collect", 2, "seguro", 500)
		money("collect", 2, "main", 1000)
		money("collect", 1, "split:2", 1000)
		money("collect", 1, "main", 1000)
		add(`"type":"clear"`)
		v := judge(t, record(t, norm, "blackjack", `{"id":"B","min":500,"max":50000}`, strings.Join(ev, ",")))
		got := ""
		for _, s := range v.Settlement {
			got += fmt.Sprint(s.Seat, " ", s.Spot, " ", s.Outcome, "; ")
		}
		if want := "1 main lose; 1 split:2 lose; 2 main lose; 2 seguro lose; "; got != want || len(v.Findings) > 0 {
			t.Errorf("%s: %s %+v", norm, got, v.Findings)
		}
	}
}

func TestBlackjackArticles(t *testing.T) {
	surrender := `"type":"action","seat":1,"action":"surrender"`
	double := `"type":"action","seat":1,"action":"double"`
	even := `"type":"action","seat":1,"action":"even_money"`
	for _, c := range []struct {
		what, norm, box, bank, act string
		outcome                    string
		pays, returns              int64
		found                      finding.Code // code among the findings, empty: any
	}{
		{"V.1.a blackjack pays 3:2, half a cent up", "nacional-1979", "As Kd", "9h 8c", "", "win", 1502, 1001, ""},
		{"blackjack against blackjack is null", "cantabria-2010", "As Kd", "Ah Kc", "", "push", 0, 1001, ""},
		{"21 of three cards loses to blackjack", "nacional-1979", "7s 7d 7h", "Ah Kc", "", "lose", 0, 0, ""},
		{"three sevens in Cantabria pay 2:1", "cantabria-2010", "7s 7d 7h", "9h 8c", "", "win", 2002, 1001, ""},
		{"three sevens against three sevens", "cantabria-2010", "7s 7d 7h", "7c 7c 7d", "", "push", 0, 1001, ""},
		{"three sevens elsewhere pay 1:1", "andalucia-2010", "7s 7d 7h", "9h 8c", "", "win", 1001, 1001, ""},
		{"retirada keeps half, the house's part rounded up", "balears-2005", "Ts 6d", "9h 8c", surrender, "half", 0, 500, ""},
		{"no retirada against an ace", "cantabria-2010", "Ts 6d", "Ah 8c", surrender, "lose", 0, 0, finding.PlayerActionNotAllowed},
		{"1979 has no retirada", "nacional-1979", "Ts 6d", "9h 8c", surrender, "lose", 0, 0, finding.PlayerActionNotAllowed},
		{"even money stays paid", "andalucia-2010", "As Kd", "Ah Kc", even, "win", 1001, 1001, ""},
		{"V.1.d a soft 19 of ace and eight may be doubled", "nacional-1979", "As 8d Kc", "9h 8c", double, "win", 1001, 1001, finding.RaiseWrong},
		{"V.1.d twelve may not", "nacional-1979", "7s 5d 8c", "9h 8c", double, "win", 1001, 1001, finding.PlayerActionNotAllowed},
		{"two aces may not be doubled", "cantabria-2010", "As Ad 8c", "9h 8c", double, "win", 1001, 1001, finding.PlayerActionNotAllowed},
		{"soft 17 stands", "nacional-1979", "Ts 8d", "Ah 6c 4d", "", "lose", 0, 0, finding.DrewMustStand},
		{"sixteen draws", "balears-2005", "Ts 8d", "Th 6c", "", "win", 1001, 1001, finding.StoodMustDraw},
		{"no card on 21", "nacional-1979", "Ts 8d 3c Kc", "Th 7c", "", "lose", 0, 0, finding.PlayerActionNotAllowed},
		{"an unseen card is not guessed", "nacional-1979", "Ts ??", "Th 7c", "", "unknown", 0, 0, finding.NotObservable},
	} {
		v := judge(t, record(t, c.norm, "blackjack", `{"id":"B","min":500,"max":50000}`, bjRound(c.box, c.bank, c.act)))
		s := v.Settlement[0]
		if string(s.Outcome) != c.outcome || int64(s.Pays) != c.pays || int64(s.Returns) != c.returns {
			t.Errorf("%s (%s): %+v", c.what, c.norm, s)
		}
		found := c.found == ""
		for _, f := range v.Findings {
			found = found || f.Code == c.found
		}
		if !found {
			t.Errorf("%s (%s): no %s in %+v", c.what, c.norm, c.found, v.Findings)
		}
	}
}
