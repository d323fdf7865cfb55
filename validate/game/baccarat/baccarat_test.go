package baccarat_test

import (
	"os"
	"testing"

	"vision/internal/testkit/cited"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
	"vision/validate/round"
)

func TestMain(m *testing.M) { os.Exit(cited.Main(m)) }

const (
	chemin13 = "baccara_chemin_de_fer-13" // the punto asks for a card, the bank stands on 7
	chemin14 = "baccara_chemin_de_fer-14" // the punto abates with 9 against banco
	panos18  = "baccara_dos_panos-18"     // the first cloth says no, the second takes a card
)

// TestIncidentsOfTheGame: what an incident concerns is of the game's vocabulary,
// or the record is refused; it is never applied in part.
func TestIncidentsOfTheGame(t *testing.T) {
	rounds.Incidents(t, "testdata/chemin.jsonl", "andalucia-2010", []rounds.Incident{
		{ID: chemin13, Event: round.Event{Kind: "card_exposed", Zone: "punto", By: round.Banquero, Count: 1, CardNo: 2}},
		{ID: chemin13, Event: round.Event{Kind: "card_exposed", Zone: "punto", By: round.Banquero, Count: 1, CardNo: 3}, Field: "card_no"},
		{ID: chemin13, Event: round.Event{Kind: "card_into_basket", Zone: "punto", By: round.Player, CardNo: 3}},
		{ID: chemin13, Event: round.Event{Kind: "card_into_basket", Zone: "punto", By: round.Player, CardNo: 4}, Field: "card_no"},
		{ID: chemin13, Event: round.Event{Kind: "card_into_basket", Zone: "pano1", By: round.Player}, Field: "zone"},
		{ID: chemin13, Event: round.Event{Kind: "card_into_basket", Zone: "punto", By: round.Player, Thrown: new(bool)}, Field: "thrown"},
		{ID: chemin13, Event: round.Event{Kind: "cards_stuck", CardNo: 1}, Field: "card_no"},
		{ID: chemin13, Event: round.Event{Kind: "something_else", Zone: "discard", Seat: 3}},
		{ID: chemin13, Event: round.Event{Kind: "something_else", Zone: "board"}, Field: "zone"},
	})
	rounds.Incidents(t, "testdata/panos.jsonl", "andalucia-2010", []rounds.Incident{
		{ID: panos18, Event: round.Event{Kind: "card_into_basket", Zone: "banca", By: round.Banquero, Thrown: new(bool)}},
		{ID: panos18, Event: round.Event{Kind: "card_exposed", Zone: "pano2", Count: 1, CardNo: 1}, Field: "card_no"},
		{ID: panos18, Event: round.Event{Kind: "wrong_cloth_card", Zone: "punto"}, Field: "zone"},
	})
}

// TestMistakesByArticle: in every norm that has the game, a mistake is found
// under the article that the norm has for it.
func TestMistakesByArticle(t *testing.T) {
	const (
		bank  = `{"t":0,"type":"bet","seat":5,"spot":"banca","amount":50000},`
		floor = `{"t":1,"type":"incident","kind":"card_floor","zone":"banca","by":"player","card":"As"}`
		close = `{"t":1,"type":"announce","by":"croupier","call":"no_va_mas"},`
	)
	two := func(punto, banca string) string {
		return `{"t":2,"type":"card","zone":"punto","card":"Ks","face":"down"},{"t":3,"type":"card","zone":"banca","card":"Kd","face":"down"},
			{"t":4,"type":"card","zone":"punto","card":"` + punto + `","face":"down"},{"t":5,"type":"card","zone":"banca","card":"` + banca + `","face":"down"}`
	}
	rounds.Mistakes(t, []rounds.Mistake{
		{What: "a player throws down a card", Game: "baccara_chemin_de_fer", Topic: "irregular", Code: finding.OtherProcedure, Events: bank + floor},
		{What: "a player throws down a card", Game: "baccara_dos_panos", Topic: "irregular", Code: finding.OtherProcedure, Events: bank + floor},
		{What: "less in the bank than is left of it", Game: "baccara_chemin_de_fer", Topic: "garaje", Code: finding.OtherProcedure,
			Carry: `{"banker":5,"bank":60000,"passes":1,"gain":0}`, Events: bank + floor},
		{What: "the punto draws with six", Game: "punto_banco", Topic: "draw", Code: finding.DrewMustStand,
			Events: close + two("6d", "Th") + `,{"t":6,"type":"card","zone":"punto","card":"2c","face":"up"}`},
		{What: "the naipes without a call", Game: "punto_banco", Topic: "calls", Code: finding.AnnouncementMissing, Events: close + two("9d", "Th")},
	})
}

func TestCleanRounds(t *testing.T) {
	rounds.Clean{File: "testdata/puntobanco.jsonl", BankZones: []string{"banca"}}.Hold(t)
	rounds.Clean{File: "testdata/chemin.jsonl", BankZones: []string{"banca"}, ZeroSum: true}.Hold(t)
	rounds.Clean{File: "testdata/panos.jsonl", ZeroSum: true}.Hold(t)
}

func BenchmarkCheck(b *testing.B) {
	rounds.Benchmark(b, "testdata/puntobanco.jsonl")
	rounds.Benchmark(b, "testdata/chemin.jsonl")
	rounds.Benchmark(b, "testdata/panos.jsonl")
}

func FuzzPuntoBanco(f *testing.F) {
	rounds.Words{Norm: "andalucia-2010", Game: "punto_banco", Zones: []string{"punto", "banca", "discard"}, Spots: []string{"punto", "banca", "empate"},
		Calls: []string{"no_va_mas", "cartas", "puntos", "planta", "carta", "ganador"}, Kinds: []string{"card_faceup_in_shoe"}}.Fuzz(f)
}

func FuzzChemin(f *testing.F) {
	rounds.Words{Norm: "cantabria-2010", Game: "baccara_chemin_de_fer", Zones: []string{"punto", "banca", "discard"},
		Spots:   []string{"banca", "asociado", "abono", "punto", "banco", "mesa", "raya"},
		Calls:   []string{"hay_banca", "no_va_mas", "carta", "no", "abate", "puntos", "ganador", "cartas_pasan"},
		Actions: []string{"cuadro", "garaje"},
		Kinds:   []string{"cards_stuck", "misdeal", "card_floor", "card_exposed", "advice", "croupier_carta_error", "fifth_card", "card_into_basket"}}.Fuzz(f)
}

func FuzzPanos(f *testing.F) {
	rounds.Words{Norm: "cantabria-2010", Game: "baccara_dos_panos", Zones: []string{"pano1", "pano2", "banca", "discard"},
		Spots: []string{"banca", "pano1", "pano2", "caballo", "raya:1", "raya:2", "banco"},
		Calls: []string{"no_va_mas", "carta", "no", "puntos", "hay_banca"}, Actions: []string{"cuadro"},
		Kinds: []string{"cards_stuck", "card_floor", "card_exposed", "wrong_cloth_card", "wrong_player", "card_into_basket"}}.Fuzz(f)
}
