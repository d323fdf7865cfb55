package housepoker_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"vision/internal/card"
	"vision/internal/testkit/rounds"
	"vision/validate/game/hands"
	"vision/validate/game/housepoker"
)

func rankOf(t testing.TB, r *housepoker.Rules) *hands.Ranking {
	t.Helper()
	rank, err := hands.New(r.Hand)
	if err != nil {
		t.Fatal(err)
	}
	return rank
}

// memo keeps what depends on a ranking alone, so that every norm and every
// mistyped odd need no second enumeration.
type memo[T any] struct {
	mu   sync.Mutex
	kept map[string]T
}

func (m *memo[T]) get(spec hands.Spec, make func() T) T {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := fmt.Sprint(spec)
	if m.kept == nil {
		m.kept = map[string]T{}
	}
	v, ok := m.kept[key]
	if !ok {
		v = make()
		m.kept[key] = v
	}
	return v
}

// tripoker: goes on with queen, six and four or better.
var tripokerDeals memo[*encounters]

func tripokerEdge(t testing.TB, r *housepoker.Rules) float64 {
	rank := rankOf(t, r)
	e := tripokerDeals.get(r.Hand, func() *encounters {
		least := rank.Make(hands.CartaAlta, 12, 6, 4)
		return meetAll(r, rank, classes(rank), func(v hands.Value) bool { return v >= least })
	})
	virtual := "bonus"
	if _, ok := r.Spots[virtual]; !ok {
		virtual = "extra_ante"
	}
	return float64(e.net(r, rank, virtual, 1)) / float64(e.all)
}

// TestTripokerBestPlay: queen, six and four is where going on begins to be worth
// more than the ante that a fold gives up.
func TestTripokerBestPlay(t *testing.T) {
	r := rounds.Rules[*housepoker.Rules](t, can, "tripoker")
	rank := rankOf(t, r)
	list := classes(rank)
	for _, c := range []struct {
		ranks []int
		on    bool
	}{{[]int{12, 6, 4}, true}, {[]int{12, 6, 3}, false}} {
		hand := rank.Make(hands.CartaAlta, c.ranks...)
		e := meetAll(r, rank, list, func(v hands.Value) bool { return v == hand })
		went := e.all - e.folded
		if won := e.net(r, rank, "bonus", 1) + e.folded; won > -went != c.on {
			t.Errorf("%v wins %d in %d deals", c.ranks, won, went)
		}
	}
}

// sinDescarteDeals are the deals of sin descarte under the best play: every
// pair goes on, nothing below ace and king does, and ace-king as the bank's
// upcard bids.
var sinDescarteDeals memo[*encounters]

func sinDescarteEdge(t testing.TB, r *housepoker.Rules) float64 {
	rank := rankOf(t, r)
	e := sinDescarteDeals.get(r.Hand, func() *encounters {
		pair := rank.Make(hands.Pareja)
		e := meetAll(r, rank, classes(rank), func(v hands.Value) bool { return v >= pair })
		aceKing(r, rank, e)
		return e
	})
	return float64(e.net(r, rank, "", 2)) / float64(e.all)
}

// aceKing moves the deals that ace-king wins more by going on than by folding
// from the folded ones of e to those met. Each bank's hand is met five times,
// with each of its cards as the one that lies open.
func aceKing(r *housepoker.Rules, rank *hands.Ranking, e *encounters) {
	m := newMeeting(r, rank)
	five := map[int]int64{}
	var folds int64
	for a := range m.sets {
		own := &m.sets[a]
		if own.ranks[0] != 14 || own.ranks[1] != 13 || own.straight {
			continue
		}
		for _, suits := range suitings() {
			ways := suits.ways
			for rank := 2; rank <= 14; rank++ {
				for suit := range 4 {
					if own.holds(rank, suit, suits.suit) {
						continue
					}
					on, count := m.goOn(own, &suits.suit, rank, suit)
					if !on {
						continue
					}
					for side, n := range count {
						five[side] += n * ways
						folds += n * ways
					}
				}
			}
		}
	}
	hand := rank.Make(hands.CartaAlta, 14, 13, 9, 8, 7)
	for side, n := range five {
		e.add(hand, m.example(hand, side), side, n/5)
	}
	e.folded -= folds / 5
}

