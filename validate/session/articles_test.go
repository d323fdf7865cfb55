package session_test

import "testing"

// TestChangeOfTheMinimum: section 4.1 of the contract.
func TestChangeOfTheMinimum(t *testing.T) {
	three := ` 0 open limits={"min":200}; ` + eva + ` 10 limits_change_announced last=3; 20 round ref=a; 30 round ref=b; 40 round ref=c; `
	runTold(t, []told{
		{"never, whatever is announced", nac, "ruleta_americana", three + `50 limits_changed min=500; 60 round ref=d`, nil, "limit_change_not_allowed 200/500 @6", "02 L238"},
		{"nor by opening anew", nac, "blackjack", `0 open limits={"min":500}; ` + eva + ` 10 close reason=no_players; 20 open limits={"min":1000}`, nil, "limit_change_not_allowed 500/1000 @3", "03 L385"},
		{"a new maximum is no change", nac, "ruleta_francesa", `0 open limits={"min":200}; ` + eva + ` 10 limits_changed min=200 max=6000`, nil, "", ""},
		{"three rounds, down", bal, "blackjack", three + `50 limits_changed min=100; 60 round ref=d`, nil, "", ""},
		{"a round is annulled: two count", bal, "ruleta_francesa", `0 open limits={"min":200}; ` + eva + ` 10 limits_change_announced last=3; 20 round ref=a; 30 round ref=b void=true; 40 round ref=c; 50 limits_changed min=500`, nil, "limit_change_early 3/2 @6", "01 L253-262"},
		{"nothing is announced", bal, "ruleta_francesa", `0 open limits={"min":200}; ` + eva + ` 20 round ref=a; 50 limits_changed min=500`, nil, "announcement_missing limits_change/- @3", "01 L253-262"},
		{"what was announced before the opening is not of the session", bal, "ruleta_francesa", `0 limits_change_announced last=3; 1 open limits={"min":200}; 1 shift_start jefe=eva tables=[{"id":"T1"}]; 50 limits_changed min=500`, nil, "announcement_missing limits_change/- @3", ""},
		{"another minimum is announced", and, "ruleta_americana", `0 open limits={"min":200}; ` + eva + ` 10 limits_change_announced last=3 min=300; 20 round ref=a; 30 round ref=b; 40 round ref=c; 50 limits_changed min=500; 51 first_round_announced; 60 round ref=d`, nil, "announcement_wrong min 500/300 @2", "I.1.2 L630-634"},
		{"the first round at the new minimum is called before the change", and, "ruleta_francesa", three + `45 first_round_announced; 50 limits_changed min=500; 60 round ref=d`, nil, "", ""},
		{"it is called a round too soon", and, "ruleta_francesa", `0 open limits={"min":200}; ` + eva + ` 10 limits_change_announced last=3; 20 round ref=a; 30 round ref=b; 35 first_round_announced; 40 round ref=c; 50 limits_changed min=500; 60 round ref=d`, nil, "announcement_missing first_round/- @8", "I.1.1.A L406-419"},
		{"no round follows, and none need be called", and, "ruleta_francesa", three + `50 limits_changed min=500; 60 close`, nil, "", ""},
		{"upwards only", can, "poker_holdem_bonus", three + `50 limits_changed min=100`, nil, "limit_change_not_allowed 200/100 @6", "A.14.5 L4973-4975"},
		{"once a session", can, "ruleta_francesa", three + `50 limits_changed min=500`, with("carry", with("limit_changes", 1)), "limit_change_repeated 1/2 @6", "A.1 L388-405"},
		{"the next change asks for its own announcement", can, "ruleta_francesa", three + `50 limits_changed min=500; 60 limits_changed min=1000`, nil, "announcement_missing limits_change/- @7; limit_change_repeated 1/2 @7", ""},
		{"opened anew with less", can, "blackjack", `0 open limits={"min":500}; ` + eva + ` 10 close reason=no_players; 20 open limits={"min":200}`, nil, "limit_change_not_allowed 500/200 @3", "A.4 L1013-1015"},
		{"not when the cloth was turned meanwhile", can, "blackjack", `0 open limits={"min":500}; ` + eva + ` 10 close reason=game_change; 11 game_change game=tripoker; 12 game_change game=blackjack; 20 open float=1 limits={"min":200}`, nil, "game_change_repeated 1/2 @4", "L712-728"},
		{"five last passes", cyl, "poker_cuatro_cartas", `0 open limits={"min":200}; 10 limits_change_announced last=5; 20 round ref=a; 30 round ref=b; 40 round ref=c; 41 round ref=d; 42 round ref=e; 50 limits_changed min=100`, nil, "", ""},
		{"three are too few there", cyl, "poker_cuatro_cartas", `0 open limits={"min":200}; 10 limits_change_announced last=3; 20 round ref=a; 30 round ref=b; 40 round ref=c; 50 limits_changed min=500`, nil, "announcement_wrong last 5/3 @1; limit_change_early 5/3 @5", "arts. 41-45 art. 44 L706-708"},
		{"the hold'em of the order is sent to a catalogue that is not here", cyl, "poker_holdem_bonus", `0 open limits={"min":200}; 50 limits_changed min=500`, nil, "", ""},
		{"circle poker: told, in any number", can, "holdem_circulo", `0 open limits={"min":200}; ` + eva + ` 10 limits_change_announced last=1; 50 limits_changed min=100; 60 limits_change_announced last=2; 70 limits_changed min=300`, nil, "", ""},
		{"circle poker: not told", can, "omaha_circulo", `0 open limits={"min":200}; ` + eva + ` 50 limits_changed min=100`, nil, "announcement_missing limits_change/- @2", "A.15.3 L5735-5740"},
		{"circle poker in the Balears: silent", bal, "poker_sintetico", `0 open limits={"min":200}; 50 limits_changed min=100`, nil, "", ""},
	})
	for norm, want := range map[string]int64{nac: 1, bal: 1, and: 1, can: 1} {
		v := judged(t, norm, "ruleta_francesa", `0 open limits={"min":200}; 50 limits_changed min=500`, nil)
		if v.Next.LimitChanges != want || v.Next.Limits == nil || v.Next.Limits.Min != 500 {
			t.Errorf("%s: next %+v", norm, v.Next)
		}
	}
	if v := judged(t, can, "holdem_circulo", `0 open limits={"min":200}; 50 limits_changed min=500`, nil); v.Next.LimitChanges != 0 {
		t.Errorf("circle poker is not counted: %+v", v.Next)
	}
}

