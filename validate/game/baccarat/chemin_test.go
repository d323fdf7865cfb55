package baccarat_test

import (
	"testing"

	"vision/internal/testkit/rounds"
)

// TestCheminArticles: bank, calls, drawing and slips (V to VIII).
func TestCheminArticles(t *testing.T) {
	rounds.Slips(t, "testdata/chemin.jsonl", "baccara_chemin_de_fer-13", rounds.Norms, []rounds.Slip{
		{"", "clean", "", ""},
		{"VI", "a punto of four that stands", "12 call=no; 14 cards=[\"Ks\",\"4h\"]; drop 13", "stood_must_draw punto"},
		{"VII", "the bank is announced higher than it is", "6 amount=25000", "announcement_wrong 20000/25000"},
		{"VII", "the bank is not announced", "drop 6", "announcement_missing hay_banca/-"},
		{"VII", "the closing call is missing", "drop 7", "announcement_missing no_va_mas/-"},
		{"VII", "a card before the closing call", "swap 7 8", "dealt_before_close"},
		{"VII", "«las cartas pasan» is missing", "drop 1", "announcement_missing cartas_pasan/-"},
		{"VII", "the punto says nothing", "drop 12", "announcement_missing punto carta/-"},
		{"VII", "the third card face down", "13 face=down", "face_wrong punto"},
		{"V", "the deduction a cent short", "18 amount=574", "commission_wrong 1 banca 575/574"},
		{"V", "no deduction", "drop 18", "commission_missing 1 banca 575/0"},
		{"VI", "a punto that lost is paid", "16 type=pay", "payout_to_loser 3 punto 0/6500"},
		{"V", "cards stuck together annul the round", "at 14 incident kind=cards_stuck",
			"void_round_settled 3 punto 0/-6500; void_round_settled 5 punto 0/-4990; void_round_settled 1 banca 0/-575"},
		{"", "a player's card on the floor", "at 14 incident kind=card_floor by=player", "other_procedure"},
	})
	rounds.Slips(t, "testdata/chemin.jsonl", "baccara_chemin_de_fer-15", []string{"cantabria-2010"}, []rounds.Slip{
		{"VII", "«abono la diferencia» is not said", "drop 4", "announcement_missing abono_diferencia/-"},
		{"V", "the deduction of an abono", "16 amount=400", "commission_wrong 2 abono 500/400"},
	})
}

// TestBankDealtThree: the bank that deals itself a third card in the first distribution
// counts nothing with them (VIII.3); one that lies face down once the punto has shown or
// drawn is a draw, whatever was heard of the punto.
func TestBankDealtThree(t *testing.T) {
	third := `card zone=banca card=2h face=down`
	rounds.Slips(t, "testdata/chemin.jsonl", chemin13, rounds.Norms, []rounds.Slip{
		{"", "before the punto speaks", `at 12 ` + third + `; 16 cards=["Jc","7s","2h"]`,
			"card_count_wrong banca 2/3; collected_winner 3 punto 0/6500; collected_winner 5 punto 0/4990; commission_wrong 1 banca 0/575"},
		{"VII", "after a punto who draws unheard", `drop 12; at 13 ` + third + `; 15 cards=["Jc","7s","2h"]`,
			"face_wrong banca; announcement_missing punto carta/-"},
	})
}

// TestBankerSpeaksLast: the banker speaks after the punto, whatever he holds; to
// show is to speak; stakes taken back then are not late (08.VIII.3 of 1979, L986;
// Balears L1800-1801; Andalucía VIII.3.f; Cantabria L2912-2914).
func TestBankerSpeaksLast(t *testing.T) {
	shown := `at 12 reveal zone=banca cards=["Jc","7s"]`
	natural := `8 zone=banca cards=["Ks","8s"]; 9 zone=punto cards=["9c","Qh"]`
	rounds.Slips(t, "testdata/chemin.jsonl", chemin13, rounds.Norms, []rounds.Slip{
		{"VIII", "shows before the punto asks", shown, "announcement_order"},
		{"VIII", "says before that he abates", "at 12 announce by=banquero call=abate zone=banca", "announcement_order"},
		{"VIII", "says it without naming his hand", "at 12 announce by=banquero call=abate", "announcement_order"},
		{"VII", "shows before a punto who draws unheard", shown + "; drop 13", "announcement_order; announcement_missing punto carta/-"},
		{"", "the bank is no stake that a player may take back", shown + "; at 13 withdraw seat=1 spot=banca amount=5000", "announcement_order; late_withdrawal 1 banca -/5000"},
		{"VIII", "shows once the punto has asked", `at 13 reveal zone=banca cards=["Jc","7s"]`, ""},
		{"VIII", "stakes taken back then", shown + "; at 13 withdraw seat=5 spot=punto amount=4990; drop 19; 19 amount=325", "announcement_order"},
		{"VIII", "a part taken back leaves no stake below the minimum", shown + "; at 13 withdraw seat=5 spot=punto amount=4490; 19 amount=500; 20 amount=350", "announcement_order"},
		{"VII", "taken back before he showed", "at 12 withdraw seat=5 spot=punto amount=4990; at 13 reveal zone=banca cards=[\"Jc\",\"7s\"]; drop 19; 19 amount=325", "late_withdrawal 5 punto -/4990; announcement_order"},
		{"VII", "taken back though nobody spoke out of turn", "at 12 withdraw seat=5 spot=punto amount=4990; drop 18; 18 amount=325", "late_withdrawal 5 punto -/4990"},
	})
	rounds.Slips(t, "testdata/chemin.jsonl", chemin14, rounds.Norms, []rounds.Slip{
		{"VIII", "abates with 8 before the punto abates", natural, "announcement_order"},
		{"VIII", "the whole bank is taken back from it", natural + "; at 9 withdraw seat=4 spot=banco amount=10000; drop 11", "announcement_order"},
		{"VIII", "abates with 9 and the punto is not heard", `8 zone=banca cards=["Ks","9s"]; 9 zone=punto cards=["6c","Qh"]; drop 10; at 10 commission seat=2 spot=banca amount=500; at 10 collect seat=4 spot=banco amount=10000`, "announcement_order"},
		{"VII", "abates after the punto, and the stake is taken back", `9 cards=["Ks","8s"]; at 9 withdraw seat=4 spot=banco amount=10000; drop 11`, "late_withdrawal 4 banco -/10000"},
	})
}

