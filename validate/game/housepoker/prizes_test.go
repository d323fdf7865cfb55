package housepoker_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vision/internal/money"
	"vision/internal/testkit/rounds"
	"vision/validate/game/hands"
	"vision/validate/game/housepoker"
	"vision/validate/round"
)

// specimens are hands of every combination, by the cards that a game shows. A
// pair has its rank beside it: the norms pay some pairs and not others.
var specimens = map[string]map[string]string{
	"five": {
		"escalera_real": "Ah Kh Qh Jh Th", "escalera_color": "5h 6h 7h 8h 9h", "poquer": "4h 4c 4d 4s 6c", "full": "4h 4c 4d 6s 6c",
		"color": "2h 4h 9h Jh Kh", "escalera": "4h 5c 6h 7d 8h", "trio": "4h 4c 4d 6s Jc", "doble_pareja": "4h 4c 6d 6s Jc",
		"pareja 14": "Ah Ac 6d 7s Jc", "pareja 9": "9h 9d 6d 7s Jc", "pareja 7": "7h 7c 6d 2s Jc", "carta_alta": "Ah Kc Qd 4h 5h",
	},
	"three": {
		"escalera_real": "Ah Kh Qh", "escalera_color": "4h 5h 6h", "trio": "4h 4c 4d", "escalera": "4h 5c 6h",
		"color": "2h 4h Kh", "pareja 4": "4h 4c Kd", "carta_alta": "Ah Kd 9c",
	},
	"four": {
		"poquer": "4h 4c 4d 4s 6c", "escalera_color": "4h 5h 6h 7h Jc", "trio": "4h 4c 4d 6s Jc", "color": "2h 4h 9h Jh Kc",
		"escalera": "4h 5c 6h 7d Jh", "doble_pareja": "4h 4c 6d 6s Jc", "pareja 14": "Ah Ac 6d 9s Jc", "pareja 13": "Kh Kc 6d 9s Jc", "carta_alta": "Ah Kc Jd 4h 6h",
	},
	"hole": {
		"AA-AA": "Ah Ad", "AA": "Ah Ad", "AKs": "Ah Kh", "AQs": "Ah Qh", "AJs": "Ah Jh", "ATs": "Ah Th", "AKo": "Ah Kd", "KK": "Kh Kd", "QQ": "Qh Qd", "JJ": "Jh Jd",
		"AQo": "Ah Qd", "AJo": "Ah Jd", "ATo": "Ah Td", "KQs": "Kh Qh", "TT": "Th Td", "99": "9h 9d", "88": "8h 8d", "77": "7h 7d", "66": "6h 6d", "55": "5h 5d", "44": "4h 4d", "33": "3h 3d", "22": "2h 2d",
	},
}