// TestMaximaAndSigns: section 4.2.
func TestMaximaAndSigns(t *testing.T) {
	at := func(min, max string) string { return `0 open limits={"min":` + min + `,"max":` + max + `}; ` + eva }
	for _, c := range []struct {
		norm, game string
		options    map[string]any
		good, bad  []string // maxima at a minimum of 100
		want       string
	}{
		{nac, "ruleta_francesa", nil, []string{"3000"}, []string{"2000", "2999"}, "30"},
		{nac, "ruleta_americana", nil, []string{"2000"}, []string{"3000"}, "20"},
		{nac, "blackjack", nil, []string{"5000", "10000", "20000"}, []string{"15000"}, "50|100|200"},
		{nac, "dados_craps", nil, []string{"10000", "100000", "54321"}, []string{"9999", "100001"}, "100-1000"},
		{nac, "treinta_cuarenta", nil, []string{"100000"}, []string{"10000"}, "1000"},
		{bal, "blackjack", options("authorised_min", 50), []string{"1000", "10000"}, []string{"2000"}, "20|25|50|100|200"},
		{bal, "boule", options("authorised_min", 100), []string{"4000", "10000", "5001"}, []string{"3999", "10001"}, "40-100"},
		{bal, "punto_banco", nil, []string{"2500"}, []string{"20000"}, "25|50|100"},
		{bal, "poker_trijoker", nil, []string{"2500"}, []string{"3000"}, "10|20|25"},
		{and, "blackjack", nil, []string{"1000", "1001", "20000"}, []string{"999", "20001"}, "10-200"},
		{and, "casino_monte", nil, []string{"1000", "5000"}, []string{"5001"}, "10-50"},
		{and, "poker_sin_descarte", options("band_min", 50), []string{"500", "1500"}, []string{"1501"}, "10-30"},
		{and, "poker_trijoker", nil, []string{"3000"}, []string{"2500"}, "10|20|30"},
		{and, "pai_gow_poker", nil, []string{"2500"}, []string{"3000"}, "25"},
		{can, "ruleta_americana_doble_cero", nil, []string{"2000"}, []string{"1000"}, "20"},
		{can, "banca_francesa_dados", nil, []string{"20000"}, []string{"10000"}, "200"},
		{can, "ruleta_fortuna", nil, []string{"2000"}, []string{"1000"}, "20"},
		{can, "tripoker", nil, []string{"2500", "5000"}, []string{"3000"}, "10|20|25|50"},
		{can, "poker_holdem_banca", options("authorised_min", 200), []string{"6000"}, []string{"3000"}, "10|20|30"},
		{can, "holdem_circulo", nil, []string{"250", "300", "500"}, []string{"249", "501", "1000"}, "2.5-5"},
		{can, "poker_sintetico", nil, []string{"400"}, []string{"2000"}, "2.5-5"},
		{cyl, "poker_con_descarte", options("band_min", 100), []string{"5000"}, []string{"3000"}, "10|20|25|50"},
		{cyl, "texas_poker", nil, []string{"3000"}, []string{"2500"}, "10|20|30|50"},
	} {
		for _, max := range c.good {
			if v := judged(t, c.norm, c.game, at("100", max), c.options); brief(v.Findings) != "" {
				t.Errorf("%s %s %s: %s", c.norm, c.game, max, brief(v.Findings))
			}
		}
		for _, max := range c.bad {
			want := "limit_ratio_wrong " + c.want + "/" + max + " @0"
			if v := judged(t, c.norm, c.game, at("100", max), c.options); brief(v.Findings) != want {
				t.Errorf("%s %s: got %s, want %s", c.norm, c.game, brief(v.Findings), want)
			}
		}
	}
	runTold(t, []told{
		{"an authorisation of its own", and, "ruleta_francesa", at("100", "12345"), options("max_authorised", true), "", ""},
		{"no maximum is told", and, "ruleta_francesa", `0 open limits={"min":100}; ` + eva, nil, "", ""},
		{"changed in the session", bal, "dados_craps", `0 open limits={"min":100,"max":2000}; ` + eva + ` 5 limits_changed min=100 max=1999`, nil, "limit_ratio_wrong 20-1000/1999 @2", "06 L1117"},
		{"below the authorised minimum", and, "punto_banco", `0 open limits={"min":100}; ` + eva, options("authorised_min", 200), "limit_min_wrong 200/100 @0", "I.1.7 L2038-2041"},
		{"above it", and, "punto_banco", `0 open limits={"min":300}; ` + eva, options("authorised_min", 200), "", ""},
		{"boule at twice", can, "boule", `0 open limits={"min":400}; ` + eva, options("authorised_min", 200), "", ""},
		{"boule below", can, "boule", `0 open limits={"min":100}; ` + eva, options("authorised_min", 200), "limit_min_wrong 200/100 @0", "A.5 L1158-1166"},
		{"the sign has either of the two", can, "baccara_chemin_de_fer", `0 open limits={"min":400}; ` + eva + ` 1 limits_shown min=400; 2 limits_shown min=200; 3 limits_shown min=300; 4 limits_shown min=null`, options("authorised_min", 200), "limit_sign_wrong 400/300 @4; limit_sign_wrong 400/null @5", "A.11 L2510-2516"},
		{"no limits, no sign", can, "baccara_chemin_de_fer", `0 open; ` + eva + ` 1 limits_shown min=null`, nil, "", ""},
		{"no other game asks for one", can, "punto_banco", `0 open limits={"min":400}; ` + eva + ` 4 limits_shown min=null`, nil, "", ""},
	})
}

