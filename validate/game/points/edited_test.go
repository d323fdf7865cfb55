package points_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vision/validate/round"
)

// edited is a clean round under some norm with a few events changed:
//
//	drop N · swap N M · N FIELD=VALUE … · at N TYPE FIELD=VALUE …
//
// joined by ";". Values that read as JSON are JSON, others are strings.
func edited(t *testing.T, id, norm, edits string) *round.Record {
	t.Helper()
	var rec map[string]any
	for _, line := range bytes.Split(clean, []byte("\n")) {
		var r map[string]any
		if json.Unmarshal(line, &r) == nil && r["id"] == id {
			rec = r
		}
	}
	if rec == nil {
		t.Fatal("no clean round", id)
	}
	rec["norm"] = norm
	events := rec["events"].([]any)
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err, edits)
		}
		return n
	}
	set := func(e map[string]any, words []string) {
		for _, w := range words {
			k, text, _ := strings.Cut(w, "=")
			var v any
			if json.Unmarshal([]byte(text), &v) != nil {
				v = text
			}
			e[k] = v
		}
	}
	for _, edit := range strings.Split(edits, ";") {
		w := strings.Fields(edit)
		switch {
		case len(w) == 0:
		case w[0] == "drop":
			events = slices.Delete(events, number(w[1]), number(w[1])+1)
		case w[0] == "swap":
			a, b := number(w[1]), number(w[2])
			events[a], events[b] = events[b], events[a]
		case w[0] == "at":
			e := map[string]any{"type": w[2]}
			set(e, w[3:])
			events = slices.Insert(events, number(w[1]), any(e))
		default:
			set(events[number(w[0])].(map[string]any), w[1:])
		}
	}
	for i, e := range events {
		e.(map[string]any)["t"] = i
	}
	rec["events"] = events
	raw, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := round.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told writes findings as "code zone seat spot expected/observed", joined by "; ".
