package blackjack_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"vision/internal/testkit/cited"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
)

func TestMain(m *testing.M) { os.Exit(cited.Main(m)) }

// clean are rounds that were played by the rules.
const clean = "testdata/clean.jsonl"

// hand deals one box of blackjack and pays nothing.
func dealt(box, bank, between string) string {
	cards := strings.Fields(box)
	banks := strings.Fields(bank)
	var ev []string
	add := func(s string) { ev = append(ev, fmt.Sprintf(`{"t":%d,%s}`, len(ev), s)) }
	card := func(zone, c string) {
		add(fmt.Sprintf(`"type":"card","zone":"%s","card":"%s","face":"up"`, zone, c))
	}
	add(`"type":"bet","seat":1,"spot":"main","amount":1001`)
	card("seat:1", cards[0])
	card("bank", banks[0])
	card("seat:1", cards[1])
	if between != "" {
		add(between)
	}
	for _, c := range cards[2:] {
		card("seat:1", c)
	}
	for _, c := range banks[1:] {
		card("bank", c)
	}
	return strings.Join(ev, ",")
}

func TestBlackjackArticles(t *testing.T) {
	surrender := `"type":"action","seat":1,"action":"surrender"`
	double := `"type":"action","seat":1,"action":"double"`
	even := `"type":"action","seat":1,"action":"even_money"`
	for _, c := range []struct {
		what, norm, box, bank, act string
		outcome                    string
		pays, returns              int64
		found                      finding.Code // code among the findings, empty: any
	}{
		{"V.1.a blackjack pays 3:2, half a cent up", "nacional-1979", "As Kd", "9h 8c", "", "win", 1502, 1001, ""},
		{"blackjack against blackjack is null", "cantabria-2010", "As Kd", "Ah Kc", "", "push", 0, 1001, ""},
		{"21 of three cards loses to blackjack", "nacional-1979", "7s 7d 7h", "Ah Kc", "", "lose", 0, 0, ""},
		{"three sevens in Cantabria pay 2:1", "cantabria-2010", "7s 7d 7h", "9h 8c", "", "win", 2002, 1001, ""},
		{"three sevens against three sevens", "cantabria-2010", "7s 7d 7h", "7c 7c 7d", "", "push", 0, 1001, ""},
		{"three sevens elsewhere pay 1:1", "andalucia-2010", "7s 7d 7h", "9h 8c", "", "win", 1001, 1001, ""},
		{"retirada keeps half, the house's part rounded up", "balears-2005", "Ts 6d", "9h 8c", surrender, "half", 0, 500, ""},
		{"no retirada against an ace", "cantabria-2010", "Ts 6d", "Ah 8c", surrender, "lose", 0, 0, finding.PlayerActionNotAllowed},
		{"1979 has no retirada", "nacional-1979", "Ts 6d", "9h 8c", surrender, "lose", 0, 0, finding.PlayerActionNotAllowed},
		{"even money stays paid", "andalucia-2010", "As Kd", "Ah Kc", even, "win", 1001, 1001, ""},
		{"V.1.d a soft 19 of ace and eight may be doubled", "nacional-1979", "As 8d Kc", "9h 8c", double, "win", 1001, 1001, finding.RaiseWrong},
		{"V.1.d twelve may not", "nacional-1979", "7s 5d 8c", "9h 8c", double, "win", 1001, 1001, finding.PlayerActionNotAllowed},
		{"two aces may not be doubled", "cantabria-2010", "As Ad 8c", "9h 8c", double, "win", 1001, 1001, finding.PlayerActionNotAllowed},
		{"soft 17 stands", "nacional-1979", "Ts 8d", "Ah 6c 4d", "", "lose", 0, 0, finding.DrewMustStand},
		{"sixteen draws", "balears-2005", "Ts 8d", "Th 6c", "", "win", 1001, 1001, finding.StoodMustDraw},
		{"no card on 21", "nacional-1979", "Ts 8d 3c Kc", "Th 7c", "", "lose", 0, 0, finding.PlayerActionNotAllowed},
		{"an unseen card is not guessed", "nacional-1979", "Ts ??", "Th 7c", "", "unknown", 0, 0, finding.NotObservable},
		{"retirada against a card that nobody saw", "balears-2005", "Ts 6d", "?? 8c", surrender, "unknown", 0, 0, finding.NotObservable},
		{"even money against a card that nobody saw", "andalucia-2010", "As Kd", "?? Kc", even, "unknown", 0, 0, finding.NotObservable},
		{"even money with a card that nobody saw", "andalucia-2010", "As ??", "Ah Kc", even, "unknown", 0, 0, finding.NotObservable},
		{"retirada of cards that nobody saw", "balears-2005", "Ts ??", "9h 8c", surrender, "half", 0, 500, ""},
	} {
		v := rounds.Cited(t, rounds.Of(t, c.norm, "blackjack", `{"id":"B","min":500,"max":50000}`, dealt(c.box, c.bank, c.act)))
		s := v.Settlement[0]
		if string(s.Outcome) != c.outcome || int64(s.Pays) != c.pays || int64(s.Returns) != c.returns {
			t.Errorf("%s (%s): %+v", c.what, c.norm, s)
		}
		found := c.found == ""
		for _, f := range v.Findings {
			found = found || f.Code == c.found
		}
		if !found {
			t.Errorf("%s (%s): no %s in %+v", c.what, c.norm, c.found, v.Findings)
		}
	}
}

// TestMistakesByArticle: in every norm that has the game, a mistake is found
// under the article that the norm has for it.
func TestMistakesByArticle(t *testing.T) {
	const (
		main    = `{"t":0,"type":"bet","seat":1,"spot":"main","amount":1},`
		shuffle = `{"t":1,"type":"shuffle"},{"t":2,"type":"cut"},`
		cards   = `{"t":3,"type":"card","zone":"seat:1","card":"As","face":"up"}`
	)
	rounds.Mistakes(t, []rounds.Mistake{
		{What: "a stake below the minimum", Game: "blackjack", Topic: "limits", Code: finding.BetBelowMin, Events: main + cards},
		{What: "no card burnt at the start of a shoe", Game: "blackjack", Topic: "shoe", Code: finding.BurnWrong, Events: main + shuffle + cards},
	})
}

func TestCleanRounds(t *testing.T) {
	rounds.Clean{File: clean, BankZones: []string{"bank"}, Ordered: true}.Hold(t)
}

func BenchmarkCheck(b *testing.B) { rounds.Benchmark(b, clean) }

func FuzzBlackjack(f *testing.F) {
	rounds.Words{Norm: "cantabria-2010", Game: "blackjack", Zones: []string{"bank", "seat:1", "seat:2", "seat:1/2", "seat:1/3", "discard"},
		Spots: []string{"main", "main:1", "main:2", "split:2", "split:3", "double", "double:2", "seguro", "jackpot", "bolsa"},
		Calls: []string{"seguro", "puntos_mano", "puntos_banca", "ultima_jugada"}, Actions: []string{"hit", "stand", "double", "split", "surrender", "even_money"},
		Kinds: []string{"card_faceup_in_shoe"}}.Fuzz(f)
}