// prizes are the tables of prizes as each norm's own article prints them, net
// to one; "n%" is a part of the meter. What a row does not name wins nothing.
var prizes = []struct{ norm, game, spot, options, of, article, pays string }{
	{bal, "poker_sin_descarte", "second", "", "five", "11 L2298-2337", sinDescarte},
	{bal, "poker_sin_descarte", "seguro", "", "five", "11 L2388-2400", seguro},
	{bal, "poker_sin_descarte", "progresivo", "", "five", "11 L2451-2455", "escalera_real 100%, escalera_color 10%"},
	{bal, "poker_trijoker", "apuesta_1", "", "five", "13 L2929-2948", trijoker},
	{and, "poker_sin_descarte", "second", "", "five", "I.1.9.A V.1", sinDescarte},
	{and, "poker_sin_descarte", "seguro", "", "five", "I.1.9.A VII.4", seguro},
	{and, "poker_sin_descarte", "progresivo", "", "five", "I.1.9.A VII.6 L3954-4031", "escalera_real 100%, escalera_color 10%, poquer 300, full 100, color 50, escalera 30"},
	{and, "poker_trijoker", "apuesta_2", "", "five", "I.1.9.B V.2", trijoker},
	{and, "tripoker", "ante", "", "three", "I.1.9.C VII.4", evenThree},
	{and, "tripoker", "second", "", "three", "I.1.9.C VII.4", evenThree},
	{and, "tripoker", "fortuna", "", "three", "I.1.9.C VII.1", "escalera_real 40, escalera_color 40, trio 30, escalera 5, color 4, pareja 1"},
	{and, "tripoker", "extra_ante", "", "three", "I.1.9.C VII.5", "escalera_real 4, escalera_color 4, trio 3, escalera 1"},
	{can, "poker_sin_descarte", "second", "", "five", "A.14.1 V.1", sinDescarte},
	{can, "poker_sin_descarte", "seguro", "", "five", "A.14.1 VII", seguro},
	{can, "poker_sin_descarte", "progresivo", "", "five", "A.14.1 VII L3986-3991", "escalera_real 100%, escalera_color 10%"},
	{can, "poker_trijoker", "apuesta_3", "", "five", "A.14.2 V.2", trijoker},
	{can, "tripoker", "second", "", "three", "A.14.4 VI", evenThree},
	{can, "tripoker", "bonus", "", "three", "A.14.4 VI", bonusThree},
	{can, "tripoker", "pareja_plus", `{"pareja_plus_table":1}`, "three", "A.14.4 VI", "escalera_real 50, escalera_color 40, trio 30, escalera 6, color 3, pareja 1"},
	{can, "tripoker", "pareja_plus", `{"pareja_plus_table":2}`, "three", "A.14.4 VI", "escalera_real 40, escalera_color 40, trio 30, escalera 6, color 4, pareja 1"},
	{can, "tripoker", "pareja_plus", `{"pareja_plus_table":3}`, "three", "A.14.4 VI", "escalera_real 35, escalera_color 35, trio 33, escalera 6, color 4, pareja 1"},
	{can, "poker_holdem_bonus", "bonus", "", "hole", "A.14.5 VI L5095-5112", pocketBonus},
	{cyl, "poker_sin_descarte", "second", "", "five", "art. 6", sinDescarte},
	{cyl, "poker_sin_descarte", "seguro", "", "five", "art. 9.1", seguro},
	{cyl, "poker_sin_descarte", "progresivo", "", "five", "art. 9.2", "escalera_real 100%, escalera_color 10%, poquer 5%, full 120, color 60, escalera 30"},
	{cyl, "poker_trijoker", "apuesta_1", "", "five", "art. 12", trijoker},
	{cyl, "tripoker", "second", "", "three", "art. 21.1", evenThree},
	{cyl, "tripoker", "bonus", "", "three", "art. 21.2", bonusThree},
	{cyl, "tripoker", "pareja_plus", `{"pareja_plus_table":1}`, "three", "art. 21.7", "escalera_real 50, escalera_color 40, trio 30, escalera 6, color 3, pareja 1"},
	{cyl, "tripoker", "pareja_plus", `{"pareja_plus_table":2}`, "three", "art. 21.7", "escalera_real 40, escalera_color 40, trio 30, escalera 6, color 4, pareja 1"},
	{cyl, "tripoker", "pareja_plus", `{"pareja_plus_table":3}`, "three", "art. 21.7", "escalera_real 35, escalera_color 35, trio 33, escalera 6, color 4, pareja 1"},
	{cyl, "poker_holdem_bonus", "bonus", "", "hole", "art. 27.2", pocketBonus},
	{cyl, "poker_cuatro_cartas", "ases", "", "four", "art. 43.4", "poquer 40, escalera_color 30, trio 7, color 6, escalera 4, doble_pareja 2, pareja 14 1"},
	{cyl, "poker_cuatro_cartas", "bono_ante", "", "four", "art. 43.12", "poquer 20, escalera_color 15, trio 2"},
	{cyl, "poker_con_descarte", "second", "", "five", "art. 48.1", "escalera_real 100, escalera_color 25, poquer 20, full 7, color 5, escalera 3, trio 2, doble_pareja 1, pareja 14 1, pareja 9 1"},
	{cyl, "poker_con_descarte", "jackpot", "", "five", "art. 51.2", "escalera_real 100%, escalera_color 10%, poquer 5%"},
	{cyl, "texas_poker", "ante", "", "five", "art. 56.1", "escalera_real 100, escalera_color 20, poquer 10, full 3, color 2, escalera 1, trio 1, doble_pareja 1, pareja 1, carta_alta 1"},
	{cyl, "texas_poker", "txb", "", "five", "art. 56.2", "escalera_real 25, escalera_color 25, poquer 25, full 25, color 25, escalera 7, trio 7, doble_pareja 7, pareja 14 7"},
}

