package wheels_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vision/internal/testkit/books"
	"vision/internal/testkit/cited"
	"vision/internal/testkit/edges"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/game/wheels"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// edgeStake divides by every denominator of the odds and by the chips of every
// announced bet, so that nothing is rounded.
const edgeStake = 2 * 2 * 2 * 9 * 5 * 7 * 11 * 18

// shots are all results of a wheel or of dice, each as an event, with how many
// of the equally likely cases it stands for.
type shots []struct {
	event string
	ways  int64
}

func pockets(first, last int, more ...string) shots {
	var out shots
	add := func(p string) {
		out = append(out, struct {
			event string
			ways  int64
		}{fmt.Sprintf(`{"t":2,"type":"ball","pocket":%q}`, p), 1})
	}
	for n := first; n <= last; n++ {
		add(strconv.Itoa(n))
	}
	for _, p := range more {
		add(p)
	}
	return out
}

func diceShots(dice int) shots {
	faces := []string{""}
	for range dice {
		var longer []string
		for _, f := range faces {
			for n := 1; n <= 6; n++ {
				longer = append(longer, strings.TrimPrefix(f+","+strconv.Itoa(n), ","))
			}
		}
		faces = longer
	}
	var out shots
	for _, f := range faces {
		out = append(out, struct {
			event string
			ways  int64
		}{`{"t":2,"type":"dice","faces":[` + f + `]}`, 1})
	}
	return out
}

// wheelShots are the results of a game's wheel or dice.
func wheelShots(r *wheels.Rules) shots {
	switch {
	case r.Roulette != nil && r.Roulette.DoubleZero:
		return pockets(0, 36, "00")
	case r.Roulette != nil:
		return pockets(0, 36)
	case r.Boule != nil:
		return pockets(1, 9)
	case r.Craps != nil:
		return diceShots(2)
	case r.Fortuna != nil:
		var out shots
		for _, c := range r.Fortuna.Cells {
			s := pockets(1, 0, c.Pocket)[0]
			s.ways = int64(c.Count)
			out = append(out, s)
		}
		return out
	}
	return diceShots(3)
}

// bettor plays one spot of one game again and again.
type bettor struct {
	t     testing.TB
	books *rulebook.Books
	norm  string
	game  string
	shots shots
	memo  map[string]*big.Rat
	err   error
}

// position is a stake that lies on a spot, with the state that it needs.
type position struct {
	spot  string
	base  string // a bet it stands on
	point int
	laid  bool // carried from an earlier round
}

// value is the exact mean win of one unit on the position, played to its end.
func (b *bettor) value(p position) *big.Rat {
	key := fmt.Sprint(p)
	if v := b.memo[key]; v != nil {
		return v
	}
	sum, again, all := new(big.Rat), int64(0), int64(0)
	for _, s := range b.shots {
		line, next := b.once(p, s.event)
		ways := new(big.Rat).SetInt64(s.ways)
		all += s.ways
		if line.Outcome == round.Stay {
			if next == p || next.spot == p.spot && next.point == p.point {
				again += s.ways
				continue
			}
			sum.Add(sum, ways.Mul(ways, b.value(next)))
			continue
		}
		sum.Add(sum, ways.Mul(ways, big.NewRat(int64(line.Pays+line.Returns)-edgeStake, edgeStake)))
	}
	v := sum.Quo(sum, big.NewRat(all-again, 1))
	b.memo[key] = v
	return v
}

