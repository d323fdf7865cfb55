package points_test

import "testing"

const (
	chemin13 = "baccara_chemin_de_fer-13" // the punto asks for a card, the bank stands on 7
	chemin14 = "baccara_chemin_de_fer-14" // the punto abates with 9 against banco
	panos18  = "baccara_dos_panos-18"     // the first cloth says no, the second takes a card
)

// TestBankerSpeaksLast: the banker speaks after the punto, whatever he holds; to
// show is to speak; stakes taken back then are not late (08.VIII.3 of 1979, L986;
// Balears L1800-1801; Andalucía VIII.3.f; Cantabria L2912-2914).
func TestBankerSpeaksLast(t *testing.T) {
	shown := `at 12 reveal zone=banca cards=["Jc","7s"]`
	natural := `8 zone=banca cards=["Ks","8s"]; 9 zone=punto cards=["9c","Qh"]`
	slips(t, chemin13, []slip{
		{"VIII", "shows before the punto asks", norms, shown, "announcement_order"},
		{"VIII", "says before that he abates", norms, "at 12 announce by=banquero call=abate zone=banca", "announcement_order"},
		{"VIII", "shows once the punto has asked", norms, `at 13 reveal zone=banca cards=["Jc","7s"]`, ""},
		{"VIII", "stakes taken back then", norms, shown + "; at 13 withdraw seat=5 spot=punto amount=4990; drop 19; 19 amount=325", "announcement_order"},
		{"VIII", "a part taken back leaves no stake below the minimum", norms, shown + "; at 13 withdraw seat=5 spot=punto amount=4490; 19 amount=500; 20 amount=350", "announcement_order"},
		{"VII", "taken back before he showed", norms, "at 12 withdraw seat=5 spot=punto amount=4990; at 13 reveal zone=banca cards=[\"Jc\",\"7s\"]; drop 19; 19 amount=325", "late_withdrawal 5 punto -/4990; announcement_order"},
		{"VII", "taken back though nobody spoke out of turn", norms, "at 12 withdraw seat=5 spot=punto amount=4990; drop 18; 18 amount=325", "late_withdrawal 5 punto -/4990"},
	})
	slips(t, chemin14, []slip{
		{"VIII", "abates with 8 before the punto abates", norms, natural, "announcement_order"},
		{"VIII", "the whole bank is taken back from it", norms, natural + "; at 9 withdraw seat=4 spot=banco amount=10000; drop 11", "announcement_order"},
		{"VIII", "abates with 9 and the punto is not heard", norms, `8 zone=banca cards=["Ks","9s"]; 9 zone=punto cards=["6c","Qh"]; drop 10; at 10 commission seat=2 spot=banca amount=500; at 10 collect seat=4 spot=banco amount=10000`, "announcement_order"},
		{"VII", "abates after the punto, and the stake is taken back", norms, `9 cards=["Ks","8s"]; at 9 withdraw seat=4 spot=banco amount=10000; drop 11`, "late_withdrawal 4 banco -/10000"},
	})
}

// TestBankerUncoversHisOwn: the banker who uncovers a card of the punto must
// uncover his own; that is no speech (1979 L984; Balears L1794-1796; Andalucía
// L2894-2897; Cantabria L2904-2906).
func TestBankerUncoversHisOwn(t *testing.T) {
	one := "at 12 incident kind=card_exposed by=banquero zone=punto count=1 card_no=1 card=Ks; "
	both := "at 12 incident kind=card_exposed by=banquero zone=punto count=2; "
	slips(t, chemin13, []slip{
		{"VIII", "the card that answers to it", norms, one + `at 13 reveal zone=banca cards=["Jc","??"]`, ""},
		{"VIII", "nothing at all: when he must is not printed", norms, one, ""},
		{"VIII", "the other card", norms, one + `at 13 reveal zone=banca cards=["??","7s"]`, "announcement_order"},
		{"VIII", "both of his", norms, one + `at 13 reveal zone=banca cards=["Jc","7s"]`, "announcement_order"},
		{"VIII", "before the slip", norms, `at 12 reveal zone=banca cards=["Jc","??"]; at 13 incident kind=card_exposed by=banquero zone=punto count=1 card_no=1`, "announcement_order"},
		{"VIII", "the croupier's slip obliges to nothing", norms, `at 12 incident kind=card_exposed by=croupier zone=punto count=1 card_no=1; at 13 reveal zone=banca cards=["Jc","??"]`, "announcement_order"},
		{"VIII", "both for both", norms, both + `at 13 reveal zone=banca cards=["Jc","7s"]`, ""},
		{"VII", "stakes may not be taken back for it", norms, one + `at 13 reveal zone=banca cards=["Jc","??"]; at 14 withdraw seat=5 spot=punto amount=4990; drop 20; 20 amount=325`, "late_withdrawal 5 punto -/4990"},
		{"VIII", "a natural of which one card was uncovered does not abate", norms, one + `at 13 reveal zone=banca cards=["Jc","??"]; 17 cards=["Jc","9s"]`, ""},
	})
}

// TestBankerSpeaksAfterTheCloths: at two cloths those who have the hand speak in
// their order and before the banker (09.VII of 1979; Balears VII; Andalucía VII.8; Cantabria VII).
func TestBankerSpeaksAfterTheCloths(t *testing.T) {
	slips(t, panos18, []slip{
		{"VII", "shows before the first", norms, `at 11 reveal zone=banca cards=["6d","Qh"]`, "announcement_order"},
		{"VII", "shows between the two", norms, `at 12 reveal zone=banca cards=["6d","Qh"]`, "announcement_order"},
		{"VII", "shows after both", norms, `at 13 reveal zone=banca cards=["6d","Qh"]`, ""},
		{"VII", "a stake taken back then", norms, `at 11 reveal zone=banca cards=["6d","Qh"]; at 12 withdraw seat=4 spot=caballo amount=1000; at 12 withdraw seat=4 spot=caballo amount=4000; drop 25`, "announcement_order"},
		{"VII", "a stake taken back while all is in order", norms, `at 13 withdraw seat=4 spot=caballo amount=5000; drop 23`, "late_withdrawal 4 caballo -/5000"},
	})
}