// TestChangeOfGame: section 4.3.
func TestChangeOfGame(t *testing.T) {
	runTold(t, []told{
		{"with the table open", bal, "blackjack", `0 open float=5 cloth=P1; ` + eva + ` 10 game_change game=poker_trijoker`, nil, "game_change_without_close closed/open @2", "03 L503-510"},
		{"mini punto y banca is like a table of blackjack", can, "punto_banco", `0 open float=5 cloth=P1; ` + eva + ` 10 close; 11 game_change game=blackjack; 12 open float=5 cloth=P1`, with("variant", "mini"), "cloth_number_repeated -/P1 @4", "A.10 L712-728"},
		{"the big one is not, but blackjack is", can, "punto_banco", `0 open float=5; ` + eva + ` 10 close; 11 game_change game=blackjack; 12 open`, nil, "float_missing @4", "A.4 L712-728"},
		{"neither is", can, "punto_banco", `0 open float=5; ` + eva + ` 10 game_change game=boule; 12 game_change game=punto_banco`, nil, "", ""},
		{"another variant is no other game", bal, "punto_banco", `0 open float=5; ` + eva + ` 10 game_change game=punto_banco variant=midi`, with("variant", "mini"), "", ""},
		{"a second in the jornada", bal, "blackjack", `0 game_change game=poker_sin_descarte`, with("carry", with("game_changes", 1)), "game_change_repeated 1/2 @0; game_change_without_close closed/open @0", ""},
	})
	v := judged(t, can, "blackjack", `0 open; 10 close; 11 game_change game=boule; 12 game_change game=blackjack; 13 game_change game=blackjack`, nil)
	if v.Next.GameChanges != 2 {
		t.Errorf("next %+v", v.Next)
	}
}

