package points_test

import (
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"vision/validate"
	"vision/validate/finding"
	"vision/validate/game/points"
	"vision/validate/internal/cited"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// player judges rounds of one game of one norm and says what a seat wins.
type player struct {
	t     testing.TB
	books *rulebook.Books
	norm  string
	game  string
	table string
}

// wins is what seat 1 wins on the spots of a round, to one of what it staked on
// the first of them. A round is written "bet inicial; card seat:1 As; …".
func (p player) wins(script string, spots ...string) float64 {
	p.t.Helper()
	v, err := validate.Check(p.books, p.script(script))
	if err != nil {
		p.t.Fatal(err)
	}
	won := 0.0
	for _, spot := range spots {
		k := slices.IndexFunc(v.Settlement, func(s round.Settlement) bool { return s.Spot == spot && s.Outcome != round.Unknown })
		if k < 0 {
			p.t.Fatalf("%s: %s is not decided: %+v", script, spot, v.Settlement)
		}
		s := v.Settlement[k]
		if p.t.Name() == "TestHouseEdges" {
			cited.Judged(p.t, round.Verdict{Norm: v.Norm, Game: v.Game, Settlement: []round.Settlement{s}})
		}
		won += float64(s.Pays-s.Commission+s.Returns-s.Stake) / edgeStake
	}
	for _, f := range v.Findings {
		if f.Code == finding.RaiseWrong {
			won-- // not the stake that the norm prescribes
		}
	}
	return won
}

// edgeStake divides by what the odds divide by.
const edgeStake = 11 * 1000

// script is the record of a round.
func (p player) script(script string) *round.Record {
	p.t.Helper()
	var ev []string
	for _, line := range strings.Split(script, ";") {
		w := strings.Fields(line)
		if len(w) == 0 {
			continue
		}
		text := fmt.Sprintf(`{"t":%d,"type":%q`, len(ev), w[0])
		switch w[0] {
		case "bet":
			amount := edgeStake
			if len(w) > 2 {
				amount, _ = strconv.Atoi(w[2])
			}
			text += fmt.Sprintf(`,"seat":1,"spot":%q,"amount":%d`, w[1], amount)
		case "card":
			text += fmt.Sprintf(`,"zone":%q,"card":%q,"face":"up"`, w[1], w[2])
		case "burn":
			text += `,"count":1`
		case "announce":
			text += fmt.Sprintf(`,"by":"croupier","call":%q`, w[1])
		case "action":
			text += fmt.Sprintf(`,"seat":1,"action":%q`, w[1])
		}
		ev = append(ev, text+"}")
	}
	return record(p.t, p.norm, p.game, p.table, strings.Join(ev, ","))
}

// casinoMonte: with six packs a tie comes in 23 of 311 rounds; the second one
// depends on the rank of the first, whose cards are gone.
func casinoMonte(p player) map[string]float64 {
	const tie, again = 23. / 311, (22*21 + 12*24*23) / (310. * 309)
	start := "bet inicial; bet empate; announce no_va_mas; "
	high, low := start+"card seat:1 As; card bank Kd", start+"card seat:1 Qs; card bank Kd"
	equal := start + "card seat:1 Ks; card bank Kd; "
	more := equal + "bet revancha; burn; "
	on := func(own, bank string, spots ...string) float64 {
		return p.wins(more+"card seat:1/revancha "+own+"; card bank/revancha "+bank, spots...)
	}
	apart := func(spot string) float64 { return (1 - tie) / 2 * (p.wins(high, spot) + p.wins(low, spot)) }
	both := []string{"inicial", "revancha"}
	return map[string]float64{
		"revancha": apart("inicial") + tie*((1-again)/2*(on("Ah", "Qd", both...)+on("Qh", "Ad", both...))+again*on("9h", "9d", both...)),
		"declines": apart("inicial") + tie*p.wins(equal+"action surrender", "inicial"),
		"empate":   apart("empate") + tie*p.wins(equal+"action surrender", "empate"),
	}
}

// spanish are the cards of the pack of forty but those laid.
func spanish(laid ...string) []string {
	var out []string
	for _, r := range "1234567SCR" {
		for _, s := range "OKEB" {
			if c := string([]rune{r, s}); !slices.Contains(laid, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// monte: four cards of different values lie there; of the 36 others twelve
// decide. Every order is gone through: the first card uncovered, the one that
// decides the Primeras, the one that decides the Segundas.
func monte(p player) map[string]float64 {
	laid := []string{"1O", "2O", "3O", "4O"}
	rest := spanish(laid...)
	var deciding, other []string
	for _, c := range rest {
		if strings.ContainsAny(c[:1], "1234") {
			deciding = append(deciding, c)
		} else {
			other = append(other, c)
		}
	}
	script := func(spot string, cards ...string) string {
		s := ""
		for k, c := range laid {
			s += fmt.Sprintf("announce %s_carta; card emplazado:%d %s; ", []string{"primera", "segunda", "tercera", "cuarta"}[k], k+1, c)
		}
		s += "announce hagan_juego; bet " + spot + "; announce no_va_mas; "
		for _, c := range cards {
			s += "card descubiertas " + c + "; "
		}
		return s
	}
	// last are the cards that may decide the Segundas after a winner.
	last := func(winner string) []string {
		var out []string
		for _, c := range deciding {
			if (c[0] <= '2') != (winner[0] <= '2') {
				out = append(out, c)
			}
		}
		return out
	}
	out := map[string]float64{}
	for _, spot := range []string{"vis:1", "camo:2", "anti:3", "viudo:4", "salto:1", "cartas:1-2", "cartas:1-3"} {
		sum := 0.0
		seconds := func(cards ...string) float64 {
			if !strings.HasPrefix(spot, "cartas:1-2") || cards[len(cards)-1][0] <= '2' {
				return p.wins(script(spot, cards...), spot)
			}
			mean := 0.0
			for _, c := range last(cards[len(cards)-1]) {
				mean += p.wins(script(spot, cards...)+"announce hagan_juego; announce no_va_mas; card descubiertas "+c, spot) / 6
			}
			return mean
		}
		for _, c := range deciding {
			sum += seconds(c)/36 + seconds(other[0], c)*24/36/12
		}
		out[spot] = sum
	}
	for _, spot := range []string{"s2/camo:3", "s2/cartas:3-4"} {
		mean := 0.0
		for _, c := range last("1K") {
			mean += p.wins(strings.Replace(script("vis:1", "1K"), "bet vis:1; ", "", 1)+"announce hagan_juego; bet "+spot+"; announce no_va_mas; card descubiertas "+c, spot) / 6
		}
		out[spot] = mean
	}
	return out
}

// rowsOf31 is the probability that both rows of treinta y cuarenta come to 31
// out of so many packs, exactly: every multiset of the two rows by its orders.
func rowsOf31(packs int) float64 {
	const target = 31
	type state struct{ sumA, sumB, cardsA, cardsB int }
	falling := func(n, k int) float64 {
		f := 1.0
		for i := range k {
			f *= float64(n - i)
		}
		return f
	}
	factorial := func(n int) float64 { return falling(n, n) }
	now := map[state]float64{{}: 1}
	for v := 1; v <= 10; v++ {
		n := 4 * packs
		if v == 10 {
			n = 16 * packs
		}
		next := map[state]float64{}
		for s, w := range now {
			for a := 0; s.sumA+a*v <= target; a++ {
				for b := 0; s.sumB+b*v <= target && a+b <= n; b++ {
					next[state{s.sumA + a*v, s.sumB + b*v, s.cardsA + a, s.cardsB + b}] += w * falling(n, a+b) / factorial(a) / factorial(b)
				}
			}
		}
		now = next
	}
	p := 0.0
	for s, w := range now {
		if s.sumA == target && s.sumB == target {
			p += w * factorial(s.cardsA) * factorial(s.cardsB) / falling(52*packs, s.cardsA+s.cardsB)
		}
	}
	return p
}

var both31 = sync.OnceValue(func() float64 { return rowsOf31(6) })

// treinta: rows win alike often and the first card is red as often as black, so
// that only the tie at 31 takes something.
func treinta(p player) map[string]float64 {
	const rows = " card negro %s; card negro Ks; card negro Kh; card negro %s; card rojo Ks; card rojo Kh; card rojo Kd; card rojo %s"
	const ties = 0.0878 // of other totals; they move nothing, and their number matters only where the odds are not even
	round := func(spot, first, negro, rojo, more string) float64 {
		return p.wins("bet "+spot+";"+more+fmt.Sprintf(rows, first, negro, rojo), spot)
	}
	mean := func(spot, more string) float64 {
		apart := 0.0
		for _, first := range []string{"Kc", "Kd"} {
			apart += round(spot, first, "2s", "3s", more) + round(spot, first, "3s", "2s", more)
		}
		return both31()*round(spot, "Kc", "As", "Ah", more) + ties*round(spot, "Kc", "2s", "2h", more) + (1-both31()-ties)*apart/4
	}
	out := map[string]float64{}
	for _, spot := range []string{"negro", "rojo", "color", "inverso"} {
		out[spot] = mean(spot, "")
		insured := fmt.Sprintf("bet seguro:%s %d;", spot, 110)
		out["insured "+spot] = mean(spot, insured) - 0.01
	}
	// The premium itself: what lies on its spot is lost, and nothing else is taken for it.
	out["premium"] = p.wins("bet negro; bet seguro:negro 110;"+fmt.Sprintf(rows, "Kc", "2s", "3s"), "seguro:negro")
	return out
}

// blackjack: the whole game from packs without end; from six packs the insurance
// with nothing but the ace known, the price of a blackjack among all rounds, the
// side bets on sevens.
func blackjack(p player) map[string]float64 {
	const natural = 2 * 24 * 96 / (312. * 311)
	const met = 2 * 23 * 95 / (310. * 309)
	insured := "bet main; card seat:1 9s; card bank Ad; bet seguro 5500; card seat:1 9d; card bank %s; card bank Kh"
	yes, no := strings.TrimSuffix(fmt.Sprintf(insured, "Kd"), "; card bank Kh"), fmt.Sprintf(insured, "5d")
	hand := "bet main; card seat:1 %s; card bank %s; card seat:1 Kd; card bank %s; card bank Qc"
	won := fmt.Sprintf(hand, "As", "6d", "5d")
	out := map[string]float64{
		"seguro":  2 * (96*p.wins(yes, "seguro") + 215*p.wins(no, "seguro")) / 311,
		"natural": natural * ((1-met)*p.wins(won, "main") + met*p.wins(strings.TrimSuffix(fmt.Sprintf(hand, "As", "Kh", "Ad"), "; card bank Qc"), "main")),
		"main":    p.wins(fmt.Sprintf(hand, "Qs", "6d", "3d"), "main"),
		"whole":   bjTermsOf(p).whole(),
	}
	r := p.rules().Blackjack
	if r.Pays.EvenMoney.Den > 0 {
		out["even money"] = p.wins("bet main; card seat:1 As; card bank Ah; card seat:1 Ks; action even_money; card bank Kc", "main")
	}
	if r.ThreeSevens {
		out["three sevens"] = p.wins("bet main; card seat:1 7s; card bank 9h; card seat:1 7d; card seat:1 7h; card bank 8c", "main")
	}
	if len(r.SidePays) > 0 {
		back := 0.0
		for k, times := range r.SidePays {
			back += sideHits()[k] * float64(times+1)
		}
		out["side"] = back - 1
	}
	return out
}

func (p player) rules() *points.Rules {
	p.t.Helper()
	_, g, err := p.books.Game(p.norm, p.game)
	if err != nil {
		p.t.Fatal(err)
	}
	return g.Rules.(*points.Rules)
}

var baccaratMemo = map[string]baccaratOdds{}

// puntoBanco by the engine's odds and the drawing tables' probabilities.
func puntoBanco(p player) map[string]float64 {
	r := p.rules()
	key := fmt.Sprint(r.PuntoBanco.Draw, r.Decks)
	o, ok := baccaratMemo[key]
	if !ok {
		o = enumerate(r.PuntoBanco.Draw, r.Decks)
		baccaratMemo[key] = o
	}
	deal := func(spot, punto, banca string) float64 {
		a, b := strings.Fields(punto), strings.Fields(banca)
		return p.wins(fmt.Sprintf("bet %s; announce no_va_mas; card punto %s; card banca %s; card punto %s; card banca %s", spot, a[0], b[0], a[1], b[1]), spot)
	}
	out := map[string]float64{}
	for _, spot := range []string{"punto", "banca", "empate"} {
		if _, offered := r.PuntoBanco.Pays[spot]; !offered {
			continue
		}
		out[spot] = o.punto*deal(spot, "Ks 9d", "Kd 7s") + o.tie*deal(spot, "Ks 9d", "Kd 9s") +
			o.bancaSix*deal(spot, "Ks 5d", "Kd 6s") + (o.banca-o.bancaSix)*deal(spot, "Ks 5d", "Kd 9s")
	}
	return out
}

// edgesOf are the exact figures of one game.
func edgesOf(p player) map[string]float64 {
	p.table = `{"id":"E"}`
	switch p.game {
	case "casino_monte":
		return casinoMonte(p)
	case "monte_banca":
		return monte(p)
	case "treinta_cuarenta":
		return treinta(p)
	case "blackjack":
		return blackjack(p)
	case "punto_banco":
		p.table = `{"id":"E","options":{"mesa":"grande"}}`
		return puntoBanco(p)
	}
	return nil
}

// knownEdges are the figures of the games' mathematics, to one unit staked.
// Those of blackjack as a whole are under the best play; no book prints them for
// these rules, its method is held against the books by TestBlackjackAgainstTextbooks.
func knownEdges(norm, game string) map[string]float64 {
	k := map[string]float64{}
	switch game {
	case "casino_monte":
		k = map[string]float64{"revancha": -0.0233000, "declines": -23. / 622, "empate": -58. / 311} // 2.33, 3.70 and 18.65 %
	case "monte_banca":
		k = map[string]float64{"vis:1": -1. / 12, "camo:2": -11. / 360, "anti:3": -11. / 360, "viudo:4": -11. / 360, "salto:1": -1. / 40,
			"cartas:1-2": -1. / 120, "cartas:1-3": -1. / 120, "s2/camo:3": 0, "s2/cartas:3-4": 0}
	case "treinta_cuarenta":
		for _, c := range []string{"negro", "rojo", "color", "inverso"} {
			k[c], k["insured "+c] = -0.0109457, -0.01
		}
		k["premium"] = -0.01
	case "punto_banco":
		k = map[string]float64{"punto": -0.0123749, "banca": -0.0105585, "empate": -0.1443827}
		switch norm {
		case "andalucia-2010":
			k["banca"] = -0.0145481 // half of the win with six
		case "nacional-1979":
			delete(k, "empate")
		}
	case "blackjack":
		k = map[string]float64{"seguro": -23. / 311, "natural": 1.5 * 0.0474895 * (1 - 0.0456207), "main": 1}
		if norm != "nacional-1979" {
			k["even money"] = 1
		}
		k["whole"] = map[string]float64{"nacional-1979": -0.006389097, "balears-2005": -0.002846156, "andalucia-2010": -0.005498962, "cantabria-2010": -0.002624737}[norm]
		switch norm {
		case "andalucia-2010":
			k["side"] = -0.4989300
		case "cantabria-2010":
			k["side"], k["three sevens"] = -0.5244600, 2
		}
	}
	return k
}

var edgeGames = []string{"blackjack", "treinta_cuarenta", "punto_banco", "casino_monte", "monte_banca"}

// TestHouseEdges: what the bank keeps of every bet whose odds the norms fix,
// settled by the engine from the shipped rulebooks. The circle games have no
// house edge but the commission.
func TestHouseEdges(t *testing.T) {
	for _, norm := range norms {
		for _, game := range edgeGames {
			p := player{t: t, books: books(t), norm: norm, game: game}
			if _, _, err := p.books.Game(norm, game); err != nil {
				continue
			}
			want, got := knownEdges(norm, game), edgesOf(p)
			for k, f := range got {
				if w, ok := want[k]; !ok || math.Abs(f-w) > 6e-6 {
					t.Errorf("%s %s %s: %.7f, want %.7f", norm, game, k, f, w)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s %s: figures %v, want %v", norm, game, got, want)
			}
		}
	}
}

var figureText = regexp.MustCompile(`(?:(pays|commission|inicial|empate|revancha|second_tie|salto|cartas|segundas|hand|blackjack|seguro|even_money|three_sevens|punto|banca|part|insurance): "|\n +(vis|relation): |(?:"7+s?"): |bank_stands: |totals: \[)(\d+)`)

// TestHouseEdgesSeeEveryOdd mistypes each odd of the shipped rulebooks in turn.
func TestHouseEdgesSeeEveryOdd(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, norm := range norms {
		n, err := books(t).Norm(norm)
		if err != nil {
			t.Fatal(err)
		}
		data, err := fs.ReadFile(rulebook.Shipped(), n.File)
		if err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(string(data), "games:\n")
		for _, game := range edgeGames {
			_, rest, ok := strings.Cut(string(data), "\n  "+game+":\n")
			if !ok {
				continue
			}
			rest, _, _ = strings.Cut(rest, "\n\n")
			text := header + "games:\n  " + game + ":\n" + rest + "\n"
			right := edgesOf(player{t: t, books: books(t), norm: norm, game: game})
			for _, m := range figureText.FindAllStringSubmatchIndex(text, -1) {
				from, to := m[len(m)-2], m[len(m)-1]
				num, _ := strconv.Atoi(text[from:to])
				wrong := text[:from] + strconv.Itoa(num+1) + text[to:]
				mutant, err := rulebook.Load(validate.Schema(), fstest.MapFS{n.File: &fstest.MapFile{Data: []byte(wrong)}})
				if err != nil {
					t.Fatal(err)
				}
				got := edgesOf(player{t: t, books: mutant, norm: norm, game: game})
				moved := false
				for k, f := range got {
					moved = moved || math.Abs(f-right[k]) > 6e-6
				}
				if !moved {
					t.Errorf("%s %s: mistyped moves no edge: %s", norm, game, text[strings.LastIndex(text[:from], "\n")+1:to])
				}
			}
		}
	}
}