// rankSet are five different ranks, downwards.
type rankSet struct {
	ranks    [5]int
	straight bool
	value    hands.Value // of hands that are not of one suit
}

func (s *rankSet) holds(rank, suit int, suits [5]int) bool {
	for k, n := range s.ranks {
		if n == rank && suits[k] == suit {
			return true
		}
	}
	return false
}

// meeting meets ace-king hands with every hand of the bank that holds an upcard.
type meeting struct {
	r    *housepoker.Rules
	rank *hands.Ranking
	sets []rankSet
	with [15][]int // sets that hold a rank
}

func newMeeting(r *housepoker.Rules, rank *hands.Ranking) *meeting {
	m := &meeting{r: r, rank: rank}
	var pick func(k, next int, s rankSet)
	pick = func(k, next int, s rankSet) {
		if k == 5 {
			var five []card.Card
			for i, n := range s.ranks {
				five = append(five, card.Of((n-1)%13+1, i%4))
			}
			s.value = rank.Value(five)
			s.straight = s.value.Category() != hands.CartaAlta
			for _, n := range s.ranks {
				m.with[n] = append(m.with[n], len(m.sets))
			}
			m.sets = append(m.sets, s)
			return
		}
		for n := next; n >= 2; n-- {
			s.ranks[k] = n
			pick(k+1, n-1, s)
		}
	}
	pick(0, 14, rankSet{})
	return m
}

// suiting is one way to give suits to five ranks, and how many are like it.
type suiting struct {
	suit [5]int
	ways int64
}

// suitings are the ways that are not of one suit, up to an exchange of suits.
func suitings() []suiting {
	var out []suiting
	var fill func(k, used int, s suiting)
	fill = func(k, used int, s suiting) {
		if k == 5 {
			if used > 1 {
				s.ways = 1
				for i := range used {
					s.ways *= int64(4 - i)
				}
				out = append(out, s)
			}
			return
		}
		for suit := 0; suit <= min(used, 3); suit++ {
			s.suit[k] = suit
			fill(k+1, max(used, suit+1), s)
		}
	}
	fill(0, 0, suiting{})
	return out
}

// goOn counts the bank's hands beside an own one and an upcard by how they
// stand, and reports whether going on is worth more than a fold.
func (m *meeting) goOn(own *rankSet, suits *[5]int, up, upSuit int) (bool, [6]int64) {
	free, suited := [15]int64{}, [15]int64{} // cards of each rank, and of the upcard's suit, that are left
	for n := 2; n <= 14; n++ {
		free[n], suited[n] = 4, 1
	}
	for k, n := range own.ranks {
		free[n]--
		if suits[k] == upSuit {
			suited[n] = 0
		}
	}
	free[up], suited[up] = 1, 1 // the upcard itself
	var count [6]int64
	const all = 46 * 45 * 44 * 43 / 24
	lower := int64(all)
	for _, k := range m.with[up] {
		s := &m.sets[k]
		n, flush := int64(1), int64(1)
		for _, rank := range s.ranks {
			n *= free[rank]
			flush *= suited[rank]
		}
		if s.straight {
			continue
		}
		n -= flush
		count[sideOf(own.value, s.value, m.r.Plays(m.rank, s.value))] += n
		lower -= n
	}
	count[0] += lower // pairs and better
	won := int64(0)
	for side, n := range count {
		if n > 0 {
			bank := m.example(own.value, side)
			won += n * (m.r.Meet("ante", m.rank, own.value, bank) + 2*m.r.Meet("second", m.rank, own.value, bank))
		}
	}
	return won > -all, count
}

// example is a bank's hand that stands so to an own one.
func (m *meeting) example(own hands.Value, side int) hands.Value {
	switch side {
	case 0:
		return m.rank.Make(hands.Trio, 2, 4, 3)
	case 1:
		return m.rank.Make(hands.CartaAlta, 14, 13, 4, 3, 2)
	case 2:
		return own
	}
	return m.rank.Make(hands.CartaAlta, 9, 7, 4, 3, 2)
}