// once judges one round and gives the position's line and where it is afterwards.
func (b *bettor) once(p position, shot string) (round.Settlement, position) {
	carry, bet := `{}`, fmt.Sprintf(`{"t":0,"type":"bet","seat":1,"spot":%q,"amount":%d},`, p.spot, edgeStake)
	craps := strings.Contains(b.game, "craps")
	if craps {
		var bets []string
		if p.laid {
			bets, bet = append(bets, fmt.Sprintf(`{"seat":1,"spot":%q,"amount":%d}`, p.spot, edgeStake)), ""
		}
		if p.base != "" {
			bets = append(bets, fmt.Sprintf(`{"seat":1,"spot":%q,"amount":%d}`, p.base, edgeStake))
		}
		carry = fmt.Sprintf(`{"point":%d,"bets":[%s]}`, p.point, strings.Join(bets, ","))
	}
	raw := fmt.Sprintf(`{"schema":"round/1","id":"edge","norm":%q,"game":%q,"table":{"id":"T"},"carry":%s,"events":[%s%s]}`,
		b.norm, b.game, carry, bet, shot)
	if strings.HasPrefix(b.game, "ruleta_francesa") { // the player takes half on zero
		raw = strings.Replace(raw, `]}`, fmt.Sprintf(`,{"t":3,"type":"action","seat":1,"action":"half","spot":%q}]}`, p.spot), 1)
	}
	v, err := validate.Check(b.books, rounds.Parse(b.t, raw))
	if err != nil { // a mistyped rulebook sends a bet where the game has no spot
		b.err = fmt.Errorf("%s %s %s: %w", b.norm, b.game, p.spot, err)
		return round.Settlement{Outcome: round.Void}, p
	}
	for _, l := range v.Settlement {
		if l.Spot == p.spot {
			if b.t.Name() == "TestHouseEdge" { // the edge says that the article's odds are so
				cited.Judged(b.t, round.Verdict{Norm: v.Norm, Game: v.Game, Settlement: []round.Settlement{l}})
			}
			if l.Outcome == round.Void {
				b.err = fmt.Errorf("%s %s: %s is not admitted", b.norm, b.game, p.spot)
			}
			return l, b.after(p, v)
		}
	}
	b.t.Fatalf("%s: no line for %s", raw, p.spot)
	return round.Settlement{}, position{}
}

// after is the position in the next round. Only bets on the point care for it.
func (b *bettor) after(p position, v round.Verdict) position {
	raw, _ := json.Marshal(v.Next)
	var next struct {
		Point int
		Bets  []struct{ Spot string }
	}
	_ = json.Unmarshal(raw, &next)
	out := p
	out.laid = true
	if strings.HasSuffix(p.spot, "win") && !strings.HasPrefix(p.spot, "odds") {
		out.point = next.Point
	}
	for _, k := range next.Bets {
		if k.Spot != p.base && strings.HasPrefix(k.Spot, strings.SplitN(p.spot, ":", 2)[0]) {
			out.spot = k.Spot
		}
	}
	return out
}

// known are the edges that the games' mathematics give, in the player's favour.
type known map[position]*big.Rat

func at(spot string) position { return position{spot: spot} }

func knownEdges(norm, game string, r *wheels.Rules) known {
	k := known{}
	put := func(num, den int64, spots ...string) {
		for _, s := range spots {
			k[at(s)] = big.NewRat(num, den)
		}
	}
	switch {
	case r.Roulette != nil:
		rouletteEdges(put, norm, game, r.Roulette)
	case r.Boule != nil:
		put(-1, 9, "numero:5", "numero:7", "rojo", "negro", "par", "impar", "falta", "pasa")
	case r.Fortuna != nil:
		fortuneEdges(put, norm, game)
	case r.SicBo != nil:
		sicBoEdges(put)
	case r.Banca != nil:
		put(-1, 63, "ases", "pequeno", "grande")
		put(-1, 126, "pequeno_linea", "grande_linea")
	case r.Craps != nil:
		crapsEdges(k, put, norm)
	}
	return k
}

// fortuneEdges are those of the wheels of fortune, each norm's by itself.
func fortuneEdges(put func(int64, int64, ...string), norm, game string) {
	switch norm + " " + game {
	case "cantabria-2010 ruleta_fortuna": // as printed, 40:1 on two of 64 cells favours the player
		put(0, 1, "valor:1")
		put(-1, 4, "valor:2", "valor:5")
		put(-5, 16, "valor:10")
		put(-11, 32, "valor:20")
		put(9, 32, "valor:40")
	case "andalucia-2010 ruleta_fortuna", "balears-2005 ruleta_fortuna":
		put(-1, 9, "pos:24")
		put(-1, 6, "pos:15")
		put(-2, 9, "pos:7", "pos:2")
		put(-5, 27, "pos:4")
		put(-4, 27, "figura:1", "figura:2")
	}
}