// TestFloat: section 4.4.
func TestFloat(t *testing.T) {
	floats := func(kv ...any) map[string]any { return options("floats", with(kv...)) }
	runTold(t, []told{
		{"completed before the next round", and, "blackjack", `0 open float=100 limits={"min":200}; ` + eva + ` 1 limits_change_announced last=3; 2 round ref=a; 3 round ref=b; 4 round ref=c; 5 limits_changed min=500; 5 first_round_announced; 6 fill amount=50; 7 round ref=d`, floats("200", 100, "500", 150), "", ""},
		{"a credit takes it below", and, "blackjack", `0 open float=200 limits={"min":200}; ` + eva + ` 1 limits_change_announced last=3; 2 round ref=a; 3 round ref=b; 4 round ref=c; 5 limits_changed min=500; 5 first_round_announced; 6 credit amount=51; 7 round ref=d; 8 round ref=e`, floats("500", 150), "float_short 150/149 @9", "I.1.3 L1010-1013"},
		{"one of two cloths: half, rounded up", can, "ruleta_americana_doble_cero", `0 open float=50 limits={"min":200} cloths_open=1; ` + eva + ` 1 round ref=a; 2 cloth_opened; 3 round ref=b; 4 cloth_closed; 5 round ref=c`, map[string]any{"cloths": 2, "options": with("floats", with("200", 101))}, "float_short 51/50 @2; float_short 101/50 @4; float_short 51/50 @6", "A.3 L506-508"},
		{"a table with one cloth", can, "ruleta_americana", `0 open float=50 limits={"min":200}; ` + eva + ` 1 round ref=a`, floats("200", 101), "", ""},
		{"chips for chips", nac, "punto_banco", `0 open float=100; ` + eva + ` 1 change told=40 chips=30 kind=chips; 2 close float=110`, nil, "change_wrong 40/30 @2", "07 L695"},
		{"a change where the norm says nothing of it", nac, "boule", `0 open float=100; ` + eva + ` 1 change told=40 chips=30; 2 close float=70`, nil, "change_wrong 40/30 @2", "(house control)"},
		{"ten cents lack", nac, "boule", `0 open float=100; ` + eva + ` 1 round ref=a money={"in":5,"out":25,"pozo":3}; 2 count amount=70; 3 close float=70`, nil, "float_unbalanced 80/70 @3", "(house control)"},
		{"a round without money", nac, "boule", `0 open float=100; ` + eva + ` 1 round ref=a; 2 count amount=70; 3 count amount=80`, nil, "not_observable 100/70 @3; float_unbalanced 70/80 @4", "(house control)"},
		{"while the recording was down", nac, "boule", `0 open float=100; ` + eva + ` 1 recording_lost; 2 recording_restored; 3 close float=70`, nil, "not_observable 100/70 @4", "(house control)"},
		{"it was degraded only", nac, "boule", `0 open float=100; ` + eva + ` 1 recording_lost state=degraded; 2 recording_restored; 3 close float=70`, nil, "float_unbalanced 100/70 @4", "(house control)"},
		{"it was down before the last count", nac, "boule", `0 open float=100; ` + eva + ` 1 recording_lost; 2 recording_restored; 3 count amount=70; 4 close float=60`, nil, "not_observable 100/70 @4; float_unbalanced 70/60 @5", "(house control)"},
		{"an opening that was not counted", nac, "boule", `0 open; ` + eva + ` 1 count amount=70; 2 fill amount=5; 3 close float=75`, nil, "", ""},
	})
}