var allFives memo[map[hands.Value]int64]

// freq is how many hands of five (or of the best of five) each prize stands for.
func freq(t testing.TB, r *housepoker.Rules) map[hands.Value]int64 {
	rank := rankOf(t, r)
	return allFives.get(r.Hand, func() map[hands.Value]int64 {
		out := map[hands.Value]int64{}
		n := max(rank.Size(), 5)
		if rank.Size() == 3 {
			n = 3
		}
		pick := make([]card.Card, n)
		var deal func(k int, next card.Card)
		deal = func(k int, next card.Card) {
			if k == n {
				out[prizeKey(rank, value(rank, pick))]++
				return
			}
			for c := next; c <= 52; c++ {
				pick[k] = c
				deal(k+1, c+1)
			}
		}
		deal(0, 1)
		return out
	})
}

// value is the best hand of the cards.
func value(rank *hands.Ranking, cards []card.Card) hands.Value {
	if len(cards) == rank.Size() {
		return rank.Value(cards)
	}
	best, four := hands.Value(0), make([]card.Card, 0, 5)
	for out := range cards {
		four = append(append(four[:0], cards[:out]...), cards[out+1:]...)
		best = max(best, rank.Value(four))
	}
	return best
}

// prizeKey is what a table of prizes sees of a hand.
func prizeKey(rank *hands.Ranking, v hands.Value) hands.Value {
	if v.Category() == hands.Pareja {
		return rank.Make(hands.Pareja, v.Rank(0))
	}
	return rank.Make(v.Category())
}

// mean is what one unit on a spot that looks at no other hand wins.
func mean(t testing.TB, r *housepoker.Rules, spot string, table int) float64 {
	won, all := int64(0), int64(0)
	for v, n := range freq(t, r) {
		all += n
		if p, ok := r.Prize(spot, table, v); ok {
			won += n * p
		} else {
			won -= n
		}
	}
	return float64(won) / float64(all)
}

// holes are the bonus on two own cards: over all hands, with aces met by aces.
func holes(_ testing.TB, r *housepoker.Rules) float64 {
	pays := r.Spots["bonus"].Pays
	won := 0.0
	for a := card.Card(1); a <= 52; a++ {
		for b := a + 1; b <= 52; b++ {
			name := housepoker.HoleName([]card.Card{a, b})
			n, ok := pays[name]
			if !ok {
				won--
				continue
			}
			met := 0.0 // the bank holds the same: the other two aces of 50 cards
			if both, ok := pays[name+"-"+name]; ok {
				met = float64(both-n) / 1225
			}
			won += float64(n) + met
		}
	}
	return won / 1326
}

// share is what a bet on a meter returns: fixed prizes to one, and what part of
// the meter.
func share(t testing.TB, r *housepoker.Rules, spot string, changed bool) (times, part float64) {
	table := r.Spots[spot].Prizes
	if changed {
		table = r.Spots[spot].Changed
	}
	spec := r.Hand
	if r.Carrusel != nil {
		spec = *r.Carrusel
	}
	all := 0.0
	for v, n := range freq(t, &housepoker.Rules{Hand: spec}) {
		all += float64(n)
		p := table[v.Category().String()]
		times += float64(n * p.Times)
		part += float64(n*p.Share) / 10000
	}
	return times / all, part / all
}

// kinds are the hands of five by what a table of prizes sees of them: how many
// hold each hand of three, each hand of four, and all.
type kinds struct {
	value []hands.Value
	three [][22100]int16
	four  [][270725]int8
	all   []int64
}

var trijokerKinds memo[*kinds]