func rouletteEdges(put func(int64, int64, ...string), norm, game string, r *wheels.Roulette) {
	multiples := []string{"pleno:17", "pleno:0", "caballo:17-20", "caballo:0-2", "transversal:16-17-18", "cuadro:17-18-20-21",
		"seisena:13-18", "columna:2", "docena:3", "doble_columna:1-2", "doble_docena:2-3"}
	if norm != "nacional-1979" {
		multiples = append(multiples, "transversal:0-1-2", "transversal:0-2-3", "cuadro:0-1-2-3")
	}
	if norm == "balears-2005" && game == "ruleta_americana" {
		multiples = append(multiples, "vecinos:26", "serie_grande", "tercio", "huerfanos")
	}
	simple := []string{"rojo", "negro", "par", "impar", "falta", "pasa"}
	if !r.DoubleZero {
		put(-1, 37, multiples...)
		put(-1, 74, simple...)
		return
	}
	put(-2, 38, append(multiples, "pleno:00", "caballo:0-00")...)
	put(-1, 38, simple...)
	put(-3, 38, "cuadro_especial")
}

func sicBoEdges(put func(int64, int64, ...string)) {
	put(-35, 216, "triple:1", "triple:6")
	put(-30, 216, "cualquier_triple")
	put(-40, 216, "doble:4")
	put(-6, 216, "pequena", "grande")
	put(-36, 216, "combinacion:2-5")
	put(-17, 216, "unica:3")
	for sum, e := range map[int]int64{4: -33, 5: -30, 6: -26, 7: -21, 8: -27, 9: -16, 10: -27} {
		put(e, 216, fmt.Sprint("total:", sum), fmt.Sprint("total:", 21-sum))
	}
}

func crapsEdges(k known, put func(int64, int64, ...string), norm string) {
	put(-7, 495, "win")
	put(-27, 1980, "dont_win")
	k[position{spot: "come", point: 6}] = big.NewRat(-7, 495)
	k[position{spot: "dont_come", point: 6}] = big.NewRat(-27, 1980)
	put(-1, 18, "field")
	put(-1, 11, "big:6", "big:8", "hard:6", "hard:8")
	put(-1, 6, "under_7", "over_7", "horn")
	put(-1, 9, "hard:4", "hard:10", "juego:11", "any_craps", "craps:3")
	put(-5, 36, "craps:2", "craps:12")
	if norm == "nacional-1979" { // printed 15:1: the player would win two thirds more than he stakes
		put(5, 3, "juego:7")
	} else {
		put(-1, 6, "juego:7")
	}
	put(-1, 15, "place:4", "place:10")
	put(-1, 25, "place:5", "place:9")
	put(-1, 66, "place:6", "place:8")
	put(-1, 33, "place_wrong:4", "place_wrong:10")
	put(-1, 40, "place_wrong:5", "place_wrong:9")
	put(-1, 55, "place_wrong:6", "place_wrong:8")
	for _, n := range []int{4, 5, 6, 8, 9, 10} { // odds are fair
		k[position{spot: "odds_win", base: "win", point: n}] = new(big.Rat)
		k[position{spot: "odds_dont_win", base: "dont_win", point: n}] = new(big.Rat)
		k[position{spot: fmt.Sprint("odds_come:", n), base: fmt.Sprint("come:", n), point: 6}] = new(big.Rat)
		k[position{spot: fmt.Sprint("odds_dont_come:", n), base: fmt.Sprint("dont_come:", n), point: 6}] = new(big.Rat)
		k[position{spot: fmt.Sprint("come:", n), point: 6, laid: true}] = boxEdge(n, 1)
		k[position{spot: fmt.Sprint("dont_come:", n), point: 6, laid: true}] = boxEdge(n, -1)
	}
}

// boxEdge is the value of a bet at evens that n comes before the seven, or that it does not.
func boxEdge(n int, sign int64) *big.Rat {
	ways := int64(6 - max(n-7, 7-n))
	return big.NewRat(sign*(ways-6), ways+6)
}