// TestEquipment: sections 4.5 to 4.7.
func TestEquipment(t *testing.T) {
	half := `backs={"red":3,"blue":3}`
	shuffled := `1 cut; 2 cut_card below=`
	runTold(t, []told{
		{"new packs at dos paños", nac, "baccara_dos_panos", `0 open packs=6 ` + half + ` indices=false new=false; ` + eva, nil, "deck_wrong new true/false @0", "09 L1024"},
		{"four and two", can, "punto_banco", `0 open packs=6 backs={"red":4,"blue":2} indices=true; ` + eva, nil, "deck_wrong backs 3+3/4+2 @0", "A.10 L1996-1998"},
		{"two packs at monte o banca, of two colours", and, "monte_banca", `0 open packs=2 backs={"red":1,"blue":1}; ` + eva + ` 1 talla_begin; 2 talla_end seen={"1O":2} left=10; 3 deck_changed reason=wear packs=1 backs={"red":1}`, nil, "deck_wrong packs 2/1 @4; deck_wrong backs 1+1/1 @4", "I.1.13 L7264-7270"},
		{"both of one colour", and, "monte_banca", `0 open packs=2 backs={"red":2}; ` + eva, nil, "deck_wrong backs 1+1/2 @0", ""},
		{"three colours", can, "punto_banco", `0 open backs={"a":2,"b":2,"c":2}; ` + eva, nil, "deck_wrong backs 3+3/2+2+2 @0", ""},
		{"eight packs, changed in the session", bal, "blackjack", `0 open; ` + eva + ` 5 deck_changed reason=routine packs=8 ` + half, nil, "deck_wrong packs 6/8 @2", "03 L474-476"},
		{"a colour of no packs is none", can, "punto_banco", `0 open backs={"a":3,"b":3,"c":0}; ` + eva, nil, "", ""},
		{"one colour at treinta y cuarenta", and, "treinta_cuarenta", `0 open packs=6 backs={"red":6} indices=false; ` + eva, nil, "", ""},
		{"the replacement of a card is in the Reglamento elsewhere", bal, "blackjack", `0 open; ` + eva + ` 5 deck_changed reason=wear card=8h replacement=9h`, nil, "", ""},
		{"exactly five", can, "treinta_cuarenta", `0 open; ` + eva + shuffled + `6; 3 talla_begin`, nil, "cut_card_wrong 5/6 @3", "A.6 L1315-1321"},
		{"the last cut card counts", can, "treinta_cuarenta", `0 open; ` + eva + shuffled + `6; 2 cut_card below=5; 3 talla_begin`, nil, "", ""},
		{"ten at dos paños", can, "baccara_dos_panos", `0 open; ` + eva + shuffled + `11; 3 talla_begin`, nil, "cut_card_wrong 10/11 @3", "A.12 L3237-3242"},
		{"at least ten in Andalucía", and, "baccara_dos_panos", `0 open; ` + eva + shuffled + `11; 3 talla_begin`, nil, "", ""},
		{"at least a pack at blackjack", and, "casino_monte", `0 open; ` + eva + shuffled + `51; 3 talla_begin`, nil, "cut_card_wrong 52/51 @3", "I.1.12 L7091-7112"},
		{"what the house does not record does not lack", nac, "punto_banco", `0 open; ` + eva + ` 3 talla_begin`, options("not_recorded", []string{"cut"}), "cut_card_missing @2", "07 L759"},
		{"a shoe that shuffles", nac, "punto_banco", `0 open shoe_kind=continuous; ` + eva + ` 3 talla_begin`, nil, "", ""},
		{"a shoe put in its place", nac, "punto_banco", `0 open; ` + eva + ` 1 shoe_changed reason=jam shoe_kind=automatic; 3 talla_begin`, nil, "", ""},
		{"another that is not told of", nac, "punto_banco", `0 open shoe_kind=automatic; ` + eva + ` 1 shoe_changed reason=jam shoe=S7; 3 talla_begin`, nil, "", ""},
		{"a player has to cut fifteen", and, "casino_monte", `0 open; ` + eva + ` 1 cut by=player cards=14; 2 cut by=croupier cards=3`, nil, "cut_wrong 15/14 @2", "I.1.12 L7097-7099"},
		{"at blackjack it is a wish", can, "blackjack", `0 open; ` + eva + ` 1 cut by=player cards=3`, nil, "", ""},
		{"a joker and a Spanish card, and no sum is told", nac, "blackjack", `0 talla_end seen={"Jk":1,"1O":2,"As":6,"Kd":7}`, nil, "duplicate_card Kd 6/7 @0; foreign_card 1O -/2 @0; foreign_card Jk -/1 @0", "03"},
		{"the sum of a talla", nac, "blackjack", `0 open; ` + eva + ` 1 talla_end seen={"As":2} unseen=8 left=301`, nil, "card_count_wrong 312/311 @2", "03 L309"},
		{"of eight packs", nac, "blackjack", `0 open packs=8; ` + eva + ` 1 talla_end seen={"As":8} unseen=8 left=399`, nil, "deck_wrong packs 6/8 @0; card_count_wrong 416/415 @2", "03 L309"},
		{"more than there are, though the recording failed", nac, "blackjack", `0 open; ` + eva + ` 1 talla_begin; 1 recording_lost; 5 recording_restored; 6 talla_end seen={"As":2} left=311`, options("not_recorded", []string{"cut", "cut_card"}), "card_count_wrong 312/313 @5", ""},
		{"craps has six dice", and, "dados_craps", `0 open dice=6 dice_set=A; ` + eva + ` 1 dice_changed reason=wear dice=5; 2 dice_changed reason=lost dice_set=A; 3 dice_changed reason=jefe dice_set=A`, nil, "dice_wrong count 6/5 @2; dice_wrong set -/A @3", "I.1.6 L1435-1444 L1756-1767"},
		{"a set of the last session", can, "dados_craps", `0 open dice_set=B; ` + eva + ` 1 dice_changed reason=wear dice_set=A`, with("carry", with("last_dice_sets", []string{"A"})), "dice_wrong set -/A @2", "A.7 L1392-1399 L1666-1676"},
	})
}