const (
	sinDescarte = "escalera_real 100, escalera_color 25, poquer 20, full 7, color 5, escalera 4, trio 3, doble_pareja 2, pareja 1, carta_alta 1"
	seguro      = "full 100, poquer 300, escalera_color 1000, escalera_real 2000"
	trijoker    = "escalera_real 500, escalera_color 200, poquer 50, full 11, color 8, escalera 5, trio 3, doble_pareja 2, pareja 14 1"
	evenThree   = "escalera_real 1, escalera_color 1, trio 1, escalera 1, color 1, pareja 1, carta_alta 1"
	bonusThree  = "escalera_real 5, escalera_color 5, trio 4, escalera 1"
	pocketBonus = "AA-AA 1000, AA 30, AKs 25, AQs 20, AJs 20, AKo 15, KK 10, QQ 10, JJ 10, AQo 5, AJo 5, TT 3, 99 3, 88 3, 77 3, 66 3, 55 3, 44 3, 33 3, 22 3"
)

// TestPrizesByArticle deals every combination to every spot that has a table of
// prizes, and holds each line and each hand that the article does not name.
func TestPrizesByArticle(t *testing.T) {
	const meter, stake = 1_000_000, 100
	for _, c := range prizes {
		t.Run(c.norm+" "+c.game+" "+c.spot+" "+c.options, func(t *testing.T) {
			named := priceList(t, c.pays)
			used := map[string]bool{}
			for hand, cards := range specimens[c.of] {
				line, said := named[hand]
				key := hand
				if !said {
					key, _, _ = strings.Cut(hand, " ")
					line, said = named[key]
				}
				used[key] = used[key] || said
				v := rounds.Cited(t, dealPrize(t, c.norm, c.game, c.spot, c.options, hand, cards, meter, stake))
				got, there := settledAs(v, c.spot)
				want := int64(0)
				base := int64(got.Stake)
				if base == 0 {
					base = 1000 // a virtual spot goes by the ante
				}
				if said {
					if want = line.times * base; line.percent > 0 {
						want = meter * line.percent / 100
					}
				}
				switch {
				case want > 0 && (got.Outcome != round.Win || int64(got.Pays) != want):
					t.Errorf("%s: %s of %d, the article says %d", hand, got.Outcome, got.Pays, want)
				case want == 0 && there && (got.Outcome != round.Lose || got.Pays != 0):
					t.Errorf("%s: %s of %d, the article does not name it", hand, got.Outcome, got.Pays)
				}
			}
			for name := range named {
				if !used[name] {
					t.Errorf("no specimen of %s", name)
				}
			}
		})
	}
}

// TestEveryTableOfPrizes: no spot of the rulebooks with a table of its own is left out above.
func TestEveryTableOfPrizes(t *testing.T) {
	held := map[string]bool{}
	for _, c := range prizes {
		held[c.norm+" "+c.game+" "+c.spot] = true
	}
	eachGame(t, func(t *testing.T, norm, game string) {
		for _, spot := range slices.Sorted(maps.Keys(rounds.Rules[*housepoker.Rules](t, norm, game).Spots)) {
			sp := rounds.Rules[*housepoker.Rules](t, norm, game).Spots[spot]
			lines := len(sp.Pays) + len(sp.Tables) + len(sp.Prizes)
			alike := game == "poker_trijoker" || strings.HasPrefix(game, "poker_holdem") && spot == "ante" || game == "tripoker" && spot == "progresivo"
			if lines > 1 && !alike && !held[norm+" "+game+" "+spot] {
				t.Errorf("%s %s %s: no article compared", norm, game, spot)
			}
		}
	})
}

// TestCarruselByArticle: the interconnected tripóquer of Andalucía goes by the
// table of the póquer sin descarte, on three cards and two common ones (I.1.9.C IX).
func TestCarruselByArticle(t *testing.T) {
	named := priceList(t, "escalera_real 100%, escalera_color 10%, poquer 300, full 100, color 50, escalera 30")
	for hand, five := range specimens["five"] {
		f := strings.Fields(five)
		w := show{norm: and, game: "tripoker", options: `{"interconnected":true}`, carry: `{"progresivo_meter":1000000}`,
			hands: against(strings.Join(f[:3], " "), "Qs 8d 3c"), sides: map[string]money.Cents{"progresivo": 100}}
		rec := w.play(t)
		insert(rec, -1, round.Event{Type: round.CardDealt, Zone: "board", Card: cards(t, f[3])[0], Face: "up"},
			round.Event{Type: round.CardDealt, Zone: "board", Card: cards(t, f[4])[0], Face: "up"})
		got, _ := settledAs(rounds.Cited(t, rec), "progresivo")
		want := int64(0)
		if p, ok := named[hand]; ok {
			want = p.times*100 + p.percent*10000
		}
		if int64(got.Pays) != want || (want > 0) != (got.Outcome == round.Win) {
			t.Errorf("%s: %s of %d, want %d", hand, got.Outcome, got.Pays, want)
		}
	}
}

