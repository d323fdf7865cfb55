package housepoker_test

import (
	"slices"
	"strings"
	"testing"

	"vision/internal/card"
	"vision/internal/money"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
	"vision/validate/round"
)

// TestSettlement: what each norm's game pays, hand against hand.
func TestSettlement(t *testing.T) {
	two := func(a, b string) map[string]string { return map[string]string{"seat:1": a, "bank": b} }
	three := func(a, left, right string) map[string]string {
		return map[string]string{"seat:1": a, "comun_izq": left, "comun_der": right}
	}
	common := func(a, b, board string) map[string]string {
		return map[string]string{"seat:1": a, "bank": b, "board": board}
	}
	const ak = "As Kd 9h 5c 3s"
	for _, c := range []struct {
		name string
		show show
		want string
	}{
		// sin descarte, T1 and §3.1
		{"royal", show{norm: bal, game: "poker_sin_descarte", hands: two("Ah Kh Qh Jh Th", ak)}, "1 ante win 1000; 1 second win 200000"},
		{"straight flush", show{norm: and, game: "poker_sin_descarte", hands: two("9h Kh Qh Jh Th", ak)}, "1 ante win 1000; 1 second win 50000"},
		{"poker and seguro", show{norm: can, game: "poker_sin_descarte", hands: two("9h 9d 9c 9s Th", ak), sides: map[string]money.Cents{"seguro": 200}}, "1 ante win 1000; 1 second win 40000; 1 seguro win 60000"},
		{"full and seguro", show{norm: cyl, game: "poker_sin_descarte", hands: two("9h 9d 9c Ts Th", ak), sides: map[string]money.Cents{"seguro": 200}}, "1 ante win 1000; 1 second win 14000; 1 seguro win 20000"},
		{"color", show{norm: bal, game: "poker_sin_descarte", hands: two("2h 9h 7h 4h Th", ak), sides: map[string]money.Cents{"seguro": 200}}, "1 ante win 1000; 1 second win 10000; 1 seguro lose 0"},
		{"escalera", show{norm: bal, game: "poker_sin_descarte", hands: two("Ah 2d 3h 4h 5h", ak)}, "1 ante win 1000; 1 second win 8000"},
		{"trio", show{norm: bal, game: "poker_sin_descarte", hands: two("2h 2d 2c 4h 5h", ak)}, "1 ante win 1000; 1 second win 6000"},
		{"doble pareja", show{norm: bal, game: "poker_sin_descarte", hands: two("2h 2d 4c 4h 5h", ak)}, "1 ante win 1000; 1 second win 4000"},
		{"pareja", show{norm: bal, game: "poker_sin_descarte", hands: two("2h 2d 6c 4h 5h", ak)}, "1 ante win 1000; 1 second win 2000"},
		{"carta alta", show{norm: bal, game: "poker_sin_descarte", hands: two("Ah Kc Qd 4h 5h", ak)}, "1 ante win 1000; 1 second win 2000"},
		{"tie", show{norm: bal, game: "poker_sin_descarte", hands: two("Ah Kc 9d 5h 3h", ak)}, "1 ante push 0; 1 second push 0"},
		{"last kicker", show{norm: bal, game: "poker_sin_descarte", hands: two("Ah Kc 9d 5h 2h", ak)}, "1 ante lose 0; 1 second lose 0"},
		{"bank ace and queen", show{norm: bal, game: "poker_sin_descarte", hands: two("2h 3c 9d 5h 7h", "As Qd Jh Tc 9s")}, "1 ante win 1000; 1 second push 0"},
		{"fold with a seguro", show{norm: bal, game: "poker_sin_descarte", folds: []int{1}, hands: two("9h 9d 9c 9s Th", ak), sides: map[string]money.Cents{"seguro": 200}}, "1 ante lose 0; 1 seguro win 60000"},
		// trijoker, T4
		{"three jacks' pair", show{norm: bal, game: "poker_trijoker", hands: three("Jh Jc 2d", "5s", "7c")}, "1 apuesta_1 win 1000; 1 apuesta_2 win 1000; 1 apuesta_3 win 1000"},
		{"tens", show{norm: bal, game: "poker_trijoker", hands: three("Th Tc 2d", "5s", "7c")}, "1 apuesta_1 lose 0; 1 apuesta_2 lose 0; 1 apuesta_3 lose 0"},
		{"low straight, Balears", show{norm: bal, game: "poker_trijoker", hands: three("Ah 2c 3d", "4s", "5c")}, "1 apuesta_1 win 5000; 1 apuesta_2 win 5000; 1 apuesta_3 win 5000"},
		{"no low straight, Cantabria", show{norm: can, game: "poker_trijoker", hands: three("Ah 2c 3d", "4s", "5c")}, "1 apuesta_1 lose 0; 1 apuesta_2 lose 0; 1 apuesta_3 lose 0"},
		{"low straight by option", show{norm: can, game: "poker_trijoker", options: `{"ace_low":true}`, hands: three("Ah 2c 3d", "4s", "5c")}, "1 apuesta_1 win 5000; 1 apuesta_2 win 5000; 1 apuesta_3 win 5000"},
		{"poker", show{norm: and, game: "poker_trijoker", hands: three("4h 4c 4d", "4s", "5c")}, "1 apuesta_1 win 50000; 1 apuesta_2 win 50000; 1 apuesta_3 win 50000"},
		// tripóquer, T5 and T6
		{"fortuna and extra-ante", show{norm: and, game: "tripoker", hands: two("4h 5h 6h", "Qs 7c 2d"), sides: map[string]money.Cents{"fortuna": 600}}, "1 ante win 1000; 1 extra_ante win 4000; 1 fortuna win 24000; 1 second win 1000"},
		{"the carrusel of a table of its own", show{norm: and, game: "tripoker", hands: two("4h 5h 6h", "Qs 7c 2d"), sides: map[string]money.Cents{"progresivo": 100}}, "1 ante win 1000; 1 extra_ante win 4000; 1 progresivo unknown 0; 1 second win 1000"},
		{"royal in Andalucía is a straight flush", show{norm: and, game: "tripoker", hands: two("Ah Kh Qh", "Qs 7c 2d"), sides: map[string]money.Cents{"fortuna": 600}}, "1 ante win 1000; 1 extra_ante win 4000; 1 fortuna win 24000; 1 second win 1000"},
		{"royal", show{norm: can, game: "tripoker", hands: two("Ah Kh Qh", "Qs 7c 2d"), sides: map[string]money.Cents{"pareja_plus": 600}}, "1 ante win 1000; 1 bonus win 5000; 1 pareja_plus win 30000; 1 second win 1000"},
		{"beaten straight keeps its bonus", show{norm: cyl, game: "tripoker", options: `{"pareja_plus_table":3}`, hands: two("2h 3d 4c", "6s 7s 8s"), sides: map[string]money.Cents{"pareja_plus": 600}}, "1 ante lose 0; 1 bonus win 1000; 1 pareja_plus win 3600; 1 second lose 0"},
		{"trio of table 3", show{norm: cyl, game: "tripoker", options: `{"pareja_plus_table":3}`, hands: two("2h 2d 2c", "Qs 7c 2s"), sides: map[string]money.Cents{"pareja_plus": 600}}, "1 ante win 1000; 1 bonus win 4000; 1 pareja_plus win 19800; 1 second win 1000"},
		{"color of table 1", show{norm: can, game: "tripoker", hands: two("2h 9h 5h", "Qs 7c 2s"), sides: map[string]money.Cents{"pareja_plus": 600}}, "1 ante win 1000; 1 pareja_plus win 1800; 1 second win 1000"},
		{"jack high does not qualify", show{norm: can, game: "tripoker", hands: two("2h 9d 5h", "Js 7c 2s")}, "1 ante win 1000; 1 second push 0"},
		{"a fold takes pareja plus", show{norm: can, game: "tripoker", folds: []int{1}, hands: two("2h 2d 5h", "Js 7c 2s"), sides: map[string]money.Cents{"pareja_plus": 600}}, "1 ante lose 0; 1 pareja_plus lose 0"},
		{"unless the house says not", show{norm: can, game: "tripoker", options: `{"fold_loses_pareja_plus":false}`, folds: []int{1}, hands: two("2h 2d 5h", "Js 7c 2s"), sides: map[string]money.Cents{"pareja_plus": 600}}, "1 ante lose 0; 1 pareja_plus win 600"},
		// hold'em, T7
		{"ante on a straight", show{norm: can, game: "poker_holdem_banca", hands: common("6s 7d", "As Ad", "8h 9c Tc 2d 3d")}, "1 ante win 1000; 1 flop win 2000"},
		{"ante below it", show{norm: cyl, game: "poker_holdem_banca", hands: common("8s 8d", "As Kd", "8h 9c 2c 2s 3d")}, "1 ante win 1000; 1 flop win 2000"},
		{"ante of a trio", show{norm: cyl, game: "poker_holdem_banca", hands: common("8s 8d", "As Kd", "8h 9c 2c 4s 3d")}, "1 ante push 0; 1 flop win 2000"},
		{"aces against aces", show{norm: cyl, game: "poker_holdem_bonus", hands: common("As Ad", "Ac Ah", "8h 9c 2c 4s 3d"), sides: map[string]money.Cents{"bonus": 100}}, "1 ante push 0; 1 bonus win 100000; 1 flop push 0"},
		{"aces", show{norm: cyl, game: "poker_holdem_bonus", hands: common("As Ad", "Kc Kh", "8h 9c 2c 4s 3d"), sides: map[string]money.Cents{"bonus": 100}}, "1 ante push 0; 1 bonus win 3000; 1 flop win 2000"},
		{"ace and jack of a suit", show{norm: can, game: "poker_holdem_bonus", hands: common("Js As", "Kc Kh", "8h 9c 2c 4s 3d"), sides: map[string]money.Cents{"bonus": 100}}, "1 ante lose 0; 1 bonus win 2000; 1 flop lose 0"},
		{"king and queen of a suit", show{norm: can, game: "poker_holdem_bonus", hands: common("Ks Qs", "5c 5h", "8h 9c 2c 4s 3d"), sides: map[string]money.Cents{"bonus": 100}}, "1 ante lose 0; 1 bonus lose 0; 1 flop lose 0"},
		// cuatro cartas, T8
		{"poker above straight flush", show{norm: cyl, game: "poker_cuatro_cartas", hands: two("2s 2d 2c 2h 9d", "5s 6s 7s 8s Kd Kc"), sides: map[string]money.Cents{"ases": 600}}, "1 ante win 1000; 1 ases win 24000; 1 bono_ante win 20000; 1 play win 1000"},
		{"a tie is the player's", show{norm: cyl, game: "poker_cuatro_cartas", hands: two("As Kd Qc 9h 2d", "Ah Kc Qd 9c 3d 4d")}, "1 ante win 1000; 1 play win 1000"},
		{"pair of kings on ases", show{norm: cyl, game: "poker_cuatro_cartas", hands: two("Ks Kd Qc 9h 2d", "Ah Jc Td 9c 3d 4h"), sides: map[string]money.Cents{"ases": 600}}, "1 ante win 1000; 1 ases lose 0; 1 play win 1000"},
		{"beaten trio keeps its bono", show{norm: cyl, game: "poker_cuatro_cartas", hands: two("2s 2d 2c 9h Td", "3s 3c 3d 9c Kd 4h")}, "1 ante lose 0; 1 bono_ante win 2000; 1 play lose 0"},
		// con descarte, T9
		{"straight 3 to one", show{norm: cyl, game: "poker_con_descarte", hands: two("5s 6d 7c 8h 9d", "8s 8d 2c 3h 4d")}, "1 ante win 1000; 1 second win 6000"},
		{"bank with sevens", show{norm: cyl, game: "poker_con_descarte", hands: two("Ks Qd 9c 5h 2d", "7s 7d 2c 3h 4d")}, "1 ante win 1000; 1 second push 0"},
		// texas, T10
		{"flush", show{norm: cyl, game: "texas_poker", hands: common("2s 5s", "4c 4d", "8s 9s Js 4s Kd"), sides: map[string]money.Cents{"txb": 200}}, "1 ante win 2000; 1 second win 2000; 1 txb win 5000"},
		{"bank below fours pays the table", show{norm: cyl, game: "texas_poker", hands: common("2s 3s", "3c 6d", "8s 9s Js 5h Kd"), sides: map[string]money.Cents{"txb": 200}}, "1 ante win 2000; 1 second push 0; 1 txb win 5000"},
		{"kings are below aces", show{norm: cyl, game: "texas_poker", hands: common("Ks Kc", "4c 4d", "8s 9h Js 5h 2d"), sides: map[string]money.Cents{"txb": 200}}, "1 ante win 1000; 1 second win 2000; 1 txb lose 0"},
		{"a fold takes the bonus", show{norm: cyl, game: "texas_poker", folds: []int{1}, hands: common("As Ac", "4c 4d", "8s 9h Js 5h 2d"), sides: map[string]money.Cents{"txb": 200}}, "1 ante lose 0; 1 txb lose 0"},
		// pai gow
		{"both above", show{norm: and, game: "pai_gow_poker", hands: two("As Ad Ks Qs 9c 8c 7d", "Kc Kd Jc Ts 9h 6c 2d"), lowHand: map[string]string{"seat:1": "Ks Qs", "bank": "Jc Ts"}}, "1 apuesta win 1000"},
		{"low equal", show{norm: and, game: "pai_gow_poker", hands: two("As Ad Jd Td 9c 8c 7d", "Kc Kd Jc Ts 9h 6c 2d"), lowHand: map[string]string{"seat:1": "Jd Td", "bank": "Jc Ts"}}, "1 apuesta push 0"},
		{"both equal", show{norm: can, game: "pai_gow_poker", hands: two("Ks Kh Jd Td 9c 6d 2h", "Kc Kd Jc Ts 9h 6c 2d"), lowHand: map[string]string{"seat:1": "Jd Td", "bank": "Jc Ts"}}, "1 apuesta lose 0"},
		{"badly set", show{norm: cyl, game: "pai_gow_poker", hands: two("As Ad Ks Kh 9c 8c 7d", "Kc Kd Jc Ts 9h 6c 2d"), lowHand: map[string]string{"seat:1": "As Ad", "bank": "Jc Ts"}}, "1 apuesta lose 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := paysOf(rounds.Cited(t, c.show.play(t))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestMeters: prizes in order of the hands, each of what is left, §6.
func TestMeters(t *testing.T) {
	const ak = "As Kd 9h 5c 3s"
	const low, high = "4h 5h 6h 7h 8h", "8c 9c Tc Jc Qc"
	for _, c := range []struct {
		name  string
		norm  string
		hands map[string]string
		want  string
		left  money.Cents
	}{
		{"royal and poker", and, map[string]string{"seat:1": "Ah Kh Qh Jh Th", "seat:2": "2h 2d 2c 2s 3d", "bank": ak}, "1 progresivo win 100001; 2 progresivo win 30000", 0},
		{"two straight flushes, not equal", cyl, map[string]string{"seat:1": low, "seat:2": high, "bank": ak}, "1 progresivo win 9000; 2 progresivo win 10000", 81001},
		{"equal ones, Castilla y León", cyl, map[string]string{"seat:1": "4h 5h 6h 7h 8h", "seat:2": "4c 5d 6d 7d 8d", "seat:3": "4s 5s 6s 7s 8s", "bank": "As Kd 9h 5c 3s"}, "1 progresivo win 10000; 2 progresivo win 3000; 3 progresivo win 10000", 77001},
		{"equal ones, Andalucía", and, map[string]string{"seat:1": "4h 5h 6h 7h 8h", "seat:3": "4s 5s 6s 7s 8s", "bank": ak}, "1 progresivo win 5000; 3 progresivo win 5000", 90001},
		{"poker has no prize in Balears", bal, map[string]string{"seat:1": "2h 2d 2c 2s 3d", "bank": ak}, "1 progresivo lose 0", 100001},
		{"poker is a share in Castilla y León", cyl, map[string]string{"seat:1": "2h 2d 2c 2s 3d", "bank": ak}, "1 progresivo win 5000", 95001},
		{"a share hangs on a hand that nobody saw", cyl, map[string]string{"seat:1": "2h 2d 2c 2s 3d", "seat:2": "?? 4c 5c 6c 7c", "bank": ak}, "1 progresivo unknown 0; 2 progresivo unknown 0", 100001},
		{"a multiple does not", cyl, map[string]string{"seat:1": "2h 2d 2c 3s 3d", "seat:2": "?? 4c 5c 6c 7c", "bank": ak}, "1 progresivo win 12000; 2 progresivo unknown 0", 88001},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := show{norm: c.norm, game: "poker_sin_descarte", hands: c.hands, carry: `{"progresivo_meter":100001}`, sides: map[string]money.Cents{"progresivo": 100}}
			v := rounds.Cited(t, w.play(t))
			got := slices.DeleteFunc(strings.Split(paysOf(v), "; "), func(s string) bool { return !strings.Contains(s, "progresivo") })
			if g := strings.Join(got, "; "); g != c.want {
				t.Errorf("got  %s\nwant %s", g, c.want)
			}
			if left := v.Next.(map[string]any)["progresivo_meter"]; left != c.left {
				t.Errorf("left %v, want %v", left, c.left)
			}
		})
	}
}

// clean is a clean round of each game, to be spoilt.
func clean(t testing.TB, norm, game string) *round.Record {
	t.Helper()
	w := show{norm: norm, game: game, hands: map[string]string{}, lowHand: map[string]string{}}
	pack := strings.Fields("Ah 2c 5d 9s Tc 4h 7d 3s 8c Jd Qh 6c 2h Kc 9d 5s 3d Jc 8h Ts")
	l := layouts[game]
	take := func(n int) string {
		out := strings.Join(pack[:n], " ")
		pack = pack[n:]
		return out
	}
	w.hands["seat:2"] = take(l.own)
	if game != "pai_gow_poker" {
		w.hands["seat:5"] = take(l.own)
	}
	if l.bank > 0 {
		w.hands["bank"] = take(l.bank)
	}
	if l.commons {
		w.hands["comun_izq"], w.hands["comun_der"] = "9d", "Qs"
	}
	if l.board > 0 {
		w.hands["board"] = take(l.board)
	}
	if game == "poker_con_descarte" {
		w.hands["bank"] = "As Ks Qs Js Ts"
	}
	if game == "pai_gow_poker" {
		for z, h := range w.hands {
			w.lowHand[z] = lowest(strings.Fields(h))
		}
	}
	return w.play(t)
}

// insert puts events before the n-th card event (from 0); after all of them for -1.
func insert(rec *round.Record, n int, events ...round.Event) {
	at, k := 0, 0
	for i, e := range rec.Events {
		if e.Type == round.CardDealt && e.Zone != "board" {
			at = i + 1
			if k == n {
				at = i
				break
			}
			k++
		}
	}
	rec.Events = slices.Insert(rec.Events, at, events...)
	rounds.Retime(rec)
}

// TestMisdeals: what annuls a round, game by game and norm by norm, §8.
func TestMisdeals(t *testing.T) {
	extra := func(zone string) func(*round.Record) {
		return func(rec *round.Record) {
			insert(rec, -1, round.Event{Type: round.CardDealt, Zone: zone, Face: "down"})
		}
	}
	up := func(zone string, c card.Card) func(*round.Record) {
		return func(rec *round.Record) {
			for i := range rec.Events {
				if e := &rec.Events[i]; e.Type == round.CardDealt && e.Zone == zone && e.Face == "down" {
					e.Face, e.Card = "up", c
					return
				}
			}
			t.Fatal("no card in", zone)
		}
	}
	swap := func(rec *round.Record) {
		for i := range rec.Events {
			if rec.Events[i].Type == round.CardDealt {
				a, b := &rec.Events[i], &rec.Events[i+1]
				a.Zone, b.Zone = b.Zone, a.Zone
				return
			}
		}
	}
	double := func(rec *round.Record) {
		for i := range rec.Events {
			if e := &rec.Events[i]; e.Type == round.Reveal && e.Zone == "seat:5" {
				e.Cards = slices.Clone(e.Cards)
				e.Cards[0] = rec.Events[i-1].Cards[0]
			}
		}
	}
	// late deals the last card of a zone after a burn: short in the deal, right
	// before the first decision, or after it.
	late := func(zone string, decided bool) func(*round.Record) {
		return func(rec *round.Record) {
			last, act := -1, -1
			for i := range rec.Events {
				if e := &rec.Events[i]; e.Type == round.CardDealt && e.Zone == zone && act < 0 {
					last = i
				} else if e.Type == round.Action && act < 0 {
					act = i
				}
			}
			e := rec.Events[last]
			if decided {
				act++
			}
			rec.Events = slices.Insert(rec.Events, act, round.Event{Type: round.Burn, Count: 1}, e)
			rec.Events = slices.Delete(rec.Events, last, last+1)
			rounds.Retime(rec)
		}
	}
	// afterFlop is late before the first decision, and nothing was burnt.
	afterFlop := func(zone string) func(*round.Record) {
		return func(rec *round.Record) {
			late(zone, false)(rec)
			k := slices.IndexFunc(rec.Events, func(e round.Event) bool { return e.Type == round.Burn })
			rec.Events = slices.Delete(rec.Events, k, k+1)
			rounds.Retime(rec)
		}
	}
	queen, ten := cards(t, "Qd")[0], cards(t, "Td")[0]
	for _, c := range []struct {
		norm, game, what string
		spoil            func(*round.Record)
		void             bool
		code             string
	}{
		{bal, "poker_sin_descarte", "player's number", extra("seat:2"), true, "card_count_wrong"},
		{cyl, "poker_sin_descarte", "bank's number", extra("bank"), true, "card_count_wrong"},
		{and, "poker_sin_descarte", "player's card seen", up("seat:2", ten), true, "face_wrong"},
		{can, "poker_sin_descarte", "bank's card seen", up("bank", ten), true, "face_wrong"},
		{can, "poker_sin_descarte", "order", swap, false, "deal_order_wrong"},
		{can, "poker_sin_descarte", "card twice", double, false, "duplicate_card"},
		{bal, "poker_trijoker", "player's number", extra("seat:2"), true, "card_count_wrong"},
		{can, "poker_trijoker", "common number", extra("comun_izq"), true, "card_count_wrong"},
		{bal, "poker_trijoker", "player's card seen", up("seat:2", ten), false, "face_wrong"},
		{cyl, "poker_trijoker", "player's card seen", up("seat:2", ten), false, "face_wrong"},
		{and, "poker_trijoker", "player's card seen", up("seat:2", ten), true, "face_wrong"},
		{can, "poker_trijoker", "player's card seen", up("seat:2", ten), true, "face_wrong"},
		{bal, "poker_trijoker", "common queen seen", up("comun_der", queen), true, "face_wrong"},
		{and, "poker_trijoker", "common ten seen", up("comun_der", ten), false, "face_wrong"},
		{cyl, "poker_trijoker", "common nine seen, and read when it is turned", up("comun_izq", card.Unseen), false, "face_wrong"},
		{cyl, "poker_trijoker", "common queen seen, and read when it is turned", up("comun_der", card.Unseen), true, "face_wrong"},
		{and, "tripoker", "player's number", extra("seat:2"), true, "card_count_wrong"},
		{cyl, "tripoker", "player's card seen", up("seat:2", ten), true, "face_wrong"},
		{can, "tripoker", "bank's card seen", up("bank", ten), true, "face_wrong"},
		{and, "pai_gow_poker", "player's number", extra("seat:2"), true, "card_count_wrong"},
		{can, "pai_gow_poker", "player's card seen", up("seat:2", ten), false, "face_wrong"},
		{can, "poker_holdem_bonus", "player's number", extra("seat:2"), false, "card_count_wrong"},
		{cyl, "poker_holdem_banca", "bank's number", extra("bank"), true, "card_count_wrong"},
		{can, "poker_holdem_banca", "bank's number made right before the first decision", late("bank", false), false, "card_count_wrong"},
		{can, "poker_holdem_banca", "bank's number made right after it", late("bank", true), true, "card_count_wrong"},
		{cyl, "texas_poker", "player's number made right before the first decision", late("seat:2", false), false, "card_count_wrong"},
		{cyl, "texas_poker", "player's number made right after it", late("seat:2", true), true, "card_count_wrong"},
		{cyl, "texas_poker", "bank's number made right", late("bank", false), true, "card_count_wrong"},
		{cyl, "texas_poker", "player's number made right once the flop lies", afterFlop("seat:2"), false, "deal_order_wrong"},
		{cyl, "poker_holdem_banca", "player's card seen", up("seat:2", ten), false, "face_wrong"},
		{can, "poker_holdem_banca", "bank's card seen", up("bank", ten), true, "face_wrong"},
		{cyl, "poker_cuatro_cartas", "bank's number", extra("bank"), true, "card_count_wrong"},
		{cyl, "poker_con_descarte", "player's card seen", up("seat:5", ten), true, "face_wrong"},
		{cyl, "texas_poker", "player's number", extra("seat:2"), true, "card_count_wrong"},
		{cyl, "texas_poker", "player's card seen", up("seat:2", ten), false, "face_wrong"},
		{cyl, "texas_poker", "bank's card seen", up("bank", ten), true, "face_wrong"},
		{cyl, "texas_poker", "order", swap, true, "deal_order_wrong"},
		{cyl, "texas_poker", "card twice", double, true, "duplicate_card"},
	} {
		t.Run(c.norm+" "+c.game+" "+c.what, func(t *testing.T) {
			rec := clean(t, c.norm, c.game)
			c.spoil(rec)
			v := rounds.Cited(t, rec)
			if v.Void != c.void || !strings.Contains(codes(v.Findings), c.code) {
				t.Errorf("void %v: %s", v.Void, rounds.Full(v.Findings))
			}
			for _, e := range v.Settlement {
				if c.void && (e.Outcome != round.Void || e.Returns != e.Stake) {
					t.Errorf("%+v", e)
				}
			}
		})
	}
}

// TestMisdealOption: where the norm has no article, the house may go on.
func TestMisdealOption(t *testing.T) {
	rec := clean(t, cyl, "tripoker")
	rec.Table.Options = round.Options{"misdeal_void": []byte("false")}
	insert(rec, -1, round.Event{Type: round.CardDealt, Zone: "seat:2", Face: "down"})
	if v := rounds.Cited(t, rec); v.Void {
		t.Error("void")
	}
}

// TestTooManyIsKnownAtOnce: of too many cards the verdict speaks while the deal goes on,
// of too few when it is over.
func TestTooManyIsKnownAtOnce(t *testing.T) {
	for extra, want := range map[int]string{-1: "", 0: "", 1: "card_count_wrong"} {
		rec := clean(t, cyl, "poker_sin_descarte")
		cards := 0
		rec.Events = slices.DeleteFunc(rec.Events, func(e round.Event) bool {
			if e.Type == round.CardDealt && e.Zone == "seat:2" {
				cards++
			}
			return e.Type != round.Bet && !e.Is("no_va_mas") && (e.Type != round.CardDealt || e.Zone != "seat:2" || cards > 5+min(extra, 0)) ||
				e.Type == round.Bet && e.Spot != "ante"
		})
		if extra > 0 {
			insert(rec, -1, round.Event{Type: round.CardDealt, Zone: "seat:2", Face: "down"})
		}
		v := rounds.Cited(t, rec)
		v.Findings = slices.DeleteFunc(v.Findings, func(f round.Finding) bool { return f.Code == finding.NotObservable })
		if codes(v.Findings) != want {
			t.Errorf("%+d cards: %s", extra, rounds.Full(v.Findings))
		}
	}
}

// TestTies: V.2-3 of sin descarte in Andalucía and its likes: a stake of an equal
// hand is neither paid nor taken.
func TestTies(t *testing.T) {
	for _, norm := range []string{bal, and, can, cyl} {
		w := show{norm: norm, game: "poker_sin_descarte", hands: map[string]string{"seat:1": "Ah Kc 9d 5h 3h", "bank": "As Kd 9h 5c 3s"}}
		rec := settle(t, w.play(t))
		last := len(rec.Events) - 1
		insert(rec, last, round.Event{Type: round.Collect, Seat: 1, Spot: "second", Amount: 2000},
			round.Event{Type: round.Pay, Seat: 1, Spot: "ante", Amount: 1000})
		rounds.Retime(rec)
		v := rounds.Cited(t, rec)
		if got := codes(v.Findings); !strings.Contains(got, "push_paid") || !strings.Contains(got, "push_collected") || len(v.Findings) != 2 {
			t.Errorf("%s: %s", norm, rounds.Full(v.Findings))
		}
		for _, f := range v.Findings {
			if want := "andalucia-2010 I.1.9.A V.2-3"; norm == and && f.Rule != want {
				t.Errorf("%s cites %s, want %s", f.Code, f.Rule, want)
			}
		}
	}
}

// TestHandSaidWrong: a hand that is called what it is not is measured by the ranks (V).
func TestHandSaidWrong(t *testing.T) {
	for _, c := range []struct{ norm, game, rule string }{
		{can, "tripoker", "cantabria-2010 A.14.4 V"}, {can, "poker_holdem_bonus", "cantabria-2010 A.14.5 V"}, {can, "poker_holdem_banca", "cantabria-2010 A.14.6 V"},
		{cyl, "tripoker", "castilla-y-leon-2013 arts. 17-21 art. 19"}, {cyl, "poker_holdem_bonus", "castilla-y-leon-2013 arts. 23-28 art. 25"},
		{cyl, "poker_holdem_banca", "castilla-y-leon-2013 arts. 35-40 art. 37"}, {cyl, "texas_poker", "castilla-y-leon-2013 arts. 53-59 art. 55"},
		{cyl, "poker_sin_descarte", "castilla-y-leon-2013 arts. 4-9 art. 6"}, {cyl, "poker_cuatro_cartas", "castilla-y-leon-2013 arts. 41-45 art. 43"},
	} {
		rec := fullTable(t, c.norm, c.game)
		put(rec, len(rec.Events)-1, round.Event{Type: round.Announce, By: round.Croupier, Call: "bank_hand", Category: "cinco_ases"})
		v := rounds.Cited(t, rec)
		if len(v.Findings) != 1 || v.Findings[0].Code != finding.AnnouncementWrong || v.Findings[0].Rule != c.rule {
			t.Errorf("%s %s: %s %+v", c.norm, c.game, rounds.Full(v.Findings), v.Findings)
		}
	}
}

// TestTakenAfterTheShowdown: a player takes what is his when the round is over,
// but not what he lost.
func TestTakenAfterTheShowdown(t *testing.T) {
	for _, c := range []struct{ hand, want, left string }{
		{"Jh Jc 2d", "", "1 apuesta_1 win 1000; 1 apuesta_2 win 1000; 1 apuesta_3 win 1000"},
		{"Th Tc 2d", "late_withdrawal", "1 apuesta_1 lose 0; 1 apuesta_2 lose 0"},
	} {
		w := show{norm: bal, game: "poker_trijoker", hands: map[string]string{"seat:1": c.hand, "comun_izq": "5s", "comun_der": "7c"}}
		rec := settle(t, w.play(t))
		rec.Events = slices.DeleteFunc(rec.Events, func(e round.Event) bool { return e.Type == round.Collect && e.Spot == "apuesta_3" })
		put(rec, len(rec.Events)-1, round.Event{Type: round.Withdraw, Seat: 1, Spot: "apuesta_3", Amount: 1000})
		v := rounds.Cited(t, rec)
		if got := codes(v.Findings); got != c.want || paysOf(v) != c.left {
			t.Errorf("%s: %s, %s", c.hand, rounds.Full(v.Findings), paysOf(v))
		}
	}
}

// TestTakenBeforeOthersShow (clarification 10): chips of a null bet are the player's
// as soon as the cards that it hangs on lie open, whatever others have still to show.
func TestTakenBeforeOthersShow(t *testing.T) {
	const tie, pair = "Ac Ks Td 8c 5d", "9s 9d 4c 3h 2s"
	take := func(spot string, amount money.Cents) round.Event {
		return round.Event{Type: round.Withdraw, Seat: 1, Spot: spot, Amount: amount}
	}
	for _, c := range []struct {
		name, bank, before string
		taken              []round.Event
		want               string
	}{
		{"an equal hand", "As Kd Th 8s 5c", "seat:2", []round.Event{take("ante", 1000), take("second", 2000)}, ""},
		{"a bank that does not play", "As Qd Th 8s 5c", "seat:1", []round.Event{take("second", 2000)}, ""},
		{"before the own cards", "As Kd Th 8s 5c", "seat:1", []round.Event{take("second", 2000)}, "late_withdrawal 1 second 0/2000 @23"},
		{"before the bank's", "As Qd Th 8s 5c", "bank", []round.Event{take("second", 2000)}, "late_withdrawal 1 second 0/2000 @22"},
	} {
		rec := show{norm: cyl, game: "poker_sin_descarte",
			hands: map[string]string{"bank": c.bank, "seat:1": tie, "seat:2": pair}}.play(t)
		put(rec, where(t, rec, is(round.Reveal, c.before)), c.taken...)
		if got := rounds.Full(rounds.Cited(t, rec).Findings); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDeductionByZone (round record, commission): the seat of a deduction is written
// as a number or as the zone of its cards.
func TestDeductionByZone(t *testing.T) {
	for _, how := range []round.Event{{Seat: 2}, {Zone: "seat:2"}, {Seat: 2, Spot: "apuesta"}, {Zone: "seat:2", Spot: "apuesta"}} {
		rec := settle(t, fullTable(t, can, "pai_gow_poker"))
		deducted := false
		for i := range rec.Events {
			if e := &rec.Events[i]; e.Type == round.Commission && e.Seat == 2 {
				e.Seat, e.Zone, e.Spot, deducted = how.Seat, how.Zone, how.Spot, true
			}
		}
		if v := rounds.Cited(t, rec); !deducted || len(v.Findings) > 0 {
			t.Errorf("%+v: deducted %t, %s", how, deducted, rounds.Full(v.Findings))
		}
	}
}

// TestPrizeInOnePile: an automatic prize may be paid in one pile with the ante (§3),
// which nobody can tell apart where the bank's hand was not seen.
func TestPrizeInOnePile(t *testing.T) {
	for _, c := range []struct {
		name, bank string
		paid       money.Cents // on the ante
		want       string
	}{
		{"ante and prize", "Qs 7c 2d", 2000, ""},
		{"the prize is missing", "Qs 7c 2d", 1000, "payout_missing 1 bonus 1000/0"},
		{"the prize alone, of a beaten hand", "6s 7s 8s", 1000, ""},
		{"a pile, and an ante nobody knows", "?? 7c 2d", 2000, ""},
		{"what may be the prize alone", "?? 7c 2d", 1000, ""},
		{"too little for the prize", "?? 7c 2d", 500, "payout_missing 1 bonus 1000/0"},
	} {
		w := show{norm: can, game: "tripoker", hands: map[string]string{"seat:1": "2h 3d 4c", "bank": c.bank}}
		s := &stage{w.play(t)}
		s.add(round.Event{Type: round.Pay, Seat: 1, Spot: "ante", Amount: c.paid})
		s.add(round.Event{Type: round.Clear})
		var got []round.Finding
		for _, f := range rounds.Cited(t, s.rec).Findings {
			if f.Spot == "bonus" {
				got = append(got, f)
			}
		}
		if g := rounds.Brief(got, rounds.Seat, rounds.Spot, rounds.Amounts); g != c.want {
			t.Errorf("%s: %q, want %q", c.name, g, c.want)
		}
	}
}