// TestBankerUncoversHisOwn: the banker who uncovers a card of the punto must
// uncover his own; that is no speech (1979 L984; Balears L1794-1796; Andalucía
// L2894-2897; Cantabria L2904-2906).
func TestBankerUncoversHisOwn(t *testing.T) {
	one := "at 12 incident kind=card_exposed by=banquero zone=punto count=1 card_no=1 card=Ks; "
	both := "at 12 incident kind=card_exposed by=banquero zone=punto count=2; "
	rounds.Slips(t, "testdata/chemin.jsonl", chemin13, rounds.Norms, []rounds.Slip{
		{"VIII", "the card that answers to it", one + `at 13 reveal zone=banca cards=["Jc","??"]`, ""},
		{"VIII", "nothing at all: when he must is not printed", one, ""},
		{"VIII", "the other card", one + `at 13 reveal zone=banca cards=["??","7s"]`, "announcement_order"},
		{"VIII", "both of his", one + `at 13 reveal zone=banca cards=["Jc","7s"]`, "announcement_order"},
		{"VIII", "before the slip", `at 12 reveal zone=banca cards=["Jc","??"]; at 13 incident kind=card_exposed by=banquero zone=punto count=1 card_no=1`, "announcement_order"},
		{"VIII", "the croupier's slip obliges to nothing", `at 12 incident kind=card_exposed by=croupier zone=punto count=1 card_no=1; at 13 reveal zone=banca cards=["Jc","??"]`, "announcement_order"},
		{"VIII", "both for both", both + `at 13 reveal zone=banca cards=["Jc","7s"]`, ""},
		{"", "a natural among both ends the round", both + `at 13 reveal zone=banca cards=["Jc","9s"]; 14 call=no; 16 cards=["Ks","4h"]; 17 cards=["Jc","9s"]; drop 15`, ""},
		{"", "unless he gives cards all the same", both + `at 13 reveal zone=banca cards=["Jc","9s"]; 17 cards=["Jc","9s"]`, ""},
		{"VII", "stakes may not be taken back for it", one + `at 13 reveal zone=banca cards=["Jc","??"]; at 14 withdraw seat=5 spot=punto amount=4990; drop 20; 20 amount=325`, "late_withdrawal 5 punto -/4990"},
		{"VIII", "a natural of which one card was uncovered does not abate", one + `at 13 reveal zone=banca cards=["Jc","??"]; 17 cards=["Jc","9s"]`, ""},
	})
}

// TestChecksOfTheCarry: a bank of less than nothing, and a seat that is none, no round leaves.
func TestChecksOfTheCarry(t *testing.T) {
	const setup = `nacional-1979 baccara_chemin_de_fer "table":{"min":500},"carry":`
	for carry, path := range map[string]string{
		`{"banker":1,"bank":-1}`:            "carry",
		`{"banker":-1,"bank":5000}`:         "carry",
		`{"banker":1,"bank":5,"passes":-1}`: "carry",
		`{"banker":1,"bank":5,"gain":-1}`:   "carry",
		`{"lost_by":-1}`:                    "carry",
		`{"banker":"1"}`:                    "carry.banker",
	} {
		rounds.Refused(t, rounds.Script(t, setup+carry, "bet 1 banca 5000; bet 2 punto 5000"), path)
	}
	rounds.Verdict(t, rounds.Script(t, setup+`{"banker":1,"bank":0,"passes":0,"gain":0}`, "bet 1 banca 5000; bet 2 punto 5000"))
}