// TestControl: a player asks for the control of the cards (section 4.6).
func TestControl(t *testing.T) {
	free := options("not_recorded", []string{"cut", "cut_card"})
	pack := `cards={` + sixOfEach() + `}`
	open := `0 open; ` + eva + ` 1 talla_begin; 2 control_requested; 3 control_requested; `
	runTold(t, []told{
		{"made after the talla", can, "baccara_dos_panos", open + `4 talla_end seen={"As":1}; 5 deck_control ` + pack + `; 6 talla_begin; 7 talla_end seen={"As":1}; 8 close`, free, "", ""},
		{"not made before the next", can, "baccara_dos_panos", open + `4 talla_end seen={"As":1}; 6 talla_begin; 7 talla_end seen={"As":1}; 8 close`, free, "control_missing @6", "A.12 L3296-3297"},
		{"made while the talla ran", nac, "baccara_chemin_de_fer", open + `4 deck_control ` + pack + `; 5 talla_end seen={"As":1}; 8 close`, free, "control_missing @7", "08 L954"},
		{"the next begins and the end was not told", nac, "baccara_chemin_de_fer", open + `6 talla_begin`, free, "control_missing @5", ""},
		{"closed while it runs", nac, "baccara_chemin_de_fer", open + `6 close`, free, "", ""},
		{"the record ends", nac, "baccara_chemin_de_fer", open + `6 talla_end seen={"As":1}`, free, "", ""},
		{"asked for between two", bal, "baccara_chemin_de_fer", `0 open; ` + eva + ` 1 talla_begin; 2 talla_end seen={"As":1}; 3 control_requested; 4 talla_begin`, free, "control_missing @5", "08 L1735"},
		{"a talla that ran before the record", bal, "baccara_chemin_de_fer", eva + ` 1 control_requested; 2 talla_end seen={"As":1}; 3 deck_control ` + pack + `; 4 close`, free, "", ""},
		{"no other game has it", bal, "punto_banco", `0 open; ` + eva + ` 1 talla_begin; 2 control_requested; 3 talla_end seen={"As":1}; 4 talla_begin`, free, "", ""},
	})
}