// edgeErrors compares every known edge of a game with the one that the rulebook gives.
// Where a line of the rulebook is mistyped, it begins with the spots that the line
// names, and stops at the first that differs.
func edgeErrors(t testing.TB, books *rulebook.Books, norm, game, mistyped string) []string {
	_, g, err := books.Game(norm, game)
	if err != nil {
		t.Fatal(err)
	}
	r := g.Rules.(*wheels.Rules)
	b := &bettor{t: t, books: books, norm: norm, game: game, shots: wheelShots(r), memo: map[string]*big.Rat{}}
	var out []string
	known := knownEdges(norm, game, r)
	if len(known) == 0 {
		t.Fatalf("%s %s: no edge is known: add what the game's mathematics give to knownEdges", norm, game)
	}
	list := slices.SortedFunc(maps.Keys(known), func(p, q position) int {
		named := func(p position) bool {
			return strings.Contains(mistyped, "spot: "+strings.SplitN(p.spot, ":", 2)[0]+",")
		}
		switch {
		case named(p) && !named(q):
			return -1
		case named(q) && !named(p):
			return 1
		}
		return strings.Compare(fmt.Sprint(p), fmt.Sprint(q))
	})
	for _, p := range list {
		want := known[p]
		if got := b.value(p); got.Cmp(want) != 0 {
			out = append(out, fmt.Sprintf("%s %s %v: edge %v, want %v", norm, game, p, got, want))
			if mistyped != "" {
				return out
			}
		}
	}
	if b.err != nil {
		out = append(out, b.err.Error())
	}
	return out
}

// wheelGames are the games of the family whose bets have an edge.
func wheelGames(n *rulebook.Norm) []string {
	var out []string
	for _, code := range n.Codes() {
		if r, ok := n.Games[code].Rules.(*wheels.Rules); ok && r.Bingo == nil {
			out = append(out, code)
		}
	}
	return out
}

// TestHouseEdge enumerates every outcome of every wheel and dice game through
// the engine, and compares the exact edge with the one that is known.
func TestHouseEdge(t *testing.T) {
	books := books.Shipped(t)
	for _, code := range books.Codes() {
		n, _ := books.Norm(code)
		for _, game := range wheelGames(n) {
			for _, e := range edgeErrors(t, books, code, game, "") {
				t.Error(e)
			}
		}
	}
}

var (
	oddsText = regexp.MustCompile(`"(\d+):(\d+)"`)
	sumsText = regexp.MustCompile(`(?:wins|loses|push): \[([\d, ]+)\]`)
)

// TestHouseEdgeSeesEveryOdd mistypes each odd of the shipped rulebooks in turn,
// and each sum by which a bet of craps wins, loses or is null: every one has to
// move an edge.
func TestHouseEdgeSeesEveryOdd(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	books := books.Shipped(t)
	for _, code := range books.Codes() {
		n, _ := books.Norm(code)
		for _, game := range wheelGames(n) {
			mutants(t, n, edges.Text(t, n, game), game)
		}
	}
}

// mutants are a game's text with one figure other than it is: each odd's first
// number more by one, its second likewise where it is not 1, each sum of a list
// left out.
func mutants(t *testing.T, n *rulebook.Norm, text, game string) {
	for _, m := range oddsText.FindAllStringSubmatchIndex(text, -1) {
		for _, at := range [][2]int{{m[2], m[3]}, {m[4], m[5]}} {
			figure, _ := strconv.Atoi(text[at[0]:at[1]])
			if at[0] == m[4] && figure == 1 {
				continue // "n:2" for "n:1" is no slip that the first number does not show
			}
			mutant(t, n, game, text, at[0], at[1], strconv.Itoa(figure+1))
		}
	}
	for _, m := range sumsText.FindAllStringSubmatchIndex(text, -1) {
		sums := strings.Split(text[m[2]:m[3]], ", ")
		for k := range sums {
			if len(sums) > 1 {
				mutant(t, n, game, text, m[2], m[3], strings.Join(slices.Delete(slices.Clone(sums), k, k+1), ", "))
			} else {
				mutant(t, n, game, text, m[2], m[3], "11") // as a null it takes a win away, or a loss
			}
		}
	}
}

// mutant judges by a game's text with the part from a to b written otherwise.
func mutant(t *testing.T, n *rulebook.Norm, game, text string, a, b int, other string) {
	t.Helper()
	line := text[strings.LastIndex(text[:a], "\n")+1 : b]
	books := edges.Load(t, n, text[:a]+other+text[b:])
	if len(edgeErrors(t, books, n.Code, game, line)) == 0 {
		t.Errorf("%s %s: %s with %s for its end moves no edge", n.Code, game, line, other)
	}
}