func kindsOf(rank *hands.Ranking) *kinds {
	k := &kinds{}
	number := map[hands.Value]int{}
	var cards [5]card.Card
	eachFive(&cards, func() {
		v := prizeKey(rank, rank.Value(cards[:]))
		n, ok := number[v]
		if !ok {
			n = len(number)
			number[v] = n
			k.value, k.all = append(k.value, v), append(k.all, 0)
			k.three, k.four = append(k.three, [22100]int16{}), append(k.four, [270725]int8{})
		}
		k.all[n]++
		for a := range 5 {
			var in [4]card.Card
			copy(in[copy(in[:], cards[:a]):], cards[a+1:])
			k.four[n][index(in[:]...)]++
			for b := a + 1; b < 5; b++ {
				for c := b + 1; c < 5; c++ {
					k.three[n][index(cards[a], cards[b], cards[c])]++
				}
			}
		}
	})
	return k
}

// trijokerEdge is the win of the three bets under the best play, to one of
// them: a bet is left while the cards seen promise more than nothing.
func trijokerEdge(t testing.TB, r *housepoker.Rules) float64 {
	rank := rankOf(t, r)
	k := trijokerKinds.get(r.Hand, func() *kinds { return kindsOf(rank) })
	odds := func(spot string) []int64 {
		out := make([]int64, len(k.value))
		for n, v := range k.value {
			out[n] = -1
			if p, won := r.Prize(spot, 1, v); won {
				out[n] = p
			}
		}
		return out
	}
	left, last := 0.0, int64(0)
	var three [22100]int64
	var four [270725]int64
	for n, p := range odds("apuesta_1") {
		for i, c := range &k.three[n] {
			three[i] += p * int64(c)
		}
	}
	for n, p := range odds("apuesta_2") {
		for i, c := range &k.four[n] {
			four[i] += p * int64(c)
		}
	}
	for n, p := range odds("apuesta_3") {
		last += p * k.all[n]
	}
	for _, sum := range three {
		left += float64(max(sum, 0)) / (22100 * 1176)
	}
	for _, sum := range four {
		left += float64(max(sum, 0)) / (270725 * 48)
	}
	return left + float64(last)/2598960
}

// eachFive runs through all hands of five, the cards ascending.
func eachFive(cards *[5]card.Card, do func()) {
	for cards[0] = 1; cards[0] <= 48; cards[0]++ {
		for cards[1] = cards[0] + 1; cards[1] <= 49; cards[1]++ {
			for cards[2] = cards[1] + 1; cards[2] <= 50; cards[2]++ {
				for cards[3] = cards[2] + 1; cards[3] <= 51; cards[3]++ {
					for cards[4] = cards[3] + 1; cards[4] <= 52; cards[4]++ {
						do()
					}
				}
			}
		}
	}
}

var choose52 = func() (c [53][5]int) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k < 5 && n > 0; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// index numbers the hands of ascending cards.
func index(cards ...card.Card) int {
	n := 0
	for k, c := range cards {
		n += choose52[c-1][k+1]
	}
	return n
}

// figures are all exact figures of one game, by name: what one unit wins.
func figures(t testing.TB, game string, r *housepoker.Rules) map[string]float64 {
	f := map[string]float64{}
	for spot, sp := range r.Spots {
		switch {
		case sp.Against == housepoker.AgainstMeter:
			f[spot+" times"], f[spot+" part"] = share(t, r, spot, false)
			if len(sp.Changed) > 0 {
				_, f[spot+" part, changed"] = share(t, r, spot, true)
			}
		case sp.Against == housepoker.AgainstHole:
			f[spot] = holes(t, r)
		case len(sp.Tables) > 0:
			for k := 1; k <= 3; k++ {
				f[fmt.Sprint(spot, " ", k)] = mean(t, r, spot, k)
			}
		case sp.Against == housepoker.AgainstTable && game != "poker_trijoker", sp.Against == housepoker.AgainstFlop:
			f[spot] = mean(t, r, spot, 1)
		}
	}
	switch game {
	case "tripoker":
		f["ante"] = tripokerEdge(t, r)
	case "poker_sin_descarte":
		f["ante"] = sinDescarteEdge(t, r)
	case "poker_trijoker":
		f["apuesta"] = trijokerEdge(t, r)
	case "poker_holdem_bonus", "poker_holdem_banca", "texas_poker":
		f["ante"] = boardEdge(t, game, r)
	case "poker_cuatro_cartas":
		f["ante"] = cuatroEdge(t, r)
	case "poker_con_descarte":
		f["ante"], f["second"] = descarteEdge(t, r), mean(t, r, "second", 1)
	case "pai_gow_poker":
		f["apuesta"] = paiGowEdge(t, r)
	}
	return f
}