func sixOfEach() string {
	out := ""
	for _, rank := range "A23456789TJQK" {
		for _, suit := range "shdc" {
			if out != "" {
				out += ","
			}
			out += `"` + string(rank) + string(suit) + `":6`
		}
	}
	return out
}

// TestLastRoundsAndClosing: section 4.8.
func TestLastRoundsAndClosing(t *testing.T) {
	runTold(t, []told{
		{"five by the croupier", can, "poker_sin_descarte", `0 open; ` + eva + ` 1 last_rounds_announced last=5 by=croupier; 2 round ref=a; 3 round ref=b; 4 round ref=c; 5 round ref=d; 6 round ref=e; 7 close`, nil, "", ""},
		{"an annulled one does not count", can, "poker_sin_descarte", `0 open; ` + eva + ` 1 last_rounds_announced last=5 by=jefe; 2 round ref=a; 3 round ref=b; 4 round ref=c; 5 round ref=d; 6 round ref=e void=true; 7 close`, nil, "other_procedure croupier/jefe @2; last_rounds_wrong 5/4 @8", "A.14.1 L3934-3935"},
		{"the last announcement counts", and, "poker_trijoker", `0 open; ` + eva + ` 1 last_rounds_announced last=3; 2 round ref=a; 3 last_rounds_announced last=4 by=jefe; 4 round ref=b; 5 round ref=c; 6 round ref=d; 7 close`, nil, "announcement_wrong last 3/4 @4", "I.1.9.B L4294-4296"},
		{"open before the record begins", and, "poker_trijoker", eva + ` 2 round ref=a; 7 close`, nil, "announcement_missing last_rounds/- @2", "I.1.9.B L4294-4296"},
		{"not at a break", and, "poker_trijoker", `0 open; ` + eva + ` 7 close reason=no_players`, nil, "", ""},
		{"nor elsewhere", bal, "poker_trijoker", `0 open; ` + eva + ` 7 close`, nil, "", ""},
		{"an hour and one hand", can, "omaha_circulo", `0 open; ` + eva + ` 10 session_charged; 3000 round ref=a; 3610 round ref=b; 3700 session_charged`, nil, "session_charged_early hands 2/1 @5", "A.15.3 L5480-5484"},
		{"as long as the house has marked", and, "holdem_circulo", `0 open; ` + eva + ` 10 session_charged; 1000 session_charged`, options("circle_session_s", 1800), "session_charged_early time 1800/990 @3", "I.1.10.B.6 L5024-5028"},
		{"which it has not", and, "holdem_circulo", `0 open; ` + eva + ` 10 session_charged; 1000 session_charged`, nil, "", ""},
		{"a new run begins anew", can, "omaha_circulo", `0 open; ` + eva + ` 10 session_charged; 20 close; 30 open; 40 session_charged`, nil, "", ""},
		{"an uncovered wheel", nac, "ruleta_americana", `0 open; ` + eva + ` 7 close cover=none`, nil, "wheel_not_covered @2", "02 L238"},
		{"at a break it may", nac, "ruleta_americana", `0 open; ` + eva + ` 7 close cover=none reason=other`, nil, "", ""},
		{"boule is silent", nac, "boule", `0 open; ` + eva + ` 7 close cover=none`, nil, "", ""},
		{"a shoe is taken away", nac, "blackjack", `0 open; ` + eva + ` 7 close shoe_left=locked`, nil, "shoe_not_secured -/locked @2", "03 L315"},
		{"or locked in Cantabria", can, "pai_gow_poker", `0 open; ` + eva + ` 7 close shoe_left=locked`, nil, "", ""},
		{"not unlocked", can, "pai_gow_poker", `0 open; ` + eva + ` 7 close shoe_left=unlocked`, nil, "shoe_not_secured -/unlocked @2", "A.14.3 L4327"},
		{"tripóquer is silent", can, "tripoker", `0 open; ` + eva + ` 7 close shoe_left=unlocked`, nil, "", ""},
		{"an automatic one may stay in Andalucía", and, "blackjack", `0 open shoe_kind=automatic; ` + eva + ` 7 close shoe_left=unlocked`, nil, "", ""},
		{"at punto y banca too", and, "punto_banco", `0 open shoe_kind=automatic; ` + eva + ` 7 close shoe_left=locked`, nil, "", ""},
		{"the automatic one jammed, and a manual one came", and, "punto_banco", `0 open shoe_kind=automatic; ` + eva + ` 5 shoe_changed reason=jam shoe_kind=manual; 7 close shoe_left=locked`, nil, "shoe_not_secured -/locked @3", "I.1.7 L1849-1862"},
		{"and the other way round", and, "monte_banca", `0 open shoe_kind=manual; ` + eva + ` 5 shoe_changed reason=jam shoe_kind=automatic; 7 close shoe_left=unlocked`, nil, "", ""},
	})
}

