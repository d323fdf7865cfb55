package monte_test

import (
	"os"
	"testing"

	"vision/internal/testkit/cited"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
	"vision/validate/round"
)

func TestMain(m *testing.M) { os.Exit(cited.Main(m)) }

var andalucia = []string{"andalucia-2010"} // the one norm that has monte o banca

// TestMistakesByArticle: in every norm that has the game, a mistake is found
// under the article that the norm has for it.
func TestMistakesByArticle(t *testing.T) {
	rounds.Mistakes(t, []rounds.Mistake{{What: "a stake below the minimum", Game: "casino_monte", Topic: "limits", Code: finding.BetBelowMin,
		Events: `{"t":0,"type":"bet","seat":1,"spot":"inicial","amount":1},{"t":3,"type":"card","zone":"seat:1","card":"As","face":"up"}`}})
}

func TestCleanRounds(t *testing.T) {
	rounds.Clean{File: "testdata/casino.jsonl", BankZones: []string{"bank"}, Ordered: true}.Hold(t)
	rounds.Clean{File: "testdata/banca.jsonl"}.Hold(t)
}

// brief writes findings as "code zone seat spot expected/observed", joined by "; ".
func brief(list []round.Finding) string {
	return rounds.Brief(list, rounds.Zone, rounds.Seat, rounds.Spot, rounds.Amounts)
}

func TestIncidentsOfTheGame(t *testing.T) {
	rounds.Incidents(t, "testdata/banca.jsonl", "andalucia-2010", []rounds.Incident{
		{ID: "monte_banca-22", Event: round.Event{Kind: "card_floor", Zone: "emplazado:5"}, Field: "zone"},
	})
}

// TestPlacesHaveOneName: «emplazado:+1» is not the first place under another name.
func TestPlacesHaveOneName(t *testing.T) {
	for _, place := range []string{"+1", "01", "0", "5", ""} {
		rounds.Refused(t, rounds.Of(t, "andalucia-2010", "monte_banca", `{"id":"M"}`,
			`{"t":0,"type":"card","zone":"emplazado:`+place+`","card":"7O","face":"up"}`), "events[0].zone")
	}
}

func BenchmarkCheck(b *testing.B) {
	rounds.Benchmark(b, "testdata/casino.jsonl")
	rounds.Benchmark(b, "testdata/banca.jsonl")
}

func FuzzCasinoMonte(f *testing.F) {
	rounds.Words{Norm: "andalucia-2010", Game: "casino_monte", Zones: []string{"bank", "seat:1", "seat:2", "seat:1/revancha", "bank/revancha"},
		Spots: []string{"inicial", "empate", "revancha"}, Calls: []string{"no_va_mas", "ultima_jugada"}, Actions: []string{"surrender"},
		Kinds: []string{"card_faceup_in_shoe"}}.Fuzz(f)
}

func FuzzMonteBanca(f *testing.F) {
	rounds.Words{Norm: "andalucia-2010", Game: "monte_banca", Spanish: true,
		Zones: []string{"emplazado:1", "emplazado:2", "emplazado:3", "emplazado:4", "descubiertas"},
		Spots: []string{"vis:1", "camo:2", "anti:3", "viudo:4", "salto:1", "cartas:1-2", "cartas:13-24", "cartas:1-4", "s2/viudo:3", "s2/cartas:3-4"},
		Calls: []string{"primera_carta", "segunda_carta", "tercera_carta", "cuarta_carta", "hagan_juego", "no_va_mas"},
		Kinds: []string{"card_faceup_in_shoe"}}.Fuzz(f)
}