// exact are the figures that the shipped rulebooks give, by norm and game ("":
// every norm that has it). Those of an ante with its second stake are to one
// ante under the best play.
var exact = map[string]map[string]float64{
	"poker_sin_descarte":        {"ante": -0.052636696, "seguro": -0.765287654, "progresivo part": 0.000002924},
	bal + " poker_sin_descarte": {"progresivo times": 0},
	and + " poker_sin_descarte": {"progresivo times": 0.432095915},
	can + " poker_sin_descarte": {"progresivo times": 0},
	cyl + " poker_sin_descarte": {"progresivo times": 0.408532644, "progresivo part": 0.000014929},

	bal + " poker_trijoker": {"apuesta": -0.150766460},
	cyl + " poker_trijoker": {"apuesta": -0.150766460},
	and + " poker_trijoker": {"apuesta": -0.153776895}, // the ace does not stand low
	can + " poker_trijoker": {"apuesta": -0.153776895},

	// The textbooks have 3.37 % for a bonus of 5, 4, 1, and 3.83 % for 4, 3, 1.
	and + " tripoker": {"ante": -0.038254696, "fortuna": -1232. / 22100, "progresivo part": 0.000002924, "progresivo times": 0.432095915},
	can + " tripoker": {"ante": -0.033729809, "pareja_plus 1": -1568. / 22100, "pareja_plus 2": -512. / 22100, "pareja_plus 3": -596. / 22100},
	cyl + " tripoker": {"ante": -0.033729809, "pareja_plus 1": -1568. / 22100, "pareja_plus 2": -512. / 22100, "pareja_plus 3": -596. / 22100},

	// The textbooks have 2.04 % for the game, and 8.54 % for the bonus with aces met
	// by aces.
	"poker_holdem_bonus": {"ante": -0.020369219, "bonus": -0.085406470},
	"poker_holdem_banca": {"ante": -0.020369219},
	// The textbooks have 2.79 % for a bonus of 25, 20, 2.
	"poker_cuatro_cartas": {"ante": -0.033065219, "ases": -0.075297811},
	"poker_con_descarte":  {"ante": -0.0744, "second": 0.048174654, "jackpot times": 0, "jackpot part": 0.000014929, "jackpot part, changed": 0.0000014929},
	"pai_gow_poker":       {"apuesta": -0.026462},                      // dealt, not gone through
	"texas_poker":         {"ante": -0.021576458, "txb": -0.064022532}, // the textbooks have 2.16 %, and 6.40 % for 7 and 25
}

// TestHouseEdges: what every bet of the family wins whose odds the norms print,
// by all hands of the pack, from the shipped rulebooks; where several bets are laid
// on one hand, of the whole game under the best play. Con descarte and pai gow are
// dealt (dealt_test.go).
func TestHouseEdges(t *testing.T) {
	if testing.Short() {
		t.Skip("all hands of five cards")
	}
	eachGame(t, func(t *testing.T, norm, game string) {
		want := maps.Clone(exact[game])
		if want == nil {
			want = map[string]float64{}
		}
		maps.Copy(want, exact[norm+" "+game])
		got := figures(t, game, rounds.Rules[*housepoker.Rules](t, norm, game))
		for name, f := range got {
			if w, ok := want[name]; !ok || math.Abs(f-w) > 1e-9 {
				t.Errorf("%s: %.9f, want %.9f", name, f, w)
			}
		}
		if len(got) != len(want) {
			t.Errorf("figures %v, want %v", got, want)
		}
	})
}