// TestMeters: section 4.10.
func TestMeters(t *testing.T) {
	runTold(t, []told{
		{"five thousand coins at the start", and, "poker_sin_descarte", `0 open; ` + eva + ` 1 meter amount=499999 coin=100 start=true; 2 meter amount=10 coin=100`, nil, "meter_start_low 500000/499999 @2", "I.1.9.A L3938-3945"},
		{"the bolsa is never below three thousand", and, "blackjack", `0 open; ` + eva + ` 1 meter amount=300000 coin=100; 2 meter amount=299999 coin=100`, nil, "meter_start_low 300000/299999 @3", "I.1.3 L986-989"},
		{"with tables of other pokers, tripóquer starts with as much", and, "tripoker", `0 open; ` + eva + ` 1 meter amount=500000 coin=100 start=true; 2 meter amount=499999 coin=100 start=true; 3 meter amount=10 coin=100`, nil, "meter_start_low 500000/499999 @3", "I.1.9.C L4574-4584"},
		{"the jackpot is never below five thousand, in Cantabria", can, "blackjack", `0 open; ` + eva + ` 1 meter amount=500000 coin=100; 2 meter amount=499999 coin=100; 3 meter amount=300000 coin=60 start=true`, nil, "meter_start_low 500000/499999 @3", "A.4 L988-994"},
		{"3,000 euros or 1,200 coins, at the start: the coins are less", cyl, "poker_sin_descarte", `0 open; 1 meter amount=120000 coin=100 start=true; 2 meter amount=119999 coin=100 start=true; 3 meter amount=5 coin=100`, nil, "meter_start_low 120000/119999 @2", "arts. 4-9 art. 9 L160-162"},
		{"the euros are less", cyl, "poker_sin_descarte", `0 open; 1 meter amount=300000 coin=500 start=true; 2 meter amount=299999 coin=500 start=true`, nil, "meter_start_low 300000/299999 @2", ""},
		{"fixed, at any time", cyl, "poker_con_descarte", `0 open; 1 meter amount=199999 coin=100 fixed=true`, nil, "meter_start_low 200000/199999 @1", "arts. 46-52 L839-841"},
		{"progressive, at the start", cyl, "poker_con_descarte", `0 open; 1 meter amount=99999 coin=100 start=true; 2 meter amount=5 coin=100`, nil, "meter_start_low 100000/99999 @1", ""},
		{"nine tenths, half a cent up, prizes off", bal, "poker_sin_descarte", `0 open; ` + eva + ` 1 meter amount=1000 coin=5; 2 meter amount=1005 coin=5 coins=5; 3 meter amount=1004 coin=5; 4 meter amount=913 coin=5 coins=10 prizes=100`, nil, "", ""},
		{"a cent too much", bal, "poker_sin_descarte", `0 open; ` + eva + ` 1 meter amount=1000 coin=5; 2 meter amount=1006 coin=5 coins=5`, nil, "meter_wrong 1005/1006 @3", "11 L2457-2458"},
		{"not between the openings", bal, "poker_sin_descarte", `0 open; ` + eva + ` 1 meter amount=1000 coin=5; 2 close reason=other; 3 meter amount=1006 coin=5 coins=5`, nil, "", ""},
		{"the share is in the authorisation elsewhere", can, "poker_sin_descarte", `0 open; ` + eva + ` 1 meter amount=1000 coin=5 start=true; 2 meter amount=1 coin=5 coins=5`, nil, "", ""},
	})
}
