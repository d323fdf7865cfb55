package baccarat_test

import (
	"strings"
	"testing"

	"vision/internal/testkit/rounds"
)

// TestPanosArticles: calls, drawing against two cloths and slips (VI to VIII).
func TestPanosArticles(t *testing.T) {
	rounds.Slips(t, "testdata/panos.jsonl", "baccara_dos_panos-19", rounds.Norms, []rounds.Slip{
		{"", "clean", "", ""},
		{"VII", "a cloth says nothing", "drop 11", "announcement_missing pano2 carta/-"},
		{"VII", "eight said as nine", "16 points=9", "announcement_wrong pano1 8/9"},
		{"VII", "the bank's points are not said", "drop 18", "announcement_missing banca puntos/-"},
		{"VII", "the bank draws before the second cloth", "swap 12 13", "deal_order_wrong"},
		{"VII", "a first card face up", "4 face=up", "face_wrong pano1"},
		{"VI", "a cloth paid short", "19 amount=8000", "payout_under 2 pano1 8100/8000"},
		{"VI", "cards stuck together annul the round", "at 14 incident kind=cards_stuck", "void_round_settled 2 pano1 0/8100"},
		{"VIII.2", "the bank's third card in the basket annuls nothing", "at 14 incident kind=card_into_basket by=banquero zone=banca count=1 card_no=3", ""},
		{"", "a stake made smaller after a card lay face up in the sabot", `at 3 incident kind=card_faceup_in_shoe card=Ks; at 4 burn count=1; at 5 withdraw seat=2 spot=pano1 amount=100; 22 amount=8000`, "late_withdrawal 2 pano1 -/100"},
		{"", "beside a void cloth a bank of nothing still draws", `9 card=5h; 15 cards=["5d","5h"]; 18 points=0; drop 13; at 5 incident kind=card_into_basket by=croupier zone=pano1 count=1; drop 19; at 19 pay seat=3 spot=pano2 amount=4000`, "stood_must_draw banca"},
		{"VI", "a first card in the basket annuls its cloth", "at 5 incident kind=card_into_basket by=croupier zone=pano1 count=1", "void_round_settled 2 pano1 0/8100"},
	})
}

// TestPanosThirds: third cards go to the first cloth, the second, the bank; the first
// that comes after one of a later place is named.
func TestPanosThirds(t *testing.T) {
	v := rounds.Cited(t, rounds.Edited(t, "testdata/panos.jsonl", panos18, rounds.Norms[0],
		"13 zone=banca; at 14 card zone=pano2 card=5c face=up; at 15 card zone=pano1 card=2s face=up"))
	if got := rounds.Brief(v.Findings, rounds.Event); !strings.Contains(got, "deal_order_wrong @14") {
		t.Errorf("got %s, want the second cloth's card, which comes after the bank's", got)
	}
}

// TestBankerSpeaksAfterTheCloths: at two cloths those who have the hand speak in
// their order and before the banker (09.VII of 1979; Balears VII; Andalucía VII.8; Cantabria VII).
func TestBankerSpeaksAfterTheCloths(t *testing.T) {
	rounds.Slips(t, "testdata/panos.jsonl", panos18, rounds.Norms, []rounds.Slip{
		{"VII", "shows before the first", `at 11 reveal zone=banca cards=["6d","Qh"]`, "announcement_order"},
		{"VII", "shows between the two", `at 12 reveal zone=banca cards=["6d","Qh"]`, "announcement_order"},
		{"VII", "shows before a cloth that draws unheard", `drop 12; at 12 reveal zone=banca cards=["6d","Qh"]`, "announcement_order; announcement_missing pano2 carta/-"},
		{"", "the bank is no stake that a player may take back", `at 11 reveal zone=banca cards=["6d","Qh"]; at 12 withdraw seat=1 spot=banca amount=5000`, "announcement_order; late_withdrawal 1 banca -/5000"},
		{"VII", "shows after both", `at 13 reveal zone=banca cards=["6d","Qh"]`, ""},
		{"VII", "the first cloth abates after the second spoke", `drop 11; at 12 reveal zone=pano1 cards=["4c","5s"]; 14 cards=["4c","5s"]; 17 points=9`, "announcement_order"},
		{"VII", "the first cloth abates before the second speaks", `drop 11; at 11 reveal zone=pano1 cards=["4c","5s"]; 14 cards=["4c","5s"]; 17 points=9`, ""},
		{"VII", "the second cloth abates before the first spoke", `drop 13; drop 12; at 11 reveal zone=pano2 cards=["Kd","8h"]; 14 cards=["Kd","8h"]; 17 points=8`, "announcement_order"},
		{"VII", "the second cloth abates after the first spoke", `drop 13; drop 12; at 12 reveal zone=pano2 cards=["Kd","8h"]; 14 cards=["Kd","8h"]; 17 points=8`, ""},
		{"VII", "both abate, the second first", `drop 13; drop 12; drop 11; at 11 reveal zone=pano2 cards=["Kd","8h"]; at 12 reveal zone=pano1 cards=["4c","5s"]; 13 cards=["4c","5s"]; 14 cards=["Kd","8h"]; 16 points=9; 17 points=8`, "announcement_order"},
		{"VII", "both abate in their order", `drop 13; drop 12; drop 11; 11 cards=["4c","5s"]; 12 cards=["Kd","8h"]; 14 points=9; 15 points=8`, ""},
		{"VII", "a stake taken back then", `at 11 reveal zone=banca cards=["6d","Qh"]; at 12 withdraw seat=4 spot=caballo amount=1000; at 12 withdraw seat=4 spot=caballo amount=4000; drop 25`, "announcement_order"},
		{"VII", "a stake taken back while all is in order", `at 13 withdraw seat=4 spot=caballo amount=5000; drop 23`, "late_withdrawal 4 caballo -/5000"},
	})
}

// TestTwoClothsPutRight: of a bet on both cloths one half wins and the other is lost; what
// is paid or collected beyond that and put right is no finding (point cards, 0.4 and 5).
func TestTwoClothsPutRight(t *testing.T) {
	const split = `13 card=Ah; 15 cards=["Kd","2h","Ah"]; 18 points=3; 21 type=collect; `
	rounds.Slips(t, "testdata/panos.jsonl", panos18, rounds.Norms, []rounds.Slip{
		{"", "paid and collected", split + "22 amount=3000; at 23 collect seat=4 spot=caballo amount=2000", ""},
		{"", "both halves paid, the excess collected with the loss", split + "at 23 collect seat=4 spot=caballo amount=4000", ""},
		{"", "both halves collected, the excess given back", split + "22 amount=3000; at 23 collect seat=4 spot=caballo amount=5000; " +
			"at 24 return seat=4 spot=caballo amount=3000", ""},
		{"VI", "both halves paid, only the loss collected", split + "at 23 collect seat=4 spot=caballo amount=2000", "payout_over 4 caballo 3000/5000"},
	})
}