// TestMethodAgainstTextbooks: the same enumerations under the tables of games
// elsewhere give the figures that every book on them has.
func TestMethodAgainstTextbooks(t *testing.T) {
	if testing.Short() {
		t.Skip("all hands of five cards")
	}
	for _, c := range []struct {
		name, game string
		spots      []string
		pays       map[string]int64
		pair       int
		edge       func(testing.TB, *housepoker.Rules) float64
		want       float64 // per cent
	}{
		{"Caribbean stud", "poker_sin_descarte", []string{"second"}, map[string]int64{"escalera_color": 50}, 0, sinDescarteEdge, -5.2243},
		{"Let it ride", "poker_trijoker", []string{"apuesta_1", "apuesta_2", "apuesta_3"}, map[string]int64{"escalera_real": 1000}, 10, trijokerEdge, -3.5057},
		{"Four card poker", "poker_cuatro_cartas", []string{"ases"}, map[string]int64{"poquer": 50, "escalera_color": 40, "trio": 8, "color": 5, "doble_pareja": 3}, 14,
			func(t testing.TB, r *housepoker.Rules) float64 { return mean(t, r, "ases", 1) }, -3.8917},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := *rounds.Rules[*housepoker.Rules](t, cyl, c.game)
			r.Spots = maps.Clone(r.Spots)
			for _, name := range c.spots {
				sp := *r.Spots[name]
				sp.Pays = maps.Clone(sp.Pays)
				maps.Copy(sp.Pays, c.pays)
				sp.PairFrom = c.pair
				r.Spots[name] = &sp
			}
			if got := 100 * c.edge(t, &r); math.Abs(got-c.want) > 0.0001 {
				t.Errorf("%.4f %%, want %.4f %%", got, c.want)
			}
		})
	}
}

// TestHouseEdgesSeeEveryOdd mistypes each figure of every table in turn: each has to move an edge.
func TestHouseEdgesSeeEveryOdd(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	eachGame(t, func(t *testing.T, norm, game string) {
		r := rounds.Rules[*housepoker.Rules](t, norm, game)
		right := figures(t, game, r)
		for what, wrong := range mistyped(r) {
			same := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
			if maps.EqualFunc(right, figures(t, game, wrong), same) {
				t.Errorf("mistyped moves no edge: %s", what)
			}
		}
	})
}

// mistyped are the rules with one figure more by one, by what is mistyped.
func mistyped(r *housepoker.Rules) map[string]*housepoker.Rules {
	out := map[string]*housepoker.Rules{}
	with := func(what, spot string, change func(*housepoker.Spot)) {
		c := *r
		c.Spots = maps.Clone(r.Spots)
		sp := *c.Spots[spot]
		change(&sp)
		c.Spots[spot] = &sp
		out[spot+" "+what] = &c
	}
	for spot, sp := range r.Spots {
		for hand := range sp.Pays {
			with(hand, spot, func(sp *housepoker.Spot) { sp.Pays = maps.Clone(sp.Pays); sp.Pays[hand]++ })
		}
		for k, row := range sp.Tables {
			for column := range 3 {
				words := strings.Fields(row)
				n, _ := strconv.Atoi(words[column+1])
				words[column+1] = strconv.Itoa(n + 1)
				with(fmt.Sprint(words[0], " ", column+1), spot, func(sp *housepoker.Spot) {
					sp.Tables = slices.Clone(sp.Tables)
					sp.Tables[k] = strings.Join(words, " ")
				})
			}
		}
		if sp.Commission > 0 {
			with("commission", spot, func(sp *housepoker.Spot) { sp.Commission++ })
		}
		for hand, p := range sp.Prizes {
			if p.Times > 0 {
				p.Times++
			} else {
				p.Share++
			}
			with(hand, spot, func(sp *housepoker.Spot) { sp.Prizes = maps.Clone(sp.Prizes); sp.Prizes[hand] = p })
		}
		for hand, p := range sp.Changed {
			p.Share++
			with(hand+" changed", spot, func(sp *housepoker.Spot) { sp.Changed = maps.Clone(sp.Changed); sp.Changed[hand] = p })
		}
	}
	return out
}