func told(list []round.Finding) string {
	var out []string
	for _, f := range list {
		s := string(f.Code)
		for _, w := range []string{f.Zone, fmt.Sprint(f.Seat), f.Spot} {
			if w != "" && w != "0" {
				s += " " + w
			}
		}
		if f.Expected != nil || f.Observed != nil {
			text := func(v any) string {
				if v == nil {
					return "-"
				}
				raw, _ := json.Marshal(v)
				return strings.Trim(string(raw), `"`)
			}
			s += " " + text(f.Expected) + "/" + text(f.Observed)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

type slip struct {
	article, what string
	norms         []string
	edits, want   string
}

func slips(t *testing.T, id string, list []slip) {
	for _, c := range list {
		for _, norm := range c.norms {
			t.Run(norm+" "+c.what, func(t *testing.T) {
				v := judge(t, edited(t, id, norm, c.edits))
				if got := told(v.Findings); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
				for _, f := range v.Findings {
					if !strings.Contains(f.Rule, c.article) {
						t.Errorf("%s cites %s, want %s", f.Code, f.Rule, c.article)
					}
				}
			})
		}
	}
}

var (
	cantabria = []string{"cantabria-2010"}
	andalucia = []string{"andalucia-2010"}
	catalogue = []string{"andalucia-2010", "cantabria-2010"} // with the same headings
)

// TestTreintaArticles: rows, calls and order of payment (V.3; VI in Cantabria).
func TestTreintaArticles(t *testing.T) {
	slips(t, "treinta_cuarenta-7", []slip{
		{"", "clean", norms, "", ""},
		{"", "seven said as eight", norms, "15 points=8", "announcement_wrong negro 37/8"},
		{"", "the chances are not said", norms, "drop 17", "announcement_missing suertes/-"},
		{"", "the wrong row is said to win", norms, "17 winner=negro", "announcement_wrong rojo/negro"},
		{"", "paid before the losers are off", norms, "swap 18 20", "paid_before_collect"},
		{"", "rojo paid before color", norms, "swap 20 21", "payout_order_wrong"},
		{"", "a card more to a full row", norms, "at 10 card zone=negro card=3h face=up", "drew_must_stand negro"},
		{"", "the second row stops at 26", norms, "drop 14", "not_observable 1 rojo; not_observable 4 color; not_observable 5 inverso; not_observable 6 negro; stood_must_draw rojo"},
		{"", "the red row begins too soon", norms, "swap 9 10", "deal_order_wrong"},
		{"", "a card face down", norms, "6 face=down", "face_wrong negro"},
		{"", "a loser is paid, before another is off", norms, "18 type=pay", "payout_to_loser 5 inverso 0/2300; paid_before_collect"},
		{"V.2", "below the minimum", catalogue, "0 amount=500; 21 amount=500", "bet_below_min 1 rojo 600/500"},
	})
}

// TestCheminArticles: bank, calls, drawing and slips (V to VIII).
func TestCheminArticles(t *testing.T) {
	slips(t, "baccara_chemin_de_fer-13", []slip{
		{"", "clean", norms, "", ""},
		{"VI", "a punto of four that stands", norms, "12 call=no; 14 cards=[\"Ks\",\"4h\"]; drop 13", "stood_must_draw punto"},
		{"VII", "the bank is announced higher than it is", norms, "6 amount=25000", "announcement_wrong 20000/25000"},
		{"VII", "the bank is not announced", norms, "drop 6", "announcement_missing hay_banca/-"},
		{"VII", "the closing call is missing", norms, "drop 7", "announcement_missing no_va_mas/-"},
		{"VII", "a card before the closing call", norms, "swap 7 8", "dealt_before_close"},
		{"VII", "«las cartas pasan» is missing", norms, "drop 1", "announcement_missing cartas_pasan/-"},
		{"VII", "the punto says nothing", norms, "drop 12", "announcement_missing punto carta/-"},
		{"VII", "the third card face down", norms, "13 face=down", "face_wrong punto"},
		{"V", "the deduction a cent short", norms, "18 amount=574", "commission_wrong 1 banca 575/574"},
		{"V", "no deduction", norms, "drop 18", "commission_missing 1 banca 575/0"},
		{"VI", "a punto that lost is paid", norms, "16 type=pay", "payout_to_loser 3 punto 0/6500"},
		{"V", "cards stuck together annul the round", norms, "at 14 incident kind=cards_stuck",
			"void_round_settled 3 punto 0/-6500; void_round_settled 5 punto 0/-4990; void_round_settled 1 banca 0/-575"},
		{"", "a player's card on the floor", norms, "at 14 incident kind=card_floor by=player", "other_procedure"},
	})
	slips(t, "baccara_chemin_de_fer-15", []slip{
		{"VII", "«abono la diferencia» is not said", cantabria, "drop 4", "announcement_missing abono_diferencia/-"},
		{"V", "the deduction of an abono", cantabria, "16 amount=400", "commission_wrong 2 abono 500/400"},
	})
}

// TestPanosArticles: calls, drawing against two cloths and slips (VI to VIII).
func TestPanosArticles(t *testing.T) {
	slips(t, "baccara_dos_panos-19", []slip{
		{"", "clean", norms, "", ""},
		{"VII", "a cloth says nothing", norms, "drop 11", "announcement_missing pano2 carta/-"},
		{"VII", "eight said as nine", norms, "16 points=9", "announcement_wrong pano1 8/9"},
		{"VII", "the bank's points are not said", norms, "drop 18", "announcement_missing banca puntos/-"},
		{"VII", "the bank draws before the second cloth", norms, "swap 12 13", "deal_order_wrong"},
		{"VII", "a first card face up", norms, "4 face=up", "face_wrong pano1"},
		{"VI", "a cloth paid short", norms, "19 amount=8000", "payout_under 2 pano1 8100/8000"},
		{"VI", "cards stuck together annul the round", norms, "at 14 incident kind=cards_stuck", "void_round_settled 2 pano1 0/8100"},
		{"VI", "a first card in the basket annuls its cloth", norms, "at 5 incident kind=card_into_basket by=croupier zone=pano1 count=1", "void_round_settled 2 pano1 0/8100"},
	})
}

// TestMonteArticles: places, calls, bets and payments of monte o banca (I.1.13).
func TestMonteArticles(t *testing.T) {
	slips(t, "monte_banca-22", []slip{
		{"", "clean", andalucia, "", ""},
		{"", "«primera carta» is missing", andalucia, "drop 0", "announcement_missing primera_carta/-"},
		{"", "the first two calls exchanged", andalucia, "0 call=segunda_carta; 2 call=primera_carta", "announcement_order; announcement_missing primera_carta/-"},
		{"", "«hagan juego» is missing", andalucia, "drop 8", "announcement_missing hagan_juego/-"},
		{"", "the closing call is missing", andalucia, "drop 14", "announcement_missing no_va_mas/-"},
		{"", "a bet after the closing call", andalucia, "swap 13 14", "late_bet 4 anti:1 -/250; void_round_settled 4 anti:1 0/2750"},
		{"", "a card of the pack twice", andalucia, "25 card=7B", "duplicate_card -/7B"},
		{"", "a card of another pack", andalucia, "25 card=As", "foreign_card -/As; not_observable 3 cartas:3-4; not_observable 5 s2/viudo:3; not_observable 6 s2/camo:4"},
		{"", "paid before the losers are off", andalucia, "swap 17 18", "paid_before_collect"},
		{"", "cartas paid short", andalucia, "20 amount=1800", "payout_under 3 cartas:1-2 2000/1800"},
		{"", "a loser is paid", andalucia, "17 type=pay", "payout_to_loser 2 camo:2 0/350"},
		{"", "more than thirty times the minimum", andalucia, "13 amount=6001; 19 amount=66011", "bet_above_max 4 anti:1 6000/6001"},
	})
}
