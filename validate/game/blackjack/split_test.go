package blackjack_test

import (
	"fmt"
	"strings"
	"testing"

	"vision/internal/testkit/rounds"
)

// TestSplitAndSeguro: V.1.b and V.1.c of 1979 and their likes: eights are split
// against an ace, a neighbour insures, and the bank makes twenty.
func TestSplitAndSeguro(t *testing.T) {
	for _, norm := range rounds.Norms {
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
		v := rounds.Cited(t, rounds.Of(t, norm, "blackjack", `{"id":"B","min":500,"max":50000}`, strings.Join(ev, ",")))
		got := ""
		for _, s := range v.Settlement {
			got += fmt.Sprint(s.Seat, " ", s.Spot, " ", s.Outcome, "; ")
		}
		if want := "1 main lose; 1 split:2 lose; 2 main lose; 2 seguro lose; "; got != want || len(v.Findings) > 0 {
			t.Errorf("%s: %s %+v", norm, got, v.Findings)
		}
	}
}

// TestSplitThatMayNotBe: a hand of three cards is split, or one of two values: that is said
// once, and the hands are settled as they lie (V.1.c; point cards, 1.4).
func TestSplitThatMayNotBe(t *testing.T) {
	const ends = "card bank Kd; say croupier puntos_banca points=19; collect 1 split:2 1000; collect 1 main 1000; clear"
	for _, norm := range []string{"nacional-1979", "balears-2005", "andalucia-2010"} {
		for _, c := range []struct{ what, events, findings string }{
			{"three cards", "bet 1 main 1000; card seat:1 8s; card bank 9c; card seat:1 8d; card seat:1 2c; act 1 split; " +
				"bet 1 split:2 1000; card seat:1/2 4d; card seat:1/2 9d; " + ends, "player_action_not_allowed 1 -/split @5"},
			{"two values", "bet 1 main 1000; card seat:1 8s; card bank 9c; card seat:1 9d; act 1 split; " +
				"bet 1 split:2 1000; card seat:1 2c; card seat:1/2 4d; " + ends, "player_action_not_allowed 1 -/split @4"},
			{"nobody asked", "bet 1 main 1000; card seat:1 8s; card bank 9c; card seat:1 9d; card seat:1/2 4d; card seat:1/2 9d; " +
				"card bank Kd; say croupier puntos_banca points=19; collect 1 main 1000; clear", "player_action_not_allowed 1 -/split @4"},
			{"by another on a box that nobody sits at", "bet 3 main:1 1000; card seat:1 8s; card bank 9c; card seat:1 9d; " +
				"act 3 split seat:1; card seat:1 2c; card seat:1/2 4d; card bank Kd; say croupier puntos_banca points=19; " +
				"collect 3 main:1 1000; clear", "player_action_not_allowed 3 -/split @4"},
		} {
			v := rounds.Cited(t, rounds.Script(t, norm+" blackjack", c.events))
			if got := rounds.Brief(v.Findings, rounds.Seat, rounds.Amounts, rounds.Event); got != c.findings {
				t.Errorf("%s, %s:\n got %s\nwant %s", norm, c.what, got, c.findings)
			}
		}
	}
}