// price is one line of a table: so many times the stake, or a part of the meter.
type price struct{ times, percent int64 }

func priceList(t testing.TB, text string) map[string]price {
	t.Helper()
	out := map[string]price{}
	for line := range strings.SplitSeq(text, ", ") {
		at := strings.LastIndex(line, " ")
		name, figure := line[:at], line[at+1:]
		figure, part := strings.CutSuffix(figure, "%")
		n, err := strconv.ParseInt(figure, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if part {
			out[name] = price{percent: n}
		} else {
			out[name] = price{times: n}
		}
	}
	return out
}

// against is a hand of seat 1 and the bank's.
func against(own, bank string) map[string]string {
	return map[string]string{"seat:1": own, "bank": bank}
}

func settledAs(v round.Verdict, spot string) (round.Settlement, bool) {
	for _, s := range v.Settlement {
		if s.Spot == spot {
			return s, true
		}
	}
	return round.Settlement{}, false
}

// dealPrize plays a round in which seat 1 has a hand, and the bank one that
// qualifies and is lower.
func dealPrize(t testing.TB, norm, game, spot, options, hand, own string, meter, stake int) *round.Record {
	t.Helper()
	w := show{norm: norm, game: game, options: options, hands: against(own, "As Kd 9c 5d 3c")}
	f := strings.Fields(own)
	switch game {
	case "tripoker":
		w.hands["bank"] = "Qs 8d 3c"
	case "poker_trijoker":
		w.hands = map[string]string{"seat:1": strings.Join(f[:3], " "), "comun_izq": f[3], "comun_der": f[4]}
	case "poker_holdem_bonus":
		w.hands = against(own, "4c 9s")
		w.hands["board"] = "2c 6s 7c Ts Qc"
		if hand == "AA-AA" {
			w.hands["bank"] = "As Ac"
		}
	case "poker_cuatro_cartas":
		w.hands["bank"] = "Qs Td 9d 3c 2s 8c"
	case "poker_con_descarte":
		w.hands["bank"] = "8s 8d 2c 3d Td"
	case "texas_poker":
		w.hands = against(strings.Join(f[:2], " "), "2c Kd")
		w.hands["board"] = strings.Join(f[2:], " ") + " 3d 8s"
	}
	switch {
	case spot == "progresivo" || spot == "jackpot":
		w.carry = fmt.Sprintf(`{"%s_meter":%d}`, spot, meter)
		fallthrough
	case slices.Contains([]string{"seguro", "pareja_plus", "fortuna", "ases", "bonus", "txb"}, spot) && layouts[game].second != spot:
		if game != "tripoker" || spot != "bonus" { // the bonus of the tripóquer has no chips
			w.sides = map[string]money.Cents{spot: money.Cents(stake)}
		}
		if spot == "fortuna" || spot == "ases" || spot == "pareja_plus" {
			w.sides = map[string]money.Cents{spot: 500}
		}
	}
	return w.play(t)
}

// TestUnnamedHandsAreAll: the specimens hold every combination there is.
func TestUnnamedHandsAreAll(t *testing.T) {
	for of, order := range map[string][]hands.Category{
		"five":  rounds.Rules[*housepoker.Rules](t, cyl, "poker_con_descarte").Hand.Order,
		"three": rounds.Rules[*housepoker.Rules](t, cyl, "tripoker").Hand.Order,
		"four":  rounds.Rules[*housepoker.Rules](t, cyl, "poker_cuatro_cartas").Hand.Order,
	} {
		for _, c := range order {
			found := false
			for name := range specimens[of] {
				found = found || strings.HasPrefix(name, c.String())
			}
			if !found {
				t.Errorf("%s: no %s", of, c)
			}
		}
	}
}
