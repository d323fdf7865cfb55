package treinta_test

import (
	"fmt"
	"os"
	"testing"

	"vision/internal/testkit/cited"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
)

func TestMain(m *testing.M) { os.Exit(cited.Main(m)) }

// clean are rounds that were played by the rules.
const clean = "testdata/clean.jsonl"

// TestTreintaArticles: rows, calls and order of payment (V.3; VI in Cantabria).
func TestTreintaArticles(t *testing.T) {
	rounds.Slips(t, clean, "treinta_cuarenta-7", rounds.Norms, []rounds.Slip{
		{"", "clean", "", ""},
		{"", "seven said as eight", "15 points=8", "announcement_wrong negro 37/8"},
		{"", "the chances are not said", "drop 17", "announcement_missing suertes/-"},
		{"", "the wrong row is said to win", "17 winner=negro", "announcement_wrong rojo/negro"},
		{"", "paid before the losers are off", "swap 18 20", "paid_before_collect"},
		{"", "rojo paid before color", "swap 20 21", "payout_order_wrong"},
		{"", "a card more to a full row", "at 10 card zone=negro card=3h face=up", "drew_must_stand negro"},
		{"", "the second row stops at 26", "drop 14", "announcement_wrong rojo 26/31; not_observable 1 rojo; not_observable 4 color; not_observable 5 inverso; not_observable 6 negro; stood_must_draw rojo"},
		{"", "the second row stops at 26, and that is said", "16 points=26; drop 14", "not_observable 1 rojo; not_observable 4 color; not_observable 5 inverso; not_observable 6 negro; stood_must_draw rojo"},
		{"", "the red row begins too soon", "swap 9 10", "deal_order_wrong"},
		{"", "a card face down", "6 face=down", "face_wrong negro"},
		{"", "a loser is paid, before another is off", "18 type=pay", "payout_to_loser 5 inverso 0/2300; paid_before_collect"},
	})
	rounds.Slips(t, clean, "treinta_cuarenta-7", rounds.Catalogues, []rounds.Slip{
		{"V.2", "below the minimum", "0 amount=500; 21 amount=500", "bet_below_min 1 rojo 600/500"},
	})
}

// TestPointsOfAShortRow: what a row amounts to is known where all of its cards are, also
// when it stopped too soon; who wins is not.
func TestPointsOfAShortRow(t *testing.T) {
	for _, norm := range rounds.Norms {
		v := rounds.Cited(t, rounds.Edited(t, clean, "treinta_cuarenta-7", norm, "drop 14"))
		if got, want := fmt.Sprint(v.Result), "map[points:map[negro:37 rojo:26]]"; got != want {
			t.Errorf("%s: result %s, want %s", norm, got, want)
		}
		if h := v.Hands[1]; h.Zone != "rojo" || h.Value != 26 {
			t.Errorf("%s: the red row is shown as %+v", norm, h)
		}
	}
}

// TestMistakesByArticle: in every norm that has the game, a mistake is found
// under the article that the norm has for it.
func TestMistakesByArticle(t *testing.T) {
	rounds.Mistakes(t, []rounds.Mistake{{What: "a stake below the minimum", Game: "treinta_cuarenta", Topic: "limits", Code: finding.BetBelowMin,
		Events: `{"t":0,"type":"bet","seat":1,"spot":"negro","amount":1},{"t":1,"type":"card","zone":"negro","card":"As","face":"up"}`}})
}

func TestCleanRounds(t *testing.T) {
	rounds.Clean{File: clean, BankZones: []string{"rojo"}}.Hold(t)
}

func BenchmarkCheck(b *testing.B) { rounds.Benchmark(b, clean) }

func FuzzTreinta(f *testing.F) {
	rounds.Words{Norm: "nacional-1979", Game: "treinta_cuarenta", Zones: []string{"negro", "rojo"},
		Spots: []string{"negro", "rojo", "color", "inverso", "seguro:negro", "seguro:color", "prison:rojo"},
		Calls: []string{"puntos", "suertes"}, Actions: []string{"prison"}, Kinds: []string{"card_faceup_in_shoe"}}.Fuzz(f)
}

// TestSpotsAreNoZones: a card lies in a row; only an action names a spot as its zone.
func TestSpotsAreNoZones(t *testing.T) {
	const bet = `{"t":0,"type":"bet","seat":1,"spot":"color","amount":1000},`
	rounds.Refused(t, rounds.Of(t, "nacional-1979", "treinta_cuarenta", `{"id":"T"}`,
		bet+`{"t":1,"type":"card","zone":"color","card":"9s","face":"up"}`), "events[1].zone")
	rounds.Refused(t, rounds.Of(t, "nacional-1979", "treinta_cuarenta", `{"id":"T"}`,
		bet+`{"t":1,"type":"action","seat":1,"action":"prison","zone":"banca"}`), "events[1].zone")
	if _, judged := rounds.Sound(t, rounds.Of(t, "nacional-1979", "treinta_cuarenta", `{"id":"T"}`,
		bet+`{"t":1,"type":"action","seat":1,"action":"prison","zone":"prison:color"}`)); !judged {
		t.Error("an action may name the spot of a prisoner")
	}
}
