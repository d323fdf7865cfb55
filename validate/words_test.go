package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"vision/internal/testkit/rounds"
)

// TestArgumentsOfEveryGame: what an incident or a call says must be of the game's
// vocabulary, or the record is refused where it stands; what is of it is accepted.
// An empty path: accepted.
func TestArgumentsOfEveryGame(t *testing.T) {
	const (
		incident = `"type":"incident","kind":`
		croupier = `"type":"announce","by":"croupier","call":`
	)
	circle := `{"id":"T","min":200,"options":{"marca":3,"players":[1,2,3]}}`
	plain := `{"id":"T","min":200}`
	bank := `{"t":0,"type":"bet","seat":1,"spot":"banca","amount":20000},`
	for _, c := range []struct{ norm, games, table, before, event, path string }{
		// who speaks, everywhere
		{"nacional-1979", "ruleta_francesa boule blackjack punto_banco", plain, "", `"type":"announce","by":"dealer","call":"no_va_mas"`, "by"},
		{"andalucia-2010", "tripoker poker_sin_descarte", plain, "", `"type":"announce","by":"casino","call":"no_va_mas"`, "by"},
		{"andalucia-2010", "holdem_circulo", circle, "", `"type":"announce","by":"dealer","call":"gana","seat":1`, "by"},
		// roulettes and boule
		{"cantabria-2010", "ruleta_francesa ruleta_americana ruleta_americana_doble_cero boule", plain, "", croupier + `"number","number":"1","color":"verde"`, "color"},
		{"cantabria-2010", "ruleta_francesa ruleta_americana ruleta_americana_doble_cero boule", plain, "", croupier + `"number","number":"1","parity":"even"`, "parity"},
		{"cantabria-2010", "ruleta_francesa ruleta_americana ruleta_americana_doble_cero boule", plain, "", croupier + `"number","number":"1","half":"1-18"`, "half"},
		{"cantabria-2010", "ruleta_francesa boule", plain, "", croupier + `"number","number":"1","color":"negro","parity":"impar","half":"falta"`, ""},
		{"cantabria-2010", "ruleta_francesa boule", plain, "", croupier + `"number","number":[1]`, "number"},
		{"cantabria-2010", "ruleta_americana", plain, "", croupier + `"accepted_bet","seat":1,"spot":"pleno:41","amount":200`, "spot"},
		{"cantabria-2010", "ruleta_francesa boule dados_craps", plain, "", incident + `"foreign_object","zone":"bank"`, "zone"},
		{"cantabria-2010", "ruleta_francesa boule dados_craps", plain, "", incident + `"foreign_object","thrown":true`, "thrown"},
		{"cantabria-2010", "ruleta_francesa boule dados_craps", plain, "", incident + `"foreign_object","card_no":1`, "card_no"},
		{"cantabria-2010", "ruleta_francesa boule dados_craps", plain, "", incident + `"foreign_object","by":"player","seat":4`, ""},
		// wheel of fortune
		{"andalucia-2010", "ruleta_fortuna", plain, "", croupier + `"combination","combination":"24"`, ""},
		{"andalucia-2010", "ruleta_fortuna", plain, "", croupier + `"combination","combination":"40"`, "combination"},
		{"cantabria-2010", "ruleta_fortuna", plain, "", croupier + `"combination","combination":"24"`, "combination"},
		// dice
		{"cantabria-2010", "dados_craps sic_bo banca_francesa_dados", plain, "", `"type":"dice","faces":[1,2,3],"irregular":"bounced"`, "irregular"},
		{"cantabria-2010", "dados_craps sic_bo banca_francesa_dados", plain, "", `"type":"dice","faces":[1,2,3],"irregular":"on_rim"`, ""},
		{"cantabria-2010", "dados_craps sic_bo banca_francesa_dados", plain, "", croupier + `"total","points":"7"`, "points"},
		{"cantabria-2010", "dados_craps", plain, "", incident + `"dice_changed","by":"pit boss"`, "by"},
		{"cantabria-2010", "banca_francesa_dados", plain, "", croupier + `"chance","winner":"mediano"`, "winner"},
		{"cantabria-2010", "banca_francesa_dados", plain, "", croupier + `"chance","winner":"pequeno"`, ""},
		// bingo
		{"cantabria-2010", "bingo", plain, "", croupier + `"claim","seat":1,"prize":"pleno","numbers":[1,2,3,4,5]`, "prize"},
		{"cantabria-2010", "bingo", plain, "", croupier + `"claim","seat":1,"prize":"linea","numbers":[1,2,3,4,91]`, "numbers[4]"},
		{"cantabria-2010", "bingo", plain, "", croupier + `"claim","seat":1,"prize":"linea","numbers":[1,2,2,4,5]`, "numbers[2]"},
		{"cantabria-2010", "bingo", plain, "", croupier + `"claim","seat":1,"prize":"linea","numbers":[1,2,3,4]`, "numbers"},
		{"cantabria-2010", "bingo", plain, "", croupier + `"claim_result","seat":1,"prize":"linea","ok":"yes"`, "ok"},
		// point cards
		{"cantabria-2010", "treinta_cuarenta", plain, "", croupier + `"suertes","winner":"color","color":"color"`, "winner"},
		{"cantabria-2010", "treinta_cuarenta", plain, "", croupier + `"suertes","winner":"rojo","color":"rojo"`, "color"},
		{"cantabria-2010", "treinta_cuarenta", plain, "", croupier + `"suertes","winner":"nulo"`, ""},
		{"cantabria-2010", "treinta_cuarenta", plain, "", croupier + `"puntos","zone":"punto","points":3`, "zone"},
		{"cantabria-2010", "punto_banco", plain, "", croupier + `"ganador","winner":"player"`, "winner"},
		{"cantabria-2010", "punto_banco", plain, "", croupier + `"ganador","winner":"empate"`, ""},
		{"cantabria-2010", "punto_banco", plain, "", croupier + `"carta","zone":"seat:1"`, "zone"},
		{"cantabria-2010", "baccara_chemin_de_fer", plain, bank, croupier + `"ganador","winner":"banco"`, "winner"},
		{"cantabria-2010", "baccara_chemin_de_fer baccara_dos_panos", plain, bank, croupier + `"hay_banca","amount":"20000"`, "amount"},
		{"cantabria-2010", "baccara_chemin_de_fer", plain, bank, incident + `"card_exposed","zone":"pano1","by":"banquero","count":2`, "zone"},
		{"cantabria-2010", "baccara_chemin_de_fer", plain, bank, incident + `"card_exposed","zone":"punto","by":"banquero","count":1,"card_no":3`, "card_no"},
		{"cantabria-2010", "baccara_chemin_de_fer", plain, bank, incident + `"croupier_carta_error","count":0`, "count"},
		{"cantabria-2010", "baccara_dos_panos", plain, bank, incident + `"card_into_basket","zone":"banca","by":"banquero","thrown":"yes"`, "thrown"},
		{"cantabria-2010", "baccara_dos_panos", plain, bank, incident + `"wrong_cloth_card","zone":"punto","by":"player"`, "zone"},
		{"cantabria-2010", "blackjack", plain, "", croupier + `"puntos_mano","zone":"seat:0","points":12`, "zone"},
		{"cantabria-2010", "blackjack", plain, "", croupier + `"puntos_banca","points":null`, "points"},
		{"cantabria-2010", "blackjack", plain, "", incident + `"card_faceup_in_shoe","card":"1O"`, ""},
		{"cantabria-2010", "blackjack", plain, "", incident + `"card_faceup_in_shoe","card":"Zs"`, "card"},
		{"andalucia-2010", "monte_banca casino_monte", plain, "", incident + `"card_floor","zone":"punto"`, "zone"},
		// pokers against the house
		{"andalucia-2010", "poker_sin_descarte tripoker", plain, "", croupier + `"bank_hand","category":"flush"`, "category"},
		{"andalucia-2010", "poker_sin_descarte tripoker", plain, "", croupier + `"player_hand","seat":12,"category":"trio"`, "seat"},
		{"andalucia-2010", "poker_sin_descarte tripoker", plain, "", croupier + `"player_hand","seat":1,"category":"trio"`, ""},
		{"andalucia-2010", "pai_gow_poker", plain, "", croupier + `"suma_dados","number":"once"`, "number"},
		{"andalucia-2010", "pai_gow_poker", plain, "", croupier + `"suma_dados","number":11`, ""},
		{"andalucia-2010", "poker_sin_descarte", plain, "", incident + `"player_disclosure","seat":8`, "seat"},
		{"andalucia-2010", "poker_sin_descarte", plain, "", incident + `"player_disclosure","zone":"bank"`, "zone"},
		{"andalucia-2010", "poker_sin_descarte", plain, "", incident + `"player_disclosure","zone":"seat:2"`, ""},
		{"andalucia-2010", "poker_sin_descarte", plain, "", incident + `"card_exposed","zone":"board"`, "zone"},
		{"castilla-y-leon-2013", "texas_poker", plain, "", incident + `"cards_touch","zone":"seat:2","with":[4]`, ""},
		{"castilla-y-leon-2013", "texas_poker", plain, "", incident + `"cards_touch","seats":[2,4]`, ""},
		{"castilla-y-leon-2013", "texas_poker", plain, "", incident + `"cards_touch","seats":[2,10]`, "seats"},
		{"castilla-y-leon-2013", "texas_poker", plain, "", incident + `"cards_touch","zone":"seat:2","with":"seat:4"`, "with"},
		{"castilla-y-leon-2013", "texas_poker", plain, "", incident + `"cards_touch","zone":"seat:2"`, "with"},
		// pokers among players
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"cards_touch","zone":"seat:2","with":[3]`, ""},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"cards_touch","seats":[2,3]`, ""},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"cards_touch","seats":["2","3"]`, "seats[0]"},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"cards_touch","seats":[2,4]`, "seats"},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"cards_touch","seats":[1,2],"with":[3]`, "seats"},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"cards_touch","seat":3,"seats":[1,2]`, "seat"},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"cards_touch","seat":2,"seats":[1,2]`, ""},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"cards_touch","seat":3,"zone":"seat:1","with":[2]`, "seat"},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"protected_mucked","zone":"bank"`, "zone"},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"protected_mucked"`, "zone"},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"protected_mucked","seat":2`, ""},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"chips_added"`, "zone"},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", incident + `"chips_added","zone":"seat:9"`, ""},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", croupier + `"gana","seat":1,"hand":"flush"`, "hand"},
		{"andalucia-2010", "holdem_circulo poker_sintetico", circle, "", croupier + `"gana","seat":1,"hand":"bajo"`, ""},
		{"andalucia-2010", "poker_cubierto_5", circle, "", `"type":"announce","by":"player","call":"descarte","seat":1,"number":"dos"`, "number"},
	} {
		for game := range strings.FieldsSeq(c.games) {
			t.Run(game+" "+c.event, func(t *testing.T) {
				raw := fmt.Sprintf(`{"schema":"round/1","id":"t","norm":%q,"game":%q,"table":%s,"events":[%s{"t":1,%s}]}`, c.norm, game, c.table, c.before, c.event)
				at := strings.Count(c.before, `"t":`)
				rounds.Judged(t, raw, at, c.path)
			})
		}
	}
}
